/*
 * point_formulas.h - formulas of a model at the points of its trajectories, in double.
 */
#ifndef SALTUS_POINT_FORMULAS_H
#define SALTUS_POINT_FORMULAS_H

#include "program/program.h"
#include "run.h"

struct point_formulas {
    const struct columns *columns;
    struct program *program;
    double *w;                  /* [program->slots] */
};

/* Seals f [count], formulas in t, q, v, s, a, lambda, rho and coordinates of a twin, of
   the model of the trajectory. Parameters are those of its run; the trajectory must
   outlive *at. */
void point_formulas_init(struct point_formulas *at, const struct trajectory *trajectory,
                         const formula *f, int count);
void point_formulas_clear(struct point_formulas *at);
/* Evaluates them at a point: out [count]. `twin` [model->twin_n]: coordinates of the
   twin; NULL: no formula has any. */
void point_formulas_evaluate(const struct point_formulas *at,
                             const struct run_point *point, const double *twin,
                             double *out);

#endif
