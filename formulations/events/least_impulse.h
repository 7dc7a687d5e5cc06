/*
 * least_impulse.h - minimum-norm impulses through dependent rows Psi.
 *
 * M (v+ - v-) + Psi_q' y = 0 determines Psi_q' y, and y but for the kernel N of Psi_q'.
 * The y of least norm lies in the range of Psi_q, y = Psi_q z. So does its derivative but
 * for the turning of that range: N' dy = N' (dPsi_q) z (Golub, Pereyra 1973).
 */
#ifndef SALTUS_LEAST_IMPULSE_H
#define SALTUS_LEAST_IMPULSE_H

#include "base/arena.h"
#include "linear/row_selection.h"

struct least_impulse {
    int impulses, n;            /* rows and columns of Psi_q */
    struct row_selection rows;  /* of Psi_q; impulses of dependent rows start at zero */
    double *Psi_q;              /* [impulses * n] set by the caller */
    double *kernel;             /* [dependent * impulses] orthonormal rows: N' */
    double *z;                  /* [n] set by the caller */
};

/* Allocates for `impulses` rows and n columns. The arena outlives the object. */
void least_impulse_init(struct least_impulse *least, struct arena *arena, int impulses,
                        int n);
void least_impulse_clear(struct least_impulse *least);
/* Chooses independent rows of Psi_q. False is returned if the rank cannot be decided. */
bool least_impulse_choose(struct least_impulse *least);
/* Stores kernel vector k [impulses] (k in turn from 0), orthonormal to the vectors
   before. */
void least_impulse_kernel(struct least_impulse *least, int k, const double *vector);
/* y -= N (N' (y - target)), with y, target [impulses]; NULL stands for a zero target. */
void least_impulse_shift(const struct least_impulse *least, const double *target,
                         double *y);

#endif
