/*
 * radau_stages.c - stage values of Radau IIA from the unknowns W, through the chains of
 * derivatives.
 */
#include "base/memory.h"
#include "radau.h"

/* --- chains ------------------------------------------------------------------------- */

void chains_init(struct chains *chains, struct arena *arena, int d)
{
    chains->links = arena_new(arena, d, sizeof *chains->links);
    chains->root = arena_new(arena, d, sizeof *chains->root);
    chains->order = arena_new(arena, d, sizeof *chains->order);
    chains->coupling = arena_new(arena, d + 1, sizeof *chains->coupling);
    for (int i = 0; i < RADAU_MOST_STAGES; i++)
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
    int d = equations->differential, s = tableau->stages, placed = 0;

    chains->longest = 0;
    for (int i = 0; i < d; i++)
        follow(chains, equations, i);
    for (int m = 1; m <= chains->longest; m++) {
        for (int i = 0; i < d; i++)
            if (chains->links[i] == m)
                chains->order[placed++] = i;
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) {
                double sum = 0;

                for (int n = 0; n < s; n++)
                    sum += tableau->A[i][n]*chains->coupling[m - 1][n][j];
                chains->coupling[m][i][j] = h*sum;
            }
    }
}

/* --- stages ------------------------------------------------------------------------- */

/* Stage values of component l from its slopes at the stages. */
static void integrate(struct radau *work, int column, int l, const double *slope)
{
    const struct tableau *tableau = work->tableau;
    int n = column*work->equations->state + l;

    for (int i = 0; i < tableau->stages; i++) {
        double sum = 0;

        for (int j = 0; j < tableau->stages; j++)
            sum += tableau->A[i][j]*slope[j];
        radau_Y(work, column, i)[l] = work->x[n] + (work->carry.lost[n] + work->h*sum);
    }
}

/* Shortest chains come first, so that the rate of a component is known when needed. */
void radau_stage_values(struct radau *work, int column)
{
    const struct implicit_equations *equations = work->equations;

    for (int n = 0; n < equations->differential; n++) {
        int l = work->chains.order[n], rate = equations->rate[l];
        double slope[RADAU_MOST_STAGES];

        for (int j = 0; j < work->tableau->stages; j++) {
            slope[j] = rate < 0 ? radau_W(work, column, j)[-1 - rate]
                                : radau_Y(work, column, j)[rate];
            work->K[j][column*equations->state + l] = slope[j];
        }
        integrate(work, column, l, slope);
    }
}
