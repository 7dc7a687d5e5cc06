/*
 * system_stage.c - the implicit equations of a mode for the stages of an integrator:
 * 0 = R(t, y, w) with y = (q, v, s) and unknowns w, each of which is a rate (v', and
 * where the formulation says so q', s') or a multiplier.
 *
 * Auxiliary states on which nothing depends in a mode are quadratures there, like costs:
 * y = (q, v). As unknowns they would be part of Newton's method, and in index 3, where
 * rounding moves v by eps/h and more, s' might keep the iteration from ever ending.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "formula/diff.h"
#include "program/fault.h"
#include "system.h"

/* The blocks of y and of w. */
enum { PARTS_OF_Y = 3, PARTS_OF_W = 5 };
static const int block_of_y[PARTS_OF_Y] = {BLOCK_Q, BLOCK_V, BLOCK_S};
static const int block_of_w[PARTS_OF_W] = {BLOCK_A, BLOCK_LAMBDA, BLOCK_QD, BLOCK_SD,
                                           BLOCK_MU};

struct stage_equations {
    int n, ns, m;                   /* ns: 0, when s are quadratures */
    int quadratures;                /* s', unless in y, then z' */
    int size_of_y[PARTS_OF_Y], size_of_w[PARTS_OF_W];
    int unknowns;
    struct unknown *unknown;        /* [unknowns] */
    int *rate, *lost;               /* [2n + ns], see integrator.h */
    struct entries at_w, at_y;      /* places of R_w [unknowns][unknowns] and of R_y
                                       [unknowns][2n + ns] */
    struct program *program;
    double *rows;                   /* work of program */
    struct tiered_program code;
    int R, R_w, R_y, g, R_dot, g_dot;   /* first outputs of each kind */
    double *part[PARTS_OF_W];       /* scratch: w, block by block */
    struct arena arena;             /* of all arrays */
};

/* --- compiling ---------------------------------------------------------------------- */

/* The blocks of w are the unknowns. */
static void stages_of_step(unsigned char *stage)
{
    unsigned unknown = 0;
    for (int i = 0; i < PARTS_OF_W; i++)
        unknown |= BLOCK_SET(block_of_w[i]);
    program_stages(BLOCKS_OF_STATE, unknown, stage);
}

/* Does the residual have s' among its unknowns? */
static bool has_rates(const struct residual *residual)
{
    for (int i = 0; i < residual->rows; i++)
        if (residual->unknown[i].block == BLOCK_SD)
            return true;
    return false;
}

/* Do the residual, s' or z' depend on s? Guards, resets and samples only observe. */
static bool feeds_back(const struct model *model, const struct mode *mode,
                       const struct residual *residual)
{
    int rows = residual->rows, ns = model->ns, nz = model->nz;
    formula *f = memory_new(rows + ns + nz, sizeof *f);
    memory_copy(f, residual->R, rows, sizeof *f);
    memory_copy(f + rows, mode->f_s, ns, sizeof *f);
    memory_copy(f + rows + ns, mode->g, nz, sizeof *f);
    unsigned char stages[BLOCK_LIMIT];
    stages_of_step(stages);
    struct program *program = program_seal(model->tape, f, rows + ns + nz, stages);
    bool uses = program_uses(program, BLOCK_S);
    program_free(program);
    free(f);
    return uses;
}

/* Appends s' = f_s for s in y, unless the residual has equations for s'. */
static void append_rates(struct stage_equations *e, const struct model *model,
                         const struct mode *mode, const struct residual *residual,
                         formula *R)
{
    bool own = has_rates(residual);
    memory_copy(R, residual->R, residual->rows, sizeof *R);
    memory_copy(e->unknown, residual->unknown, residual->rows, sizeof *e->unknown);
    e->unknowns = residual->rows;
    for (int i = 0; !own && i < e->ns; i++) {
        R[e->unknowns] = sub(variable(model->tape, BLOCK_SD, i), mode->f_s[i]);
        e->unknown[e->unknowns++] = (struct unknown){BLOCK_SD, i};
    }
}

/* Does s_i' contain accelerations or multipliers? */
static bool moves_with_unknowns(const struct model *model, const struct mode *mode, int i)
{
    unsigned char stages[BLOCK_LIMIT];
    stages_of_step(stages);
    struct program *program = program_seal(model->tape, &mode->f_s[i], 1, stages);
    bool moves = program_uses(program, BLOCK_A) || program_uses(program, BLOCK_LAMBDA);
    program_free(program);
    return moves;
}

/* Finds the unknown that is the rate of each state, and the orders that index 3 costs a
   state: v is the integral of accelerations, and so is a state whose rate contains them,
   or multipliers. */
static void find_rates(struct stage_equations *e, const struct model *model,
                       const struct mode *mode, int index)
{
    int n = e->n;
    for (int i = 0; i < n; i++)
        e->rate[i] = n + i;
    for (int k = 0; k < e->unknowns; k++) {
        const struct unknown *u = &e->unknown[k];
        if (u->block == BLOCK_QD)
            e->rate[u->index] = -1 - k;
        if (u->block == BLOCK_A)
            e->rate[n + u->index] = -1 - k;
        if (u->block == BLOCK_SD)
            e->rate[2 * n + u->index] = -1 - k;
    }
    for (int i = 0; i < n; i++)
        e->lost[n + i] = index == 3;
    for (int i = 0; i < e->ns; i++)
        e->lost[2 * n + i] = index == 3 && moves_with_unknowns(model, mode, i);
}

/* Appends the entries of a row of a matrix that are not zero for good. */
static void append_row(struct entries *at, int row, const formula *entry, int columns,
                       formula **f)
{
    for (int j = 0; j < columns; j++)
        if (!is_zero(entry[j])) {
            at->column = memory_grow(at->column, &at->room, at->count + 1,
                                     sizeof *at->column);
            at->column[at->count++] = j;
            *(*f)++ = entry[j];
        }
    at->begin[row + 1] = at->count;
}

/* Row i of R_y [2n + ns] and of R_w [unknowns]. */
static void gradients(const struct stage_equations *e, formula R, formula *R_y,
                      formula *R_w)
{
    for (int b = 0; b < PARTS_OF_Y; b++) {
        gradient(R, block_of_y[b], e->size_of_y[b], R_y);
        R_y += e->size_of_y[b];
    }
    for (int b = 0; b < PARTS_OF_W; b++) {
        formula *by_part = memory_new(e->size_of_w[b], sizeof *by_part);
        gradient(R, block_of_w[b], e->size_of_w[b], by_part);
        for (int k = 0; k < e->unknowns; k++)
            if (e->unknown[k].block == block_of_w[b])
                R_w[k] = by_part[e->unknown[k].index];
        free(by_part);
    }
}

/* Writes the entries of R_w to f, and those of R_y behind them. */
static void derivatives(struct stage_equations *e, const formula *R, formula *f)
{
    int d = 2 * e->n + e->ns, k = e->unknowns;
    formula *R_w = memory_new(k, sizeof *R_w), *R_y = memory_new(k * d, sizeof *R_y);
    for (int i = 0; i < k; i++) {
        gradients(e, R[i], R_y + i * d, R_w);
        append_row(&e->at_w, i, R_w, k, &f);
    }
    for (int i = 0; i < k; i++)
        append_row(&e->at_y, i, R_y + i * d, d, &f);
    free(R_w);
    free(R_y);
}

static void compile(struct stage_equations *e, const struct model *model,
                    const struct mode *mode, const formula *R)
{
    static const bool state_moves[BLOCKS] = {
        [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_S] = true, [BLOCK_RHO] = true};
    static const bool all_move[BLOCKS] = {
        [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_S] = true, [BLOCK_RHO] = true,
        [BLOCK_A] = true, [BLOCK_LAMBDA] = true, [BLOCK_QD] = true, [BLOCK_SD] = true,
        [BLOCK_MU] = true};
    int k = e->unknowns, d = 2 * e->n + e->ns, count = e->quadratures;
    int rates = count - model->nz;      /* s' before z' */
    formula *f = memory_new(2 * k + k * k + k * d + 2 * count, sizeof *f);
    e->R = 0;
    e->g = k;
    e->R_w = e->g + count;
    memory_copy(f, R, k, sizeof *f);
    derivatives(e, R, f + e->R_w);
    e->R_y = e->R_w + e->at_w.count;
    e->R_dot = e->R_y + e->at_y.count;
    e->g_dot = e->R_dot + k;
    tangent(model->tape, R, k, state_moves, 1, f + e->R_dot);
    memory_copy(f + e->g, mode->f_s, rates, sizeof *f);
    memory_copy(f + e->g + rates, mode->g, model->nz, sizeof *f);
    tangent(model->tape, f + e->g, count, all_move, 1, f + e->g_dot);
    unsigned char stages[BLOCK_LIMIT];
    stages_of_step(stages);
    e->program = program_seal_derivatives(model->tape, f, e->g_dot + count, e->R_w,
                                          stages, "stages", mode->name);
    free(f);
}

struct stage_equations *stage_equations_new(const struct system *system,
                                            const struct mode *mode,
                                            const struct residual *residual)
{
    const struct model *model = system->model;
    bool in_y = has_rates(residual) || feeds_back(model, mode, residual);
    int n = model->n, ns = in_y ? model->ns : 0, m = mode->m;
    int all = model->m;     /* forces may name multipliers of other modes: zero here */
    struct stage_equations *e = memory_new(1, sizeof *e);
    *e = (struct stage_equations){
        .n = n, .ns = ns, .m = m, .quadratures = model->ns - ns + model->nz,
        .size_of_y = {n, n, ns}, .size_of_w = {n, all, n, ns, all}};
    e->unknown = arena_new(&e->arena, residual->rows + ns, sizeof *e->unknown);
    e->rate = arena_new(&e->arena, 2 * n + ns, sizeof *e->rate);
    e->lost = arena_new(&e->arena, 2 * n + ns, sizeof *e->lost);
    for (int b = 0; b < PARTS_OF_W; b++)
        e->part[b] = arena_new(&e->arena, e->size_of_w[b], sizeof *e->part[b]);
    e->at_w.begin = arena_new(&e->arena, residual->rows + ns + 1, sizeof(int));
    e->at_y.begin = arena_new(&e->arena, residual->rows + ns + 1, sizeof(int));
    formula *R = memory_new(residual->rows + ns, sizeof *R);
    append_rates(e, model, mode, residual, R);
    find_rates(e, model, mode, system->formulation->index);
    compile(e, model, mode, R);
    free(R);
    e->rows = arena_new(&e->arena, e->program->slots, sizeof *e->rows);
    program_init(e->program, e->rows);
    tiered_program_init(&e->code, e->program, e->rows);
    return e;
}

void stage_equations_set(struct stage_equations *e, const double *rho)
{
    program_set_parameters(e->program, rho, e->rows);
}

void stage_equations_use_code(struct stage_equations *e, enum code_use use)
{
    tiered_program_use_code(&e->code, use);
}

void stage_equations_free(struct stage_equations *e)
{
    if (!e)
        return;
    tiered_program_clear(&e->code);
    program_free(e->program);
    free(e->at_w.column);
    free(e->at_y.column);
    arena_free(&e->arena);
    free(e);
}

/* --- evaluation, for struct implicit_equations -------------------------------------- */

static struct stage_equations *current(void *context)
{
    return ((struct system *)context)->now->stage;
}

/* Loads y as values (copy 0), or as a direction (copy 1). */
static void load_y(const struct stage_equations *e, const double *y, int copy)
{
    for (int b = 0; b < PARTS_OF_Y; b++) {
        program_load(e->program, DIRECTION(block_of_y[b], copy), y, e->rows);
        y += e->size_of_y[b];
    }
}

static void load_w(const struct stage_equations *e, const double *w, int copy)
{
    for (int k = 0; k < e->unknowns; k++)
        for (int b = 0; b < PARTS_OF_W; b++)
            if (e->unknown[k].block == block_of_w[b])
                e->part[b][e->unknown[k].index] = w[k];
    for (int b = 0; b < PARTS_OF_W; b++)
        program_load(e->program, DIRECTION(block_of_w[b], copy), e->part[b], e->rows);
}

static void give(const struct stage_equations *e, int output, int count, double *out)
{
    for (int i = 0; i < count; i++)
        out[i] = e->rows[e->program->output[output + i]];
}

static enum status residual_at(void *context, double t, const double *y, const double *w,
                               double *R)
{
    struct system *system = context;
    struct stage_equations *e = current(context);
    char blame[300];
    system->evaluations++;
    system->compiled += e->code.emitted != NULL;
    program_load(e->program, BLOCK_T, &t, e->rows);
    load_y(e, y, 0);
    load_w(e, w, 0);
    tiered_program_run(&e->code, STAGE_STATE, e->rows);
    tiered_program_run(&e->code, STAGE_UNKNOWN, e->rows);
    give(e, e->R, e->unknowns, R);
    for (int i = 0; i < e->unknowns; i++)
        if (R[i] - R[i] != 0) {
            program_run(e->program, STAGE_STATE, e->rows);  /* code leaves rows out */
            program_run(e->program, STAGE_UNKNOWN, e->rows);
            if (!program_blame(e->program, system->model->names, STAGE_UNKNOWN, e->rows,
                               blame, sizeof blame))
                snprintf(blame, sizeof blame, "equation %d", i);
            return diagnose(system->diagnosis, NOT_FINITE, t, "mode %s: %s",
                            system->now->mode->name, blame);
        }
    return OK;
}

static void matrices_at(void *context, double *R_w, double *R_y)
{
    struct stage_equations *e = current(context);
    give(e, e->R_w, e->at_w.count, R_w);
    give(e, e->R_y, e->at_y.count, R_y);
}

static void along(void *context, int j, const double *Y, double *R_dot)
{
    const struct system *system = context;
    struct stage_equations *e = current(context);
    program_seed_parameter(e->program, system->parameter[j], e->rows);
    load_y(e, Y, 1);
    tiered_program_run(&e->code, STAGE_DIRECTION, e->rows);
    give(e, e->R_dot, e->unknowns, R_dot);
}

static void quadratures_at(void *context, double *g)
{
    struct stage_equations *e = current(context);
    give(e, e->g, e->quadratures, g);
}

static void quadratures_along(void *context, int j, const double *Y, const double *W,
                              double *g_dot)
{
    const struct system *system = context;
    struct stage_equations *e = current(context);
    program_seed_parameter(e->program, system->parameter[j], e->rows);
    load_y(e, Y, 1);
    load_w(e, W, 1);
    tiered_program_run(&e->code, STAGE_DIRECTION, e->rows);
    tiered_program_run(&e->code, STAGE_DIRECTION_UNKNOWN, e->rows);
    give(e, e->g_dot, e->quadratures, g_dot);
}

/* --- for the core ------------------------------------------------------------------- */

void stage_equations_enter(struct system *system)
{
    const struct stage_equations *e = system->now->stage;
    int most = 0;
    for (int k = 0; k < system->model->modes; k++)
        if (system->mode[k].stage->unknowns > most)
            most = system->mode[k].stage->unknowns;
    system->implicit = (struct implicit_equations){
        .columns = system->p, .state = system->state, .differential = 2 * e->n + e->ns,
        .most_unknowns = most, .unknowns = e->unknowns, .rate = e->rate, .lost = e->lost,
        .rho = system->rho, .parameter = system->parameter,
        .coordinates = e->n, .at_w = &e->at_w, .at_y = &e->at_y,
        .residual = residual_at, .matrices = matrices_at, .along = along,
        .quadratures = quadratures_at, .quadratures_along = quadratures_along};
}

void stage_equations_observe(const struct system *system, const double *w, double *a,
                             double *lambda)
{
    const struct stage_equations *e = system->now->stage;
    for (int k = 0; k < e->unknowns; k++) {
        if (e->unknown[k].block == BLOCK_A)
            a[e->unknown[k].index] = w[k];
        if (e->unknown[k].block == BLOCK_LAMBDA)
            lambda[e->unknown[k].index] = w[k];
    }
}
