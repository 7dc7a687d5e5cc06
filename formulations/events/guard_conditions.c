/*
 * guard_conditions.c - guard conditions: the event of a guard that happens is the first
 * declared one whose conditions hold just before it.
 *
 * A condition that is zero there for these values of the parameters is positive for some
 * neighbours and negative for others, which move on differently: at most one-sided
 * derivatives exist. So a condition must be further from zero than an error of the state
 * can move it.
 */
#include "events/guard_conditions.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "events/hybrid.h"
#include "gate.h"

void guard_conditions_init(struct guard_conditions *conditions, struct arena *arena,
                           const struct model *model)
{
    int count = 0;
    for (int k = 0; k < model->events; k++)
        count += model->event[k]->conditions;
    *conditions = (struct guard_conditions){.count = count};
    if (count == 0)
        return;
    formula *f = memory_new(count, sizeof *f);
    conditions->first = arena_new(arena, model->events, sizeof *conditions->first);
    for (int k = 0, at = 0; k < model->events; at += model->event[k++]->conditions) {
        conditions->first[k] = at;
        memory_copy(f + at, model->event[k]->condition, model->event[k]->conditions,
                    sizeof *f);
    }
    unsigned char stages[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE | BLOCKS_OF_UNKNOWNS, 0, stages);
    conditions->program = program_seal(model->tape, f, count, stages);
    conditions->uses_unknowns = program_uses(conditions->program, BLOCK_A) ||
                                program_uses(conditions->program, BLOCK_LAMBDA);
    conditions->w = arena_new(arena, conditions->program->slots, sizeof *conditions->w);
    conditions->value = arena_new(arena, 2 * count, sizeof *conditions->value);
    program_init(conditions->program, conditions->w);
    free(f);
}

void guard_conditions_set(struct guard_conditions *conditions, const double *rho)
{
    if (conditions->count == 0)
        return;
    program_set_parameters(conditions->program, rho, conditions->w);
}

void guard_conditions_clear(struct guard_conditions *conditions)
{
    if (conditions->program)
        program_free(conditions->program);
}

/* Evaluates all conditions at a state x of the current mode: value [conditions]. */
static enum status evaluate(struct hybrid *core, const double *x, double *value)
{
    const struct guard_conditions *conditions = &core->conditions;
    const struct system *system = core->system;
    int n = core->model->n;
    enum status status = conditions->uses_unknowns ? hybrid_solve(core, core->t, x) : OK;
    if (status != OK)
        return status;
    program_load_point(conditions->program, 0, core->t, x, x + n, x + 2 * n,
                       conditions->w);
    program_load(conditions->program, BLOCK_A, system->a, conditions->w);
    program_load(conditions->program, BLOCK_LAMBDA, system->lambda, conditions->w);
    program_run(conditions->program, STAGE_STATE, conditions->w);
    for (int i = 0; i < conditions->count; i++)
        value[i] = conditions->w[conditions->program->output[i]];
    return OK;
}

/* Refuses a condition without a value at core->x. */
static enum status has_values(struct hybrid *core, const struct event *event)
{
    const struct guard_conditions *conditions = &core->conditions;
    int first = conditions->first[event->index];
    const struct edge_point point = {
        .t = core->t, .x = core->x, .a = core->system->a, .lambda = core->system->lambda};
    enum status status = edges_at(core, &core->edges.condition[event->index], &point, "");
    for (int i = 0; status == OK && i < event->conditions; i++) {
        char reason[200] = "";
        const struct gate gate = {core->t, conditions->value[first + i], NULL, reason};
        if (isfinite(gate.value))
            continue;
        program_blame_output(conditions->program, core->model->names, first + i,
                             conditions->w, reason, sizeof reason);
        status = gate_refuse(&gate, core->diagnosis, "condition %d of event %s", i + 1,
                             event->name);
    }
    return status;
}

/* Does the event happen? CONDITION_EDGE is returned where no condition fails for sure,
   but one cannot be told from zero. */
static enum status holds(struct hybrid *core, const struct event *event, bool *does)
{
    const struct guard_conditions *conditions = &core->conditions;
    *does = true;
    if (event->conditions == 0)
        return OK;
    enum status status = has_values(core, event);
    if (status != OK)
        return status;
    const double *here = conditions->value + conditions->first[event->index];
    const double *beside = here + conditions->count;
    int doubtful = -1;
    for (int i = 0; i < event->conditions; i++) {
        bool clear = fabs(here[i]) > 2 * fabs(here[i] - beside[i]);
        if (clear && here[i] < 0)
            *does = false;
        else if (!clear)
            doubtful = i;
    }
    if (!*does || doubtful < 0)
        return OK;
    char text[120];
    formula_print(event->condition[doubtful], core->model->names, text, sizeof text);
    return diagnose(core->diagnosis, CONDITION_EDGE, core->t,
                    "condition %s > 0 of event %s is %.3g at its guard, which at rtol = "
                    "%.3g cannot be told from zero: the derivative is one-sided, or a "
                    "lower rtol tells more", text, event->name,
                    here[doubtful], core->request->rtol);
}

enum status guard_conditions_take(struct hybrid *core, int *guard)
{
    const struct mode_system *ms = core->system->now;
    const struct event *leader = ms->event[*guard];
    bool asked = false, does = false;
    enum status status = OK;
    for (int k = *guard; status == OK && k < ms->guards; k++) {
        const struct event *event = ms->event[k];
        if (core->guard.fires[k] == 0 || !event_shares_guard(leader, event))
            continue;
        if (event->conditions > 0 && !asked) {
            state_beside(core, false);
            status = evaluate(core, core->accuracy.beside,
                              core->conditions.value + core->conditions.count);
            if (status == OK)
                status = evaluate(core, core->x, core->conditions.value);
            asked = true;
        }
        if (status == OK)
            status = holds(core, event, &does);
        if (status == OK && does) {
            *guard = k;
            return OK;
        }
    }
    *guard = -1;
    return status;
}
