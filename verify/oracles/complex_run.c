/*
 * complex_run.c - arcs of a complex-step trajectory (complex_run.h).
 *
 * Explicit Runge-Kutta steps are linear combinations of right-hand sides with real
 * coefficients, so an integrator for real vectors steps real and imaginary parts as they
 * are: only the right-hand side knows that numbers are complex.
 *
 * The step sequence is real, the same for both parts, and is not differentiated. That is
 * legitimate: for a given sequence of steps the numerical solution is an analytic
 * function of rho, and its derivative converges to that of the motion with the order of
 * the method. How the sequence itself would vary with rho only moves errors within the
 * tolerance. The imaginary parts are groups of the error control of their own, so that
 * the derivatives are held to the same tolerance as the values.
 */
#include "oracles/complex_run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const double complex unit = _Complex_I;
/* eps of a parameter of magnitude 1 or less */
static const double unit_eps = 1e-40;

static double *reals(int count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (!x)
        memory_exhausted();
    return x;
}

/* --- the right-hand side ------------------------------------------------------------ */

static double complex part(const struct complex_run *run, const double *x, int i)
{
    return x[i] + unit * run->eps * x[run->dim + i];
}

static void put(const struct complex_run *run, double *x, int i, double complex value)
{
    x[i] = creal(value);
    x[run->dim + i] = cimag(value) / run->eps;
}

void complex_run_set(struct complex_run *run, double complex t, const double *x)
{
    const struct model *model = run->cm->model;
    struct complex_values *values = run->values;
    int n = model->n;
    values->x[BLOCK_T][0] = t;
    for (int i = 0; i < n; i++) {
        values->x[BLOCK_Q][i] = part(run, x, i);
        values->x[BLOCK_V][i] = part(run, x, n + i);
    }
    for (int i = 0; i < model->ns; i++)
        values->x[BLOCK_S][i] = part(run, x, 2 * n + i);
}

enum status complex_run_load(struct complex_run *run, double complex t, const double *x)
{
    complex_run_set(run, t, x);
    run->evaluations++;
    return complex_model_motion(run->cm, run->mode, run->values, run->eps);
}

static enum status rhs(void *context, double sigma, const double *x, double *dx)
{
    struct complex_run *run = context;
    const struct model *model = run->cm->model;
    int n = model->n;
    enum status status = complex_run_load(run, run->origin + sigma * run->direction, x);
    if (status != OK) {
        run->failure = status;
        return status;
    }
    for (int i = 0; i < n; i++) {
        put(run, dx, i, run->direction * run->values->x[BLOCK_V][i]);
        put(run, dx, n + i, run->direction * run->values->x[BLOCK_A][i]);
    }
    complex_outputs_eval(&run->cm->mode[run->mode].rates, run->values, run->z);
    for (int i = 0; i < model->ns + model->nz; i++)
        put(run, dx, 2 * n + i, run->direction * run->z[i]);
    return OK;
}

/* A straight path; sigma is the real part of time, so steps keep their meaning from path
   to path. */
static void straight_path(struct complex_run *run, double complex target)
{
    double span = creal(target) - creal(run->t);
    double slope = span > 0 ? (cimag(target) - cimag(run->t)) / span : 0;
    run->direction = 1 + unit * slope;
    run->origin = unit * (cimag(run->t) - slope * creal(run->t));
}

enum status complex_run_leap(struct complex_run *run, double complex dt)
{
    double complex origin = run->origin, direction = run->direction;
    run->origin = run->t;
    run->direction = dt;
    run->dense = false;
    enum status status = rhs(run, 0, run->x, run->dx_at);
    if (status == OK)
        status = run->integrator->step(run->work, &run->ode, 0, 1, run->x,
                                                run->dx_at, run->x_at, run->dx_new,
                                                run->err);
    run->origin = origin;
    run->direction = direction;
    return status;
}

enum status complex_run_prepare(struct complex_run *run)
{
    enum status status = run->dense ? OK : run->integrator->prepare(run->work, &run->ode);
    run->dense = status == OK;
    return status;
}

/* --- steps -------------------------------------------------------------------------- */

static enum status refuse(struct complex_run *run, enum status status)
{
    if (run->failure != OK)
        status = run->failure;
    enum status edge = complex_edges_refusal(run, status);
    if (edge != status)
        return edge;
    return diagnose(run->diagnosis, status, complex_singular_time(run),
                    "complex step: mode %s", run->cm->model->mode[run->mode]->name);
}

/*
 * Groups of the error control: those of the model, then their imaginary parts. A judge is
 * held to a tenth of the tolerance of what it judges.
 *
 * A derivative that is zero in theory (of a pendulum's motion by its mass) is rounding
 * noise here, and no step is small enough to get noise right. Rounding of q moves dq/drho
 * by |q| / |rho| times as much, so the amplitude of dq/drho counts as no less than a
 * hundredth of that (of |q|, where rho is zero); likewise for v, s, z. And what is at
 * rest has the v that would move q by itself in the span of the run.
 */
static enum status control_start(struct complex_run *run, double span, double rho)
{
    const struct model *model = run->cm->model;
    int subsystems = run->cm->subsystems;
    int parts = 2 * subsystems + model->ns + model->nz;
    int *begin = memory_new(2 * parts + 1, sizeof *begin);
    for (int g = 0; g <= parts; g++) {
        begin[g] = run->cm->group[g];
        begin[parts + g] = begin[g] + run->cm->group[parts];
    }
    double rtol = fmax(run->request->rtol / 10, 5e-15);
    enum status status = control_init(&run->control, rtol, run->request->atol / 10,
                                      2 * parts, begin);
    free(begin);
    if (status != OK)
        return status;
    run->control.h_max = run->request->max_step;
    run->span = span;
    for (int k = 0; k < subsystems; k++)
        control_floor(&run->control, subsystems + k, k, 1 / span);
    for (int g = 0; g < parts; g++)
        control_floor(&run->control, parts + g, g,
                      fabs(rho) > 0 ? 0.01 / fabs(rho) : 0.01);
    return OK;
}

/* Chooses a step size after a start or an event. */
static enum status first_step(struct complex_run *run, double target)
{
    control_restart(&run->control, run->x);
    run->h = control_first(&run->control, run->integrator, &run->ode,
                           creal(run->t), target, run->x, run->dx, run->x_new,
                           run->dx_new);
    run->fresh = false;
    run->failure = OK;
    return complex_guards_start(run);
}

/* Has the step seen all of the equations: does no term vary within it faster than its
   stages can tell, unless it is as short as a run can have them? */
static bool has_seen(struct complex_run *run, double t, double h)
{
    static const double shortest = 1e-12;
    return h <= shortest * run->span ||
           sharp_terms_settled_on_step(&run->cm->mode[run->mode].sharp, t, t + h, run->x,
                                       run->x_new);
}

/* Tries steps until one is accepted; its length is *h, the next one's run->h. */
static enum status accepted_step(struct complex_run *run, double target, double *h)
{
    const struct integrator *integrator = run->integrator;
    double t = creal(run->t);
    for (;;) {
        bool clipped = run->h >= target - t;
        *h = clipped ? target - t : run->h;
        run->dense = false;
        enum status status = integrator->step(run->work, &run->ode, t, *h, run->x,
                                              run->dx, run->x_new, run->dx_new,
                                              run->err);
        double error = status != OK ? INFINITY
            : control_error(&run->control, integrator, run->x_new, run->err);
        double next = control_next(&run->control, integrator, *h, error, run->x_new);
        if (error <= 1 && !has_seen(run, t, *h)) {
            run->h = *h / 2;
            continue;
        }
        if (error <= 1) {
            /* a step cut short by a sample says little about the next one */
            run->h = clipped ? fmax(run->h, next) : next;
            run->steps++;
            run->failure = OK;
            return OK;
        }
        run->h = next;
        if (run->h < 16 * DBL_EPSILON * fmax(fabs(t), 1e-3))
            return refuse(run, STEP_TOO_SMALL);
    }
}

/* Steps over a real length of zero or less: an event fell on a sample time, and one leap
   closes the gap. */
static enum status leap_to(struct complex_run *run, double complex target)
{
    double complex dt = target - run->t;
    if (dt != 0) {
        enum status status = complex_run_leap(run, dt);
        if (status != OK)
            return refuse(run, status);
        memcpy(run->x, run->x_at, 2 * (size_t)run->dim * sizeof *run->x);
    }
    run->t = target;
    return OK;
}

double complex_run_instant(const struct complex_run *run)
{
    double least = run->span > 0 ? fmin(1, run->span) : 1;
    return 1e-12 * fmax(least, fabs(creal(run->t)));
}

/* Is an edge met on the step just accepted? Then the run goes half of the way to it
   first, so that events before the edge are seen: *again. At last the edge is refused. */
static enum status edge_ahead(struct complex_run *run, double h, bool *again)
{
    double left, soon = 1e3 * complex_run_instant(run);
    int met;
    enum status status = complex_edges_search(run, h, &left, &met);
    if (status != OK || left == INFINITY)
        return status;
    if (left <= soon)
        return complex_edges_refuse(run, met, creal(run->t) + left);
    run->h = left / 2;
    *again = true;
    return OK;
}

/* --- on the way --------------------------------------------------------------------- */

/* Integrates to the target, or to the first guard that fires. */
static enum status advance(struct complex_run *run, double complex target,
                           const struct event **fired)
{
    long limit = run->request->max_steps ? run->request->max_steps : RUN_MAX_STEPS;
    double goal = creal(target);
    *fired = NULL;
    if (goal <= creal(run->t))
        return leap_to(run, target);
    straight_path(run, target);
    run->failure = OK;
    if (rhs(run, creal(run->t), run->x, run->dx) != OK)
        return refuse(run, SINGULAR);
    enum status finite = complex_gate_state(run, run->dx, "the rate of ");
    if (finite != OK)
        return finite;
    if (run->fresh)
        complex_singular_start(run);
    enum status status = run->fresh ? complex_edges_start(run) : OK;
    if (status == OK && run->fresh)
        status = complex_guards_finite(run);
    if (status != OK)
        return status;
    status = run->fresh ? first_step(run, goal) : OK;
    if (status != OK)
        return refuse(run, status);
    while (creal(run->t) < goal) {
        double h;
        bool again = false;
        status = accepted_step(run, goal, &h);
        if (status == OK)
            status = edge_ahead(run, h, &again);
        if (status == OK && again)
            continue;
        double from = creal(run->t), t = from + h;
        if (status == OK)
            status = complex_guards_search(run, h, fired);
        if (status == OK && *fired)
            return complex_singular_watch(run, run->t, run->x, creal(run->t) - from);
        if (status != OK)
            return status;
        if (run->steps > limit)
            return refuse(run, TOO_MANY_STEPS);
        run->t = t >= goal ? target : run->origin + t * run->direction;
        status = complex_singular_watch(run, run->t, run->x_new, h);
        if (status != OK)
            return status;
        double *keep = run->x;
        run->x = run->x_new;
        run->x_new = keep;
        keep = run->dx;
        run->dx = run->dx_new;
        run->dx_new = keep;
    }
    return OK;
}

enum status complex_run_advance(struct complex_run *run, double complex target,
                                const struct event **fired)
{
    bool passed;
    enum status status;
    do {
        status = advance(run, target, fired);
        passed = false;
        if (status == OK && *fired) {
            status = complex_choose(run, fired);
            passed = status == OK && !*fired;
            run->fresh = run->fresh || passed;
        }
    } while (passed);
    return status;
}

/* Takes the state from these blocks of run->values. */
static void take_state(struct complex_run *run, int q, int v, int s)
{
    const struct model *model = run->cm->model;
    int n = model->n;
    for (int i = 0; i < n; i++) {
        put(run, run->x, i, run->values->x[q][i]);
        put(run, run->x, n + i, run->values->x[v][i]);
    }
    for (int i = 0; i < model->ns; i++)
        put(run, run->x, 2 * n + i, run->values->x[s][i]);
}

/* Refuses a formula of the mode that is outside its domain at run->x. */
static enum status arc_is_defined(struct complex_run *run)
{
    complex_run_set(run, run->t, run->x);
    return complex_domains_at(run, &run->cm->mode[run->mode].edges,
                              " where the arc begins");
}

enum status complex_run_reset(struct complex_run *run, const struct event *event)
{
    const struct model *model = run->cm->model;
    int first = 2 * model->n + model->ns;
    enum status status = complex_run_load(run, run->t, run->x);
    if (status == OK)
        status = complex_model_reset(run->cm, event->index, run->values, run->eps,
                                     run->z);
    enum status edges = complex_edges_at(run, &run->cm->event[event->index].edges,
                                         run->request->rtol, "");
    if (edges != OK)
        return edges;
    if (status != OK)
        return diagnose(run->diagnosis, status, creal(run->t),
                        "complex step: reset of event %s", event->name);
    take_state(run, BLOCK_Q_PLUS, BLOCK_V_PLUS, BLOCK_S_PLUS);
    for (int k = 0; status == OK && k < model->nz; k++) {
        put(run, run->x, first + k, part(run, run->x, first + k) + run->z[k]);
        status = complex_gate(run, run->z[k], "cost of event ", event->name);
    }
    if (status != OK)
        return status;
    run->mode = event->to->index;
    run->last = event;
    run->fresh = true;
    status = complex_gate_state(run, run->x, "after an event, ");
    return status == OK ? arc_is_defined(run) : status;
}

/* --- start and end ------------------------------------------------------------------ */

/* The explicit integrator of a request: implicit methods solve equations of their own,
   for which there is no complex version. The exact motion of a DAE is that of its reduced
   formulation, to any tolerance. */
static const struct integrator *explicit_integrator(const struct integrator *wanted)
{
    return wanted && wanted->alloc ? wanted : integrators[0];
}

static void allocate(struct complex_run *run)
{
    const struct model *model = run->cm->model;
    run->dim = 2 * model->n + model->ns + model->nz;
    int dim = 2 * run->dim;
    double **vector[] = {&run->x, &run->dx, &run->x_new, &run->dx_new, &run->x_at,
                         &run->dx_at, &run->err[0], &run->err[1]};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        *vector[k] = reals(dim);
    run->z = (double complex *)reals(2 * (model->ns + model->nz));
    run->r = (double complex *)reals(2 * model->events);
    run->table = reals((MOST_GUARD_SAMPLES + 1) * model->events);
    run->theta = reals(model->events);
    run->crossed = calloc((size_t)model->events + 1, sizeof *run->crossed);
    run->guard = calloc((size_t)model->events + 1, sizeof *run->guard);
    run->values = complex_values_new(model, model_most_impulses(model));
    run->work = run->integrator->alloc(dim);
    if (!run->guard || !run->crossed || !run->work)
        memory_exhausted();
    run->ode = (struct ode){.dim = dim, .rhs = rhs, .context = run};
    run->Phi_q = reals(model->m * model->n);
    run->crossing = memory_new(model->modes, sizeof *run->crossing);
    for (int k = 0; k < model->modes; k++)
        if (model->mode[k]->m > 0)
            crossing_init(&run->crossing[k], model->mode[k]->m, model->n);
}

/* Tests what is given at the start: both times, the state, and the formulas of the first
   mode and of start rows there. */
static enum status given_is_finite(struct complex_run *run, double complex t_end)
{
    enum status status = complex_gate(run, run->t, "the time of the start", "");
    if (status == OK && isnan(run->request->t_end))
        status = complex_gate(run, t_end, "the end", "");
    take_state(run, BLOCK_Q, BLOCK_V, BLOCK_S);
    if (status == OK)
        status = complex_gate_state(run, run->x, "start of ");
    if (status == OK)
        status = complex_domains_at(run, &run->cm->start_edges, " at the start");
    return status == OK ? arc_is_defined(run) : status;
}

enum status complex_run_init(struct complex_run *run, const struct run_request *request,
                             struct complex_model *cm, int parameter,
                             double complex *t_end, struct diagnosis *diagnosis)
{
    const struct model *model = request->model;
    *run = (struct complex_run){.request = request, .cm = cm, .eps = unit_eps,
                                .part = unit_eps,
                                .fresh = true, .diagnosis = diagnosis,
                                .mode = model->start->index};
    run->integrator = explicit_integrator(request->integrator);
    allocate(run);
    double *value = reals(model->p);
    enum status status = model_nominal_values(model, value, diagnosis);
    for (int j = 0; j < model->p; j++)
        run->values->x[BLOCK_RHO][j] = request->value ? request->value[j] : value[j];
    free(value);
    if (status != OK)
        return status;
    if (parameter >= 0) {
        run->parameter = model->parameter[parameter].name;
        double complex *rho = &run->values->x[BLOCK_RHO][parameter];
        double size = fabs(creal(*rho));
        run->eps *= fmax(1, size);
        if (size > 0)       /* eps^2 is not seen beside a parameter of any size */
            run->eps = fmin(run->eps, 1e-15 * size);
        run->part = fmin(unit_eps, run->eps);
        *rho += unit * run->eps;
    }
    complex_model_rho(cm, run->values);
    status = complex_edges_at(run, &cm->steady_edges, 0,
                              " at these values of the parameters");
    if (status != OK)
        return status;
    complex_model_given(cm, run->values, t_end);
    run->t = run->values->x[BLOCK_T][0];
    status = given_is_finite(run, *t_end);
    if (status != OK)
        return status;
    status = complex_model_start(cm, run->values, run->eps, diagnosis);
    if (status == OK)
        status = complex_edges_at(run, &cm->start_edges, 1e-12, " at the start");
    take_state(run, BLOCK_Q, BLOCK_V, BLOCK_S);
    if (status == OK)
        status = complex_gate_state(run, run->x, "start of ");
    double end = isnan(request->t_end) ? creal(*t_end) : request->t_end;
    run->end = end;
    double rho = parameter >= 0 ? creal(run->values->x[BLOCK_RHO][parameter]) : 0;
    return status == OK ? control_start(run, end - creal(run->t), rho) : status;
}

void complex_run_clear(struct complex_run *run)
{
    double *vector[] = {run->x, run->dx, run->x_new, run->dx_new, run->x_at, run->dx_at,
                        run->err[0], run->err[1], run->table, run->theta};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        free(vector[k]);
    for (int k = 0; run->crossing && k < run->request->model->modes; k++)
        crossing_clear(&run->crossing[k]);
    free(run->crossing);
    free(run->Phi_q);
    free(run->z);
    free(run->r);
    free(run->guard);
    free(run->crossed);
    complex_values_free(run->values);
    if (run->work)
        run->integrator->release(run->work);
    control_clear(&run->control);
}
