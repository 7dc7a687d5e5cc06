/*
 * condition.c - how well the data of an event determine its time (condition.h).
 *
 * The rates of the guard are coefficients of its series. What the guard is
 * made of, which a number of some digits says as well as one of many, is summed in
 * double.
 */
#include "condition.h"

#include <math.h>
#include <stdlib.h>

#include "formula/memory.h"
#include "mp_run.h"

/* The values of a block at the point `taylor` was expanded at. */
static void load(const struct program *program, int block, mpfr_srcptr x, int count,
                 int stride, double *value, double *w)
{
    for (int i = 0; i < count; i++)
        value[i] = mpfr_get_d(x + (ptrdiff_t)i * stride, MPFR_RNDN);
    program_load(program, block, value, w);
}

/* The sum of |x dr/dx|. */
static double spread(const struct run *run, const struct taylor *taylor,
                     const struct event *event)
{
    const struct program *program = run->plan->event[event->index].guard;
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
    double sum = program_spread(program, 1, STAGE_LANE, STAGE_LANE_UNKNOWN, NULL, w);
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
    mpfr_srcptr r = taylor_guard(taylor, 0, approach->guard);
    *rate = mpfr_get_d(r + 1, MPFR_RNDN);
    double bend = 2 * mpfr_get_d(r + 2, MPFR_RNDN);
    double R = fmax(exp2(approach->largest), spread(run, taylor, event));
    mpfr_sub(run->work, run->t_end, run->t0, MPFR_RNDN);
    *condition = event_condition(R, *rate, bend, mpfr_get_d(run->work, MPFR_RNDN));
}
