/*
 * reference.h - what is true: trajectories and sensitivities in MPFR.
 *
 * The reference builds its own equations from M, F, Phi (never seeing formulations/):
 *   exact      the constrained motion, shared by ode, index1 and baumgarte
 *   penalty    Corner, Sandu, Sandu 2019, (64), in the n x n form
 *              (M + Phi_q' alpha Phi_q) a = ..., matrices alpha, K_D, K_P (penalty and
 *              modified-lagrange each choose them)
 * and integrates them by Taylor series of high order (Griewank & Walther 2008, ch. 13;
 * Jorba & Zou 2005 for order and step). Derivatives come by two routes that share neither
 * derivative rows nor jump formulas: the variational equations with saltation, and
 * central differences of whole trajectories, each with its own events.
 *
 * Threads: all functions here may be called from any number of threads at once, with one
 * model, too, which is only read (MPFR must have been built thread-safe, as Debian's is).
 * A trajectory and a certificate belong to one thread at a time.
 */
#ifndef SALTUS_REFERENCE_H
#define SALTUS_REFERENCE_H

#include <mpfr.h>

#include "base/api.h"
#include "columns.h"
#include "model.h"

SALTUS_API_BEGIN

/* Which motion is meant. Matrices of the penalty family as text: one number, m numbers
   (diagonal) or m*m numbers (by rows), separated by commas; NULL for the exact motion. */
struct truth {
    const char *variant;        /* "exact" or "penalty" */
    const char *alpha, *K_D, *K_P;
    const char *reset;          /* the policy the model was made with (model.h): NULL or
                                   "impulsive"; "continuous" in the penalty family only */
};

struct reference_request {
    const struct model *model;
    struct truth truth;
    int digits;                         /* decimal digits carried */
    int parameters;                     /* parameters differentiated, their indices */
    const int *parameter;
    /* [parameters] weights w as decimal text: one derivative along sum_j w_j d/drho_j
       instead of one by each parameter; NULL: those */
    const char *const *direction;
    const char *const *value;           /* [model->p] decimal text; NULL entry: nominal */
    const char *t_end;                  /* decimal text; NULL: the model's */
    int samples;                        /* sample times, increasing, decimal text */
    const char *const *sample;
    long max_events;
    /* Other steps than a run takes by itself, and nothing taken on trust: shorter by the
       golden ratio, and so short that the equations of motion are bounded around them
       (watch.c); and each guard is compared with its formula on the way. */
    bool strict;
    int threads;                        /* of the variational route; 0 and 1: the caller
                                           alone. No digit depends on it */
    /* told now and then how far along [t0, t_end] it is (0..1); false stops the run */
    bool (*progress)(void *context, double done);
    void *progress_context;
};

/* A point: all columns of columns.h; those not present in the mode are NAN. */
struct mp_point {
    const struct mode *mode;
    mpfr_t t;
    mpfr_t *x;                          /* [columns.count] */
};
struct mp_event {
    const struct event *event;
    mpfr_t *tau;                        /* [parameters] dt_e/drho */
    bool together;                      /* with the event before: for these parameters
                                           only they are at one time. Both have the point
                                           before and the point after all that are
                                           together */
    double rate, condition;             /* rd, and of t_e and tau (condition.h); 0: not
                                           known, as of differences */
    struct mp_point before, after;      /* one-sided values and sensitivities at t_e */
};
struct mp_trajectory {
    struct columns columns;
    int *parameter;                     /* owns what columns points at */
    mpfr_prec_t precision;
    int samples, events;
    struct mp_point *sample;
    struct mp_event *event;
    mpfr_t *psi;        /* [nz * (1 + p)] z + w at the end [nz]; d/drho_1 [nz]; ... */
    /* invariants, checked along the run (exact motion only, else 0): worst |Phi|, |Phid|
       in parts of the largest term of a row, at least 1; worst change of the energy along
       an arc relative to its largest value, worst gap in the balance of energy at an
       impact (not kept in certificates) */
    double worst_Phi, worst_Phid, worst_energy, worst_balance;
    long steps;
    int order;
};
void mp_trajectory_free(struct mp_trajectory *trajectory);

/* Variational equations and saltation. On refusal returns the status, with time and
   place; *out is then NULL. */
enum status reference_run(const struct reference_request *request,
                          struct mp_trajectory **out, struct diagnosis *diagnosis);

/* The start alone, as the only sample: t0, and every column there. */
enum status reference_start(const struct reference_request *request,
                            struct mp_trajectory **out, struct diagnosis *diagnosis);

/* The same quantities by central differences of whole trajectories: values from a run at
   the nominal parameters, every derivative column (samples, both sides of each event,
   tau, psi) from runs at rho_j +- h, h = 10^(-digits/3) max(1, |rho_j|). At events the
   moving event is differenced and brought back to fixed time: Q = d[q(t_e)] - v tau.
   Runs are independent; `threads` of them at a time. `halved`: the step is h/2 (observed
   order of the difference).
   Along a direction there are two runs only, at rho +- h w, where h is the largest with
   h |w_j| <= 10^(-digits/3) max(1, |rho_j|) for all j; the values are means of both, good
   to two thirds of the digits like the derivatives. */
enum status reference_difference(const struct reference_request *request, bool halved,
                                 int threads, struct mp_trajectory **out,
                                 struct diagnosis *diagnosis);

/* The derivatives of a trajectory by its parameters, combined along a direction w (as
   reference_request.direction, [columns.p]): one column in the place of p. With `ends`
   only the last sample is kept, with all events. BAD_INPUT for a weight that is no
   number. */
enum status mp_trajectory_along(const struct mp_trajectory *trajectory,
                                const char *const *direction, bool ends,
                                struct mp_trajectory **out, struct diagnosis *diagnosis);

/* Decimal digits on which two numbers agree relative to max(|b|, scale). Capped at the
   precision. Two NANs agree. */
double mp_digits(mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr scale);

/* --- certified values --------------------------------------------------------------- */

/* Numbers, and how many digits of each the two routes agree on; or that there are none:
   the motion, or one of the derivatives asked for, does not exist. */
struct certificate {
    char *case_name, *variant, *alpha, *K_D, *K_P, *reset;
    char **value;               /* [model->p] decimal text; NULL: nominal */
    int parameters, *parameter; /* differentiated */
    int digits;                 /* carried when it was made, in ... */
    mpfr_prec_t precision;      /* ... so many bits */
    int agreed;                 /* least digits agreed over all numbers */
    /* What the variational route and the differences were refused for; status OK: there
       are numbers. Otherwise the following are NULL, and `agreed` is the digits known of
       the time of the refusal. */
    struct diagnosis refusal, other_refusal;
    mpfr_ptr refused_at;
    struct mp_trajectory *trajectory;   /* variational route; as read: as printed */
    /* the same shape: digits agreed on each number, relative to max(|number|, scale),
       where the scale is the largest number of its kind (all q, all v, ..., of one
       derivative) on the trajectory, and at least the values' largest over
       max(1, |parameter|) */
    struct mp_trajectory *agreement;
    const struct model *model;
};
/* Runs both routes, raising the precision until they agree on `digits`; PRECISION when
   six raises did not do. Writes nothing.
   Where both routes are refused, the refusal is what is certified (OK): the differences
   may be refused for another reason, since what has no derivative in a direction may be
   unreachable in it; but a nominal run at the same time.
   Nothing is certified that a strict run with other steps, order and precision does not
   have, too: the same events at the same times and the same values at the samples, or the
   same refusal at the same time. Where it has not, and where only one route is refused,
   there is doubt: once more with twice the digits and strict runs, twice at most; then
   PRECISION, or the refusal of that one route. Refusals that may be numerical trouble
   (NO_CONVERGENCE, NOT_FINITE, a limit) are returned at once. */
enum status certify(const struct reference_request *request, int digits, int threads,
                    struct certificate **out, struct diagnosis *diagnosis)
    SALTUS_WORD(certify);
/* Text file; written under a temporary name and renamed. BAD_INPUT with file and line. */
enum status certificate_write(const struct certificate *certificate, const char *path,
                              struct diagnosis *diagnosis);
enum status certificate_read(const char *path, const struct model *model,
                             struct certificate **out, struct diagnosis *diagnosis);
/* Gives the file the fingerprint of the formulas of the model and a checksum, as it
   stands: for files that were made for these formulas before there were fingerprints. */
enum status certificate_stamp(const char *path, const struct model *model,
                              struct diagnosis *diagnosis);
/* The least digits on which all numbers of two certificates of one motion agree, measured
   as those of both routes are (struct certificate); of refusals, the digits of the time.
   -1: there are other events, or one is a refusal. */
double certificate_agreement(const struct certificate *a, const struct certificate *b);
void certificate_free(struct certificate *certificate);
/* "CASE.ref" for the exact motion, else "CASE.penalty-<8 hex digits>.ref", the digits
   made from the options and the reset policy. */
void certificate_name(const struct model *model, const struct truth *truth, char *name,
                      int size);

SALTUS_API_END

#endif
