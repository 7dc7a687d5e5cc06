/*
 * reference.h - reference solutions: trajectories and sensitivities in MPFR, and
 * certified values.
 *
 * The reference builds its own equations from M, F, Phi and never sees formulations/:
 *
 *   exact      the constrained motion, shared by ode, index1, baumgarte, augmented,
 *              index3 and ggl
 *   penalty    Corner, Sandu, Sandu 2019, (64), in the n x n form
 *              (M + Phi_q' alpha Phi_q) a = ..., with matrices alpha, K_D, K_P
 *              (penalty and modified-lagrange each choose them)
 *
 * The Taylor series method of high order integrates them (Griewank & Walther 2008, ch.
 * 13; Jorba & Zou 2005 for order and step). Derivatives come by two routes that share
 * neither derivative rows nor jump formulas: the variational equations with saltation
 * matrices, and central differences of whole trajectories, each trajectory with its own
 * events.
 *
 * Threads: all functions here may be called from any number of threads at once, with one
 * model, too, which is only read (MPFR must have been built thread-safe, as Debian's is).
 * A trajectory and a certificate belong to one thread at a time.
 */
#ifndef SALTUS_REFERENCE_H
#define SALTUS_REFERENCE_H

#include <stdio.h>

#include <mpfr.h>

#include "columns.h"
#include "model.h"

/* The motion that is meant. Matrices of the penalty family are text: one number, m
   numbers (the diagonal) or m*m numbers (by rows), separated by commas; NULL for the
   exact motion. */
struct truth {
    const char *variant;        /* "exact" or "penalty" */
    const char *alpha, *K_D, *K_P;
    const char *reset;          /* reset policy of the model (model.h): NULL or
                                   "impulsive"; "continuous" in the penalty family only */
};

/* A request for one run. */
struct reference_request {
    const struct model *model;
    struct truth truth;
    int digits;                         /* decimal digits carried: LEAST_CARRIED ..
                                           MOST_CARRIED */
    int parameters;                     /* number of parameters differentiated by */
    const int *parameter;               /* [parameters] their indices in the model */
    /* [parameters] weights w as decimal text: one derivative along sum_j w_j d/drho_j
       takes the place of the derivatives by each parameter; NULL: by each parameter */
    const char *const *direction;
    const char *const *value;           /* [model->p] decimal text; a NULL entry: the
                                           nominal value */
    const char *t_end;                  /* decimal text; NULL: the end that the model
                                           states */
    int samples;                        /* number of sample times */
    const char *const *sample;          /* [samples] sample times, increasing, as
                                           decimal text */
    long max_events;                    /* limit of events; 0: the limit in zeno.c */
    /* A strict run takes nothing on trust and other steps than a run takes by itself:
       steps are shorter by the golden ratio; each guard is compared with its formula on
       the way (guard_check.c). */
    bool strict;
    int threads;                        /* threads of the variational route; 0 and 1:
                                           the caller's alone. No digit depends on
                                           them. */
    /* NULL, or is told now and then how far along [t0, t_end] the run is (0..1);
       returning false stops the run */
    bool (*progress)(void *context, double done);
    void *progress_context;
    const struct mp_observer *observer; /* NULL, or is told every step and event */
};

enum { LEAST_CARRIED = 10, MOST_CARRIED = 2400 };

struct taylor;
struct mp_event;
/* Is told a run as it goes. A function that returns a status other than OK, and fills the
   diagnosis, ends the run with it. */
struct mp_observer {
    void *context;
    /* A step from t, of this length: its series are those of the workspace
       (motion/taylor.h). An event may happen at its end. */
    enum status (*step)(void *context, const struct taylor *taylor, mpfr_srcptr t,
                        mpfr_srcptr length, struct diagnosis *diagnosis);
    /* An event has happened at the end of the last step; all of it is set. */
    enum status (*event)(void *context, const struct mp_event *event,
                         struct diagnosis *diagnosis);
};

/* All columns of columns.h at one time. Columns that the mode does not have are NAN. */
struct mp_point {
    const struct mode *mode;
    mpfr_t t;
    mpfr_t *x;                          /* [columns.count] */
};
/* An event of a trajectory, with the points on both sides. */
struct mp_event {
    const struct event *event;
    mpfr_t *tau;                        /* [parameters] dt_e/drho */
    bool together;                      /* true: at one time with the event before, for
                                           these parameters only. Events of one time
                                           carry the point before all of them and the
                                           point after all of them. */
    /* rate is rd; condition is that of t_e and tau (condition.h). Both are 0 where
       they are not known, as in a trajectory made of differences. */
    double rate, condition;
    struct mp_point before, after;      /* one-sided values and sensitivities at t_e */
};
/* A trajectory: samples, events, final costs, and how well it holds. */
struct mp_trajectory {
    struct columns columns;
    int *parameter;                     /* [columns.p] copy of the indices; columns
                                           points at it */
    mpfr_prec_t precision;
    int samples, events;
    struct mp_point *sample;
    struct mp_event *event;
    mpfr_t *psi;        /* [nz * (1 + p)] costs z + w at the end [nz], then their
                           d/drho_1 [nz], d/drho_2 [nz], ... */
    /* Invariants, checked along the run of an exact motion, else 0; a certificate does
       not keep them. worst_Phi, worst_Phid: largest |Phi|, |Phid|, in parts of the
       largest term of a row and of 1. worst_energy: largest change of the energy along
       an arc, relative to its largest value. worst_balance: largest gap in the balance
       of energy at an impact. */
    double worst_Phi, worst_Phid, worst_energy, worst_balance;
    long steps;
    int order;
};
void mp_trajectory_free(struct mp_trajectory *trajectory);

/* The digits that a run which judges carries: those that are asked for, and no less than
   the model needs. In 1 + 1e-100 the smaller number is to have digits, too, else an event
   that it decides would be decided by rounding: a model needs as many as the numbers that
   its formulas state lie apart, and 30; none where they lie less than 20 apart. */
int reference_digits(const struct model *model, int asked);

/* Integrates the motion and its variational equations by Taylor series, with saltation
   at events. *out owns the trajectory. On refusal the status is returned, the
   diagnosis tells time and place, and *out is NULL. */
enum status reference_run(const struct reference_request *request,
                          struct mp_trajectory **out, struct diagnosis *diagnosis);

/* Solves the initial conditions alone: the only sample is t0, with every column there. */
enum status reference_start(const struct reference_request *request,
                            struct mp_trajectory **out, struct diagnosis *diagnosis);

/* All quantities of reference_run by central differences of whole trajectories: values
   come from a run at the nominal parameters, every derivative column (samples, both
   sides of each event, tau, psi) from runs at rho_j +- h, with h the largest power of
   two with h <= 10^(-digits/3) r_j, r_j = |rho_j|, 1 where that is zero. At an event
   the moving event is differenced and brought back to fixed time:
   Q = d[q(t_e)] - v tau. Runs are independent; `threads` of them are made at a time.
   `halved`: the step is h/2, by which the observed order of the difference is found.

   Along a direction there are two runs only, at rho +- h w, h the largest power of two
   with h |w_j| <= 10^(-digits/3) r_j for all j; the values are means of
   both runs, good to two thirds of the digits like the derivatives. */
enum status reference_difference(const struct reference_request *request, bool halved,
                                 int threads, struct mp_trajectory **out,
                                 struct diagnosis *diagnosis);

/* Combines the derivatives of a trajectory by its parameters along a direction w (as
   in reference_request.direction, [columns.p]): one column takes the place of p. With
   `ends` only the last sample is kept, with all events. BAD_INPUT: a weight is no
   number. */
enum status mp_trajectory_along(const struct mp_trajectory *trajectory,
                                const char *const *direction, bool ends,
                                struct mp_trajectory **out, struct diagnosis *diagnosis);

/* Decimal digits on which two numbers agree relative to max(|b|, scale), at most those
   of the precision. Two NANs agree. */
double mp_digits(mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr scale);
/* The same relative to max(|b|, 2^size). */
double mp_digits_of_size(mpfr_srcptr a, mpfr_srcptr b, double size);

/* --- certified values --------------------------------------------------------------- */

struct mp_orbit;

/* Certified numbers, each with the digits on which the two routes agree; or a
   certified refusal: the motion, or a derivative that was asked for, does not exist. */
struct certificate {
    char *case_name, *variant, *alpha, *K_D, *K_P, *reset;
    char **value;               /* [model->p] decimal text; NULL: nominal */
    int parameters, *parameter; /* number, and indices [parameters], of the parameters
                                   differentiated by */
    int digits;                 /* decimal digits carried by the run */
    mpfr_prec_t precision;      /* bits carried by the run */
    int agreed;                 /* least digits agreed over all numbers; of a refusal,
                                   the digits known of its time */
    /* Refusals of the variational route and of the differences. Status OK: there are
       numbers. With another status the members that follow are NULL, except
       refused_at. */
    struct diagnosis refusal, other_refusal;
    mpfr_ptr refused_at;                /* time of the refusal */
    struct mp_trajectory *trajectory;   /* trajectory of the variational route; after
                                           reading, as printed in the file */
    /* Digits agreed on each number, in the shape of `trajectory`, relative to
       max(|number|, size), by the size that size.h says, of a derivative at least the
       size of its value over that of the parameter. */
    struct mp_trajectory *agreement;
    struct mp_orbit *orbit;     /* a periodic motion (mp_orbit_certify), in the place of
                                   both; NULL: it is none */
    const struct model *model;
};
/* Runs both routes, raising the precision until they agree on `digits`. PRECISION: six
   raises were not enough. Writes nothing.

   If both routes are refused, the refusal is certified (OK). The differences may be
   refused for another reason, since a motion without a derivative in a direction may
   not exist at the neighbouring parameters; a nominal run must be refused at the same
   time.

   A strict run with other steps, order and precision must confirm every certificate:
   the same events at the same times and the same values at the samples, or the same
   refusal at the same time. If it does not, or if only one route is refused, all is
   made once more with twice the digits and strict runs, twice at most; then PRECISION,
   or the refusal of the one route, is returned. Refusals that may be numerical trouble
   (NO_CONVERGENCE, NOT_FINITE, a limit) are returned at once. */
enum status certify(const struct reference_request *request, int digits, int threads,
                    struct certificate **out, struct diagnosis *diagnosis);
/* Writes a certificate as text, under a temporary name that is then renamed.
   BAD_INPUT: the file cannot be written. */
enum status certificate_write(const struct certificate *certificate, const char *path,
                              struct diagnosis *diagnosis);
/* Reads a certificate of a model; *out is to be freed, NULL on refusal. BAD_INPUT: the
   file is not as it should be, or belongs to other formulas; the diagnosis has file
   and line. */
enum status certificate_read(const char *path, const struct model *model,
                             struct certificate **out, struct diagnosis *diagnosis);
/* The least digits on which all numbers of two certificates of one motion agree,
   measured like those of both routes (struct certificate); of refusals, the digits of
   the time. -1: the events differ, or one is a refusal. */
double certificate_agreement(const struct certificate *a, const struct certificate *b);
void certificate_free(struct certificate *certificate);
/* "CASE.ref" for the exact motion, else "CASE.penalty-<8 hex digits>.ref", the digits
   being a hash of the options and the reset policy. */
void certificate_name(const struct model *model, const struct truth *truth, char *name,
                      int size);

/* --- second derivatives ------------------------------------------------------------- */

/* The certified second derivatives of a cost, with what belongs to them. */
struct mp_hessian {
    int parameters;             /* p, those of the request */
    int digits;                 /* decimal digits carried by the runs */
    mpfr_prec_t precision;      /* bits carried by the runs */
    int events;                 /* events of the nominal run */
    long runs;                  /* runs made, with those at fewer digits */
    mpfr_ptr psi;               /* [1] */
    mpfr_ptr by_rho;            /* [p] first derivatives */
    mpfr_ptr by_two;            /* [p][p] second derivatives, symmetric */
    mpfr_ptr scale;             /* [p][p] a number of this size has one digit where it is
                                   wrong by a tenth of that */
    double *agreed_on;          /* [p][p] digits on which the routes agree */
    int agreed;                 /* least of these */
    /* Observed order of the differences of gradients, with the steps h and h/2; NAN:
       their error is rounding alone. */
    double order;
};
/*
 * Second derivatives of cost number `cost` by all parameters of the request, on which
 * two routes agree to `digits` digits: central differences of first derivatives, which
 * come by the variational equations with saltation, in both orders of the parameters;
 * and second differences of values, which have none of these. Each is extrapolated from
 * two steps (second_difference.h); the order of the first must be seen to be 2. A strict
 * run with other steps must have the nominal events. The precision is raised until all
 * of that holds, and the progress begins anew; `direction`, samples and strict of the
 * request do not count.
 *
 * Digits are relative to max(|H_jk|, S / (r_j r_k)), r_j = |rho_j|, 1 where that is zero,
 * with S the largest r_j r_k |H_jk|, or 10^(-digits/2) times the largest r_j |psi_j| if
 * that is larger.
 *
 * BAD_INPUT: no such cost, or no parameter; PRECISION: the precision was raised often
 * enough; else the refusal of a run, or GRAZING or SIMULTANEOUS for a run whose events
 * are not those of the nominal one; the diagnosis names the parameters that were moved.
 * *out is NULL on a refusal.
 */
enum status mp_hessian_certify(const struct reference_request *request, int cost,
                               int digits, int threads, struct mp_hessian **out,
                               struct diagnosis *diagnosis);
/* Digits that are carried for so many digits of second derivatives, before the precision
   is raised. */
int mp_hessian_digits(int digits);
void mp_hessian_free(struct mp_hessian *hessian);

/* --- periodic motions --------------------------------------------------------------- */

/* A point of a period between two of its events, where a segment begins. */
struct mp_orbit_node {
    int mode;                   /* index of its mode */
    double part;                /* length of the segment, as a part of the period; that
                                   of the last one is what is left of 1 */
    const double *x;            /* [2n + ns] the state, nearly */
    const bool *open;           /* [2n] components that follow from Phi = 0, from these
                                   guesses, and from Phid = 0 */
    const bool *crossed;        /* [events] guards beyond which the node may be
                                   (restart.h); NULL: none */
};

/* A periodic motion that is known in double. */
struct mp_orbit_request {
    /* The model, its parameters and those that are differentiated by, digits carried at
       least, progress. `direction`, samples, t_end and strict do not count. */
    struct reference_request run;
    double period;
    int nodes;                  /* at least one */
    const struct mp_orbit_node *node;
    int drifts;                 /* groups of components that advance together */
    const int *drift;           /* [2n + ns] group of each component, -1: it comes back;
                                   NULL: all come back */
    const double *advance;      /* [drifts] over a period, nearly */
    const double *size;         /* [2n + ns] by which each component is compared, so that
                                   one at rest is not by what is left of it; NULL: its
                                   largest magnitude over the nodes */
};

/* Numbers of a periodic motion. */
enum mp_orbit_part {
    MP_ORBIT_PERIOD,            /* (0, 0) */
    MP_ORBIT_ADVANCE,           /* (group, 0) */
    MP_ORBIT_TIME,              /* (event, 0); the last event is at the period */
    MP_ORBIT_AFTER,             /* (event, component of (q, v, s)) the state after it */
    MP_ORBIT_NODE,              /* (node, component) */
    MP_ORBIT_MULTIPLIER,        /* (multiplier, 0 or 1) real and imaginary part */
    MP_ORBIT_PARTS
};

/* A certified periodic motion. Derivatives of times and states go along with the events;
   those of nodes are at the section in which node 1 stays: one component of it, and one
   of each group that advances, are what they are in the request. */
struct mp_orbit {
    int parameters, width;      /* of the request; 2n + ns */
    int drifts, *drift;         /* [width] of the request; NULL: there are none */
    int nodes, events;
    int *mode;                  /* [nodes] indices */
    int *event;                 /* [events] indices, in the order of the period */
    int multipliers;            /* those that follow are not among them: */
    int ones, zeros;            /* multipliers that are 1, along the motion and along the
                                   groups; that are 0, as an event determines a
                                   component */
    int count;                  /* numbers of the motion */
    mpfr_ptr x;                 /* [1 + parameters][count] they, and their derivatives */
    double *agreed_on;          /* [1 + parameters][count] digits on which the routes
                                   agree */
    double one_agreed;          /* digits to which the ones are 1 by both routes */
    long runs;                  /* runs of segments, with those at fewer digits */
    int steps;                  /* steps of Newton's method */
    double order;               /* observed order of the differences of orbits; NAN:
                                   their error is rounding, or there are none */
};
/* Writes at most so many significant digits of a number, with a point in every locale. */
void certificate_number(FILE *file, mpfr_srcptr x, int digits);
/* The place of a number in mp_orbit.x and its name, like "event.2.q.x"; j = -1: the
   number, else its derivative by parameter j of the certificate. */
int mp_orbit_place(const struct mp_orbit *orbit, enum mp_orbit_part part, int k, int i,
                   int j);
void mp_orbit_name(const struct certificate *certificate, int place, char *name,
                   int size);
/* How often the motion goes round in its period: the largest k by which the events are
   k times the same, and the states after them agree to so many digits of the largest of
   each component; 1: the period is the least. *digits: the most on which they agree for
   another k; -1: the events are not the same for any. */
int mp_orbit_rounds(const struct mp_orbit *orbit, double agree, double *digits);
/*
 * Certifies a periodic motion: Newton's method on the equations of multiple shooting
 * (orbit_equations.h), and all derivatives by several routes, on which they must agree
 * to `digits` digits:
 *
 *   the derivatives of segments by the variational equations with saltation, and by
 *   central differences of whole segments, which know none; from both the derivatives of
 *   period, events and nodes and the multipliers, eigenvalues of the product of all
 *   segments;
 *   differences of whole orbits, solved again at rho_j +- h and +- h/2 and extrapolated,
 *   for the derivatives once more and for those of multipliers, which must agree with
 *   what h/2 alone gives. Their observed order must be 2.
 *
 * Runs of all segments with other steps must have the events, and lead to the same orbit
 * by Newton's method. The precision is raised until all of that holds.
 *
 * Digits count against the largest magnitude of a component over events and nodes; of
 * times, against the period; of a multiplier, against its own magnitude; of derivatives,
 * against the largest of the component or, if that is more, its size over |rho|, over 1
 * where rho is zero.
 *
 * *out->orbit has the numbers. NO_ORBIT: Newton's method does not come to an orbit near
 * by, or comes to one of a shorter period, several times round; NOT_APPLICABLE: the orbit
 * is one of a family, formulas depend on time, multipliers are equal, or the variant is
 * not exact; PRECISION: the precision was raised often enough; else the refusal of a run.
 * *out is NULL then.
 */
enum status mp_orbit_certify(const struct mp_orbit_request *request, int digits,
                             int threads, struct certificate **out,
                             struct diagnosis *diagnosis);
/* "CASE.orbit-EVENTS.ref", the events of the certificate from the first of the model on,
   as names or, where these are long, a hash; with a hash of the parameters that are not
   nominal. */
void mp_orbit_file(const struct model *model, const char *const *value, int events,
                   const int *event, char *name, int size);
/* Reads a certified orbit, as certificate_read does other values; it is written by
   certificate_write. */
enum status mp_orbit_read(const char *path, const struct model *model,
                          struct certificate **out, struct diagnosis *diagnosis);
/* Digits that are carried for so many digits of an orbit, before the precision is
   raised. */
int mp_orbit_digits(int digits);

#endif
