/*
 * job.h - what one piece of work is done with, and its rows; for the judge*.c files.
 */
#ifndef SALTUS_TRIAL_H
#define SALTUS_TRIAL_H

#include "jobs/judge.h"
#include "motion/samples.h"

/* All that one piece works with. */
struct trial {
    struct piece *piece;
    struct model *model;
    struct samples samples;
    int parameters, *parameter;
    struct run_request request;
    struct trajectory *trajectory;
    struct results *got;
    struct results *known;          /* of the first oracle of the whole motion that was
                                       asked: scales and conditions for all; NULL: none
                                       yet */
    bool conditioned;               /* with the conditions that take a while */
    struct certificate *own;        /* certified values of piece->truth; NULL: none */
    bool unreadable;                /* those cannot be read, which a row says */
    bool noted;                     /* by the first row, what the run says */
    bool weighed;                   /* every oracle was asked, and rows_weigh */
};

/* The model, the times and the request of a piece. Close what failed to open, too. */
enum status trial_open(struct trial *trial, struct piece *piece,
                       struct diagnosis *diagnosis);
void trial_close(struct trial *trial);

/* The certified values of a truth; OK and *out NULL: there are none. BAD_INPUT: they
   cannot be read, or are by other parameters or at other times than those asked for. */
enum status trial_certificate(const struct trial *trial, const struct truth *truth,
                              struct certificate **out, struct diagnosis *diagnosis);

/* A row of the piece, of a solution or of a truth ("MPFR exact"); and one that says why
   there are no numbers. */
struct row *trial_row(struct trial *trial, enum row_kind kind, const char *oracle);
struct row *truth_row(struct trial *trial, enum row_kind kind, const char *oracle);
void trial_refuse(struct trial *trial, const char *oracle,
                  const struct diagnosis *diagnosis);

/* All rows there are will not change any more, but for a note that this makes; unless one
   fell short, which the oracles that are still to be asked may excuse. */
void trial_settle(struct trial *trial);

/* --- of a solution ------------------------------------------------------------------ */

/* judge_oracles.c: a run by every oracle that is asked for; and by those of one stage. */
void judge_by_oracles(struct trial *trial);
void judge_stage(struct trial *trial, enum oracle_stage stage);
/* judge_published.c: the certified motion, or the run, by printed numbers. */
void judge_published(struct trial *trial, const struct oracle *oracle);
/* judge_refusals.c: a run that was refused falls short, unless it is right. */
void judge_refusal(struct trial *trial, struct diagnosis *diagnosis);
/* An oracle that refuses because of the motion: it falls short, unless it is right. */
void judge_refused_oracle(struct trial *trial, const char *oracle,
                          struct diagnosis *diagnosis);
/* The same where a refusal is certified; `status` of the run may be OK, too. */
void judge_certified_refusal(struct trial *trial, const struct certificate *certificate,
                             enum status status, struct diagnosis *diagnosis);

/* --- of a truth --------------------------------------------------------------------- */

/* judge_stored.c: certified values along one direction in the space of parameters. */
void judge_stored(struct trial *trial, const struct certificate *certificate);
/* judge_refusals.c: a refusal that is certified, by both routes; and no motion in MPFR
   although none is certified: right, if there is none in double either. */
void judge_stored_refusal(struct trial *trial, const struct certificate *certificate);
void judge_truth_refused(struct trial *trial, const struct diagnosis *diagnosis);
/* What the reference is asked for a truth: all samples, all derivatives. `nominal`
   [model->p] are NULLs. */
struct reference_request truth_request(const struct trial *trial,
                                       const char *const *nominal);
/* Digits to carry: as many as are asked for; more where the motion is so ill-conditioned
   that to certify it the precision had to be raised. `stored` may be NULL. */
int truth_digits(const struct trial *trial, const struct certificate *stored);
/* Faults of what both routes share, gamma, M and resets, show in the constraints and the
   energy along a run of the reference that carried so many digits, and in the laws that
   the case states beside its equations, by values that hold so many: a row for the exact
   motion. */
void truth_invariants(struct trial *trial, const struct mp_trajectory *motion,
                      int digits, const struct mp_trajectory *values, int value_digits);
/* --precision asks for more digits than certified values have: no bar above those. */
void truth_bar_at_most(struct trial *trial, double digits);

#endif
