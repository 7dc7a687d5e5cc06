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
    double complex *w;              /* workspace of the program */
    double *unit;                   /* [p] the direction of a parameter */
    /* Values of the blocks, and their directions (NULL: the block does not move). The
       caller may set any of them; those of a block that no formula has may be NULL. */
    const double *value[BLOCK_LIMIT], *along[BLOCK_LIMIT];
};

/* Opens formulas [count] of a model, or of a branch of it, at parameters `rho`, which
   must outlive the probe. */
void probe_init(struct probe *probe, const struct model *model, const double *rho,
                const formula *f, int count);
void probe_clear(struct probe *probe);

/* Sets the values of t, q, v, s, a and lambda; nothing moves. */
void probe_at(struct probe *probe, const struct columns *columns,
              const struct run_point *point);
/* Lets q, v, s, a, lambda and rho move as they do by parameter number j of the columns,
   at a fixed time. */
void probe_by(struct probe *probe, const struct columns *columns,
              const struct run_point *point, int j);
/* Lets parameter number j of the columns alone move. */
void probe_by_parameter(struct probe *probe, const struct columns *columns, int j);
/* Nothing moves any more. */
void probe_still(struct probe *probe);
/* Evaluates: value [count] and derivative [count], either may be NULL. */
void probe_evaluate(struct probe *probe, double *value, double *derivative);

/* How well numbers agree: the largest difference beside the largest number. */
struct match {
    double error, size;
};
void match_add(struct match *match, const double *got, const double *want, int count);
/* Decimal digits, 0 .. 16. A size below 1e-3 counts as 1e-3. A wanted number that is NAN
   does not count; a NAN beside a number has no digits. */
double match_digits(const struct match *match);

#endif
