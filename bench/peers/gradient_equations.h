/*
 * gradient_equations.h - the equations of a gradient for other libraries: rates,
 * pullbacks, guards and jumps of any case, by C generated from its formulas.
 *
 *     y = (q, v, s, z)      y' = f(t, y, rho)      psi = w(t, y, rho) + z_k
 *
 * in explicit form: accelerations are solved for. A library brings its integrator, its
 * checkpoints and its way back.
 */
#ifndef SALTUS_GRADIENT_EQUATIONS_H
#define SALTUS_GRADIENT_EQUATIONS_H

#include "peers/peer.h"

struct gradient_equations;

/* The equations of the workload of a gradient, compiled, with nominal parameters. NULL
   and a diagnosis: the end of the run moves with parameters, or as from runner_new(). */
struct gradient_equations *gradient_equations_new(const struct peer *peer,
                                                  struct diagnosis *diagnosis);
void gradient_equations_free(struct gradient_equations *equations);

/* The number of unknowns y; of those of them that are not costs, which come first; of
   parameters; of events of the case. */
int gradient_unknowns(const struct gradient_equations *equations);
int gradient_states(const struct gradient_equations *equations);
int gradient_parameters(const struct gradient_equations *equations);
int gradient_events(const struct gradient_equations *equations);

/* Begins a run: sets y [unknowns] and the mode of the start, and the times of both
   ends. */
enum status gradient_start(struct gradient_equations *equations, double *y, double *t0,
                           double *t_end);
/* dy [unknowns] = f in the mode in hand. */
enum status gradient_rates(struct gradient_equations *equations, double t,
                           const double *y, double *dy);
/* Weights mu [unknowns] pulled back at a point: by_y [states] = f_y' mu, by_rho
   [parameters] = f_rho' mu. */
enum status gradient_pullback(struct gradient_equations *equations, double t,
                              const double *y, const double *mu, double *by_y,
                              double *by_rho);
/* mu [unknowns] and G [parameters] with which the way back begins, at y. */
enum status gradient_end(struct gradient_equations *equations, double t, const double *y,
                         double *mu, double *G);
/* 1: event k happens where its guard rises; -1: where it falls; 0: both. */
int gradient_event_direction(const struct gradient_equations *equations, int k);
/* r [events]: the guards of the mode in hand at a point, 1 for those of other modes. */
enum status gradient_guards(struct gradient_equations *equations, double t,
                            const double *y, double *r);
/* Event k happens at y [unknowns], which becomes the state after it, in the mode that is
   entered. */
enum status gradient_event(struct gradient_equations *equations, int k, double t,
                           double *y);
/* Enters the mode that event k leaves. */
void gradient_leave_event(struct gradient_equations *equations, int k);
/* Carries weights mu [unknowns], G [parameters] back over event k at y before it, in the
   mode that it leaves, which stays in hand. */
enum status gradient_event_back(struct gradient_equations *equations, int k, double t,
                                const double *y, double *mu, double *G);
/* answer = mu' Y(t0) + G at the start. */
void gradient_answer(const struct gradient_equations *equations, const double *mu,
                     const double *G, struct answer *answer);

#endif
