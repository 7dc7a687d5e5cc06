/*
 * system_series.c - the Taylor series of a run: by the program solved beforehand
 * (explicit_series.h) where it is trusted, elsewhere order by order with the pivoting
 * solver (motion_series.h).
 */
#include <string.h>

#include "explicit_series.h"
#include "motion_series.h"
#include "system.h"

/* --- by the pivoting solver --------------------------------------------------------- */

static void solve_values(struct system *system, struct motion_series *series, double t,
                         int order, double *const *x)
{
    int n = system->model->n;
    for (int k = 0; k < order; k++) {
        motion_series_raise(series, t, k, x[k], system->a, system->lambda);
        memcpy(x[k + 1] + n, system->a, (size_t)n * sizeof **x);
        motion_series_rates(series, k, x[k + 1] + 2 * n);
        series_integrate(n, system->state, k, x[k], x[k + 1]);
    }
}

static void solve_direction(struct system *system, struct motion_series *series,
                            int column, int order, double *const *x)
{
    int n = system->model->n, at = (column + 1) * system->state;
    for (int k = 0; k < order; k++) {
        double *next = x[k + 1] + at;
        motion_series_raise_direction(series, k, x[k] + at, system->parameter[column],
                                      next + n, system->lambda_dot);
        motion_series_direction_rates(series, k, next + 2 * n);
        series_integrate(n, system->state, k, x[k] + at, next);
    }
}

static enum status solved_series(struct system *system, double t, int order,
                                 double *const *x)
{
    struct mode_system *ms = system->now;
    int n = system->model->n;
    const double *q = x[0], *v = q + n, *s = v + n;
    enum status status = system_factor(system, ms, t, q, v, s, system->a, system->lambda);
    if (status != OK)
        return status;
    if (ms->iterated || (ms->linear->kernel_part &&
                         ms->linear->rank(ms->factors) < ms->mode->m))
        return diagnose(system->diagnosis, NOT_APPLICABLE, t,
                        "a Taylor series in mode %s, formulation %s: its multipliers are "
                        "not those of one linear system; take a Runge-Kutta method",
                        ms->mode->name, system->formulation->name);
    struct motion_series *series = system_motion_series(system, ms, order);
    solve_values(system, series, t, order, x);
    for (int j = 0; j < system->p; j++)
        solve_direction(system, series, j, order, x);
    ms->solved.valid = false;
    return OK;
}

/* --- by the program ----------------------------------------------------------------- */

static void program_series(struct mode_system *ms, double t, int order, double *const *x)
{
    if (ms->explicit_series && explicit_series_order(ms->explicit_series) < order) {
        explicit_series_free(ms->explicit_series);
        ms->explicit_series = NULL;
    }
    if (!ms->explicit_series) {
        ms->explicit_series = explicit_series_new(ms->explicit_rhs, order);
        explicit_series_use_code(ms->explicit_series, ms->explicit_rhs->use);
        ms->explicit_series_set = false;
    }
    if (!ms->explicit_series_set)
        explicit_series_start(ms->explicit_series);
    ms->explicit_series_set = true;
    explicit_series_run(ms->explicit_series, t, order, x);
}

enum status system_series(void *context, double t, int order, double *const *x)
{
    struct system *system = context;
    struct mode_system *ms = system->now;
    if (!ms->explicit_rhs || !ms->explicit_rhs->trusted ||
        ms->explicit_rhs->iterates || ms->explicit_rhs->dependent > 0)
        return solved_series(system, t, order, x);
    program_series(ms, t, order, x);
    return OK;
}
