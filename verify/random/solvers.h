/*
 * solvers.h - one random mechanism and those who solve it; for judge_draw.c and
 * solvers.c.
 */
#ifndef SALTUS_SOLVERS_H
#define SALTUS_SOLVERS_H

#include "random/judge_draw.h"

enum { SOLVERS_POINTS = 9 };

struct solvers {
    const struct draw *draw;
    const struct draw_request *request;
    struct draw_verdict *verdict;
    struct model *model;
    int parameters, parameter[DRAW_PARAMETERS];
    double value[DRAW_PARAMETERS], sample[SOLVERS_POINTS], span;
    struct solution base;
    struct solution reference;            /* answer of the reference for the exact
                                             motion */
    bool asked;                         /* `reference` is set */
};

/* Opens model, parameters and sample times. To be closed in either case. */
enum status solvers_open(struct solvers *solvers, struct diagnosis *diagnosis);
void solvers_close(struct solvers *solvers);

/* Solves in double at two tolerances; `rule` NULL: saltation. A run that asks for a lower
   rtol gets it once, and has no coarser run then. */
struct solution solvers_solve(const struct solvers *solvers,
                              const struct formulation *formulation,
                              const struct jump_rule *rule);
/* Solves by complex step at the finer tolerance. */
struct solution solvers_complex_step(const struct solvers *solvers,
                                     const struct formulation *formulation);
/* Solves at the coarser tolerance, too; false: that is there already, or cannot be. */
bool solvers_complex_step_coarse(const struct solvers *solvers,
                                 struct solution *solution);
/* Had the coarser run too few digits for the motion, or for an event that is near
   grazing? Then its absence says nothing against the finer one. */
bool solvers_lacks_digits(const struct solution *solution);
/* Solves by the reference the motion of a formulation that does not keep its
   constraints. */
struct solution solvers_variant(const struct solvers *solvers,
                                const struct formulation *formulation);
/* Sets solvers->reference, once. */
void solvers_ask_reference(struct solvers *solvers);
/* Runs the two routes of the reference along a direction in which every parameter counts:
   derivatives and saltation, differences of whole motions. False: one has no answer. */
bool solvers_two_routes(const struct solvers *solvers, struct solution *variational,
                        struct solution *differences);

#endif
