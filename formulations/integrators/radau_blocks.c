/*
 * radau_blocks.c - the stage equations of Radau IIA solved stage by stage, to first order
 * in h: a preconditioner of N (radau_matrix.c) for motions that are not stiff.
 *
 * A row of R without unknowns w contains them through the chains, first with (h A)^m,
 * m = 1 or 2: Phi(q) of index 3 is a row of level 2, Phid(q, v) and, with q' among the
 * unknowns, Phi(q) are rows of level 1. (h A)^-m differentiates such rows of all stages
 * along the step, as a reduction of the index does with formulas:
 *
 *     (h A)^-1 of the values f(t_i) on a step is f' at the stages, if f is zero at 0.
 *
 * With the rows so differentiated, the unknowns of a stage are in its own rows with the
 * matrix
 *
 *     K_i = rows of R_w(i) at level 0, and at level m
 *           sum over l of R_y(i)_l e_root(l)', for those l with m links,
 *
 * and in all other rows with integrals over the step, which are O(h): an operator of
 * Volterra's kind, whose powers fall like those of h/n!. So the iteration
 * W -= K^-1 (differentiated rows) converges ever faster. K_i does not depend on h, it is
 * regular where the index is the one that the levels say, and there are s matrices of k
 * unknowns to factorise in place of one of s k. Where it does not converge, as in stiff
 * equations, N is factorised.
 */
#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "radau.h"

/* --- levels ------------------------------------------------------------------------- */

static int level_of(const struct jacobians *jacobians, const struct chains *chains,
                    int row)
{
    const struct entries *at_w = jacobians->at_w, *at_y = jacobians->at_y;
    int level = INT_MAX;

    if (at_w->begin[row + 1] > at_w->begin[row])
        return 0;
    for (int e = at_y->begin[row]; e < at_y->begin[row + 1]; e++)
        if (chains->links[at_y->column[e]] < level)
            level = chains->links[at_y->column[e]];
    return level;
}

/* --- places ------------------------------------------------------------------------- */

/* The place of an entry in K; place [k] has those in this row, or -1. */
static int placed(struct stage_blocks *blocks, int row, int column, int *place)
{
    int at = 0;

    for (int i = 0; i < RADAU_MOST_STAGES && place[column] < 0; i++)
        at = sparse_place(&blocks->K[i], row, column);
    place[column] = place[column] < 0 ? at : place[column];
    return place[column];
}

static void place_row(struct stage_blocks *blocks, const struct jacobians *jacobians,
                      const struct chains *chains, int row, int *place)
{
    const struct entries *at_w = jacobians->at_w, *at_y = jacobians->at_y;

    for (int e = at_w->begin[row]; e < at_w->begin[row + 1]; e++)
        blocks->from_w[e] = placed(blocks, row, at_w->column[e], place);
    for (int e = at_y->begin[row]; e < at_y->begin[row + 1]; e++) {
        int l = at_y->column[e];

        blocks->from_y[e] = chains->links[l] == blocks->level[row]
                                ? placed(blocks, row, chains->root[l], place)
                                : -1;
    }
}

void stage_blocks_init(struct stage_blocks *blocks, int k,
                       const struct jacobians *jacobians, const struct chains *chains)
{
    const struct entries *at_w = jacobians->at_w, *at_y = jacobians->at_y;
    int *place = memory_new(k, sizeof *place);

    *blocks = (struct stage_blocks){.usable = true};
    blocks->level = arena_new(&blocks->arena, k, sizeof(int));
    blocks->from_w = arena_new(&blocks->arena, at_w->count, sizeof(int));
    blocks->from_y = arena_new(&blocks->arena, at_y->count, sizeof(int));
    blocks->differentiated = arena_new(&blocks->arena, RADAU_MOST_STAGES*k,
                                       sizeof(double));
    for (int i = 0; i < RADAU_MOST_STAGES; i++)
        sparse_init(&blocks->K[i], k);
    for (int row = 0; row < k; row++) {
        blocks->level[row] = level_of(jacobians, chains, row);
        blocks->usable = blocks->usable && blocks->level[row] < RADAU_LEVELS;
        for (int c = 0; c < k; c++)
            place[c] = -1;
        place_row(blocks, jacobians, chains, row, place);
    }
    free(place);
}

void stage_blocks_clear(struct stage_blocks *blocks)
{
    for (int i = 0; i < RADAU_MOST_STAGES && blocks->level; i++)
        sparse_clear(&blocks->K[i]);
    arena_free(&blocks->arena);
    *blocks = (struct stage_blocks){0};
}

/* --- factors and solutions ---------------------------------------------------------- */

static void assemble(struct stage_blocks *blocks, const struct jacobians *jacobians,
                     int i)
{
    const struct entries *at_w = jacobians->at_w, *at_y = jacobians->at_y;
    const double *R_w = jacobians->R_w + i*at_w->count;
    const double *R_y = jacobians->R_y + i*at_y->count;
    double *value = blocks->K[i].value;

    for (int e = 0; e < blocks->K[i].count; e++)
        value[e] = 0;
    for (int e = 0; e < at_w->count; e++)
        value[blocks->from_w[e]] += R_w[e];
    for (int e = 0; e < at_y->count; e++)
        if (blocks->from_y[e] >= 0)
            value[blocks->from_y[e]] += R_y[e];
}

bool stage_blocks_factor(struct radau *work)
{
    for (int i = 0; i < work->tableau->stages; i++) {
        assemble(&work->blocks, &work->jacobians, i);
        if (!sparse_factor(&work->blocks.K[i]))
            return false;
    }
    return true;
}

/* Rows [s][k] of level m become (h A)^-m of themselves. */
static void differentiate(const struct radau *work, const double *row, double *out)
{
    const struct tableau *tableau = work->tableau;
    int s = tableau->stages, k = work->k;
    double per_h[RADAU_LEVELS] = {1, 1/work->h, 1/(work->h*work->h)};

    for (int n = 0; n < k; n++) {
        int m = work->blocks.level[n];

        for (int i = 0; i < s; i++) {
            double sum = 0;

            for (int j = 0; m > 0 && j < s; j++)
                sum += tableau->inverse[m][i][j]*row[j*k + n];
            out[i*k + n] = m > 0 ? per_h[m]*sum : row[i*k + n];
        }
    }
}

/* The sum over l of R_y(i)_l ((h A)^links(l))_ij x_root(l)(j) in a row; x [s][k]. */
static double through_chains(const struct radau *work, int row, int i, const double *x)
{
    const struct entries *at_y = work->jacobians.at_y;
    const double *R_y = work->jacobians.R_y + i*at_y->count;
    const struct chains *chains = &work->chains;
    double sum = 0;

    for (int e = at_y->begin[row]; e < at_y->begin[row + 1]; e++) {
        int l = at_y->column[e], root = chains->root[l];
        const double *coupling = chains->coupling[chains->links[l]][i];

        for (int j = 0; j < work->tableau->stages; j++)
            sum += R_y[e]*coupling[j]*x[j*work->k + root];
    }
    return sum;
}

/* Rows with one unknown of their own, such as q' - v of `implicit`, take what the other
   unknowns make of them through the chains, which saves every other iteration. */
static void substitute(const struct radau *work, const double *solved, double *x)
{
    const struct entries *at_w = work->jacobians.at_w;
    int k = work->k;

    for (int row = 0; row < k; row++) {
        int e = at_w->begin[row];

        for (int i = 0; e + 1 == at_w->begin[row + 1] && i < work->tableau->stages; i++)
            x[i*k + at_w->column[e]] -= through_chains(work, row, i, solved)
                                        /work->jacobians.R_w[i*at_w->count + e];
    }
}

void stage_blocks_solve(const struct radau *work, double *x)
{
    const struct stage_blocks *blocks = &work->blocks;
    int s = work->tableau->stages, k = work->k;

    differentiate(work, x, blocks->differentiated);
    for (int i = 0; i < s; i++)
        sparse_solve(&blocks->K[i], blocks->differentiated + i*k);
    memory_copy(x, blocks->differentiated, s*k, sizeof *x);
    substitute(work, blocks->differentiated, x);
}
