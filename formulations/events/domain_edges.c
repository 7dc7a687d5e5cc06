/*
 * domain_edges.c - event location for the edges of formulas: branch cuts, poles, ends of
 * domains.
 *
 * A monitor that is zero on an edge (cases/formula/domain_edges.h) is watched like a
 * guard: its roots on every accepted step are isolated on the dense output, unless cubic
 * bounds exclude them (guard_exclusion.c). An edge ends the run. An event before the
 * edge on the step is still an event; a guard is looked at before the edge only, where
 * the guard is analytic.
 *
 * Monitors that depend on accelerations or multipliers take a solution at every point.
 * Such monitors are evaluated at the ends of a step and at the states of the method
 * inside it; the step is looked through where they change sign or come down to a small
 * fraction.
 */
#include "events/domain_edges.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/exchange.h"
#include "base/largest.h"
#include "base/memory.h"
#include "events/hybrid.h"

enum { NODES = BERNSTEIN_POINTS, CHECKS = BERNSTEIN_CHECKS, POINTS = NODES + CHECKS };

/* A piece of a step of length h: theta in [begin, begin + width]. */
struct piece {
    double h, begin, width;
};
/* The shortest piece, as a part of the step. */
static const double narrowest = 1.0 / 16384;

void edge_watch_init(struct edge_watch *watch, struct arena *arena,
                     const struct model *model)
{
    int most = 0;
    for (int k = 0; k < model->modes; k++)
        if (model->mode[k]->edges->count > most)
            most = model->mode[k]->edges->count;
    *watch = (struct edge_watch){.events = model->events, .met = -1};
    watch->event = arena_new(arena, model->events, sizeof *watch->event);
    watch->condition = arena_new(arena, model->events, sizeof *watch->condition);
    for (int k = 0; k < model->events; k++) {
        edge_monitors_init(&watch->event[k], model, model->event[k]->edges);
        edge_monitors_init(&watch->condition[k], model, model->event[k]->condition_edges);
    }
    edge_monitors_init(&watch->end, model, model->nz > 0 ? model->end_edges : NULL);
    edge_monitors_init(&watch->steady, model, model->steady_edges);
    watch->value = arena_new(arena, 2 * most * POINTS, sizeof *watch->value);
    watch->last = arena_new(arena, most, sizeof *watch->last);
}

void edge_watch_clear(struct edge_watch *watch)
{
    for (int k = 0; k < watch->events; k++) {
        edge_monitors_clear(&watch->event[k]);
        edge_monitors_clear(&watch->condition[k]);
    }
    edge_monitors_clear(&watch->end);
    edge_monitors_clear(&watch->steady);
}

/* --- at a point --------------------------------------------------------------------- */

static enum status refuse(const struct hybrid *core, const struct edge_monitors *monitors,
                          int k, double t, const char *when)
{
    return edge_refuse(&monitors->edge[k], core->model->names, t, when, core->diagnosis);
}

/* A root of a number is at its edge where the number is zero, and is defined there. */
static bool may_be_zero(const struct edge *edge)
{
    return edge->status == DOMAIN_EDGE;
}

static const char steady_parameters[] = " at these values of the parameters";

enum status edges_steady(struct hybrid *core)
{
    struct edge_watch *watch = &core->edges;
    const double *rho = core->system->rho;
    for (int k = 0; k < watch->events; k++) {
        edge_monitors_set(&watch->event[k], rho);
        edge_monitors_set(&watch->condition[k], rho);
    }
    edge_monitors_set(&watch->end, rho);
    edge_monitors_set(&watch->steady, rho);
    if (watch->steady.program)
        edge_monitors_rounding(&watch->steady, 0);
    enum status status = edge_monitors_outside(&watch->steady, core->span.t0,
                                               steady_parameters, core->diagnosis);
    if (status != OK)
        return status;
    for (int k = 0; k < watch->steady.count; k++)
        if (!may_be_zero(&watch->steady.edge[k]) &&
            fabs(edge_zero(&watch->steady, k)) <= edge_zero_error(&watch->steady, k) &&
            edge_is_beside(&watch->steady, k))
            return refuse(core, &watch->steady, k, core->span.t0, steady_parameters);
    return OK;
}

enum status edges_at(struct hybrid *core, struct edge_monitors *monitors,
                     const struct edge_point *point, const char *when)
{
    const struct edge_failure failure = {larger(core->request->rtol, edge_rounding),
                                         core->t, when, core->diagnosis};
    edge_monitors_at(monitors, point);
    return edge_monitors_refuse(monitors, &failure);
}

/* Solves for the unknowns at core->x, where monitors take them. If there is no solution
   they are NAN: the solver that needs the solution reports it. */
static void solve_at_start(struct hybrid *core)
{
    struct system *system = core->system;
    if (!system->now->edges.uses_unknowns || hybrid_solve(core, core->t, core->x) == OK)
        return;
    for (int i = 0; i < core->model->n; i++)
        system->a[i] = NAN;
    for (int i = 0; i < system->now->mode->m; i++)
        system->lambda[i] = NAN;
}

enum status edges_at_start(struct hybrid *core)
{
    struct edge_monitors *monitors = &core->system->now->edges;
    const struct edge_point point = {
        .t = core->t, .x = core->x, .a = core->system->a, .lambda = core->system->lambda};
    const struct edge_failure failure = {edge_rounding, core->t, " where the arc begins",
                                         core->diagnosis};
    if (!monitors->program)
        return OK;
    solve_at_start(core);
    edge_monitors_at(monitors, &point);
    return edge_monitors_refuse(monitors, &failure);
}

/* --- monitors with unknowns --------------------------------------------------------- */

/* Evaluates all monitors at x. */
static enum status evaluate(struct hybrid *core, double t, const double *x)
{
    struct system *system = core->system;
    struct mode_system *ms = system->now;
    enum status status = OK;
    if (ms->edges.count > ms->monitors.edges)
        status = hybrid_solve(core, t, x);
    if (status == OK)
        edge_monitors_at(&ms->edges, &(struct edge_point){.t = t, .x = x, .a = system->a,
                                                          .lambda = system->lambda});
    return status;
}

static double *values(const struct hybrid *core, int k)
{
    return core->edges.value + k * POINTS;
}

/* Values of the formula beside monitor k, for a monitor that has one. */
static double *values_beside(const struct hybrid *core, int k)
{
    return values(core, core->system->now->edges.count + k);
}

/* Does monitor k keep its sign, and is its least value on a step no small fraction of the
   largest? A parabola that touches zero between the points is lower at one of them. */
static bool keeps_away(const double *value, int count)
{
    static const double fraction = 0.25;
    double least = INFINITY, most = 0;
    for (int i = 0; i < count; i++) {
        if (!(value[i] * value[0] > 0))
            return false;
        least = fmin(least, fabs(value[i]));
        most = fmax(most, fabs(value[i]));
    }
    return least > fraction * most;
}

/* Are monitors with unknowns clear of zero on the accepted step h, as far as the ends of
   the step and the states inside it show? */
static bool solved_are_clear(struct hybrid *core, double h)
{
    enum { SEEN = STATES_INSIDE + 2 };
    const struct mode_system *ms = core->system->now;
    bool clear = core->integrator->inside != NULL;
    if (ms->edges.count == ms->monitors.edges)
        return true;
    for (int i = 0; clear && i <= STATES_INSIDE; i++) {
        double theta = 1;
        const double *x = i < STATES_INSIDE
                              ? core->integrator->inside(core->method, i, &theta)
                              : core->step.x_new;
        clear = evaluate(core, core->t + theta * h, x) == OK;
        for (int k = ms->monitors.edges; k < ms->edges.count; k++)
            values(core, k)[i + 1] = edge_zero(&ms->edges, k);
    }
    for (int k = ms->monitors.edges; clear && k < ms->edges.count; k++) {
        values(core, k)[0] = core->edges.last[k];
        clear = keeps_away(values(core, k), SEEN);
    }
    return clear;
}

static void note_solved(struct hybrid *core, double t, const double *x)
{
    const struct mode_system *ms = core->system->now;
    if (ms->edges.count == ms->monitors.edges)
        return;
    if (evaluate(core, t, x) != OK)
        return;                     /* the next step from here meets the refusal */
    for (int k = ms->monitors.edges; k < ms->edges.count; k++)
        core->edges.last[k] = edge_zero(&ms->edges, k);
}

void edges_begin_step(struct hybrid *core)
{
    const struct mode_system *ms = core->system->now;
    const struct step_monitors *monitors = &ms->monitors;
    for (int k = monitors->guards; k < monitors->rows; k++) {
        struct watch *watch = &core->guard.watch[ms->guards + k - monitors->guards];
        watch->value = monitors->r[k];
        watch->rate = monitors->rd[k];
        watch->power = 0;
    }
    note_solved(core, core->t, core->x);
}

/* --- roots on a step ---------------------------------------------------------------- */

/* Evaluates all monitors at a part theta of the step. */
static enum status evaluate_on(struct hybrid *core, double h, double theta)
{
    int all = 2 * core->model->n + core->model->ns;
    const double *x = theta < 1 ? core->step.trial : core->step.x_new;
    if (theta <= 0)
        x = core->x;
    else if (theta < 1)
        core->integrator->dense(core->method, theta, 0, all, core->step.trial);
    return evaluate(core, core->t + theta * h, x);
}

static enum status sample(struct hybrid *core, const struct piece *piece)
{
    const struct bernstein *bernstein = &core->guard.bernstein;
    const struct edge_monitors *monitors = &core->system->now->edges;
    for (int i = 0; i < POINTS; i++) {
        double local = i < NODES ? bernstein->node[i] : bernstein->check[i - NODES];
        enum status status = evaluate_on(core, piece->h,
                                         piece->begin + local * piece->width);
        if (status != OK)
            return status;
        for (int k = 0; k < monitors->count; k++) {
            values(core, k)[i] = edge_zero(monitors, k);
            if (monitors->edge[k].beside.tape)
                values_beside(core, k)[i] = edge_beside(monitors, k);
        }
    }
    return OK;
}

/* Does the motion stay on the line of which edge k is a part? Its monitor is then zero at
   all points, and has no root, while the formula beside the monitor has roots. */
static bool stays_on_line(const struct hybrid *core, int k)
{
    const struct edge_monitors *monitors = &core->system->now->edges;
    return monitors->edge[k].beside.tape &&
           largest(values(core, k), POINTS) <= edge_zero_error(monitors, k);
}

/* Do all interpolants agree with their monitors? */
static bool is_resolved(const struct hybrid *core)
{
    const struct edge_monitors *monitors = &core->system->now->edges;
    for (int k = 0; k < monitors->count; k++) {
        bool stays = stays_on_line(core, k);
        const double *value = stays ? values_beside(core, k) : values(core, k);
        double error = stays ? edge_beside_error(monitors, k)
                             : edge_zero_error(monitors, k);
        double defect = bernstein_defect(&core->guard.bernstein, value, value + NODES);
        if (defect > edge_resolved * largest(value, POINTS) && defect > error)
            return false;
    }
    return true;
}

/* The first point at which a motion on the line comes to its edge; NAN stands for
   none. */
static double end_of_line(const struct hybrid *core, int k)
{
    double *value = values_beside(core, k);
    bool touching;
    if (value[0] <= edge_beside_error(&core->system->now->edges, k))
        return 0;
    if (value[NODES - 1] == 0)
        value[NODES - 1] = -DBL_MIN;
    return bernstein_first(&core->guard.bernstein, value, 0, &touching);
}

/* The first root of monitor k on a piece, as a part of the piece, or the place where the
   monitor comes so near to zero and back that rounding decides, *touching; NAN stands for
   none. A zero at the end counts as crossed. */
static double root_on_piece(const struct hybrid *core, int k, bool *touching)
{
    double *value = values(core, k), shifted[NODES];
    *touching = false;
    if (stays_on_line(core, k))
        return end_of_line(core, k);
    if (value[NODES - 1] == 0)
        value[NODES - 1] = copysign(DBL_MIN, -value[0]);
    double local = bernstein_first(&core->guard.bernstein, value, 0, touching);
    if (!isnan(local))
        return local;
    double error = edge_zero_error(&core->system->now->edges, k);
    for (int i = 0; i < NODES; i++)
        shifted[i] = value[i] + copysign(error, -value[0]);
    if (shifted[0] * value[0] <= 0 || shifted[NODES - 1] * value[0] <= 0)
        return NAN;
    local = bernstein_first(&core->guard.bernstein, shifted, 0, touching);
    *touching = !isnan(local);
    return local;
}

/* Is a pole touched, as far as interpolants on this piece can tell? Those of a shorter
   piece tell it from a denominator that comes near zero: w^2 + x^2 beside x = 0. */
static bool any_pole_touched(const struct hybrid *core)
{
    const struct edge_monitors *monitors = &core->system->now->edges;
    bool any = false;
    for (int k = 0; !any && k < monitors->count; k++)
        if (monitors->edge[k].status == POLE)
            root_on_piece(core, k, &any);
    return any;
}

/* Is the denominator k, evaluated where its interpolant on a piece seems to touch zero,
   more than what is left where it does? */
static bool comes_near_only(const struct hybrid *core, int k)
{
    const double left = 1e3 * touch_rounding;
    const struct edge_monitors *monitors = &core->system->now->edges;
    return monitors->edge[k].status == POLE &&
           fabs(edge_zero(monitors, k)) > left * largest(values(core, k), NODES);
}

/* Stores the first edge on a piece in core->edges; a root of `zero` off the edge is
   passed. *passed is the part of the piece up to which no edge is met. */
static enum status meet(struct hybrid *core, const struct piece *piece, double *passed)
{
    const struct edge_monitors *monitors = &core->system->now->edges;
    int first = -1;
    double local = 1;
    bool touched = false;
    for (int k = 0; k < monitors->count; k++) {
        bool touching;
        double root = root_on_piece(core, k, &touching);
        if (root < local || (first < 0 && root <= local)) {
            first = k;
            local = root;
            touched = touching;
        }
    }
    *passed = 1;
    if (first < 0)
        return OK;
    double theta = piece->begin + local * piece->width;
    enum status status = evaluate_on(core, piece->h, theta);
    if (status != OK)
        return status;
    edge_monitors_rounding(&core->system->now->edges, edge_rounding);
    *passed = fmin(local + edge_past, 1);
    if (touched && comes_near_only(core, first))
        return OK;
    if (!stays_on_line(core, first) && !edge_is_beside(monitors, first))
        return OK;
    core->edges.met = first;
    core->edges.theta = theta;
    return OK;
}

static enum status look_through(struct hybrid *core, double h)
{
    struct piece piece = {.h = h, .width = 1};
    enum status status = core->integrator->prepare(core->method, &core->ode);
    if (status == OK)
        status = evaluate(core, core->t + h, core->step.x_new);
    if (status == OK)
        edge_monitors_rounding(&core->system->now->edges, edge_rounding);
    while (status == OK && piece.begin < 1 && core->edges.met < 0) {
        double passed = 1;
        piece.width = fmin(piece.width, 1 - piece.begin);
        status = sample(core, &piece);
        bool doubtful = status == OK && piece.width > narrowest &&
                        (!is_resolved(core) || any_pole_touched(core));
        if (doubtful) {
            piece.width /= 2;
            continue;
        }
        if (status == OK)
            status = meet(core, &piece, &passed);
        piece.begin += passed * piece.width;
        piece.width *= 2;
        if (1 - piece.begin < narrowest * narrowest)
            break;                  /* the rest of the step is no more than rounding */
    }
    return status;
}

enum status edges_on_step(struct hybrid *core, double h)
{
    const struct mode_system *ms = core->system->now;
    core->edges.met = -1;
    core->edges.theta = 1;
    bool clear = ms->monitors.edges == 0 || core->edges.clear;
    if (ms->edges.count == 0 || (clear && solved_are_clear(core, h)))
        return OK;
    return look_through(core, h);
}

enum status edges_refuse(struct hybrid *core, double h)
{
    return refuse(core, &core->system->now->edges, core->edges.met,
                  core->t + core->edges.theta * h, "");
}

/* --- refusals ----------------------------------------------------------------------- */

/* The time until monitor k is zero if it goes on linearly from core->x; *value is the
   monitor there. The rate is a difference, for the rates of unknowns are no formulas. NAN
   is returned where the monitor has no value. If the monitor is and stays zero, *stays is
   set, and *value and the time are those of the formula beside it. */
static double time_to_zero(struct hybrid *core, int k, double *value, bool *stays)
{
    const struct edge_monitors *monitors = &core->system->now->edges;
    int all = 2 * core->model->n + core->model->ns;
    double dt = edge_difference * (core->span.t_end - core->span.t0);
    *value = NAN;
    for (int i = 0; i < all; i++)
        core->step.trial[i] = core->x[i] + dt * core->dx[i];
    if (evaluate(core, core->t + dt, core->step.trial) != OK)
        return NAN;
    double there = edge_zero(monitors, k), beside = edge_beside(monitors, k);
    if (evaluate(core, core->t, core->x) != OK)
        return NAN;
    *value = edge_zero(monitors, k);
    *stays = monitors->edge[k].beside.tape && *value == 0 && there == 0;
    if (*stays) {
        *value = edge_beside(monitors, k);
        there = beside;
    }
    return *value * dt / (*value - there);
}

/* Is monitor k the reason why a step at core->x cannot be made? The monitor is zero
   within some steps, or so near to zero that rounding leaves fewer digits of it than are
   asked for. *left is the time until then. */
static bool may_be_reason(struct hybrid *core, int k, double *left)
{
    struct edge_monitors *monitors = &core->system->now->edges;
    double span = core->span.t_end - core->span.t0, value;
    double soon = larger(1e4 * core->step.proposed, edge_soon * span);
    bool stays = false;
    *left = time_to_zero(core, k, &value, &stays);
    if (!(*left >= 0 && *left <= 0.01 * span))
        return false;
    edge_monitors_rounding(monitors, DBL_EPSILON);
    double error = stays ? edge_beside_error(monitors, k) : edge_zero_error(monitors, k);
    double lost = error / fabs(value);
    return (stays || edge_is_beside(monitors, k)) &&
           (*left <= soon || lost > 0.01 * core->request->rtol);
}

/* Does monitor k go to zero? Steps without error control find out, each half of the
   way to the zero, whose time *t becomes. The run must end afterwards: core->x has
   changed. */
static bool goes_to_zero(struct hybrid *core, int k, double *t)
{
    bool stays;
    double value, left = time_to_zero(core, k, &value, &stays);
    double least = edge_far * fabs(value);
    *t = core->t + left;
    for (int i = 0; i < 40 && fabs(value) > least; i++) {
        double h = left / 2;
        core->ode.goes_on = false;
        if (!(h > hybrid_shortest_step(core)))
            return h >= 0;
        enum status status = hybrid_step_to(core, h, core->step.x_new,
                                            core->step.dx_new);
        if (status != OK)
            return false;
        core->t += h;
        exchange(&core->x, &core->step.x_new);
        exchange(&core->dx, &core->step.dx_new);
        left = time_to_zero(core, k, &value, &stays);
        *t = core->t + left;
    }
    return fabs(value) <= least;
}

/* The monitor that may be the reason and is zero first; -1 stands for none. */
static int nearest_reason(struct hybrid *core)
{
    int nearest = -1;
    double left, least = INFINITY;
    for (int k = 0; k < core->system->now->edges.count; k++)
        if (may_be_reason(core, k, &left) && left < least) {
            nearest = k;
            least = left;
        }
    return nearest;
}

enum status edges_refusal(struct hybrid *core, enum status status)
{
    static const bool may_be_one[STATUSES] = {
        [STEP_TOO_SMALL] = true, [NOT_FINITE] = true, [NO_CONVERGENCE] = true,
        [TOO_MANY_STEPS] = true, [SINGULAR] = true};
    const struct edge_monitors *monitors = &core->system->now->edges;
    /* A plug-in may return a number that is no status. */
    if ((unsigned)status >= STATUSES || !may_be_one[status] || monitors->count == 0)
        return status;
    struct diagnosis own = *core->diagnosis;
    double t;
    int k = nearest_reason(core);
    bool is = k >= 0 && goes_to_zero(core, k, &t);
    *core->diagnosis = own;
    return is ? refuse(core, monitors, k, t, "") : status;
}
