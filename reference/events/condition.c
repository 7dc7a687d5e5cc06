/*
 * condition.c - condition number of the time of an event.
 *
 * The number is that of condition.h, by an expression of the reference's own, so that a
 * fault in the other is seen: R / |rd| max(1 / span, |rdd / rd|), at least 1. The rates
 * rd and rdd of the guard are coefficients of its series. R is the largest |r| on the
 * arc, or the sum of |x dr/dx| over all quantities x of the guard if that sum is more;
 * dr/dx comes by backward sweeps (derive.h). Double precision is enough for the sum.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mp_run.h"

/* Loads the values of a block at the point where `taylor` was expanded. */
static void load(const struct program *program, int block, mpfr_srcptr x, int count,
                 int stride, double *value, double *w)
{
    for (int i = 0; i < count; i++)
        value[i] = mpfr_get_d(x + (ptrdiff_t)i * stride, MPFR_RNDN);
    program_load(program, block, value, w);
}

/* All slots of a program, evaluated in double at that point. To be freed. */
static double *in_double(const struct run *run, const struct taylor *taylor,
                         const struct program *program)
{
    int n = taylor->n, ns = taylor->ns, stride = taylor->order + 1;
    int most = run->model->p + 2 * n + ns + taylor->m + 1;
    double *w = memory_new(program->slots + most, sizeof *w), *value = w + program->slots;
    program_init(program, w);
    load(program, BLOCK_RHO, run->rho, run->model->p, 1, value, w);
    load(program, BLOCK_T, taylor->t, 1, 1, value, w);
    load(program, BLOCK_Q, taylor_y(taylor, 0, 0), n, stride, value, w);
    load(program, BLOCK_V, taylor_y(taylor, 0, n), n, stride, value, w);
    load(program, BLOCK_S, taylor_y(taylor, 0, 2 * n), ns, stride, value, w);
    load(program, BLOCK_A, taylor_u(taylor, 0, 0), n, stride, value, w);
    load(program, BLOCK_LAMBDA, taylor_u(taylor, 0, n), taylor->m, stride, value, w);
    for (int stage = STAGE_RHO; stage <= STAGE_UNKNOWN; stage++)
        program_run(program, stage, w);
    return w;
}

/* The sum of |x dr/dx| over all quantities x of the event's guard. */
static double sum_of_terms(const struct run *run, const struct taylor *taylor,
                           const struct event *event)
{
    const struct program *program = run->plan->event[event->index].terms;
    double sum = 0, *w = in_double(run, taylor, program);
    for (int i = 0; i < program->outputs; i++)
        sum += fabs(w[program->output[i]]);
    free(w);
    return sum;
}

double run_spread(const struct run *run, const struct taylor *taylor,
                  const struct program *program, int output)
{
    double *w = in_double(run, taylor, program);
    double sum = program_spread(program, output, STAGE_DIRECTION,
                                STAGE_DIRECTION_UNKNOWN, NULL, w);
    free(w);
    return sum;
}

void run_condition(struct run *run, const struct approach *approach, double *rate,
                   double *condition)
{
    const struct taylor *taylor = run->taylor[run->mode->index];
    const struct event *event = taylor->plan->event[approach->guard];
    *rate = *condition = 0;
    if (!run->plan->tangents)
        return;
    mpfr_srcptr rd = taylor_guard(taylor, approach->guard) + 1, half_rdd = rd + 1;
    *rate = mpfr_get_d(rd, MPFR_RNDN);
    *condition = INFINITY;
    if (mpfr_zero_p(rd))
        return;
    double R = fmax(exp2(approach->largest), sum_of_terms(run, taylor, event));
    mpfr_sub(run->work, run->t_end, run->t0, MPFR_RNDN);
    double per_span = 1 / mpfr_get_d(run->work, MPFR_RNDN);
    mpfr_div(run->work, half_rdd, rd, MPFR_RNDN);
    double bending = 2 * fabs(mpfr_get_d(run->work, MPFR_RNDN));
    *condition = fmax(1, R * fmax(per_span, bending) / fabs(*rate));
}
