/*
 * random_formulas.h - random numbers and formulas for the laws of test_formula.c,
 * test_diff.c and test_series.c. The seed is fixed unless SALTUS_SEED says otherwise.
 */
#ifndef SALTUS_RANDOM_FORMULAS_H
#define SALTUS_RANDOM_FORMULAS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "program/program.h"

struct random {
    unsigned long long seed;            /* goes into every message */
    uint64_t state;
};

static inline struct random random_start(void)
{
    const char *text = getenv("SALTUS_SEED");
    unsigned long long seed = text ? strtoull(text, NULL, 10) : 20240229;
    return (struct random){seed, seed};
}

static inline unsigned long long random_bits(struct random *random)
{
    return splitmix64_next(&random->state);
}

static inline double random_between(struct random *random, double low, double high)
{
    return low + (high - low) * splitmix64_unit(random_bits(random));
}

static inline int random_below(struct random *random, int limit)
{
    return (int)(random_bits(random) % (unsigned)limit);
}

/* Operands inside the domain of an operation, away from its edge. */
static inline void random_operands(struct random *random, enum op op, double *a,
                                   double *b)
{
    *a = random_between(random, -2, 2);
    *b = random_between(random, -2, 2);
    switch (op) {
    case OP_DIV:
        *b = copysign(random_between(random, 0.5, 2), *b);
        break;
    case OP_POW: case OP_SQRT: case OP_LOG:
        *a = random_between(random, 0.3, 3);
        break;
    case OP_TAN:
        *a = random_between(random, -1.2, 1.2);
        break;
    case OP_ASIN: case OP_ACOS:
        *a = random_between(random, -0.8, 0.8);
        break;
    case OP_ATAN2: {
        double angle = random_between(random, -3, 3);
        double radius = random_between(random, 0.5, 2);
        *a = radius * sin(angle);
        *b = radius * cos(angle);
        break;
    }
    default:
        break;
    }
}

/* op(a, b), or op(a) */
static inline formula apply_any(enum op op, formula a, formula b)
{
    return op_info[op].arity == 1 ? apply(op, a) : apply2(op, a, b);
}

/* A formula of the given ones that is finite for all values: bounded functions only. */
static inline formula random_formula(struct random *random, const formula *leaf,
                                     int leaves, int steps)
{
    enum { POOL = 64 };
    formula pool[POOL];
    int count = 0;
    for (; count < leaves && count < POOL; count++)
        pool[count] = leaf[count];
    for (int i = 0; i < steps; i++) {
        formula a = pool[random_below(random, count)];
        formula b = pool[random_below(random, count)];
        formula one = integer(leaf[0].tape, 1), result;
        switch (random_below(random, 12)) {
        case 0:  result = add(a, b);                                          break;
        case 1:  result = sub(a, b);                                          break;
        case 2:  result = mul(apply(OP_SIN, a), b);                           break;
        case 3:  result = quotient(a, add(one, mul(b, b)));                   break;
        case 4:  result = negate(mul(apply(OP_COS, a), apply(OP_COS, b)));    break;
        case 5:  result = apply(OP_SQRT, add(one, mul(a, a)));                break;
        case 6:  result = power(apply(OP_SIN, a), 2 + random_below(random, 3)); break;
        case 7:  result = apply(OP_TANH, mul(a, b));                          break;
        case 8:  result = apply(OP_ATAN, add(a, b));                          break;
        case 9:  result = apply(OP_EXP, apply(OP_SIN, a));                    break;
        case 10: result = apply2(OP_ATAN2, a, add(one, mul(b, b)));           break;
        default: result = apply(OP_LOG, add(one, mul(a, a)));                 break;
        }
        pool[count < POOL ? count++ : random_below(random, POOL)] = result;
    }
    return pool[count - 1];
}

/* Everything in stage 1. */
static inline struct program *seal_all(const struct tape *tape, const formula *f,
                                       int count)
{
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    return program_seal(tape, f, count, stage);
}

/* A point: values of every block, ten variables each. */
enum { POINT_SIZE = 10 };

struct place {
    double complex x[BLOCK_LIMIT][POINT_SIZE];
};

static inline void random_point(struct random *random, struct place *point)
{
    for (int block = 0; block < BLOCK_LIMIT; block++)
        for (int i = 0; i < POINT_SIZE; i++)
            point->x[block][i] = random_between(random, -1.5, 1.5);
}

/* Values of all outputs in complex arithmetic. */
static inline void evaluate_complex(const struct program *program,
                                    const struct place *point, double complex *out)
{
    double complex *w = calloc((size_t)program->slots, sizeof *w);
    program_init_complex(program, w);
    for (int block = 0; block < BLOCK_LIMIT; block++)
        program_load_complex(program, block, point->x[block], w);
    for (int stage = 1; stage < PROGRAM_STAGES; stage++)
        program_run_complex(program, stage, w);
    for (int i = 0; i < program->outputs; i++)
        out[i] = w[program->output[i]];
    free(w);
}

/* Values of all outputs in double. */
static inline void evaluate(const struct program *program, const struct place *point,
                            double *out)
{
    double *w = calloc((size_t)program->slots, sizeof *w);
    program_init(program, w);
    for (int block = 0; block < BLOCK_LIMIT; block++) {
        double x[POINT_SIZE];
        for (int i = 0; i < POINT_SIZE; i++)
            x[i] = creal(point->x[block][i]);
        program_load(program, block, x, w);
    }
    for (int stage = 1; stage < PROGRAM_STAGES; stage++)
        program_run(program, stage, w);
    for (int i = 0; i < program->outputs; i++)
        out[i] = w[program->output[i]];
    free(w);
}

#endif
