/*
 * elimination_order.c - the order of static pivots, chosen by symbolic elimination before
 * any number is known.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "explicit/elimination_parts.h"
#include "linear/klu.h"

/* Kinds of entries, before there are formulas; CONSTANT: depends on parameters alone. */
enum kind { CONSTANT, MOVING };

/* The pattern of a row, in which both triangles are alike. */
struct pattern {
    int count, room;
    struct place {
        int column;
        enum kind kind;
    } *place;               /* [count] in any order */
    enum kind diagonal;
    bool has_diagonal;
};

/* Orders of the unknowns that do not wait. */
enum way { CHEAPEST, FEWEST_NEIGHBOURS, WAYS };

/* A symbolic elimination: the pattern of the entries, and the unknowns eliminated. */
struct symbolic {
    int rows;
    const struct formula_matrix *A;
    const bool *multiplier;
    enum way way;
    struct pattern *row;    /* [rows] what is left of the rows, without the diagonal */
    bool *done;             /* [rows] unknowns eliminated */
    struct candidate {
        bool known, waits;
        int others;
        double cost;
    } *candidate;           /* [rows] unknowns as they are at this step */
    int *order;             /* [rows] */
    int *place;             /* [rows] scratch: places of columns in the updated row */
    double most;            /* cost beyond which the order is given up */
    double cost;
    struct arena arena;     /* of all arrays but the places, which grow */
};

/* Does unknown k wait for coordinates of its row of A? Coordinates that are coupled by
   fill-in do not count: with M positive definite its pivot, Phi_q M^-1 Phi_q' for the
   part of M eliminated so far, is as good without. */
static bool waits(const struct symbolic *s, int k)
{
    const struct formula_row *row = &s->A->row[k];
    if (!s->row[k].has_diagonal)
        return true;
    for (int i = 0; i < row->count && s->multiplier[k]; i++) {
        int j = row->column[i];
        if (!s->done[j] && !s->multiplier[j] &&
            !(is_zero(row->value[i]) && is_zero(formula_matrix_at(s->A, j, k))))
            return true;
    }
    return false;
}

/* Products that eliminating an unknown takes at every evaluation, with its solutions. */
static double cost_of(const struct pattern *row)
{
    int moving = 0;
    for (int i = 0; i < row->count; i++)
        moving += row->place[i].kind == MOVING || row->diagonal == MOVING;
    double still = row->count - moving, all = row->count;
    return moving + (all * (all + 1) - still * (still + 1)) / 2 + 2 * SOLVES * all;
}

static struct candidate look_at(const struct symbolic *s, int k)
{
    struct candidate candidate = {.known = true, .waits = waits(s, k)};
    if (candidate.waits)
        return candidate;
    candidate.others = s->row[k].count;
    candidate.cost = cost_of(&s->row[k]);
    return candidate;
}

static int next_unknown(struct symbolic *s)
{
    int best = -1;
    double least = 0;
    for (int k = 0; k < s->rows; k++) {
        struct candidate *candidate = &s->candidate[k];
        if (s->done[k])
            continue;
        if (!candidate->known)
            *candidate = look_at(s, k);
        double measure = s->way == CHEAPEST ? candidate->cost : candidate->others;
        if (candidate->waits || (best >= 0 && measure >= least))
            continue;
        best = k;
        least = measure;
    }
    if (best >= 0)
        s->cost += s->candidate[best].cost;
    return best;
}

static enum kind later(enum kind one, enum kind other)
{
    return one > other ? one : other;
}

static void update_diagonal(struct pattern *row, enum kind kind)
{
    if (!row->has_diagonal || kind > row->diagonal)
        row->diagonal = kind;
    row->has_diagonal = true;
}

static void append(struct pattern *row, int column, enum kind kind)
{
    row->place = memory_grow(row->place, &row->room, ++row->count, sizeof *row->place);
    row->place[row->count - 1] = (struct place){column, kind};
}

/* Raises the kind of an entry; `place` is right for this row or names another column. */
static void set_kind(struct pattern *row, const int *place, int column, enum kind kind)
{
    int k = place[column];
    bool there = k < row->count && row->place[k].column == column;
    if (!there)
        append(row, column, kind);
    else if (kind > row->place[k].kind)
        row->place[k].kind = kind;
}

/* Updates the pattern of a row by a pivot: entries take the kind of their change. */
static void update(struct symbolic *s, const struct pattern *pivot, struct place by)
{
    struct pattern *row = &s->row[by.column];
    for (int k = 0; k < row->count; k++)
        s->place[row->place[k].column] = k;
    for (int j = 0; j < pivot->count; j++) {
        struct place of = pivot->place[j];
        enum kind kind = later(later(of.kind, by.kind), pivot->diagonal);
        if (of.column == by.column)
            update_diagonal(row, kind);
        else
            set_kind(row, s->place, of.column, kind);
    }
}

static void take_out(struct pattern *row, int column)
{
    int k = 0;
    while (row->place[k].column != column)
        k++;
    row->place[k] = row->place[--row->count];
}

static void eliminate(struct symbolic *s, int k)
{
    const struct pattern *row = &s->row[k];
    for (int i = 0; i < row->count; i++) {
        struct place at = row->place[i];
        s->candidate[at.column].known = false;
        take_out(&s->row[at.column], k);
        update(s, row, at);
    }
    s->done[k] = true;
}

static void begin_pattern(struct pattern *row, const struct formula_matrix *A, int i)
{
    row->count = 0;
    row->has_diagonal = false;
    row->diagonal = CONSTANT;
    for (int k = 0; k < A->row[i].count; k++) {
        int j = A->row[i].column[k];
        formula one = A->row[i].value[k], other = formula_matrix_at(A, j, i);
        if (is_zero(one) && is_zero(other))
            continue;
        enum kind kind = is_steady(one) && is_steady(other) ? CONSTANT : MOVING;
        if (j == i)
            update_diagonal(row, kind);
        else
            append(row, j, kind);
    }
}

/* Fills s->order; false when no unknown that is left has a pivot, or the cost is too
   high. */
static bool choose_order(struct symbolic *s)
{
    int rows = s->rows;
    s->cost = 0;
    for (int i = 0; i < rows; i++) {
        s->done[i] = s->candidate[i].known = false;
        begin_pattern(&s->row[i], s->A, i);
    }
    for (int step = 0; step < rows; step++) {
        int k = next_unknown(s);
        if (k < 0 || s->cost > s->most)
            return false;
        s->order[step] = k;
        eliminate(s, k);
    }
    return true;
}

/* Chains and rows of linkages take some 30 products for each unknown, a full matrix
   SPARSE_FROM^2/6. */
double elimination_most(int rows)
{
    enum { EACH = 300 };
    return rows < SPARSE_FROM ? INFINITY : (double)EACH * rows;
}

double elimination_order(const struct formula_matrix *A, const bool *multiplier,
                         int *order)
{
    int rows = A->rows;
    struct symbolic s = {.rows = rows, .A = A, .multiplier = multiplier,
                         .most = elimination_most(rows)};
    double least = INFINITY;
    s.row = arena_new(&s.arena, rows, sizeof *s.row);
    s.done = arena_new(&s.arena, rows, sizeof *s.done);
    s.candidate = arena_new(&s.arena, rows, sizeof *s.candidate);
    s.order = arena_new(&s.arena, rows, sizeof *s.order);
    s.place = arena_new(&s.arena, rows, sizeof *s.place);
    for (s.way = 0; s.way < WAYS; s.way++) {
        if (!choose_order(&s) || s.cost >= least)
            continue;
        least = s.cost;
        memory_copy(order, s.order, rows, sizeof *order);
    }
    for (int i = 0; i < rows; i++)
        free(s.row[i].place);
    arena_free(&s.arena);
    return least;
}
