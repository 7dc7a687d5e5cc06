/*
 * integrator.h - methods for x' = f(t, x), as a table, and step-size control.
 *
 * An integrator makes one step and estimates its error; it knows nothing of mechanisms,
 * events or sensitivities. The step-size control and the choice of what counts as an
 * error are common to all of them.
 */
#ifndef SALTUS_INTEGRATOR_H
#define SALTUS_INTEGRATOR_H

#include <stdbool.h>

#include "base/status.h"

struct implicit_equations;

struct ode {
    int dim;
    /* x' at (t, x); a status other than OK ends the step, which is then refused. */
    enum status (*rhs)(void *context, double t, const double *x, double *dx);
    void *context;
    const struct implicit_equations *implicit;  /* NULL: only explicit methods */
    /* Taylor coefficients of the solution: x[k] [dim] for k = 1..order, from x[0] at t.
       NULL: only methods that evaluate. */
    enum status (*series)(void *context, double t, int order, double *const *x);
    bool goes_on;               /* the step that is made next begins where the last one
                                   ended or, tried again, began, and is told so: x and dx
                                   are as it left or found them */
};

/*
 * The same equations for implicit methods, as 0 = R(t, y, w). A column is a part of x of
 * length `state`: the solution first, then one for each derivative. Its first d
 * components are y, on which R depends; the others are quadratures. The derivative of y_i
 * is another component of y (q' = v) or one of the unknowns w (v' = a), so R may be of
 * any index: it need not determine w. Nothing here knows what the components mean.
 */
struct implicit_equations {
    int columns;                /* derivatives: x has state * (1 + columns) components */
    int state, differential;    /* length of a column; d, of the mode, too */
    int most_unknowns;          /* of any mode */
    int unknowns;               /* k, of the mode that is being integrated */
    const int *rate;            /* [d] y_i' is y_rate[i] if >= 0, else w_(-1 - rate[i]) */
    const int *lost;            /* [d] orders of h that the error of y_i loses by the
                                   index of the equations: 0, 1 (v in index 3) */
    int coordinates;            /* y begins with so many coordinates and as many
                                   velocities, whose rates are balanced with the
                                   multipliers among w; 0: it is not known */
    /* R [k] at a point, which the others then refer to. NOT_FINITE. */
    enum status (*residual)(void *context, double t, const double *y, const double *w,
                            double *R);
    /* R_w [k*k], R_y [k*d] by rows, at the point last evaluated */
    void (*matrices)(void *context, double *R_w, double *R_y);
    /* R' [k] along column j (0..columns-1) of x: y moves by Y [d], the parameter of the
       column by 1, w is fixed */
    void (*along)(void *context, int j, const double *Y, double *R_dot);
    /* quadratures g [state - d] at the point, and along column j with W [k] */
    void (*quadratures)(void *context, double *g);
    void (*quadratures_along)(void *context, int j, const double *Y, const double *W,
                              double *g_dot);
};

/* So many of each method that has any. */
enum { STATES_INSIDE = 2 };

struct integrator {
    const char *name, *title, *source;
    int order;                  /* of the solution that is kept */
    int errors;                 /* error vectors a step yields: 1, or 2 (DOP853) */
    int evaluations;            /* right-hand sides of a step; if implicit, about */
    /* Where a step evaluates, as parts of it, 0 and 1 included; NULL: not known. */
    const double *node;
    int nodes;
    /* Work space for a dimension; NULL when out of memory. No step allocates. */
    void *(*alloc)(int dim);
    /* Implicit methods have this instead of alloc; those that take series, the other. */
    void *(*alloc_implicit)(const struct implicit_equations *equations);
    void *(*alloc_series)(int dim);
    void (*release)(void *work);
    /* Makes it as alloc left it, for another run. NULL: it must be made anew. */
    void (*restart)(void *work);
    /* Methods whose order depends on the tolerance: which from now on. NULL: `order`. */
    int (*aim)(void *work, double rtol);
    /*
     * One step from (t, x) with dx = f(t, x) to t + h; h may be negative.
     *   x_new, dx_new [dim]     solution there and its derivative
     *   err [errors][dim]       error vectors, already multiplied by h
     * Returns the status of the right-hand side.
     */
    enum status (*step)(void *work, const struct ode *ode, double t, double h,
                        const double *x, const double *dx, double *x_new, double *dx_new,
                        double *const *err);
    /* How much the last error counts besides that of the step, beta times the order of PI
       control (HNW II.4), 0: as control.c has it. */
    double memory;
    /* Error of one group from the norms of its error vectors. NULL: it is the first norm
       times its ratio to the hypotenuse of it and `second` times the other (HNW II.10);
       second 0: the first norm. */
    double (*combine)(const double *norm);
    double second;
    /*
     * Continuous extension over the last step: prepare() makes what evaluations it needs,
     * dense() then gives components [first, first + count) at t + theta h,
     * 0 <= theta <= 1.
     */
    enum status (*prepare)(void *work, const struct ode *ode);
    void (*dense)(const void *work, double theta, int first, int count, double *x);
    int dense_order;
    bool solves_inside;         /* the extension has the order of the solution, and errors
                                   of about its size */
    /* STATES_INSIDE states inside the last step, whose error is of order h^4 at least and
       much smaller than that of the cubic polynomial through both ends, at no cost: state
       i [dim] and where it is. NULL: there are none. */
    const double *(*inside)(const void *work, int i, double *theta);
    /* Implicit methods: the unknowns w [k] at the end of the last step, of column 0 (the
       solution) or 1.. (its derivatives). */
    const double *(*unknowns)(const void *work, int column);
    const struct pair *pair;    /* of which it is made (erk.h): then steps of several
                                   runs can be made at once, and there is no combine.
                                   NULL: it is not */
    /* The implicit method that goes on where equations are stiff for this one
       (events/stiff.c), and that integrates a DAE; NULL: nothing else does. Then: |h
       lambda| of the fastest motion, as the last step shows it, and up to where, on the
       negative real axis, the method is stable. */
    const struct integrator *stiff;
    double (*stiffness)(const void *work);
    double stable;
};

/* NULL-terminated; first: default; plug-ins add before the first run (registry.h). */
extern const struct integrator *integrators[];
const struct integrator *integrator_find(const char *name);     /* NULL: no such */

/*
 * Error control. Components are judged in groups that share a unit (all q, all v, all of
 * dq/drho_j, ...): the error of a group is max |err_i| over rtol * amplitude + atol,
 * where the amplitude is the largest magnitude the group has had so far. The error of a
 * step is the worst group's. Sensitivities are groups like any other: leaving them out
 * of the error control is a known fault. A group that is zero, or zero but for rounding,
 * has no amplitude of its own that means anything: control_floor gives it another's.
 */
struct control {
    double rtol, atol;
    double h_max;               /* 0: none */
    int order;                  /* that a method has been told to have; 0: its own */
    int groups;
    int *begin;                 /* [groups + 1] components of group g:
                                   begin[g]..begin[g+1]; some empty groups follow */
    double *block;              /* of all arrays here */
    double *amplitude;          /* [groups] */
    double *size;               /* [groups] the same with the end of the step in hand, */
    double *level;              /* [groups] or as much as its floor asks for */
    double *error[2];           /* [groups] scratch: the largest parts of vectors */
    struct floor {
        int of;
        double share;           /* 0: none */
    } *floor;                   /* [groups] */
    double last_error;          /* PI memory; 0 after a restart */
    double last_log;            /* its logarithm */
    bool rejected;              /* the last try was refused: no growth */
    long steps, rejections;
};

/* begin [groups + 1]. BAD_INPUT: tolerances that are negative, not finite or both zero;
   PRECISION: no absolute one, and a relative one below what rounding leaves of a step. */
enum status control_init(struct control *control, double rtol, double atol, int groups,
                         const int *begin);
void control_clear(struct control *control);
/*
 * From now on the amplitude of `group` counts as no less than `share` (in units of the
 * group over those of `of`) times that of group `of` < `group`, whose own floor counts,
 * too.
 */
void control_floor(struct control *control, int group, int of, double share);
/* After a start or an event: the PI memory is void; amplitudes stay. */
void control_restart(struct control *control, const double *x);
/* Error of a step to x_new (<= 1: accepted) from where the last one ended, or from x of
   control_restart; changes only what is in hand. NAN counts as infinite. */
double control_error(const struct control *control, const struct integrator *integrator,
                     const double *x_new, double *const *err);
/* Error of one group from the norms [2] of its error vectors. */
double control_combined(const struct integrator *integrator, const double *norm);
/* Next step size from the error of this one; updates the memory, counters and, when
   accepted, the amplitudes by x_new; NULL: it is as control_error has just seen it. PI
   control: Gustafsson 1991; Hairer, Norsett, Wanner 1993 II.4. */
double control_next(struct control *control, const struct integrator *integrator,
                    double h, double error, const double *x_new);
/* A first step size for a direction of integration t -> t_end (HNW II.4, "hinit"). Uses
   one evaluation and work arrays x1, dx1 of dimension dim. */
double control_first(const struct control *control, const struct integrator *integrator,
                     const struct ode *ode, double t, double t_end, const double *x,
                     const double *dx, double *x1, double *dx1);

#endif
