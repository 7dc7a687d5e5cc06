/*
 * accuracy.c - componentwise error bounds of the state at a located event.
 *
 * The error control of a step measures a component by the largest of its group
 * (integrator.h), and so cannot tell how well a millimetre is known beside a kilometre.
 * Here each component is measured by itself, by the sum of two parts. The first is the
 * tolerance of the run at the largest magnitude that the component has had on the last
 * arc, as far as the ends of the arc tell: where events come closer and closer, errors
 * shrink with the motion that is left. The second is the error that the step with the
 * event was estimated to have in the component. The second part shows how a large
 * component disturbs a small one that depends on it, and is next to nothing elsewhere.
 */
#include <float.h>
#include <math.h>

#include "base/largest.h"
#include "events/hybrid.h"

/* Errors of single steps accumulate along a run by about this factor. */
static const double accumulated = 100;

double run_accuracy(const struct hybrid *core)
{
    return accumulated * core->request->rtol + run_rounding;
}

static int components(const struct hybrid *core)
{
    return 2 * core->model->n + core->model->ns;
}

void accuracy_begin(struct hybrid *core)
{
    for (int i = 0; i < components(core); i++)
        core->accuracy.size[i] = fabs(core->x[i]);
}

void accuracy_note_size(struct hybrid *core)
{
    double arc = core->t - core->arc_began;
    for (int i = 0; i < components(core); i++)
        core->accuracy.size[i] = larger(core->accuracy.size[i],
                               larger(fabs(core->x[i]), fabs(core->dx[i]) * arc));
}

void accuracy_note_step(struct hybrid *core)
{
    const struct integrator *integrator = core->integrator;
    for (int i = 0; i < core->system->dim; i++) {
        double err[2] = {0};
        for (int e = 0; e < integrator->errors; e++)
            err[e] = fabs(core->step.err[e][i]);
        /* `combine` works in units of the tolerance, and only makes the error smaller. */
        double error = integrator->combine ? err[0] : control_combined(integrator, err);
        core->accuracy.slip[i] = error;
    }
}

/* Rounding of a component that is computed from all others of its group. */
static double rounding_of(const struct hybrid *core, int i)
{
    int n = core->model->n, group = i / (n > 0 ? n : 1);
    if (i >= 2 * n)
        return 0;
    return component_rounding * largest(core->accuracy.size + group * n, n);
}

double derivative_accuracy(const struct hybrid *core, int i, double most)
{
    return accumulated * core->accuracy.slip[i] + component_rounding * most;
}

double component_accuracy(const struct hybrid *core, int i, bool start)
{
    double relative = run_accuracy(core);
    if (start)
        relative = fmin(start_accuracy, relative);
    double size = larger(core->accuracy.size[i], fabs(core->x[i]));
    return relative * size + rounding_of(core, i) +
           (start ? 0 : accumulated * core->accuracy.slip[i]);
}

/* The signed part, in (1/2, 1) up or down, by which component i is moved. The parts are
   irregular: a regular pattern leaves guards like x1 - x2 or x1 + x2 where they are. */
static double irregular(int i)
{
    double f = (i + 1) * 0.7548776662466927;
    f -= (int)f;
    return f < 0.5 ? -1 + f : f;
}

void state_beside(struct hybrid *core, bool start)
{
    double *beside = core->accuracy.beside;
    for (int i = 0; i < components(core); i++)
        beside[i] = core->x[i] + irregular(i) * component_accuracy(core, i, start);
}
