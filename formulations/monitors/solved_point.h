/*
 * solved_point.h - where equations were last solved, and what came out: at an event
 * several ask for the same point, one after the other.
 */
#ifndef SALTUS_SOLVED_POINT_H
#define SALTUS_SOLVED_POINT_H

#include <stdbool.h>

#include "base/arena.h"

struct solved_point {
    int n, ns, m;
    bool valid;
    bool explicit_rhs;      /* by the program of explicit_rhs.h: there are no factors */
    double *x;              /* [1 + 2n + ns] t, q, v, s */
    double *u;              /* [n + m] a, lambda */
};

/* `arena` has the arrays. */
void solved_point_init(struct solved_point *point, struct arena *arena, int n, int ns,
                       int m);
/* If the equations were last solved here, to the bit: a [n], lambda [m], and true. */
bool solved_point_recall(const struct solved_point *point, double t, const double *q,
                         const double *v, const double *s, double *a, double *lambda);
void solved_point_keep(struct solved_point *point, double t, const double *q,
                       const double *v, const double *s, const double *a,
                       const double *lambda);

#endif
