/*
 * choice.h - the conditions of all events, in double: which event of a guard happens.
 */
#ifndef SALTUS_CHOICE_H
#define SALTUS_CHOICE_H

#include "model.h"
#include "base/arena.h"
#include "program/stages.h"

struct choice {
    int conditions;                 /* of all events; 0: there are none, and nothing
                                       else here */
    int *first;                     /* [model->events] of each event */
    struct program *program;        /* outputs: the conditions */
    bool uses_unknowns;
    double *w;                      /* its work */
    double *value;                  /* [2][conditions] at a state, and at one beside it */
};

/* The arena outlives the choice. */
void choice_init(struct choice *choice, const struct model *model, struct arena *arena);
/* rho [model->p] */
void choice_set(struct choice *choice, const double *rho);
void choice_clear(struct choice *choice);

#endif
