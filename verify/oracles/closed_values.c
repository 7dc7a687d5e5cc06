/*
 * closed_values.c - the data of a closed form: parameters, and the times of the run
 * (closed.h).
 *
 * Nominal values and times are constant formulas of the case. The reference evaluates
 * them in MPFR; nothing else is shared with it.
 */
#include "oracles/closed.h"

#include <math.h>
#include <stdlib.h>

#include "arithmetic/mp.h"
#include "arithmetic/series.h"
#include "base/memory.h"

ball closed_value(const struct closed_values *values, const char *parameter)
{
    int j = model_parameter_index(values->model, parameter);
    if (j < 0)
        slip("%s has no parameter %s", values->model->desc->name, parameter);
    return values->rho[j];
}

/* Evaluates constant formulas x [count] at parameters rho [p], which may be NULL. */
static void evaluate(const struct model *model, const formula *f, int count,
                     mpfr_srcptr rho, mpfr_prec_t bits, mpfr_ptr x)
{
    static const unsigned char stage[BLOCK_LIMIT] = {[BLOCK_RHO] = 1};
    struct program *program = program_seal(model->tape, f, count, stage);
    struct mp_series *series = mp_series_new(program, 0, bits, 1, PROGRAM_STAGES);
    if (rho)
        mp_series_load(series, 0, BLOCK_RHO, 0, rho, 1);
    mp_series_run(series, 0, 1, 0);
    for (int i = 0; i < count; i++)
        mpfr_set(x + i, mp_series_output(series, 0, i), MPFR_RNDN);
    mp_series_free(series);
    program_free(program);
}

static void parameters_of(const struct run_request *request, mpfr_prec_t bits,
                          mpfr_ptr rho)
{
    const struct model *model = request->model;
    formula *nominal = memory_new(model->p, sizeof *nominal);
    for (int j = 0; j < model->p; j++)
        nominal[j] = model->parameter[j].nominal;
    evaluate(model, nominal, model->p, NULL, bits, rho);
    for (int j = 0; request->value && j < model->p; j++)
        mpfr_set_d(rho + j, request->value[j], MPFR_RNDN);
    free(nominal);
}

/* t0 and t_end: t [2] */
static void times_of(const struct run_request *request, mpfr_prec_t bits, mpfr_srcptr rho,
                     mpfr_ptr t)
{
    const formula ends[2] = {request->model->t0, request->model->t_end};
    evaluate(request->model, ends, 2, rho, bits, t);
    if (!isnan(request->t_end))
        mpfr_set_d(t + 1, request->t_end, MPFR_RNDN);
}

/* t + i (t(moved) - t) */
static ball moved_time(mpfr_srcptr t, mpfr_srcptr moved)
{
    return b_complex(b_mpfr(t), b_sub(b_mpfr(moved), b_mpfr(t)));
}

void closed_values_load(struct closed_values *values, const struct run_request *request,
                        long bits, int moved, ball h)
{
    int p = request->model->p;
    mpfr_ptr rho = mp_vector_new((size_t)p, bits);
    mpfr_ptr t = mp_vector_new(4, bits);
    parameters_of(request, bits, rho);
    times_of(request, bits, rho, t);
    for (int j = 0; j < p; j++)
        values->rho[j] = b_mpfr(rho + j);
    if (moved >= 0) {
        ball sum = b_add(values->rho[moved], h);
        arf_get_mpfr(rho + moved, arb_midref(acb_realref(sum)), MPFR_RNDN);
        values->rho[moved] = b_complex(values->rho[moved], h);
    }
    times_of(request, bits, rho, t + 2);
    values->t0 = moved_time(t, t + 2);
    values->t_end = moved_time(t + 1, t + 3);
    mp_vector_free(rho);
    mp_vector_free(t);
}

/* A zero a little beyond the end does no harm: the walk and closed_earlier compare. */
ball closed_zero(const struct closed_values *values, const struct closed_state *start,
                 ball_motion *f, const void *context, int direction, ball before)
{
    double left = b_double_of(b_sub(values->t_end, start->t));
    if (before)
        left = fmin(left, b_double_of(before));
    return b_first_root(f, context, 0, fmax(left, 0) * 1.001 + 1e-9, direction);
}

void closed_earlier(int event, ball time, int *earliest_event, ball *earliest)
{
    if (!time || (*earliest && !b_less(time, *earliest)))
        return;
    *earliest = time;
    *earliest_event = event;
}
