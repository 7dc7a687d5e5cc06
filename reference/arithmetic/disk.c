/* disk.c - circular complex arithmetic (Gargantini & Henrici 1972): every operation of
   ops.def on disks; see disk.h. */
#include "disk.h"

#include <math.h>
#include <stdlib.h>

#include "program/eval.h"

static struct disk unbounded(void)
{
    return (struct disk){.r = INFINITY, .size = INFINITY};
}

/* A centre or radius beyond the range of a double makes the disk unbounded. */
static struct disk disk(double complex c, double r, double size)
{
    if (!(cabs(c) <= HUGE_VAL && isfinite(creal(c)) && isfinite(cimag(c)) && isfinite(r)))
        return unbounded();
    return (struct disk){c, r, fmax(size, cabs(c))};
}

struct disk disk_number(double x)
{
    return disk(x, 0, fabs(x));
}

/* --- rational operations ------------------------------------------------------------ */

static struct disk plus(struct disk a, struct disk b, double sign)
{
    return disk(a.c + sign * b.c, a.r + b.r, a.size + b.size);
}

static struct disk times(struct disk a, struct disk b)
{
    return disk(a.c * b.c, cabs(a.c) * b.r + a.r * cabs(b.c) + a.r * b.r,
                a.size * b.size);
}

static struct disk inverse(struct disk a)
{
    double size = cabs(a.c), rest = (size - a.r) * (size + a.r);
    if (!(rest > 0))
        return unbounded();
    return disk(conj(a.c) / rest, a.r / rest, 1 / size);
}

static struct disk integer_power(struct disk a, int n)
{
    unsigned magnitude = power_magnitude(n);
    struct disk p = a;
    for (unsigned bit = power_second_bit(magnitude); bit > 0; bit >>= 1) {
        p = times(p, p);
        if (magnitude & bit)
            p = times(p, a);
    }
    return n < 0 ? inverse(p) : p;
}

/* --- functions ---------------------------------------------------------------------- */

/* The size of a function with f(0) = 0, f'(0) = 1 near its zero is that of its
   operand. */
static double size_near_zero(struct disk a)
{
    return fmin(1, a.size);
}

/* True: the disk does not meet the branch cut of logarithm and root, the negative real
   axis. */
static bool off_the_cut(struct disk a)
{
    double distance = creal(a.c) > 0 ? cabs(a.c) : fabs(cimag(a.c));
    return a.r < distance;
}

static struct disk root(struct disk a)
{
    double complex c = csqrt(a.c);
    if (!off_the_cut(a))
        return unbounded();
    return disk(c, cabs(c) * (1 - sqrt(1 - a.r / cabs(a.c))), cabs(c));
}

static struct disk logarithm(struct disk a)
{
    if (!off_the_cut(a))
        return unbounded();
    return disk(clog(a.c), -log1p(-a.r / cabs(a.c)), 1);
}

/* |exp(c + d) - exp c| <= exp(Re c) (exp r - 1): one exponential, so that a small factor
   and a large one are not a zero and an infinity. */
static struct disk exponential(struct disk a)
{
    double complex c = cexp(a.c);
    double r = a.r > 0 ? exp(creal(a.c) + a.r + log(-expm1(-a.r))) : 0;
    return disk(c, r, cabs(c));
}

/* f(c + d) = f cosh d + f' sinh d for sinh and cosh; for sine and cosine cos and sin
   stand in their place, and |cos d - 1| <= cosh r - 1, |sin d| <= sinh r on |d| <= r. */
static struct disk wave(double complex f, double complex slope, struct disk a,
                        double size)
{
    return disk(f, cabs(f) * (cosh(a.r) - 1) + cabs(slope) * sinh(a.r), size);
}

static struct disk sine(struct disk a)
{
    return wave(csin(a.c), ccos(a.c), a, size_near_zero(a));
}

static struct disk cosine(struct disk a)
{
    return wave(ccos(a.c), csin(a.c), a, 1);
}

/* The smaller of two enclosures. Near zero, with T = tanh c and |tanh d| <= tan |d|:
   tanh(c + d) - T = (1 - T^2) tanh d/(1 + T tanh d). Far from zero, with w = exp(-+2
   a), which is small there: tanh a = +-(1 - w)/(1 + w). */
static struct disk hyperbolic_tangent(struct disk a)
{
    double sign = creal(a.c) < 0 ? -1 : 1;
    double complex T = ctanh(a.c);
    double most = a.r < M_PI_2 ? tan(a.r) : INFINITY, rest = 1 - cabs(T) * most;
    double near = rest > 0 ? cabs(1 - T * T) * most / rest : INFINITY;
    struct disk w = exponential(times(a, disk_number(-2 * sign)));
    struct disk far = times(plus(disk_number(1), w, -1),
                            inverse(plus(disk_number(1), w, 1)));
    return disk(T, fmin(near, far.r + cabs(far.c - sign * T)), size_near_zero(a));
}

/* The mean value theorem: |f(c + d) - f(c)| <= r max |f'|, and `slope` encloses f' on
   the disk. */
static struct disk by_slope(double complex c, struct disk slope, double r, double size)
{
    return disk(c, r == 0 ? 0 : r * (cabs(slope.c) + slope.r), size);
}

static struct disk inverse_tangent(struct disk a)
{
    struct disk slope = inverse(plus(disk_number(1), times(a, a), 1));
    return by_slope(catan(a.c), slope, a.r, size_near_zero(a));
}

/* arcsine and arccosine, whose slope is +-1/sqrt(1 - a^2) */
static struct disk inverse_sine(struct disk a, bool cosine)
{
    struct disk slope = inverse(root(plus(disk_number(1), times(a, a), -1)));
    double complex c = cosine ? cacos(a.c) : casin(a.c);
    return by_slope(c, slope, a.r, cosine ? 1 : size_near_zero(a));
}

/* The angle of b + i a. Its change is at most |b da - a db|/|a^2 + b^2|; the branch is
   that of the real parts. */
static struct disk angle(struct disk a, struct disk b)
{
    struct disk slope = inverse(plus(times(a, a), times(b, b), 1));
    double change = (cabs(b.c) + b.r) * a.r + (cabs(a.c) + a.r) * b.r;
    return by_slope(atan2(creal(a.c), creal(b.c)), slope, change, 1);
}

static struct disk function(enum op op, struct disk a, struct disk b)
{
    switch (op) {
    case OP_ADD:   return plus(a, b, 1);
    case OP_SUB:   return plus(a, b, -1);
    case OP_MUL:   return times(a, b);
    case OP_DIV:   return times(a, inverse(b));
    case OP_NEG:   return times(a, disk_number(-1));
    case OP_POW:   return exponential(times(b, logarithm(a)));
    case OP_SQRT:  return root(a);
    case OP_EXP:   return exponential(a);
    case OP_LOG:   return logarithm(a);
    case OP_SIN:   return sine(a);
    case OP_COS:   return cosine(a);
    case OP_TAN:   return times(sine(a), inverse(cosine(a)));
    case OP_ASIN:  return inverse_sine(a, false);
    case OP_ACOS:  return inverse_sine(a, true);
    case OP_ATAN:  return inverse_tangent(a);
    case OP_ATAN2: return angle(a, b);
    case OP_SINH:  return wave(csinh(a.c), ccosh(a.c), a, size_near_zero(a));
    case OP_COSH:  return wave(ccosh(a.c), csinh(a.c), a, 1);
    case OP_TANH:  return hyperbolic_tangent(a);
    default:       return unbounded();
    }
}

/* --- programs ----------------------------------------------------------------------- */

void disk_constants(const struct program *program, struct disk *w)
{
    for (int i = 0; i < program->slots; i++) {
        const struct program_row *row = &program->row[i];
        w[i] = disk_number(0);
        if (row->op == OP_CONSTANT)
            w[i] = disk_number(strtod(tape_constant(program->tape, row->a), NULL));
        else if (row->op == OP_PI)
            w[i] = disk_number(M_PI);
    }
}

void disk_run(const struct program *program, const bool *needed, struct disk *w)
{
    for (int i = 0; i < program->slots; i++) {
        const struct program_row *row = &program->row[i];
        int operand[3], operands = program_operands(row, operand);
        if (!needed[i] || operands < 1)
            continue;
        const struct disk *b = operands > 1 ? &w[operand[1]] : &w[operand[0]];
        w[i] = row->op == OP_POWI ? integer_power(w[row->a], row->b)
                                  : function(row->op, w[operand[0]], *b);
    }
}
