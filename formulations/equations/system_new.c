/*
 * system_new.c - a model in a formulation: made, given values of the parameters, freed.
 */
#include "explicit_series.h"
#include "motion_series.h"
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void allocate(struct system *system)
{
    const struct model *model = system->model;
    struct { double **array; int size; } const part[] = {
        {&system->rho, model->p},
        {&system->a, model->n}, {&system->a_dot, model->n}, {&system->lambda, model->m},
        {&system->lambda_dot, model->m}, {&system->Lambda, system->p * model->m},
        {&system->projected, system->dim},
        {&system->compared, system->dim}, {&system->compared_dx, system->dim},
        {&system->zeros, model->n + model->ns + model->m + 1}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        *part[k].array = arena_new(&system->arena, part[k].size, sizeof(double));
    system->mode = arena_new(&system->arena, model->modes, sizeof *system->mode);
}

enum status system_new(const struct model *model, const struct formulation *formulation,
                       const char *const *option, const double *rho, int p,
                       const int *parameter, enum system_use use, struct system **out,
                       struct diagnosis *diagnosis)
{
    const char *why;
    *out = NULL;
    if (!formulation_applies(formulation, model, &why))
        return diagnose(diagnosis, NOT_APPLICABLE, NAN, "formulation %s on %s: %s",
                        formulation->name, model->desc->name, why);
    struct system *system = memory_new(1, sizeof *system);
    system->model = model;
    system->formulation = formulation;
    system->p = p;
    system->parameter = parameter;
    system->state = 2 * model->n + model->ns + model->nz;
    system->dim = system->state * (1 + p);
    system->diagnosis = diagnosis;
    allocate(system);
    memcpy(system->rho, rho, (size_t)model->p * sizeof *rho);
    enum status status = OK;
    for (int k = 0; status == OK && k < model->modes; k++)
        status = system_compile_mode(system, k, option, use, diagnosis);
    if (status != OK) {
        system_free(system);
        return status;
    }
    system_set(system, rho);
    *out = system;
    return OK;
}

/* Evaluates all rows of a mode that depend on parameters alone. */
static void set_mode(const struct system *system, struct mode_system *ms)
{
    const struct projection *projection = system->formulation->projection;
    ms->solved.valid = ms->solved.explicit_rhs = false;
    program_set_parameters(ms->motion, system->rho, ms->w);
    program_set_parameters(ms->guard, system->rho, ms->guard_w);
    if (!ms->guards_use_unknowns)
        guard_rates_set(&ms->rates, system->rho);
    formula_bounds_set(&ms->bounds.of, system->rho);
    sharp_terms_set(&ms->sharp, system->rho);
    constraints_set(&ms->constraints, system->rho);
    edge_monitors_set(&ms->edges, system->rho);
    step_monitors_set(&ms->monitors, system->rho);
    if (ms->independent)
        explicit_rhs_start(ms->independent, system->rho);
    if (ms->dependent)
        explicit_rhs_start(ms->dependent, system->rho);
    ms->explicit_rhs = ms->independent;
    if (ms->stage)
        stage_equations_set(ms->stage, system->rho);
    ms->series_set = ms->explicit_series_set = false;
    if (!projection || ms->mode->m == 0)
        return;
    if (ms->projecting && projection->renew) {
        projection->renew(ms->projecting);
        return;
    }
    if (ms->projecting)
        projection->release(ms->projecting);
    ms->projecting = projection->alloc(&ms->constraints);
}

void system_set(struct system *system, const double *rho)
{
    memory_copy(system->rho, rho, system->model->p, sizeof *rho);
    system->evaluations = system->compiled = 0;
    for (int k = 0; k < system->model->modes; k++)
        set_mode(system, &system->mode[k]);
    system_enter(system, &system->mode[system->model->start->index]);
}

void system_use_code(struct system *system, enum code_use use)
{
    system->use = use;
    for (int k = 0; k < system->model->modes; k++) {
        struct mode_system *ms = &system->mode[k];
        if (ms->independent)
            explicit_rhs_use_code(ms->independent, use);
        if (ms->dependent)
            explicit_rhs_use_code(ms->dependent, use);
        if (ms->motion_code.program)
            tiered_program_use_code(&ms->motion_code, use);
        if (ms->stage)
            stage_equations_use_code(ms->stage, use);
        tiered_program_use_code(&ms->guard_code, use);
        constraints_use_code(&ms->constraints, use);
        step_monitors_use_code(&ms->monitors, use);
        if (!ms->guards_use_unknowns)
            tiered_program_use_code(&ms->rates.code, use);
    }
}

void system_enter(struct system *system, struct mode_system *ms)
{
    system->now = ms;
    if (ms->stage)
        stage_equations_enter(system);
}

static void free_mode_system(struct system *system, struct mode_system *ms)
{
    if (!ms->motion)
        return;
    tiered_program_clear(&ms->motion_code);
    program_free(ms->motion);
    tiered_program_clear(&ms->guard_code);
    program_free(ms->guard);
    guard_rates_clear(&ms->rates);
    formula_bounds_clear(&ms->bounds.of);
    sharp_terms_clear(&ms->sharp);
    ms->linear->release(ms->factors);
    if (ms->projecting)
        system->formulation->projection->release(ms->projecting);
    constraints_clear(&ms->constraints);
    edge_monitors_clear(&ms->edges);
    step_monitors_clear(&ms->monitors);
    explicit_series_free(ms->explicit_series);
    explicit_rhs_free(ms->independent);
    explicit_rhs_free(ms->dependent);
    free(ms->formulas);
    stage_equations_free(ms->stage);
    motion_series_free(ms->series);
    if (ms->iterated)
        rank_qr_clear(&ms->iterates.C);
    free(ms->entries.column);
    arena_free(&ms->arena);
}

void system_free(struct system *system)
{
    if (!system)
        return;
    for (int k = 0; k < system->model->modes; k++)
        free_mode_system(system, &system->mode[k]);
    arena_free(&system->arena);
    free(system);
}
