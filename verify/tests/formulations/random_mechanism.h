/*
 * random_mechanism.h - random mechanisms: quadratic constraints that depend on time, an
 * auxiliary state and parameters, M that depends on q, and rows that are linear in v.
 */
#ifndef SALTUS_RANDOM_MECHANISM_H
#define SALTUS_RANDOM_MECHANISM_H

#include <math.h>
#include <stdio.h>

#include "model.h"
#include "random_formulas.h"

enum { MOST_N = 60 };

struct shape {
    int n, rows, velocity_level;
    unsigned long long seed;
};
static struct shape shape;

static inline formula number(struct model *model, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4f", value);
    return constant(model->tape, text);
}

static inline formula some(struct random *random, struct model *model, int block)
{
    int count = block == BLOCK_RHO ? model->p : model->n;
    return variable(model->tape, block, random_below(random, count));
}

static inline formula random_quadratic(struct random *random, struct model *model,
                                       int row)
{
    formula t = variable(model->tape, BLOCK_T, 0), s = variable(model->tape, BLOCK_S, 0);
    formula f = number(model, random_between(random, -1, 1));
    f = add(f, variable(model->tape, BLOCK_Q, (2 * row + 1) % model->n));
    for (int k = 0; k < 4; k++) {
        double a = random_between(random, -0.5, 0.5), b = random_between(random, -1, 1);
        f = add(f, mul(number(model, a), mul(some(random, model, BLOCK_Q),
                                             some(random, model, BLOCK_Q))));
        f = add(f, mul(number(model, b), some(random, model, BLOCK_Q)));
    }
    f = add(f, mul(some(random, model, BLOCK_RHO), some(random, model, BLOCK_Q)));
    f = add(f, mul(some(random, model, BLOCK_RHO), apply(OP_SIN, t)));
    return add(f, mul(s, some(random, model, BLOCK_Q)));
}

static inline formula random_velocity_row(struct random *random, struct model *model,
                                          int row)
{
    formula t = variable(model->tape, BLOCK_T, 0);
    formula f = mul(some(random, model, BLOCK_RHO), apply(OP_COS, t));
    f = add(f, variable(model->tape, BLOCK_V, (3 * row + 2) % model->n));
    for (int k = 0; k < 3; k++) {
        formula weight = add(number(model, random_between(random, -1, 1)),
                             mul(some(random, model, BLOCK_RHO),
                                 some(random, model, BLOCK_Q)));
        f = add(f, mul(weight, some(random, model, BLOCK_V)));
    }
    return f;
}

static inline void record_masses(struct random *random, struct model *model)
{
    int n = model->n;
    double B[MOST_N][MOST_N];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = random_between(random, -1, 1) / sqrt(n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? 0.5 : 0;
            for (int k = 0; k < n; k++)
                sum += B[i][k] * B[j][k];
            model->M[i][j] = number(model, sum);
        }
        formula sine = apply(OP_SIN, variable(model->tape, BLOCK_Q, i));
        model->M[i][i] = add(model->M[i][i], mul(sine, sine));
    }
}

static inline void record_shape(struct model *model)
{
    struct random random = {shape.seed, shape.seed};
    char names[8 * MOST_N] = "", *end = names;
    for (int i = 0; i < shape.n; i++)
        end += sprintf(end, "%sq%d", i ? ", " : "", i);
    model_coordinates(model, names);
    model_auxiliary(model, "latch");
    model_parameters(model, "r0, r1, r2");
    for (int j = 0; j < 3; j++)
        model_nominal(model, model->parameter[j].name, j == 1 ? "-0.4" : "0.7", "1",
                      "a coefficient", false, __FILE__, __LINE__);
    record_masses(&random, model);
    for (int i = 0; i < shape.rows; i++)
        model_constraint(model, random_quadratic(&random, model, i));
    for (int i = 0; i < shape.velocity_level; i++) {
        formula f = random_velocity_row(&random, model, i);
        model->pen->velocity_level[model_constraint(model, f)] = true;
    }
    model->t_end = integer(model->tape, 1);
}

#endif
