/*
 * start.c - consistent initial conditions: given coordinates, and dependent ones from the
 * constraints (Corner, Sandu, Sandu 2019, (86)-(87)) and from rows of the case (Pan,
 * Ding, Wang 2004, (2), (9)).
 */
#include "start.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/tolerances.h"
#include "consistent_level.h"
#include "equations/second_order.h"
#include "formula/diff.h"
#include "mass_check.h"
#include "monitors/edge_monitors.h"
#include "program/fault.h"
#include "program/stages.h"

enum { POSITION, VELOCITY, LEVELS, JOINT = 0 };

struct starter {
    struct system *system;
    struct program *program;        /* outputs: given values t0, t_end, q0 [n], v0 [n],
                                       s0 [ns]; guesses of q, v, s, as many; stops;
                                       derivatives by rho of the given values */
    double *w;                      /* work array of the program */
    int n, ns;
    int given;                      /* number of given values: 2 + 2n + ns */
    int guess, stop, slope;         /* first outputs of guesses, stops, derivatives */
    struct consistent_level level[LEVELS];
    int levels;                     /* 2, or 1 with rows of the case */
    struct start_rows joint;        /* of that one */
    struct edge_monitors edges;     /* of rows of the case */
    struct second_order given_second;   /* of given values, made at first use */
    struct second_order constraint_second;  /* of Phi [m], then Phid [m], or of joint
                                               rows */
    struct arena arena;             /* memory of all arrays, those of the levels, too */
};

static double out(const struct starter *s, int k)
{
    return s->w[s->program->output[k]];
}

/* f [given]: t0, t_end, q0, v0, s0 */
static void take_given(const struct starter *s, formula *f)
{
    const struct model *model = s->system->model;
    int n = s->n;
    f[0] = model->t0;
    f[1] = model->t_end;
    memory_copy(f + 2, model->q0, n, sizeof *f);
    memory_copy(f + 2 + n, model->v0, n, sizeof *f);
    memory_copy(f + 2 + 2 * n, model->s0, s->ns, sizeof *f);
}

static void compile(struct starter *s)
{
    static const bool rho_moves[BLOCKS] = {[BLOCK_RHO] = true};
    const struct model *model = s->system->model;
    int n = s->n, ns = s->ns;
    formula *f = memory_new(2 * s->given + 2 * n + ns + model->stops, sizeof *f);
    take_given(s, f);
    s->guess = s->given;
    memory_copy(f + s->guess, model->q_guess, n, sizeof *f);
    memory_copy(f + s->guess + n, model->v_guess, n, sizeof *f);
    memory_copy(f + s->guess + 2 * n, model->s_guess, ns, sizeof *f);
    s->stop = s->guess + 2 * n + ns;
    memory_copy(f + s->stop, model->stop, model->stops, sizeof *f);
    s->slope = s->stop + model->stops;
    tangent(model->tape, f, s->given, rho_moves, 1, f + s->slope);

    unsigned char stages[BLOCK_LIMIT];
    program_stages(0, 0, stages);
    s->program = program_seal_derivatives(model->tape, f, s->slope + s->given, s->slope,
                                          stages, "start", "");
    s->w = arena_new(&s->arena, s->program->slots, sizeof *s->w);
    program_init(s->program, s->w);
    free(f);
}

static void open_levels(struct starter *s)
{
    const struct model *model = s->system->model;
    struct constraints *constraints = &s->system->mode[model->start->index].constraints;
    if (model->start_rows > 0) {
        formula *given = memory_new(s->given, sizeof *given);
        take_given(s, given);
        start_rows_init(&s->joint, model);
        consistent_level_join(&s->level[JOINT], &s->arena, constraints, &s->joint,
                              given + 2);
        edge_monitors_init(&s->edges, model, model->start_edges);
        s->levels = 1;
        free(given);
        return;
    }
    consistent_level_init(&s->level[POSITION], &s->arena, constraints, false, model->q0,
                          NULL);
    consistent_level_init(&s->level[VELOCITY], &s->arena, constraints, true, model->v0,
                          &s->level[POSITION]);
    s->levels = LEVELS;
}

struct starter *starter_new(struct system *system)
{
    struct starter *s = memory_new(1, sizeof *s);
    const struct model *model = system->model;
    *s = (struct starter){.system = system, .n = model->n, .ns = model->ns};
    s->given = 2 + 2 * s->n + s->ns;
    open_levels(s);
    compile(s);
    return s;
}

void starter_free(struct starter *s)
{
    if (!s)
        return;
    for (int k = 0; k < s->levels; k++)
        consistent_level_clear(&s->level[k]);
    if (s->joint.program) {
        start_rows_clear(&s->joint);
        edge_monitors_clear(&s->edges);
    }
    second_order_clear(&s->given_second);
    second_order_clear(&s->constraint_second);
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

/* Loads the given values, and guesses of the components that the first level solves
   for. */
static void load_values(const struct starter *s, struct span *span, double *x)
{
    const struct consistent_level *level = &s->level[0];
    span->t0 = out(s, 0);
    span->t_end = out(s, 1);
    for (int k = 0; k < s->system->model->stops; k++)
        span->stop[k] = out(s, s->stop + k);
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
    consistent_level_along(&s->level[0], &direction, system->parameter[j]);
    for (int k = 0; status == OK && k < s->levels; k++)
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

/* Refuses a start on an edge of a start row: the row has no derivative there, which is
   why Newton's method may have ended with `status`. */
static enum status edges_at_rows(struct starter *s, const struct start_point *point,
                                 enum status status)
{
    const struct edge_point here = {.t = point->t, .x = point->q};
    const struct edge_failure failure = {edge_rounding, point->t, " at the start",
                                         s->system->diagnosis};
    edge_monitors_at(&s->edges, &here);
    enum status edge = edge_monitors_refuse(&s->edges, &failure);
    return edge == OK ? status : edge;
}

enum status start_state(struct starter *s, struct span *span, double *x)
{
    struct system *system = s->system;
    program_set_parameters(s->program, system->rho, s->w);
    if (s->joint.program) {
        start_rows_set(&s->joint, system->rho);
        edge_monitors_set(&s->edges, system->rho);
    }
    memset(x, 0, (size_t)system->dim * sizeof *x);
    load_values(s, span, x);

    struct start_point point = point_in(s, span->t0, x);
    enum status status = OK;
    consistent_level_at(&s->level[0], &point);
    for (int k = 0; status == OK && k < s->levels; k++)
        status = consistent_level_solve(&s->level[k], &point, system->diagnosis);
    status = edges_at_rows(s, &point, status);
    if (status == OK)
        status = mass_check(&system->now->constraints, span->t0, system->diagnosis);
    if (status != OK)
        return status;
    for (int j = 0; status == OK && j < system->p; j++)
        status = sensitivities(s, j, span, x);
    return status == OK ? at_fixed_time(s, span, x) : refusal(s, &point, status);
}

/* --- second derivatives ------------------------------------------------------------- */

static void compile_second(struct starter *s)
{
    const struct model *model = s->system->model;
    const struct mode *mode = model->start;
    int m = mode->m, rows = s->joint.rows;
    formula *f = memory_new(s->given + 2 * m + rows, sizeof *f);
    take_given(s, f);
    second_order_init(&s->given_second, &s->arena, model, f, s->given, "second start",
                      "");
    memory_copy(f, mode->Phi, m, sizeof *f);
    memory_copy(f + m, mode->Phid, m, sizeof *f);
    if (rows > 0)
        memory_copy(f, s->joint.row, rows, sizeof *f);
    second_order_init(&s->constraint_second, &s->arena, model, f, rows > 0 ? rows : 2 * m,
                      "second start", "constraints");
    free(f);
}

/* A derivative along the moving start: X is one at fixed time. */
static void along_start(const struct starter *s, double dt, const double *v,
                        const double *f_s, const double *X, double *moving)
{
    int n = s->n;
    for (int i = 0; i < n; i++) {
        moving[i] = X[i] + v[i] * dt;
        moving[n + i] = X[n + i] + s->system->a[i] * dt;
    }
    for (int i = 0; i < s->ns; i++)
        moving[2 * n + i] = X[2 * n + i] + f_s[i] * dt;
}

/* The second derivatives of open components from those of the constraints. */
static void second_of_open(struct starter *s, const struct span *span, const double *x,
                           const struct second_point *A, const struct second_point *B,
                           struct second_point *C, double *Y)
{
    int n = s->n, m = s->system->model->start->m;
    double *rows = memory_new(2 * m + s->joint.rows, sizeof *rows);
    const struct second_point here = {.t = span->t0, .q = x, .v = x + n, .s = x + 2 * n,
                                      .parameter = -1};
    second_order_at(&s->constraint_second, s->system->rho, &here);
    for (int k = 0; k < s->levels; k++) {
        second_order_along(&s->constraint_second, A, B, C, rows);
        consistent_level_further(&s->level[k], rows + k * m, Y + k * n);
    }
    free(rows);
}

/* Rates and their derivatives along the start: of the motion at the start (no direction)
   or along a direction. */
struct start_rates {
    double *v, *a, *f_s, *g;
};

/* Y += factor times the rates. */
static void add_rates(const struct starter *s, double factor,
                      const struct start_rates *rates, double *Y)
{
    int n = s->n, ns = s->ns, nz = s->system->model->nz;
    for (int i = 0; i < n; i++) {
        Y[i] += factor * rates->v[i];
        Y[n + i] += factor * rates->a[i];
    }
    for (int i = 0; i < ns; i++)
        Y[2 * n + i] += factor * rates->f_s[i];
    for (int i = 0; i < nz; i++)
        Y[2 * n + ns + i] += factor * rates->g[i];
}

/* Adds a derivative of the rates, times a factor, by a direction along the start. */
static void add_rates_along(const struct starter *s, double factor,
                            const struct second_point *along, double *Y)
{
    struct system *system = s->system;
    int n = s->n, ns = s->ns, nz = system->model->nz, m = system->model->m;
    if (factor == 0)
        return;
    double *own = memory_new(n + m + ns + nz, sizeof *own), *f_s = own + n + m;
    const struct state_direction direction = {.t = along->t, .q = along->q, .v = along->v,
                                              .s = along->s,
                                              .parameter = along->parameter};
    system_tangent(system, system->now, &direction, own, own + n, f_s, f_s + ns);
    const struct start_rates rates = {(double *)along->v, own, f_s, f_s + ns};
    add_rates(s, factor, &rates, Y);
    free(own);
}

/* Brings Y, which is along the moving start, back to fixed time:
   Y - f dt'' - f_A dt_B - f_B dt_A + fd dt_A dt_B (adjoint/jump_second.h). */
static void back_to_start(const struct starter *s, const double *x, const double *f_s,
                          const double *g, double d2t, const struct second_point *A,
                          const struct second_point *B, double *Y)
{
    int n = s->n;
    double *v = (double *)x + n;
    const struct start_rates rates = {v, s->system->a, (double *)f_s, (double *)g};
    const struct second_point motion = {.t = 1, .q = v, .v = s->system->a, .s = f_s,
                                        .parameter = -1};
    add_rates(s, -d2t, &rates, Y);
    add_rates_along(s, -B->t, A, Y);
    add_rates_along(s, -A->t, B, Y);
    add_rates_along(s, A->t * B->t, &motion, Y);
}

enum status start_second(struct starter *s, const struct span *span, const double *x,
                         int j, int k, double *Y, double *d2t_end)
{
    struct system *system = s->system;
    int n = s->n, ns = s->ns, nz = system->model->nz, N = 2 * n + ns;
    const int *parameter = system->parameter;
    enum status status = system_factor(system, system->now, span->t0, x, x + n, x + 2 * n,
                                       system->a, system->lambda);
    if (status != OK)
        return status;
    if (!s->given_second.program)
        compile_second(s);
    s->given_second.set = s->constraint_second.set = false;
    double *block = memory_new(2 * N + ns + nz + s->given, sizeof *block);
    double *X_A = block, *X_B = X_A + N, *f_s = X_B + N, *g = f_s + ns, *given = g + nz;
    system_rates(system->now, f_s, g);
    along_start(s, span->dt0[j], x + n, f_s, x + (j + 1) * system->state, X_A);
    along_start(s, span->dt0[k], x + n, f_s, x + (k + 1) * system->state, X_B);
    const struct second_point A = {.t = span->dt0[j], .q = X_A, .v = X_A + n,
                                   .s = X_A + 2 * n, .parameter = parameter[j]};
    const struct second_point B = {.t = span->dt0[k], .q = X_B, .v = X_B + n,
                                   .s = X_B + 2 * n, .parameter = parameter[k]};
    const struct second_point nothing = {.parameter = -1};
    second_order_at(&s->given_second, system->rho, &nothing);
    second_order_along(&s->given_second, &A, &B, &nothing, given);
    memset(Y, 0, (size_t)(N + nz) * sizeof *Y);
    memory_copy(Y, given + 2, N, sizeof *Y);
    struct second_point C = {.t = given[0], .q = Y, .v = Y + n, .s = Y + 2 * n,
                             .parameter = -1};
    second_of_open(s, span, x, &A, &B, &C, Y);
    back_to_start(s, x, f_s, g, given[0], &A, &B, Y);
    *d2t_end = given[1];
    free(block);
    return OK;
}
