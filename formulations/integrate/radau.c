/*
 * radau.c - Radau IIA with three stages for 0 = R(t, y, w) of index up to 3.
 *
 * Sources: Hairer, Wanner 1996 (HW), IV.5, IV.8; for index 2 and 3 Hairer, Lubich, Roche
 * 1989. Orders: 5 of all in index 1; y 5, w 3 in index 2; q 5, v 3, w 2 in index 3, where
 * rounding of Phi alone moves v by eps/h and w by eps/h^2.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "methods.h"
#include "radau.h"

/* --- memory ------------------------------------------------------------------------- */

static double *reals(int count)
{
    return memory_new(count, sizeof(double));
}

static void *radau_alloc(const struct implicit_equations *equations)
{
    int columns = 1 + equations->columns, d = equations->differential;
    int k = equations->most_unknowns, n = STAGES*k;
    struct radau *work = memory_new(1, sizeof *work);

    work->dim = equations->state*columns;
    work->k = k;
    tableau_init(&work->tableau);
    chains_init(&work->chains, d);
    double **const part[] = {&work->x, &work->x_new, &work->change, &work->integrand,
                             &work->K[0], &work->K[1], &work->K[2]};
    for (size_t i = 0; i < sizeof part/sizeof *part; i++)
        *part[i] = reals(work->dim);
    work->W = reals(columns*n);
    work->Y = reals(columns*STAGES*d);
    carry_init(&work->carry, work->dim);
    work->R = reals(n);
    work->size = reals(n);
    work->correction = reals(n);
    work->R_w = reals(k*k);
    work->R_y = reals(k*d);
    work->N = reals(n*n);
    work->row = reals(n);
    work->column = reals(n);
    factor_init(&work->factor, n);
    return work;
}

static void radau_release(void *memory)
{
    struct radau *work = memory;

    if (!work)
        return;
    double *const part[] = {work->x, work->x_new, work->change, work->integrand,
                            work->K[0], work->K[1], work->K[2], work->W, work->Y, work->R,
                            work->size, work->correction, work->R_w, work->R_y, work->N,
                            work->row, work->column};
    for (size_t i = 0; i < sizeof part/sizeof *part; i++)
        free(part[i]);
    carry_clear(&work->carry);
    chains_clear(&work->chains);
    factor_clear(&work->factor);
    free(work);
}

/* --- starting values ---------------------------------------------------------------- */

static bool same(int count, const double *x, const double *y)
{
    return memcmp(x, y, (size_t)count*sizeof *x) == 0;
}

/* Does (t, x) begin where the last step did (theta = 0, a step that was refused) or where
   it ended (theta = 1)? Then its collocation polynomial continues to hold, nearly. */
static bool continues(const struct radau *work, int unknowns, double t, const double *x,
                      double *theta)
{
    double near = 1e-3*fabs(work->h);

    if (!work->stepped || work->k != unknowns)
        return false;
    *theta = fabs(t - work->t) <= near ? 0 : 1;
    return (*theta < 1 && same(work->dim, x, work->x))
           || (fabs(t - work->t - work->h) <= near && same(work->dim, x, work->x_new));
}

/* W at the stages of the next step, in place. */
static void extrapolate(struct radau *work, double theta, double h)
{
    const double *c = work->tableau.c;
    double weight[STAGES][STAGES];

    for (int i = 0; i < STAGES; i++)
        tableau_values(&work->tableau, theta + c[i]*(h/work->h), weight[i]);
    for (int n = 0; n < work->k; n++) {
        double W[STAGES];

        for (int j = 0; j < STAGES; j++)
            W[j] = radau_W(work, 0, j)[n];
        for (int i = 0; i < STAGES; i++)
            radau_W(work, 0, i)[n] = weight[i][0]*W[0] + weight[i][1]*W[1]
                                     + weight[i][2]*W[2];
    }
}

/* Constant, where x' says what w is; the others have no history. */
static void start_constant(struct radau *work, const double *dx)
{
    const struct implicit_equations *equations = work->equations;

    memset(work->W, 0, (size_t)(STAGES*work->k)*sizeof *work->W);
    for (int l = 0; l < equations->differential; l++)
        for (int i = 0; equations->rate[l] < 0 && i < STAGES; i++)
            radau_W(work, 0, i)[-1 - equations->rate[l]] = dx[l];
}

/* --- a step ------------------------------------------------------------------------- */

static void begin(struct radau *work, const struct implicit_equations *equations,
                  double t, double h, const double *x)
{
    work->equations = equations;
    work->t = t;
    work->h = h;
    work->stepped = false;
    if (STAGES*equations->unknowns != work->factor.n) {
        factor_clear(&work->factor);        /* another mode: not in every step */
        factor_init(&work->factor, STAGES*equations->unknowns);
    }
    work->k = equations->unknowns;
    memcpy(work->x, x, (size_t)work->dim*sizeof *x);
    chains_follow(&work->chains, &work->tableau, equations, h);
}

static enum status solve_stages(struct radau *work, void *context, bool predicted,
                                const double *dx)
{
    enum status status = OK;

    if (predicted)
        status = radau_newton(work, context);
    if (!predicted || status != OK) {
        start_constant(work, dx);
        status = radau_newton(work, context);
    }
    if (status == OK)
        status = radau_tangents(work, context);
    if (status == OK)
        status = radau_quadratures(work, context);
    return status;
}

/* h sum_j weight_j K_j and what the last step lost; added to x it is what
   radau_stage_values has, to the last bit. */
static void change(const struct radau *work, const double *weight, int first, int count,
                   double *out)
{
    double *const *K = work->K;
    const double *lost = work->carry.lost;

    for (int n = first; n < first + count; n++)
        out[n - first] = lost[n] + work->h*(weight[0]*K[0][n] + weight[1]*K[1][n]
                                            + weight[2]*K[2][n]);
}

/* --- the error ---------------------------------------------------------------------- */

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
    double weight[STAGES], *const *K = work->K;

    tableau_values(&work->tableau, 0, weight);
    for (int n = 0; n < work->dim; n++)
        err[n] = work->h*work->tableau.gamma0*(dx[n] - weight[0]*K[0][n]
                                               - weight[1]*K[1][n] - weight[2]*K[2][n]);
}

/* By the component that loses most: in index 3 more than none. */
static int orders_lost(const struct implicit_equations *equations)
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
    double size = work->integrand[n], change = change_of_rate(work, n, &size);

    return part_of(change, size);
}

/* The last step has been accepted. */
static void remember_integrands(struct radau *work)
{
    const struct implicit_equations *equations = work->equations;

    for (int n = 0; n < work->dim; n++)
        if (n % equations->state >= equations->differential)
            change_of_rate(work, n, &work->integrand[n]);
}

/*
 * What rounding alone makes of the estimate is no reason for a shorter step: in index 3 it
 * would grow. There (h A)^2 W balances Phi, so rounding e of Phi over Phi_q makes A^-2 e/h^2
 * of W: of this step in P(0), of the step before in x'(t). The two constants are gamma0
 * times sums of |A^-2|, for P(0) by its weights. Phi is a sum of a few terms, of which
 * each may round by eps |q|, and its derivatives have twice as many. Components that lose
 * an order are excused that much.
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
    int most = orders_lost(equations);
    double growth = fabs(work->h_before) > 0 ? fabs(work->h/work->h_before) : 1;
    double ratio = 1;

    for (int j = 0; most > 0 && j <= equations->columns; j++) {
        ratio = fmin(ratio, variation(work, j));
        excuse_rounding(work, j, err);
    }
    for (int n = 0; n < work->dim; n++) {
        int l = n % state;

        err[n] *= pow(growth*ratio, l < d ? equations->lost[l] : most);
        if (l >= d)
            err[n] *= variation_of_integrand(work, n);
    }
}

/* The estimate is O(h^4), while control.c takes it that errors are of the order of the
   method, h^5: this makes them so, and leaves what is accepted as it was. */
static double radau_combine(const double *norm)
{
    return pow(norm[0], 1.25);
}

/* --- the integrator ----------------------------------------------------------------- */

static enum status radau_step(void *memory, const struct ode *ode, double t, double h,
                              const double *x, const double *dx, double *x_new,
                              double *dx_new, double *const *err)
{
    struct radau *work = memory;
    size_t size = (size_t)work->dim*sizeof *x;
    double theta;
    bool predicted = continues(work, ode->implicit->unknowns, t, x, &theta);

    if (!predicted || theta > 0)
        work->h_before = predicted ? work->h : 0;
    if (predicted && theta > 0)
        remember_integrands(work);
    if (predicted)
        extrapolate(work, theta, h);
    if (orders_lost(ode->implicit) == 0)    /* in index 3 errors are far above rounding */
        carry_start(&work->carry, t, x, work->x, work->x_new);
    begin(work, ode->implicit, t, h, x);
    enum status status = solve_stages(work, ode->context, predicted, dx);
    if (status != OK)
        return status;
    change(work, work->tableau.A[STAGES - 1], 0, work->dim, work->change);
    carry_sum(&work->carry, work->x, work->change, work->x_new);
    estimate(work, dx, err[0]);
    weigh(work, err[0]);
    memcpy(x_new, work->x_new, size);
    memcpy(dx_new, work->K[STAGES - 1], size);
    work->stepped = true;
    return OK;
}

static enum status radau_prepare(void *memory, const struct ode *ode)
{
    (void)memory, (void)ode;
    return OK;
}

static void radau_dense(const void *memory, double theta, int first, int count, double *x)
{
    const struct radau *work = memory;
    double weight[STAGES];

    tableau_integrals(&work->tableau, theta, weight);
    change(work, weight, first, count, x);
    for (int n = 0; n < count; n++)
        x[n] = work->x[first + n] + x[n];
}

static const double *radau_unknowns(const void *memory, int column)
{
    return radau_W(memory, column, STAGES - 1);
}

/* 0, and the zeros c of radau_stages.c */
static const double nodes[STAGES + 1] = {0, 0.15505102572168219, 0.64494897427831781, 1};

const struct integrator integrator_radau = {
    .name = "radau",
    .title = "Radau IIA of order 5 for implicit equations of index up to 3",
    .source = "Hairer, Wanner 1996, IV.5, IV.8; Hairer, Lubich, Roche 1989",
    .order = 5,
    .errors = 1,
    .evaluations = 12,          /* two iterations, tangents, quadratures: short steps */
    .node = nodes,
    .nodes = STAGES + 1,
    .alloc_implicit = radau_alloc,
    .release = radau_release,
    .step = radau_step,
    .combine = radau_combine,
    .prepare = radau_prepare,
    .dense = radau_dense,
    .dense_order = 3,
    .unknowns = radau_unknowns,
};
