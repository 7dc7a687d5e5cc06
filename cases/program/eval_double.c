/*
 * eval_double.c - evaluation of programs in double, and running error analysis (Wilkinson
 * 1986; Higham 2002, section 3.3).
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "program/eval.h"
#include "program/program.h"

DEFINE_POWER(double, power_double)

#define INLINE static inline __attribute__((always_inline))

/* Runs rows [begin, end): one case for each line of ops.def. */
INLINE void run_rows(const struct program *program, int begin, int end, double *w)
{
    const struct program_row *row = program->row;
    for (int i = begin; i < end; i++) {
        switch (row[i].op) {
        case OP_POWI:
            w[i] = power_double(w[row[i].a], row[i].b);
            break;
        case OP_MULADD:
            w[i] = fma(w[row[i].a], w[row[i].b], w[row[i].c]);
            break;
        case OP_MULSUB:
            w[i] = fma(w[row[i].a], w[row[i].b], -w[row[i].c]);
            break;
        case OP_SUBMUL:
            w[i] = fma(-w[row[i].a], w[row[i].b], w[row[i].c]);
            break;
        case OP_NEGMULADD:
            w[i] = fma(-w[row[i].a], w[row[i].b], -w[row[i].c]);
            break;
#define OP(NAME, text, arity, real, complex, da, db, domain, inside) \
        case OP_##NAME: { \
            double a = w[row[i].a], b = w[row[i].b]; \
            (void)b; \
            w[i] = real; \
            break; \
        }
#include "formula/ops.def"
#undef OP
        default:    /* constants are set by init, variables by load */
            break;
        }
    }
}

/* run_rows for a processor that has fused multiply-add as an instruction. Each product
   with its sum is rounded once, as fma() does, so that results are alike to the bit;
   baseline x86-64 would call fma() through the procedure linkage table, row by row. */
#ifdef __x86_64__
#define HAS_FMA __builtin_cpu_supports("fma")
#define BY_FMA __attribute__((target("fma")))
#else
#define HAS_FMA false
#define BY_FMA
#endif

BY_FMA static void run_by_fma(const struct program *program, int begin, int end,
                               double *w)
{
    run_rows(program, begin, end, w);
}

static void run(const struct program *program, int begin, int end, double *w)
{
    if (HAS_FMA)
        run_by_fma(program, begin, end, w);
    else
        run_rows(program, begin, end, w);
}

/* The text of a constant has no decimal point, so that strtod reads it alike in every
   locale. */
void program_init(const struct program *program, double *w)
{
    for (int i = 0; i < program->slots; i++) {
        w[i] = 0;
        if (program->row[i].op == OP_CONSTANT)
            w[i] = strtod(tape_constant(program->tape, program->row[i].a), NULL);
        else if (program->row[i].op == OP_PI)
            w[i] = M_PI;
    }
    program_run(program, 0, w);
}

/* Copies x into the inputs of a block; x NULL: zeros. */
static inline void load_block(const struct program *program, int block, const double *x,
                              double *w)
{
    const struct program_input *input = program->input + program->block_begin[block];
    const struct program_input *end = program->input + program->block_begin[block + 1];
    for (; x && input < end; input++)
        w[input->slot] = x[input->index];
    for (; input < end; input++)
        w[input->slot] = 0;
}

void program_load_point(const struct program *program, int copy, double t,
                        const double *q, const double *v, const double *s, double *w)
{
    load_block(program, DIRECTION(BLOCK_T, copy), &t, w);
    load_block(program, DIRECTION(BLOCK_Q, copy), q, w);
    load_block(program, DIRECTION(BLOCK_V, copy), v, w);
    load_block(program, DIRECTION(BLOCK_S, copy), s, w);
}

void program_run(const struct program *program, int stage, double *w)
{
    if (stage < 0 || stage >= PROGRAM_STAGES)
        slip("stage %d: there are 0 .. %d", stage, PROGRAM_STAGES - 1);
    run(program, program->stage_begin[stage], program->stage_begin[stage + 1], w);
}

/* --- rounding ----------------------------------------------------------------------- */

/* The change of row i when one operand is off by `error`; `w` is left as it was. */
static double passed_on(const struct program *program, int i, int operand, double error,
                        double *w)
{
    double value = w[i], kept = w[operand];
    if (error == 0)
        return 0;
    w[operand] += error;
    run(program, i, i + 1, w);
    double change = fabs(w[i] - value);
    w[operand] = kept;
    w[i] = value;
    return change;
}

void program_rounding(const struct program *program, int stage, double *w, double *error)
{
    for (int i = program->stage_begin[stage]; i < program->stage_begin[stage + 1]; i++) {
        int operand[3], operands = program_operands(&program->row[i], operand);
        if (operands == 0)
            continue;
        error[i] = DBL_EPSILON / 2 * fabs(w[i]);
        for (int o = 0; o < operands; o++)
            error[i] += passed_on(program, i, operand[o], error[operand[o]], w);
    }
}
