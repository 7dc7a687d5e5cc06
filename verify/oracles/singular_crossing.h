/*
 * singular_crossing.h - does a motion, from one point to the next, cross a configuration
 * in which its constraints are dependent?
 *
 * There some u' Phi_q is zero, and has changed its sign beyond. With C0 = Phi_q before
 * and C1 = Phi_q after, and u' C linear in between, zero at a part s of the way,
 *
 *     u' C1 C0^+ = -(1 - s)/s u'
 *
 * an eigenvalue that is negative. C1 = C0 + O(h) has eigenvalues near 1, also on a motion
 * that only comes near, or turns away onto another branch. Any number of directions may
 * cross at once, which a determinant would not tell if it is even.
 */
#ifndef SALTUS_SINGULAR_CROSSING_H
#define SALTUS_SINGULAR_CROSSING_H

#include <gsl/gsl_eigen.h>
#include <stdbool.h>

struct crossing {
    int m, n;
    bool begun;
    gsl_matrix *QR;             /* factors of C0' [n*m] */
    gsl_vector *tau;
    gsl_matrix *after;          /* C1', then (C1 C0^+)' in its first m rows */
    gsl_vector_complex *eigenvalue;
    gsl_eigen_nonsymm_workspace *work;
    double volume, before;      /* sqrt det C C' of the rows at this point, and at the
                                   last */
    double largest;             /* largest volume of the way */
};

/* Opens a watcher of m rows in n coordinates, 0 < m <= n. */
void crossing_init(struct crossing *crossing, int m, int n);
void crossing_clear(struct crossing *crossing);
/* Begins a new way: the points before are forgotten. */
void crossing_restart(struct crossing *crossing);
/* Takes the next point, with Phi_q [m*n] of independent rows. Returns the part of the way
   from the point before at which the first crossing is; INFINITY: there is none, or this
   is the first point. */
double crossing_next(struct crossing *crossing, const double *Phi_q);
/* The number of ways like the last one until the volume of the rows is zero: it falls
   linearly towards a configuration in which one direction vanishes. INFINITY: it does not
   fall. */
double crossing_ahead(const struct crossing *crossing);
/* Has the volume come down to this part of the largest and gone up again? Then the motion
   has come near, or turned from one branch into another. */
bool crossing_turned(const struct crossing *crossing, double part);

#endif
