/*
 * curve.h - curves of bifurcations in two parameters: where on branches in the first one
 * they are, as the second one changes.
 *
 * Each point is a bifurcation that a branch is followed to, from an orbit that is carried
 * on from one value of the second parameter to the next: all kinds are found and located
 * as on any branch (branch.h), grazing included.
 */
#ifndef SALTUS_CURVE_H
#define SALTUS_CURVE_H

#include "orbits/branch.h"

struct curve_request {
    struct branch_request branch;   /* in the first parameter; `doublings` does not
                                       count */
    enum branch_kind kind;          /* the first of these on a branch is the point;
                                       BRANCH_REGULAR: the first of any kind */
    int second;                     /* index of the second parameter in the model */
    double second_to;               /* its range begins at its value in the request */
    int points;                     /* values of it, at least 2 */
};

struct curve_point { enum branch_kind kind; double first, second, period, error; };

struct curve {
    int points, room;
    struct curve_point *point;      /* [points] */
    struct diagnosis why;           /* status OK: it reaches the end of the range; else
                                       the reason of the last value */
};

/* OK if there is a point at the first value; else NO_ORBIT, or statuses of branch_follow,
   and *out is NULL. */
enum status curve_follow(const struct curve_request *request, struct curve **out,
                         struct diagnosis *diagnosis);
void curve_free(struct curve *curve);

#endif
