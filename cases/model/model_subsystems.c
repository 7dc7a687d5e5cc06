/*
 * model_subsystems.c - coordinates that move by themselves.
 *
 * An error that is measured by the largest of all coordinates hides one of micrometres
 * beside one of kilometres. Nothing asks for that if no equation of motion has both: they
 * are two mechanisms that meet at events only.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/tape.h"
#include "model_internal.h"

/* Coordinates, auxiliary states, multipliers: sets by union and find. */
struct sets {
    int *parent;
    int n, ns, count;
};

static int find(const struct sets *sets, int i)
{
    while (sets->parent[i] != i)
        i = sets->parent[i];
    return i;
}

static void join(struct sets *sets, int i, int j)
{
    sets->parent[find(sets, i)] = find(sets, j);
}

/* The member that a variable belongs to; -1: none. */
static int member(const struct sets *sets, int block, int index)
{
    switch (block) {
    case BLOCK_Q: case BLOCK_V: case BLOCK_A:
        return index;
    case BLOCK_S:
        return sets->n + index;
    case BLOCK_LAMBDA:
        return sets->n + sets->ns + index;
    default:
        return -1;
    }
}

/* Joins member i with all that the formula contains. */
static void join_all(struct sets *sets, const struct tape *tape, formula f, int i)
{
    struct order order;
    order_from(&order, tape, &f, 1);
    for (int k = 0; k < order.count; k++) {
        const struct tape_row *row = &tape->row[order.entry[k].row];
        int other = row->op == OP_VARIABLE ? member(sets, row->a, row->b) : -1;
        if (other >= 0)
            join(sets, other, i);
    }
    order_clear(&order);
}

static void join_mode(struct sets *sets, const struct model *model,
                      const struct mode *mode)
{
    int n = model->n;
    for (int i = 0; i < n; i++) {
        join_all(sets, model->tape, mode->F[i], i);
        for (int j = 0; j < n; j++)
            if (!is_zero(mode->M[i][j])) {
                join_all(sets, model->tape, mode->M[i][j], i);
                join(sets, i, j);
            }
    }
    for (int k = 0; k < model->ns; k++)
        join_all(sets, model->tape, mode->f_s[k], n + k);
    for (int i = 0; i < mode->m; i++)
        join_all(sets, model->tape, mode->Phi[i], n + model->ns + i);
}

int model_subsystems(const struct model *model, int *begin)
{
    int n = model->n, count = 0, reach = -1;
    struct sets sets = {.n = n, .ns = model->ns, .count = n + model->ns + model->m};
    sets.parent = memory_new(sets.count, sizeof *sets.parent);
    for (int i = 0; i < sets.count; i++)
        sets.parent[i] = i;
    for (int k = 0; k < model->modes; k++)
        join_mode(&sets, model, model->mode[k]);
    int *last = memory_new(sets.count, sizeof *last);
    for (int i = 0; i < n; i++)
        last[find(&sets, i)] = i;
    for (int i = 0; i < n; i++) {
        if (i > reach)
            begin[count++] = i;
        reach = last[find(&sets, i)] > reach ? last[find(&sets, i)] : reach;
    }
    begin[count] = n;
    free(last);
    free(sets.parent);
    return count;
}
