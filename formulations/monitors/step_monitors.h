/*
 * step_monitors.h - what is looked at after each step in a mode: guards and monitors of
 * edges, how fast they change, and the constraints, in one program of a state and its
 * rate. Guards and monitors alone are looked at inside a step, too.
 *
 * To the bit what the programs of guards (system.h), monitors (edge_monitors.h) and
 * constraints (constraints.h) have there, which serve events, starts and projections, and
 * derivatives.
 */
#ifndef SALTUS_LOOK_H
#define SALTUS_LOOK_H

#include "codegen/code_cache.h"
#include "model.h"
#include "program/program.h"

/* x and its rate are x [dim] and, right behind it, x' [dim]. */
typedef void look_function(const double *c, double t, const double *x, double *value,
                           double *unused);

struct look {
    const struct mode *mode;
    int n, ns, dim, guards;         /* guards: 0 if some depend on the unknowns */
    int edges;                      /* monitors that depend on the state alone, */
    int *beside;                    /* [edges] row of what is beside it; -1: nothing */
    int rows;                       /* r: guards, monitors, what is beside these */
    struct program *program;        /* outputs: r, r' [rows], Phi, Phid [m], Phi_q */
    double *w;                      /* its work */
    double *value;                  /* the outputs at the point last looked at, */
    const double *r, *rd, *Phi, *Phid, *Phi_q;      /* parts of it */
    struct rented rented;           /* the program, compiled, */
    look_function *function;        /* of that code, or NULL; */
    struct rented rented_guards;    /* and its rows r alone, */
    look_function *guard_function;  /* which do not look at the rate */
};

/* Of the guards `event` [guards] of a mode; states are [dim], derivatives included. */
void look_init(struct look *look, const struct model *model, const struct mode *mode,
               const struct event *const *event, int guards, int dim);
void look_clear(struct look *look);
/* rho [model->p] */
void look_set(struct look *look, const double *rho);
void look_use_code(struct look *look, enum code_use use);
/* The program as C (emit.h), malloc'ed, of a function of that name with the first so many
   outputs; lanes 0: of one point. */
extern const char look_symbol[];
char *look_text(const struct look *look, int outputs, int lanes);
/* Sets look->r and the others; x [2][dim]. */
void look_at(struct look *look, double t, const double *x);
/* r [rows] alone, of a state x [dim]. False where it is not compiled. */
static inline bool look_guards(const struct look *look, double t, const double *x,
                               double *r)
{
    if (!look->guard_function)
        return false;
    look->guard_function(look->w, t, x, r, NULL);
    return true;
}
/* Then others have evaluated them: what that has cost counts, and they may be compiled
   the next time. */
void look_guards_missed(struct look *look);

#endif
