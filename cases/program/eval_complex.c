/*
 * eval_complex.c - evaluation of programs in double complex, for the complex-step
 * derivative (Squire & Trapp 1998).
 *
 * The imaginary part carries a derivative and may be 1e-30 of the real part: every
 * expression must give both parts to full relative accuracy of their own.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "program/complex_step.h"
#include "program/eval.h"
#include "program/program.h"

DEFINE_POWER(double complex, power_complex)

/* The angle of b + i a by catan of the ratio that is at most 1, plus a real constant
   that selects the branch: the derivative passes through catan alone. */
static double complex complex_atan2(double complex a, double complex b)
{
    double x = creal(b), y = creal(a);
    if (fabs(x) < fabs(y))
        return copysign(M_PI_2, y) - catan(b / a);
    if (x > 0)
        return catan(a / b);
    return catan(a / b) + copysign(M_PI, y);
}

/* a^b = x^u exp(i v log x + b log(a/x)) for a = x + i y, b = u + i v. The large part
   stays real, where pow is accurate; log(a/x) is small when y is. */
static double complex complex_pow(double complex a, double complex b)
{
    double x = creal(a);
    if (!(x > 0))
        return cpow(a, b);
    double complex turn = clog(1 + cimag(a) / x * _Complex_I);
    return pow(x, creal(b)) * cexp(cimag(b) * log(x) * _Complex_I + b * turn);
}

static void run(const struct program *program, int begin, int end, double complex *w)
{
    const struct program_row *row = program->row;
    for (int i = begin; i < end; i++) {
        switch (row[i].op) {
        case OP_POWI:
            w[i] = power_complex(w[row[i].a], row[i].b);
            break;
#define OP(NAME, text, arity, real, complex_value, da, db, domain, inside) \
        case OP_##NAME: { \
            double complex a = w[row[i].a], b = w[row[i].b]; \
            (void)b; \
            w[i] = complex_value; \
            break; \
        }
#include "formula/ops.def"
#undef OP
        default:    /* constants are set by init, variables by load */
            break;
        }
    }
}

void program_init_complex(const struct program *program, double complex *w)
{
    for (int i = 0; i < program->slots; i++) {
        w[i] = 0;
        if (program->row[i].op == OP_CONSTANT)
            w[i] = strtod(tape_constant(program->tape, program->row[i].a), NULL);
        else if (program->row[i].op == OP_PI)
            w[i] = M_PI;
    }
    program_run_complex(program, 0, w);
}

void program_load_complex(const struct program *program, int block,
                          const double complex *x, double complex *w)
{
    for (int i = program->block_begin[block]; i < program->block_begin[block + 1]; i++)
        w[program->input[i].slot] = x[program->input[i].index];
}

void program_run_complex(const struct program *program, int stage, double complex *w)
{
    if (stage < 0 || stage >= PROGRAM_STAGES)
        slip("stage %d: there are 0 .. %d", stage, PROGRAM_STAGES - 1);
    run(program, program->stage_begin[stage], program->stage_begin[stage + 1], w);
}
