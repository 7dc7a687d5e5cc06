/*
 * bounds.c - interval arithmetic over the rows of a tape (Moore, Kearfott, Cloud 2009);
 * bounds.h.
 *
 * An end that is not exact is moved outwards by one number or two. An operation without a
 * rule is unbounded, which is always right.
 */
#include "formula/bounds.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static const struct bounds anything = {-INFINITY, INFINITY};

static struct bounds outward(double low, double high)
{
    static const double least = 4.9406564584124654e-324;
    if (isnan(low) || isnan(high))
        return anything;
    return (struct bounds){isinf(low) ? low : low - fabs(low) * DBL_EPSILON - least,
                           isinf(high) ? high : high + fabs(high) * DBL_EPSILON + least};
}

static struct bounds within(double low, double high)
{
    return (struct bounds){low, high};
}

/* A product of ends, in which 0 times an infinite end is 0: the infinite end is never
   reached. */
static double product(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static struct bounds multiply(struct bounds a, struct bounds b)
{
    const double p[] = {product(a.low, b.low), product(a.low, b.high),
                        product(a.high, b.low), product(a.high, b.high)};
    double low = p[0], high = p[0];
    for (int i = 1; i < 4; i++) {
        low = p[i] < low ? p[i] : low;
        high = p[i] > high ? p[i] : high;
    }
    struct bounds out = outward(low, high);
    out.low = low == 0 ? 0 : out.low;       /* a zero is exact: no sign is lost */
    out.high = high == 0 ? 0 : out.high;
    return out;
}

static struct bounds even_power(struct bounds a, int n)
{
    double least = a.low > 0 ? a.low : a.high < 0 ? -a.high : 0;
    double most = fmax(fabs(a.low), fabs(a.high));
    struct bounds out = outward(pow(least, n), pow(most, n));
    return within(fmax(out.low, 0), out.high);
}

static struct bounds integer_power(struct bounds a, int n)
{
    if (n == 1)
        return a;
    if (n > 0 && n % 2 == 0)
        return even_power(a, n);
    if (n > 0)
        return outward(pow(a.low, n), pow(a.high, n));
    if (!bounds_exclude_zero(a))
        return n % 2 == 0 ? within(0, INFINITY) : anything;
    struct bounds positive = integer_power(a, -n);
    return outward(1 / positive.high, 1 / positive.low);
}

static struct bounds quotient_of(struct bounds a, struct bounds b)
{
    if (!bounds_exclude_zero(b))
        return anything;
    struct bounds inverse = outward(1 / b.high, 1 / b.low);
    return multiply(a, b.low > 0 ? within(fmax(inverse.low, 0), inverse.high)
                                 : within(inverse.low, fmin(inverse.high, 0)));
}

/* Bounds of a function that does not fall, whose values lie in [least, most]. */
static struct bounds rising(double low, double high, double least, double most)
{
    struct bounds out = outward(low, high);
    return within(fmax(out.low, least), fmin(out.high, most));
}

/* True: an integer k with low <= shift + 2 pi k <= high exists. Rounding can only make
   the answer falsely true. */
static bool meets(struct bounds a, double shift)
{
    static const double two_pi = 6.283185307179586, rounding = 1e-9;
    double low = (a.low - shift) / two_pi - rounding;
    double high = (a.high - shift) / two_pi + rounding;
    return floor(high) >= ceil(low);
}

/* Bounds of a sine or cosine, `value`, whose maxima are at `crest` + 2 pi k. */
static struct bounds of_wave(struct bounds a, double crest, double (*value)(double))
{
    static const double pi = 3.141592653589793;
    if (!(fabs(a.low) < 1e9 && fabs(a.high) < 1e9))
        return within(-1, 1);
    double one = value(a.low), other = value(a.high);
    struct bounds out = outward(fmin(one, other), fmax(one, other));
    return within(meets(a, crest + pi) ? -1 : fmax(out.low, -1),
                  meets(a, crest) ? 1 : fmin(out.high, 1));
}

static struct bounds of_cosh(struct bounds a)
{
    double least = a.low > 0 ? a.low : a.high < 0 ? -a.high : 0;
    struct bounds out = outward(cosh(least), cosh(fmax(fabs(a.low), fabs(a.high))));
    return within(fmax(out.low, 1), out.high);
}

enum { MOST_FACTORS = 16 };

/* The factors of a product with their multiplicities: 4*v*v is 4 times v^2. */
struct factors {
    int count;
    int entry[MOST_FACTORS], times[MOST_FACTORS];
};

/* Adds the factors of an entry. False: they are too many. */
static bool take_factors(const struct tape *tape, const struct order *order, int entry,
                         struct factors *factors)
{
    const struct order_entry *at = &order->entry[entry];
    if (tape->row[at->row].op == OP_MUL)
        return take_factors(tape, order, at->a, factors) &&
               take_factors(tape, order, at->b, factors);
    for (int i = 0; i < factors->count; i++)
        if (factors->entry[i] == entry)
            return ++factors->times[i] <= MOST_FACTORS;
    if (factors->count == MOST_FACTORS)
        return false;
    factors->entry[factors->count] = entry;
    factors->times[factors->count++] = 1;
    return true;
}

static struct bounds of_product(const struct tape *tape, const struct order *order,
                                int entry, const struct bounds *bounds)
{
    struct factors factors = {0};
    struct bounds out = within(1, 1);
    const struct order_entry *at = &order->entry[entry];
    bool flat = tape->row[order->entry[at->a].row].op != OP_MUL &&
                tape->row[order->entry[at->b].row].op != OP_MUL;
    if (flat && at->a != at->b)
        return multiply(bounds[at->a], bounds[at->b]);
    if (!take_factors(tape, order, entry, &factors))
        return anything;
    for (int i = 0; i < factors.count; i++)
        out = multiply(out, integer_power(bounds[factors.entry[i]], factors.times[i]));
    return out;
}

/* Bounds of a power with a positive base: exp(b log a). */
static struct bounds of_power(struct bounds a, struct bounds b)
{
    if (!(a.low > 0))
        return within(0, INFINITY);
    struct bounds log_a = outward(log(a.low), log(a.high));
    struct bounds exponent = multiply(b, log_a);
    return rising(exp(exponent.low), exp(exponent.high), 0, INFINITY);
}

static struct bounds of_tan(struct bounds a)
{
    static const double pi = 3.141592653589793;
    bool pole = !(fabs(a.low) < 1e9 && fabs(a.high) < 1e9) || meets(a, pi / 2) ||
                meets(a, -pi / 2);
    return pole ? anything : rising(tan(a.low), tan(a.high), -INFINITY, INFINITY);
}

static struct bounds of_row(struct tape_row row, struct bounds a, struct bounds b)
{
    switch (row.op) {
    case OP_PI:    return within(3, 4);
    case OP_POWI:  return integer_power(a, row.b);
    case OP_ADD:   return outward(a.low + b.low, a.high + b.high);
    case OP_SUB:   return outward(a.low - b.high, a.high - b.low);
    case OP_NEG:   return within(-a.high, -a.low);
    case OP_DIV:   return quotient_of(a, b);
    case OP_SQRT:  return rising(sqrt(fmax(a.low, 0)), sqrt(fmax(a.high, 0)), 0,
                                 INFINITY);
    case OP_EXP:   return rising(exp(a.low), exp(a.high), 0, INFINITY);
    case OP_SINH:  return rising(sinh(a.low), sinh(a.high), -INFINITY, INFINITY);
    case OP_TANH:  return rising(tanh(a.low), tanh(a.high), -1, 1);
    case OP_ATAN:  return rising(atan(a.low), atan(a.high), -2, 2);
    case OP_COSH:  return of_cosh(a);
    case OP_POW:   return of_power(a, b);
    case OP_TAN:   return of_tan(a);
    case OP_SIN:   return of_wave(a, 1.5707963267948966, sin);
    case OP_COS:   return of_wave(a, 0, cos);
    case OP_LOG:   return rising(log(fmax(a.low, 0)), log(fmax(a.high, 0)), -INFINITY,
                                 INFINITY);
    case OP_ASIN:  return rising(asin(fmax(a.low, -1)), asin(fmin(a.high, 1)), -2, 2);
    case OP_ACOS:  return rising(acos(fmin(a.high, 1)), acos(fmax(a.low, -1)), 0, 4);
    case OP_ATAN2: return within(-4, 4);
    default:       return anything;
    }
}

static struct bounds of_constant(const struct tape *tape, int index)
{
    double value = strtod(tape_constant(tape, index), NULL);
    struct bounds out = outward(value, value);
    return value == 0 ? within(0, 0) : out;
}

void bounds_at(const struct tape *tape, const struct order *order,
               const struct bounds *const block[BLOCKS], struct bounds *bounds)
{
    for (int i = 0; i < order->count; i++) {
        struct order_entry entry = order->entry[i];
        struct tape_row row = tape->row[entry.row];
        struct bounds a = entry.a >= 0 ? bounds[entry.a] : anything;
        struct bounds b = entry.b >= 0 ? bounds[entry.b] : anything;
        bool known = row.op == OP_VARIABLE && row.a < BLOCKS && block[row.a];
        bounds[i] = row.op == OP_CONSTANT ? bounds[i]
                    : row.op == OP_MUL    ? of_product(tape, order, i, bounds)
                    : known               ? block[row.a][row.b]
                                          : of_row(row, a, b);
    }
}

void bounds_constants(const struct tape *tape, const struct order *order,
                      struct bounds *bounds)
{
    for (int i = 0; i < order->count; i++) {
        struct tape_row row = tape->row[order->entry[i].row];
        if (row.op == OP_CONSTANT)
            bounds[i] = of_constant(tape, row.a);
    }
}

struct bounds *bounds_of(const struct tape *tape, const struct order *order)
{
    static const struct bounds *const nothing[BLOCKS];
    struct bounds *bounds = memory_new(order->count, sizeof *bounds);
    bounds_constants(tape, order, bounds);
    bounds_at(tape, order, nothing, bounds);
    return bounds;
}
