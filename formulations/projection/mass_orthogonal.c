/*
 * mass_orthogonal.c - mass-orthogonal projection (Bayo, Ledesma 1996): the nearest state
 * on the constraints, distances measured by M.
 *
 *     minimise (q - q*)' M (q - q*) / 2   subject to Phi = 0,
 *     minimise (v - v*)' M (v - v*) / 2   subject to Phid = 0,
 *
 * and Q, V are projected onto the linearised constraints in the same metric, by the
 * augmented Lagrangian iteration of that paper. At velocity level d Phid/dv =
 * Phi_q + Phi_s f_s,v takes the place of Phi_q below. The matrix M + Phi_q' alpha Phi_q
 * of the paper is taken apart, which for a large alpha keeps the digits the sum would
 * lose:
 *
 *     [ M       Phi_q'    ] [ dq  ]     [ M (q - q*) + Phi_q' mu ]
 *     [ Phi_q   -alpha^-1 ] [ dmu ] = - [ Phi                    ]
 *
 * The shift alpha^-1 keeps the matrix regular when constraints are redundant and changes
 * the rate of the iteration only, not its limit. M may be singular if it is positive
 * definite on ker Phi_q.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/tolerances.h"
#include "linear/dense_lu.h"
#include "projection/projection.h"
#include "projection/rows.h"
#include "projection/solved_projection.h"

enum { MOST_STEPS = 40, MOST_PASSES = 8 };

/* The matrix for some rows, in units in which M has ones on its diagonal and the largest
   entry of every row of Phi_q is about one. */
struct saddle {
    struct rows rows;
    struct dense_lu factor; /* factors of the matrix */
    double *unit;           /* [n + rows] (projection/rows.h) */
};

struct mass_orthogonal {
    struct constraints *constraints;
    int *all;                           /* [m] 0, 1, 2 .. */
    struct saddle saddle[2];
    int saddles;                        /* 2 if there are velocity-level rows, or two
                                           matrices; else 1 */
    struct saddle *position, *velocity; /* the first of `saddle`, and the last */
    double *matrix;                     /* [(n+m)^2] scratch */
    double *x0;                         /* [n] the vector that is projected */
    double *mu;                         /* [m] multipliers of the projection */
    double *step;                       /* [n+m] dq (or dv, dQ, dV), dmu */
    struct solved_projection *solved;   /* made at the first restart; or NULL */
    bool looked;                        /* it has been tried to make it */
    bool trusted;                       /* it is to be used on this arc */
    bool used;                          /* the state last projected is by it */
    struct arena arena;                 /* memory of all arrays, those of `saddle`, too */
};

/* --- work space --------------------------------------------------------------------- */

static void saddle_init(struct saddle *saddle, struct arena *arena, int count,
                        const int *index, const struct constraint_matrix *matrix, int n)
{
    saddle->rows = (struct rows){count, index, matrix};
    saddle->unit = arena_new(arena, n + count, sizeof *saddle->unit);
    dense_lu_init(&saddle->factor, n + count);
}

static void *mass_orthogonal_alloc(struct constraints *c)
{
    struct mass_orthogonal *p = memory_new(1, sizeof *p);
    int size = c->n + c->m;
    p->constraints = c;
    p->all = arena_new(&p->arena, c->m, sizeof *p->all);
    for (int i = 0; i < c->m; i++)
        p->all[i] = i;
    p->saddles = c->rows < c->m || !constraints_one_matrix(c) ? 2 : 1;
    p->position = &p->saddle[0];
    p->velocity = &p->saddle[p->saddles - 1];
    saddle_init(p->position, &p->arena, c->rows, c->row, &c->Phi_q, c->n);
    if (p->saddles == 2)
        saddle_init(p->velocity, &p->arena, c->m, p->all, &c->Phid_v, c->n);
    p->matrix = arena_new(&p->arena, size * size, sizeof *p->matrix);
    p->x0 = arena_new(&p->arena, c->n, sizeof *p->x0);
    p->mu = arena_new(&p->arena, c->m, sizeof *p->mu);
    p->step = arena_new(&p->arena, size, sizeof *p->step);
    return p;
}

static void mass_orthogonal_release(void *work)
{
    struct mass_orthogonal *p = work;
    for (int k = 0; k < p->saddles; k++)
        dense_lu_clear(&p->saddle[k].factor);
    solved_projection_free(p->solved);
    arena_free(&p->arena);
    free(p);
}

/* --- the matrix --------------------------------------------------------------------- */

static void load_mass(struct mass_orthogonal *p, const double *unit, int size)
{
    const struct constraints *c = p->constraints;
    const struct entries *at = c->at_M;
    for (int i = 0; i < c->n; i++)
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
            p->matrix[i * size + at->column[k]] =
                constraints_value(c, c->M + k) * unit[i] * unit[at->column[k]];
}

static enum status factor_saddle(struct mass_orthogonal *p, struct saddle *saddle)
{
    const struct constraints *c = p->constraints;
    const struct entries *at = saddle->rows.matrix->at;
    int n = c->n, size = n + saddle->rows.count;
    const double *unit = saddle->unit;
    rows_units(c, &saddle->rows, p->step, saddle->unit);
    memset(p->matrix, 0, (size_t)(size * size) * sizeof *p->matrix);
    load_mass(p, unit, size);
    for (int i = n; i < size; i++) {
        int row = saddle->rows.index[i - n];
        for (int k = at->begin[row]; k < at->begin[row + 1]; k++) {
            int j = at->column[k];
            p->matrix[i * size + j] = p->matrix[j * size + i] =
                constraints_entry(c, saddle->rows.matrix, k) * unit[i] * unit[j];
        }
        p->matrix[i * size + i] = -orthogonal_shift;
    }
    return dense_lu_matrix(&saddle->factor, p->matrix) ? OK : SINGULAR;
}

static enum status values(struct mass_orthogonal *p, double t, const double *q,
                          const double *v, const double *s)
{
    constraints_at(p->constraints, t, q, v, s);
    return rows_finite(p->constraints, q, v) ? OK : NOT_FINITE;
}

static enum status factorise(struct mass_orthogonal *p)
{
    enum status status = OK;
    for (int k = 0; k < p->saddles && status == OK; k++)
        status = factor_saddle(p, &p->saddle[k]);
    return status;
}

/* --- the iteration ------------------------------------------------------------------ */

/* Begins the projection of x. */
static void begin(struct mass_orthogonal *p, const double *x)
{
    memory_copy(p->x0, x, p->constraints->n, sizeof *x);
    memset(p->mu, 0, (size_t)p->constraints->m * sizeof *p->mu);
}

/* step = -M (x - x0) - C' mu, C being the matrix of the rows. */
static void load_forces(struct mass_orthogonal *p, const struct rows *rows,
                        const double *x)
{
    const struct constraints *c = p->constraints;
    const struct entries *M = c->at_M, *C = rows->matrix->at;
    double *step = p->step;
    for (int i = 0; i < c->n; i++) {
        step[i] = 0;
        for (int k = M->begin[i]; k < M->begin[i + 1]; k++) {
            int j = M->column[k];
            step[i] -= constraints_value(c, c->M + k) * (x[j] - p->x0[j]);
        }
    }
    for (int i = 0; i < rows->count; i++) {
        int row = rows->index[i];
        for (int k = C->begin[row]; k < C->begin[row + 1]; k++)
            step[C->column[k]] -= constraints_entry(c, rows->matrix, k) * p->mu[i];
    }
}

/* Makes the next step from x, with the residual `output`; returns its distance
   (rows_distance). */
static double solve(struct mass_orthogonal *p, const struct saddle *saddle, int output,
                    const double *x)
{
    const struct constraints *c = p->constraints;
    const struct rows *rows = &saddle->rows;
    int n = c->n, size = n + rows->count;
    double *step = p->step;
    load_forces(p, rows, x);
    for (int k = 0; k < rows->count; k++)
        step[n + k] = -rows_value(c, rows, output, k);
    for (int i = 0; i < size; i++)
        step[i] *= saddle->unit[i];
    dense_lu_solve(&saddle->factor, step);
    for (int i = 0; i < size; i++)
        step[i] *= saddle->unit[i];
    return rows_distance(c, rows, output, p->x0, x, step);
}

static void move(struct mass_orthogonal *p, const struct saddle *saddle, double *x)
{
    int n = p->constraints->n;
    for (int i = 0; i < n; i++)
        x[i] += p->step[i];
    for (int k = 0; k < saddle->rows.count; k++)
        p->mu[k] += p->step[n + k];
}

/* Makes the step from q, and its distance. Factors of the first point serve at the
   others, since the curvature that they lack is left out of the matrix in any case. Near
   a singular configuration the difference is too large: there, where steps do not become
   much shorter, the matrix is factorised anew. */
static enum status position_step(struct mass_orthogonal *p, double t, const double *q,
                                 const double *v, const double *s, double before,
                                 double *distance)
{
    static const double much_shorter = 0.05;
    const struct constraints *c = p->constraints;
    enum status status = values(p, t, q, v, s);
    if (status == OK && isinf(before))
        status = factorise(p);
    if (status != OK)
        return status;
    *distance = solve(p, p->position, c->Phi, q);
    if (isinf(before) || *distance <= much_shorter * before ||
        rows_progress(*distance, before, *distance) == ARRIVED)
        return OK;
    status = factorise(p);
    if (status == OK)
        *distance = solve(p, p->position, c->Phi, q);
    return status;
}

/* Phi is not linear, and as in the paper its curvature is left out of the matrix: each
   step reduces the error by the factor |q - q*| relative to the size of the mechanism. */
static enum status positions(struct mass_orthogonal *p, double t, double *q,
                             const double *v, const double *s)
{
    double before = INFINITY, first = 0;
    begin(p, q);
    for (int k = 0; k < MOST_STEPS; k++) {
        double distance;
        enum status status = position_step(p, t, q, v, s, before, &distance);
        if (status != OK)
            return status;
        first = k == 0 ? distance : first;
        enum progress progress = rows_progress(distance, before, first);
        if (progress == ARRIVED)
            return OK;
        if (progress == STUCK)
            return NO_CONVERGENCE;
        move(p, p->position, q);
        if (progress == LAST_STEP) {    /* velocities and columns iterate: factors will
                                           do */
            constraints_at(p->constraints, t, q, v, s);
            return OK;
        }
        before = distance;
    }
    return NO_CONVERGENCE;
}

/* True if redundant velocity-level rows contradict each other: no v satisfies them, and
   much more than rounding is left of Phid, in units of the speed of the mechanism. */
static bool contradiction(const struct constraints *c, const struct saddle *saddle,
                          const double *v)
{
    const double *unit = saddle->unit, *row = saddle->unit + c->n;
    double speed = 0;
    for (int j = 0; j < c->n; j++)
        speed = fmax(speed, fabs(v[j]) / unit[j]);
    for (int i = 0; i < saddle->rows.count; i++)
        if (!(fabs(rows_value(c, &saddle->rows, c->Phid, i)) * row[i] <=
              rows_contradict * speed))
            return true;
    return false;
}

/* Phid = 0 is linear in v: the first step solves, further ones correct the shift and
   rounding. */
static enum status velocities(struct mass_orthogonal *p, double t, const double *q,
                              double *v, const double *s)
{
    struct constraints *c = p->constraints;
    double before = INFINITY;
    begin(p, v);
    for (int k = 0; k < MOST_PASSES; k++) {
        double distance = solve(p, p->velocity, c->Phid, v);
        enum progress progress = rows_progress(distance, before, 0);
        if (progress == ARRIVED || progress == STUCK)
            break;
        move(p, p->velocity, v);
        constraints_at(c, t, q, v, s);
        before = distance;
    }
    if (!rows_finite(c, q, v))
        return NOT_FINITE;
    return contradiction(c, p->velocity, v) ? NO_CONVERGENCE : OK;
}

static enum status mass_orthogonal_state(void *work, double t, double *q, double *v,
                                         const double *s)
{
    struct mass_orthogonal *p = work;
    p->used = p->trusted && !p->constraints->pivots &&
              solved_projection_state(p->solved, t, q, v, s);
    if (p->used)
        return OK;
    enum status status = positions(p, t, q, v, s);
    return status == OK ? velocities(p, t, q, v, s) : status;
}

/* --- solved beforehand -------------------------------------------------------------- */

static void make_program(struct mass_orthogonal *p)
{
    int n = p->constraints->n;
    int *all = memory_new(n, sizeof *all);
    for (int j = 0; j < n; j++)
        all[j] = j;
    const struct rows *position = &p->position->rows, *velocity = &p->velocity->rows;
    const struct projected_level level[2] = {
        {position->count, position->index, n, all},
        {velocity->count, velocity->index, n, all}};
    p->solved = solved_projection_new(p->constraints, true, level);
    p->looked = true;
    free(all);
}

/* Are the constraints independent, by the matrices last factorised? The program has no
   shift that would make up for it. */
static bool independent(const struct mass_orthogonal *p)
{
    static const double least = 1e-6;
    for (int k = 0; k < p->saddles; k++)
        if (!(dense_lu_least_pivot(&p->saddle[k].factor, NULL) > least))
            return false;
    return true;
}

/* There is no choice; but the matrix must be regular. */
static enum status mass_orthogonal_restart(void *work, double t, const double *q,
                                           const double *v, const double *s)
{
    struct mass_orthogonal *p = work;
    enum status status = values(p, t, q, v, s);
    if (status == OK)
        status = factorise(p);
    p->trusted = p->used = false;
    if (status != OK)
        return status;
    if (!p->looked)
        make_program(p);
    p->trusted = p->solved && independent(p) &&
                 solved_projection_restart(p->solved, t, q, v, s);
    return OK;
}

static void mass_orthogonal_review(void *work, double t, const double *q, const double *v,
                                   const double *s)
{
    struct mass_orthogonal *p = work;
    (void)t, (void)q, (void)v, (void)s;
    if (p->trusted)
        solved_projection_review(p->solved);
}

static void mass_orthogonal_renew(void *work)
{
    struct mass_orthogonal *p = work;
    p->trusted = p->used = false;
}

/* --- a column of sensitivities ------------------------------------------------------ */

static void linearised(struct mass_orthogonal *p, const struct saddle *saddle, int output,
                       int parameter, double *Q, double *V, const double *S, double *x)
{
    double before = INFINITY;
    begin(p, x);
    for (int k = 0; k < MOST_PASSES; k++) {
        constraints_along(p->constraints, 0, Q, V, S, parameter);
        double distance = solve(p, saddle, output, x);
        enum progress progress = rows_progress(distance, before, 0);
        if (progress == ARRIVED || progress == STUCK)
            return;
        move(p, saddle, x);
        before = distance;
    }
}

static void mass_orthogonal_column(void *work, int parameter, double *Q, double *V,
                                   const double *S)
{
    struct mass_orthogonal *p = work;
    const struct constraints *c = p->constraints;
    if (p->used) {
        solved_projection_column(p->solved, parameter, Q, V, S);
        return;
    }
    linearised(p, p->position, c->Phi_dot, parameter, Q, V, S, Q);
    linearised(p, p->velocity, c->Phid_dot, parameter, Q, V, S, V);
}

const struct projection projection_mass_orthogonal = {
    .name = "mass-orthogonal",
    .title = "the nearest coordinates and velocities in the metric of M",
    .source = "Bayo, Ledesma 1996",
    .every_evaluation = true,
    .alloc = mass_orthogonal_alloc,
    .release = mass_orthogonal_release,
    .renew = mass_orthogonal_renew,
    .restart = mass_orthogonal_restart,
    .state = mass_orthogonal_state,
    .column = mass_orthogonal_column,
    .review = mass_orthogonal_review,
};
