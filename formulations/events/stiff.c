/*
 * stiff.c - stiffness detection (Hairer, Wanner 1996, IV.2): an implicit method goes on
 * where equations are stiff for an explicit one.
 *
 * Where stability limits steps, h lambda of the fastest motion stays at the end of the
 * interval where the method is stable. Fifteen steps that show this, with never six
 * others in a row between them, make stiffness sure (DOP853 of those authors). The
 * implicit method takes the rest of the arc; the next arc begins with the explicit one,
 * as an event may have ended the stiffness.
 */
#include "base/memory.h"
#include "events/hybrid.h"

enum { SIGNS = 15, CALM = 6 };

/* The part of the stable interval at whose end steps are that stability limits: error
   control moves them about, and keeps them below it where an estimate is of high order
   (DOPRI5 and DOP853 of those authors take 0.98 and more of theirs). */
static const double near_the_end = 0.9;

/* The controller starts anew: errors of another method say nothing. */
static void take(struct hybrid *core, const struct integrator *integrator, void *method)
{
    core->integrator = integrator;
    core->method = method;
    core->ode.implicit = integrator->alloc_implicit ? &core->system->implicit : NULL;
    core->stiff.signs = core->stiff.calm = 0;
    core->step.fresh = true;
    core->control.order = integrator->aim ? integrator->aim(method, core->control.rtol)
                                          : 0;
    control_restart(&core->control, core->x);
}

bool stiff_shows(const struct integrator *integrator, double stiffness)
{
    return !(stiffness < near_the_end * integrator->stable);
}

void stiff_note_calm(struct hybrid *core, long steps)
{
    struct stiff *stiff = &core->stiff;
    stiff->calm += steps;
    if (stiff->calm >= CALM)
        stiff->signs = 0;
}

void stiff_note(struct hybrid *core)
{
    struct stiff *stiff = &core->stiff;
    if (!stiff->allowed)
        return;
    if (stiff->integrator) {
        core->out->implicit_steps++;
    } else if (!stiff_shows(core->integrator,
                            core->integrator->stiffness(core->method))) {
        stiff_note_calm(core, 1);
    } else {
        stiff->signs++;
        stiff->calm = 0;
    }
}

void stiff_choose(struct hybrid *core)
{
    struct stiff *stiff = &core->stiff;
    if (stiff->signs < SIGNS || !core->system->now->stage)
        return;
    const struct integrator *implicit = core->integrator->stiff;
    void *method = implicit->alloc_implicit(&core->system->implicit);
    if (!method)
        memory_exhausted();
    stiff->integrator = core->integrator;
    stiff->method = core->method;
    take(core, implicit, method);
}

void stiff_restart(struct hybrid *core)
{
    struct stiff *stiff = &core->stiff;
    stiff->signs = stiff->calm = 0;
    if (!stiff->integrator)
        return;
    core->integrator->release(core->method);
    take(core, stiff->integrator, stiff->method);
    stiff->integrator = NULL;
}
