/*
 * step_monitors.h - the monitors evaluated after each step in a mode: guards and monitors
 * of edges, their rates, and the constraints, in one program of a state and its rate.
 * Guards and monitors alone are evaluated inside a step, too.
 *
 * The values are, to the bit, those of the programs of guards (system.h), monitors
 * (edge_monitors.h) and constraints (constraints.h), which serve events, starts and
 * projections, and derivatives.
 */
#ifndef SALTUS_STEP_MONITORS_H
#define SALTUS_STEP_MONITORS_H

#include "base/arena.h"
#include "codegen/tier_up.h"
#include "model.h"
#include "program/stages.h"

/* Compiled code of the program; x [dim] stands right before its rate [dim]. */
typedef void step_monitors_function(const double *c, double t, const double *x,
                                    double *value, double *unused);

/* step_monitors_init sets every member but the functions, which come with code. */
struct step_monitors {
    const struct mode *mode;
    int n, ns, dim, guards;         /* dim: of a state with derivatives; guards: 0 if one
                                       depends on a or lambda */
    int edges;                      /* monitors of edges that depend on the state alone */
    int *beside;                    /* [edges] row of the value beside; -1: none */
    int rows;                       /* r: guards, monitors, values beside */
    struct program *program;        /* outputs: r, r' [rows], Phi, Phid [m], Phi_q */
    double *w;                      /* work array of the program */
    double *value;                  /* outputs at the point last evaluated */
    const double *r, *rd, *Phi, *Phid, *Phi_q;      /* parts of `value` */
    struct tiered_code tiered;                      /* code of the program */
    step_monitors_function *function;               /* of `tiered`, or NULL */
    struct tiered_code tiered_guards;               /* code of the rows r alone */
    step_monitors_function *guard_function;         /* of `tiered_guards`, or NULL; does
                                                       not read the rate */
};

/* Takes the guards `event` [guards] of a mode; states have `dim` numbers, derivatives
   included. The arrays are in `arena`. */
void step_monitors_init(struct step_monitors *monitors, struct arena *arena,
                        const struct model *model, const struct mode *mode,
                        const struct event *const *event, int guards, int dim);
void step_monitors_clear(struct step_monitors *monitors);
/* Sets the parameters rho [model->p]. */
void step_monitors_set(struct step_monitors *monitors, const double *rho);
/* Compiles at once, or never, or when that pays. */
void step_monitors_use_code(struct step_monitors *monitors, enum code_use use);
/* The symbol that the texts define. */
extern const char step_monitors_symbol[];
/* The program as C (emit.h), malloc'ed: a function of the first `outputs` outputs, at
   points in `lanes` lanes; 0: at one point. */
char *step_monitors_text(const struct step_monitors *monitors, int outputs, int lanes);
/* Evaluates all monitors into `value`, from x [2][dim], a state and its rate. */
void step_monitors_at(struct step_monitors *monitors, double t, const double *x);
/* r [rows] alone, of a state x [dim]. False: there is no compiled code. */
static inline bool step_monitors_guards(const struct step_monitors *monitors, double t,
                                        const double *x, double *r)
{
    if (!monitors->guard_function)
        return false;
    monitors->guard_function(monitors->w, t, x, r, NULL);
    return true;
}
/* Notes that other programs have evaluated the guards for want of code; their cost
   counts, and may have the code made for the next time. */
void step_monitors_guards_missed(struct step_monitors *monitors);

#endif
