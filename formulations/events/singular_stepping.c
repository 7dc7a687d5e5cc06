/*
 * singular_stepping.c - a singular configuration ahead: where Phi_q loses rank, as in a
 * parallelogram whose cranks lie along its coupler.
 *
 * The motion goes through it smoothly, but the solution at a distance d loses digits like
 * d^-k, and shorter steps only come nearer. So steps are placed. The least pivot of Phi_q
 * falls to zero linearly, which tells the time; the step before ends so early that the
 * next step has its widest stretch without evaluations of the integrator over that time.
 *
 * Where nothing puts a trial state back onto the constraints placing does not help: there
 * the run ends, sooner or later, and reports where the constraints are dependent.
 */
#include <math.h>

#include "events/hybrid.h"

/* The points of the next step at which it evaluates, as parts of it. */
struct nodes {
    const double *node;
    int count;
};

static struct nodes nodes_of(const struct hybrid *core)
{
    const struct integrator *integrator = core->integrator;
    struct nodes nodes = {integrator->node, integrator->nodes};
    if (integrator->next_nodes)
        nodes.count = integrator->next_nodes(core->method, &nodes.node);
    return nodes;
}

/* The middle of the widest gap between nodes. */
static double middle_of_gap(struct nodes nodes)
{
    double widest = 0, middle = 0;
    for (int i = 0; i < nodes.count; i++) {
        double from = nodes.node[i], to = INFINITY;
        for (int k = 0; k < nodes.count; k++)
            if (nodes.node[k] > from)
                to = fmin(to, nodes.node[k]);
        if (isfinite(to) && to - from > widest) {
            widest = to - from;
            middle = (from + to) / 2;
        }
    }
    return middle;
}

void singular_init(struct singular_crossing *singular, struct hybrid *core)
{
    const struct formulation *formulation = core->system->formulation;
    const struct projection *projection = formulation->projection;
    *singular = (struct singular_crossing){.branches = formulation->capabilities &
                                                       KEEPS_CONSTRAINTS};
    /* Beside the constraints the equations are singular: only states that are put back
       onto them at every evaluation go through smoothly. */
    bool put_back = projection && projection->every_evaluation;
    singular->places = core->model->m > 0 && core->integrator->nodes > 0 &&
                       (put_back || formulation->kind == DAE);
    rank_monitor_init(&singular->margin, &core->kept, core->model);
    singular->margin.places_steps = singular->places;
}

void singular_clear(struct singular_crossing *singular)
{
    rank_monitor_clear(&singular->margin);
}

void singular_restart(struct hybrid *core)
{
    struct mode_system *now = core->system->now;
    core->singular.slow_steps = 0;
    core->singular.begun = core->t;
    step_monitors_at(&now->monitors, core->t, core->x);
    rank_monitor_restart(&core->singular.margin, core->t, core->x, &now->monitors,
                         &now->constraints);
}

enum status singular_note(struct hybrid *core)
{
    const struct step_monitors *monitors = &core->system->now->monitors;
    struct rank_monitor *margin = &core->singular.margin;
    if (rank_monitor_holds(margin, core->t, monitors))
        return OK;
    rank_monitor_note(margin, core->t, core->x, monitors, core->control.rtol);
    if (margin->grown > 0 && core->singular.branches)
        return diagnose(core->diagnosis, RANK_LOSS, core->singular.begun,
                        "mode %s: of the %d constraints %d are independent here, but %d "
                        "right after, and the others do not hold; state them so that "
                        "they are independent, or fewer of them",
                        core->system->now->mode->name, core->system->now->mode->m,
                        margin->rank, margin->grown);
    if (isnan(margin->t_doubt) || !core->singular.branches)
        return OK;
    return diagnose(core->diagnosis, RANK_LOSS, margin->t_doubt,
                    "singular configuration of mode %s, passed so closely that at rtol = "
                    "%.3g the constraints do not tell the branches apart that meet there",
                    core->system->now->mode->name, core->control.rtol);
}

/* --- where the run ends ------------------------------------------------------------- */

bool singular_is_far(const struct singular_crossing *singular)
{
    const struct rank_monitor *margin = &singular->margin;
    bool dependent = margin->rank > 0 && margin->rank < margin->mode->m;
    return !singular->places && singular->slow_steps == 0 && !dependent &&
           !rank_monitor_is_near(margin) && isnan(margin->t_doubt);
}

/* Does the run take steps so short, and for so long, that it will not arrive? A
   controller that could would have lengthened them: a sharp turn of the motion beside a
   configuration takes some dozen short steps, and no more. A configuration farther ahead
   than a tenth of the arc so far is not the reason. */
static bool crawls(struct singular_crossing *singular, double t, double h)
{
    enum { LONG = 200 };
    static const double far = 1000, close_by = 0.1;
    const struct rank_monitor *margin = &singular->margin;
    double distance = margin->t_singular - t;
    bool slow = isfinite(distance) && distance > far * h &&
                distance < close_by * (t - singular->begun) &&
                rank_monitor_is_near(margin);
    singular->slow_steps = slow ? singular->slow_steps + 1 : 0;
    return singular->slow_steps >= LONG;
}

/* The statuses of solvers that have met dependent constraints, each in its own way. */
static bool may_be_due_to_it(enum status status)
{
    return status == RANK_LOSS || status == SINGULAR || status == NO_CONVERGENCE ||
           status == NOT_FINITE || status == STEP_TOO_SMALL;
}

enum status singular_refusal(struct hybrid *core, enum status status)
{
    const struct rank_monitor *margin = &core->singular.margin;
    const struct mode *mode = core->system->now->mode;
    const struct diagnosis cause = *core->diagnosis;
    if (!may_be_due_to_it(status) || cause.status != status ||
        !isfinite(margin->t_singular) || !rank_monitor_is_near(margin))
        return status;
    return diagnose(core->diagnosis, RANK_LOSS, margin->t_singular,
                    "singular configuration of mode %s, met as: %s at t = %.9g, %.150s",
                    mode->name, status_text(status), cause.t, cause.place);
}

enum status singular_progress(struct hybrid *core)
{
    if (!crawls(&core->singular, core->t, core->step.proposed))
        return OK;
    enum status status =
        diagnose(core->diagnosis, STEP_TOO_SMALL, core->t,
                 "rtol = %.3g takes steps of %.3g beside it", core->control.rtol,
                 core->step.proposed);
    return singular_refusal(core, status);
}

/* --- the steps beside it ------------------------------------------------------------ */

/* The distance of the evaluations of a step h from a time `distance` ahead. */
static double clearance(struct nodes nodes, double distance, double h)
{
    double least = INFINITY;
    for (int i = 0; i < nodes.count; i++)
        if (nodes.node[i] > 0)
            least = fmin(least, fabs(nodes.node[i] * h - distance));
    return least;
}

/* The step up to h across the configuration whose evaluations keep most distance. */
static double clearest(struct nodes nodes, double distance, double h)
{
    enum { TRIED = 64 };
    double best = h;
    for (int k = 1; k < TRIED; k++) {
        double tried = distance + (h - distance) * k / TRIED;
        if (clearance(nodes, distance, tried) > clearance(nodes, distance, best))
            best = tried;
    }
    return best;
}

bool singular_place(const struct hybrid *core, double most, double *h)
{
    static const double near_enough = 1.1;
    double distance = core->singular.margin.t_singular - core->t;
    if (!(distance > 0) || distance > 2 * *h)
        return false;
    struct nodes nodes = nodes_of(core);
    double jump = middle_of_gap(nodes) * *h;
    if (!(distance > 0) || distance > jump + *h)
        return false;
    *h = distance > near_enough * jump
             ? fmin(distance - jump, most)
             : clearest(nodes, distance, fmin(near_enough * *h, most));
    return true;
}
