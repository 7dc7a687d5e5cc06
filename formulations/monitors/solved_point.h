/*
 * solved_point.h - the point at which equations were last solved, and the solution: at an
 * event several functions ask for one point, one after the other.
 */
#ifndef SALTUS_SOLVED_POINT_H
#define SALTUS_SOLVED_POINT_H

#include <stdbool.h>

#include "base/arena.h"

/* solved_point_keep sets valid, x and u; the caller sets explicit_rhs. */
struct solved_point {
    int n, ns, m;
    bool valid;             /* x and u are set */
    bool explicit_rhs;      /* solved by the program of explicit_rhs.h: there are no
                               factors */
    double *x;              /* [1 + 2n + ns] t, q, v, s */
    double *u;              /* [n + m] a, lambda */
};

/* The arrays are in `arena`. */
void solved_point_init(struct solved_point *point, struct arena *arena, int n, int ns,
                       int m);
/* True if the point is this one, to the bit; a [n] and lambda [m] then get the
   solution. */
bool solved_point_recall(const struct solved_point *point, double t, const double *q,
                         const double *v, const double *s, double *a, double *lambda);
/* Keeps a point and its solution. */
void solved_point_keep(struct solved_point *point, double t, const double *q,
                       const double *v, const double *s, const double *a,
                       const double *lambda);
#endif
