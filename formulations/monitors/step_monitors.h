/*
 * step_monitors.h - what is looked at after each step in a mode: guards and monitors of
 * edges, how fast they change, and the constraints, in one program of a state and its
 * rate. Guards and monitors alone are looked at inside a step, too.
 *
 * To the bit what the programs of guards (system.h), monitors (edge_monitors.h) and
 * constraints (constraints.h) have there, which serve events, starts and projections, and
 * derivatives.
 */
#ifndef SALTUS_STEP_MONITORS_H
#define SALTUS_STEP_MONITORS_H

#include "base/arena.h"
#include "codegen/tier_up.h"
#include "model.h"
#include "program/stages.h"

/* x and its rate are x [dim] and, right behind it, x' [dim]. */
typedef void step_monitors_function(const double *c, double t, const double *x,
                                    double *value, double *unused);

struct step_monitors {
    const struct mode *mode;
    int n, ns, dim, guards;         /* guards: 0 if some depend on the unknowns */
    int edges;                      /* monitors that depend on the state alone, */
    int *beside;                    /* [edges] row of what is beside it; -1: nothing */
    int rows;                       /* r: guards, monitors, what is beside these */
    struct program *program;        /* outputs: r, r' [rows], Phi, Phid [m], Phi_q */
    double *w;                      /* its work */
    double *value;                  /* the outputs at the point last looked at, */
    const double *r, *rd, *Phi, *Phid, *Phi_q;      /* parts of it */
    struct tiered_code tiered;                      /* the program, compiled, */
    step_monitors_function *function;               /* of that code, or NULL; */
    struct tiered_code tiered_guards;               /* and its rows r alone, */
    step_monitors_function *guard_function;         /* which do not look at the rate */
};

/* Of the guards `event` [guards] of a mode; states are [dim], derivatives included;
   `arena` has the arrays. */
void step_monitors_init(struct step_monitors *monitors, struct arena *arena,
                        const struct model *model, const struct mode *mode,
                        const struct event *const *event, int guards, int dim);
void step_monitors_clear(struct step_monitors *monitors);
/* rho [model->p] */
void step_monitors_set(struct step_monitors *monitors, const double *rho);
void step_monitors_use_code(struct step_monitors *monitors, enum code_use use);
/* The program as C (emit.h), malloc'ed, of a function of that name with the first so many
   outputs; lanes 0: of one point. */
extern const char step_monitors_symbol[];
char *step_monitors_text(const struct step_monitors *monitors, int outputs, int lanes);
/* Sets look->r and the others; x [2][dim]. */
void step_monitors_at(struct step_monitors *monitors, double t, const double *x);
/* r [rows] alone, of a state x [dim]. False where it is not compiled. */
static inline bool step_monitors_guards(const struct step_monitors *monitors, double t,
                                        const double *x, double *r)
{
    if (!monitors->guard_function)
        return false;
    monitors->guard_function(monitors->w, t, x, r, NULL);
    return true;
}
/* Then others have evaluated them: what that has cost counts, and they may be compiled
   the next time. */
void step_monitors_guards_missed(struct step_monitors *monitors);

#endif
