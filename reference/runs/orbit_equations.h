/*
 * orbit_equations.h - a periodic motion by multiple shooting: its equations, and Newton's
 * method on them.
 *
 * Unknowns are the independent components z_k of each node, the period T, and what each
 * group of components advances by over a period, d. With X_k the motion from node k over
 * its part of the period,
 *
 *     z_{k+1} + d - X_k(z_k, T) = 0       d after the last segment only
 *
 * and one component of node 1, that which changes fastest, and one of each group stay
 * where they are: a section, and a member of the family along each group. The matrix is
 * square then, and regular unless the orbit is one of another family.
 */
#ifndef SALTUS_ORBIT_EQUATIONS_H
#define SALTUS_ORBIT_EQUATIONS_H

#include "orbit_segments.h"

struct orbit_equations {
    struct orbit_segments segments;
    int digits;                 /* carried by the runs */
    mpfr_prec_t precision;
    int unknowns, period;       /* the unknown that is T; those of d follow */
    int *first;                 /* [nodes + 1] first unknown of each node, and row of the
                                   segment before it */
    int *held;                  /* [1 + drifts] unknowns that stay; [0] is -1 before the
                                   first evaluation */
    long *size;                 /* [width] log2 of the size of each component */
    mpfr_ptr u;                 /* [unknowns] */
    struct mp_lu *lu;           /* factors of the matrix of the last evaluation, by the
                                   sizes of rows and unknowns, and by shift */
    long *shift;                /* [unknowns] log2 of the factor of each column, by which
                                   its largest entry is about one, if it is more: those of
                                   an unstable motion are large */
    int steps;                  /* of Newton's method */
};

/* Statuses of orbit_segments_open; NOT_APPLICABLE: a group has no independent component
   in node 1. To be cleared in any case. */
enum status orbit_equations_open(struct orbit_equations *e,
                                 const struct mp_orbit_request *asked,
                                 struct diagnosis *diagnosis);
/* The same equations with runs of their own, as orbit_segments_borrow(). */
void orbit_equations_borrow(struct orbit_equations *e, const struct orbit_equations *from,
                            int parameters, const char *const *value);
void orbit_equations_clear(struct orbit_equations *e);

/* Runs all segments from u, and factors the matrix. Statuses of orbit_segment_make;
   NOT_APPLICABLE: it is singular. */
enum status orbit_equations_evaluate(struct orbit_equations *e, enum orbit_route route,
                                     int digits, int threads,
                                     struct diagnosis *diagnosis);
/* Factors the matrix of the last runs. */
enum status orbit_equations_factor(struct orbit_equations *e,
                                   struct diagnosis *diagnosis);
/* Newton's method from u, with variational runs, first at so many digits, then at twice
   as many each time; u is where the last evaluation is, at rounding. NO_ORBIT: it does
   not come to rest near by. */
enum status orbit_equations_solve(struct orbit_equations *e, int digits, int threads,
                                  struct diagnosis *diagnosis);
/* Digits to begin with from an orbit in double. */
enum { ORBIT_FIRST_DIGITS = 30 };

/* du [unknowns] = the step of Newton's method at u, with the ends of segments from the
   last evaluation (`run` NULL), or of run [nodes] from the same nodes. */
void orbit_equations_step(const struct orbit_equations *e,
                          struct mp_trajectory *const *run, mpfr_ptr du);
/* du [unknowns] = the derivatives of the orbit by parameter j of the request. */
void orbit_equations_by_parameter(const struct orbit_equations *e, int j, mpfr_ptr du);

/* log2 of the size of unknown i. */
long orbit_equations_size(const struct orbit_equations *e, int i);
/* The group of component i; -1: it comes back. */
static inline int orbit_drift(const struct mp_orbit_request *asked, int i)
{
    return asked->drift ? asked->drift[i] : -1;
}

#endif
