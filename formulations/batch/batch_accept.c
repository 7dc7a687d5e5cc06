/*
 * batch_accept.c - step acceptance in SIMD lanes: error control, guard exclusion by cubic
 * Hermite bounds, constraints; see batch_accept.h.
 */
#include "batch/batch_accept.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/memory.h"
#include "integrators/control_lanes.h"
#include "monitors/step_monitors_lanes.h"
#include "simd/lane_loops.h"
#include "simd/lane_rows.h"

/* The state of all lanes. Arrays are [..][LANES]; true is 1, false 0. */
struct batch_accept {
    const struct integrator *integrator;
    const struct mode *mode;
    int guards;                     /* guards, and monitors of edges judged like guards */
    int rows;                       /* with the rows beside monitors (step_monitors.h) */
    int pivots;                     /* of the program (explicit_rhs.h) */
    int dim;                        /* of the state with its derivatives */
    bool may_be_stiff;              /* steps that show stiffness are left to step.c */
    bool may_be_sharp;              /* and those where a term is sharp (sharp_terms.h) */
    struct sharp_terms *sharp[LANES];   /* of the run in the lane */
    double *x, *x_new;              /* [2 dim] scratch: ends of a step, with rates */
    struct control_lanes *control;
    struct monitor_lanes *monitors;
    struct row_groups apart;        /* rows of Phi_q */
    struct arena arena;             /* of all arrays of numbers */
    double *value, *rate;           /* [rows] r and rd where the step begins */
    double *scale;                  /* [guards] largest |r| on the arc */
    double *taller;                 /* [guards] `scale` with this step */
    double *leading;                /* [guards] coefficient of a root where the step
                                       begins (struct watch); 0: no root there */
    double *inside[STATES_INSIDE];  /* [rows] r at states inside the step */
    double *Phi_q, *unit;           /* [entries] of struct rank_monitor */
    double *reach;                  /* [1] of struct rank_monitor */
    double *least;                  /* [pivots] magnitudes that are not in doubt
                                       (explicit_rhs.h) */
    double *Phi, *Phid;             /* [1] worst violations so far */
    double *Phi_here, *Phid_here;   /* [1] worst violations with this step */
    double *eligible;               /* [1] steps of this lane may be accepted here */
};

static void open_rows(struct batch_accept *accept)
{
    int entries = accept->mode->Phi_q_entries.count;
    int guards = accept->guards, rows = accept->rows;
    struct { double **array; int rows; } const part[] = {
        {&accept->value, rows}, {&accept->rate, rows}, {&accept->scale, guards},
        {&accept->leading, guards}, {&accept->taller, guards},
        {&accept->inside[0], rows}, {&accept->inside[1], rows},
        {&accept->Phi_q, entries}, {&accept->unit, entries}, {&accept->reach, 1},
        {&accept->least, accept->pivots}, {&accept->Phi, 1}, {&accept->Phid, 1},
        {&accept->Phi_here, 1}, {&accept->Phid_here, 1}, {&accept->eligible, 1}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        *part[k].array = arena_new(&accept->arena, part[k].rows,
                                   LANES * sizeof(double));
}

struct batch_accept *batch_accept_new(const struct hybrid *like, bool made)
{
    const struct mode_system *ms = like->system->now;
    struct monitor_lanes *monitors = monitor_lanes_new(&ms->monitors, made);
    if (!monitors)
        return NULL;
    struct batch_accept *accept = memory_new(1, sizeof *accept);
    *accept = (struct batch_accept){.integrator = like->integrator,
                                    .mode = ms->mode,
                                    .guards = ms->monitors.guards + ms->monitors.edges,
                                    .rows = ms->monitors.rows,
                                    .pivots = ms->explicit_rhs->pivots,
                                    .dim = like->system->dim,
                                    .may_be_stiff = like->stiff.allowed,
                                    .may_be_sharp = ms->sharp.count > 0,
                                    .control = control_lanes_new(&like->control),
                                    .monitors = monitors};
    accept->x = arena_new(&accept->arena, 2 * accept->dim, sizeof *accept->x);
    accept->x_new = arena_new(&accept->arena, 2 * accept->dim, sizeof *accept->x_new);
    row_groups_init(&accept->apart, ms->mode->m, ms->monitors.n,
                    &ms->mode->Phi_q_entries);
    open_rows(accept);
    return accept;
}

void batch_accept_free(struct batch_accept *accept)
{
    if (!accept)
        return;
    control_lanes_free(accept->control);
    monitor_lanes_free(accept->monitors);
    row_groups_clear(&accept->apart);
    arena_free(&accept->arena);
    free(accept);
}

/* --- between a lane and its run ----------------------------------------------------- */

void batch_accept_put(struct batch_accept *accept, int lane, const struct hybrid *core)
{
    accept->sharp[lane] = &core->system->now->sharp;
    control_lanes_put(accept->control, lane, &core->control);
    monitor_lanes_enter(accept->monitors, lane, &core->system->now->monitors);
}

/* May steps of this run be accepted in its lane? Left to step.c are a step from a root
   that is not simple, or to an event; a state that is projected; guards that depend on
   the unknowns, or vary faster than the motion; a singular configuration ahead; a run
   whose progress is watched. */
static bool is_eligible(const struct hybrid *core)
{
    const struct mode_system *ms = core->system->now;
    bool eligible = core->step.retry_length == 0 &&
                    !system_projects_steps(core->system) &&
                    ms->guards == ms->monitors.guards &&
                    ms->edges.count == ms->monitors.edges && ms->bounds.count == 0 &&
                    !error_growth_is_due(core) && singular_is_far(&core->singular) &&
                    !core->request->progress;
    for (int k = 0; eligible && k < ms->guards; k++)
        eligible = core->guard.watch[k].power <= 1;
    return eligible;
}

void batch_accept_shown(struct batch_accept *accept, int lane, const struct hybrid *core)
{
    const struct rank_monitor *margin = &core->singular.margin;
    accept->eligible[lane] = is_eligible(core);
    accept->reach[lane] = margin->reach;
    if (margin->rank == 0)
        return;
    lane_put(accept->mode->Phi_q_entries.count, margin->Phi_q, lane, accept->Phi_q);
    lane_put(accept->mode->Phi_q_entries.count, margin->unit, lane, accept->unit);
}

void batch_accept_enter(struct batch_accept *accept, int lane, const struct hybrid *core)
{
    const struct explicit_rhs *explicit_rhs = core->system->now->explicit_rhs;
    batch_accept_shown(accept, lane, core);
    control_lanes_enter(accept->control, lane, &core->control);
    for (int k = 0; k < accept->rows; k++) {
        accept->value[k * LANES + lane] = core->guard.watch[k].value;
        accept->rate[k * LANES + lane] = core->guard.watch[k].rate;
    }
    for (int k = 0; k < accept->guards; k++) {
        accept->scale[k * LANES + lane] = core->guard.watch[k].scale;
        accept->leading[k * LANES + lane] = core->guard.watch[k].power > 0
                                                ? core->guard.watch[k].leading
                                                : 0;
    }
    lane_put(accept->pivots, explicit_rhs->least, lane, accept->least);
    accept->Phi[lane] = core->out->worst_Phi;
    accept->Phid[lane] = core->out->worst_Phid;
}

void batch_accept_leave(const struct batch_accept *accept, int lane, struct hybrid *core)
{
    control_lanes_leave(accept->control, lane, &core->control);
    for (int k = 0; k < accept->rows; k++) {
        core->guard.watch[k].value = accept->value[k * LANES + lane];
        core->guard.watch[k].rate = accept->rate[k * LANES + lane];
    }
    for (int k = 0; k < accept->guards; k++)
        core->guard.watch[k].scale = accept->scale[k * LANES + lane];
    core->out->worst_Phi = accept->Phi[lane];
    core->out->worst_Phid = accept->Phid[lane];
}

void batch_accept_join(struct accept_steps *steps, int lane, const struct hybrid *core)
{
    double t = core->t, h = core->step.h, stop = core->course.stop;
    steps->t[lane] = t;
    steps->h[lane] = h;
    steps->proposed[lane] = core->step.proposed;
    steps->stop[lane] = stop;
    steps->eligible[lane] = h < stop - t && t + h < stop;
}

void batch_accept_tell(const struct accept_steps *steps, int lane, long count,
                       struct hybrid *core)
{
    core->t = steps->t[lane];
    core->step.proposed = steps->proposed[lane];
    core->step.h = steps->h[lane];
    core->step.cause = OK;
    core->course.passed = INFINITY;
    core->step.ended = true;
    core->system->evaluations += count * core->integrator->evaluations;
    if (core->stiff.allowed)
        stiff_note_calm(core, count);
    for (int k = 0; k < core->system->now->guards; k++)
        core->guard.watch[k].power = 0;
}

void batch_accept_show(const struct batch_accept *accept,
                       const struct accept_steps *steps, int lane, struct hybrid *core)
{
    const double *x = erk_lanes_end(steps->made);
    struct step_monitors *monitors = &core->system->now->monitors;
    lane_take(monitors->n, x, lane, core->x);
    lane_take(monitors->program->outputs, accept->monitors->value, lane, monitors->value);
}

/* --- all lanes ---------------------------------------------------------------------- */

#define SET_TEXT "batch/batch_accept_kernel.h"
#include "simd/simd_targets.h"

/* Evaluates monitors at the end of the step, and guards inside it: theta
   [STATES_INSIDE]. */
static void look_at_step(struct batch_accept *accept, const struct accept_steps *steps,
                         double *theta)
{
    double t[LANES];
    for (int l = 0; l < LANES; l++)
        t[l] = steps->t[l] + steps->h[l];
    monitor_lanes_at(accept->monitors, t, erk_lanes_end(steps->made));
    for (int i = 0; i < STATES_INSIDE && accept->rows > 0; i++) {
        const double *x = erk_lanes_inside(steps->made, i, &theta[i]), here = theta[i];
        for (int l = 0; l < LANES; l++)
            t[l] = steps->t[l] + here * steps->h[l];
        monitor_lanes_guards(accept->monitors, t, x, accept->inside[i]);
    }
}

/* Leaves a step that shows stiffness to step.c, where stiff.c counts it. */
static void judge_stiffness(const struct batch_accept *accept, struct accept_steps *steps)
{
    const double *stiffness = erk_lanes_stiffness(steps->made);
    for (int l = 0; l < LANES; l++)
        if (stiff_shows(accept->integrator, stiffness[l]))
            steps->accepted[l] = 0;
}

/* Leaves a step to step.c that may not have seen all of a term (unseen.h). */
static void judge_sharp(const struct batch_accept *accept, struct accept_steps *steps)
{
    double *x = accept->x, *x_new = accept->x_new;
    int dim = accept->dim;
    for (int l = 0; l < LANES; l++) {
        if (!(steps->accepted[l] > 0))
            continue;
        if (accept->sharp[l]->of_states) {
            erk_lanes_take_start(steps->made, l, x, x + dim);
            erk_lanes_take_end(steps->made, l, x_new, x_new + dim);
        }
        if (!sharp_terms_settled_on_step(accept->sharp[l], steps->t[l],
                                         steps->t[l] + steps->h[l], x, x_new))
            steps->accepted[l] = 0;
    }
}

static void note(struct batch_accept *accept, const double *accepted)
{
    const struct lane_loops *loops = lane_loops();
    control_lanes_accept(accept->control, accepted);
    loops->move(accept->rows, accepted, accept->value, accept->monitors->r);
    loops->move(accept->rows, accepted, accept->rate, accept->monitors->rd);
    loops->move(accept->guards, accepted, accept->scale, accept->taller);
    loops->move(1, accepted, accept->Phi, accept->Phi_here);
    loops->move(1, accepted, accept->Phid, accept->Phid_here);
}

void batch_accept_judge(struct batch_accept *accept, struct accept_steps *steps)
{
    double theta[STATES_INSIDE];
    control_lanes_error(accept->control, accept->integrator, erk_lanes_end(steps->made),
                        erk_lanes_errors(steps->made), steps->error);
    look_at_step(accept, steps, theta);
    WIDEST(judge)(accept, steps, theta);
    if (accept->may_be_stiff)
        judge_stiffness(accept, steps);
    if (accept->may_be_sharp)
        judge_sharp(accept, steps);
    note(accept, steps->accepted);
}

void batch_accept_go_on(const struct batch_accept *accept, struct accept_steps *steps)
{
    WIDEST(propose)(accept, steps);
}
