/*
 * versus.h - periodic motions of this program beside those of AUTO-07p, as boundary value
 * problems over segments (bvp.h).
 *
 * A quantity is a vector of numbers, each with a size by which it is compared. AUTO is
 * asked on meshes of which each has twice the intervals of the one before. It agrees if
 * no number is further from ours than its own tolerance, as the number depends on what it
 * writes, and its own change since the mesh before together. In each round both solve
 * everything once.
 */
#ifndef SALTUS_VERSUS_H
#define SALTUS_VERSUS_H

#include <stdio.h>

#include "bvp/auto_run.h"
#include "measure/measure.h"
#include "orbits/branch.h"

enum { VERSUS_MESHES = 3, VERSUS_FIRST_MESH = 10, MOST_VERSUS = 8 };

/* The motion, and its derivatives by the parameter; at the first bifurcation the
   parameter (of a fold: AUTO is told where a period doubling is), the motion, and its
   multipliers (of a period doubling: at a fold they are the derivatives of no solution).
   Period and states are one quantity there. */
enum versus_quantity {
    VERSUS_PERIOD,
    VERSUS_STATES,              /* after all events of a period */
    VERSUS_DERIVATIVES,         /* of both, by the parameter, along with the events */
    VERSUS_MULTIPLIERS,         /* coefficients of the polynomial whose roots those are
                                   that are not trivial, which are sensitive themselves
                                   where two are close */
    VERSUS_PLACE, VERSUS_PLACE_STATES, VERSUS_PLACE_MULTIPLIERS,
    VERSUS_QUANTITIES
};
extern const char *const versus_quantity_text[];

struct versus_problem {
    const char *name;           /* of the case */
    double t_end;
    const char *parameter;
    double to;
};
/* The problems of versus.def, ended by a name that is NULL. */
extern const struct versus_problem versus_problems[];

/* Numbers of a quantity. */
struct versus_vector {
    int count;                  /* 0: not compared here */
    double *ours, *size;        /* [count] */
    double *condition;          /* [count] by which errors of what AUTO writes count; 1
                                   where it writes the number itself */
    double *theirs[VERSUS_MESHES];
};

struct versus {
    const struct versus_problem *problem;
    struct model *model;
    double *value;              /* [model->p] */
    int parameter;
    struct orbit *orbit;
    struct branch *branch;      /* as far as its first bifurcation; it ends with that, or
                                   there is none */
    struct versus_vector quantity[VERSUS_QUANTITIES];
    int rounds;
    double own_seconds[2][MOST_ROUNDS];     /* [rounds] of the processor: orbit; branch */
    double seconds[VERSUS_MESHES][2][MOST_ROUNDS];      /* AUTO's */
    enum status status;         /* OK, or `diagnosis` says why there is no comparison */
    struct diagnosis diagnosis;
};

struct versus_request {
    double rtol;                /* of our runs */
    double timeout;             /* of each call of AUTO, in seconds */
    int rounds;
};
/* Compares one problem; to be closed. */
void versus_open(struct versus *versus, const struct versus_problem *problem,
                 const struct versus_request *request);
void versus_close(struct versus *versus);

/* The point of the branch that was compared; NULL: none. */
const struct branch_point *versus_place(const struct versus *versus);
/* The largest difference of an enum versus_quantity from ours on a mesh, and the most
   that is allowed where the difference is largest beyond that: NAN on the first mesh.
   False: AUTO disagrees. */
bool versus_agrees(const struct versus *versus, int quantity, int mesh,
                   double *difference, double *allowed);
/* All that was compared agrees, on every mesh but the first. */
bool versus_holds(const struct versus *versus);

/* A table of all; and as CSV. */
void versus_print(FILE *out, const struct versus *versus, int count, double rtol);
void versus_csv(FILE *out, const struct versus *versus, int count);

#endif
