/*
 * covariance.c - a Hessian, scaled, decided and inverted (covariance.h)
 */
#include "optimise/covariance.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *const variances_text[] = {"known", "equal", NULL};

/* Digits of C below which its numbers mean nothing. */
static const double least_digits = 2;

/* The Hessian with a unit diagonal, and what it decomposes into. */
struct scaled {
    int n;
    double *unit;               /* [n] 1/sqrt(H_jj) */
    gsl_matrix *h;              /* [n][n] unit_j unit_k H_jk; destroyed by decompose() */
    gsl_vector *value;          /* [n] eigenvalues, the least first */
    gsl_matrix *vector;         /* [n][n] eigenvectors, a column each */
    double error;               /* of h, as a norm */
};

static void scaled_new(struct scaled *s, const struct fit *fit)
{
    size_t n = (size_t)fit->n;
    *s = (struct scaled){.n = fit->n, .unit = memory_new(fit->n, sizeof *s->unit),
                         .h = gsl_matrix_alloc(n, n), .value = gsl_vector_alloc(n),
                         .vector = gsl_matrix_alloc(n, n)};
}

static void scaled_clear(struct scaled *s)
{
    free(s->unit);
    gsl_matrix_free(s->h);
    gsl_vector_free(s->value);
    gsl_matrix_free(s->vector);
}

/* --- decided ------------------------------------------------------------------------ */

static enum status check_numbers(const struct fit *fit, struct diagnosis *diagnosis)
{
    for (int i = 0; i < fit->n * fit->n; i++)
        if (!isfinite(fit->hessian[i]))
            return diagnose(diagnosis, NOT_FINITE, NAN, "the second derivative by %s and "
                            "%s is no number", fit->name[i / fit->n],
                            fit->name[i % fit->n]);
    return OK;
}

static enum status check_readings(const struct fit *fit, struct diagnosis *diagnosis)
{
    if (fit->variances == VARIANCES_KNOWN)
        return OK;
    if (fit->readings <= fit->n)
        return diagnose(diagnosis, BAD_INPUT, NAN, "%ld readings for %d parameters leave "
                        "none to estimate the variance from", fit->readings, fit->n);
    if (!(fit->psi > 0))
        return diagnose(diagnosis, BAD_INPUT, NAN, "a cost of %.6g is no sum of squares "
                        "to estimate the variance from", fit->psi);
    return OK;
}

/* Loads the symmetric part of H; the rest of it is error. */
static enum status load(struct scaled *s, const struct fit *fit,
                        struct diagnosis *diagnosis)
{
    int n = s->n;
    const double *H = fit->hessian;
    double odd = 0;
    for (int j = 0; j < n; j++) {
        if (!(H[j * n + j] > 0))
            return diagnose(diagnosis, NOT_SPD, NAN, "the cost does not curve upwards "
                            "along %s: it has no minimum here", fit->name[j]);
        s->unit[j] = 1 / sqrt(H[j * n + j]);
    }
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            double one = H[j * n + k] * s->unit[j] * s->unit[k];
            double other = H[k * n + j] * s->unit[j] * s->unit[k];
            gsl_matrix_set(s->h, (size_t)j, (size_t)k, (one + other) / 2);
            odd += (one - other) * (one - other) / 4;
        }
    s->error = fmax(fit->error, fmax(sqrt(odd), n * DBL_EPSILON));
    return OK;
}

static void decompose(struct scaled *s)
{
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc((size_t)s->n);
    gsl_eigen_symmv(s->h, s->value, s->vector, work);
    gsl_eigen_symmv_sort(s->value, s->vector, GSL_EIGEN_SORT_VAL_ASC);
    gsl_eigen_symmv_free(work);
}

/* Names the parameters that the first eigenvector is made of. */
static void name_first(const struct scaled *s, const struct fit *fit, char *text,
                       int size)
{
    static const double part = 0.1;
    double largest = 0;
    int length = 0;
    for (int j = 0; j < s->n; j++)
        largest = fmax(largest, fabs(gsl_matrix_get(s->vector, (size_t)j, 0)));
    text[0] = '\0';
    for (int j = 0; j < s->n && length < size; j++)
        if (fabs(gsl_matrix_get(s->vector, (size_t)j, 0)) > part * largest)
            length += snprintf(text + length, (size_t)(size - length), "%s%s",
                               length ? ", " : "", fit->name[j]);
}

/* Is every eigenvalue above zero, and far enough above the errors? */
static enum status decide(const struct scaled *s, const struct fit *fit,
                          struct covariance *c, struct diagnosis *diagnosis)
{
    char names[200];
    double least = gsl_vector_get(s->value, 0);
    name_first(s, fit, names, sizeof names);
    if (least < -s->error)
        return diagnose(diagnosis, NOT_SPD, NAN, "the cost curves downwards along %s "
                        "together: it has no minimum here", names);
    c->condition = gsl_vector_get(s->value, (size_t)s->n - 1) / least;
    c->digits = fmin(DBL_DIG, log10(least / s->error));
    if (!(least > 0) || c->digits < least_digits)
        return diagnose(diagnosis, NO_DIGITS, NAN, "the cost does not tell %s apart: the "
                        "least curvature, %.1e of that along each alone, has errors of "
                        "%.1e", names, least, s->error);
    return OK;
}

/* --- inverted ----------------------------------------------------------------------- */

/* C = 2 s^2 H^-1. */
static void invert(const struct scaled *s, double variance, struct covariance *c)
{
    int n = s->n;
    for (int j = 0; j < n; j++)
        for (int k = j; k < n; k++) {
            double sum = 0;
            for (size_t i = 0; i < (size_t)n; i++)
                sum += gsl_matrix_get(s->vector, (size_t)j, i) *
                       gsl_matrix_get(s->vector, (size_t)k, i) /
                       gsl_vector_get(s->value, i);
            c->matrix[j * n + k] = c->matrix[k * n + j] =
                2 * variance * s->unit[j] * s->unit[k] * sum;
        }
    for (int j = 0; j < n; j++)
        c->deviation[j] = sqrt(c->matrix[j * n + j]);
    for (int i = 0; i < n * n; i++)
        c->correlation[i] = i / n == i % n ? 1 : c->matrix[i] / c->deviation[i / n] /
                                                 c->deviation[i % n];
}

static void compare_psi(const struct fit *fit, struct covariance *c)
{
    if (fit->readings <= fit->n)
        return;
    c->degrees = fit->readings - fit->n;
    if (!(fit->psi >= 0))
        return;
    c->reduced = fit->psi / (double)c->degrees;
    if (fit->variances == VARIANCES_KNOWN)
        c->chance = gsl_cdf_chisq_Q(fit->psi, (double)c->degrees);
}

enum status covariance_of(const struct fit *fit, struct covariance *covariance,
                          struct diagnosis *diagnosis)
{
    int n = fit->n;
    struct scaled s;
    *covariance = (struct covariance){.n = n, .condition = NAN, .digits = NAN,
                                      .reduced = NAN, .chance = NAN};
    covariance->matrix = memory_new(2 * n * n + n, sizeof *covariance->matrix);
    covariance->correlation = covariance->matrix + n * n;
    covariance->deviation = covariance->correlation + n * n;
    scaled_new(&s, fit);
    enum status status = check_readings(fit, diagnosis);
    if (status == OK)
        status = check_numbers(fit, diagnosis);
    if (status == OK)
        status = load(&s, fit, diagnosis);
    if (status == OK) {
        decompose(&s);
        status = decide(&s, fit, covariance, diagnosis);
    }
    if (status == OK) {
        compare_psi(fit, covariance);
        invert(&s, fit->variances == VARIANCES_KNOWN ? 1 : covariance->reduced,
               covariance);
    }
    scaled_clear(&s);
    return status;
}

void covariance_clear(struct covariance *covariance)
{
    free(covariance->matrix);
}
