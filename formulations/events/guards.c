/*
 * guards.c - unknowns and guards of the current mode at a state.
 */
#include "events/hybrid.h"

enum status hybrid_solve(struct hybrid *core, double t, const double *x)
{
    struct system *system = core->system;
    int n = core->model->n;
    return system_solve(system, system->now, t, x, x + n, x + 2 * n, system->a,
                        system->lambda);
}

void hybrid_guards(struct hybrid *core, double t, const double *x)
{
    const struct system *system = core->system;
    const double *a = system->now->guards_use_unknowns ? system->a : NULL;
    system_guards(system->now, t, x, a, system->lambda, core->guard.r);
}
