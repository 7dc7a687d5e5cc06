/*
 * taylor.h - the Taylor series of one mode's motion and of its sensitivities at a point.
 *
 * The state of a lane is y = (q, v, s, z); lane 0 holds the values, lane 1 + j the
 * derivatives by parameter j. From y at t,
 *
 *     q_k = v_(k-1)/k    v_k = a_(k-1)/k    s_k = f_s,(k-1)/k    z_k = g_(k-1)/k
 *
 * and coefficient k of u = (a, lambda) solves R_u0 u_k = -(coefficient k of R at
 * u_k = 0), with one factorisation of R_u0 for all k and all lanes. At k = 0 it is
 * Newton's method.
 *
 * Of the exact motion the rank of Phi_q is measured at every point. Below m, the
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
    struct mp_series *series, *matrix;  /* NULL until they are needed */
    struct mp_lu *lu;
    struct watch *watch;
};

struct taylor {
    const struct model *model;
    const struct mode_plan *plan;
    int n, m, ns, nz;
    int width;                  /* of y: 2n + ns + nz */
    int lanes;                  /* 1 + parameters */
    int order, digits;
    mpfr_prec_t precision;
    mpfr_srcptr rho, unit;      /* of the caller */
    struct motion independent, dependent;
    struct motion *motion;      /* the one in use at the last point */
    int *row;                   /* [unknowns] its rows that are solved */
    struct mp_series *constraint;
    mpfr_ptr t;                 /* [2] coefficients of time */
    mpfr_ptr y;                 /* [lanes][width][order + 1] */
    mpfr_ptr u;                 /* [lanes][unknowns][order + 1] (a, lambda, mu) */
    int unknowns;               /* room for u of a lane: the most of both forms */
    mpfr_ptr rhs;               /* [lanes][unknowns] work */
    int threads;                /* that expand the directions, at least 1 */
    pthread_t *helper;          /* [threads - 1] */
    enum status *lane_status;   /* [lanes], of an expansion */
    struct diagnosis *lane_diagnosis;
    mpfr_ptr guard;             /* [guards][order + 1] of lane 0 */
    mpfr_ptr edge;              /* [2 moving][order + 1] of lane 0: zero, beside */
    int *limbs;                 /* [order + 1] that coefficient k is computed with */

    bool narrow;                /* high coefficients have fewer digits, and convolutions
                                   in fixed point can have them */

    /* While a series is computed its time is measured in a unit of its own (scale.c). */
    bool scalable;              /* it may be; false from the first time that it did not
                                   fit (taylor_unit_fits) to the end of the arc */
    bool scaled;                /* it is; of the last expansion */
    bool polynomial;            /* all coefficients vanish from some on */
    double unit_of_time;        /* log2 */
    int *planes;                /* [order + 1] that coefficient k needs in fixed point */
    mpfr_ptr power;             /* [order + 1] work */
    double *terms;              /* [order + 1] work */

    int rank;                   /* of Phi_q at the last point; m where not measured */
    int *order_of_rows;         /* [m] the first `rank` constraints are independent */
    double *scale;              /* [m] work */
    mpfr_ptr Phi_q;             /* [m * (n + 1)] work */
    struct mp_lu *gram;         /* Phi_q Phi_q'; NULL until it is needed */
};

/* Series that carry `digits`. With a step in view their high coefficients need fewer
   digits than the first; with a precision above mp_precision(digits) all have all of it.
   rho [model->p]; unit [parameters][model->p]: the directions of the lanes. Both must
   outlive the workspace. */
struct taylor *taylor_new(const struct model *model, const struct mode_plan *plan,
                          int digits, mpfr_prec_t precision, mpfr_srcptr rho,
                          int parameters, mpfr_srcptr unit);
void taylor_free(struct taylor *taylor);

/* The directions of an expansion are independent of each other: by so many threads. That
   changes no digit. */
void taylor_threads(struct taylor *taylor, int threads);

/* Order of the series that carries `digits` decimal digits. */
int taylor_order(int digits);

/* Coefficients 0..order of the first `lanes` lanes from y [lanes][width] at t; order = 1
   gives the unknowns, their rates and those of the guards at a point. */
enum status taylor_expand(struct taylor *taylor, mpfr_srcptr t, mpfr_srcptr y, int lanes,
                          int order, struct diagnosis *diagnosis);

/* Series of a lane: [order + 1] coefficients. */
mpfr_ptr taylor_y(const struct taylor *taylor, int lane, int component);
mpfr_ptr taylor_u(const struct taylor *taylor, int lane, int component);
mpfr_srcptr taylor_f_s(const struct taylor *taylor, int lane, int component);
mpfr_srcptr taylor_g(const struct taylor *taylor, int lane, int component);
mpfr_srcptr taylor_guard(const struct taylor *taylor, int lane, int guard);
/* Of lane 0: what is zero on an edge of the mode; what is beside it. */
mpfr_srcptr taylor_edge_zero(const struct taylor *taylor, int edge);
mpfr_srcptr taylor_edge_beside(const struct taylor *taylor, int edge);

/* The unknowns at the last point of another workspace of the same mode: Newton's method
   starts from them. */
void taylor_guess(struct taylor *taylor, const struct taylor *other);

/* --- shared by the files of this header --------------------------------------------- */

/* Output of the equations of motion in use: R, or what motion_plan names; its series. */
mpfr_srcptr taylor_output(const struct taylor *taylor, int lane, int index);
/* The values at the point of the last taylor_expand into a program of order 0. */
void taylor_load_point(struct taylor *taylor, struct mp_series *series);
/* Name of the parameter of a lane >= 1; "(w)" of a direction in several. */
const char *taylor_parameter(const struct taylor *taylor, int lane);
/* Makes one form of the equations of motion the one in use. */
void taylor_use(struct taylor *taylor, struct motion *motion);

/* --- constraints (constraints.c) ---------------------------------------------------- */

/* Measures the rank of Phi_q at the point of lane 0; chooses the form of the equations of
   motion and their rows. */
void taylor_choose(struct taylor *taylor);
/* The accelerations and multipliers of a lane found (order 0): do the constraints that
   were not solved for hold on their own? RANK_LOSS for the values, INADMISSIBLE for a
   direction in which they do not. */
enum status taylor_check_rows(struct taylor *taylor, int lane,
                              struct diagnosis *diagnosis);
/* Is what Phi (`velocity`: Phid) is off by in a lane >= 1 of `constraint`, as run last,
   in the range of Phi_q (Phid_v)? Outside of it no motion follows the parameter. For what
   is about to be refused: the choice of rows is lost. */
bool taylor_admissible(struct taylor *taylor, int lane, bool velocity);

/* Removes what (t, y), y [lanes][width] of taylor->precision, is off its constraints by,
   at both levels and in every lane: the least change, once, of errors that are small.
   Where the constraints are nearly dependent such errors would grow. Exact motion; loads
   constraint. */
void taylor_project(struct taylor *taylor, mpfr_srcptr t, mpfr_ptr y);

/* How nearly dependent the independent constraints are where taylor_project was last,
   log2: about the least singular value of Phi_q over the largest. */
double taylor_dependence(const struct taylor *taylor);
/* Where the coordinates of a lane have a pole: t_s from their last coefficients. */
void taylor_pole(const struct taylor *taylor, int lane, mpfr_ptr t_s);

/* log2 of the largest last term of the coordinates of a lane at a distance of 2^h, over
   their largest value: about 0 at a pole, far less where the series goes on. */
double taylor_last_term(const struct taylor *taylor, int lane, double h);

/* Invariants at (t, y), y [width]: the largest |Phi|, |Phid|, each row in parts of its
   largest term, at least 1; energy.
   Loads constraint. */
void taylor_invariants(struct taylor *taylor, mpfr_srcptr t, mpfr_srcptr y, double *Phi,
                       double *Phid, mpfr_ptr energy);

/* --- what is watched along a step (watch.c) ----------------------------------------- */

/* log2 of a step, at most h, on which all that is expanded is analytic and bounded: the
   N coefficients that are known tell of it so far. `equations`: those of motion, too. */
double taylor_bounded_step(struct taylor *taylor, bool equations, double tolerance,
                           double h);
/* log2 of the numbers that a guard is made of, on the step found last. */
double taylor_watched_size(const struct taylor *taylor, int guard);
void watch_free(struct watch *watch);

/* --- units of time (scale.c) -------------------------------------------------------- */

/* An expansion begins: `scaled` in a unit of its own, else that of the caller. */
void taylor_begin_unit(struct taylor *taylor, bool scaled);
/* The values have been expanded below coefficient k: the unit is adjusted to them. */
void taylor_adjust_unit(struct taylor *taylor, int k);
/* A lane has been expanded: do its coefficients, in that unit, not grow beyond what the
   digits allow for? Multipliers do near a singular configuration, and guards that vary
   faster than the motion (of lane 0). */
bool taylor_unit_fits(const struct taylor *taylor, int lane);
/* Series of the first `lanes` lanes back to the unit of the caller; the guards copied. */
void taylor_end_unit(struct taylor *taylor, int lanes, int order);
/* log2 of the longest step on which the digits of the last expansion suffice */
double taylor_reach(const struct taylor *taylor);

/* --- a step (step.c) ---------------------------------------------------------------- */

/* What shares a unit: q, v, s, z of a lane; then a and multipliers. */
enum { TAYLOR_GROUPS = 4, TAYLOR_ALL_GROUPS = 6 };

/* log2 of the largest coefficient k of a group of a lane */
double taylor_coefficient(const struct taylor *taylor, int lane, int group, int k);
/* log2 of the step at which the last terms, and the rounding of all terms, of the first
   `lanes` lanes are below 2^tolerance times the amplitude of their group. amplitude
   [lanes * TAYLOR_GROUPS], log2 (-INFINITY at first), is raised here. At most h_max. */
double taylor_step(const struct taylor *taylor, int lanes, double tolerance, double h_max,
                   double *amplitude);
/* Do the unknowns decay on a step of 2^h, as the digits of their coefficients assume?
   Multipliers that are infinite at a singular configuration, which the motion itself
   passes, do not. */
bool taylor_decays(const struct taylor *taylor, double h);
/* log2 of the longest step, at most h, on which the series of every guard ends as those
   of the state do: measured by what the guard becomes on that step. */
double taylor_guard_step(const struct taylor *taylor, double tolerance, double h);
/* y [lanes][width] at t + h */
void taylor_at(const struct taylor *taylor, mpfr_srcptr h, mpfr_ptr y);

#endif
