/*
 * system_guards.c - guards at a point.
 */
#include "system.h"

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
