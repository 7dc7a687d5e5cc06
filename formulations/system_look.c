/*
 * system_look.c - what is looked at after a step: constraints and guards.
 */
#include "largest.h"
#include "system.h"

void system_constraint_errors(const struct system *system, struct mode_system *ms,
                              double t, const double *x, double *Phi, double *Phid)
{
    struct constraints *c = &ms->constraints;
    int n = system->model->n;
    *Phi = *Phid = 0;
    if (c->m == 0)
        return;
    constraints_at(c, t, x, x + n, x + 2 * n);
    for (int i = 0; i < c->m; i++) {
        if (!ms->mode->velocity_level[i])
            *Phi = larger(*Phi, fabs(constraints_value(c, c->Phi + i)));
        *Phid = larger(*Phid, fabs(constraints_value(c, c->Phid + i)));
    }
}

void system_guards(struct mode_system *ms, double t, const double *q,
                   const double *v, const double *s, const double *a,
                   const double *lambda, double *r)
{
    program_load_point(ms->guard, 0, t, q, v, s, ms->guard_w);
    compiled_run(&ms->guard_code, STAGE_STATE, ms->guard_w);
    if (a) {
        program_load(ms->guard, BLOCK_A, a, ms->guard_w);
        program_load(ms->guard, BLOCK_LAMBDA, lambda, ms->guard_w);
        compiled_run(&ms->guard_code, STAGE_UNKNOWN, ms->guard_w);
    }
    for (int k = 0; k < ms->guards; k++)
        r[k] = ms->guard_w[ms->guard->output[k]];
}
