/*
 * complex_singular.c - complex step goes no further than a singular configuration. There
 * a motion may branch, and rounding would decide which way this one goes.
 */
#include <math.h>

#include "complex_run.h"

static const char *const goes_no_further =
    "complex step goes no further than a singular configuration: mode %s";

/* How near, as a part of the run, a configuration must be that may be the reason why the
   run cannot go on. */
static const double near = 1e-2;         /* of the run */

static const char *mode_name(const struct complex_run *run)
{
    return run->cm->model->mode[run->mode]->name;
}

void complex_singular_start(struct complex_run *run)
{
    struct crossing *crossing = &run->crossing[run->mode];
    struct complex_saddle *motion = &run->cm->mode[run->mode].motion;
    complex_saddle_constraints(motion, run->values, run->Phi_q);
    run->watched = complex_saddle_regular(motion);
    run->step = 0;
    if (!run->watched)
        return;
    crossing_restart(crossing);
    crossing_next(crossing, run->Phi_q);
}

/* Constraints that are violated by e do not cross, and neither does a motion on them: of
   x y = 0 they make x y = e, with a vertex at sqrt(e)
   (formulations/events/rank_monitor.c). A formulation that stabilises keeps its e at
   about the tolerance. */
static double beside(const struct complex_run *run)
{
    return 10 * sqrt(run->request->rtol);
}

enum status complex_singular_watch(struct complex_run *run, double complex t,
                                   const double *x, double h)
{
    if (!run->watched)
        return OK;
    complex_run_set(run, t, x);
    complex_saddle_constraints(&run->cm->mode[run->mode].motion, run->values, run->Phi_q);
    struct crossing *crossing = &run->crossing[run->mode];
    double part = crossing_next(crossing, run->Phi_q);
    run->step = h;
    if (isfinite(part))
        return diagnose(run->diagnosis, RANK_LOSS, creal(t) - (1 - part) * h,
                        goes_no_further, mode_name(run));
    if (crossing_turned(crossing, beside(run)))
        return diagnose(run->diagnosis, RANK_LOSS, creal(t) - h, goes_no_further,
                        mode_name(run));
    return OK;
}

double complex_singular_time(const struct complex_run *run)
{
    double t = creal(run->t);
    if (!run->watched)
        return t;
    double ahead = run->step * crossing_ahead(&run->crossing[run->mode]);
    return ahead <= near * run->span ? t + ahead : t;
}
