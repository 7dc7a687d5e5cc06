/*
 * complex_step.h - product, quotient, sine and cosine in double complex where imaginary
 * parts are small beside real ones, as in a complex step (Squire & Trapp 1998). Other
 * numbers are left to the compiler and to libm; but of a product that is not finite no
 * part is recovered, as the C standard's Annex G does at a test for each product.
 *
 * Division is Smith's method (CACM 5, 1962, algorithm 116). Where it would under- or
 * overflow (Baudin & Smith 2012), the compiler divides.
 */
#ifndef SALTUS_COMPLEX_STEP_H
#define SALTUS_COMPLEX_STEP_H

#include <complex.h>
#undef I    /* the letter is for an inertia */
#include <float.h>
#include <math.h>
#include <stdbool.h>

/* x + i y for any x and y; glibc has CMPLX for gcc alone. */
static inline double complex complex_of(double x, double y)
{
    return __builtin_complex(x, y);
}

static inline double complex complex_product(double complex a, double complex b)
{
    return complex_of(creal(a) * creal(b) - cimag(a) * cimag(b),
                      creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* A divisor b = c + i d, with r = d/c and c + r d, which all quotients by it have in
   common. Unless `plain`, these over- or underflow. */
struct complex_divisor {
    double complex b;
    double r, denominator;
    bool plain;
};

static inline struct complex_divisor complex_divisor_of(double complex b)
{
    double c = creal(b), d = cimag(b), r = d / c;
    bool overflows = !(fabs(c) < DBL_MAX / 2), underflows = fabs(r) < DBL_MIN && d != 0;
    return (struct complex_divisor){b, r, d * r + c,
                                    fabs(r) < 1 && !overflows && !underflows};
}

/* a/b, each part to some rounding errors of its own terms: (Re a + r Im a)/(c + r d) and
   (Im a - r Re a)/(c + r d). */
static inline double complex complex_divided(double complex a,
                                             const struct complex_divisor *by)
{
    if (!by->plain)
        return a / by->b;
    return complex_of((cimag(a) * by->r + creal(a)) / by->denominator,
                      (cimag(a) - creal(a) * by->r) / by->denominator);
}

static inline double complex complex_quotient(double complex a, double complex b)
{
    struct complex_divisor by = complex_divisor_of(b);
    return complex_divided(a, &by);
}

/* True: cosh y = 1 and sinh y = y, to rounding, for the imaginary part y. */
static inline bool complex_is_step(double complex a)
{
    return fabs(cimag(a)) < 0x1p-28;
}

/* sin(x + i y) = sin x cosh y + i cos x sinh y */
static inline double complex complex_sin(double complex a)
{
    double x = creal(a), y = cimag(a);
    return complex_is_step(a) ? complex_of(sin(x), cos(x) * y) : csin(a);
}

/* cos(x + i y) = cos x cosh y - i sin x sinh y */
static inline double complex complex_cos(double complex a)
{
    double x = creal(a), y = cimag(a);
    return complex_is_step(a) ? complex_of(cos(x), -sin(x) * y) : ccos(a);
}

#endif
