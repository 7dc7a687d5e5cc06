/*
 * weights.c - elementary weights by the recursion over Butcher products, and their
 * derivatives in forward mode.
 *
 * Phi(stem * branch) = Phi(stem) (A Phi(branch)), component by component. Source:
 * Butcher, Numerical Methods for Ordinary Differential Equations, 2016, 312.
 */
#include "weights.h"

/* p [trees][stages]: A Phi of a tree, for those that are branches of others. */
static void all_weights(arb_mat_t phi, arb_mat_t p, const arb_mat_t A, int stages)
{
    for (slong k = 0; k < arb_mat_nrows(phi); k++) {
        for (int i = 0; i < stages; i++)
            if (k == 0)
                arb_one(AT(phi, k, i));
            else
                arb_mul(AT(phi, k, i), AT(phi, trees[k].stem, i),
                        AT(p, trees[k].branch, i), BITS);
        if (k < arb_mat_nrows(p))
            for (int i = 0; i < stages; i++)
                arb_dot(AT(p, k, i), NULL, 0, AT(A, i, 0), 1, AT(phi, k, 0), 1, i, BITS);
    }
}

void weights_at_stages(arb_mat_t phi, const arb_mat_t A, int stages, int size)
{
    arb_mat_t p;

    arb_mat_init(p, first_tree[size], stages);
    all_weights(phi, p, A, stages);
    arb_mat_clear(p);
}

/* Column d of J by the coefficient `at`; dphi, dp: scratch like phi and p. Stages before
   row do not depend on it. */
static void derivative(arb_mat_t J, int d, struct position at, const arb_mat_t A,
                       int stages, const arb_mat_t phi, const arb_mat_t p, arb_mat_t dphi,
                       arb_mat_t dp)
{
    int row = at.row, length = stages - row;

    for (slong k = 0; k < arb_mat_nrows(phi); k++) {
        if (row == stages) {
            arb_set(AT(J, k, d), AT(phi, k, at.slope));
            continue;
        }
        for (int i = row; i < stages; i++) {
            const struct tree *tree = &trees[k];

            if (k == 0) {
                arb_zero(AT(dphi, k, i));
                continue;
            }
            arb_mul(AT(dphi, k, i), AT(dphi, tree->stem, i), AT(p, tree->branch, i),
                    BITS);
            arb_addmul(AT(dphi, k, i), AT(phi, tree->stem, i), AT(dp, tree->branch, i),
                       BITS);
        }
        if (k < arb_mat_nrows(p)) {
            for (int i = row; i < stages; i++)
                arb_dot(AT(dp, k, i), NULL, 0, AT(A, i, row), 1, AT(dphi, k, row), 1,
                        i - row, BITS);
            arb_add(AT(dp, k, row), AT(dp, k, row), AT(phi, k, at.slope), BITS);
        }
        arb_dot(AT(J, k, d), NULL, 0, AT(A, stages, row), 1, AT(dphi, k, row), 1, length,
                BITS);
    }
}

void residuals(arb_mat_t r, arb_mat_t J, const arb_mat_t A, int stages, int size,
               const struct position *at, int count)
{
    int all = first_tree[size + 1], branches = first_tree[size];
    arb_mat_t phi, p, dphi, dp;

    arb_mat_init(phi, all, stages);
    arb_mat_init(p, branches, stages);
    arb_mat_init(dphi, all, stages);
    arb_mat_init(dp, branches, stages);
    all_weights(phi, p, A, stages);
    for (int d = 0; d < count; d++)
        derivative(J, d, at[d], A, stages, phi, p, dphi, dp);
    for (int k = 0; k < all; k++) {
        arb_dot(AT(r, k, 0), NULL, 0, AT(A, stages, 0), 1, AT(phi, k, 0), 1, stages,
                BITS);
        arb_mul_si(AT(r, k, 0), AT(r, k, 0), trees[k].gamma, BITS);
        arb_sub_si(AT(r, k, 0), AT(r, k, 0), 1, BITS);
        for (int d = 0; d < count; d++)
            arb_mul_si(AT(J, k, d), AT(J, k, d), trees[k].gamma, BITS);
    }
    arb_mat_clear(phi);
    arb_mat_clear(p);
    arb_mat_clear(dphi);
    arb_mat_clear(dp);
}

double pull_back(arb_mat_t gradient, const arb_mat_t A, int stages, int size,
                 const arb_mat_t scale)
{
    int all = first_tree[size + 1], branches = first_tree[size];
    double sum = 0;
    arb_mat_t phi, p, of_phi, of_p;
    arb_t r;

    arb_init(r);
    arb_mat_init(phi, all, stages);
    arb_mat_init(p, branches, stages);
    arb_mat_init(of_phi, all, stages);
    arb_mat_init(of_p, branches, stages);
    all_weights(phi, p, A, stages);
    arb_mat_zero(gradient);
    for (int k = all - 1; k >= 0; k--) {
        const struct tree *tree = &trees[k];

        /* r, and from now on scale^2 r */
        arb_set_si(r, tree->gamma);
        arb_inv(r, r, BITS);
        arb_dot(r, r, 1, AT(A, stages, 0), 1, AT(phi, k, 0), 1, stages, BITS);
        arb_mul(r, r, AT(scale, k, 0), BITS);
        sum += as_double(r) * as_double(r) / 2;
        arb_mul(r, r, AT(scale, k, 0), BITS);
        arb_neg(r, r);
        for (int i = 0; i < stages; i++) {
            arb_addmul(AT(gradient, stages, i), r, AT(phi, k, i), BITS);
            arb_addmul(AT(of_phi, k, i), r, AT(A, stages, i), BITS);
        }
        if (k < branches)
            for (int i = 0; i < stages; i++)
                for (int j = 0; j < i; j++) {
                    if (arb_is_zero(AT(A, i, j)))
                        continue;
                    arb_addmul(AT(gradient, i, j), AT(of_p, k, i), AT(phi, k, j), BITS);
                    arb_addmul(AT(of_phi, k, j), AT(of_p, k, i), AT(A, i, j), BITS);
                }
        for (int i = 0; k > 0 && i < stages; i++) {
            arb_addmul(AT(of_phi, tree->stem, i), AT(of_phi, k, i),
                       AT(p, tree->branch, i), BITS);
            arb_addmul(AT(of_p, tree->branch, i), AT(of_phi, k, i),
                       AT(phi, tree->stem, i), BITS);
        }
    }
    arb_clear(r);
    arb_mat_clear(phi);
    arb_mat_clear(p);
    arb_mat_clear(of_phi);
    arb_mat_clear(of_p);
    return sum;
}
