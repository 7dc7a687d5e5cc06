/*
 * observing.h - formulas of a model evaluated along its trajectory, with derivatives.
 */
#ifndef SALTUS_OBSERVING_H
#define SALTUS_OBSERVING_H

#include <string.h>

#include "base/memory.h"
#include "program/program.h"
#include "solving.h"

/* One column block of a point as complex numbers, x + i h dx. */
static inline double complex *observed(const struct trajectory *trajectory, int sample,
                                       enum column_group group, int j, double h)
{
    const struct columns *columns = &trajectory->columns;
    int size = columns->begin[group + 1] - columns->begin[group];
    double complex *x = memory_new(size, sizeof *x);
    const double *point = trajectory->sample[sample].x;
    for (int i = 0; i < size; i++) {
        double dx = j < 0 ? 0 : point[column(columns, group, i, j)];
        x[i] = point[column(columns, group, i, -1)] + _Complex_I * (h * dx);
    }
    return x;
}

/* f [count] of (q, v, a, lambda, rho) at a sample (j = -1), or its derivative by the j-th
   parameter, into out [count]. By complex step: no derivative is written. */
static inline void observe(const struct solving *s, const struct trajectory *trajectory,
                           int sample, int j, const formula *f, int count, double *out)
{
    static const enum column_group group[] = {GROUP_Q, GROUP_V, GROUP_A, GROUP_LAMBDA};
    static const int block[] = {BLOCK_Q, BLOCK_V, BLOCK_A, BLOCK_LAMBDA};
    const double h = 1e-100;
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    struct program *program = program_seal(s->model->tape, f, count, stage);
    double complex *w = memory_new(program->slots, sizeof *w), t, *rho;
    t = trajectory->sample[sample].t;
    rho = memory_new(s->model->p, sizeof *rho);
    for (int k = 0; k < s->model->p; k++)
        rho[k] = s->value[k] + _Complex_I * (j >= 0 && s->parameter[j] == k ? h : 0);
    program_init_complex(program, w);
    program_load_complex(program, BLOCK_T, &t, w);
    program_load_complex(program, BLOCK_RHO, rho, w);
    for (int k = 0; k < 4; k++) {
        double complex *x = observed(trajectory, sample, group[k], j, h);
        program_load_complex(program, block[k], x, w);
        free(x);
    }
    program_run_complex(program, 1, w);
    for (int i = 0; i < count; i++) {
        double complex value = w[program->output[i]];
        out[i] = j < 0 ? creal(value) : cimag(value) / h;
    }
    free(rho);
    free(w);
    program_free(program);
}

#endif
