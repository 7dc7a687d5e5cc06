/*
 * series_ops.c - the Taylor recurrences of recurrences.def, interpreted.
 */
#include "program/series_ops.h"

#include <math.h>

#include "program/eval.h"

typedef double number;

#define SUM(type, name, parameters, ...) static type name parameters { __VA_ARGS__ }
#include "program/recurrences.def"

static double product(const struct term *t)
{
    if (t->a == t->b)
        return square(t->a, t->k);
    return convolve(t->a, t->b, 0, t->steady_a ? 0 : t->k, t->k);
}

static void integer_power(const struct term *t, int n)
{
    unsigned magnitude = power_magnitude(n);
    raise_power(t->a, t->f, t->g, t->stride, n, magnitude, power_second_bit(magnitude),
                t->k);
}

void term_raise(const struct term *t, struct program_row row)
{
    const double *a = t->a, *b = t->b, *c = t->c;
    double *f = t->f, *g = t->g;
    int k = t->k, last_b = t->steady_b ? 0 : k;
    bool twin = t->twin;
    switch (row.op) {
    case OP_POWI:
        integer_power(t, row.b);
        break;
#define PRODUCT(NAME, value) \
    case OP_##NAME: { \
        double ab = product(t); \
        f[k] = value; \
        break; \
    }
#define RECURRENCE(NAME, ...) \
    case OP_##NAME: \
        __VA_ARGS__ \
        break;
#include "program/recurrences.def"
    default:
        break;
    }
}

/* --- order 0 ------------------------------------------------------------------------ */

static double companion_start(enum op op, double a, double b, double f)
{
    switch (op) {
    case OP_SIN:   return cos(a);
    case OP_COS:   return sin(a);
    case OP_SINH:  return cosh(a);
    case OP_COSH:  return sinh(a);
    case OP_TAN:   return 1 + f * f;
    case OP_TANH:  return 1 - f * f;
    case OP_ASIN:
    case OP_ACOS:  return sqrt((1 - a) * (1 + a));
    case OP_ATAN:  return 1 + a * a;
    case OP_ATAN2: return a * a + b * b;
    default:       return 0;
    }
}

/* The value is the expression of ops.def, bit for bit that of eval_double.c. */
void term_start(const struct term *t, struct program_row row)
{
    double a = t->a[0], b = t->b[0];
    switch (row.op) {
    case OP_POWI:
        integer_power(t, row.b);
        break;
#define OP(NAME, text, arity, real, complex_value, da, db, domain, inside) \
    case OP_##NAME: \
        t->f[0] = real; \
        break;
#include "formula/ops.def"
#undef OP
    case OP_MULADD:    t->f[0] = fma(a, b, *t->c);   break;
    case OP_MULSUB:    t->f[0] = fma(a, b, -*t->c);  break;
    case OP_SUBMUL:    t->f[0] = fma(-a, b, *t->c);  break;
    case OP_NEGMULADD: t->f[0] = fma(-a, b, -*t->c); break;
    default:                                         break;
    }
    if (t->g && !t->twin && row.op != OP_POWI)
        t->g[0] = companion_start(row.op, a, b, t->f[0]);
}

int term_companions(struct program_row row)
{
    switch (row.op) {
    case OP_SIN: case OP_COS: case OP_SINH: case OP_COSH: case OP_TAN: case OP_TANH:
    case OP_ASIN: case OP_ACOS: case OP_ATAN: case OP_ATAN2:
        return 1;
    case OP_POWI: {
        unsigned magnitude = power_magnitude(row.b);
        int products = 0;
        for (unsigned bit = power_second_bit(magnitude); bit > 0; bit >>= 1)
            products += magnitude & bit ? 2 : 1;
        return row.b > 0 ? products - 1 : products;
    }
    default:
        return 0;
    }
}
