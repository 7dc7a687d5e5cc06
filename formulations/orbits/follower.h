/*
 * follower.h - the state of a branch while it is followed, for branch.c and
 * bifurcations.c.
 */
#ifndef SALTUS_FOLLOWER_H
#define SALTUS_FOLLOWER_H

#include "orbits/branch.h"
#include "orbits/grazing_end.h"
#include "orbits/guard_minima.h"
#include "orbits/shooting.h"

/* A branch while it is followed. */
struct follower {
    const struct branch_request *request;
    struct orbit_request orbit;         /* with Newton's method kept short */
    struct orbit_guess *guess;          /* nodes and events of the shooting; owned */
    int last_event;                     /* the event that ends the period */
    struct shooting shooting;
    struct branch *branch;
    double low, high;                   /* range of the parameter */
    double step, longest;               /* by sizes */
    double *u, *tangent;                /* [unknowns] the last point */
    double *value;                      /* [model->p] parameters of the shooting */
    double test[BRANCH_KINDS];          /* test functions there */
    struct grazing_end grazing;         /* of the events of the orbit */
    struct grazing_end ahead;           /* of those of the model that it does not have */
    double *measure;                    /* scratch of both */
    struct orbit_guess *doubled;        /* of the first period doubling */
    bool returned;                      /* the branch has come to a period halving */
};

/* Begins a branch at the guess, which is allocated and becomes the follower's, at a value
   of the parameter. Statuses of shooting_init. To be closed in any case; the branch is
   the caller's. */
enum status follower_open(struct follower *follower, const struct branch_request *request,
                          struct orbit_guess *guess, double rho,
                          struct diagnosis *diagnosis);
void follower_close(struct follower *follower);

/* The point that the shooting has been solved at last. */
void follower_take_point(struct follower *follower, struct branch_point *point);
void follower_clear_point(struct branch_point *point);
/* Adds it to the branch; false: nobody wants more. */
bool follower_add_point(struct follower *follower, const struct branch_point *point);

/* Solves for the orbit at this length of arc from the last point along its tangent.
   NO_ORBIT; statuses of runs. */
enum status follower_solve_at(struct follower *follower, double arc,
                              struct diagnosis *diagnosis);
/* The solution becomes the last point, with these test functions [BRANCH_KINDS]. */
void follower_accept(struct follower *follower, const double *test);
/* The guess becomes the last point, in its direction. */
void follower_begin_along(struct follower *follower);
/* The equations become those of another guess, which is allocated and becomes the
   follower's, at a value of the parameter. Statuses of shooting_init. */
enum status follower_take_guess(struct follower *follower, struct orbit_guess *guess,
                                double rho, struct diagnosis *diagnosis);
/* Places nodes anew where events have come near them; the last point has been run. */
enum status follower_move_nodes(struct follower *follower, struct diagnosis *diagnosis);

/* The parameter that is continued. */
static inline double follower_parameter(const struct shooting *shooting)
{
    return shooting->u[shooting->unknowns - 1];
}

/* --- bifurcations.c ----------------------------------------------------------------- */

/* The test functions [BRANCH_KINDS] at the point, which has been solved and whose tangent
   has been taken. */
void bifurcations_test(struct follower *follower, const struct branch_point *point,
                       double *test);
/* Locates and adds the bifurcations on the step of length `arc` from the last point to
   `end`, where the functions are `test`; false: nobody wants more. At a period doubling
   that is to be followed it makes follower->doubled. */
bool bifurcations_add(struct follower *follower, double arc,
                      const struct branch_point *end, const double *test);

#endif
