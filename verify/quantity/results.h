/*
 * results.h - every number of a run under one name, whatever arithmetic it came from.
 *
 * A double trajectory, a complex-step trajectory, an MPFR trajectory, a closed form and a
 * certified file all become results; judging is comparing two of them entry by entry.
 *
 * Entries of a trajectory, in this order:
 *   sample k         every column present:           "q.x2", "dq.x2/dL01", ...   at t_k
 *   event K (from 1) "event.K.t", "before.K.q.x2", ..., "event.K.dt/dL01",
 *                    "after.K.v.x2", "after.K.dq.x2/dL01", ...                    at t_e
 *   end              "psi.z1", "dpsi.z1/dL01"                                     at t_F
 *
 * The names are those of keys (quantity.h).
 */
#ifndef SALTUS_RESULTS_H
#define SALTUS_RESULTS_H

#include <mpfr.h>

#include "quantity/quantity.h"
#include "reference.h"
#include "run.h"

struct entry {
    char name[QUANTITY_NAME];
    char history[QUANTITY_NAME];    /* quantity_history of the name; set with the name */
    char group[64];     /* quantity_group of the name, or the word of an oracle for it */
    double t;
    int point;          /* position along the trajectory: 0.. in order of time */
    double rho;         /* |rho_j| of a derivative by rho_j, 1 where rho_j = 0; 0: not
                           known */
    double spread;      /* sum over all data x_j of |x_j d value/dx_j|, also of a
                           derivative, which takes second ones; 0: not known */
    double terms;     /* log2 of the terms that a value is a sum of (size.h); NAN: not
                           known */
    int part;         /* where the terms are known: the subsystem of the value, which
                           with the group makes its kind (size.h) */
    double condition;   /* condition of the event nearest to grazing (condition.h) of
                           those whose times the derivative goes through; 0: none is near
                           grazing, or not known */
    bool unjudged;      /* the number is there for the sizes of others (size.h), and is
                           not compared */
    mpfr_t value;
};

struct results {
    int count, room;
    mpfr_prec_t precision;
    double digits;      /* digits that the numbers are known to be good to; 0: all that
                           they carry */
    struct entry *entry;
};

struct results *results_new(mpfr_prec_t precision);
void results_free(struct results *results);
/* Appends and returns an entry, whose value the caller sets. */
struct entry *results_add(struct results *results, const char *name, const char *group,
                          double t, int point);
/* Appends and returns an entry with the name and the group of a key. */
struct entry *results_put(struct results *results, const struct quantity *quantity,
                          double t, int point);
/* Appends the numbers of `from`, at its time and point, under the names of `like`. */
void results_put_numbers(struct results *results, const struct entry *like,
                         const struct entry *from);
struct results *results_copy(const struct results *results);
struct results *results_of_trajectory(const struct trajectory *trajectory);
struct results *results_of_reference(const struct mp_trajectory *trajectory);
/* The a and lambda that the method of a DAE has itself, at samples: "stage.a.x2",
   "dstage.lambda.1/dL01"; no entries of any other run. */
struct results *results_of_stages(const struct trajectory *trajectory);
/* The a and lambda of `want` at the same points, under the names of stages. */
struct results *results_for_stages(const struct results *want,
                                   const struct results *stages);

/*
 * Two values of one number. digits (LRE) = -log10(|got - want| / max(|want|, scale)),
 * where scale is the size of the number (size.h): the largest magnitude that this
 * quantity has had in `want` up to that point of the trajectory, unless that is rounding
 * (so a velocity that passes through zero is judged against the speeds that it has had).
 * Digits are capped at `cap`.
 */
struct comparison {
    const struct entry *got, *want;
    double scale;  /* 0 where no double is so small */
    double digits;              /* NAN: `want` is no number, and judges none */
    /* factor by which relative errors of the data are magnified (scales.h), at least 1,
       as `want` alone knows it; after an event near grazing that of the event, if it is
       larger. Its log10 is a loss in digits. */
    double condition;
};

/* How results are compared; set by the caller. */
struct comparing {
    double cap;                 /* digits that `want` has */
    double floor;               /* least size of a quantity that was asked for
                                   (scales.h) */
    const struct results *known; /* another oracle, of more digits, whose scales and
                                    conditions are taken if it has the entries of `want`;
                                    NULL: those of `want` */
};
struct comparison *results_compare(const struct results *got, const struct results *want,
                               const struct comparing *how, int *count, int *missing);

#endif
