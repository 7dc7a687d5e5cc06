/*
 * model_equations.h - equations between the dimensions of a model, beside those of its
 * formulas:
 *
 *     M_ij a_j, (Phi_q' lambda)_i, F_i, d/dt T_v, T_q, V_q     equal in a row of a mode
 *     q+ and q, v+ and v, s+ and s, E and 1                     equal at an event
 *     (Psi_q' J)_i                                              such a row times time
 *     f_s and s per time, g and z per time, power and energy per time
 *     q0, v0, s0, their guesses, t0, t_end, w: what they are of
 */
#ifndef SALTUS_MODEL_EQUATIONS_H
#define SALTUS_MODEL_EQUATIONS_H

#include "units/analysis.h"

/* Adds all equations of the model, those of the start before the others or behind the
   events; what does not fit is said. Whether all fits does not depend on the order, but
   which of them does not. */
void model_equations_add(struct analysis *analysis, bool start_first);

#endif
