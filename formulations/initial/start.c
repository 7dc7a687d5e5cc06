/*
 * start.c - consistent initial conditions: given coordinates, and dependent ones from the
 * constraints (Corner, Sandu, Sandu 2019, (86)-(87)).
 */
#include "start.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "consistent_level.h"
#include "formula/diff.h"
#include "mass_check.h"
#include "program/fault.h"
#include "program/stages.h"

enum { POSITION, VELOCITY, LEVELS };

struct starter {
    struct system *system;
    struct program *program;        /* outputs: given values t0, t_end, q0 [n], v0 [n],
                                       s0 [ns]; guesses [n]; derivatives by rho of the
                                       given values */
    double *w;                      /* work array of the program */
    int n, ns;
    int given;                      /* number of given values: 2 + 2n + ns */
    int guess, slope;               /* first outputs of guesses and of derivatives */
    struct consistent_level level[LEVELS];
    struct arena arena;             /* memory of all arrays, those of the levels, too */
};

static double out(const struct starter *s, int k)
{
    return s->w[s->program->output[k]];
}

static void compile(struct starter *s)
{
    static const bool rho_moves[BLOCKS] = {[BLOCK_RHO] = true};
    const struct model *model = s->system->model;
    int n = s->n;
    formula *f = memory_new(2 * s->given + n, sizeof *f);
    f[0] = model->t0;
    f[1] = model->t_end;
    memory_copy(f + 2, model->q0, n, sizeof *f);
    memory_copy(f + 2 + n, model->v0, n, sizeof *f);
    memory_copy(f + 2 + 2 * n, model->s0, s->ns, sizeof *f);
    s->guess = s->given;
    memory_copy(f + s->guess, model->q_guess, n, sizeof *f);
    s->slope = s->guess + n;
    tangent(model->tape, f, s->given, rho_moves, 1, f + s->slope);

    unsigned char stages[BLOCK_LIMIT];
    program_stages(0, 0, stages);
    s->program = program_seal_derivatives(model->tape, f, s->slope + s->given, s->slope,
                                          stages, "start", "");
    s->w = arena_new(&s->arena, s->program->slots, sizeof *s->w);
    program_init(s->program, s->w);
    free(f);
}

struct starter *starter_new(struct system *system)
{
    struct starter *s = memory_new(1, sizeof *s);
    const struct model *model = system->model;
    struct constraints *constraints = &system->mode[model->start->index].constraints;
    *s = (struct starter){.system = system, .n = model->n, .ns = model->ns};
    s->given = 2 + 2 * s->n + s->ns;
    consistent_level_init(&s->level[POSITION], &s->arena, constraints, false, model->q0,
                          NULL);
    consistent_level_init(&s->level[VELOCITY], &s->arena, constraints, true, model->v0,
                          &s->level[POSITION]);
    compile(s);
    return s;
}

void starter_free(struct starter *s)
{
    if (!s)
        return;
    for (int k = 0; k < LEVELS; k++)
        consistent_level_clear(&s->level[k]);
    program_free(s->program);
    arena_free(&s->arena);
    free(s);
}

/* A point with q, v, s in a row x of the state. */
static struct start_point point_in(const struct starter *s, double t, double *x)
{
    return (struct start_point){t, x, x + s->n, x + 2 * s->n};
}

/* --- values ------------------------------------------------------------------------- */

/* Loads the given values, and guesses of the coordinates that follow from Phi = 0. */
static void load_values(const struct starter *s, struct span *span, double *x)
{
    const struct consistent_level *level = &s->level[POSITION];
    span->t0 = out(s, 0);
    span->t_end = out(s, 1);
    for (int i = 0; i < 2 * s->n + s->ns; i++)
        x[i] = out(s, 2 + i);
    for (int k = 0; k < level->open; k++)
        x[level->index[k]] = out(s, s->guess + level->index[k]);
}

/* --- sensitivities ------------------------------------------------------------------ */

/* Loads the derivatives of the given values; those of open components are zero. */
static void load_derivatives(struct starter *s, int j, struct span *span, double *X)
{
    struct system *system = s->system;
    program_seed_parameter(s->program, system->parameter[j], s->w);
    program_run(s->program, STAGE_DIRECTION, s->w);
    span->dt0[j] = out(s, s->slope);
    span->dt_end[j] = out(s, s->slope + 1);
    for (int i = 0; i < 2 * s->n + s->ns; i++)
        X[i] = out(s, s->slope + 2 + i);
}

/* Brings derivatives back to a fixed time: Q = dq - v dt0, V = dv - a dt0, S = ds - f_s
   dt0, Z = -g dt0. The system has been solved at the start. */
static void at_fixed_start(const struct starter *s, double dt, const double *v, double *X)
{
    const struct system *system = s->system;
    int n = s->n, ns = s->ns, nz = system->model->nz;
    double *g = memory_new(nz + ns, sizeof *g), *f_s = g + nz;
    system_rates(system->now, f_s, g);
    for (int i = 0; i < n; i++) {
        X[i] -= v[i] * dt;
        X[n + i] -= system->a[i] * dt;
    }
    for (int k = 0; k < ns; k++)
        X[2 * n + k] -= f_s[k] * dt;
    for (int k = 0; k < nz; k++)
        X[2 * n + ns + k] = -g[k] * dt;
    free(g);
}

/* Derivatives by parameter j along the start, which moves with the parameter. */
static enum status sensitivities(struct starter *s, int j, struct span *span, double *x)
{
    struct system *system = s->system;
    double *X = x + (j + 1) * system->state;
    load_derivatives(s, j, span, X);
    struct start_point point = point_in(s, span->t0, x);
    struct start_point direction = point_in(s, span->dt0[j], X);
    enum status status = OK;
    constraints_along(&system->now->constraints, direction.t, direction.q, direction.v,
                      direction.s, system->parameter[j]);
    for (int k = 0; status == OK && k < LEVELS; k++)
        status = consistent_level_tangent(&s->level[k], &point, &direction,
                                          system->parameter[j], system->diagnosis);
    return status;
}

/* Solves for the motion at the start if t0 moves with a parameter, and brings the
   derivatives back. */
static enum status at_fixed_time(struct starter *s, const struct span *span, double *x)
{
    struct system *system = s->system;
    const struct start_point point = point_in(s, span->t0, x);
    bool moves = false;
    for (int j = 0; j < system->p; j++)
        moves = moves || span->dt0[j] != 0;
    if (!moves)
        return OK;
    enum status status = system_solve(system, system->now, point.t, point.q, point.v,
                                      point.s, system->a, system->lambda);
    for (int j = 0; status == OK && j < system->p; j++)
        at_fixed_start(s, span->dt0[j], point.v, x + (j + 1) * system->state);
    return status;
}

/* --- the start ---------------------------------------------------------------------- */

/* The refusal of sensitivities, or, if there is no motion at all, that of the motion. */
static enum status refusal(struct starter *s, const struct start_point *point,
                           enum status status)
{
    struct system *system = s->system;
    const struct diagnosis own = *system->diagnosis;
    enum status motion = system_solve(system, system->now, point->t, point->q, point->v,
                                      point->s, system->a, system->lambda);
    if (motion != OK)
        return motion;
    *system->diagnosis = own;
    return status;
}

enum status start_state(struct starter *s, struct span *span, double *x)
{
    struct system *system = s->system;
    program_set_parameters(s->program, system->rho, s->w);
    memset(x, 0, (size_t)system->dim * sizeof *x);
    load_values(s, span, x);

    struct start_point point = point_in(s, span->t0, x);
    enum status status = OK;
    constraints_at(&system->now->constraints, point.t, point.q, point.v, point.s);
    for (int k = 0; status == OK && k < LEVELS; k++)
        status = consistent_level_solve(&s->level[k], &point, system->diagnosis);
    if (status == OK)
        status = mass_check(&system->now->constraints, span->t0, system->diagnosis);
    if (status != OK)
        return status;
    for (int j = 0; status == OK && j < system->p; j++)
        status = sensitivities(s, j, span, x);
    return status == OK ? at_fixed_time(s, span, x) : refusal(s, &point, status);
}
