/*
 * integrator.h - one-step methods for x' = f(t, x) and 0 = R(t, y, w), as a table.
 *
 * An integrator makes one step and estimates the error of the step; it knows nothing of
 * mechanisms, events or sensitivities. Step-size control and the choice of errors that
 * count are common to all integrators, and private (integrators/control.h).
 *
 * Threads: tables are constant; each run has a work space of its own, which one thread
 * uses at a time.
 */
#ifndef SALTUS_INTEGRATOR_H
#define SALTUS_INTEGRATOR_H

#include <stdbool.h>

#include "base/api.h"
#include "base/status.h"

SALTUS_API_BEGIN

struct implicit_equations;
struct entries;                 /* model.h */

/* An initial value problem. The event core sets every member. */
struct ode {
    int dim;                    /* number of components of x */
    /* dx [dim] = x' at (t, x). A status other than OK ends the step, which is refused. */
    enum status (*rhs)(void *context, double t, const double *x, double *dx);
    void *context;              /* first argument of all functions of the equations */
    const struct implicit_equations *implicit;  /* NULL: only explicit methods apply */
    /* Taylor coefficients of the solution: x[k] [dim] for k = 1..order, from x[0] at t.
       NULL: methods that take Taylor series do not apply. */
    enum status (*series)(void *context, double t, int order, double *const *x);
    bool goes_on;               /* x and dx of the next step are, to the bit, those at the
                                   end of the last step, or at its start if that step is
                                   tried again */
};

/*
 * The equations for implicit methods, as 0 = R(t, y, w). A column is a part of x of
 * length `state`: the solution first, then one for each derivative. The first d
 * components of a column are y, on which R depends; the others are quadratures. The
 * derivative of y_i is another component of y (q' = v) or one of the unknowns w (v' = a),
 * so R may be of any index: R need not determine w. The event core sets every member.
 */
struct implicit_equations {
    int columns;                /* number of derivatives; x has state * (1 + columns)
                                   components */
    int state, differential;    /* length of a column; d of the mode in hand */
    const double *rho;          /* values of parameters; NULL: not known */
    const int *parameter;       /* [columns] index in rho of the parameter of a
                                   derivative */
    int most_unknowns;          /* largest `unknowns` of any mode */
    int unknowns;               /* k, number of w, of the mode in hand */
    const int *rate;            /* [d] y_i' is y_rate[i] if >= 0, else w_(-1 - rate[i]) */
    const int *lost;            /* [d] orders of h that the error of y_i loses by the
                                   index of the equations: 0, or 1 (v in index 3) */
    int coordinates;            /* number n: y begins with n coordinates and n velocities,
                                   whose rates are balanced with multipliers among w;
                                   0: not known */
    /* R [k] at a point. The other functions refer to the last point. NOT_FINITE: R has no
       value there. */
    enum status (*residual)(void *context, double t, const double *y, const double *w,
                            double *R);
    const struct entries *at_w, *at_y;      /* places in [k][k] and in [k][d] outside of
                                   which R_w and R_y are zero, those of the mode in
                                   hand; they stay while the mode does */
    /* R_w [at_w->count] and R_y [at_y->count] at these places, at the last point. */
    void (*matrices)(void *context, double *R_w, double *R_y);
    /* R' [k] along column j (0..columns-1) of x: y moves by Y [d], the parameter of the
       column by 1, w is fixed. */
    void (*along)(void *context, int j, const double *Y, double *R_dot);
    /* Rates g [state - d] of the quadratures at the last point. */
    void (*quadratures)(void *context, double *g);
    /* Derivative g_dot [state - d] of g along column j, with Y [d] and W [k]. */
    void (*quadratures_along)(void *context, int j, const double *Y, const double *W,
                              double *g_dot);
};

/* Number of `inside` states of every method that has any. */
enum { STATES_INSIDE = 2 };

/* A method. Its file sets every member. */
struct integrator {
    const char *name, *title, *source;
    int order;                  /* order of the solution that is kept; of a method that
                                   changes it, the lowest */
    int errors;                 /* error vectors of a step: 1, or 2 (DOP853) */
    int evaluations;            /* right-hand sides of a step; if implicit, about */
    const double *node;         /* [nodes] points of a step, as parts of it, at which the
                                   step evaluates, 0 and 1 included; NULL: not known.
                                   For a method that changes its order: those of the
                                   lowest */
    int nodes;
    /* Sets *node to these points of the next step, for a method that changes its order,
       and returns their number. NULL: they are `node`. */
    int (*next_nodes)(const void *work, const double **node);
    /* Work space of a method that evaluates right-hand sides, for a dimension; NULL when
       out of memory. No step allocates, but the first one in a mode. */
    void *(*alloc)(int dim);
    /* Work space of an implicit method, which has this function instead of alloc. */
    void *(*alloc_implicit)(const struct implicit_equations *equations);
    /* Work space of a method that takes Taylor series, instead of alloc. */
    void *(*alloc_series)(int dim);
    void (*release)(void *work);
    /* Puts the work space into the state in which alloc left it, for another run. NULL:
       another run needs a new work space. */
    void (*restart)(void *work);
    /* Aims at a tolerance from now on, for a method whose order depends on that. Returns
       the power of h with which the error of a step falls. NULL: this is `order`. */
    int (*aim)(void *work, double rtol);
    /* This power in the last step, for a method that changes its order along a run. NULL:
       it stays as it is. */
    int (*error_order)(const void *work);
    /*
     * One step from (t, x) with dx = f(t, x) to t + h; h may be negative.
     *   x_new, dx_new [dim]     solution there and its derivative
     *   err [errors][dim]       error vectors, already multiplied by h
     * Returns the status of the right-hand side, or SINGULAR or NO_CONVERGENCE (implicit
     * methods), or NOT_APPLICABLE: the method cannot make the step at all.
     */
    enum status (*step)(void *work, const struct ode *ode, double t, double h,
                        const double *x, const double *dx, double *x_new, double *dx_new,
                        double *const *err);
    double memory;              /* weight of the error of the step before in PI control,
                                   beta times the order (HNW II.4); 0: the default of
                                   control.c */
    /* Error of one group from the norms [errors] of its error vectors. NULL: with norms a
       and b, a^2 / sqrt(a^2 + (second b)^2) (HNW II.10). */
    double (*combine)(const double *norm);
    double second;              /* weight of the second error vector; 0: a alone counts */
    /* Makes the evaluations that the dense output over the last step needs. Status of the
       right-hand side. */
    enum status (*prepare)(void *work, const struct ode *ode);
    /* Dense output, after prepare: x [count], the components [first, first + count) at
       t + theta h, 0 <= theta <= 1. */
    void (*dense)(const void *work, double theta, int first, int count, double *x);
    int dense_order;            /* order of the dense output; at least, if it changes */
    bool solves_inside;         /* the dense output has the order of the solution, and
                                   errors of about its size */
    /* State i < STATES_INSIDE [dim] inside the last step, and its theta, without further
       evaluations. Its error is of order h^4 at least and much smaller than that of the
       cubic Hermite polynomial. NULL: the method has none. */
    const double *(*inside)(const void *work, int i, double *theta);
    /* Unknowns w [k] of an implicit method at the end of the last step, of column 0 (the
       solution) or 1.. (its derivatives). NULL: the method is explicit. */
    const double *(*unknowns)(const void *work, int column);
    const struct pair *pair;    /* Runge-Kutta pair of the method (erk.h): steps of
                                   several runs can be made at once, and there is no
                                   combine. NULL: none */
    const struct integrator *stiff; /* implicit method that goes on where equations are
                                       stiff (events/stiff.c), and integrates a DAE.
                                       NULL: none */
    /* |h lambda| of the fastest motion, as seen by the last step. NULL if `stiff` is. */
    double (*stiffness)(const void *work);
    double stable;              /* the method is stable for h lambda in [-stable, 0] */
};

/* The integrators, NULL-terminated, the default first; plug-ins add to the list before
   the first run (registry.h). */
extern const struct integrator *integrators[] SALTUS_WORD(integrators);
/* NULL: there is no integrator of this name. */
const struct integrator *integrator_find(const char *name);

SALTUS_API_END

#endif
