/*
 * mass_check.c - M on the kernel of Phi_q: Gershgorin, sparse elimination, eigenvalues.
 */
#include "mass_check.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/tolerances.h"
#include "linear/klu.h"
#include "linear/rank.h"

static double mass(const struct constraints *c, int i, int j)
{
    return constraints_M(c, i, j);
}

/* Refuses an entry of M, as in "mode swing: M[x][y] = m*l, which is -1". */
static enum status refuse(const struct constraints *c, enum status status, double t,
                          int i, int j, const char *what, struct diagnosis *diagnosis)
{
    char text[120];
    const struct model *model = c->model;
    formula_print(c->mode->M[i][j], model->names, text, sizeof text);
    return diagnose(diagnosis, status, t,
                    "start of case %s, mode %s: the mass matrix %s; M[%s][%s] = %s is "
                    "%.6g. Change the parameters in it", model->desc->name, c->mode->name,
                    what, model->coordinate[i], model->coordinate[j], text,
                    mass(c, i, j));
}

static enum status check_entries(const struct constraints *c, double t,
                                 struct diagnosis *diagnosis)
{
    const struct entries *at = c->at_M;
    for (int i = 0; i < c->n; i++)
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++) {
            int j = at->column[k];
            double entry = constraints_value(c, c->M + k);
            if (!isfinite(entry))
                return refuse(c, NOT_FINITE, t, i, j, "is not finite", diagnosis);
            double other = j == i ? entry : mass(c, j, i);
            if (fabs(entry - other) > mass_asymmetry * fmax(fabs(entry), fabs(other)))
                return refuse(c, NOT_SPD, t, i, j, "is not symmetric", diagnosis);
        }
    return OK;
}

/* True if M is positive definite by its diagonal alone (Gershgorin). */
static bool dominant(const struct constraints *c)
{
    const struct entries *at = c->at_M;
    for (int i = 0; i < c->n; i++) {
        double diagonal = 0, others = 0;
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++) {
            double entry = constraints_value(c, c->M + k);
            if (at->column[k] == i)
                diagonal = entry;
            else
                others += fabs(entry);
        }
        if (!(diagonal * (1 - mass_least_eigenvalue) > others))
            return false;
    }
    return true;
}

/* True if M is positive definite without regard to the constraints, as most are. */
static bool positive_definite(const struct constraints *c)
{
    const struct entries *at = c->at_M;
    struct sparse M;
    sparse_init(&M, c->n);
    for (int i = 0; i < c->n; i++)
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
            sparse_place(&M, i, at->column[k]);
    for (int k = 0; k < M.count; k++)
        M.value[k] = constraints_value(c, c->M + k);
    bool definite = sparse_positive_definite(&M);
    sparse_clear(&M);
    return definite;
}

/* Makes a basis of ker Phi_q, the columns of Z [n][n - rank]; returns their number. With
   Phi_q' = S Q R these are S^-1 times the columns of Q that R does not reach. */
static int kernel(const struct constraints *c, double *Z)
{
    int n = c->n;
    struct rank_qr qr;
    double *Phi_q = memory_new(c->m * n, sizeof *Phi_q);
    double *x = memory_new(n, sizeof *x);
    for (int i = 0; i < c->m; i++)
        constraints_row(c, &c->Phi_q, i, Phi_q + i * n);
    rank_qr_init(&qr, n, c->m);
    rank_qr_factor(&qr, Phi_q, 1, n);
    int free_directions = n - qr.rank;
    for (int k = 0; k < free_directions; k++) {
        for (int i = 0; i < n; i++)
            x[i] = i == qr.rank + k;
        rank_qr_times_Q(&qr, x);
        for (int i = 0; i < n; i++)
            Z[i * free_directions + k] = x[i] / qr.scale[i];
    }
    rank_qr_clear(&qr);
    free(Phi_q);
    free(x);
    return free_directions;
}

/* H = Z' M Z. */
static void restrict_mass(const struct constraints *c, const double *Z, gsl_matrix *H)
{
    int n = c->n, f = (int)H->size1;
    const struct entries *at = c->at_M;
    double *Mz = memory_new(n, sizeof *Mz);
    for (int l = 0; l < f; l++) {
        memset(Mz, 0, (size_t)n * sizeof *Mz);
        for (int i = 0; i < n; i++)
            for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
                Mz[i] += constraints_value(c, c->M + k) * Z[at->column[k] * f + l];
        for (int k = 0; k < f; k++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += Z[i * f + k] * Mz[i];
            gsl_matrix_set(H, (size_t)k, (size_t)l, sum);
        }
    }
    free(Mz);
}

/* Finds a direction x in which x' H x is not positive, with H scaled to a diagonal of
   ones, so that units and much smaller masses do not matter. False: there is none. */
static bool find_direction(gsl_matrix *H, gsl_vector *x)
{
    size_t f = H->size1;
    for (size_t k = 0; k < f; k++) {
        gsl_vector_set_basis(x, k);
        if (!(gsl_matrix_get(H, k, k) > 0))
            return true;
    }
    gsl_vector *size = gsl_vector_alloc(f), *value = gsl_vector_alloc(f);
    gsl_matrix *vector = gsl_matrix_alloc(f, f);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(f);
    for (size_t k = 0; k < f; k++)
        gsl_vector_set(size, k, sqrt(gsl_matrix_get(H, k, k)));
    for (size_t k = 0; k < f; k++)
        for (size_t l = 0; l < f; l++)
            gsl_matrix_set(H, k, l, gsl_matrix_get(H, k, l) / gsl_vector_get(size, k) /
                                        gsl_vector_get(size, l));
    gsl_eigen_symmv(H, value, vector, work);
    size_t least = gsl_vector_min_index(value);
    gsl_matrix_get_col(x, vector, least);
    gsl_vector_div(x, size);
    bool found = !(gsl_vector_get(value, least) > mass_least_eigenvalue);
    gsl_eigen_symmv_free(work);
    gsl_matrix_free(vector);
    gsl_vector_free(size);
    gsl_vector_free(value);
    return found;
}

/* The coordinate that moves most in direction Z x. */
static int most_moved(const double *Z, const gsl_vector *x, int n)
{
    int most = 0;
    double largest = -1;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < x->size; k++)
            sum += Z[(size_t)i * x->size + k] * gsl_vector_get(x, k);
        if (fabs(sum) > largest) {
            largest = fabs(sum);
            most = i;
        }
    }
    return most;
}

enum status mass_check(const struct constraints *c, double t, struct diagnosis *diagnosis)
{
    enum status status = check_entries(c, t, diagnosis);
    if (status != OK || c->n == 0 || dominant(c) || positive_definite(c))
        return status;
    double *Z = memory_new(c->n * c->n, sizeof *Z);
    int f = kernel(c, Z);
    if (f > 0) {
        gsl_matrix *H = gsl_matrix_alloc((size_t)f, (size_t)f);
        gsl_vector *x = gsl_vector_alloc((size_t)f);
        restrict_mass(c, Z, H);
        if (find_direction(H, x)) {
            int i = most_moved(Z, x, c->n);
            status = refuse(c, NOT_SPD, t, i, i,
                            c->m > 0 ? "is not positive definite on the velocities that "
                                       "the constraints allow"
                                     : "is not positive definite", diagnosis);
        }
        gsl_matrix_free(H);
        gsl_vector_free(x);
    }
    free(Z);
    return status;
}
