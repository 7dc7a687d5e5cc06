/*
 * dae.h - implicit equations for the tests of radau, as formulas of complex numbers.
 *
 * A problem types its residual and the w that solves its index-reduced form, for complex
 * arguments; every derivative is an imaginary part (complex step), so none is typed.
 */
#ifndef SALTUS_DAE_H
#define SALTUS_DAE_H

#include <complex.h>
#include <math.h>
#include <string.h>

#include "integrators/control.h"
#include "model.h"

enum { DAE_MOST = 8, DAE_COLUMNS = 2, DAE_DIM = DAE_MOST*(1 + DAE_COLUMNS) };

typedef double complex number;

struct dae_problem {
    const char *name;
    int d, coordinates, quadratures, unknowns;  /* coordinates: 0 if y is not (q, v) */
    const int *rate, *lost;
    /* R [unknowns] and g [quadratures] */
    void (*residual)(double t, const number *y, const number *w, const number *rho,
                     number *R, number *g);
    /* w [unknowns] of the motion at (t, y) */
    void (*motion)(double t, const number *y, const number *rho, number *w);
};

struct dae {
    const struct dae_problem *problem;
    struct implicit_equations equations;
    struct entries at_w, at_y;              /* the places that R depends on */
    int begin[2][DAE_MOST + 1], column[2][DAE_MOST*DAE_MOST];
    struct ode ode;
    double rho[DAE_COLUMNS];
    double t, y[DAE_MOST], w[DAE_MOST];     /* the point last evaluated */
    long calls, fail_at;                    /* residual number fail_at returns `with` */
    enum status with;
};

static const double dae_eps = 1e-100;

/* x + i eps dx; dx may be NULL */
static inline void dae_along(int count, const double *x, const double *dx, number *out)
{
    for (int i = 0; i < count; i++)
        out[i] = x[i] + (dx ? dae_eps*dx[i]*_Complex_I : 0);
}

/* Derivatives of R and g along (Y, W, the parameter j), at the point last evaluated. */
static inline void dae_tangent(const struct dae *dae, const double *Y, const double *W,
                               int j, number *R, number *g)
{
    number y[DAE_MOST], w[DAE_MOST], rho[DAE_COLUMNS];
    double unit[DAE_COLUMNS] = { 0 };

    if (j >= 0)
        unit[j] = 1;
    dae_along(dae->problem->d, dae->y, Y, y);
    dae_along(dae->problem->unknowns, dae->w, W, w);
    dae_along(DAE_COLUMNS, dae->rho, unit, rho);
    dae->problem->residual(dae->t, y, w, rho, R, g);
}

static inline enum status dae_residual(void *context, double t, const double *y,
                                       const double *w, double *R)
{
    struct dae *dae = context;
    number r[DAE_MOST], g[DAE_MOST];

    if (++dae->calls == dae->fail_at)
        return dae->with;
    dae->t = t;
    memcpy(dae->y, y, (size_t)dae->problem->d*sizeof *y);
    memcpy(dae->w, w, (size_t)dae->problem->unknowns*sizeof *w);
    dae_tangent(dae, NULL, NULL, -1, r, g);
    for (int i = 0; i < dae->problem->unknowns; i++)
        R[i] = creal(r[i]);
    return OK;
}

/* R_w [k*k] and R_y [k*d], by rows. */
static inline void dae_full_matrices(const struct dae *dae, double *R_w, double *R_y)
{
    int k = dae->problem->unknowns, d = dae->problem->d;
    number r[DAE_MOST], g[DAE_MOST];

    for (int j = 0; j < k + d; j++) {
        double unit[2*DAE_MOST] = { 0 };

        unit[j < k ? j : DAE_MOST + j - k] = 1;
        dae_tangent(dae, unit + DAE_MOST, unit, -1, r, g);
        for (int i = 0; i < k; i++)
            *(j < k ? &R_w[i*k + j] : &R_y[i*d + j - k]) = cimag(r[i])/dae_eps;
    }
}

/* value [at->count] = the entries of a full matrix at these places. */
static inline void dae_take(const struct entries *at, int rows, int columns,
                            const double *full, double *value)
{
    for (int i = 0; i < rows; i++)
        for (int e = at->begin[i]; e < at->begin[i + 1]; e++)
            value[e] = full[i*columns + at->column[e]];
}

static inline void dae_matrices(void *context, double *R_w, double *R_y)
{
    struct dae *dae = context;
    int k = dae->problem->unknowns, d = dae->problem->d;
    double w[DAE_MOST*DAE_MOST], y[DAE_MOST*DAE_MOST];

    dae_full_matrices(dae, w, y);
    dae_take(dae->equations.at_w, k, k, w, R_w);
    dae_take(dae->equations.at_y, k, d, y, R_y);
}

static inline void dae_residual_along(void *context, int j, const double *Y,
                                      double *R_dot)
{
    struct dae *dae = context;
    number r[DAE_MOST], g[DAE_MOST];

    dae_tangent(dae, Y, NULL, j, r, g);
    for (int i = 0; i < dae->problem->unknowns; i++)
        R_dot[i] = cimag(r[i])/dae_eps;
}

static inline void dae_quadratures(void *context, double *out)
{
    struct dae *dae = context;
    number r[DAE_MOST], g[DAE_MOST];

    dae_tangent(dae, NULL, NULL, -1, r, g);
    for (int i = 0; i < dae->problem->quadratures; i++)
        out[i] = creal(g[i]);
}

static inline void dae_quadratures_along(void *context, int j, const double *Y,
                                         const double *W, double *g_dot)
{
    struct dae *dae = context;
    number r[DAE_MOST], g[DAE_MOST];

    dae_tangent(dae, Y, W, j, r, g);
    for (int i = 0; i < dae->problem->quadratures; i++)
        g_dot[i] = cimag(g[i])/dae_eps;
}

/* w of the motion at (t, x), of column j: 0 the solution, then its derivatives. */
static inline void dae_motion(const struct dae *dae, double t, const double *x, int j,
                              number *y, number *w, number *rho)
{
    int state = dae->equations.state;
    double unit[DAE_COLUMNS] = { 0 };

    if (j > 0)
        unit[j - 1] = 1;
    dae_along(dae->problem->d, x, j > 0 ? x + j*state : NULL, y);
    dae_along(DAE_COLUMNS, dae->rho, unit, rho);
    dae->problem->motion(t, y, rho, w);
}

/* The explicit right-hand side, in all columns. */
static inline enum status dae_rhs(void *context, double t, const double *x, double *dx)
{
    struct dae *dae = context;
    int state = dae->equations.state, d = dae->problem->d;
    number y[DAE_MOST], w[DAE_MOST], rho[DAE_COLUMNS], r[DAE_MOST], g[DAE_MOST];

    for (int j = 0; j <= dae->equations.columns; j++) {
        double *column = dx + j*state;

        dae_motion(dae, t, x, j, y, w, rho);
        dae->problem->residual(t, y, w, rho, r, g);
        for (int i = 0; i < d; i++) {
            int rate = dae->problem->rate[i];
            number slope = rate < 0 ? w[-1 - rate] : y[rate];

            column[i] = j > 0 ? cimag(slope)/dae_eps : creal(slope);
        }
        for (int i = 0; i < state - d; i++)
            column[d + i] = j > 0 ? cimag(g[i])/dae_eps : creal(g[i]);
    }
    return OK;
}

static inline double dae_distance(int count, const double *x, const double *y)
{
    double worst = 0;

    for (int i = 0; i < count; i++)
        worst = fmax(worst, fabs(x[i] - y[i]));
    return worst;
}

/* The places of a full matrix that are not zero. */
static inline struct entries dae_places(int rows, int columns, const double *full,
                                        int *begin, int *column)
{
    struct entries at = { .begin = begin, .column = column };

    for (int i = 0; i < rows; i++) {
        begin[i] = at.count;
        for (int j = 0; j < columns; j++)
            if (full[i*columns + j] != 0)
                column[at.count++] = j;
    }
    begin[rows] = at.count;
    return at;
}

/* Finds the places at a point where nothing is zero by chance. */
static inline void dae_find_places(struct dae *dae)
{
    int k = dae->problem->unknowns, d = dae->problem->d;
    double w[DAE_MOST*DAE_MOST], y[DAE_MOST*DAE_MOST];

    dae->t = 0.37;
    for (int i = 0; i < DAE_MOST; i++) {
        dae->y[i] = sqrt(2 + i);
        dae->w[i] = sqrt(3 + i) - 0.1;
    }
    dae_full_matrices(dae, w, y);
    dae->at_w = dae_places(k, k, w, dae->begin[0], dae->column[0]);
    dae->at_y = dae_places(k, d, y, dae->begin[1], dae->column[1]);
}

static inline void dae_init(struct dae *dae, const struct dae_problem *problem,
                            int columns, const double *rho)
{
    *dae = (struct dae){ .problem = problem };
    memcpy(dae->rho, rho, sizeof dae->rho);
    dae_find_places(dae);
    dae->equations = (struct implicit_equations){
        .columns = columns, .state = problem->d + problem->quadratures,
        .coordinates = problem->coordinates,
        .differential = problem->d, .most_unknowns = problem->unknowns,
        .unknowns = problem->unknowns, .rate = problem->rate, .lost = problem->lost,
        .at_w = &dae->at_w, .at_y = &dae->at_y,
        .residual = dae_residual, .matrices = dae_matrices, .along = dae_residual_along,
        .quadratures = dae_quadratures, .quadratures_along = dae_quadratures_along };
    dae->ode = (struct ode){ .dim = dae->equations.state*(1 + columns), .rhs = dae_rhs,
                             .context = dae, .implicit = &dae->equations };
}

#endif
