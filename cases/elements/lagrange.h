/*
 * lagrange.h - Lagrange's equations: a mechanism stated by its energies and loads.
 *
 * The words are for the mode under the pen, after all coordinates are declared. Their
 * terms are added to M and F when the model is completed (lagrange.c), beside the terms
 * that the case writes itself. The native oracle has no differentiation: case files that
 * include a header of this folder are listed with CASE_OF_ELEMENTS in catalogue.def and
 * not compiled natively.
 */
#ifndef SALTUS_LAGRANGE_H
#define SALTUS_LAGRANGE_H

#include "model.h"

/* Adds to the kinetic energy T(t,q,v,s,rho), J; at most quadratic in v. */
void model_kinetic(struct model *model, formula T);
/* Adds to the potential energy V(t,q,s,rho), J. */
void model_potential(struct model *model, formula V);
/* A force along a place r(t,q,s,rho), whose work is force * dr: F += r_q' force. The
   force may depend on (t,q,v,s,lambda,rho); N for a length, N m for an angle. */
void model_force(struct model *model, formula place, formula force);
/* A force on a rate w that is linear in v and of no place (a component of an angular
   velocity), whose power is force * w: F += w_v' force. */
void model_force_on_rate(struct model *model, formula rate, formula force);
/* T + V of the mode under the pen as stated so far, for model->energy. */
formula model_energy(const struct model *model);
/* The rate of f(t,q,s,rho) along the motion: f_t + f_q v (+ f_s f_s, once stated). */
formula model_rate(const struct model *model, formula f);

#endif
