/*
 * probe.h - formulas of a model at a point of a trajectory, and their derivatives along a
 * direction by complex step (Squire, Trapp 1998).
 *
 * A formula is evaluated as it stands, at x + i eps dx: no derivative row takes part.
 */
#ifndef SALTUS_PROBE_H
#define SALTUS_PROBE_H

#include "program/program.h"
#include "run.h"

struct probe {
    struct program *program;
    double *x;                      /* workspace of the program, in double */
    double complex *w;              /* likewise in complex */
    int units;                      /* the largest number of variables of a block */
    double *unit;                   /* [units] direction of one variable */
    /* Values of the blocks, and their directions (NULL: the block does not move). The
       caller may set any of them, BLOCK_TWIN too; those of a block that no formula has
       may be NULL. */
    const double *value[BLOCK_LIMIT], *along[BLOCK_LIMIT];
};

/* Opens formulas [count] of a model, or of a branch of it on which the caller has written
   them, at parameters `rho`, which must outlive the probe. */
void probe_init(struct probe *probe, const struct model *model, const double *rho,
                const formula *f, int count);
void probe_clear(struct probe *probe);

/* Sets the values of t, q, v, s, a and lambda; nothing moves. */
void probe_at(struct probe *probe, const struct columns *columns,
              const struct run_point *point);

/* Lets q, v, s, a, lambda and rho move as they do by parameter number j of the columns,
   at a fixed time: f_x x_rho + f_rho. */
void probe_by(struct probe *probe, const struct columns *columns,
              const struct run_point *point, int j);
/* Lets parameter number j of the columns alone move: f_rho. */
void probe_by_parameter(struct probe *probe, const struct columns *columns, int j);
/* Lets variable i of a block alone move: f_q_i. */
void probe_by_one(struct probe *probe, int block, int i);
/* Lets t, q and v move along the motion: f_t + f_q v + f_v a. A formula in s, a or lambda
   has no such derivative here. */
void probe_by_time(struct probe *probe);
/* Keeps the direction of one block, and stops all others. */
void probe_only(struct probe *probe, int block);
/* Stops all blocks. */
void probe_still(struct probe *probe);

/* Evaluates: value [count] and derivative [count], either may be NULL. Values alone are
   evaluated in double. */
void probe_evaluate(struct probe *probe, double *value, double *derivative);

#endif
