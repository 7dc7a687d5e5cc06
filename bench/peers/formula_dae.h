/*
 * formula_dae.h - the equations of a case without events as an implicit DAE of index 1,
 * by C generated from the formulas of the case, for other solvers.
 *
 *     y = (q, v, s, lambda)
 *
 *     q' - v = 0,    s' - f_s = 0,    M v' + Phi_q' lambda - F = 0,    Phidd(v') = 0
 *
 * with f_s and the last two at a = v'. Residual, Jacobian and tangents are programs of
 * their own, each compiled by the compiler, and with the flags, of this project's own
 * equations: a residual does not pay for derivatives.
 */
#ifndef SALTUS_FORMULA_DAE_H
#define SALTUS_FORMULA_DAE_H

#include <stdbool.h>

#include "workloads/workload.h"

struct formula_dae;

/* The equations of a workload with nominal parameters, compiled. NULL and a diagnosis:
   NOT_APPLICABLE, the case has events or several modes; or there is no start. */
struct formula_dae *formula_dae_new(const struct workload *workload,
                                    struct diagnosis *diagnosis);
void formula_dae_free(struct formula_dae *dae);

/* The number of unknowns y; of those of them whose rates the equations contain, which
   come first; of parameters. */
int formula_dae_unknowns(const struct formula_dae *dae);
int formula_dae_differential(const struct formula_dae *dae);
int formula_dae_parameters(const struct formula_dae *dae);
/* True: there was a compiler, and nothing is interpreted. */
bool formula_dae_compiled(const struct formula_dae *dae);

/* The start time; y, yd [unknowns] and derivatives s[j], sd[j] [unknowns] by each
   parameter there, consistent. The rates of multipliers, which the equations do not
   contain, are zero. */
double formula_dae_start(struct formula_dae *dae, double *y, double *yd,
                         double *const *s, double *const *sd);
/* residual [unknowns] = the left-hand side at t, y, yd. */
void formula_dae_residual(struct formula_dae *dae, double t, const double *y,
                          const double *yd, double *residual);
/* Column k of r_y + c r_y' is column[k] [unknowns]; entries that are always zero are left
   as they are. */
void formula_dae_jacobian(struct formula_dae *dae, double t, double c, const double *y,
                          const double *yd, double *const *column);
/* Takes the point for tangents; then residual [unknowns] = the derivative of the
   left-hand side there along s, sd [unknowns] and parameter j. */
void formula_dae_point(struct formula_dae *dae, double t, const double *y,
                       const double *yd);
void formula_dae_tangent(struct formula_dae *dae, int j, const double *s,
                         const double *sd, double *residual);
/* The answer of the workload from y and derivatives s[j] at its end. */
void formula_dae_answer(const struct formula_dae *dae, const double *y,
                        double *const *s, struct answer *answer);

#endif
