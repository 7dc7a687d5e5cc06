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

static int level_of(const struct implicit_equations *equations,
                    const struct chains *chains, int row)
{
    const struct entries *at_w = equations->at_w, *at_y = equations->at_y;
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
    if (place[column] < 0)
        place[column] = sparse_place(&blocks->lu.K, row, column);
    return place[column];
}

static void place_row(struct stage_blocks *blocks,
                      const struct implicit_equations *equations,
                      const struct chains *chains, int row, int *place)
{
    const struct entries *at_w = equations->at_w, *at_y = equations->at_y;

    for (int e = at_w->begin[row]; e < at_w->begin[row + 1]; e++)
        blocks->from_w[e] = placed(blocks, row, at_w->column[e], place);
    for (int e = at_y->begin[row]; e < at_y->begin[row + 1]; e++) {
        int l = at_y->column[e];

        blocks->from_y[e] = chains->links[l] == blocks->level[row]
                                ? placed(blocks, row, chains->root[l], place)
                                : -1;
    }
}

void stage_blocks_init(struct stage_blocks *blocks,
                       const struct implicit_equations *equations,
                       const struct chains *chains)
{
    enum { MOST = RADAU_MOST_STAGES };
    const struct entries *at_w = equations->at_w, *at_y = equations->at_y;
    int k = equations->unknowns, *place = memory_new(k, sizeof *place);
    struct arena *arena = &blocks->arena;

    *blocks = (struct stage_blocks){.usable = true};
    blocks->level = arena_new(arena, k, sizeof(int));
    blocks->from_w = arena_new(arena, at_w->count, sizeof(int));
    blocks->from_y = arena_new(arena, at_y->count, sizeof(int));
    blocks->solved = arena_new(arena, MOST*k, sizeof(double));
    blocks->through = arena_new(arena, MOST*equations->differential, sizeof(double));
    stacked_lu_init(&blocks->lu, k, MOST);
    for (int row = 0; row < k; row++) {
        blocks->level[row] = level_of(equations, chains, row);
        blocks->usable = blocks->usable && blocks->level[row] < RADAU_LEVELS;
        blocks->again = blocks->again || blocks->level[row] == 1;
        blocks->alone = blocks->alone || at_w->begin[row + 1] == at_w->begin[row] + 1;
        for (int c = 0; c < k; c++)
            place[c] = -1;
        place_row(blocks, equations, chains, row, place);
    }
    blocks->value = arena_new(arena, MOST*blocks->lu.K.count, sizeof(double));
    free(place);
}

void stage_blocks_clear(struct stage_blocks *blocks)
{
    if (blocks->level)
        stacked_lu_clear(&blocks->lu);
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
    double *value = blocks->value + i*blocks->lu.K.count;

    for (int e = 0; e < blocks->lu.K.count; e++)
        value[e] = 0;
    for (int e = 0; e < at_w->count; e++)
        value[blocks->from_w[e]] += R_w[e];
    for (int e = 0; e < at_y->count; e++)
        if (blocks->from_y[e] >= 0)
            value[blocks->from_y[e]] += R_y[e];
}

bool stage_blocks_factor(struct radau *work)
{
    struct stage_blocks *blocks = &work->blocks;
    int s = work->tableau->stages;

    for (int i = 0; i < s; i++)
        assemble(blocks, &work->jacobians, i);
    return stacked_lu_factor(&blocks->lu, s, blocks->value);
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

/* through [s][d] = the y that x [s][k] makes through the chains. */
static void follow_chains(const struct radau *work, const double *x, double *through)
{
    const struct chains *chains = &work->chains;
    int s = work->tableau->stages, d = work->equations->differential, k = work->k;

    for (int l = 0; l < d; l++) {
        double (*coupling)[RADAU_MOST_STAGES] = chains->coupling[chains->links[l]];
        const double *root = x + chains->root[l];

        for (int i = 0; i < s; i++) {
            double sum = 0;

            for (int j = 0; j < s; j++)
                sum += coupling[i][j]*root[j*k];
            through[i*d + l] = sum;
        }
    }
}

/* The sum of a row of stage i times these y. */
static double through_chains(const struct radau *work, int row, int i)
{
    const struct entries *at_y = work->jacobians.at_y;
    const double *R_y = work->jacobians.R_y + i*at_y->count;
    const double *through = work->blocks.through + i*work->equations->differential;
    double sum = 0;

    for (int e = at_y->begin[row]; e < at_y->begin[row + 1]; e++)
        sum += R_y[e]*through[at_y->column[e]];
    return sum;
}

/* Rows with one unknown of their own, such as q' - v of `implicit`, take what the other
   unknowns make of them through the chains, which saves every other iteration. */
static void substitute(const struct radau *work, double *x)
{
    const struct entries *at_w = work->jacobians.at_w;
    int k = work->k;

    for (int row = 0; row < k; row++) {
        int e = at_w->begin[row];

        for (int i = 0; e + 1 == at_w->begin[row + 1] && i < work->tableau->stages; i++)
            x[i*k + at_w->column[e]] -= through_chains(work, row, i)
                                        /work->jacobians.R_w[i*at_w->count + e];
    }
}

/* Rows of level 1 contain q' beside v' (ggl), while q' contains v' through a chain of one
   link: each solution leaves h of the error, not h^2. What it makes of the rows of level
   0 through the chains is solved for once more, which saves a third of the evaluations
   there; elsewhere it would cost more than it saves. */
static void solve_again(const struct radau *work, double *x)
{
    const struct stage_blocks *blocks = &work->blocks;
    int s = work->tableau->stages, k = work->k;
    double *row = blocks->solved;

    for (int i = 0; i < s; i++)
        for (int n = 0; n < k; n++)
            row[i*k + n] = blocks->level[n] == 0 ? through_chains(work, n, i) : 0;
    stacked_lu_solve(&blocks->lu, row);
    for (int n = 0; n < s*k; n++)
        x[n] -= row[n];
}

void stage_blocks_solve(const struct radau *work, double *x)
{
    const struct stage_blocks *blocks = &work->blocks;

    differentiate(work, x, blocks->solved);
    stacked_lu_solve(&blocks->lu, blocks->solved);
    memory_copy(x, blocks->solved, work->tableau->stages*work->k, sizeof *x);
    if (blocks->again || blocks->alone)
        follow_chains(work, x, blocks->through);
    if (blocks->again)
        solve_again(work, x);
    else if (blocks->alone)
        substitute(work, x);
}
