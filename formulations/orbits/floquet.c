/*
 * floquet.c - monodromy matrix and its eigenvalues (floquet.h)
 */
#include "orbits/floquet.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>

#include "base/memory.h"

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
static void mark_nearest(struct orbit *orbit, int count)
{
    for (; count > 0; count--) {
        int nearest = -1;
        for (int j = 0; j < orbit->multipliers; j++)
            if (!orbit->trivial[j] &&
                (nearest < 0 || cabs(orbit->multiplier[j] - 1) <
                                    cabs(orbit->multiplier[nearest] - 1)))
                nearest = j;
        if (nearest >= 0)
            orbit->trivial[nearest] = true;
    }
}

/* Sorts by falling magnitude; the two of a pair by falling imaginary part. */
static void sort(struct orbit *orbit)
{
    for (int i = 1; i < orbit->multipliers; i++)
        for (int j = i; j > 0; j--) {
            double complex a = orbit->multiplier[j - 1], b = orbit->multiplier[j];
            bool pair = creal(a) == creal(b) && cimag(a) == -cimag(b);
            if (pair ? cimag(a) >= cimag(b) : cabs(a) >= cabs(b))
                break;
            bool trivial = orbit->trivial[j - 1];
            orbit->multiplier[j - 1] = b;
            orbit->multiplier[j] = a;
            orbit->trivial[j - 1] = orbit->trivial[j];
            orbit->trivial[j] = trivial;
        }
}

void floquet_multipliers(const struct shooting *s, struct orbit *orbit)
{
    size_t n = (size_t)s->segment[0].count;
    gsl_matrix *M = gsl_matrix_alloc(n, n);
    gsl_vector_complex *value = gsl_vector_complex_alloc(n);
    gsl_matrix_complex *vector = gsl_matrix_complex_alloc(n, n);
    gsl_eigen_nonsymmv_workspace *work = gsl_eigen_nonsymmv_alloc(n);
    monodromy(s, M);
    gsl_eigen_nonsymmv(M, value, vector, work);
    orbit->multipliers = (int)n;
    orbit->multiplier = memory_new((int)n, sizeof *orbit->multiplier);
    for (size_t j = 0; j < n; j++) {
        gsl_complex x = gsl_vector_complex_get(value, j);
        orbit->multiplier[j] = CMPLX(GSL_REAL(x), GSL_IMAG(x));
    }
    orbit->trivial = memory_new((int)n, sizeof *orbit->trivial);
    if (s->families == 0)
        orbit->trivial[find_motion(s, vector)] = true;
    else                        /* vectors of equal eigenvalues may be any of theirs */
        mark_nearest(orbit, 1 + s->families);
    sort(orbit);
    gsl_eigen_nonsymmv_free(work);
    gsl_matrix_complex_free(vector);
    gsl_vector_complex_free(value);
    gsl_matrix_free(M);
}
