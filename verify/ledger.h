/*
 * ledger.h - every number of a result under one name, whatever arithmetic it came from.
 *
 * A double trajectory, a complex-step trajectory, an MPFR trajectory, a closed form and a
 * certified file all become ledgers; judging is comparing two ledgers entry by entry.
 *
 * Entries of a trajectory, in this order:
 *   sample k         every column present:           "q.x2", "dq.x2/dL01", ...   at t_k
 *   event K (from 1) "event.K.t", "event.K.dt/dL01",
 *                    "jump.K.v.x2", "jump.K.dq.x2/dL01": value after the event; and with
 *                    "before.K.q.x2" the value before it                          at t_e
 *   end              "psi.z1", "dpsi.z1/dL01"                                     at t_F
 */
#ifndef SALTUS_LEDGER_H
#define SALTUS_LEDGER_H

#include <mpfr.h>

#include "run.h"
#include "reference.h"

struct entry {
    char name[96];
    char group[64];     /* what shares its scale: "q", "dq/dL01", "event.t",
                           "dt/dL01", ... */
    double t;
    int point;          /* position along the trajectory: 0.. in order of time */
    double rho;         /* of a derivative: |rho_j|, 1 where rho_j = 0; 0: not known */
    double spread;      /* sum over all parameters of |rho_j d value/drho_j|, also of a
                           derivative, which takes second ones; 0: not known */
    double condition;   /* of the nearest to grazing (condition.h) of the events whose
                           time the derivative goes through; 0: none is near grazing, or
                           not known */
    mpfr_t value;
};

struct ledger {
    int count, room;
    mpfr_prec_t precision;
    double meant;       /* digits that its numbers are meant to have; 0: all they carry */
    struct entry *entry;
};

struct ledger *ledger_new(mpfr_prec_t precision);
void ledger_free(struct ledger *ledger);
/* Appends and returns the entry, value to be set by the caller. */
struct entry *ledger_add(struct ledger *ledger, const char *name, const char *group,
                         double t, int point);
struct ledger *ledger_copy(const struct ledger *ledger);
struct ledger *ledger_of_trajectory(const struct trajectory *trajectory);
struct ledger *ledger_of_reference(const struct mp_trajectory *trajectory);

/*
 * One judged number. digits (LRE) = -log10(|got - want| / max(|want|, scale)), where
 * scale is the largest magnitude any entry of the same group of `want` has had up to
 * that point of the trajectory (so a velocity that passes through zero is judged against
 * the speeds that have occurred). Capped at `cap` digits.
 */
struct verdict {
    const struct entry *got, *want;
    double scale;
    double digits;
    /* What costs log10 of it in digits, at least 1. Of a derivative dx/drho_j:
       |x| / |rho_j dx/drho_j|, with the scales of both groups up to that point: an error
       of one unit in the last place of x, relative to a change of rho_j by its own size.
       Where `want` knows its spread: spread / max(|want|, scale), if that is more: by how
       much relative errors of the data, such as their rounding, are magnified.
       After an event near grazing that of the event, if that is more. */
    double condition;
};

/* Compares every entry of `want` that `got` has (same name and point, in order); entries
   missing in `got` are counted in *missing. Returns a malloc'ed array, *count long. */
struct verdict *ledger_compare(const struct ledger *got, const struct ledger *want,
                               double cap, int *count, int *missing);

#endif
