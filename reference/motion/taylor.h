/*
 * taylor.h - Taylor series method: the series of one mode's motion and of its
 * sensitivities (variational equations) at a point (Griewank & Walther 2008, ch. 13;
 * Jorba & Zou 2005).
 *
 * The state of a lane is y = (q, v, s, z); lane 0 holds the values, lane 1 + j the
 * derivatives by parameter j. From y at t,
 *
 *     q_k = v_(k-1)/k    v_k = a_(k-1)/k    s_k = f_s,(k-1)/k    z_k = g_(k-1)/k
 *
 * and coefficient k of u = (a, lambda) solves R_u0 u_k = -(coefficient k of R at
 * u_k = 0), with one factorisation of R_u0 for all k and all lanes. At k = 0 this is
 * Newton's method.
 *
 * Along an exact motion the rank of Phi_q is measured at every point. Below m, the
 * equations with lambda of minimum norm take over (plan.h), and the constraints that
 * depend on others must hold by themselves.
 */
#ifndef SALTUS_TAYLOR_H
#define SALTUS_TAYLOR_H

#include <pthread.h>

#include "arithmetic/mp.h"
#include "arithmetic/series.h"
#include "equations/plan.h"

/* The equations of motion in one of their two forms, ready to be evaluated. */
struct motion {
    const struct motion_plan *plan;
    /* Series of the equations, and of their matrix R_u at order 0; NULL until they are
       needed. */
    struct mp_series *series, *matrix;
    struct mp_lu *lu;                   /* factors of R_u at the point */
    struct watch *watch;                /* disks (watch.c); NULL until needed */
};

/* Workspace for the series of one mode; one thread at a time. */
struct taylor {
    const struct model *model;
    const struct mode_plan *plan;
    int n, m, ns, nz;           /* as in the model and the mode */
    int width;                  /* length of y: 2n + ns + nz */
    int lanes;                  /* 1 + parameters */
    int order, digits;          /* order of the series; decimal digits */
    mpfr_prec_t precision;
    mpfr_srcptr rho, unit;      /* [p], [lanes - 1][p]; the caller's */
    struct motion independent, dependent;
    struct motion *motion;      /* the form in use at the last point */
    int *row;                   /* [unknowns] rows of R that are solved */
    struct mp_series *constraint;  /* constraints and energy, order 0 */
    mpfr_ptr t;                 /* [2] t, and dt per unit of the series */
    mpfr_ptr y;                 /* [lanes][width][order + 1] */
    mpfr_ptr u;                 /* [lanes][unknowns][order + 1] (a, lambda, mu) */
    int unknowns;               /* room for u of a lane: the most of both forms */
    mpfr_ptr rhs;               /* [lanes][unknowns] work */
    int threads;                /* threads that expand the directions, at least 1 */
    pthread_t *helper;          /* [threads - 1] */
    enum status *lane_status;   /* [lanes] of the last expansion */
    struct diagnosis *lane_diagnosis;  /* [lanes] of the last expansion */
    mpfr_ptr guard;             /* [guards][order + 1] guards of lane 0 */
    mpfr_ptr edge;              /* [2 moving][order + 1] edges of lane 0: first all
                                   that are zero on an edge, then all that are beside
                                   one */
    int *limbs;                 /* [order + 1] limbs used for coefficient k */

    bool narrow;                /* high coefficients carry fewer digits, and
                                   convolutions in fixed point can do so */

    /* While a series is computed its time may be measured in a unit of its own
       (scale.c). */
    bool scalable;              /* false from the first misfit (taylor_unit_fits) that a
                                   shorter unit did not mend to the end of the arc */
    bool scaled;                /* the last expansion had its own unit */
    bool polynomial;            /* all coefficients vanish from some on */
    double unit_of_time;        /* log2 of the unit */
    double grown;               /* log2 of the largest growth of coefficients, from the
                                   first half to the second, in the last expansion */
    bool late;                  /* the growth was not to be seen in the first half */
    int *planes;                /* [order + 1] planes of fixed point for coefficient k */
    mpfr_ptr power;             /* [order + 1] work */
    double *terms;              /* [order + 1] work */

    int rank;                   /* rank of Phi_q at the last point; m where not
                                   measured */
    int *order_of_rows;         /* [m] constraints, the `rank` independent ones first */
    double *scale;              /* [m] work */
    mpfr_ptr Phi_q;             /* [m * (n + 1)] work */
    struct mp_lu *gram;         /* Phi_q Phi_q'; NULL until it is needed */
};

/* A workspace for series that carry `digits`. Their high coefficients carry fewer
   digits than the first, as a step allows; with a precision above mp_precision(digits)
   all carry the whole precision. rho [model->p]: the parameters. unit
   [parameters][model->p]: the directions of the lanes. model, plan, rho and unit must
   outlive the workspace. */
struct taylor *taylor_new(const struct model *model, const struct mode_plan *plan,
                          int digits, mpfr_prec_t precision, mpfr_srcptr rho,
                          int parameters, mpfr_srcptr unit);
/* A workspace with the same equations whose series end at order 1, to solve them at
   points. */
struct taylor *taylor_new_at_points(const struct model *model,
                                    const struct mode_plan *plan, int digits,
                                    mpfr_prec_t precision, mpfr_srcptr rho,
                                    int parameters, mpfr_srcptr unit);
void taylor_free(struct taylor *taylor);

/* Sets the number of threads that expand the directions, which are independent of each
   other. No digit depends on the number. */
void taylor_threads(struct taylor *taylor, int threads);

/* Order of the series that carries `digits` decimal digits. */
int taylor_order(int digits);

/* Coefficients 0..order of the first `lanes` lanes from y [lanes][width] at t.
   order = 1 gives the unknowns, their rates and those of the guards at a point. Statuses:
   NOT_FINITE, SINGULAR (R_u), NO_CONVERGENCE (Newton's method for u), RANK_LOSS or
   INADMISSIBLE (taylor_check_rows). */
enum status taylor_expand(struct taylor *taylor, mpfr_srcptr t, mpfr_srcptr y, int lanes,
                          int order, struct diagnosis *diagnosis);

/* Series of one component of y in a lane: [order + 1] coefficients. */
mpfr_ptr taylor_y(const struct taylor *taylor, int lane, int component);
/* Series of one component of u = (a, lambda, mu) in a lane. */
mpfr_ptr taylor_u(const struct taylor *taylor, int lane, int component);
/* Coefficient k of the rate of one auxiliary state in a lane. */
mpfr_srcptr taylor_f_s(const struct taylor *taylor, int lane, int component, int k);
/* Coefficient k of the integrand of one cost in a lane. */
mpfr_srcptr taylor_g(const struct taylor *taylor, int lane, int component, int k);
/* Series of one guard of the mode, in lane 0: [order + 1] coefficients. */
mpfr_srcptr taylor_guard(const struct taylor *taylor, int guard);
/* Value of one guard in a lane >= 1. */
mpfr_srcptr taylor_guard_along(const struct taylor *taylor, int lane, int guard);
/* Series, in lane 0, of the formula that is zero on an edge of the mode (a branch cut,
   pole or end of a domain). */
mpfr_srcptr taylor_edge_zero(const struct taylor *taylor, int edge);
/* Series, in lane 0, of the formula beside an edge, whose sign tells if the edge is
   there. */
mpfr_srcptr taylor_edge_beside(const struct taylor *taylor, int edge);

/* Refuses the point of the last taylor_expand where a formula of the mode is outside its
   domain, which the diagnosis names: NOT_FINITE. OK: none is. */
enum status taylor_outside(const struct taylor *taylor, struct diagnosis *diagnosis);

/* Takes the unknowns at the last point of another workspace of the same mode as the
   start of Newton's method. */
void taylor_guess(struct taylor *taylor, const struct taylor *other);

/* --- shared by the files of this header --------------------------------------------- */

/* Coefficient k of an output of the equations of motion in use: R, or an output that
   motion_plan names. */
mpfr_srcptr taylor_output(const struct taylor *taylor, int lane, int index, int k);
/* Loads t, q, v, s at the point of the last taylor_expand into a program, order 0, and
   runs it. */
void taylor_load_point(const struct taylor *taylor, struct mp_series *series);
/* Loads t, q, v, s, a, lambda there into a program in which all of them are given, as in
   that of a reset (plan_seal), and runs it. */
void taylor_load_solved(const struct taylor *taylor, struct mp_series *series);
/* Name of the parameter of a lane >= 1; "(w)" for a direction along several
   parameters. */
const char *taylor_parameter(const struct taylor *taylor, int lane);
/* Makes one form of the equations of motion the one in use. */
void taylor_use(struct taylor *taylor, struct motion *motion);

/* --- constraints (constraints.c) ---------------------------------------------------- */

/* Measures the rank of Phi_q at the point of lane 0; chooses the form of the equations
   of motion and their rows. */
void taylor_choose(struct taylor *taylor);
/* Tests if the constraints that were not solved for hold with the accelerations and
   multipliers of a lane at the point. RANK_LOSS: the values do not satisfy them;
   INADMISSIBLE: the direction of the lane does not. */
enum status taylor_check_rows(struct taylor *taylor, int lane,
                              struct diagnosis *diagnosis);
/* True: the residual of Phi (`velocity`: of Phid) in a lane >= 1 of `constraint`, as
   run last, is in the range of Phi_q (Phid_v). Outside of it no motion follows the
   parameter. The choice of rows is lost, so that only a run about to be refused asks. */
bool taylor_admissible(struct taylor *taylor, int lane, bool velocity);

/* Projects (t, y), y [lanes][width] of taylor->precision, onto the constraints at both
   levels in every lane, with the least change, once: errors are small, but grow where
   the constraints are nearly dependent. For the exact motion only; loads `constraint`. */
void taylor_project(struct taylor *taylor, mpfr_srcptr t, mpfr_ptr y);

/* log2 of about the least singular value of Phi_q over the largest, for the
   independent constraints, where taylor_project was last. */
double taylor_dependence(const struct taylor *taylor);
/* Estimates the time t_s of the pole of the coordinates of a lane, from their last
   coefficients. */
void taylor_pole(const struct taylor *taylor, int lane, mpfr_ptr t_s);

/* log2 of the largest last term of the coordinates of a lane at a distance of 2^h,
   over their largest value: about 0 at a pole, far less where the series goes on. */
double taylor_last_term(const struct taylor *taylor, int lane, double h);

/* Invariants at (t, y), y [width]: the largest |Phi| and |Phid|, each row in parts of
   its largest term and of 1; and the energy. Loads `constraint`. */
void taylor_invariants(struct taylor *taylor, mpfr_srcptr t, mpfr_srcptr y, double *Phi,
                       double *Phid, mpfr_ptr energy);

/* --- analyticity along a step (watch.c) --------------------------------------------- */

/* log2 of a step, at most h, on which all formulas that are expanded, and their
   derivatives, are analytic and bounded on disks around the known series. reach
   [lanes - 1]: log2 of the size of each direction, by which derivatives are measured;
   tolerance: log2 of the truncation error; a sixteenth of it is asked for. */
double taylor_bounded_step(struct taylor *taylor, const double *reach, double tolerance,
                           double h);
/* log2 of the magnitude of the terms that a guard is made of, on the step found last
   by taylor_bounded_step. */
double taylor_watched_size(const struct taylor *taylor, int guard);
void watch_free(struct watch *watch);

/* --- defect (defect.c) -------------------------------------------------------------- */

/* log2 of the defect at the end of a step of 2^h: the largest error of the rates of v, s
   and z of all lanes, over the step, of the amplitude of their group, and of the guards,
   of their largest terms. NAN: the equations cannot be solved there. amplitude
   [lanes * TAYLOR_GROUPS]: least amplitudes, log2; `end`: of taylor_new_at_points, for
   the same mode; y [lanes][width]: work. */
double taylor_defect(const struct taylor *taylor, struct taylor *end, double h,
                     const double *amplitude, mpfr_ptr y);

/* --- units of time (scale.c) -------------------------------------------------------- */

/* Begins an expansion, `scaled` in a unit of its own, else in the caller's. */
void taylor_begin_unit(struct taylor *taylor, bool scaled);
/* Adjusts the unit to the values, which have been expanded below coefficient k. */
void taylor_adjust_unit(struct taylor *taylor, int k);
/* True: the coefficients of a lane, expanded in the unit in use, do not grow beyond
   the slack of the digits. Multipliers do near a singular configuration, as do guards
   (lane 0) that vary faster than the motion. Raises taylor->grown. */
bool taylor_unit_fits(struct taylor *taylor, int lane);
/* Notes, after an expansion of all lanes, whether growth was late. */
void taylor_note_late(struct taylor *taylor);
/* Brings the series of the first `lanes` lanes back to the caller's unit, and copies
   guards and edges. */
void taylor_end_unit(struct taylor *taylor, int lanes, int order);
/* log2 of the longest step on which the digits of the last expansion suffice */
double taylor_reach(const struct taylor *taylor);

/* --- a step (step.c) ---------------------------------------------------------------- */

/* Groups of components that share a unit: q, v, s, z of a lane; then a, and
   multipliers. */
enum { TAYLOR_GROUPS = 4, TAYLOR_ALL_GROUPS = 6 };

/* log2 of the largest coefficient k of a group of a lane */
double taylor_coefficient(const struct taylor *taylor, int lane, int group, int k);
/* log2 of the largest term of a group of a lane on a step of 2^h */
double taylor_amplitude(const struct taylor *taylor, int lane, int group, double h);
/* log2 of the step, at most h_max, at which the last terms, and the rounding of all
   terms, of the first `lanes` lanes are below 2^tolerance times the amplitude of their
   group. amplitude [lanes * TAYLOR_GROUPS], log2 (-INFINITY at first), is raised here. */
double taylor_step(const struct taylor *taylor, int lanes, double tolerance, double h_max,
                   double *amplitude);
/* True: the unknowns decay on a step of 2^h, as the digits of their coefficients
   assume. Multipliers that are infinite at a singular configuration, which the motion
   itself passes, do not. */
bool taylor_decays(const struct taylor *taylor, double h);
/* log2 of the longest step, at most h, on which the last terms of every guard's series
   are below 2^tolerance of the guard's own amplitude on that step. */
double taylor_guard_step(const struct taylor *taylor, double tolerance, double h);
/* y [lanes][width] at t + h, by the series of the last expansion */
void taylor_at(const struct taylor *taylor, mpfr_srcptr h, mpfr_ptr y);

#endif
