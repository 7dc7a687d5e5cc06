/*
 * native_model.c - motion, guards and resets of a native case (native_model.h).
 */
#include "oracles/native/native_constraint.h"

#include <stdlib.h>

#include "base/memory.h"

/* --- points ------------------------------------------------------------------------- */

struct native_point *native_point_like(const struct native_point *model)
{
    int values = 0;
    for (int b = 0; b < NATIVE_BLOCKS; b++)
        values += model->size[b];
    struct native_point *point = memory_new(1, sizeof *point);
    quad_complex *next = memory_new(values, sizeof *next);
    *point = *model;
    for (int b = 0; b < NATIVE_BLOCKS; b++) {
        point->x[b] = next;
        next += point->size[b];
    }
    if (model->x[0])
        native_point_copy(point, model);
    return point;
}

void native_point_copy(struct native_point *point, const struct native_point *model)
{
    for (int b = 0; b < NATIVE_BLOCKS; b++)
        memory_copy(point->x[b], model->x[b], point->size[b], sizeof *point->x[b]);
}

struct native_point *native_point_new(const char *case_name)
{
    const struct native_case *of = native_case_find(case_name);
    return of ? native_point_of(of) : NULL;
}

struct native_point *native_point_of(const struct native_case *of)
{
    struct model *model = native_record(of, NULL);
    int n = model->n, ns = model->ns;
    struct native_point sizes = {
        .of = of, .n = n, .ns = ns, .nz = model->nz, .p = model->p,
        .modes = model->modes, .events = model->events,
        .size = {[NATIVE_T] = 1, [NATIVE_Q] = n, [NATIVE_V] = n, [NATIVE_S] = ns,
                 [NATIVE_A] = n, [NATIVE_LAMBDA] = NATIVE_ROWS, [NATIVE_RHO] = model->p,
                 [NATIVE_Q_PLUS] = n, [NATIVE_V_PLUS] = n, [NATIVE_S_PLUS] = ns,
                 [NATIVE_IMPULSE] = NATIVE_ROWS},
    };
    native_free(model);
    return native_point_like(&sizes);
}

void native_point_free(struct native_point *point)
{
    if (point)
        free(point->x[0]);
    free(point);
}

/* --- motion ------------------------------------------------------------------------- */

/* An entry of M, of which the case may give one triangle. */
static quad_complex mass(const struct mode *mode, int i, int j)
{
    return mode->M[i][j] != 0 ? mode->M[i][j] : mode->M[j][i];
}

/* Solves M a + B' x = F at the multipliers of the point, C a = c: B, C [rows * n]; a and
   x into b [n + rows]. */
static bool saddle(const struct native_point *point, int mode, int rows,
                   const quad_complex *B, const quad_complex *C, const quad_complex *c,
                   quad_complex *b)
{
    int n = point->n, size = n + rows;
    struct model *model = native_record(point->of, point->x);
    quad_complex *A = memory_new(size * size, sizeof *A);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            A[i * size + j] = mass(model->mode[mode], i, j);
        b[i] = model->mode[mode]->F[i];
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++) {
            A[(n + i) * size + j] = C[i * n + j];
            A[j * size + n + i] = B[i * n + j];
        }
        b[n + i] = c[i];
    }
    bool regular = quad_solve(size, A, b);
    native_free(model);
    free(A);
    return regular;
}

/* Takes new accelerations and multipliers into the point; returns by how much they
   change. */
static quad take(struct native_point *point, const quad_complex *a,
                 const quad_complex *lambda)
{
    quad change = 0;
    for (int i = 0; i < point->n + point->m; i++) {
        quad_complex *u = i < point->n ? &point->x[NATIVE_A][i]
                                       : &point->x[NATIVE_LAMBDA][i - point->n];
        quad_complex x = i < point->n ? a[i] : lambda[i - point->n];
        change += quad_size(*u - x);
        *u = x;
    }
    return change;
}

/* The equations of one mode at a point: Phi_q, Phid_v, gamma; L Q = Phi_q, and where rows
   are dependent L Qd = Phid_v. */
struct motion {
    int mode;
    quad_complex *Phi_q, *Phid_v, *gamma, *Q, *Qd;
    struct native_factor L;
};

/* Sets Qd, column by column: rows that depend on others do so in Phid_v as in Phi_q. */
static bool reduce_velocity_rows(const struct motion *motion, int n)
{
    int m = motion->L.rows, rank = motion->L.columns;
    quad_complex column[NATIVE_ROWS], reduced[NATIVE_ROWS];
    bool regular = true;
    for (int j = 0; regular && rank < m && j < n; j++) {
        for (int i = 0; i < m; i++)
            column[i] = motion->Phid_v[i * n + j];
        regular = native_least_squares(motion->L, column, reduced);
        for (int i = 0; i < rank; i++)
            motion->Qd[i * n + j] = reduced[i];
    }
    return regular;
}

/* Solves once with F at the multipliers of the point. */
static bool solve_motion(struct native_point *point, const struct motion *motion,
                         quad *change)
{
    int n = point->n, m = point->m, rank = motion->L.columns;
    quad_complex c[NATIVE_ROWS], lambda[NATIVE_ROWS];
    quad_complex *b = memory_new(n + m, sizeof *b);
    bool regular = true;
    for (int i = 0; i < m; i++)
        c[i] = -motion->gamma[i];
    if (rank == m) {
        regular = saddle(point, motion->mode, m, motion->Phi_q, motion->Phid_v, c, b);
        *change = take(point, b, b + n);
    } else {
        quad_complex d[NATIVE_ROWS];
        regular = native_least_squares(motion->L, c, d) &&
                  saddle(point, motion->mode, rank, motion->Q, motion->Qd, d, b) &&
                  native_least_norm(motion->L, b + n, lambda);
        *change = take(point, b, lambda);
    }
    free(b);
    return regular;
}

bool native_motion(struct native_point *point, int mode)
{
    struct native_rows rows = {mode, -1, mode};
    int n = point->n, size = NATIVE_ROWS * n;
    quad_complex gamma[NATIVE_ROWS], *memory = memory_new(6 * size, sizeof *memory);
    quad_complex *Phi_q = memory, *Q = memory + size, *L = memory + 2 * size;
    quad_complex *copy = memory + 3 * size, *Phid_v = memory + 4 * size;
    quad_complex *Qd = memory + 5 * size;
    point->m = native_jacobian(point, rows, Phi_q);
    native_velocity_jacobian(point, rows, Phi_q, Phid_v);
    native_gamma(point, rows, gamma);
    for (int i = 0; i < point->m * n; i++)
        copy[i] = Phi_q[i];
    int rank = native_range(point->m, n, copy, Q, L);
    struct motion motion = {mode, Phi_q, Phid_v, gamma, Q, Qd, {L, point->m, rank, n}};
    /* F may depend on lambda (joint friction): solved again until lambda does not move */
    quad change = 1;
    bool regular = reduce_velocity_rows(&motion, n);
    for (int k = 0; regular && k < 200 && change > (quad)1e-24; k++)
        regular = solve_motion(point, &motion, &change);
    free(memory);
    return regular && change <= (quad)1e-20;
}

void native_start_rows(const struct native_point *point, quad_complex *Gamma)
{
    struct model *model = native_record(point->of, point->x);
    for (int i = 0; i < model->start_rows; i++)
        Gamma[i] = model->Gamma[i];
    native_free(model);
}

void native_guards(const struct native_point *point, quad_complex *guard)
{
    struct model *model = native_record(point->of, point->x);
    for (int k = 0; k < point->events; k++)
        guard[k] = model->event[k]->guard;
    native_free(model);
}

void native_rates(const struct native_point *point, int mode, quad_complex *g)
{
    struct model *model = native_record(point->of, point->x);
    for (int k = 0; k < point->nz; k++)
        g[k] = model->mode[mode]->g[k];
    native_free(model);
}

/* --- resets ------------------------------------------------------------------------- */

/* Sets q+ and s+ where given, identity elsewhere; v+ as given, and *given where. */
static void explicit_parts(struct native_point *point, int event, bool *given)
{
    struct model *model = native_record(point->of, point->x);
    const struct event *e = model->event[event];
    for (int i = 0; i < point->n; i++) {
        bool set = native_is_set(e->q_plus[i]);
        point->x[NATIVE_Q_PLUS][i] = set ? e->q_plus[i] : point->x[NATIVE_Q][i];
        given[i] = native_is_set(e->v_plus[i]);
        point->x[NATIVE_V_PLUS][i] = given[i] ? e->v_plus[i] : point->x[NATIVE_V][i];
    }
    for (int i = 0; i < point->ns; i++) {
        bool set = native_is_set(e->s_plus[i]);
        point->x[NATIVE_S_PLUS][i] = set ? e->s_plus[i] : point->x[NATIVE_S][i];
    }
    native_free(model);
}

/* The point after the event, with velocities v. */
static struct native_point *point_after(const struct native_point *point,
                                        const quad_complex *v)
{
    struct native_point *after = native_point_like(point);
    for (int i = 0; i < point->n; i++) {
        after->x[NATIVE_Q][i] = point->x[NATIVE_Q_PLUS][i];
        after->x[NATIVE_V][i] = v ? v[i] : 0;
    }
    for (int i = 0; i < point->ns; i++)
        after->x[NATIVE_S][i] = point->x[NATIVE_S_PLUS][i];
    return after;
}

/* Most rounds: rates of s need not be linear in velocities, so resets are solved again
   with the velocities found until these stay; linear rates are solved at once. */
enum { MOST_ROUNDS = 40 };

static quad distance(const quad_complex *x, const quad_complex *y, int n)
{
    quad sum = 0, size = 1;
    for (int i = 0; i < n; i++) {
        sum += quad_size(x[i] - y[i]);
        size += quad_size(x[i]);
    }
    return sum / size;
}

/* Linearises the rows Phid+ = `want` [rows] at velocities v: A [rows * stride] and b. */
static void linearised_rates(const struct native_point *point, struct native_rows rows,
                             const quad_complex *v, const quad_complex *want,
                             quad_complex *Phi_q, quad_complex *A, int stride,
                             quad_complex *b)
{
    int n = point->n;
    struct native_point *after = point_after(point, v);
    quad_complex Phid[NATIVE_ROWS], *Phid_v = memory_new(NATIVE_ROWS * n, sizeof *Phid_v);
    int m = native_jacobian(after, rows, Phi_q);
    native_velocity_jacobian(after, rows, Phi_q, Phid_v);
    native_Phid(after, rows, Phid);
    for (int i = 0; i < m; i++) {
        b[i] = (want ? want[i] : 0) - Phid[i];
        for (int j = 0; j < n; j++) {
            A[i * stride + j] = Phid_v[i * n + j];
            b[i] += Phid_v[i * n + j] * v[j];
        }
    }
    native_point_free(after);
    free(Phid_v);
}

/* Solves the given velocities, then the rows of Phid+ at v: v into b [n]. */
static bool constrained_round(struct native_point *point, struct native_rows rows, int m,
                              const bool *given, quad_complex *v)
{
    int n = point->n, row = 0;
    quad_complex *A = memory_new((n + m) * n, sizeof *A);
    quad_complex *b = memory_new(n + m, sizeof *b);
    quad_complex *Phi_q = memory_new(NATIVE_ROWS * n, sizeof *Phi_q);
    for (int i = 0; i < n; i++)
        if (given[i]) {
            A[row * n + i] = 1;
            b[row++] = point->x[NATIVE_V_PLUS][i];
        }
    linearised_rates(point, rows, v, NULL, Phi_q, A + row * n, n, b + row);
    row += m;
    /* where constraints depend on others there are more rows than velocities */
    bool regular = row > n ? native_least_squares((struct native_factor){A, row, n, n},
                                                  b, v)
                           : row == n && quad_solve(n, A, b);
    for (int i = 0; row == n && i < n; i++)
        v[i] = b[i];
    free(A);
    free(b);
    free(Phi_q);
    return regular;
}

/* Sets v+ from the given velocities and Phid+ = 0. */
static bool constrained(struct native_point *point, int to, const bool *given)
{
    int n = point->n;
    struct native_rows rows = {to, -1, to};
    quad_complex Phi[NATIVE_ROWS];
    bool ignored[NATIVE_ROWS], regular = true;
    quad_complex *v = memory_new(2 * n, sizeof *v), *last = v + n;
    int m = native_rows(point, rows, Phi, ignored);
    for (int k = 0; regular && k < MOST_ROUNDS; k++) {
        regular = constrained_round(point, rows, m, given, v);
        if (regular && distance(v, last, n) <= (quad)1e-26)
            break;
        for (int i = 0; i < n; i++)
            last[i] = v[i];
    }
    for (int i = 0; i < n; i++)
        point->x[NATIVE_V_PLUS][i] = v[i];
    free(v);
    return regular;
}

/* Sets the impulse equations in (v+, J), rates linearised at v: A [rows * rows], b
   [rows]. */
static void impulse_equations(struct native_point *point, int event, int from, int to,
                              int rows, const quad_complex *v, quad_complex *A,
                              quad_complex *b)
{
    int n = point->n, k = rows - n;
    struct native_rows Psi_before = {from, event, to}, Psi_after = {to, event, to};
    struct native_point *after = point_after(point, NULL);
    struct model *before = native_record(point->of, point->x);
    struct model *behind = native_record(after->of, after->x);
    quad_complex Psid[NATIVE_ROWS];
    quad_complex *Psi_q = memory_new(NATIVE_ROWS * n, sizeof *Psi_q);
    native_Phid(point, Psi_before, Psid);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i * rows + j] = mass(behind->mode[to], i, j);
            b[i] += mass(before->mode[from], i, j) * point->x[NATIVE_V][j];
        }
    for (int i = 0; i < k; i++)
        Psid[i] *= -before->event[event]->E[i];
    linearised_rates(point, Psi_after, v, Psid, Psi_q, A + n * rows, rows, b + n);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++)
            A[j * rows + n + i] = Psi_q[i * n + j];
    native_free(before);
    native_free(behind);
    native_point_free(after);
    free(Psi_q);
}

static bool impulsive(struct native_point *point, int event, int from, int to)
{
    quad_complex Psi[NATIVE_ROWS];
    bool ignored[NATIVE_ROWS];
    int n = point->n;
    point->impulses = native_rows(point, (struct native_rows){from, event, to}, Psi,
                                  ignored);
    int rows = n + point->impulses;
    quad_complex *A = memory_new(rows * rows, sizeof *A);
    quad_complex *b = memory_new(rows, sizeof *b);
    quad_complex *v = memory_new(n, sizeof *v);
    bool regular = true, stays = false;
    for (int k = 0; regular && !stays && k < MOST_ROUNDS; k++) {
        for (int i = 0; i < rows * rows; i++)
            A[i] = 0;
        for (int i = 0; i < rows; i++)
            b[i] = 0;
        impulse_equations(point, event, from, to, rows, v, A, b);
        regular = quad_solve(rows, A, b);
        stays = distance(b, v, n) <= (quad)1e-26;
        for (int i = 0; i < n; i++)
            v[i] = b[i];
    }
    for (int i = 0; i < n; i++)
        point->x[NATIVE_V_PLUS][i] = b[i];
    for (int i = n; i < rows; i++)
        point->x[NATIVE_IMPULSE][i - n] = b[i];
    free(A);
    free(b);
    free(v);
    return regular;
}

bool native_reset(struct native_point *point, int event)
{
    bool *given = memory_new(point->n, sizeof *given);
    struct model *model = native_record(point->of, point->x);
    enum velocity_reset kind = model->event[event]->velocity;
    int from = model->event[event]->from->index, to = model->event[event]->to->index;
    native_free(model);
    /* twice: a velocity after the event may be a formula of positions after it */
    explicit_parts(point, event, given);
    explicit_parts(point, event, given);
    point->impulses = 0;
    bool regular = true;
    if (kind == VELOCITY_CONSTRAINED)
        regular = constrained(point, to, given);
    if (kind == VELOCITY_IMPULSIVE)
        regular = impulsive(point, event, from, to);
    free(given);
    return regular;
}
