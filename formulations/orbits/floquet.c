/*
 * floquet.c - monodromy matrix and its eigenvalues (floquet.h)
 */
#include "orbits/floquet.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>

#include "base/memory.h"
#include "program/complex_step.h"

/* Multipliers while they are found. */
struct floquet {
    int count;
    double complex *value;      /* [count] */
    bool *trivial;              /* [count] */
};

/* out [rows of node k + 1][n] = derivative of segment k times in [count of node k][n] */
static void apply_segment(const struct shooting *s, int k, const double *in, int n,
                          double *out)
{
    const struct orbit_segment *segment = &s->segment[k];
    const struct orbit_segment *next = &s->segment[shooting_next(s, k)];
    const struct run_point *end = segment_point(segment, true);
    for (int i = 0; i < next->count; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int c = 0; c < segment->count; c++)
                sum += segment_value(segment, end, next->component[i], c) * in[c * n + j];
            out[i * n + j] = sum;
        }
}

/* The monodromy matrix [n][n] of the first node, each component by its size. */
static void monodromy(const struct shooting *s, gsl_matrix *M)
{
    int n = s->segment[0].count, width = s->segment[0].width;
    double *a = memory_new(2 * width * n, sizeof *a), *b = a + width * n;
    for (int i = 0; i < n; i++)
        a[i * n + i] = s->size[i];
    for (int k = 0; k < s->nodes; k++) {
        double *from = k % 2 ? b : a, *to = k % 2 ? a : b;
        apply_segment(s, k, from, n, to);
    }
    const double *last = s->nodes % 2 ? b : a;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            gsl_matrix_set(M, (size_t)i, (size_t)j, last[i * n + j] / s->size[i]);
    free(a);
}

/* |cos| of the angle between an eigenvector and the motion, by size. */
static double along_motion(const struct shooting *s, const gsl_matrix_complex *vector,
                           size_t j, const double *rate)
{
    double product_re = 0, product_im = 0, length = 0, own = 0;
    for (int i = 0; i < s->segment[0].count; i++) {
        gsl_complex x = gsl_matrix_complex_get(vector, (size_t)i, j);
        double f = rate[s->segment[0].component[i]] / s->size[i];
        product_re += GSL_REAL(x) * f;
        product_im += GSL_IMAG(x) * f;
        length += gsl_complex_abs2(x);
        own += f * f;
    }
    return length > 0 && own > 0 ? hypot(product_re, product_im) / sqrt(length * own) : 0;
}

/* The eigenvalue whose vector is the direction of the motion. */
static int find_motion(const struct shooting *s, const gsl_matrix_complex *vector)
{
    struct orbit_segment *segment = &s->segment[0];
    double *rate = memory_new(segment->width, sizeof *rate), most = 0;
    int found = 0;
    segment_rates(segment, segment_point(segment, false), rate);
    for (int j = 0; j < segment->count; j++) {
        double part = along_motion(s, vector, (size_t)j, rate);
        if (part > most) {
            most = part;
            found = j;
        }
    }
    free(rate);
    return found;
}

/* Marks those nearest to 1 that are not marked. */
static void mark_nearest(struct floquet *own, int count)
{
    for (; count > 0; count--) {
        int nearest = -1;
        for (int j = 0; j < own->count; j++)
            if (!own->trivial[j] &&
                (nearest < 0 || cabs(own->value[j] - 1) <
                                    cabs(own->value[nearest] - 1)))
                nearest = j;
        if (nearest >= 0)
            own->trivial[nearest] = true;
    }
}

/* Sorts by falling magnitude; the two of a pair by falling imaginary part. */
static void sort(struct floquet *own)
{
    for (int i = 1; i < own->count; i++)
        for (int j = i; j > 0; j--) {
            double complex a = own->value[j - 1], b = own->value[j];
            bool pair = creal(a) == creal(b) && cimag(a) == -cimag(b);
            if (pair ? cimag(a) >= cimag(b) : cabs(a) >= cabs(b))
                break;
            bool trivial = own->trivial[j - 1];
            own->value[j - 1] = b;
            own->value[j] = a;
            own->trivial[j - 1] = own->trivial[j];
            own->trivial[j] = trivial;
        }
}

int floquet_multipliers(const struct shooting *s, double complex **multiplier,
                        bool **trivial)
{
    struct floquet found, *own = &found;
    size_t n = (size_t)s->segment[0].count;
    gsl_matrix *M = gsl_matrix_alloc(n, n);
    gsl_vector_complex *value = gsl_vector_complex_alloc(n);
    gsl_matrix_complex *vector = gsl_matrix_complex_alloc(n, n);
    gsl_eigen_nonsymmv_workspace *work = gsl_eigen_nonsymmv_alloc(n);
    monodromy(s, M);
    gsl_eigen_nonsymmv(M, value, vector, work);
    own->count = (int)n;
    own->value = memory_new((int)n, sizeof *own->value);
    for (size_t j = 0; j < n; j++) {
        gsl_complex x = gsl_vector_complex_get(value, j);
        own->value[j] = complex_of(GSL_REAL(x), GSL_IMAG(x));
    }
    own->trivial = memory_new((int)n, sizeof *own->trivial);
    if (s->families == 0)
        own->trivial[find_motion(s, vector)] = true;
    else                        /* vectors of equal eigenvalues may be any of theirs */
        mark_nearest(own, 1 + s->families);
    sort(own);
    *multiplier = own->value;
    *trivial = own->trivial;
    gsl_eigen_nonsymmv_free(work);
    gsl_matrix_complex_free(vector);
    gsl_vector_complex_free(value);
    gsl_matrix_free(M);
    return own->count;
}

double **floquet_vector(const struct shooting *s, double value)
{
    size_t n = (size_t)s->segment[0].count, nearest = 0;
    gsl_matrix *M = gsl_matrix_alloc(n, n);
    gsl_vector_complex *values = gsl_vector_complex_alloc(n);
    gsl_matrix_complex *vectors = gsl_matrix_complex_alloc(n, n);
    gsl_eigen_nonsymmv_workspace *work = gsl_eigen_nonsymmv_alloc(n);
    double **vector = memory_new(s->nodes, sizeof *vector);
    monodromy(s, M);
    gsl_eigen_nonsymmv(M, values, vectors, work);
    for (size_t j = 1; j < n; j++) {
        gsl_complex a = gsl_vector_complex_get(values, j);
        gsl_complex b = gsl_vector_complex_get(values, nearest);
        if (hypot(GSL_REAL(a) - value, GSL_IMAG(a)) <
            hypot(GSL_REAL(b) - value, GSL_IMAG(b)))
            nearest = j;
    }
    for (int k = 0; k < s->nodes; k++)
        vector[k] = memory_new(s->segment[k].count, sizeof **vector);
    for (size_t i = 0; i < n; i++)
        vector[0][i] = GSL_REAL(gsl_matrix_complex_get(vectors, i, nearest)) * s->size[i];
    for (int k = 0; k + 1 < s->nodes; k++)
        apply_segment(s, k, vector[k], 1, vector[k + 1]);
    gsl_eigen_nonsymmv_free(work);
    gsl_matrix_complex_free(vectors);
    gsl_vector_complex_free(values);
    gsl_matrix_free(M);
    return vector;
}
