/*
 * redundant.c - constraint forces by the pseudo-inverse: Mukharlyamov,
 * Deressa 2014, section 2
 */
#include "papers/mukharlyamov/trials.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>

#include "base/memory.h"
#include "mechanisms/catalogue.h"
#include "papers/match.h"
#include "papers/probe.h"

/* --- equations at a state ----------------------------------------------------------- */

/* Matrices by rows. */
struct equations {
    int n, m;
    double *M, *J, *F, *gamma;          /* [n][n], [m][n], [n], [m] Phidd at a = 0 */
};

static struct equations equations_at(const struct model *model,
                                     const struct mp_trajectory *trajectory)
{
    const struct mode *mode = model->mode[0];
    const struct mp_point *point = &trajectory->sample[trajectory->samples - 1];
    const int n = model->n, m = mode->m, count = n * n + m * n + n + m;
    formula *f = memory_new(count, sizeof *f);
    for (int i = 0; i < n; i++)
        memory_copy(f + i * n, mode->M[i], n, sizeof *f);
    memory_copy(f + n * n, mode->Phi_q, m * n, sizeof *f);
    memory_copy(f + n * n + m * n, mode->F, n, sizeof *f);
    memory_copy(f + n * n + m * n + n, mode->Phidd, m, sizeof *f);
    double *x = memory_new(3 * n + model->p, sizeof *x);
    struct diagnosis diagnosis;
    for (int i = 0; i < 2 * n; i++)
        x[i] = mpfr_get_d(point->x[i], MPFR_RNDN);
    model_nominal_values(model, x + 3 * n, &diagnosis);
    struct equations own = {.n = n, .m = m, .M = memory_new(count, sizeof *own.M)};
    struct probe probe;
    probe_init(&probe, model, x + 3 * n, f, count);
    probe.value[BLOCK_Q] = x;
    probe.value[BLOCK_V] = x + n;
    probe.value[BLOCK_A] = x + 2 * n;
    probe_evaluate(&probe, own.M, NULL);
    probe_clear(&probe);
    own.J = own.M + n * n;
    own.F = own.J + m * n;
    own.gamma = own.F + n;
    free(x);
    free(f);
    return own;
}

/* W [m][n] = J M^-1, by Cholesky's factors of M. */
static double *mass_weighted(const struct equations *e)
{
    double *L = memory_new(e->n * e->n, sizeof *L);
    double *W = memory_new(e->m * e->n, sizeof *W);
    memory_copy(L, e->M, e->n * e->n, sizeof *L);
    memory_copy(W, e->J, e->m * e->n, sizeof *W);
    gsl_matrix_view factors = gsl_matrix_view_array(L, (size_t)e->n, (size_t)e->n);
    gsl_linalg_cholesky_decomp1(&factors.matrix);
    for (int i = 0; i < e->m; i++) {
        gsl_vector_view row = gsl_vector_view_array(W + i * e->n, (size_t)e->n);
        gsl_linalg_cholesky_svx(&factors.matrix, &row.vector);
    }
    free(L);
    return W;
}

/* Eigenvalues [size], ascending, and eigenvectors as columns of V; destroys A. */
static void eigen(double *A, int size, double *value, double *V)
{
    gsl_matrix_view a = gsl_matrix_view_array(A, (size_t)size, (size_t)size);
    gsl_matrix_view v = gsl_matrix_view_array(V, (size_t)size, (size_t)size);
    gsl_vector_view e = gsl_vector_view_array(value, (size_t)size);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc((size_t)size);
    gsl_eigen_symmv(&a.matrix, &e.vector, &v.matrix, work);
    gsl_eigen_symmv_sort(&e.vector, &v.matrix, GSL_EIGEN_SORT_VAL_ASC);
    gsl_eigen_symmv_free(work);
}

static double norm(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

/* y [n] = J' x */
static void transposed(const struct equations *e, const double *x, double *y)
{
    for (int j = 0; j < e->n; j++) {
        y[j] = 0;
        for (int i = 0; i < e->m; i++)
            y[j] += e->J[i * e->n + j] * x[i];
    }
}

/* lambda = A^+ b, b = J M^-1 F + gamma, and x = (I - A^+ A) u, from the eigenvectors of
   A = J M^-1 J'. Returns the rank. */
static int by_pseudo_inverse(const struct equations *e, const double *u, double *lambda,
                             double *x)
{
    const int m = e->m, n = e->n;
    double *W = mass_weighted(e), *A = memory_new(m * m, sizeof *A);
    double *V = memory_new(m * m, sizeof *V), *value = memory_new(m, sizeof *value);
    int rank = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++)
                A[i * m + j] += W[i * n + k] * e->J[j * n + k];
    eigen(A, m, value, V);
    for (int c = 0; c < m; c++) {
        double along_b = 0, along_u = 0;
        for (int i = 0; i < m; i++) {
            double b = e->gamma[i];
            for (int k = 0; k < n; k++)
                b += W[i * n + k] * e->F[k];
            along_b += V[i * m + c] * b;
            along_u += V[i * m + c] * u[i];
        }
        bool in_range = value[c] > 1e-10 * value[m - 1];
        rank += in_range;
        for (int i = 0; i < m; i++) {
            lambda[i] += in_range ? V[i * m + c] * along_b / value[c] : 0;
            x[i] += in_range ? 0 : V[i * m + c] * along_u;
        }
    }
    free(W);
    free(A);
    free(V);
    free(value);
    return rank;
}

/* The least eigenvalue of M + alpha J'J. */
static double least_eigenvalue(const struct equations *e, double alpha)
{
    const int n = e->n;
    double *A = memory_new(n * n, sizeof *A), *V = memory_new(n * n, sizeof *V);
    double *value = memory_new(n, sizeof *value);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i * n + j] = e->M[i * n + j];
            for (int k = 0; k < e->m; k++)
                A[i * n + j] += alpha * e->J[k * n + i] * e->J[k * n + j];
        }
    eigen(A, n, value, V);
    double least = value[0];
    free(A);
    free(V);
    free(value);
    return least;
}

/* Against the motion in MPFR: its accelerations give the constraint force F - M a. */
static void judge_forces(const struct equations *e, const struct mp_trajectory *t,
                         const double *lambda, struct redundant *own)
{
    const struct mp_point *point = &t->sample[t->samples - 1];
    double *force = memory_new(e->n, sizeof *force);
    struct match forces = {0}, multipliers = {0};
    transposed(e, lambda, force);
    for (int i = 0; i < e->n; i++) {
        double want = e->F[i];
        for (int j = 0; j < e->n; j++)
            want -= e->M[i * e->n + j] *
                    mpfr_get_d(point->x[column(&t->columns, GROUP_A, j, -1)], MPFR_RNDN);
        match_add(&forces, &force[i], &want, 1);
    }
    for (int i = 0; i < e->m; i++) {
        double want = mpfr_get_d(point->x[column(&t->columns, GROUP_LAMBDA, i, -1)],
                                 MPFR_RNDN);
        match_add(&multipliers, &lambda[i], &want, 1);
    }
    own->force_digits = error_digits(forces.error, forces.size);
    own->lambda_digits = error_digits(multipliers.error, multipliers.size);
    free(force);
}

void redundant_try(struct redundant *own)
{
    static const char *const end = "0.5";
    struct diagnosis diagnosis;
    struct mp_trajectory *trajectory;
    struct model *model = model_new(case_find("five-bar-redundant"), &diagnosis);
    struct reference_request request = {.model = model, .truth = {.variant = "exact"},
                                        .digits = 20, .t_end = end, .samples = 1,
                                        .sample = &end};
    if (reference_run(&request, &trajectory, &diagnosis) != OK)
        slip("mukharlyamov: %s", diagnosis.place);
    struct equations e = equations_at(model, trajectory);
    double *u = memory_new(e.m, sizeof *u), *x = memory_new(e.m, sizeof *x);
    double *lambda = memory_new(e.m, sizeof *lambda), *y = memory_new(e.n, sizeof *y);
    for (int i = 0; i < e.m; i++)
        u[i] = cos(i + 1);
    *own = (struct redundant){.n = e.n, .m = e.m};
    own->rank = by_pseudo_inverse(&e, u, lambda, x);
    transposed(&e, x, y);
    own->part = norm(x, e.m) / norm(u, e.m);
    own->zero = error_digits(norm(y, e.n), norm(e.J, e.m * e.n) * norm(u, e.m));
    own->least_M = least_eigenvalue(&e, 0);
    own->least_sum = least_eigenvalue(&e, 10);
    judge_forces(&e, trajectory, lambda, own);
    free(u);
    free(x);
    free(lambda);
    free(y);
    free(e.M);
    mp_trajectory_free(trajectory);
    model_free(model);
}
