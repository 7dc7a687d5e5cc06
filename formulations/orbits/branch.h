/*
 * branch.h - a branch of periodic motions in one parameter, by pseudo-arclength
 * continuation (Keller 1977), with its bifurcations (Kuznetsov 2004, ch. 5 and 10).
 *
 * A step goes along the tangent of the solutions of the shooting equations by orbit and
 * parameter, and Newton's method comes back to them across it, so that a fold is a point
 * like any other. Bifurcations are roots, along the arc of a step, of
 *
 *     period halving     how far the motion is off after half of the period, on a branch
 *                        of doubled orbits: it comes back to the single ones and ends
 *     fold               the parameter's part of the tangent
 *     period doubling    prod (1 + mu_i)
 *     torus              prod_{i<j} (1 - mu_i mu_j), of a pair (Neimark-Sacker)
 *     crossing           prod (1 - mu_i), where the tangent has no fold
 *
 * over the multipliers that are not trivial. A branch ends where an event grazes, one of
 * the orbit or one whose guard comes down to it: the parameter there is extrapolated to a
 * transversality of zero, or a least value of the guard, as a function of which it is
 * smooth.
 */
#ifndef SALTUS_BRANCH_H
#define SALTUS_BRANCH_H

#include "orbits/orbit.h"

struct orbit_guess;

enum branch_kind {
    BRANCH_REGULAR, BRANCH_HALVING, BRANCH_FOLD, BRANCH_DOUBLING, BRANCH_TORUS,
    BRANCH_CROSSING, BRANCH_GRAZING, BRANCH_KINDS
};
/* "", "period-halving", "fold", ... */
extern const char *const branch_kind_text[];

struct branch_point {
    enum branch_kind kind;
    double rho, period;
    double error;               /* to which rho of a bifurcation has been located, beside
                                   errors of runs; else 0 */
    double rate;                /* least transversality of an event, as a part of the
                                   largest that it had on the branch */
    int returns, width;
    double *x;                  /* [returns][width] states after the event that ends the
                                   period, each time that it happens */
    int multipliers;            /* 0: the orbit was not solved for at the point, which
                                   others near it have led to */
    double complex *multiplier;
    bool *trivial;
    int steps;                  /* of Newton's method */
    char *why;                  /* a bifurcation that could not be located, rho and error
                                   are NAN: why; else NULL */
    double between[2];          /* parameters at the ends of the step that it is on */
};

enum branch_end {
    BRANCH_AT_RANGE, BRANCH_AT_GRAZING, BRANCH_STUCK, BRANCH_FULL, BRANCH_AT_HALVING
};

struct branch {
    int points, room;
    struct branch_point *point; /* [points] in the order of the branch */
    const struct event *event;  /* the event that ends the period */
    int rounds;                 /* how often the orbit of the run goes round the first
                                   one; 0: it is not from a run */
    int doubled;                /* number of period doublings that led here */
    enum branch_end end;
    const struct event *ahead;  /* BRANCH_AT_GRAZING: the event that grazes, of those that
                                   the orbit does not have; NULL: it is one of its own */
    struct diagnosis why;       /* BRANCH_STUCK: why the last step failed */
    struct orbit_guess *start;  /* the orbit of the first point */
    struct branch *next;        /* the branch that the first period doubling leads to;
                                   NULL: it was not followed */
};

/* The branch that is asked for. The caller sets every member. */
struct branch_request {
    struct orbit_request orbit; /* the first of its parameters is continued, from its
                                   value */
    double to;                  /* other end of the range */
    double step;                /* longest step, as a part of the range; 0: BRANCH_STEP */
    int points;                 /* of a branch, at most; 0: BRANCH_POINTS */
    int doublings;              /* branches to be followed at period doublings */
    /* Told of each point; false ends the branch. NULL: nobody is. */
    bool (*told)(void *context, const struct branch *branch);
    void *context;
};
enum { BRANCH_POINTS = 400 };
extern const double branch_longest_step;

/* Finds the orbit at the value of the request and follows it. OK if there is a branch of
   one point at least; else statuses of orbit_find, and *out is NULL. */
enum status branch_follow(const struct branch_request *request, struct branch **out,
                          struct diagnosis *diagnosis);
/* A branch from a guess of the orbit, which is allocated and is freed here. */
enum status branch_follow_from(const struct branch_request *request,
                               struct orbit_guess *guess, struct branch **out,
                               struct diagnosis *diagnosis);
void branch_free(struct branch *branch);

#endif
