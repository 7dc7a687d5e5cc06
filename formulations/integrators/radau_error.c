/*
 * radau_error.c - error estimate of Radau IIA by an embedded quadrature formula (Hairer,
 * Wanner 1996, HW, IV.8), for DAE of index up to 3.
 */
#include <float.h>
#include <math.h>

#include "base/largest.h"
#include "radau.h"

/*
 * HW IV.8 takes, of the quadrature formulas with nodes 0, c_1 .. c_s that are exact for
 * polynomials of degree s - 1, the one with the weight gamma0 at 0. Less the formula of
 * the method itself, which is exact for these, too, this formula vanishes for them and
 * has the weight gamma0 at 0: the difference is h gamma0 (x'(t) - P(0)) = O(h^(s + 1)), P
 * being the interpolant of the rates at the stages. (The program RADAU5 also multiplies
 * by the inverse of 1 - h gamma0 J, for stiff equations off their slow solution. Here
 * those cost short steps, until the motion is on the slow solution.)
 */
static void estimate(const struct radau *work, const double *dx, double *err)
{
    const struct tableau *tableau = work->tableau;
    double factor = work->h*tableau->gamma0;

    for (int n = 0; n < work->dim; n++) {
        double at_start = 0;

        for (int j = 0; j < tableau->stages; j++)
            at_start += tableau->at_start[j]*work->K[j][n];
        err[n] = factor*(dx[n] - at_start);
    }
}

int radau_orders_lost(const struct implicit_equations *equations)
{
    int most = 0;

    for (int l = 0; l < equations->differential; l++)
        most = equations->lost[l] > most ? equations->lost[l] : most;
    return most;
}

/* The change of rate n over the stages; *size becomes the largest |rate| if that is
   more. */
static double change_of_rate(const struct radau *work, int n, double *size)
{
    double *const *K = work->K;
    double least = K[0][n], largest = K[0][n];

    for (int j = 1; j < work->tableau->stages; j++) {
        least = smaller(least, K[j][n]);
        largest = larger(largest, K[j][n]);
    }
    *size = larger(*size, larger(fabs(least), fabs(largest)));
    return largest - least;
}

static double part_of(double change, double size)
{
    return change < size ? change/size : 1;
}

/* The relative change over the step of the rates of column j that lose orders: h over the
   time in which these change, at most 1. */
static double variation(const struct radau *work, int j)
{
    const struct implicit_equations *equations = work->equations;
    double change = 0, size = 0;

    for (int l = 0; l < equations->differential; l++)
        if (equations->lost[l] > 0)
            change = larger(change, change_of_rate(work, j*equations->state + l, &size));
    return part_of(change, size);
}

/* The change of integrand n over the step, relative to its largest size on this run. */
static double variation_of_integrand(const struct radau *work, int n)
{
    double size = work->largest_rate[n], change = change_of_rate(work, n, &size);

    return part_of(change, size);
}

void radau_remember(struct radau *work)
{
    for (int n = 0; n < work->dim; n++)
        change_of_rate(work, n, &work->largest_rate[n]);
}

/* The largest |x| of components [first, first + count) at both ends of the step. */
static double largest_state(const struct radau *work, int first, int count)
{
    double size = 0;

    for (int n = first; n < first + count; n++)
        size = larger(size, larger(fabs(work->x[n]), fabs(work->x_new[n])));
    return size;
}

static double largest_of_rates(const struct radau *work, int first, int count)
{
    double size = 0;

    for (int n = first; n < first + count; n++) {
        double own = work->largest_rate[n];
        change_of_rate(work, n, &own);
        size = larger(size, own);
    }
    return size;
}

/* The largest |q| of a column whose velocities lose an order, at both ends of the step,
   and in *rates the largest rate of these velocities on this run. */
static double size_of_places(const struct radau *work, int column, double *rates)
{
    const struct implicit_equations *equations = work->equations;
    const int *rate = equations->rate, *lost = equations->lost;
    int first = column*equations->state;
    double size = 0;

    *rates = 0;
    for (int l = 0; l < equations->differential; l++) {
        double at_ends = larger(fabs(work->x[first + l]), fabs(work->x_new[first + l]));

        if (rate[l] >= 0 && lost[rate[l]] > 0)
            size = larger(size, at_ends);
        if (lost[l] > 0)
            *rates = larger(*rates, largest_of_rates(work, first + l, 1));
    }
    return size;
}

/* Derivatives of accelerations contain the accelerations, and the rounding errors of
   these: in proportion to their own size or, where terms cancel as in derivatives by a
   mass rho, as a/rho (andrews, dv/dm5). Returned is the factor of the errors of a. */
static double share_of_rounding(const struct implicit_equations *equations, int column,
                                double rates, double own_rates)
{
    double rho = 0, share = rates > 0 ? own_rates/rates : 0;

    if (equations->rho)
        rho = fabs(equations->rho[equations->parameter[column - 1]]);
    return rho > 0 ? larger(share, 1/rho) : share;
}

/* The part of the estimate that errors of at most 1 in rows of level m make: A^-m/h^m of
   this step in P(0), of the step before in x'(t). */
static double amplification(const struct radau *work, int m)
{
    const struct amplified *amplified = &work->tableau->amplified[m];
    double h = fabs(work->h), before = fabs(work->h_before);
    double sum = amplified->here/pow(h, m);

    if (before > 0)
        sum += amplified->before/pow(before, m);
    return h*sum;
}

/* A row is a sum of a few terms, each of which may round by eps times its size;
   derivatives have twice as many. */
static double rounding_of_row(int column, double size)
{
    return (column > 0 ? 4 : 2)*DBL_EPSILON*size;
}

/*
 * The rounding errors in the estimate are no reason for a shorter step, which in index 3
 * would make them larger. There (h A)^2 W balances Phi, so rounding e of Phi over Phi_q
 * makes A^-2 e/h^2 of W, with e of the size of eps |q|. The errors of components that
 * lose an order are reduced by this much.
 */
static void excuse_rounding(const struct radau *work, int column, double *err)
{
    const struct implicit_equations *equations = work->equations;
    int first = column*equations->state;
    double rates, own_rates, size = size_of_places(work, 0, &rates);

    if (column > 0)
        size = size_of_places(work, column, &own_rates)
               + size*share_of_rounding(equations, column, rates, own_rates);
    double rounding = rounding_of_row(column, size)*amplification(work, 2);
    for (int l = 0; l < equations->differential; l++)
        if (equations->lost[l] > 0)
            err[first + l] = larger(0, fabs(err[first + l]) - rounding);
}

/*
 * In index 2, with Phi and Phid in rows of level 1, rounding makes A^-1 e/h of q' and v',
 * and a part of the estimate that no step makes smaller: where it is above the tolerance
 * all would be refused (slider-crank-spatial in ggl at 1e-14). It is left out, but for a
 * quarter, by which steps are kept from growing until they are refused. count: of
 * coordinates, or of their velocities, from `first` on.
 */
static void excuse_rounding_of_rates(const struct radau *work, int column, int first,
                                     int count, double *err)
{
    const struct implicit_equations *equations = work->equations;
    int own = column*equations->state + first;
    double size = largest_state(work, first, count);

    if (column > 0) {
        double rates = largest_of_rates(work, first, count);
        double own_rates = largest_of_rates(work, own, count);
        size = largest_state(work, own, count)
               + size*share_of_rounding(equations, column, rates, own_rates);
    }
    double rounding = rounding_of_row(column, size)*amplification(work, 1);
    for (int l = own; l < own + count; l++)
        err[l] = larger(fabs(err[l])/4, fabs(err[l]) - rounding);
}

/*
 * Quadratures of multipliers, or of accelerations, have the rounding errors of these,
 * which balance each other. An error e of v makes (h A)^-1 e of v' in index 2, an error e
 * of q (h A)^-2 e in index 3, and of an integrand in proportion to its size against v'.
 * An integrand that is zero but for rounding is no reason for a shorter step, which would
 * only make more of it.
 */
static void excuse_integrals(const struct radau *work, int column, double *err)
{
    const struct implicit_equations *equations = work->equations;
    int n = equations->coordinates, state = equations->state, first = column*state;
    double q = largest_state(work, 0, n), v = largest_state(work, n, n);
    double Q = largest_state(work, first, n), V = largest_state(work, first + n, n);
    double forces = largest_of_rates(work, n, n);

    if (n == 0 || !(forces > 0))
        return;
    double speed = column > 0 ? V + (q > 0 ? v/q*Q : 0) : v;
    double rounding = rounding_of_row(column, speed)*amplification(work, 1);
    if (radau_orders_lost(equations) > 0)
        rounding += rounding_of_row(column, column > 0 ? Q : q)*amplification(work, 2);
    for (int l = equations->differential; l < state; l++) {
        double share = largest_of_rates(work, l, 1)/forces;
        err[first + l] = larger(0, fabs(err[first + l]) - rounding*share);
    }
}

/*
 * Index 3: a step leaves v off by O(h^s) across the constraint, and the next step,
 * however short, takes this error away within its own length. There x'(t) - P(0) contains
 * the error of the step before as O(h_before^s/h), and the estimate stays O(h_before^s)
 * when the step is refused and shortened, so that runs stall. RADAU5 (HW; Hairer, Lubich,
 * Roche 1989) multiplies components that lose an order by h, which makes their estimate
 * O(h^(s + 1)) like that of q. As h has a unit, the factor here is h over the time in
 * which the accelerations change, in the column in which they change least, since one
 * column may pass through zero. The factor h/h_before makes the estimate follow its own
 * step and not the step before, which saves most refusals. Then q has an error of the
 * size of the tolerance, v of its power s/(s + 1).
 *
 * Quadratures start from zero, and so does their tolerance, while multipliers in them
 * have an error (index 2, 3) and rounding (eps/h, eps/h^2) that no step makes small. The
 * quadratures' own error in a step is O(h^(2s)), which leaves room for a factor h over
 * the time of the integrand. The time is measured by the largest size that the integrand
 * has had. By its present size the factor would be 1 where the integrand passes through
 * zero, and no step short enough for the rounding of the multipliers there
 * (two-link-driven in ggl, at the maximum of the effort's derivative by l).
 */
static void weigh(const struct radau *work, double *err)
{
    const struct implicit_equations *equations = work->equations;
    int d = equations->differential, state = equations->state;
    int most = radau_orders_lost(equations), n = equations->coordinates;
    double growth = fabs(work->h_before) > 0 ? fabs(work->h/work->h_before) : 1;
    double ratio = 1;

    for (int j = 0; most > 0 && j <= equations->columns; j++) {
        ratio = smaller(ratio, variation(work, j));
        excuse_rounding(work, j, err);
    }
    for (int j = 0; work->blocks.again && j <= equations->columns; j++) {
        excuse_rounding_of_rates(work, j, 0, n, err);
        excuse_rounding_of_rates(work, j, n, n, err);
    }
    for (int j = 0; j <= equations->columns; j++)
        excuse_integrals(work, j, err);
    for (int i = 0; i < work->dim; i++) {
        int l = i % state;

        err[i] *= pow(growth*ratio, l < d ? equations->lost[l] : most);
        if (l >= d)
            err[i] *= variation_of_integrand(work, i);
    }
}

void radau_error(const struct radau *work, const double *dx, double *err)
{
    estimate(work, dx, err);
    weigh(work, err);
}
