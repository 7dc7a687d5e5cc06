/*
 * guard_conditions.h - guard conditions in double: they choose between the events of a
 * guard.
 */
#ifndef SALTUS_GUARD_CONDITIONS_H
#define SALTUS_GUARD_CONDITIONS_H

#include "model.h"
#include "base/arena.h"
#include "program/stages.h"

struct guard_conditions {
    int count;                      /* number in all events; 0: no other member is set */
    int *first;                     /* [model->events] first condition of each event */
    struct program *program;        /* outputs: the conditions */
    bool uses_unknowns;             /* some condition depends on a or lambda */
    double *w;                      /* [program->slots] work of `program` */
    double *value;                  /* [2][conditions] at a state, then beside the state;
                                       set by guard_conditions_take */
};

/* Builds the program of the conditions of all events. The arena outlives them. */
void guard_conditions_init(struct guard_conditions *conditions, struct arena *arena,
                           const struct model *model);
/* Loads the parameters rho [model->p] before a run. */
/* rho [model->p] */
void guard_conditions_set(struct guard_conditions *conditions, const double *rho);
/* Frees the program; the arrays belong to the arena. */
void guard_conditions_clear(struct guard_conditions *conditions);

#endif
