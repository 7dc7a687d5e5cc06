/*
 * radau_stages.c - Radau IIA as a collocation method: nodes, weights, stage values from
 * W.
 */
#include <math.h>

#include "base/memory.h"
#include "radau.h"

/* --- the method --------------------------------------------------------------------- */

/*
 * HW IV.5: c are the zeros of d^2/dx^2 (x^2 (x - 1)^3). A_ij is the integral of the
 * Lagrange polynomial l_j from 0 to c_i, and as c_3 = 1 the weights b are the last row of
 * A. HW IV.8: A^-1 has one real eigenvalue, 3 + 9^(1/3) - 3^(1/3).
 */
void tableau_init(struct tableau *tableau)
{
    double *c = tableau->c;

    c[0] = (4 - sqrt(6))/10;
    c[1] = (4 + sqrt(6))/10;
    c[2] = 1;
    for (int j = 0; j < RADAU_STAGES; j++) {
        double one = c[(j + 1) % RADAU_STAGES], other = c[(j + 2) % RADAU_STAGES];
        double scale = 1/((c[j] - one)*(c[j] - other));

        tableau->lagrange[j][0] = one*other*scale;
        tableau->lagrange[j][1] = -(one + other)*scale;
        tableau->lagrange[j][2] = scale;
    }
    for (int i = 0; i < RADAU_STAGES; i++)
        tableau_integrals(tableau, c[i], tableau->A[i]);
    tableau->gamma0 = 1/(3 + cbrt(9) - cbrt(3));
}

void tableau_values(const struct tableau *tableau, double theta, double *weight)
{
    for (int j = 0; j < RADAU_STAGES; j++) {
        const double *l = tableau->lagrange[j];

        weight[j] = l[0] + theta*(l[1] + theta*l[2]);
    }
}

void tableau_integrals(const struct tableau *tableau, double theta, double *weight)
{
    for (int j = 0; j < RADAU_STAGES; j++) {
        const double *l = tableau->lagrange[j];

        weight[j] = theta*(l[0] + theta*(l[1]/2 + theta*(l[2]/3)));
    }
}

/* --- chains ------------------------------------------------------------------------- */

void chains_init(struct chains *chains, struct arena *arena, int d)
{
    chains->links = arena_new(arena, d, sizeof *chains->links);
    chains->root = arena_new(arena, d, sizeof *chains->root);
    chains->order = arena_new(arena, d, sizeof *chains->order);
    chains->coupling = arena_new(arena, d + 1, sizeof *chains->coupling);
    for (int i = 0; i < RADAU_STAGES; i++)
        chains->coupling[0][i][i] = 1;
}

static void follow(struct chains *chains, const struct implicit_equations *equations,
                   int i)
{
    int d = equations->differential, links = 1, rate = equations->rate[i];

    while (rate >= 0 && rate < d && links <= d) {
        rate = equations->rate[rate];
        links++;
    }
    if (rate >= 0 || -1 - rate >= equations->unknowns)
        slip("radau: the derivatives of y_%d never become an unknown", i);
    chains->links[i] = links;
    chains->root[i] = -1 - rate;
    if (links > chains->longest)
        chains->longest = links;
}

void chains_follow(struct chains *chains, const struct tableau *tableau,
                   const struct implicit_equations *equations, double h)
{
    int d = equations->differential, placed = 0;

    chains->longest = 0;
    for (int i = 0; i < d; i++)
        follow(chains, equations, i);
    for (int m = 1; m <= chains->longest; m++) {
        for (int i = 0; i < d; i++)
            if (chains->links[i] == m)
                chains->order[placed++] = i;
        for (int i = 0; i < RADAU_STAGES; i++)
            for (int j = 0; j < RADAU_STAGES; j++) {
                double sum = 0;

                for (int n = 0; n < RADAU_STAGES; n++)
                    sum += tableau->A[i][n]*chains->coupling[m - 1][n][j];
                chains->coupling[m][i][j] = h*sum;
            }
    }
}

/* --- stages ------------------------------------------------------------------------- */

/* Shortest chains come first, so that the rate of a component is known when needed. */
void radau_stage_values(struct radau *work, int column)
{
    const struct implicit_equations *equations = work->equations;
    const double (*A)[RADAU_STAGES] = (const double (*)[RADAU_STAGES])work->tableau.A;
    int begin = column*equations->state;
    const double *lost = work->carry.lost + begin;

    for (int n = 0; n < equations->differential; n++) {
        int l = work->chains.order[n], rate = equations->rate[l];
        double slope[RADAU_STAGES];

        for (int j = 0; j < RADAU_STAGES; j++) {
            slope[j] = rate < 0 ? radau_W(work, column, j)[-1 - rate]
                                : radau_Y(work, column, j)[rate];
            work->K[j][begin + l] = slope[j];
        }
        for (int i = 0; i < RADAU_STAGES; i++)
            radau_Y(work, column, i)[l] =
                work->x[begin + l] + (lost[l] + work->h*(A[i][0]*slope[0]
                                                         + A[i][1]*slope[1]
                                                         + A[i][2]*slope[2]));
    }
}
