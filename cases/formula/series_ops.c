/*
 * series_ops.c - the Taylor recurrence of every operation.
 *
 * Each nonlinear function satisfies a differential equation, f' = (rational) a', whose
 * coefficient k gives f_k from lower coefficients (Griewank & Walther 2008, table 13.2).
 * Some need a companion g, a second series that is carried along.
 */
#include "formula/series_ops.h"

#include <math.h>

#include "formula/eval.h"

/* --- sums over coefficients --------------------------------------------------------- */

/* a_first b_{k-first} + ... + a_last b_{k-last} */
static double convolve(const double *a, const double *b, int first, int last, int k)
{
    double total = 0;
    for (int j = first; j <= last; j++)
        total += a[j] * b[k - j];
    return total;
}

/* the same with weight j: a' b instead of a b */
static double derive(const double *a, const double *b, int first, int last, int k)
{
    double total = 0;
    for (int j = first; j <= last; j++)
        total += j * a[j] * b[k - j];
    return total;
}

/* Coefficient k of p^2: equal products once. */
static double square(const double *p, int k)
{
    double total = 2 * convolve(p, p, 0, (k + 1) / 2 - 1, k);
    return k % 2 == 0 ? total + p[k / 2] * p[k / 2] : total;
}

static double product(const double *a, const double *b, int k)
{
    return a == b ? square(a, k) : convolve(a, b, 0, k, k);
}

/* Coefficient k of f in a = b f. */
static double divide(double a_k, const double *b, const double *f, int k)
{
    return (a_k - convolve(f, b, 0, k - 1, k)) / b[0];
}

/* Coefficient k of f in g f' = (a series whose coefficient k - 1 is right_k). */
static double integrate(double right_k, const double *g, const double *f, int k)
{
    return (right_k - derive(f, g, 1, k - 1, k)) / (k * g[0]);
}

/* --- operations --------------------------------------------------------------------- */

static void multiply(const struct term *t)
{
    if (t->steady_a)
        t->f[t->k] = t->a[0] * t->b[t->k];
    else if (t->steady_b)
        t->f[t->k] = t->a[t->k] * t->b[0];
    else
        t->f[t->k] = product(t->a, t->b, t->k);
}

static void quotient_term(const struct term *t)
{
    if (t->steady_b)
        t->f[t->k] = t->a[t->k] / t->b[0];
    else
        t->f[t->k] = divide(t->a[t->k], t->b, t->f, t->k);
}

/* The products of eval.h; every one but the last is a companion. They work at a_0 = 0,
   where a f' = n f a' does not, and lose nothing near it. */
static void integer_power(const struct term *t, int n)
{
    unsigned magnitude = power_magnitude(n);
    const double *p = t->a;
    double *next = t->g;
    for (unsigned bit = power_second_bit(magnitude); bit > 0; bit >>= 1) {
        bool odd = magnitude & bit;
        double *squared = n > 0 && bit == 1 && !odd ? t->f : next;
        squared[t->k] = square(p, t->k);
        p = squared;
        next += t->stride;
        if (!odd)
            continue;
        double *multiplied = n > 0 && bit == 1 ? t->f : next;
        multiplied[t->k] = product(p, t->a, t->k);
        p = multiplied;
        next += t->stride;
    }
    if (n < 0)
        t->f[t->k] = divide(t->k == 0, p, t->f, t->k);
}

/* a f' = b a' f, b constant in time */
static void real_power(const struct term *t)
{
    t->f[t->k] = integrate(t->b[0] * derive(t->a, t->f, 1, t->k, t->k), t->a, t->f, t->k);
}

/* 2 f f_k = a_k - the products of lower ones */
static void square_root(const struct term *t)
{
    t->f[t->k] = (t->a[t->k] - convolve(t->f, t->f, 1, t->k - 1, t->k)) / (2 * t->f[0]);
}

/* f' = a' g and g' = sign a' f: sine and cosine, circular and hyperbolic. A row of the
   same program that is the companion already is not computed twice. */
static void rotate(const struct term *t, double sign_f, double sign_g)
{
    double f_k = sign_f * derive(t->a, t->g, 1, t->k, t->k) / t->k;
    if (!t->twin)
        t->g[t->k] = sign_g * derive(t->a, t->f, 1, t->k, t->k) / t->k;
    t->f[t->k] = f_k;
}

/* f' = a' g with g = 1 + sign f^2: tan and tanh */
static void tangent_term(const struct term *t, double sign)
{
    t->f[t->k] = derive(t->a, t->g, 1, t->k, t->k) / t->k;
    t->g[t->k] = sign * square(t->f, t->k);
}

/* g f' = sign a' with g = sqrt(1 - a^2), g' = -sign a f': asin and acos */
static void inverse_sine(const struct term *t, double sign)
{
    t->f[t->k] = integrate(sign * t->k * t->a[t->k], t->g, t->f, t->k);
    t->g[t->k] = -sign * derive(t->f, t->a, 1, t->k, t->k) / t->k;
}

/* g f' = a' with g = 1 + a^2 */
static void inverse_tangent(const struct term *t)
{
    t->f[t->k] = integrate(t->k * t->a[t->k], t->g, t->f, t->k);
    t->g[t->k] = square(t->a, t->k);
}

/* g f' = a' b - a b' with g = a^2 + b^2 */
static void angle(const struct term *t)
{
    double right = derive(t->a, t->b, 1, t->k, t->k) - derive(t->b, t->a, 1, t->k, t->k);
    t->f[t->k] = integrate(right, t->g, t->f, t->k);
    t->g[t->k] = square(t->a, t->k) + square(t->b, t->k);
}

/* Coefficient k >= 1 of a row that moves. */
void term_raise(const struct term *t, struct program_row row)
{
    switch (row.op) {
    case OP_POWI:  integer_power(t, row.b);                                     break;
    case OP_ADD:   t->f[t->k] = t->a[t->k] + t->b[t->k];                        break;
    case OP_SUB:   t->f[t->k] = t->a[t->k] - t->b[t->k];                        break;
    case OP_MUL:   multiply(t);                                                 break;
    case OP_DIV:   quotient_term(t);                                            break;
    case OP_NEG:   t->f[t->k] = -t->a[t->k];                                    break;
    case OP_POW:   real_power(t);                                               break;
    case OP_SQRT:  square_root(t);                                              break;
    case OP_EXP:   t->f[t->k] = derive(t->a, t->f, 1, t->k, t->k) / t->k;       break;
    case OP_LOG:   t->f[t->k] = integrate(t->k * t->a[t->k], t->a, t->f, t->k); break;
    case OP_SIN:   rotate(t, 1, -1);                                            break;
    case OP_COS:   rotate(t, -1, 1);                                            break;
    case OP_TAN:   tangent_term(t, 1);                                          break;
    case OP_ASIN:  inverse_sine(t, 1);                                          break;
    case OP_ACOS:  inverse_sine(t, -1);                                         break;
    case OP_ATAN:  inverse_tangent(t);                                          break;
    case OP_ATAN2: angle(t);                                                    break;
    case OP_SINH:  rotate(t, 1, 1);                                             break;
    case OP_COSH:  rotate(t, 1, 1);                                             break;
    case OP_TANH:  tangent_term(t, -1);                                         break;
    case OP_CONSTANT: case OP_PI: case OP_VARIABLE: case OPS:                   break;
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
    case OP_CONSTANT: case OP_PI: case OP_VARIABLE: case OPS:
        break;
    }
    if (t->g && !t->twin && row.op != OP_POWI)
        t->g[0] = companion_start(row.op, a, b, t->f[0]);
}

/* How many companions a row needs. */
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
