/*
 * system_guards.c - guards at a point, and the part of the state that they depend on.
 */
#include "system.h"

void system_guards(struct mode_system *ms, double t, const double *x, const double *a,
                   const double *lambda, double *r)
{
    int n = ms->monitors.n;
    tiered_program_load_point(&ms->guard_code, 0, t, x, x + n, x + 2 * n, ms->guard_w);
    tiered_program_run(&ms->guard_code, STAGE_STATE, ms->guard_w);
    if (a) {
        program_load(ms->guard, BLOCK_A, a, ms->guard_w);
        program_load(ms->guard, BLOCK_LAMBDA, lambda, ms->guard_w);
        tiered_program_run(&ms->guard_code, STAGE_UNKNOWN, ms->guard_w);
    }
    for (int k = 0; k < ms->guards; k++)
        r[k] = ms->guard_w[ms->guard->output[k]];
}

void system_guard_values(struct mode_system *ms, double t, const double *x, double *r)
{
    const struct step_monitors *monitors = &ms->monitors;
    const struct edge_monitors *edges = &ms->edges;
    if (step_monitors_guards(monitors, t, x, r))
        return;
    if (monitors->guards > 0)
        system_guards(ms, t, x, NULL, NULL, r);
    edge_monitors_at(&ms->edges, &(struct edge_point){.t = t, .x = x});
    for (int k = 0; k < monitors->edges; k++) {
        r[monitors->guards + k] = edge_zero(edges, k);
        if (monitors->beside[k] >= 0)
            r[monitors->beside[k]] = edge_beside(edges, k);
    }
    step_monitors_guards_missed(&ms->monitors);
}

void guards_find_seen(const struct model *model, struct mode_system *ms)
{
    int n = model->n, all = 2 * n + model->ns, first = all, last = -1;
    const int begin[] = {[BLOCK_Q] = 0, [BLOCK_V] = n, [BLOCK_S] = 2 * n};
    for (int k = 0; k < ms->guard->inputs; k++) {
        const struct program_input *input = &ms->guard->input[k];
        if (input->block < BLOCK_Q || input->block > BLOCK_S)
            continue;
        int i = begin[input->block] + input->index;
        first = i < first ? i : first;
        last = i > last ? i : last;
    }
    ms->seen_first = ms->guards_use_unknowns || last < 0 ? 0 : first;
    ms->seen = ms->guards_use_unknowns ? all : last + 1 - ms->seen_first;
}
