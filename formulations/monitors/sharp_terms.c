/* sharp_terms.c - parts of the equations that vary within less than a step
   (sharp_terms.h). */
#include "sharp_terms.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* --- which parts -------------------------------------------------------------------- */

/* On what a row depends. */
enum { ON_TIME = 1, ON_STATE = 2, ON_UNKNOWNS = 4, BEYOND_POLYNOMIALS = 8 };
enum { MOVES = ON_TIME | ON_STATE | ON_UNKNOWNS };

/* An integer power as high as this is as narrow as an exponential. */
enum { HIGH_POWER = 8 };

static unsigned of_leaf(struct tape_row row)
{
    if (row.op != OP_VARIABLE || row.a == BLOCK_RHO)
        return 0;
    bool state = row.a == BLOCK_Q || row.a == BLOCK_V || row.a == BLOCK_S;
    return row.a == BLOCK_T ? ON_TIME : state ? ON_STATE : ON_UNKNOWNS;
}

/* Is a function with a moving operand steep somewhere and flat elsewhere? `divisor` are
   the bounds of a divisor for any motion. */
static bool has_flanks(enum op op, struct bounds divisor)
{
    switch (op) {
    case OP_EXP: case OP_TANH: case OP_ATAN: case OP_SINH: case OP_COSH: return true;
    case OP_DIV: case OP_POWI: return bounds_exclude_zero(divisor);
    default: return false;
    }
}

/* Is a row a term, with operands of these kinds? */
static bool is_sharp(struct tape_row row, unsigned a, unsigned b, struct bounds divisor)
{
    unsigned both = row.op == OP_DIV ? b : a | b;
    if (!(both & MOVES) || both & ON_UNKNOWNS)
        return false;
    if (both & ON_STATE && !has_flanks(row.op, divisor))
        return false;
    if (row.op == OP_POWI && row.b >= HIGH_POWER)
        return !(both & ON_STATE) && a & BEYOND_POLYNOMIALS;
    return !keeps_polynomials(row, a & MOVES, b & MOVES);
}

/* Sets the value of the term of a row, and what is measured. */
static enum sharp_measure find_measure(struct tape *tape, int row, formula *value,
                                       formula *measured)
{
    struct tape_row at = tape->row[row];
    *value = *measured = (formula){tape, row};
    switch (at.op) {
    case OP_LOG: case OP_ATAN2: return SHARP_WIDTH;
    case OP_SQRT: case OP_POW: case OP_POWI: return SHARP_RATIO;
    case OP_DIV:
        *measured = (formula){tape, at.b};
        *value = quotient(integer(tape, 1), *measured);
        return SHARP_RATIO;
    default:
        *measured = (formula){tape, at.a};
        return SHARP_WIDTH;
    }
}

/* The terms among the rows of an order: rows and what they depend on, into found and
   kind [order->count]; returns their number. */
static int find_terms(const struct tape *tape, const struct order *order, int *found,
                      unsigned char *found_kind)
{
    unsigned char *kind = memory_new(order->count, sizeof *kind);
    struct bounds *bounds = bounds_of(tape, order);
    int count = 0;
    for (int i = 0; i < order->count; i++) {
        struct order_entry entry = order->entry[i];
        struct tape_row row = tape->row[entry.row];
        unsigned a = entry.a >= 0 ? kind[entry.a] : 0;
        unsigned b = entry.b >= 0 ? kind[entry.b] : 0;
        int divisor = row.op == OP_DIV ? entry.b : entry.a;
        bool beyond = (a | b) & MOVES && !keeps_polynomials(row, a & MOVES, b & MOVES);
        kind[i] = (unsigned char)(of_leaf(row) | a | b |
                                  (beyond ? BEYOND_POLYNOMIALS : 0));
        if (is_sharp(row, a, b, divisor >= 0 ? bounds[divisor] : bounds[i])) {
            found_kind[count] = (unsigned char)(row.op == OP_DIV ? b : a | b);
            found[count++] = entry.row;
        }
    }
    free(bounds);
    free(kind);
    return count;
}

void sharp_terms_init(struct sharp_terms *terms, struct arena *arena,
                      const struct model *model, const formula *f, int count)
{
    struct tape *tape = model->tape;
    struct order order;
    order_from(&order, tape, f, count);
    int *found = memory_new(order.count, sizeof *found);
    unsigned char *kind = memory_new(order.count, sizeof *kind);
    *terms = (struct sharp_terms){.count = find_terms(tape, &order, found, kind)};
    terms->measure = arena_new(arena, terms->count, sizeof *terms->measure);
    terms->of_state = arena_new(arena, terms->count, sizeof *terms->of_state);
    formula *value = memory_new(terms->count, sizeof *value);
    formula *measured = memory_new(terms->count, sizeof *measured);
    for (int k = 0; k < terms->count; k++) {
        terms->measure[k] = find_measure(tape, found[k], &value[k], &measured[k]);
        terms->of_state[k] = kind[k] & ON_STATE;
        terms->of_states = terms->of_states || terms->of_state[k];
    }
    formula_bounds_init(&terms->measured, arena, model, measured, terms->count);
    formula_bounds_init(&terms->value, arena, model, value, terms->count);
    terms->value.box.x = terms->measured.box.x;
    free(value);
    free(measured);
    free(kind);
    free(found);
    order_clear(&order);
}

void sharp_terms_clear(struct sharp_terms *terms)
{
    formula_bounds_clear(&terms->measured);
    formula_bounds_clear(&terms->value);
}

void sharp_terms_set(struct sharp_terms *terms, const double *rho)
{
    formula_bounds_set(&terms->measured, rho);
    formula_bounds_set(&terms->value, rho);
    terms->from = INFINITY;
    terms->to = -INFINITY;
    terms->ahead = 1;
}

/* --- on a box ----------------------------------------------------------------------- */

void sharp_terms_look(struct sharp_terms *terms)
{
    formula_bounds_evaluate(&terms->measured);
    terms->valued = false;
}

/* Values are seldom asked for. */
static struct bounds value_of(struct sharp_terms *terms, int i)
{
    if (!terms->valued) {
        terms->value.box.t = terms->measured.box.t;
        formula_bounds_evaluate(&terms->value);
        terms->valued = true;
    }
    return formula_bounds_of(&terms->value, i);
}

/* Values that do not change but for rounding, or whose products are zero. */
static bool is_flat(struct bounds value)
{
    static const double nothing = 1e-200, rounding = 4 * DBL_EPSILON;
    double size = fmax(fabs(value.low), fabs(value.high));
    return size < nothing ||
           (isfinite(size) && value.high - value.low <= rounding * size);
}

/* Does what is measured vary slowly? */
static bool is_slow(enum sharp_measure measure, struct bounds measured)
{
    static const double slow = 1, fourfold = 4;
    if (measure == SHARP_WIDTH)
        return measured.high - measured.low <= slow;
    double low = fmin(fabs(measured.low), fabs(measured.high));
    double high = fmax(fabs(measured.low), fabs(measured.high));
    return bounds_exclude_zero(measured) && high <= fourfold * low;
}

bool sharp_term_settled(struct sharp_terms *terms, int i)
{
    return is_slow(terms->measure[i], formula_bounds_of(&terms->measured, i)) ||
           is_flat(value_of(terms, i));
}

double sharp_term_range(struct sharp_terms *terms, int i)
{
    struct bounds value = value_of(terms, i);
    return value.high - value.low;
}

bool sharp_terms_settled(struct sharp_terms *terms)
{
    sharp_terms_look(terms);
    for (int i = 0; i < terms->count; i++)
        if (!sharp_term_settled(terms, i))
            return false;
    return true;
}

/* --- on many steps ------------------------------------------------------------------ */

static bool settled_for_long(struct sharp_terms *terms, double t, double end)
{
    terms->measured.box.t = (struct bounds){fmin(t, end), fmax(t, end)};
    if (!sharp_terms_settled(terms))
        return false;
    terms->from = terms->measured.box.t.low;
    terms->to = terms->measured.box.t.high;
    return true;
}

/* Steps on one piece of time are answered by one evaluation. The piece becomes longer,
   slowly, while that goes well. */
static bool settled_in_time(struct sharp_terms *terms, double t, double end)
{
    static const double farthest = 64, longer = 1.1, first = 2;
    if (terms->from <= fmin(t, end) && fmax(t, end) <= terms->to)
        return true;
    for (; terms->ahead > 1; terms->ahead /= 2)
        if (settled_for_long(terms, t, t + terms->ahead * (end - t))) {
            terms->ahead = fmin(longer * terms->ahead, farthest);
            return true;
        }
    bool settled = settled_for_long(terms, t, end);
    terms->ahead = settled ? first : 1;
    return settled;
}

bool sharp_terms_settled_on_step(struct sharp_terms *terms, double t, double end,
                                 const double *x, const double *x_new)
{
    static const double between = 0.5;
    struct state_box *box = sharp_terms_box(terms);
    if (terms->count == 0)
        return true;
    if (!terms->of_states)
        return settled_in_time(terms, t, end);
    state_box_begin(box);
    state_box_add(box, t, x);
    state_box_add(box, end, x_new);
    state_box_widen(box, between);
    return sharp_terms_settled(terms);
}
