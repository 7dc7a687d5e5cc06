/*
 * radau_tableau.c - coefficients of Radau IIA with s stages (Hairer, Wanner 1996, HW,
 * IV.5, IV.8), computed in long double from Legendre polynomials P_m.
 *
 * Argument of P_m is 2 theta - 1. Radau quadrature is exact for degree 2s - 2, the degree
 * of l_j P_m, so that l_j = sum over m < s of (2m + 1) b_j P_m(2c_j - 1) P_m. In these
 * sums no terms cancel, while in powers of theta digits are lost from five stages on.
 */
#include <math.h>

#include <pthread.h>

#include "base/memory.h"
#include "radau.h"

/* P [count] = P_0 .. P_(count - 1) at 2 theta - 1, and their integrals from 0 to theta.
   At theta = 0 and 1 both are exact. */
#define LEGENDRE(real, legendre, legendre_integrals)                                     \
    static void legendre(real theta, int count, real *P)                                 \
    {                                                                                    \
        real x = 2*theta - 1;                                                            \
                                                                                         \
        P[0] = 1;                                                                        \
        P[1] = x;                                                                        \
        for (int m = 1; m + 1 < count; m++)                                              \
            P[m + 1] = x*P[m] + (x*P[m] - P[m - 1])*(m/(real)(m + 1));                   \
    }                                                                                    \
                                                                                         \
    static void legendre_integrals(real theta, int count, real *integral)                \
    {                                                                                    \
        real P[RADAU_MOST_STAGES + 1];                                                   \
                                                                                         \
        legendre(theta, count + 1, P);                                                   \
        integral[0] = theta;                                                             \
        for (int m = 1; m < count; m++)                                                  \
            integral[m] = (P[m + 1] - P[m - 1])/(2*(2*m + 1));                           \
    }

LEGENDRE(long double, legendre_exactly, integrals_exactly)
LEGENDRE(double, legendre, legendre_integrals)

/* --- nodes -------------------------------------------------------------------------- */

/* The polynomial with the zeros c_i: P_s - P_(s-1), a multiple of
   d^(s-1)/dx^(s-1) (x^(s-1) (x - 1)^s). */
static long double with_zeros_c(int s, long double theta)
{
    long double P[RADAU_MOST_STAGES + 1];

    legendre_exactly(theta, s + 1, P);
    return P[s] - P[s - 1];
}

typedef long double function_of_one(int s, long double x);

/* The zero of f between `low` and `high`, where the signs of f differ, by bisection. */
static long double zero_between(function_of_one *f, int s, long double low,
                                long double high)
{
    bool positive = f(s, low) > 0;

    for (int k = 0; k < 70; k++) {
        long double middle = (low + high)/2;

        if ((f(s, middle) > 0) == positive)
            low = middle;
        else
            high = middle;
    }
    return (low + high)/2;
}

/* Neighbours are further apart than a cell of the grid; the last node is 1. */
static void find_nodes(int s, long double *c)
{
    enum { CELLS = 128 };
    int found = 0;

    for (int k = 0; k + 1 < CELLS; k++) {
        long double low = (long double)k/CELLS, high = (long double)(k + 1)/CELLS;

        if ((with_zeros_c(s, low) > 0) != (with_zeros_c(s, high) > 0))
            c[found++] = zero_between(with_zeros_c, s, low, high);
    }
    c[found++] = 1;
    if (found != s)
        slip("radau: %d nodes of %d", found, s);
}

/* --- the matrix --------------------------------------------------------------------- */

/* b_j follows from l_j(c_j) = 1. */
static void expand_lagrange(int s, const long double *c,
                            long double (*l)[RADAU_MOST_STAGES])
{
    for (int j = 0; j < s; j++) {
        long double P[RADAU_MOST_STAGES + 1], sum = 0;

        legendre_exactly(c[j], s + 1, P);
        for (int m = 0; m < s; m++)
            sum += (2*m + 1)*P[m]*P[m];
        for (int m = 0; m < s; m++)
            l[j][m] = (2*m + 1)*P[m]/sum;
    }
}

/* The slope of l_j at c_i. */
static long double slope_of_lagrange(int s, const long double *c, int j, int i)
{
    long double sum = 0, product = 1;

    for (int m = 0; m < s; m++) {
        if (i == j && m != j)
            sum += 1/(c[j] - c[m]);
        if (m != i && m != j)
            product *= (c[i] - c[m])/(c[j] - c[m]);
    }
    return i == j ? sum : product/(c[j] - c[i]);
}

/* A^-1 takes values at the nodes to the slopes there of the polynomial through them that
   is zero at 0, which is theta l_j/c_j for a one at c_j. */
static void invert(int s, const long double *c,
                   double (*inverse)[RADAU_MOST_STAGES][RADAU_MOST_STAGES])
{
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            long double slope = c[i]*slope_of_lagrange(s, c, j, i);

            inverse[0][i][j] = i == j;
            inverse[1][i][j] = (double)(((i == j) + slope)/c[j]);
        }
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            inverse[2][i][j] = 0;
            for (int m = 0; m < s; m++)
                inverse[2][i][j] += inverse[1][i][m]*inverse[1][m][j];
        }
}

/* --- its real eigenvalue ------------------------------------------------------------ */

/* det(1 - z A), the denominator of the Pade approximation (s - 1, s) of exp (HW IV.5). */
static long double determinant(int s, long double z)
{
    long double term = 1, sum = 1;

    for (int m = 0; m < s; m++) {
        term *= -z*(s - m)/((2*s - 1 - m)*(m + 1));
        sum += term;
    }
    return sum;
}

/* --- rounding ----------------------------------------------------------------------- */

/* Errors e_j of ((h A)^m W)_j are A^-m e/h^m in W. The estimate has gamma0 times P(0) of
   this step, whose weights are l_j(0), and gamma0 times the last W of the step before:
   at worst gamma0 times the sums of the magnitudes in l(0) A^-m and in the last row of
   A^-m. */
static void amplify(struct tableau *tableau)
{
    int s = tableau->stages;

    for (int m = 0; m < RADAU_LEVELS; m++) {
        struct amplified *amplified = &tableau->amplified[m];

        *amplified = (struct amplified){0};
        for (int j = 0; j < s; j++) {
            double at_start = 0;

            for (int i = 0; i < s; i++)
                at_start += tableau->at_start[i]*tableau->inverse[m][i][j];
            amplified->here += tableau->gamma0*fabs(at_start);
            amplified->before += tableau->gamma0*fabs(tableau->inverse[m][s - 1][j]);
        }
    }
}

/* --- the method --------------------------------------------------------------------- */

void tableau_init(struct tableau *tableau, int stages)
{
    long double c[RADAU_MOST_STAGES], l[RADAU_MOST_STAGES][RADAU_MOST_STAGES];
    long double integral[RADAU_MOST_STAGES];

    tableau->stages = stages;
    find_nodes(stages, c);
    expand_lagrange(stages, c, l);
    invert(stages, c, tableau->inverse);
    tableau->node[0] = 0;
    for (int i = 0; i < stages; i++) {
        tableau->c[i] = tableau->node[i + 1] = (double)c[i];
        integrals_exactly(c[i], stages, integral);
        for (int j = 0; j < stages; j++) {
            long double sum = 0;

            for (int m = 0; m < stages; m++)
                sum += l[j][m]*integral[m];
            tableau->A[i][j] = (double)sum;
            tableau->lagrange[j][i] = (double)l[j][i];
        }
    }
    /* Stages are odd in number: one eigenvalue of A^-1 is real, about 1.3 s. */
    tableau->gamma0 = (double)(1/zero_between(determinant, stages, 0, 2*stages));
    tableau_values(tableau, 0, tableau->at_start);
    amplify(tableau);
}

static struct tableau methods[RADAU_METHODS];

static void make_methods(void)
{
    for (int i = 0; i < RADAU_METHODS; i++)
        tableau_init(&methods[i], RADAU_LEAST_STAGES + 2*i);
}

const struct tableau *tableau_of(int stages)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_methods);
    return &methods[(stages - RADAU_LEAST_STAGES)/2];
}

/* weight_j = sum over m of lagrange[j][m] basis[m] */
static void combine(const struct tableau *tableau, const double *basis, double *weight)
{
    for (int j = 0; j < tableau->stages; j++) {
        double sum = 0;

        for (int m = 0; m < tableau->stages; m++)
            sum += tableau->lagrange[j][m]*basis[m];
        weight[j] = sum;
    }
}

void tableau_values(const struct tableau *tableau, double theta, double *weight)
{
    double P[RADAU_MOST_STAGES];

    legendre(theta, tableau->stages, P);
    combine(tableau, P, weight);
}

void tableau_integrals(const struct tableau *tableau, double theta, double *weight)
{
    double integral[RADAU_MOST_STAGES];

    legendre_integrals(theta, tableau->stages, integral);
    combine(tableau, integral, weight);
}
