#include "linear/elimination.h"

#include <stdlib.h>

#include "formula/memory.h"

/* Where an entry is, before there are formulas. Constant: depends on parameters alone. */
enum entry { ZERO, CONSTANT, MOVING };

/* Entries off the diagonal of one pivot: its column of L and its row of U, to what comes
   after it. */
struct pivot {
    int unknown, count;
    int *other;             /* [count] */
    formula *lower, *upper; /* [count] */
    formula inverse;
};

struct elimination {
    struct tape *tape;
    int rows;
    bool symmetric;
    struct pivot *pivot;    /* [rows] in order */
    formula *diagonal;      /* [rows] D, unknown by unknown */
};

/* --- the order ---------------------------------------------------------------------- */

/* A symbolic elimination: where entries are, and what has been eliminated. */
struct symbolic {
    int rows;
    const bool *multiplier;
    bool coordinates_first;
    unsigned char *entry;   /* [rows*rows] of both triangles alike */
    bool *done;
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

/* Does it wait: for the coordinates of its row, or for all of them? */
static bool waits(const struct symbolic *s, int k)
{
    if (s->entry[k * s->rows + k] == ZERO)
        return true;
    for (int j = 0; j < s->rows && s->multiplier[k]; j++)
        if (!s->done[j] && !s->multiplier[j] &&
            (s->coordinates_first || s->entry[k * s->rows + j] != ZERO))
            return true;
    return false;
}

/* Products that eliminating k takes at every evaluation, and those of a value and one
   vector of derivatives that are solved for. */
static double cost_of(const struct symbolic *s, int k, const int *others, int count)
{
    enum { SOLVES = 2 };
    const unsigned char *row = s->entry + k * s->rows;
    int moving = 0;
    for (int i = 0; i < count; i++)
        moving += row[others[i]] == MOVING || row[k] == MOVING;
    double still = count - moving, all = count;
    return moving + (all * (all + 1) - still * (still + 1)) / 2 + 2 * SOLVES * all;
}

static int cheapest(struct symbolic *s)
{
    int best = -1;
    double least = 0;
    for (int k = 0; k < s->rows; k++) {
        if (s->done[k] || waits(s, k))
            continue;
        double cost = cost_of(s, k, s->others, others_of(s, k, s->others));
        if (best < 0 || cost < least) {
            best = k;
            least = cost;
        }
    }
    s->cost += least;
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
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            unsigned char *entry = s->entry + s->others[i] * s->rows + s->others[j];
            unsigned char by = updated(updated(row[s->others[i]], row[s->others[j]]),
                                       row[k]);
            *entry = updated(*entry, by);
        }
    s->done[k] = true;
}

/* Fills s->order; false when no unknown that is left has a pivot. */
static bool choose_order(struct symbolic *s, const formula *A)
{
    int rows = s->rows;
    s->cost = 0;
    for (int i = 0; i < rows; i++) {
        s->done[i] = false;
        for (int j = 0; j < rows; j++) {
            formula one = A[i * rows + j], other = A[j * rows + i];
            bool zero = is_zero(one) && is_zero(other);
            bool still = is_steady(one) && is_steady(other);
            s->entry[i * rows + j] = zero ? ZERO : still ? CONSTANT : MOVING;
        }
    }
    for (int step = 0; step < rows; step++) {
        int k = cheapest(s);
        if (k < 0)
            return false;
        s->order[step] = k;
        eliminate(s, k);
    }
    return true;
}

/* The better of the two orders, into `order`. */
static bool best_order(const formula *A, int rows, const bool *multiplier, int *order)
{
    struct symbolic s = {.rows = rows, .multiplier = multiplier};
    double least = 0;
    bool found = false;
    s.entry = memory_new(rows * rows, sizeof *s.entry);
    s.done = memory_new(rows, sizeof *s.done);
    s.order = memory_new(rows, sizeof *s.order);
    s.others = memory_new(rows, sizeof *s.others);
    for (int way = 0; way < 2; way++) {
        s.coordinates_first = way == 0;
        if (!choose_order(&s, A) || (found && s.cost >= least))
            continue;
        found = true;
        least = s.cost;
        memory_copy(order, s.order, rows, sizeof *order);
    }
    free(s.entry);
    free(s.done);
    free(s.order);
    free(s.others);
    return found;
}

/* --- in formulas -------------------------------------------------------------------- */

static bool is_symmetric(const formula *A, int rows)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < i; j++)
            if (!same_formula(A[i * rows + j], A[j * rows + i]))
                return false;
    return true;
}

static void note_others(struct pivot *pivot, const formula *A, int rows, const bool *done)
{
    int k = pivot->unknown;
    pivot->other = memory_new(rows, sizeof *pivot->other);
    for (int j = 0; j < rows; j++)
        if (j != k && !done[j] &&
            (!is_zero(A[k * rows + j]) || !is_zero(A[j * rows + k])))
            pivot->other[pivot->count++] = j;
    pivot->lower = memory_new(pivot->count, sizeof *pivot->lower);
    pivot->upper = memory_new(pivot->count, sizeof *pivot->upper);
}

/* A_ij -= l_ik A_kj for what is left; of a symmetric matrix one triangle, the other is the
   same. */
static void factor_pivot(struct elimination *e, struct pivot *pivot, formula *A)
{
    int rows = e->rows, k = pivot->unknown;
    e->diagonal[k] = A[k * rows + k];
    pivot->inverse = quotient(integer(e->tape, 1), A[k * rows + k]);
    for (int l = 0; l < pivot->count; l++) {
        int i = pivot->other[l];
        pivot->lower[l] = mul(A[i * rows + k], pivot->inverse);
        pivot->upper[l] = e->symmetric ? pivot->lower[l]
                                       : mul(A[k * rows + i], pivot->inverse);
    }
    for (int l = 0; l < pivot->count; l++)
        for (int o = e->symmetric ? l : 0; o < pivot->count; o++) {
            int i = pivot->other[l], j = pivot->other[o];
            formula change = mul(pivot->lower[l], A[k * rows + j]);
            A[i * rows + j] = sub(A[i * rows + j], change);
            if (e->symmetric)
                A[j * rows + i] = A[i * rows + j];
        }
}

struct elimination *elimination_new(struct tape *tape, const formula *A, int rows,
                                    const bool *multiplier)
{
    int *order = memory_new(rows, sizeof *order);
    if (!best_order(A, rows, multiplier, order)) {
        free(order);
        return NULL;
    }
    struct elimination *e = memory_new(1, sizeof *e);
    *e = (struct elimination){
        .tape = tape, .rows = rows, .symmetric = is_symmetric(A, rows)};
    e->pivot = memory_new(rows, sizeof *e->pivot);
    e->diagonal = memory_new(rows, sizeof *e->diagonal);
    formula *left = memory_new(rows * rows, sizeof *left);
    bool *done = memory_new(rows, sizeof *done);
    memory_copy(left, A, rows * rows, sizeof *left);
    for (int step = 0; step < rows; step++) {
        struct pivot *pivot = &e->pivot[step];
        pivot->unknown = order[step];
        done[pivot->unknown] = true;
        note_others(pivot, left, rows, done);
        factor_pivot(e, pivot, left);
    }
    free(done);
    free(left);
    free(order);
    return e;
}

void elimination_free(struct elimination *e)
{
    if (!e)
        return;
    for (int step = 0; step < e->rows; step++) {
        free(e->pivot[step].other);
        free(e->pivot[step].lower);
        free(e->pivot[step].upper);
    }
    free(e->pivot);
    free(e->diagonal);
    free(e);
}

/* L, then D, then U: both sweeps take the unknown itself out of the longest chain. */
void elimination_solve(const struct elimination *e, formula *b)
{
    for (int step = 0; step < e->rows; step++) {
        const struct pivot *pivot = &e->pivot[step];
        for (int l = 0; l < pivot->count; l++) {
            formula *other = &b[pivot->other[l]];
            *other = sub(*other, mul(pivot->lower[l], b[pivot->unknown]));
        }
    }
    for (int step = e->rows - 1; step >= 0; step--) {
        const struct pivot *pivot = &e->pivot[step];
        formula x = mul(b[pivot->unknown], pivot->inverse);
        for (int l = 0; l < pivot->count; l++)
            x = sub(x, mul(pivot->upper[l], b[pivot->other[l]]));
        b[pivot->unknown] = x;
    }
}

const formula *elimination_pivots(const struct elimination *e)
{
    return e->diagonal;
}
