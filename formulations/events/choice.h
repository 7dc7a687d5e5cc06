/*
 * choice.h - guard conditions in double: they choose between the events of a guard.
 */
#ifndef SALTUS_CHOICE_H
#define SALTUS_CHOICE_H

#include "model.h"
#include "base/arena.h"
#include "program/stages.h"

struct choice {
    int conditions;                 /* number in all events; 0: no other member is set */
    int *first;                     /* [model->events] first condition of each event */
    struct program *program;        /* outputs: the conditions */
    bool uses_unknowns;             /* some condition depends on a or lambda */
    double *w;                      /* [program->slots] work of `program` */
    double *value;                  /* [2][conditions] at a state, then beside the state;
                                       set by choice_take */
};

/* Builds the program of the conditions of all events. The arena outlives the choice. */
void choice_init(struct choice *choice, const struct model *model, struct arena *arena);
/* Loads the parameters rho [model->p] before a run. */
/* rho [model->p] */
void choice_set(struct choice *choice, const double *rho);
/* Frees the program; the arrays belong to the arena. */
void choice_clear(struct choice *choice);

#endif
