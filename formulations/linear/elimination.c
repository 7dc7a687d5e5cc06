#include "linear/elimination.h"

#include <math.h>
#include <stdlib.h>

#include "formula/memory.h"

/* Where an entry is, before there are formulas. Constant: depends on parameters alone. */
enum entry { ZERO, CONSTANT, MOVING };

/*
 * A pivot P is one unknown, or two multipliers at once: one division after the other is
 * what takes the longest in a small system, and two need one together. With
 * P^-1 = adj(P) / det, where everything but 1/det is known before it,
 *
 *     A_ij becomes A_ij - (A_iP adj(P) A_Pj) / det.
 *
 * What is solved for comes later than all of them, and finds P^-1 and its products.
 */
struct pivot {
    int size, unknown[2];
    int count, *other;      /* [count] what comes after it, and is coupled with it */
    formula adj[4];         /* [size*size] adj(P), then P^-1 */
    formula inverse;        /* 1/det */
    formula *lower;         /* [count][size] A_iP adj(P), then A_iP P^-1 */
    formula *upper;         /* [count][size] P^-1 A_Pi */
};

/* The coordinates at once, where what they have among themselves, M, is constant: with its
   inverse W, which is evaluated once, S = D - C W G is left for the multipliers. */
struct schur {
    int coordinates, multipliers;
    int *coordinate, *multiplier;   /* which unknowns they are */
    formula *W, *C, *G;     /* [coordinates^2], [multipliers * coordinates] and across */
    struct elimination *inner;      /* of S */
    formula *b;             /* [multipliers] scratch */
    formula *a, *z;         /* [coordinates] scratch */
};

struct elimination {
    struct tape *tape;
    int rows, pivots;
    bool symmetric;
    struct pivot *pivot;    /* [pivots] in order */
    formula *diagonal;      /* [rows] D, unknown by unknown */
    struct schur *schur;    /* or NULL */
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

/* How often one matrix is used: for values, and for derivatives side by side. */
enum { SOLVES = 2 };

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

/* The better of the two orders, into `order`; its cost, or INFINITY. */
static double best_order(const formula *A, int rows, const bool *multiplier, int *order)
{
    struct symbolic s = {.rows = rows, .multiplier = multiplier};
    double least = INFINITY;
    s.entry = memory_new(rows * rows, sizeof *s.entry);
    s.done = memory_new(rows, sizeof *s.done);
    s.order = memory_new(rows, sizeof *s.order);
    s.others = memory_new(rows, sizeof *s.others);
    for (int way = 0; way < 2; way++) {
        s.coordinates_first = way == 0;
        if (!choose_order(&s, A) || s.cost >= least)
            continue;
        least = s.cost;
        memory_copy(order, s.order, rows, sizeof *order);
    }
    free(s.entry);
    free(s.done);
    free(s.order);
    free(s.others);
    return least;
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

static formula entry_of(const formula *A, int rows, int i, int j)
{
    return A[i * rows + j];
}

static bool coupled(const formula *A, int rows, int i, int j)
{
    return !is_zero(entry_of(A, rows, i, j)) || !is_zero(entry_of(A, rows, j, i));
}

static void note_others(struct pivot *pivot, const formula *A, int rows, const bool *done)
{
    pivot->other = memory_new(rows, sizeof *pivot->other);
    for (int j = 0; j < rows; j++)
        if (!done[j] && (coupled(A, rows, pivot->unknown[0], j) ||
                         (pivot->size == 2 && coupled(A, rows, pivot->unknown[1], j))))
            pivot->other[pivot->count++] = j;
    int entries = pivot->count * pivot->size;
    pivot->lower = memory_new(entries, sizeof *pivot->lower);
    pivot->upper = memory_new(entries, sizeof *pivot->upper);
}

/* adj(P) and 1/det; the diagonal of D has P, and the determinant by P of two. */
static void invert_pivot(struct elimination *e, struct pivot *pivot, const formula *A)
{
    int rows = e->rows, k = pivot->unknown[0], l = pivot->unknown[1];
    formula one = integer(e->tape, 1), det = entry_of(A, rows, k, k);
    e->diagonal[k] = det;
    pivot->adj[0] = one;
    if (pivot->size == 2) {
        formula a = det, b = entry_of(A, rows, k, l), c = entry_of(A, rows, l, k);
        formula d = entry_of(A, rows, l, l);
        det = sub(mul(a, d), mul(b, c));
        e->diagonal[l] = det;
        pivot->adj[0] = d;
        pivot->adj[1] = negate(b);
        pivot->adj[2] = negate(c);
        pivot->adj[3] = a;
    }
    pivot->inverse = quotient(one, det);
}

static void couple(struct pivot *pivot, const formula *A, int rows)
{
    int size = pivot->size;
    for (int l = 0; l < pivot->count; l++)
        for (int o = 0; o < size; o++) {
            formula lower = {NULL, 0}, upper = {NULL, 0};
            for (int k = 0; k < size; k++) {
                formula to = entry_of(A, rows, pivot->other[l], pivot->unknown[k]);
                formula from = entry_of(A, rows, pivot->unknown[k], pivot->other[l]);
                lower = add(lower, mul(to, pivot->adj[k * size + o]));
                upper = add(upper, mul(pivot->adj[o * size + k], from));
            }
            pivot->lower[l * size + o] = lower;
            pivot->upper[l * size + o] = mul(upper, pivot->inverse);
        }
}

/* With the determinant, for what is solved for. */
static void scale_pivot(struct pivot *pivot)
{
    for (int k = 0; k < pivot->size * pivot->size; k++)
        pivot->adj[k] = mul(pivot->adj[k], pivot->inverse);
    for (int k = 0; k < pivot->size * pivot->count; k++)
        pivot->lower[k] = mul(pivot->lower[k], pivot->inverse);
}

/* A_ij for what is left; of a symmetric matrix one triangle, the other is the same. */
static void factor_pivot(struct elimination *e, struct pivot *pivot, formula *A)
{
    int rows = e->rows, size = pivot->size;
    invert_pivot(e, pivot, A);
    couple(pivot, A, rows);
    for (int l = 0; l < pivot->count; l++)
        for (int o = e->symmetric ? l : 0; o < pivot->count; o++) {
            int i = pivot->other[l], j = pivot->other[o];
            formula change = {NULL, 0};
            for (int k = 0; k < size; k++)
                change = add(change, mul(pivot->lower[l * size + k],
                                         entry_of(A, rows, pivot->unknown[k], j)));
            formula *entry = &A[i * rows + j];
            *entry = sub(*entry, mul(change, pivot->inverse));
            if (e->symmetric)
                A[j * rows + i] = *entry;
        }
    scale_pivot(pivot);
}

/* Two at once: multipliers that follow each other and are coupled by what moves. */
static bool is_pair(const formula *A, int rows, const bool *multiplier, const int *order,
                    int step)
{
    if (step + 1 >= rows)
        return false;
    int k = order[step], l = order[step + 1];
    return multiplier[k] && multiplier[l] && coupled(A, rows, k, l) &&
           !is_steady(entry_of(A, rows, k, k)) && !is_steady(entry_of(A, rows, l, l));
}

static void eliminate_in_order(struct elimination *e, const formula *A,
                               const bool *multiplier, const int *order)
{
    int rows = e->rows;
    e->symmetric = is_symmetric(A, rows);
    e->pivot = memory_new(rows, sizeof *e->pivot);
    formula *left = memory_new(rows * rows, sizeof *left);
    bool *done = memory_new(rows, sizeof *done);
    memory_copy(left, A, rows * rows, sizeof *left);
    for (int step = 0; step < rows; step += e->pivot[e->pivots++].size) {
        struct pivot *pivot = &e->pivot[e->pivots];
        pivot->size = is_pair(left, rows, multiplier, order, step) ? 2 : 1;
        for (int k = 0; k < pivot->size; k++) {
            pivot->unknown[k] = order[step + k];
            done[pivot->unknown[k]] = true;
        }
        note_others(pivot, left, rows, done);
        factor_pivot(e, pivot, left);
    }
    free(done);
    free(left);
}

/* --- the coordinates at once -------------------------------------------------------- */

/* Entries of A between the unknowns of two lists. */
static formula *part_of(const formula *A, int rows, const int *row, int count,
                        const int *column, int columns)
{
    formula *part = memory_new(count * columns, sizeof *part);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < columns; j++)
            part[i * columns + j] = A[row[i] * rows + column[j]];
    return part;
}

static struct schur *schur_new(const formula *A, int rows, const bool *multiplier)
{
    struct schur *schur = memory_new(1, sizeof *schur);
    schur->coordinate = memory_new(rows, sizeof *schur->coordinate);
    schur->multiplier = memory_new(rows, sizeof *schur->multiplier);
    for (int k = 0; k < rows; k++)
        if (multiplier[k])
            schur->multiplier[schur->multipliers++] = k;
        else
            schur->coordinate[schur->coordinates++] = k;
    int n = schur->coordinates, m = schur->multipliers;
    schur->C = part_of(A, rows, schur->multiplier, m, schur->coordinate, n);
    schur->G = part_of(A, rows, schur->coordinate, n, schur->multiplier, m);
    schur->W = memory_new(n * n, sizeof *schur->W);
    schur->a = memory_new(n, sizeof *schur->a);
    schur->z = memory_new(n, sizeof *schur->z);
    schur->b = memory_new(m, sizeof *schur->b);
    return schur;
}

static void schur_free(struct schur *schur)
{
    if (!schur)
        return;
    free(schur->coordinate);
    free(schur->multiplier);
    free(schur->C);
    free(schur->G);
    free(schur->W);
    free(schur->a);
    free(schur->z);
    free(schur->b);
    elimination_free(schur->inner);
    free(schur);
}

/* Marks the coordinates that M connects with k; returns how many. */
static int connected(const formula *M, int n, int k, int mark, int *component)
{
    int *stack = memory_new(n, sizeof *stack), height = 0, count = 0;
    component[k] = mark;
    stack[height++] = k;
    while (height > 0) {
        int i = stack[--height];
        count++;
        for (int j = 0; j < n; j++)
            if (component[j] == 0 && !(is_zero(M[i * n + j]) && is_zero(M[j * n + i]))) {
                component[j] = mark;
                stack[height++] = j;
            }
    }
    free(stack);
    return count;
}

/* Products that S and the solutions take, without those of S itself; INFINITY when M is
   not constant. */
static double schur_cost(const struct schur *schur, const formula *M)
{
    int n = schur->coordinates, m = schur->multipliers, marks = 0;
    double cost = 0;
    for (int k = 0; k < n * n; k++)
        if (!is_steady(M[k]))
            return INFINITY;
    int *component = memory_new(n, sizeof *component);
    int *entries = memory_new((n + 1) * m, sizeof *entries);   /* of a row by component */
    for (int k = 0; k < n; k++)
        if (component[k] == 0) {
            double size = connected(M, n, k, ++marks, component);
            cost += SOLVES * 2 * size * size;
        }
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++)
            if (!is_zero(schur->C[i * n + k]) || !is_zero(schur->G[k * m + i])) {
                entries[i * (n + 1) + component[k]]++;
                cost += SOLVES * 2;
            }
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++)
            for (int c = 1; c <= marks; c++)
                cost += entries[i * (n + 1) + c] * entries[j * (n + 1) + c];
    free(component);
    free(entries);
    return cost;
}

/* W, column by column. */
static void invert(struct tape *tape, const struct elimination *of_M, int n, formula *W)
{
    formula *column = memory_new(n, sizeof *column);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            column[i] = i == j ? integer(tape, 1) : (formula){NULL, 0};
        elimination_solve(of_M, column);
        for (int i = 0; i < n; i++)
            W[i * n + j] = column[i];
    }
    free(column);
}

/* S = D - C W G; of a symmetric matrix one triangle. */
static void complement(const struct schur *schur, const formula *A, int rows,
                       bool symmetric, formula *S)
{
    int n = schur->coordinates, m = schur->multipliers;
    formula *WG = memory_new(n * m, sizeof *WG);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++)
                WG[i * m + j] = add(WG[i * m + j],
                                    mul(schur->W[i * n + k], schur->G[k * m + j]));
    for (int i = 0; i < m; i++)
        for (int j = symmetric ? i : 0; j < m; j++) {
            formula sum = A[schur->multiplier[i] * rows + schur->multiplier[j]];
            for (int k = 0; k < n; k++)
                sum = sub(sum, mul(schur->C[i * n + k], WG[k * m + j]));
            S[i * m + j] = sum;
            if (symmetric)
                S[j * m + i] = sum;
        }
    free(WG);
}

/* If that is cheaper than `cost`. */
static bool eliminate_by_schur(struct elimination *e, const formula *A, const bool *multiplier,
                            double cost)
{
    struct schur *schur = schur_new(A, e->rows, multiplier);
    int n = schur->coordinates, m = schur->multipliers, rows = e->rows;
    formula *M = part_of(A, rows, schur->coordinate, n, schur->coordinate, n);
    bool *none = memory_new(rows, sizeof *none), *all = memory_new(rows, sizeof *all);
    for (int k = 0; k < rows; k++)
        all[k] = true;
    bool cheaper = n > 0 && m > 0 && schur_cost(schur, M) < cost;
    struct elimination *of_M = cheaper ? elimination_new(e->tape, M, n, none) : NULL;
    if (of_M) {
        formula *S = memory_new(m * m, sizeof *S);
        invert(e->tape, of_M, n, schur->W);
        complement(schur, A, rows, is_symmetric(A, rows), S);
        schur->inner = elimination_new(e->tape, S, m, all);
        for (int k = 0; k < n; k++)
            e->diagonal[schur->coordinate[k]] = of_M->diagonal[k];
        for (int k = 0; schur->inner && k < m; k++)
            e->diagonal[schur->multiplier[k]] = schur->inner->diagonal[k];
        free(S);
    }
    elimination_free(of_M);
    free(none);
    free(all);
    free(M);
    if (schur->inner)
        e->schur = schur;
    else
        schur_free(schur);
    return e->schur != NULL;
}

static void solve_by_schur(const struct schur *schur, formula *b)
{
    int n = schur->coordinates, m = schur->multipliers;
    for (int k = 0; k < n; k++)
        schur->a[k] = b[schur->coordinate[k]];
    for (int k = 0; k < n; k++)
        schur->z[k] = dot(schur->W + k * n, schur->a, n);
    for (int i = 0; i < m; i++)
        schur->b[i] = sub(b[schur->multiplier[i]],
                          dot(schur->C + i * n, schur->z, n));
    elimination_solve(schur->inner, schur->b);
    for (int k = 0; k < n; k++)
        schur->a[k] = sub(schur->a[k], dot(schur->G + k * m, schur->b, m));
    for (int k = 0; k < n; k++)
        b[schur->coordinate[k]] = dot(schur->W + k * n, schur->a, n);
    for (int i = 0; i < m; i++)
        b[schur->multiplier[i]] = schur->b[i];
}

/* --- together ----------------------------------------------------------------------- */

struct elimination *elimination_new(struct tape *tape, const formula *A, int rows,
                                    const bool *multiplier)
{
    int *order = memory_new(rows, sizeof *order);
    struct elimination *e = memory_new(1, sizeof *e);
    *e = (struct elimination){.tape = tape, .rows = rows};
    e->diagonal = memory_new(rows, sizeof *e->diagonal);
    double cost = best_order(A, rows, multiplier, order);
    bool found = eliminate_by_schur(e, A, multiplier, cost) || isfinite(cost);
    if (found && !e->schur)
        eliminate_in_order(e, A, multiplier, order);
    free(order);
    if (found)
        return e;
    elimination_free(e);
    return NULL;
}

void elimination_free(struct elimination *e)
{
    if (!e)
        return;
    for (int step = 0; step < e->pivots; step++) {
        free(e->pivot[step].other);
        free(e->pivot[step].lower);
        free(e->pivot[step].upper);
    }
    schur_free(e->schur);
    free(e->pivot);
    free(e->diagonal);
    free(e);
}

static void solve_in_order(const struct elimination *e, formula *b)
{
    for (int step = 0; step < e->pivots; step++) {
        const struct pivot *pivot = &e->pivot[step];
        for (int l = 0; l < pivot->count; l++) {
            formula change = {NULL, 0}, *other = &b[pivot->other[l]];
            for (int k = 0; k < pivot->size; k++)
                change = add(change, mul(pivot->lower[l * pivot->size + k],
                                         b[pivot->unknown[k]]));
            *other = sub(*other, change);
        }
    }
    for (int step = e->pivots - 1; step >= 0; step--) {
        const struct pivot *pivot = &e->pivot[step];
        formula x[2] = {{NULL, 0}, {NULL, 0}};
        for (int o = 0; o < pivot->size; o++) {
            for (int k = 0; k < pivot->size; k++)
                x[o] = add(x[o], mul(pivot->adj[o * pivot->size + k],
                                     b[pivot->unknown[k]]));
            for (int l = 0; l < pivot->count; l++)
                x[o] = sub(x[o], mul(pivot->upper[l * pivot->size + o],
                                     b[pivot->other[l]]));
        }
        for (int o = 0; o < pivot->size; o++)
            b[pivot->unknown[o]] = x[o];
    }
}

void elimination_solve(const struct elimination *e, formula *b)
{
    if (e->schur)
        solve_by_schur(e->schur, b);
    else
        solve_in_order(e, b);
}

const formula *elimination_pivots(const struct elimination *e)
{
    return e->diagonal;
}
