#include "batch/batch_accept.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "events/guard_exclusion.h"
#include "integrators/control_lanes.h"
#include "monitors/step_monitors_lanes.h"
#include "simd/lane_loops.h"
#include "simd/lane_rows.h"

/* Arrays are [..][LANES]; true is 1, false 0. */
struct quiet {
    const struct integrator *integrator;
    const struct mode *mode;
    int guards;                     /* and monitors, which are judged alike */
    int rows, pivots;               /* rows: with what is beside the monitors
                                       (step_monitors.h) */
    bool may_be_stiff;              /* and then a step is not quiet */
    struct control_lanes *control;
    struct look_lanes *look;
    struct apart apart;             /* rows of Phi_q */
    double *block;                  /* of all arrays of numbers */
    double *value, *rate;           /* [rows] as in struct watch, */
    double *scale;                  /* [guards] as there, */
    double *leading;                /* [guards] as there, from a root on, or 0 */
    double *taller;                 /* [guards] the scale after this step, */
    double *inside[STATES_INSIDE];  /* [rows] and values inside it */
    double *Phi_q, *unit;           /* [entries] as in struct margin */
    double *reach;                  /* [1] as in struct margin */
    double *least;                  /* [pivots] magnitudes not in doubt yet
                                       (explicit_rhs.h) */
    double *Phi, *Phid;             /* [1] worst violations so far, */
    double *Phi_here, *Phid_here;   /* [1] and with this step */
    double *can;                    /* [1] quiet steps are possible in this lane */
};

static int lay_out(struct quiet *quiet, double *block)
{
    int entries = quiet->mode->Phi_q_entries.count, used = 0;
    int guards = quiet->guards, rows = quiet->rows;
    struct { double **array; int rows; } const part[] = {
        {&quiet->value, rows}, {&quiet->rate, rows}, {&quiet->scale, guards},
        {&quiet->leading, guards}, {&quiet->taller, guards}, {&quiet->inside[0], rows},
        {&quiet->inside[1], rows}, {&quiet->Phi_q, entries}, {&quiet->unit, entries},
        {&quiet->reach, 1},
        {&quiet->least, quiet->pivots}, {&quiet->Phi, 1}, {&quiet->Phid, 1},
        {&quiet->Phi_here, 1}, {&quiet->Phid_here, 1}, {&quiet->can, 1}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        *part[k].array = block ? block + used : NULL;
        used += part[k].rows * LANES;
    }
    return used;
}

struct quiet *quiet_new(const struct hybrid *like, bool made)
{
    const struct mode_system *ms = like->system->now;
    struct look_lanes *look = look_lanes_new(&ms->look, made);
    if (!look)
        return NULL;
    struct quiet *quiet = memory_new(1, sizeof *quiet);
    *quiet = (struct quiet){.integrator = like->integrator, .mode = ms->mode,
                            .guards = ms->look.guards + ms->look.edges,
                            .rows = ms->look.rows, .pivots = ms->fused->pivots,
                            .may_be_stiff = like->stiff.allowed,
                            .control = control_lanes_new(&like->control), .look = look};
    apart_init(&quiet->apart, ms->mode->m, ms->look.n, &ms->mode->Phi_q_entries);
    quiet->block = lanes_new(lay_out(quiet, NULL) / LANES);
    lay_out(quiet, quiet->block);
    return quiet;
}

void quiet_free(struct quiet *quiet)
{
    if (!quiet)
        return;
    control_lanes_free(quiet->control);
    look_lanes_free(quiet->look);
    apart_clear(&quiet->apart);
    free(quiet->block);
    free(quiet);
}

/* --- between a lane and its run ----------------------------------------------------- */

void quiet_put(struct quiet *quiet, int lane, const struct hybrid *core)
{
    control_lanes_put(quiet->control, lane, &core->control);
    look_lanes_enter(quiet->look, lane, &core->system->now->look);
}

/* A step from a root that is not simple, one that goes to an event, a state that is put
   back onto the constraints, guards that have to be solved for, or bounded because they
   are faster than the motion, a singular configuration
   ahead, somebody who asks how far the run is: these are for step.c. */
static bool can_be_quiet(const struct hybrid *core)
{
    const struct mode_system *ms = core->system->now;
    bool can = core->course.whole == 0 && !system_projects_steps(core->system) &&
               ms->guards == ms->look.guards && ms->edges.count == ms->look.edges &&
               ms->bounds.count == 0 && !growth_is_due(core) &&
               ahead_is_quiet(&core->ahead) &&
               !core->request->progress;
    for (int k = 0; can && k < ms->guards; k++)
        can = core->watch[k].power <= 1;
    return can;
}

void quiet_shown(struct quiet *quiet, int lane, const struct hybrid *core)
{
    const struct margin *margin = &core->ahead.margin;
    quiet->can[lane] = can_be_quiet(core);
    quiet->reach[lane] = margin->reach;
    if (margin->rank == 0)
        return;
    lane_put(quiet->mode->Phi_q_entries.count, margin->Phi_q, lane, quiet->Phi_q);
    lane_put(quiet->mode->Phi_q_entries.count, margin->unit, lane, quiet->unit);
}

void quiet_enter(struct quiet *quiet, int lane, const struct hybrid *core)
{
    const struct fused *fused = core->system->now->fused;
    quiet_shown(quiet, lane, core);
    control_lanes_enter(quiet->control, lane, &core->control);
    for (int k = 0; k < quiet->rows; k++) {
        quiet->value[k * LANES + lane] = core->watch[k].value;
        quiet->rate[k * LANES + lane] = core->watch[k].rate;
    }
    for (int k = 0; k < quiet->guards; k++) {
        quiet->scale[k * LANES + lane] = core->watch[k].scale;
        quiet->leading[k * LANES + lane] =
            core->watch[k].power > 0 ? core->watch[k].leading : 0;
    }
    lane_put(quiet->pivots, fused->least, lane, quiet->least);
    quiet->Phi[lane] = core->out->worst_Phi;
    quiet->Phid[lane] = core->out->worst_Phid;
}

void quiet_leave(const struct quiet *quiet, int lane, struct hybrid *core)
{
    control_lanes_leave(quiet->control, lane, &core->control);
    for (int k = 0; k < quiet->rows; k++) {
        core->watch[k].value = quiet->value[k * LANES + lane];
        core->watch[k].rate = quiet->rate[k * LANES + lane];
    }
    for (int k = 0; k < quiet->guards; k++)
        core->watch[k].scale = quiet->scale[k * LANES + lane];
    core->out->worst_Phi = quiet->Phi[lane];
    core->out->worst_Phid = quiet->Phid[lane];
}

void quiet_join(struct quiet_steps *steps, int lane, const struct hybrid *core)
{
    double t = core->t, h = core->course.h, stop = core->course.stop;
    steps->t[lane] = t;
    steps->h[lane] = h;
    steps->proposed[lane] = core->h;
    steps->stop[lane] = stop;
    steps->may[lane] = h < stop - t && t + h < stop;
}

void quiet_tell(const struct quiet_steps *steps, int lane, long count,
                struct hybrid *core)
{
    core->t = steps->t[lane];
    core->h = steps->proposed[lane];
    core->course.h = steps->h[lane];
    core->course.cause = OK;
    core->passed = INFINITY;
    core->stepped = true;
    core->system->evaluations += count * core->integrator->evaluations;
    if (core->stiff.allowed)
        stiff_note_calm(core, count);
    for (int k = 0; k < core->system->now->guards; k++)
        core->watch[k].power = 0;
}

void quiet_show(const struct quiet *quiet, const struct quiet_steps *steps, int lane,
                struct hybrid *core)
{
    const double *x = pair_lanes_end(steps->made);
    struct look *look = &core->system->now->look;
    lane_take(look->n, x, lane, core->x);
    lane_take(look->program->outputs, quiet->look->value, lane, look->value);
}

/* --- all lanes ---------------------------------------------------------------------- */

#define SET_TEXT "batch/batch_accept_kernel.h"
#include "simd/simd_targets.h"

/* At the end of the step, and guards inside it. theta [STATES_INSIDE] */
static void look_at_step(struct quiet *quiet, const struct quiet_steps *steps,
                         double *theta)
{
    double t[LANES];
    for (int l = 0; l < LANES; l++)
        t[l] = steps->t[l] + steps->h[l];
    look_lanes_at(quiet->look, t, pair_lanes_end(steps->made));
    for (int i = 0; i < STATES_INSIDE && quiet->rows > 0; i++) {
        const double *x = pair_lanes_inside(steps->made, i, &theta[i]), here = theta[i];
        for (int l = 0; l < LANES; l++)
            t[l] = steps->t[l] + here * steps->h[l];
        look_lanes_guards(quiet->look, t, x, quiet->inside[i]);
    }
}

/* As in stiff.c. */
static void judge_stiffness(const struct quiet *quiet, struct quiet_steps *steps)
{
    const double *stiffness = pair_lanes_stiffness(steps->made);
    for (int l = 0; l < LANES; l++)
        if (!(stiffness[l] < quiet->integrator->stable))
            steps->is[l] = 0;
}

static void note(struct quiet *quiet, const double *is)
{
    const struct lane_loops *loops = lane_loops();
    control_lanes_accept(quiet->control, is);
    loops->move(quiet->rows, is, quiet->value, quiet->look->r);
    loops->move(quiet->rows, is, quiet->rate, quiet->look->rd);
    loops->move(quiet->guards, is, quiet->scale, quiet->taller);
    loops->move(1, is, quiet->Phi, quiet->Phi_here);
    loops->move(1, is, quiet->Phid, quiet->Phid_here);
}

void quiet_judge(struct quiet *quiet, struct quiet_steps *steps)
{
    double theta[STATES_INSIDE];
    control_lanes_error(quiet->control, quiet->integrator, pair_lanes_end(steps->made),
                        pair_lanes_errors(steps->made), steps->error);
    look_at_step(quiet, steps, theta);
    WIDEST(judge)(quiet, steps, theta);
    if (quiet->may_be_stiff)
        judge_stiffness(quiet, steps);
    note(quiet, steps->is);
}

void quiet_go_on(const struct quiet *quiet, struct quiet_steps *steps)
{
    WIDEST(propose)(quiet, steps);
}
