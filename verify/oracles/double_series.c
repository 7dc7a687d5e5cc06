/*
 * double_series.c - Taylor recurrences in double against those in MPFR (double_series.h)
 */
#include "oracles/double_series.h"

#include <math.h>
#include <stdlib.h>

#include "arithmetic/mp.h"
#include "arithmetic/series.h"
#include "base/memory.h"
#include "program/series.h"

enum { ORDER = 7, EVALUATION = 1, MOST_DIGITS = 15 };

struct both {
    const struct program *program;
    struct series *own;                 /* the series in double */
    struct mp_series *reference;
    mpfr_ptr x;                         /* one block of a point */
};

/* A number in (-1, 1), equal in every run. */
static double made_up(int block, int index, int k)
{
    unsigned x = 2654435761u * (unsigned)(block * 4099 + index * 61 + k + 1);
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return x / 2147483648.0 - 1;
}

/* Loads coefficient k of every input: at k = 0 the point and the parameters, above
   made-up numbers, which fall like 4^-k. */
static void load_all(struct both *both, int k, const double *const value[])
{
    for (int i = 0; i < both->program->inputs; i++) {
        const struct program_input *input = &both->program->input[i];
        double x = value[input->block][input->index];
        if (k > 0)
            x = input->block == BLOCK_RHO ? 0
                : ldexp((0.1 + fabs(x)) * made_up(input->block, input->index, k), -2 * k);
        series_load(both->own, input->block, input->index, k, x);
        mpfr_set_d(both->x + input->index, x, MPFR_RNDN);
        bool last = i + 1 == both->program->inputs ||
                    both->program->input[i + 1].block != input->block;
        if (last)
            mp_series_load(both->reference, 0, input->block, k, both->x, 1);
    }
}

static double digits_of_output(const struct both *both, int output)
{
    double scale = 0, worst = 0;
    for (int k = 0; k <= ORDER; k++) {
        double got = series_output(both->own, output, k);
        mpfr_srcptr want = mp_series_coefficient(both->reference, 0, output, k);
        double true_value = mpfr_get_d(want, MPFR_RNDN);
        if (!isfinite(got) || !isfinite(true_value))
            return isfinite(got) == isfinite(true_value) ? MOST_DIGITS : 0;
        scale = fmax(scale, fmax(fabs(true_value), fabs(got)));
        worst = fmax(worst, fabs(got - true_value));
    }
    return worst > 0 ? fmin(MOST_DIGITS, -log10(worst / scale)) : MOST_DIGITS;
}

/* All formulas of a mode that are not zero; to be freed. */
static formula *formulas_of(const struct model *model, const struct mode *mode,
                            int *count)
{
    int n = model->n, m = mode->m;
    int most = n * n + n + 2 * m + model->ns + model->nz + model->events;
    formula *f = memory_new(most, sizeof *f);
    const struct { const formula *f; int count; } part[] = {
        {mode->F, n}, {mode->Phi, m}, {mode->Phidd, m}, {mode->f_s, model->ns},
        {mode->g, model->nz},
    };
    *count = 0;
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        for (int i = 0; i < part[k].count; i++)
            f[(*count)++] = part[k].f[i];
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            if (!is_zero(mode->M[i][j]))
                f[(*count)++] = mode->M[i][j];
    for (int k = 0; k < model->events; k++)
        if (model->event[k]->from == mode)
            f[(*count)++] = model->event[k]->guard;
    return f;
}

static double digits_at(const struct model *model, const struct mode *mode,
                        const double *const value[])
{
    unsigned char stage[BLOCK_LIMIT] = {0};
    for (int b = 0; b < BLOCKS; b++)
        stage[b] = EVALUATION;
    int count;
    double digits = NAN;
    formula *f = formulas_of(model, mode, &count);
    struct program *program = program_seal(model->tape, f, count, stage);
    struct both both = {
        .program = program, .own = series_new(program, ORDER),
        .reference = mp_series_new(program, ORDER, mp_precision(40), 1, PROGRAM_STAGES),
    };
    int most = 1;
    for (int i = 0; i < program->inputs; i++)
        most = program->input[i].index >= most ? program->input[i].index + 1 : most;
    both.x = mp_vector_new((size_t)most, mp_precision(40));
    series_init(both.own);
    for (int k = 0; k <= ORDER; k++) {
        load_all(&both, k, value);
        series_run(both.own, EVALUATION, k);
        mp_series_run(both.reference, 0, EVALUATION, k);
    }
    for (int i = 0; i < count; i++)
        digits = fmin(digits, digits_of_output(&both, i));
    series_free(both.own);
    mp_series_free(both.reference);
    mp_vector_free(both.x);
    program_free(program);
    free(f);
    return digits;
}

/* Nominal parameters [p] in double; to be freed. */
static double *nominal_parameters(const struct model *model)
{
    unsigned char stage[BLOCK_LIMIT] = {0};
    formula *f = memory_new(model->p, sizeof *f);
    for (int j = 0; j < model->p; j++)
        f[j] = model->parameter[j].nominal;
    struct program *program = program_seal(model->tape, f, model->p, stage);
    double *w = memory_new(program->slots, sizeof *w);
    double *rho = memory_new(model->p, sizeof *rho);
    program_init(program, w);
    for (int j = 0; j < model->p; j++)
        rho[j] = w[program->output[j]];
    program_free(program);
    free(w);
    free(f);
    return rho;
}

double double_series_digits(const struct model *model, const struct mp_trajectory *motion,
                            double *t)
{
    double digits = NAN;
    double *rho = nominal_parameters(model);
    double *x = memory_new(motion->columns.width, sizeof *x);
    const int *begin = motion->columns.begin;
    const struct mode *last = NULL;
    for (int k = 0; k < motion->samples; k++) {
        const struct mp_point *point = &motion->sample[k];
        double time = mpfr_get_d(point->t, MPFR_RNDN);
        const double *value[BLOCKS] = {
            [BLOCK_T] = &time, [BLOCK_Q] = x + begin[GROUP_Q],
            [BLOCK_V] = x + begin[GROUP_V], [BLOCK_S] = x + begin[GROUP_S],
            [BLOCK_A] = x + begin[GROUP_A], [BLOCK_LAMBDA] = x + begin[GROUP_LAMBDA],
            [BLOCK_RHO] = rho,
        };
        if (point->mode == last)
            continue;
        last = point->mode;
        for (int c = 0; c < motion->columns.width; c++)
            x[c] = mpfr_get_d(point->x[c], MPFR_RNDN);
        double here = digits_at(model, point->mode, value);
        *t = isnan(digits) || here < digits ? time : *t;
        digits = fmin(digits, here);
    }
    free(x);
    free(rho);
    return digits;
}
