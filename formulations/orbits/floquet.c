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

/* Exchanges two multipliers with all that belongs to them. */
static void exchange(struct floquet *own, int i, int j)
{
    double complex value = own->value[i];
    bool trivial = own->trivial[i];
    own->value[i] = own->value[j];
    own->value[j] = value;
    own->trivial[i] = own->trivial[j];
    own->trivial[j] = trivial;
    for (int k = 0; k < own->width; k++) {
        double complex x = own->vector[i * own->width + k];
        own->vector[i * own->width + k] = own->vector[j * own->width + k];
        own->vector[j * own->width + k] = x;
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
            exchange(own, j - 1, j);
        }
}

/* Takes values and vectors, these with the components that follow from constraints. */
static void take(const struct shooting *s, const gsl_vector_complex *value,
                 const gsl_matrix_complex *vector, struct floquet *own)
{
    const struct orbit_segment *segment = &s->segment[0];
    const struct run_point *start = segment_point(segment, false);
    for (int j = 0; j < own->count; j++) {
        gsl_complex x = gsl_vector_complex_get(value, (size_t)j);
        own->value[j] = complex_of(GSL_REAL(x), GSL_IMAG(x));
        for (int c = 0; c < own->count; c++) {
            gsl_complex v = gsl_matrix_complex_get(vector, (size_t)c, (size_t)j);
            for (int i = 0; i < own->width; i++)
                own->vector[j * own->width + i] +=
                    complex_of(GSL_REAL(v), GSL_IMAG(v)) * s->size[c] *
                    segment_value(segment, start, i, c);
        }
    }
}

void floquet_make(const struct shooting *s, struct floquet *own)
{
    size_t n = (size_t)s->segment[0].count;
    *own = (struct floquet){.count = (int)n, .width = s->segment[0].width};
    own->value = memory_new(own->count, sizeof *own->value);
    own->trivial = memory_new(own->count, sizeof *own->trivial);
    own->vector = memory_new(own->count * own->width, sizeof *own->vector);
    gsl_matrix *M = gsl_matrix_alloc(n, n);
    gsl_vector_complex *value = gsl_vector_complex_alloc(n);
    gsl_matrix_complex *vector = gsl_matrix_complex_alloc(n, n);
    gsl_eigen_nonsymmv_workspace *work = gsl_eigen_nonsymmv_alloc(n);
    monodromy(s, M);
    gsl_eigen_nonsymmv(M, value, vector, work);
    take(s, value, vector, own);
    if (s->families == 0)
        own->trivial[find_motion(s, vector)] = true;
    else                        /* vectors of equal eigenvalues may be any of theirs */
        mark_nearest(own, 1 + s->families);
    sort(own);
    gsl_eigen_nonsymmv_free(work);
    gsl_matrix_complex_free(vector);
    gsl_vector_complex_free(value);
    gsl_matrix_free(M);
}

void floquet_clear(struct floquet *own)
{
    free(own->value);
    free(own->trivial);
    free(own->vector);
    *own = (struct floquet){.count = 0};
}

double **floquet_directions(const struct shooting *s, double value)
{
    struct floquet own;
    int nearest = 0;
    double **direction = memory_new(s->nodes, sizeof *direction);
    floquet_make(s, &own);
    for (int j = 1; j < own.count; j++)
        if (cabs(own.value[j] - value) < cabs(own.value[nearest] - value))
            nearest = j;
    for (int k = 0; k < s->nodes; k++)
        direction[k] = memory_new(s->segment[k].count, sizeof **direction);
    for (int c = 0; c < own.count; c++)
        direction[0][c] =
            creal(own.vector[nearest * own.width + s->segment[0].component[c]]);
    for (int k = 0; k + 1 < s->nodes; k++)
        apply_segment(s, k, direction[k], 1, direction[k + 1]);
    floquet_clear(&own);
    return direction;
}
