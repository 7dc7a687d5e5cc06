/*
 * results.h - every number of a result under one name, whatever arithmetic it came from.
 *
 * A double trajectory, a complex-step trajectory, an MPFR trajectory, a closed form and a
 * certified file all become ledgers; judging is comparing two ledgers entry by entry.
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
    char history[QUANTITY_NAME];    /* quantity_history; set with the name */
    char group[64];     /* quantity_group, or what an oracle has in its stead */
    double t;
    int point;          /* position along the trajectory: 0.. in order of time */
    double rho;         /* of a derivative: |rho_j|, 1 where rho_j = 0; 0: not known */
    double spread;      /* sum over all data x_j of |x_j d value/dx_j|, also of a
                           derivative, which takes second ones; 0: not known */
    double condition;   /* of the nearest to grazing (condition.h) of the events whose
                           time the derivative goes through; 0: none is near grazing, or
                           not known */
    mpfr_t value;
};

struct results {
    int count, room;
    mpfr_prec_t precision;
    double digits;      /* that its numbers are known to be good to; 0: all it carries */
    struct entry *entry;
};

struct results *results_new(mpfr_prec_t precision);
void results_free(struct results *results);
/* Appends and returns the entry, value to be set by the caller. */
struct entry *results_add(struct results *results, const char *name, const char *group,
                          double t, int point);
/* The same with the name and the group of a key. */
struct entry *results_put(struct results *results, const struct quantity *quantity,
                          double t, int point);
/* Appends the numbers of `from`, at its time and point, under the names of `like`. */
void results_put_numbers(struct results *results, const struct entry *like,
                         const struct entry *from);
struct results *results_copy(const struct results *results);
struct results *results_of_trajectory(const struct trajectory *trajectory);
struct results *results_of_reference(const struct mp_trajectory *trajectory);
/* What the method of a DAE has itself of a and lambda, at samples: "stage.a.x2",
   "dstage.lambda.1/dL01"; no entries of any other run. And what `want` has of a and
   lambda at the same points, under these names. */
struct results *results_of_stages(const struct trajectory *trajectory);
struct results *results_for_stages(const struct results *want,
                                   const struct results *stages);

/*
 * Two values of one number. digits (LRE) = -log10(|got - want| / max(|want|, scale)),
 * where scale is the largest magnitude that this quantity has had in `want` up to that
 * point of the trajectory (so a velocity that passes through zero is judged against the
 * speeds that it has had). Capped at `cap` digits.
 */
struct comparison {
    const struct entry *got, *want;
    double scale;
    double digits;              /* NAN: `want` is no number, and judges none */
    /* What costs log10 of it in digits, at least 1, as `want` alone knows it: how much
       relative errors of the data are magnified (scales.h); after an event near grazing
       that of the event, if that is more. */
    double condition;
};

/* Compares every entry of `want` that `got` has (same name and point, in order); entries
   missing in `got` are counted in *missing. Returns a malloc'ed array, *count long. */
struct comparing {
    double cap;                 /* digits of `want` */
    double floor;               /* scales.h */
    const struct results *known; /* scales and conditions are taken from this, if it has
                                    the entries of `want`: another oracle, of more digits;
                                    NULL: from `want` */
};
struct comparison *results_compare(const struct results *got, const struct results *want,
                               const struct comparing *how, int *count, int *missing);

#endif
