/* dense_output.c - dense output: the nested polynomial over a step (HNW II.6). */
#include "dense_output.h"

#include "simd/simd.h"

/* c1..c3 of components n and following, as many as `type` holds. */
#define ENDS(type, n)                                                                   \
    do {                                                                                \
        type rise = *(const type *)(x_new + (n)) - *(const type *)(x + (n));            \
        type bend = h**(const type *)(dx + (n)) - rise;                                 \
                                                                                        \
        *(type *)(c[1] + (n)) = rise;                                                   \
        *(type *)(c[2] + (n)) = bend;                                                   \
        *(type *)(c[3] + (n)) = rise - h**(const type *)(dx_new + (n)) - bend;          \
    } while (0)

INLINE void ends(int dim, double h, const double *x, const double *dx,
                 const double *x_new, const double *dx_new, double *const *c)
{
    PACKS_AND_REST(dim, ENDS);
}

SIMD_WIDEST(widest_ends, ends,
            (int dim, double h, const double *x, const double *dx, const double *x_new,
             const double *dx_new, double *const *c),
            (dim, h, x, dx, x_new, dx_new, c))

void dense_output_ends(int dim, double h, const double *x, const double *dx,
                       const double *x_new, const double *dx_new, double *const *c)
{
    widest_ends(dim, h, x, dx, x_new, dx_new, c);
}

/* p(theta) by nested multiplication; c_i has the factor theta for odd i, 1 - theta for
   even i. */
#define VALUE(type, n)                                                                  \
    do {                                                                                \
        type inner = *(const type *)(c[terms - 1] + first + (n));                       \
                                                                                        \
        for (int i = terms - 1; i > 0; i--)                                             \
            inner = *(const type *)(c[i - 1] + first + (n)) +                           \
                    (i % 2 ? theta : 1 - theta)*inner;                                  \
        *(type *)(x + (n)) = inner;                                                     \
    } while (0)

INLINE void value(int terms, double *const *c, double theta, int first, int count,
                  double *x)
{
    PACKS_AND_REST(count, VALUE);
}

SIMD_WIDEST(widest_value, value,
            (int terms, double *const *c, double theta, int first, int count, double *x),
            (terms, c, theta, first, count, x))

void dense_output_value(int terms, double *const *c, double theta, int first, int count,
                        double *x)
{
    widest_value(terms, c, theta, first, count, x);
}

static double power(double x, int n)
{
    double result = 1;

    while (n-- > 0)
        result *= x;
    return result;
}

double dense_output_slope(int i, double theta)
{
    /* The basis function is theta^a (1 - theta)^b; both terms are written out so that
       nothing is divided by theta = 0 or 1 - theta = 0. */
    int a = (i + 1)/2, b = i/2;
    double rising = a*power(theta, a - 1)*power(1 - theta, b);

    return b ? rising - b*power(theta, a)*power(1 - theta, b - 1) : rising;
}
