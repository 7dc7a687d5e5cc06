/*
 * radau_error.c - the error of a step.
 */
#include <float.h>
#include <math.h>

#include "radau.h"

/*
 * HW IV.8: of the quadrature formulas with nodes 0, c_1, c_2, c_3 that are exact for
 * quadratics take the one with the weight gamma0 at 0. Less the formula of the method
 * itself, which is exact for them too, it is zero for quadratics and has the weight
 * gamma0 at 0: so it is h gamma0 (x'(t) - P(0)), P being the interpolant of the rates at
 * the stages. That is O(h^4). (The program RADAU5 also multiplies by the inverse of
 * 1 - h gamma0 J, for stiff equations off their slow solution. Here those cost short
 * steps, until they are on it.)
 */
static void estimate(const struct radau *work, const double *dx, double *err)
{
    double weight[RADAU_STAGES], *const *K = work->K;

    tableau_values(&work->tableau, 0, weight);
    for (int n = 0; n < work->dim; n++)
        err[n] = work->h*work->tableau.gamma0*(dx[n] - weight[0]*K[0][n]
                                               - weight[1]*K[1][n] - weight[2]*K[2][n]);
}

int radau_orders_lost(const struct implicit_equations *equations)
{
    int most = 0;

    for (int l = 0; l < equations->differential; l++)
        most = equations->lost[l] > most ? equations->lost[l] : most;
    return most;
}

/* By how much rate n changes over the step; its size, if that is more than *size. */
static double change_of_rate(const struct radau *work, int n, double *size)
{
    double *const *K = work->K;
    double least = fmin(K[0][n], fmin(K[1][n], K[2][n]));
    double largest = fmax(K[0][n], fmax(K[1][n], K[2][n]));

    *size = fmax(*size, fmax(fabs(least), fabs(largest)));
    return largest - least;
}

static double part_of(double change, double size)
{
    return change < size ? change/size : 1;
}

/* How much the rates of column j that lose orders change over the step, relative to
   themselves: h over the time in which they change, at most 1. */
static double variation(const struct radau *work, int j)
{
    const struct implicit_equations *equations = work->equations;
    double change = 0, size = 0;

    for (int l = 0; l < equations->differential; l++)
        if (equations->lost[l] > 0)
            change = fmax(change, change_of_rate(work, j*equations->state + l, &size));
    return part_of(change, size);
}

/* How much an integrand changes, relative to the most it has been on this run. */
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

/*
 * What rounding alone makes of the estimate is no reason for a shorter step: in index 3
 * it would grow. There (h A)^2 W balances Phi, so rounding e of Phi over Phi_q makes
 * A^-2 e/h^2 of W: of this step in P(0), of the step before in x'(t). The two constants
 * are gamma0 times sums of |A^-2|, for P(0) by its weights. Phi is a sum of a few terms,
 * of which each may round by eps |q|, and its derivatives have twice as many. Components
 * that lose an order are excused that much.
 */
static const double rounding_here = 13.653, rounding_before = 34.382;

static void excuse_rounding(const struct radau *work, int column, double *err)
{
    const struct implicit_equations *equations = work->equations;
    const int *rate = equations->rate, *lost = equations->lost;
    int first = column*equations->state;
    double size = 0, h = work->h, before = work->h_before;

    for (int l = 0; l < equations->differential; l++) {
        double largest = fmax(fabs(work->x[first + l]), fabs(work->x_new[first + l]));

        if (rate[l] >= 0 && lost[rate[l]] > 0)
            size = fmax(size, largest);
    }
    double per_h2 = rounding_here/(h*h);
    if (fabs(before) > 0)
        per_h2 += rounding_before/(before*before);
    double rounding = (column > 0 ? 4 : 2)*DBL_EPSILON*size*fabs(h)*per_h2;
    for (int l = 0; l < equations->differential; l++)
        if (lost[l] > 0)
            err[first + l] = fmax(0, fabs(err[first + l]) - rounding);
}

/* The largest of components [first, first + count) at both ends of the step. */
static double largest_state(const struct radau *work, int first, int count)
{
    double size = 0;

    for (int n = first; n < first + count; n++)
        size = fmax(size, fmax(fabs(work->x[n]), fabs(work->x_new[n])));
    return size;
}

static double largest_of_rates(const struct radau *work, int first, int count)
{
    double size = 0;

    for (int n = first; n < first + count; n++) {
        double own = work->largest_rate[n];
        change_of_rate(work, n, &own);
        size = fmax(size, own);
    }
    return size;
}

/*
 * Quadratures of multipliers, or of accelerations, have the rounding of these, which
 * balance each other: one of v by e makes (h A)^-1 e of v' in index 2, one of q in index
 * 3 (h A)^-2 e, and of an integrand as much as it is against v'. The constants are gamma0
 * times sums of |A^-1|, as above. A derivative of an integrand that is zero, but for
 * that, is no reason for a shorter step, which would only make more of it.
 */
static const double integral_here = 3.234, integral_before = 4.966;

static void excuse_integrals(const struct radau *work, int column, double *err)
{
    const struct implicit_equations *equations = work->equations;
    int n = equations->coordinates, state = equations->state, first = column*state;
    double h = fabs(work->h), before = fabs(work->h_before), speed, rounding, forces;
    double q = largest_state(work, 0, n), v = largest_state(work, n, n);
    double Q = largest_state(work, first, n), V = largest_state(work, first + n, n);

    forces = largest_of_rates(work, n, n);
    if (n == 0 || !(forces > 0))
        return;
    speed = column > 0 ? V + (q > 0 ? v/q*Q : 0) : v;
    rounding = integral_here*speed;
    if (before > 0)
        rounding += integral_before*h/before*speed;
    if (radau_orders_lost(equations) > 0) {
        double place = column > 0 ? Q : q;
        rounding += rounding_here*place/h;
        if (before > 0)
            rounding += rounding_before*place*h/(before*before);
    }
    rounding *= (column > 0 ? 4 : 2)*DBL_EPSILON;
    for (int l = equations->differential; l < state; l++) {
        double share = largest_of_rates(work, l, 1)/forces;
        err[first + l] = fmax(0, fabs(err[first + l]) - rounding*share);
    }
}

/*
 * Index 3: a step leaves v off by O(h^3) across the constraint, and the next one, however
 * short, takes that away within its own length: there x'(t) - P(0) contains the error of
 * the step before as O(h_before^3/h), and the estimate stays O(h_before^3) when the step
 * is refused and shortened. So runs stall. RADAU5 (HW; Hairer, Lubich, Roche 1989)
 * multiplies components that lose an order by h, and their estimate is O(h^4) like that
 * of q. h has a unit, though; here it is h over the time in which the accelerations
 * change, and in that of the column in which they change least: one may pass through
 * zero. The factor h/h_before makes the estimate follow the step that it is for and not
 * the one before, which saves most refusals. Then q has an error of the size of the
 * tolerance, v of its power 3/4.
 *
 * Quadratures start from zero, and so does their tolerance, while multipliers in them
 * have an error (index 2, 3) and rounding (eps/h, eps/h^2) that no step makes small. In
 * a step their own error is O(h^6): there is room for h over the time of the integrand,
 * which is measured by the largest that it has been. By what it is, h over the time would
 * be 1 where it passes through zero, and no step short enough for the rounding of the
 * multipliers there (two-link-driven in ggl, at the maximum of the effort's derivative by
 * l).
 */
static void weigh(const struct radau *work, double *err)
{
    const struct implicit_equations *equations = work->equations;
    int d = equations->differential, state = equations->state;
    int most = radau_orders_lost(equations);
    double growth = fabs(work->h_before) > 0 ? fabs(work->h/work->h_before) : 1;
    double ratio = 1;

    for (int j = 0; most > 0 && j <= equations->columns; j++) {
        ratio = fmin(ratio, variation(work, j));
        excuse_rounding(work, j, err);
    }
    for (int j = 0; j <= equations->columns; j++)
        excuse_integrals(work, j, err);
    for (int n = 0; n < work->dim; n++) {
        int l = n % state;

        err[n] *= pow(growth*ratio, l < d ? equations->lost[l] : most);
        if (l >= d)
            err[n] *= variation_of_integrand(work, n);
    }
}

void radau_error(const struct radau *work, const double *dx, double *err)
{
    estimate(work, dx, err);
    weigh(work, err);
}
