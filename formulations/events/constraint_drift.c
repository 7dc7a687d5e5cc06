/*
 * constraint_drift.c - why a run is refused whose formulation has let go of a constraint.
 *
 * A formulation that keeps the constraints has |Phi| at rounding, or near its tolerance,
 * along an arc. Where it has grown far beyond, what refuses the run (an impact that does
 * not fit, a configuration that cannot be assembled) is a consequence, and is told as
 * one.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "events/hybrid.h"

/* Errors of an arc that keeps its constraints, by the tolerance. */
static const double kept = 100;

/* The largest violations of an arc: rows of Phi, and of its rate. */
struct violation { int row; double phi, start; };

/* The row with the largest violation, there and where the arc began. */
static struct violation largest(const struct mode *mode, const double *now,
                                const double *start, bool rates)
{
    struct violation worst = {.row = -1};
    for (int i = 0; i < mode->m; i++)
        if ((rates || !mode->velocity_level[i]) && !(fabs(now[i]) <= worst.phi))
            worst = (struct violation){i, fabs(now[i]), fabs(start[i])};
    return worst;
}

/* Phi and its rate [m] each where the present arc began; false: they are not known. */
static bool at_arc_start(struct hybrid *core, double *start)
{
    const struct trajectory *out = core->out;
    const struct run_point *point = out->events > 0 ? &out->event[out->events - 1].after
                                    : out->samples > 0 ? &out->sample[0] : NULL;
    struct step_monitors *monitors = &core->system->now->monitors;
    const struct model *model = core->model;
    int m = monitors->mode->m;
    if (!point || point->mode->index != monitors->mode->index)
        return false;
    double *x = memory_new(2 * core->system->dim, sizeof *x);
    memory_copy(x, point->x + column(&out->columns, GROUP_Q, 0, -1),
                2 * model->n + model->ns, sizeof *x);
    step_monitors_at(monitors, point->t, x);
    memory_copy(start, monitors->Phi, m, sizeof *start);
    memory_copy(start + m, monitors->Phid, m, sizeof *start);
    free(x);
    return true;
}

/* The largest coordinate, or velocity, which a violation is compared with. */
static double size_of(const struct hybrid *core, bool rates)
{
    double size = 0;
    int n = core->model->n;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(core->x[rates * n + i]));
    return size;
}

static bool has_drifted(const struct hybrid *core, const struct violation *worst,
                        bool rates)
{
    double tolerance = core->request->rtol * size_of(core, rates);
    return worst->row >= 0 && worst->phi > kept * fmax(worst->start, tolerance);
}

enum status constraint_drift_refusal(struct hybrid *core, enum status status)
{
    const struct diagnosis cause = *core->diagnosis;
    struct step_monitors *monitors = &core->system->now->monitors;
    unsigned can = core->system->formulation->capabilities;
    int m = monitors->mode->m;
    if (status == OK || !(can & KEEPS_CONSTRAINTS) || (can & DRIFTS_OFF) || !core->out)
        return status;
    double *start = memory_new(2 * m, sizeof *start);
    bool known = at_arc_start(core, start), drifted = false;
    step_monitors_at(monitors, core->t, core->x);
    for (int rates = 0; rates < 2 && known && !drifted; rates++) {
        struct violation worst = largest(monitors->mode,
                                         rates ? monitors->Phid : monitors->Phi,
                                         start + rates * m, rates);
        drifted = has_drifted(core, &worst, rates);
        if (drifted)
            diagnose(core->diagnosis, status, cause.t, "%sconstraint %d has drifted from "
                     "%.1g to %.1g along arc %d, though %s is to keep it; met as: %.250s",
                     rates ? "the rate of " : "", worst.row + 1, worst.start, worst.phi,
                     core->out->events + 1, core->system->formulation->name, cause.place);
    }
    free(start);
    return status;
}
