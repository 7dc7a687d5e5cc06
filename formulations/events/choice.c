/*
 * choice.c - guard conditions: the event of a guard that happens is the first declared
 * one whose conditions hold just before it.
 *
 * A condition that is zero there for these values of the parameters is positive for some
 * neighbours and negative for others, which move on differently: at most one-sided
 * derivatives exist. So a condition must be further from zero than an error of the state
 * can move it.
 */
#include "events/choice.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "events/hybrid.h"

void choice_init(struct choice *choice, const struct model *model, struct arena *arena)
{
    int count = 0;
    for (int k = 0; k < model->events; k++)
        count += model->event[k]->conditions;
    *choice = (struct choice){.conditions = count};
    if (count == 0)
        return;
    formula *f = memory_new(count, sizeof *f);
    choice->first = arena_new(arena, model->events, sizeof *choice->first);
    for (int k = 0, at = 0; k < model->events; at += model->event[k++]->conditions) {
        choice->first[k] = at;
        memory_copy(f + at, model->event[k]->condition, model->event[k]->conditions,
                    sizeof *f);
    }
    unsigned char stages[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE | BLOCK_SET(BLOCK_A) | BLOCK_SET(BLOCK_LAMBDA), 0,
                   stages);
    choice->program = program_seal(model->tape, f, count, stages);
    choice->uses_unknowns = program_uses(choice->program, BLOCK_A) ||
                            program_uses(choice->program, BLOCK_LAMBDA);
    choice->w = arena_new(arena, choice->program->slots, sizeof *choice->w);
    choice->value = arena_new(arena, 2 * count, sizeof *choice->value);
    program_init(choice->program, choice->w);
    free(f);
}

void choice_set(struct choice *choice, const double *rho)
{
    if (choice->conditions == 0)
        return;
    program_set_parameters(choice->program, rho, choice->w);
}

void choice_clear(struct choice *choice)
{
    if (choice->program)
        program_free(choice->program);
}

/* Evaluates all conditions at a state x of the current mode: value [conditions]. */
static enum status evaluate(struct hybrid *core, const double *x, double *value)
{
    const struct choice *choice = &core->choice;
    const struct system *system = core->system;
    int n = core->model->n;
    enum status status = choice->uses_unknowns ? hybrid_solve(core, core->t, x) : OK;
    if (status != OK)
        return status;
    program_load_point(choice->program, 0, core->t, x, x + n, x + 2 * n, choice->w);
    program_load(choice->program, BLOCK_A, system->a, choice->w);
    program_load(choice->program, BLOCK_LAMBDA, system->lambda, choice->w);
    program_run(choice->program, STAGE_STATE, choice->w);
    for (int i = 0; i < choice->conditions; i++)
        value[i] = choice->w[choice->program->output[i]];
    return OK;
}

/* Does the event happen? CONDITION_EDGE is returned where no condition fails for sure,
   but one cannot be told from zero. */
static enum status holds(struct hybrid *core, const struct event *event, bool *does)
{
    const struct choice *choice = &core->choice;
    int doubtful = -1;
    *does = true;
    for (int i = 0; i < event->conditions; i++) {
        double value = choice->value[choice->first[event->index] + i];
        double beside = choice->value[choice->conditions + choice->first[event->index] +
                                      i];
        bool clear = fabs(value) > 2 * fabs(value - beside);
        if (clear && value < 0)
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
                    choice->value[choice->first[event->index] + doubtful],
                    core->request->rtol);
}

enum status choice_take(struct hybrid *core, int *guard)
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
                              core->choice.value + core->choice.conditions);
            if (status == OK)
                status = evaluate(core, core->x, core->choice.value);
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
