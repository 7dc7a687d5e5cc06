/*
 * elimination_order.c - the order of pivots, chosen before any number is known.
 */
#include <math.h>
#include <stdlib.h>

#include "formula/memory.h"
#include "linear/elimination_parts.h"

/* Where an entry is, before there are formulas. Constant: depends on parameters alone. */
enum entry { ZERO, CONSTANT, MOVING };

/* In which order unknowns come that do not wait. */
enum way { CHEAPEST, FEWEST_NEIGHBOURS, WAYS };

/* A symbolic elimination: where entries are, and what has been eliminated. */
struct symbolic {
    int rows;
    const formula *A;
    const bool *multiplier;
    enum way way;
    unsigned char *entry;   /* [rows*rows] of both triangles alike */
    bool *done;
    struct candidate {
        bool known, waits;
        int others;
        double cost;
    } *candidate;           /* [rows] unknowns as they are at this step */
    int *order;             /* [rows] */
    int *others;            /* [rows] scratch */
    double cost;
};

static int others_of(const struct symbolic *s, int k, int *others)
{
    int count = 0;
    for (int j = 0; j < s->rows; j++)
        if (j != k && !s->done[j] && s->entry[k * s->rows + j] != ZERO)
            others[count++] = j;
    return count;
}

/* Does it wait for coordinates of its row of A? Not for those with which it is coupled by
   what has been eliminated: with M positive definite its pivot, Phi_q M^-1 Phi_q' for the
   part of M that has been, is as good without. */
static bool waits(const struct symbolic *s, int k)
{
    int rows = s->rows;
    if (s->entry[k * rows + k] == ZERO)
        return true;
    for (int j = 0; j < rows && s->multiplier[k]; j++)
        if (!s->done[j] && !s->multiplier[j] &&
            !(is_zero(s->A[k * rows + j]) && is_zero(s->A[j * rows + k])))
            return true;
    return false;
}

/* Products that eliminating k takes at every evaluation, and those of the solutions. */
static double cost_of(const struct symbolic *s, int k, const int *others, int count)
{
    const unsigned char *row = s->entry + k * s->rows;
    int moving = 0;
    for (int i = 0; i < count; i++)
        moving += row[others[i]] == MOVING || row[k] == MOVING;
    double still = count - moving, all = count;
    return moving + (all * (all + 1) - still * (still + 1)) / 2 + 2 * SOLVES * all;
}

static struct candidate look_at(const struct symbolic *s, int k)
{
    struct candidate candidate = {.known = true, .waits = waits(s, k)};
    if (candidate.waits)
        return candidate;
    candidate.others = others_of(s, k, s->others);
    candidate.cost = cost_of(s, k, s->others, candidate.others);
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

static unsigned char updated(unsigned char entry, unsigned char by)
{
    return entry > by ? entry : by;
}

static void eliminate(struct symbolic *s, int k)
{
    int count = others_of(s, k, s->others);
    const unsigned char *row = s->entry + k * s->rows;
    for (int i = 0; i < count; i++) {
        s->candidate[s->others[i]].known = false;
        for (int j = 0; j < count; j++) {
            unsigned char *entry = s->entry + s->others[i] * s->rows + s->others[j];
            unsigned char by = updated(updated(row[s->others[i]], row[s->others[j]]),
                                       row[k]);
            *entry = updated(*entry, by);
        }
    }
    s->done[k] = true;
}

/* Fills s->order; false when no unknown that is left has a pivot. */
static bool choose_order(struct symbolic *s)
{
    const formula *A = s->A;
    int rows = s->rows;
    s->cost = 0;
    for (int i = 0; i < rows; i++) {
        s->done[i] = s->candidate[i].known = false;
        for (int j = 0; j < rows; j++) {
            formula one = A[i * rows + j], other = A[j * rows + i];
            bool zero = is_zero(one) && is_zero(other);
            bool still = is_steady(one) && is_steady(other);
            s->entry[i * rows + j] = zero ? ZERO : still ? CONSTANT : MOVING;
        }
    }
    for (int step = 0; step < rows; step++) {
        int k = next_unknown(s);
        if (k < 0)
            return false;
        s->order[step] = k;
        eliminate(s, k);
    }
    return true;
}

double elimination_order(const formula *A, int rows, const bool *multiplier, int *order)
{
    struct symbolic s = {.rows = rows, .A = A, .multiplier = multiplier};
    double least = INFINITY;
    s.entry = memory_new(rows * rows, sizeof *s.entry);
    s.done = memory_new(rows, sizeof *s.done);
    s.candidate = memory_new(rows, sizeof *s.candidate);
    s.order = memory_new(rows, sizeof *s.order);
    s.others = memory_new(rows, sizeof *s.others);
    for (s.way = 0; s.way < WAYS; s.way++) {
        if (!choose_order(&s) || s.cost >= least)
            continue;
        least = s.cost;
        memory_copy(order, s.order, rows, sizeof *order);
    }
    free(s.entry);
    free(s.done);
    free(s.candidate);
    free(s.order);
    free(s.others);
    return least;
}
