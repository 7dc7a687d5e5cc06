/*
 * system_compile.c - a mode in a formulation is compiled to programs, by automatic
 * differentiation of its formulas.
 */
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "linear/klu.h"
#include "program/fault.h"
#include "program/stages.h"

/* The multipliers mu of an iterated residual are those of the iterate before: their
   direction is given. The direction of y in (dR_u)' y, which stands for the unknowns in
   another copy, is given, too. */
static void mode_stages(unsigned char *stage)
{
    program_stages(BLOCKS_OF_STATE, BLOCKS_OF_UNKNOWNS | BLOCK_SET(BLOCK_MU), stage);
    stage[TANGENT(BLOCK_MU)] = STAGE_DIRECTION;
    stage[DIRECTION(BLOCK_A, 2)] = stage[DIRECTION(BLOCK_LAMBDA, 2)] = STAGE_DIRECTION;
}

/* A list of outputs that grows; the caller keeps the beginning of each part. */
struct outputs {
    formula *f;
    int count, room;
};

static int append(struct outputs *outputs, const formula *f, int count)
{
    int begin = outputs->count;
    outputs->f = memory_grow(outputs->f, &outputs->room, begin + count + 1,
                             sizeof *outputs->f);
    memory_copy(outputs->f + begin, f, count, sizeof *f);
    outputs->count += count;
    return begin;
}

/* Appends the derivatives of `count` formulas in the direction of the active blocks. */
static int append_tangent(struct outputs *outputs, const struct model *model,
                          const formula *f, int count, const bool *active)
{
    formula *dot_f = memory_new(count, sizeof *dot_f);
    tangent(model->tape, f, count, active, 1, dot_f);
    int begin = append(outputs, dot_f, count);
    free(dot_f);
    return begin;
}

void system_row_of_matrix(const struct model *model, const struct unknown *unknown,
                          int rows, formula R, formula *row)
{
    formula *by_a = memory_new(model->n, sizeof *by_a);
    formula *by_lambda = memory_new(model->m, sizeof *by_lambda);
    gradient(R, BLOCK_A, model->n, by_a);
    gradient(R, BLOCK_LAMBDA, model->m, by_lambda);
    for (int j = 0; j < rows; j++)
        row[j] = (unknown[j].block == BLOCK_A ? by_a : by_lambda)[unknown[j].index];
    free(by_a);
    free(by_lambda);
}

/* Appends R_u, entry by entry, by the layout of the unknowns. */
static int append_matrix(struct outputs *outputs, const struct model *model,
                         const struct residual *residual)
{
    int rows = residual->rows, begin = outputs->count;
    formula *row = memory_new(rows, sizeof *row);
    for (int i = 0; i < rows; i++) {
        system_row_of_matrix(model, residual->unknown, rows, residual->R[i], row);
        append(outputs, row, rows);
    }
    free(row);
    return begin;
}

/* Appends the structural nonzeros of R_u, row by row; the unknowns are a, then lambda. */
static int append_entries(struct outputs *outputs, const struct model *model,
                          const struct residual *residual, struct mode_system *ms)
{
    int rows = residual->rows, n = model->n, all = n + model->m;
    struct entries *at = &ms->entries;
    const struct { int block, first, size; } part[] = {{BLOCK_A, 0, n},
                                                       {BLOCK_LAMBDA, n, model->m}};
    formula *row = memory_new(all, sizeof *row);
    int *column = memory_new(all, sizeof *column), begin = outputs->count;
    at->begin = arena_new(&ms->arena, rows + 1, sizeof *at->begin);
    for (int i = 0; i < rows; i++) {
        for (int b = 0; b < 2; b++) {
            int count = gradient_entries(residual->R[i], part[b].block, part[b].size, row,
                                         column);
            at->column = memory_grow(at->column, &at->room, at->count + count,
                                     sizeof *at->column);
            for (int k = 0; k < count; k++) {
                if (part[b].first + column[k] < rows) {
                    at->column[at->count++] = part[b].first + column[k];
                    append(outputs, &row[column[k]], 1);
                }
                row[column[k]] = (formula){NULL, 0};
            }
        }
        at->begin[i + 1] = at->count;
    }
    free(row);
    free(column);
    return begin;
}

/* Appends (dR_u)' y along a direction: the derivative of grad_u (y'R), where y stands in
   the second copy of the blocks of (a, lambda). */
static int append_matrix_tangent(struct outputs *outputs, const struct model *model,
                                 const struct residual *residual, const bool *active)
{
    int rows = residual->rows, n = model->n;
    formula sum_of_rows = {NULL, 0};
    formula *by_u = memory_new(n + model->m, sizeof *by_u);
    for (int i = 0; i < rows; i++) {
        formula y = i < n ? variable(model->tape, DIRECTION(BLOCK_A, 2), i)
                          : variable(model->tape, DIRECTION(BLOCK_LAMBDA, 2), i - n);
        sum_of_rows = add(sum_of_rows, mul(y, residual->R[i]));
    }
    gradient(sum_of_rows, BLOCK_A, n, by_u);
    gradient(sum_of_rows, BLOCK_LAMBDA, model->m, by_u + n);
    int begin = append_tangent(outputs, model, by_u, rows, active);
    free(by_u);
    return begin;
}

static const bool state_moves[BLOCKS] = {
    [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_S] = true,
    [BLOCK_RHO] = true, [BLOCK_MU] = true};
static const bool all_move[BLOCKS] = {
    [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_S] = true,
    [BLOCK_RHO] = true, [BLOCK_A] = true, [BLOCK_LAMBDA] = true};

const struct formulation *system_algebraic(const struct system *system)
{
    const struct formulation *formulation = system->formulation;
    return formulation->kind == DAE ? formulation->reduced : formulation;
}

/* Does R_u depend on the unknowns? */
static bool is_affine(const struct mode_system *ms, int entries)
{
    for (int k = 0; k < entries; k++)
        if (ms->motion->output_stage[ms->at.R_u + k] > STAGE_STATE)
            return false;
    return true;
}

static void compile_programs(const struct system *system, struct mode_system *ms,
                             const struct residual *residual, enum system_use use)
{
    const struct model *model = system->model;
    const struct mode *mode = ms->mode;
    struct outputs outputs = {0};
    int rows = residual->rows;

    ms->at.R = append(&outputs, residual->R, rows);
    ms->at.f_s = append(&outputs, mode->f_s, model->ns);
    ms->at.g = append(&outputs, mode->g, model->nz);
    ms->at.R_u = ms->linear->alloc_sparse
                     ? append_entries(&outputs, model, residual, ms)
                     : append_matrix(&outputs, model, residual);
    int entries = outputs.count - ms->at.R_u;
    ms->at.R_dot = append_tangent(&outputs, model, residual->R, rows, state_moves);
    ms->at.f_s_dot = append_tangent(&outputs, model, mode->f_s, model->ns, all_move);
    ms->at.g_dot = append_tangent(&outputs, model, mode->g, model->nz, all_move);
    if (ms->linear->kernel_part)
        ms->at.R_u_dot_y = append_matrix_tangent(&outputs, model, residual, state_moves);
    sharp_terms_init(&ms->sharp, &ms->arena, model, outputs.f, ms->at.R_u);
    unsigned char stages[BLOCK_LIMIT];
    mode_stages(stages);
    ms->motion = program_seal_derivatives(model->tape, outputs.f, outputs.count,
                                          ms->at.R_u, stages, "motion", mode->name);
    ms->affine = is_affine(ms, entries);
    ms->iterated = residual->iterated;
    ms->beside = use == SYSTEM_RATES_BESIDE;
    ms->formulas = outputs.f;
}

/* Finds the slots of the unknowns; slot 0, which holds 0, is for one that is not used. */
static void find_unknowns(struct mode_system *ms)
{
    const struct program *program = ms->motion;
    for (int i = 0; i < ms->unknowns; i++) {
        const struct unknown *u = &ms->unknown[i];
        int low = program->block_begin[u->block];
        int high = program->block_begin[u->block + 1];
        while (low < high) {
            int middle = (low + high) / 2;
            if (program->input[middle].index < u->index)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < program->block_begin[u->block + 1] &&
            program->input[low].index == u->index)
            ms->unknown_slot[i] = program->input[low].slot;
    }
}

/* Are the unknowns in the order a, lambda, which the tables of linear.h need? */
static bool ordered(const struct model *model, const struct residual *residual,
                    const struct mode *mode)
{
    bool right = residual->rows == model->n + mode->m;
    for (int i = 0; right && i < residual->rows; i++) {
        const struct unknown *u = &residual->unknown[i];
        right = i < model->n ? u->block == BLOCK_A && u->index == i
                             : u->block == BLOCK_LAMBDA && u->index == i - model->n;
    }
    return right;
}

static void compile_motion(const struct system *system, struct mode_system *ms,
                           const struct residual *residual, enum system_use use)
{
    const struct model *model = system->model;
    struct arena *arena = &ms->arena;
    int rows = residual->rows;
    compile_programs(system, ms, residual, use);
    ms->unknowns = rows;
    ms->unknown = arena_new(arena, rows, sizeof *ms->unknown);
    memory_copy(ms->unknown, residual->unknown, rows, sizeof *ms->unknown);
    ms->unknown_slot = arena_new(arena, rows, sizeof *ms->unknown_slot);
    find_unknowns(ms);
    system_compile_explicit(system, ms);
    if (ms->iterated) {
        ms->iterates.u = arena_new(arena, (MOST_ITERATES + 1) * rows, sizeof(double));
        rank_qr_init(&ms->iterates.C, ms->mode->m, model->n);
    }
    ms->w = arena_new(arena, ms->motion->slots, sizeof *ms->w);
    solved_point_init(&ms->solved, arena, model->n, model->ns, model->m);
    bool sparse = ms->linear->alloc_sparse != NULL;
    ms->R_u = arena_new(arena, sparse ? ms->entries.count : rows * rows, sizeof *ms->R_u);
    ms->scaled = sparse ? NULL : arena_new(arena, rows * rows, sizeof *ms->scaled);
    ms->unit = arena_new(arena, rows, sizeof *ms->unit);
    for (int i = 0; i < rows; i++)
        ms->unit[i] = 1;
    ms->delta = arena_new(arena, rows, sizeof *ms->delta);
    ms->y = arena_new(arena, rows, sizeof *ms->y);
    ms->kernel = arena_new(arena, rows, sizeof *ms->kernel);
    ms->factors = sparse ? ms->linear->alloc_sparse(model->n, rows - model->n,
                                                    &ms->entries)
                         : ms->linear->alloc(model->n, rows - model->n);
}

static void compile_guards(const struct model *model, struct mode_system *ms)
{
    ms->event = arena_new(&ms->arena, model->events, sizeof *ms->event);
    struct outputs outputs = {0};
    for (int k = 0; k < model->events; k++)
        if (model->event[k]->from == ms->mode) {
            ms->event[ms->guards++] = model->event[k];
            append(&outputs, &model->event[k]->guard, 1);
        }
    struct outputs all = {0};
    append(&all, outputs.f, outputs.count);
    append_tangent(&all, model, outputs.f, outputs.count, all_move);
    unsigned char stages[BLOCK_LIMIT];
    mode_stages(stages);
    ms->guard = program_seal_derivatives(model->tape, all.f, all.count, outputs.count,
                                         stages, "guards", ms->mode->name);
    ms->guards_use_unknowns = false;
    for (int k = 0; k < ms->guards; k++)
        if (ms->guard->output_stage[k] > STAGE_STATE)
            ms->guards_use_unknowns = true;
    ms->guard_w = arena_new(&ms->arena, ms->guard->slots, sizeof *ms->guard_w);
    guards_find_seen(model, ms);
    guard_bounds_init(&ms->bounds, &ms->arena, model, ms->event, ms->guards);
    if (!ms->guards_use_unknowns)
        guard_rates_init(&ms->rates, &ms->arena, model, ms->mode, ms->event, ms->guards);
    free(outputs.f);
    free(all.f);
}

/* The residual that gives a, lambda at a point. NULL and a diagnosis are returned where
   an option is refused. */
static struct residual *algebraic_residual(const struct system *system,
                                           const struct mode_system *ms,
                                           const char *const *option,
                                           struct diagnosis *diagnosis)
{
    return formulation_residual(system_algebraic(system), system->model, ms->mode,
                                system->formulation->kind == DAE ? NULL : option,
                                diagnosis);
}

static enum status choose_linear(const struct system *system, struct mode_system *ms,
                                 const struct residual *residual,
                                 const char *const *option, struct diagnosis *diagnosis)
{
    const struct formulation *formulation = system->formulation;
    ms->linear = &linear_lu;
    if (formulation->linear) {
        struct diagnosis refusal = {.status = OK};
        const char *filled[MOST_OPTIONS];
        const struct linear_method *method =
            formulation->linear(options_filled(formulation, option, filled), &refusal);
        if (refusal.status != OK) {
            if (diagnosis)
                *diagnosis = refusal;
            return refusal.status;
        }
        ms->linear = method ? method : &linear_lu;
    }
    /* A large matrix is mostly zeros. */
    if (ms->linear == &linear_lu && !residual->iterated &&
        residual->rows >= SPARSE_FROM && ordered(system->model, residual, ms->mode))
        ms->linear = &linear_sparse;
    if (residual->iterated || ms->linear != &linear_lu)
        if (!ordered(system->model, residual, ms->mode))
            return diagnose(diagnosis, BAD_INPUT, NAN,
                            "formulation %s: its unknowns must be all of a, then all of "
                            "lambda", formulation->name);
    return OK;
}

/* Compiles the equations for an implicit integrator from the residual itself. */
static enum status compile_stage(struct system *system, struct mode_system *ms,
                                 const char *const *option, struct diagnosis *diagnosis)
{
    const struct formulation *formulation = system->formulation;
    struct residual *residual = formulation_residual(formulation, system->model, ms->mode,
                                                     option, diagnosis);
    if (!residual)
        return diagnosis ? diagnosis->status : BAD_INPUT;
    if (!residual->iterated)
        ms->stage = stage_equations_new(system, ms->mode, residual);
    residual_free(residual);
    return ms->stage ? OK
                     : diagnose(diagnosis, NOT_APPLICABLE, NAN,
                                "formulation %s is iterated; take an explicit integrator",
                                formulation->name);
}

enum status system_compile_mode(struct system *system, int k, const char *const *option,
                                enum system_use use, struct diagnosis *diagnosis)
{
    struct mode_system *ms = &system->mode[k];
    ms->mode = system->model->mode[k];
    struct residual *residual = algebraic_residual(system, ms, option, diagnosis);
    if (!residual)
        return diagnosis ? diagnosis->status : BAD_INPUT;
    enum status status = choose_linear(system, ms, residual, option, diagnosis);
    if (status == OK) {
        compile_motion(system, ms, residual, use);
        compile_guards(system->model, ms);
        program_init(ms->motion, ms->w);
        if (ms->explicit_rhs || ms->unknowns < SPARSE_FROM)
            tiered_program_init(&ms->motion_code, ms->motion, ms->w);
        program_init(ms->guard, ms->guard_w);
        tiered_program_init(&ms->guard_code, ms->guard, ms->guard_w);
        constraints_init(&ms->constraints, system->model, ms->mode, system->rho);
        edge_monitors_init(&ms->edges, system->model, ms->mode->edges);
        step_monitors_init(&ms->monitors, &ms->arena, system->model, ms->mode, ms->event,
                           ms->guards_use_unknowns ? 0 : ms->guards, system->dim);
        if (use == SYSTEM_EQUATIONS || (use == SYSTEM_BOTH && !residual->iterated))
            status = compile_stage(system, ms, option, diagnosis);
    }
    residual_free(residual);
    return status;
}
