/*
 * model_subsystems.c - decoupled subsystems: connected components of the equations of
 * motion, by union and find.
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

/* Disjoint sets of coordinates, auxiliary states and multipliers. */
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

/* The member of a variable; -1: none. */
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

/* Formulas, each with a member of the equation of motion that it is part of. */
struct equations {
    formula *f;
    int *member, count;
};

static void append(struct equations *all, formula f, int i)
{
    if (is_zero(f))
        return;
    all->f[all->count] = f;
    all->member[all->count++] = i;
}

/* Joins the members that each row contains, as every row is in some equation. */
static void join_equations(struct sets *sets, const struct tape *tape,
                           const struct equations *all)
{
    struct order order;
    order_from(&order, tape, all->f, all->count);
    int *of = memory_new(order.count, sizeof *of);
    for (int k = 0; k < order.count; k++) {
        const struct order_entry *entry = &order.entry[k];
        const struct tape_row *row = &tape->row[entry->row];
        int a = entry->a >= 0 ? of[entry->a] : -1, b = entry->b >= 0 ? of[entry->b] : -1;
        of[k] = row->op == OP_VARIABLE ? member(sets, row->a, row->b) : a >= 0 ? a : b;
        if (a >= 0 && b >= 0)
            join(sets, a, b);
    }
    for (int i = 0; i < all->count; i++)
        if (of[order.root[i]] >= 0)
            join(sets, of[order.root[i]], all->member[i]);
    free(of);
    order_clear(&order);
}

static void join_mode(struct sets *sets, const struct model *model,
                      const struct mode *mode)
{
    int n = model->n, ns = model->ns, entries = mode->M_entries.begin[n];
    int room = n + entries + ns + mode->m;
    struct equations all = {memory_new(room, sizeof *all.f),
                            memory_new(room, sizeof *all.member), 0};
    for (int i = 0; i < n; i++) {
        append(&all, mode->F[i], i);
        for (int k = mode->M_entries.begin[i]; k < mode->M_entries.begin[i + 1]; k++) {
            append(&all, mode->M[i][mode->M_entries.column[k]], i);
            join(sets, i, mode->M_entries.column[k]);
        }
    }
    for (int k = 0; k < ns; k++)
        append(&all, mode->f_s[k], n + k);
    for (int i = 0; i < mode->m; i++)
        append(&all, mode->Phi[i], n + ns + i);
    join_equations(sets, model->tape, &all);
    free(all.f);
    free(all.member);
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

int model_groups(const struct model *model, int *begin)
{
    int n = model->n, subsystems = model_subsystems(model, begin);
    int groups = 2 * subsystems;
    for (int k = 0; k <= subsystems; k++)
        begin[subsystems + k] = n + begin[k];
    for (int k = 0; k < model->ns + model->nz; k++, groups++)
        begin[groups + 1] = begin[groups] + 1;
    return subsystems;
}
