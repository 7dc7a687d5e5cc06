/*
 * projecting.h - mechanisms and their poses for the tests of formulations/project, and
 * the linear algebra that judges: Gram-Schmidt and Gaussian elimination, which share
 * nothing with the factors of the projections.
 */
#ifndef SALTUS_PROJECTING_H
#define SALTUS_PROJECTING_H

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "mechanisms/catalogue.h"
#include "monitors/constraints.h"
#include "projection/projection.h"
#include "random_mechanism.h"
#include "run.h"

enum { MOST_P = 32 };

/* Tolerances are relative to the size of the terms; 1e-13 is rounding, amplified by sums
   of some dozen terms and a condition of some hundreds. */
static const double rounding = 1e-13;

/* --- poses -------------------------------------------------------------------------- */

struct pose {
    struct model *stated, *model;   /* the model is a branch, on which constraints are
                                       derived */
    const struct mode *mode;
    struct constraints constraints;
    int n, m;
    double rho[MOST_P], t, s[4], q[MOST_N], v[MOST_N];
    double basis[WRITTEN_ROWS + 1][MOST_N];
};

/* An orthonormal basis of the rows of Phi_q taken, twice against rounding; how many.
   least: the length of what, of a row, is not in the space of those before. */
static inline int row_space(struct pose *p, bool positions_only, double *least)
{
    int rank = 0;
    *least = INFINITY;
    for (int i = 0; i < p->m; i++) {
        double *e = p->basis[rank], before = 0, after = 0;
        if (positions_only && p->mode->velocity_level[i])
            continue;
        for (int j = 0; j < p->n; j++) {
            e[j] = constraints_at_place(&p->constraints, &p->constraints.Phi_q, i, j);
            before += e[j] * e[j];
        }
        for (int k = 0; k < 2 * rank; k++) {
            double dot = 0;
            for (int j = 0; j < p->n; j++)
                dot += e[j] * p->basis[k % rank][j];
            for (int j = 0; j < p->n; j++)
                e[j] -= dot * p->basis[k % rank][j];
        }
        for (int j = 0; j < p->n; j++)
            after += e[j] * e[j];
        *least = fmin(*least, sqrt(after));
        if (sqrt(after / before) < 1e-10)
            continue;
        for (int j = 0; j < p->n; j++)
            e[j] /= sqrt(after);
        rank++;
    }
    return rank;
}

/* The largest component of x outside the row space. */
static inline double outside(struct pose *p, bool positions_only, const double *x)
{
    double rest[MOST_N], largest = 0, least;
    int rank = row_space(p, positions_only, &least);
    memcpy(rest, x, (size_t)p->n * sizeof *rest);
    for (int k = 0; k < rank; k++) {
        double dot = 0;
        for (int j = 0; j < p->n; j++)
            dot += rest[j] * p->basis[k][j];
        for (int j = 0; j < p->n; j++)
            rest[j] -= dot * p->basis[k][j];
    }
    for (int j = 0; j < p->n; j++)
        largest = fmax(largest, fabs(rest[j]));
    return largest;
}

static inline void evaluate_pose(struct pose *p)
{
    constraints_at(&p->constraints, p->t, p->q, p->v, p->s);
}

/* Largest |output_i| against the size of its terms, sum_j |Phi_q_ij| (1 + |x_j|). */
static inline double relative(const struct pose *p, int output, bool positions_only,
                              const double *x)
{
    const struct constraints *c = &p->constraints;
    double worst = 0;
    for (int i = 0; i < p->m; i++) {
        double size = 0;
        for (int j = 0; j < p->n; j++)
            size += fabs(constraints_at_place(c, &c->Phi_q, i, j)) *
                    (1 + fabs(x[j]));
        if (!positions_only || !p->mode->velocity_level[i])
            worst = fmax(worst, fabs(constraints_value(c, output + i)) / size);
    }
    return worst;
}

/* x = A^-1 x by elimination with full pivoting; A [size][MOST_N] is destroyed. */
static inline void eliminate(int size, double A[][MOST_N], double *x)
{
    int column[MOST_N];
    double y[MOST_N];
    for (int k = 0; k < size; k++)
        column[k] = k;
    for (int k = 0; k < size; k++) {
        int r = k, c = k;
        for (int i = k; i < size; i++)
            for (int j = k; j < size; j++)
                if (fabs(A[i][column[j]]) > fabs(A[r][column[c]])) {
                    r = i;
                    c = j;
                }
        for (int j = 0; j < size; j++) {
            double swap = A[k][j];
            A[k][j] = A[r][j];
            A[r][j] = swap;
        }
        double swap = x[k];
        x[k] = x[r];
        x[r] = swap;
        int pivot = column[c];
        column[c] = column[k];
        column[k] = pivot;
        for (int i = k + 1; i < size; i++) {
            double factor = A[i][pivot] / A[k][pivot];
            for (int j = 0; j < size; j++)
                A[i][j] -= factor * A[k][j];
            x[i] -= factor * x[k];
        }
    }
    for (int k = size - 1; k >= 0; k--) {
        for (int j = k + 1; j < size; j++)
            x[k] -= A[k][column[j]] * y[column[j]];
        y[column[k]] = x[k] / A[k][column[k]];
    }
    memcpy(x, y, (size_t)size * sizeof *x);
}

/* One Newton step on output = 0 that changes x where `moves` says so (NULL: everywhere),
   as little as possible. */
static inline void newton_step(const struct pose *p, int output, bool positions_only,
                               const bool *moves, double *x)
{
    static double J[WRITTEN_ROWS][MOST_N], A[WRITTEN_ROWS][MOST_N];
    const struct constraints *c = &p->constraints;
    double y[MOST_N];
    int rows = 0;
    for (int i = 0; i < p->m; i++) {
        if (positions_only && p->mode->velocity_level[i])
            continue;
        y[rows] = -constraints_value(c, output + i);
        for (int j = 0; j < p->n; j++)
            J[rows][j] = moves && !moves[j] ? 0 :
                         constraints_at_place(c, &c->Phi_q, i, j);
        rows++;
    }
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < rows; k++) {
            A[i][k] = 0;
            for (int j = 0; j < p->n; j++)
                A[i][k] += J[i][j] * J[k][j];
        }
    eliminate(rows, A, y);
    for (int j = 0; j < p->n; j++)
        for (int i = 0; i < rows; i++)
            x[j] += J[i][j] * y[i];
}

/* Newton on Phi = 0 in q, then on Phid = 0 in v; changes what `moves_q` and `moves_v`
   say. */
static inline void make_consistent(struct pose *p, const bool *moves_q,
                                   const bool *moves_v)
{
    for (int k = 0; k < 30; k++) {
        evaluate_pose(p);
        newton_step(p, p->constraints.Phi, true, moves_q, p->q);
    }
    for (int k = 0; k < 3; k++) {
        evaluate_pose(p);
        newton_step(p, p->constraints.Phid, false, moves_v, p->v);
    }
    evaluate_pose(p);
}

/* --- where poses come from --------------------------------------------------------- */

static inline void pose_of(struct pose *p, const struct case_desc *desc, int mode)
{
    struct diagnosis diagnosis;
    memset(p, 0, sizeof *p);
    p->stated = model_new(desc, &diagnosis);
    cr_assert_not_null(p->stated, "%s", diagnosis.place);
    p->model = model_branch(p->stated);
    p->mode = p->model->mode[mode];
    p->n = p->model->n;
    p->m = p->mode->m;
    cr_assert_eq(model_nominal_values(p->model, p->rho, &diagnosis), OK);
    constraints_init(&p->constraints, p->model, p->mode, p->rho);
}

static inline void pose_end(struct pose *p)
{
    constraints_clear(&p->constraints);
    model_branch_free(p->model);
    model_free(p->stated);
}

/* One that can be assembled, and whose constraints are not nearly dependent there. */
static inline void pose_of_shape(struct pose *p, struct random *random, int n, int rows,
                                 int velocity_level)
{
    static const struct case_desc desc = {.name = "random", .record = record_shape};
    for (int trial = 0; trial < 100; trial++) {
        shape = (struct shape){n, rows, velocity_level, random_bits(random)};
        pose_of(p, &desc, 0);
        p->t = random_between(random, 0, 3);
        p->s[0] = random_between(random, -1, 1);
        for (int j = 0; j < n; j++) {
            p->q[j] = random_between(random, -1, 1);
            p->v[j] = random_between(random, -1, 1);
        }
        make_consistent(p, NULL, NULL);
        double least;
        row_space(p, false, &least);
        if (least > 0.2 && relative(p, p->constraints.Phi, true, p->q) < 1e-15)
            return;
        pose_end(p);
    }
    cr_assert_fail("no random mechanism of this shape, seed %llu", random->seed);
}

static inline void pose_of_case(struct pose *p, struct random *random, const char *name,
                                 int mode, const double *q)
{
    pose_of(p, case_find(name), mode);
    for (int j = 0; j < p->n; j++) {
        p->q[j] = q[j];
        p->v[j] = random_between(random, -2, 2);
    }
    make_consistent(p, NULL, NULL);
}

/* --- projecting --------------------------------------------------------------------- */

static inline void *projection_work(const struct projection *projection, struct pose *p)
{
    void *work = projection->alloc(&p->constraints);
    enum status status = projection->restart(work, p->t, p->q, p->v, p->s);
    cr_assert_eq(status, OK, "%s: %s", projection->name, status_text(status));
    return work;
}

/* Perturbs and projects. p is then the projected pose, q0 and v0 what it was. */
static inline void *project(const struct projection *projection, struct pose *p,
                            struct random *random, double size, double *q0, double *v0)
{
    void *work = projection_work(projection, p);
    for (int j = 0; j < p->n; j++) {
        q0[j] = p->q[j] += random_between(random, -size, size);
        v0[j] = p->v[j] += random_between(random, -size, size);
    }
    enum status status = projection->state(work, p->t, p->q, p->v, p->s);
    cr_assert_eq(status, OK, "%s: %s, n = %d, m = %d, seed %llu", projection->name,
                 status_text(status), p->n, p->m, random->seed);
    return work;
}

/* The largest, relative to the size of b where that is more than one. */
static inline double difference(int n, const double *a, const double *b)
{
    double largest = 0, size = 1;
    for (int j = 0; j < n; j++) {
        largest = fmax(largest, fabs(a[j] - b[j]));
        size = fmax(size, fabs(b[j]));
    }
    return largest / size;
}

#endif
