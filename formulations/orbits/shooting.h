/*
 * shooting.h - the equations of multiple shooting, and Newton's method on them
 * (orbit.h).
 */
#ifndef SALTUS_SHOOTING_H
#define SALTUS_SHOOTING_H

#include <gsl/gsl_matrix.h>

#include "orbits/orbit_guess.h"
#include "orbits/segment.h"

/* The unknowns are the independent components z_k of each node, the period, what groups
   of components advance over a period, and, where the orbit is continued, the first
   parameter of the request. Rows of segment k are x_{k+1} - X_k(x_k, T) in the
   independent components of node k + 1; the row after them is the phase, and the last one
   of a continuation the length of arc from a point before:

       tangent' (u - origin) = arc          by sizes

   shooting_init sets every member. */
struct shooting {
    const struct orbit_request *request;
    int nodes, unknowns, period;    /* period: the unknown that is T */
    bool continued;
    double arc, *tangent, *origin;  /* [unknowns] of a continuation */
    struct orbit_segment *segment;  /* [nodes] */
    int *first;                 /* [nodes + 1] unknown that node k begins with */
    int *row;                   /* [nodes] row that segment k begins with */
    double *part;               /* [nodes] lengths of the segments, as parts of T */
    double *u;                  /* [unknowns] */
    double *size;               /* [unknowns] by which they are compared */
    double *component_size;     /* [2n + ns] */
    double *largest;            /* [count of node 1] what these have been at most */
    double *residual;           /* [unknowns] by the same sizes; rows that are not there
                                   are 0 */
    gsl_matrix *U, *V;          /* singular value decomposition of the matrix by sizes */
    gsl_vector *sigma;          /* [unknowns] */
    int families;               /* singular values that are zero */
    double enough;              /* a step of Newton's method that is shorter is not taken;
                                   set by shooting_init, and by others then */
    int steps, room;
    struct orbit_step *step;    /* [steps] history of Newton's method */
};

/* `continued`: the first parameter of the request is an unknown; it stays as it is while
   the tangent is its direction and arc = 0, which is set. Statuses of segment_init. To be
   cleared in any case. */
enum status shooting_init(struct shooting *shooting, const struct orbit_request *request,
                          const struct orbit_guess *guess, bool continued,
                          struct diagnosis *diagnosis);
void shooting_clear(struct shooting *shooting);

/* Runs all segments from u, and sets the residual. Statuses of segment_run. */
enum status shooting_evaluate(struct shooting *shooting, const double *u,
                              struct diagnosis *diagnosis);
/* Decomposes the matrix where the equations were evaluated last. */
void shooting_factor(struct shooting *shooting);
/* The derivatives du [unknowns] of the unknowns by parameter j of the request: the
   shortest that solve the equations. False: none do, at a fold of the orbit. */
bool shooting_by_parameter(const struct shooting *shooting, int j, double *du);
/* Newton's method with damping from u, which becomes the orbit; evaluated and decomposed
   there. NO_ORBIT; statuses of segment_run. */
enum status shooting_solve(struct shooting *shooting, struct diagnosis *diagnosis);

/* Makes a direction [unknowns], by sizes, one of the length 1. */
void shooting_normalise(const struct shooting *shooting, double *direction);
/* The tangent at a first point, with no direction before it: of several solutions that
   which goes along the parameter, if one does. Decomposes the matrix anew. */
void shooting_first_tangent(struct shooting *shooting);
/* Sets the tangent to that of the solutions, where the equations were decomposed last, in
   the direction of the tangent before. */
void shooting_take_tangent(struct shooting *shooting);
/* The events of all segments, in their order, are those of the guess turned round, or
   NO_ORBIT. */
enum status shooting_check_events(const struct shooting *shooting,
                                  const struct orbit_guess *guess,
                                  struct diagnosis *diagnosis);
/* The orbit that has been solved for, this often round, as a guess with these events; to
   be freed by orbit_guess_free. */
struct orbit_guess *shooting_guess(const struct shooting *shooting,
                                   const struct orbit_guess *events, int rounds);
int shooting_count_events(const struct shooting *shooting);

/* The segment after segment k. */
static inline int shooting_next(const struct shooting *shooting, int k)
{
    return k + 1 < shooting->nodes ? k + 1 : 0;
}
/* Errors of runs leave residuals of this size, by their tolerance. */
double shooting_rounding(const struct shooting *shooting);
/* The period. */
static inline double shooting_period(const struct shooting *shooting)
{
    return shooting->u[shooting->period];
}

#endif
