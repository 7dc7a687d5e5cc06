/*
 * start.c - explicit coordinates as given, dependent ones from the constraints.
 */
#include "start.h"

#include "factor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/diff.h"
#include "formula/memory.h"

enum { START_RHO = 1, START_STATE, START_DIRECTION, START_DIRECTION_STATE };

static const unsigned char start_stages[BLOCK_LIMIT] = {
    [BLOCK_RHO] = START_RHO,
    [BLOCK_T] = START_STATE, [BLOCK_Q] = START_STATE,
    [BLOCK_V] = START_STATE, [BLOCK_S] = START_STATE,
    [TANGENT(BLOCK_RHO)] = START_DIRECTION,
    [TANGENT(BLOCK_T)] = START_DIRECTION_STATE,
    [TANGENT(BLOCK_Q)] = START_DIRECTION_STATE,
    [TANGENT(BLOCK_V)] = START_DIRECTION_STATE,
    [TANGENT(BLOCK_S)] = START_DIRECTION_STATE,
};

/* The given values, in one list: t0, t_end, q0 [n], v0 [n], s0 [ns]; then the same
   differentiated by rho; then guesses; then what the constraints say. */
struct starter {
    struct system *system;
    struct program *program;
    double *w;
    int n, ns, m;
    int given;                      /* 2 + 2n + ns */
    int guess, Phi, Phid, Phi_q, Phi_dot, Phid_dot;     /* outputs */
    int rows;                       /* position-level constraints */
    int free_q, free_v;             /* how many are not given */
    int *q_index, *v_index;         /* which */
    int *row;                       /* which constraints are at position level */
    double *residual;               /* [n + m] */
    double *matrix;                 /* [(n + m)^2] */
};

static double *out(const struct starter *s, int k)
{
    return &s->w[s->program->output[k]];
}

static void compile(struct starter *s)
{
    static const bool rho_moves[BLOCKS] = {[BLOCK_RHO] = true};
    static const bool all_move[BLOCKS] = {
        [BLOCK_RHO] = true, [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true,
        [BLOCK_S] = true};
    const struct model *model = s->system->model;
    const struct mode *mode = model->start;
    int n = s->n, m = s->m, k = 0;
    int count = 2 * s->given + n + 4 * m + m * n;
    formula *f = memory_new(count, sizeof *f);

    f[k++] = model->t0;
    f[k++] = model->t_end;
    memcpy(f + k, model->q0, (size_t)n * sizeof *f);
    memcpy(f + k + n, model->v0, (size_t)n * sizeof *f);
    memcpy(f + k + 2 * n, model->s0, (size_t)s->ns * sizeof *f);
    tangent(model->tape, f, s->given, rho_moves, 1, f + s->given);
    k = s->guess = 2 * s->given;
    memcpy(f + k, model->q_guess, (size_t)n * sizeof *f);
    k = s->Phi = k + n;
    memcpy(f + k, mode->Phi, (size_t)m * sizeof *f);
    k = s->Phid = k + m;
    memcpy(f + k, mode->Phid, (size_t)m * sizeof *f);
    k = s->Phi_q = k + m;
    memcpy(f + k, mode->Phi_q, (size_t)(m * n) * sizeof *f);
    k = s->Phi_dot = k + m * n;
    tangent(model->tape, mode->Phi, m, all_move, 1, f + k);
    k = s->Phid_dot = k + m;
    tangent(model->tape, mode->Phid, m, all_move, 1, f + k);

    s->program = program_seal(model->tape, f, count, start_stages);
    s->w = memory_new(s->program->slots, sizeof *s->w);
    program_init(s->program, s->w);
    program_load(s->program, BLOCK_RHO, s->system->rho, s->w);
    program_run(s->program, START_RHO, s->w);
    free(f);
}

static void starter_init(struct starter *s, struct system *system)
{
    const struct model *model = system->model;
    const struct mode *mode = model->start;
    *s = (struct starter){.system = system, .n = model->n, .ns = model->ns, .m = mode->m};
    s->given = 2 + 2 * s->n + s->ns;
    s->q_index = memory_new(s->n, sizeof(int));
    s->v_index = memory_new(s->n, sizeof(int));
    s->row = memory_new(s->m, sizeof(int));
    s->residual = memory_new(s->n + s->m, sizeof(double));
    s->matrix = memory_new((s->n + s->m) * (s->n + s->m), sizeof(double));
    for (int i = 0; i < s->m; i++)
        if (!mode->velocity_level[i])
            s->row[s->rows++] = i;
    for (int i = 0; i < s->n && s->m > 0; i++) {
        if (!model->q0[i].tape && s->rows > 0)
            s->q_index[s->free_q++] = i;
        if (!model->v0[i].tape)
            s->v_index[s->free_v++] = i;
    }
    compile(s);
}

static void starter_clear(struct starter *s)
{
    program_free(s->program);
    free(s->w);
    free(s->q_index);
    free(s->v_index);
    free(s->row);
    free(s->residual);
    free(s->matrix);
}

static enum status refuse(const struct starter *s, enum status status, const char *what,
                          double value)
{
    return diagnose(s->system->diagnosis, status, *out(s, 0),
                    "start of case %s: %s (%.3g)", s->system->model->desc->name, what,
                    value);
}

static void load(struct starter *s, double t, const double *q, const double *v,
                 const double *aux)
{
    program_load(s->program, BLOCK_T, &t, s->w);
    program_load(s->program, BLOCK_Q, q, s->w);
    program_load(s->program, BLOCK_V, v, s->w);
    program_load(s->program, BLOCK_S, aux, s->w);
    program_run(s->program, START_STATE, s->w);
}

/* Factors the columns `index` of the given rows of Phi_q. */
static bool factor_columns(struct starter *s, struct factor *factor, const int *row,
                           const int *index)
{
    for (int i = 0; i < factor->n; i++)
        for (int j = 0; j < factor->n; j++)
            s->matrix[i * factor->n + j] =
                *out(s, s->Phi_q + (row ? row[i] : i) * s->n + index[j]);
    return factor_matrix(factor, s->matrix);
}

static double norm_of(const double *x, int count)
{
    double norm = 0;
    for (int i = 0; i < count; i++)
        norm = isfinite(x[i]) ? fmax(norm, fabs(x[i])) : INFINITY;
    return norm;
}

static double load_Phi(struct starter *s, double t, const double *q, const double *v,
                       const double *aux)
{
    load(s, t, q, v, aux);
    for (int i = 0; i < s->rows; i++)
        s->residual[i] = *out(s, s->Phi + s->row[i]);
    return norm_of(s->residual, s->rows);
}

/* Do the constraints determine the dependent coordinates, or velocities? Where they do
   not, Newton's method still arrives, with half of the digits. */
static bool determined(const struct starter *s, const struct factor *factor,
                       const int *row)
{
    static const double half = 1e-7;
    double *size = memory_new(factor->n, sizeof *size);
    for (int i = 0; i < factor->n; i++)
        for (int j = 0; j < s->n; j++)
            size[i] = fmax(size[i],
                           fabs(*out(s, s->Phi_q + (row ? row[i] : i) * s->n + j)));
    bool yes = factor_least_pivot(factor, size) > half;
    free(size);
    return yes;
}

/* Newton on Phi = 0 for the free coordinates; a step that makes it worse is halved. Ends
   when the residual no longer falls: then it is at rounding level. */
static enum status assemble(struct starter *s, struct factor *factor, double t, double *q,
                            const double *v, const double *aux)
{
    double *trial = memory_new(2 * s->n, sizeof *trial), *step = trial + s->n;
    double error = load_Phi(s, t, q, v, aux), first = fmax(error, 1);
    enum status status = OK;
    for (int k = 0; k < 200; k++) {
        if (!factor_columns(s, factor, s->row, s->q_index)) {
            status = RANK_LOSS;
            break;
        }
        memcpy(step, s->residual, (size_t)s->rows * sizeof *step);
        factor_solve(factor, step);
        double damping = 1, next = INFINITY;
        for (; damping > 1e-6; damping /= 2) {
            memcpy(trial, q, (size_t)s->n * sizeof *trial);
            for (int i = 0; i < s->free_q; i++)
                trial[s->q_index[i]] -= damping * step[i];
            next = load_Phi(s, t, trial, v, aux);
            if (next < error)
                break;
        }
        if (!(next < error))
            break;
        memcpy(q, trial, (size_t)s->n * sizeof *q);
        error = next;
    }
    load_Phi(s, t, q, v, aux);
    if (status == OK && !(error <= 1e-12 * first))
        status = UNREACHABLE;
    if (status == OK && !determined(s, factor, s->row))
        status = RANK_LOSS;
    free(trial);
    return status;
}

/* Velocities that are not given from Phid = 0, which is linear in v. */
static enum status solve_velocities(struct starter *s, struct factor *factor, double t,
                                    const double *q, double *v, const double *aux)
{
    for (int k = 0; k < 2; k++) {       /* the second pass refines */
        load(s, t, q, v, aux);
        if (!factor_columns(s, factor, NULL, s->v_index) || !determined(s, factor, NULL))
            return RANK_LOSS;
        for (int i = 0; i < s->m; i++)
            s->residual[i] = *out(s, s->Phid + i);
        factor_solve(factor, s->residual);
        for (int i = 0; i < s->free_v; i++)
            v[s->v_index[i]] -= s->residual[i];
    }
    load(s, t, q, v, aux);
    return OK;
}

/* --- sensitivities ------------------------------------------------------------------ */

static void load_direction(struct starter *s, double dt, const double *dq,
                           const double *dv, const double *ds)
{
    program_load(s->program, TANGENT(BLOCK_T), &dt, s->w);
    program_load(s->program, TANGENT(BLOCK_Q), dq, s->w);
    program_load(s->program, TANGENT(BLOCK_V), dv, s->w);
    program_load(s->program, TANGENT(BLOCK_S), ds, s->w);
    program_run(s->program, START_DIRECTION_STATE, s->w);
}

/* Of what is given explicitly the constraints must hold for neighbouring parameters too:
   the largest of their derivatives at the start, in units of the sensitivities there. */
static double contradiction(const struct starter *s, const double *dq, const double *dv)
{
    double size = fmax(1, fmax(norm_of(dq, s->n), norm_of(dv, s->n))), worst = 0;
    for (int i = 0; s->free_q == 0 && i < s->rows; i++)
        worst = fmax(worst, fabs(*out(s, s->Phi_dot + s->row[i])));
    for (int i = 0; s->free_v == 0 && i < s->m; i++)
        worst = fmax(worst, fabs(*out(s, s->Phid_dot + i)));
    return worst / size;
}

/* Q = dq - v dt0 and so on; the system has been solved at the start. */
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

/* Derivatives at the start that moves with the parameter, then at fixed time t0. */
static enum status sensitivities(struct starter *s, const struct factor *q_factor,
                          const struct factor *v_factor, int j, const double *v,
                          struct span *span, double *X)
{
    struct system *system = s->system;
    int n = s->n, ns = s->ns;
    double *dq = X, *dv = X + n, *ds = X + 2 * n;
    double *unit = system->direction_rho;

    unit[system->parameter[j]] = 1;
    program_load(s->program, TANGENT(BLOCK_RHO), unit, s->w);
    unit[system->parameter[j]] = 0;
    program_run(s->program, START_DIRECTION, s->w);
    double dt = span->dt0[j] = *out(s, s->given);
    span->dt_end[j] = *out(s, s->given + 1);
    for (int i = 0; i < n; i++) {
        dq[i] = *out(s, s->given + 2 + i);
        dv[i] = *out(s, s->given + 2 + n + i);
    }
    for (int k = 0; k < ns; k++)
        ds[k] = *out(s, s->given + 2 + 2 * n + k);

    load_direction(s, dt, dq, dv, ds);
    for (int i = 0; i < s->free_q; i++)
        s->residual[i] = *out(s, s->Phi_dot + s->row[i]);
    factor_solve(q_factor, s->residual);
    for (int i = 0; i < s->free_q; i++)
        dq[s->q_index[i]] = -s->residual[i];
    load_direction(s, dt, dq, dv, ds);
    for (int i = 0; i < s->free_v; i++)
        s->residual[i] = *out(s, s->Phid_dot + i);
    factor_solve(v_factor, s->residual);
    for (int i = 0; i < s->free_v; i++)
        dv[s->v_index[i]] = -s->residual[i];

    if (contradiction(s, dq, dv) > 1e-10) {
        char what[200];
        snprintf(what, sizeof what, "what is given contradicts the constraints when %s "
                 "changes, d|Phi|", system->model->parameter[system->parameter[j]].name);
        return refuse(s, INCONSISTENT, what, contradiction(s, dq, dv));
    }

    at_fixed_start(s, dt, v, X);
    return OK;
}

/* --- the start ---------------------------------------------------------------------- */

static enum status dependent(struct starter *s, struct factor *q_factor,
                             struct factor *v_factor, double t, double *q, double *v,
                             const double *aux)
{
    if (s->free_q != 0 && s->free_q != s->rows)
        return refuse(s, BAD_INPUT, "as many coordinates must be left open as there are "
                      "constraints; open are", s->free_q);
    if (s->free_v != 0 && s->free_v != s->m)
        return refuse(s, BAD_INPUT, "as many velocities must be left open as there are "
                      "constraints; open are", s->free_v);
    if (s->free_q > 0) {
        enum status status = assemble(s, q_factor, t, q, v, aux);
        if (status == RANK_LOSS)
            return refuse(s, status, "Phi_q of the dependent coordinates is singular, "
                          "|Phi|", norm_of(s->residual, s->rows));
        if (status != OK)
            return refuse(s, status, "no configuration satisfies the constraints near "
                          "the guess, |Phi|", norm_of(s->residual, s->rows));
    } else if (load_Phi(s, t, q, v, aux) > 1e-10) {
        return refuse(s, INCONSISTENT, "the given coordinates contradict the "
                      "constraints, |Phi|", norm_of(s->residual, s->rows));
    }
    if (s->free_v > 0) {
        if (solve_velocities(s, v_factor, t, q, v, aux) != OK)
            return refuse(s, RANK_LOSS, "Phi_q of the dependent velocities is singular, "
                          "rows", s->m);
        return OK;
    }
    load(s, t, q, v, aux);
    for (int i = 0; i < s->m; i++)
        s->residual[i] = *out(s, s->Phid + i);
    if (norm_of(s->residual, s->m) > 1e-10)
        return refuse(s, INCONSISTENT, "the given velocities contradict the constraints, "
                      "|Phid|", norm_of(s->residual, s->m));
    return OK;
}

enum status start_state(struct system *system, struct span *span, double *x)
{
    struct starter s;
    starter_init(&s, system);
    int n = s.n, ns = s.ns;
    double *q = x, *v = x + n, *aux = x + 2 * n;
    struct factor q_factor = {0}, v_factor = {0};
    factor_init(&q_factor, s.free_q);
    factor_init(&v_factor, s.free_v);

    memset(x, 0, (size_t)system->dim * sizeof *x);
    double t = span->t0 = *out(&s, 0);
    span->t_end = *out(&s, 1);
    for (int i = 0; i < n; i++) {
        bool open = !system->model->q0[i].tape && s.rows > 0;
        q[i] = *out(&s, open ? s.guess + i : 2 + i);
        v[i] = *out(&s, 2 + n + i);
    }
    for (int k = 0; k < ns; k++)
        aux[k] = *out(&s, 2 + 2 * n + k);

    enum status status = dependent(&s, &q_factor, &v_factor, t, q, v, aux);
    if (status == OK)
        status = system_solve(system, system->now, t, q, v, aux, system->a,
                              system->lambda);
    for (int j = 0; status == OK && j < system->p; j++)
        status = sensitivities(&s, &q_factor, &v_factor, j, v, span,
                               x + (j + 1) * system->state);
    factor_clear(&q_factor);
    factor_clear(&v_factor);
    starter_clear(&s);
    return status;
}
