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
    struct solution reference;            /* the reference of the exact motion */
    bool asked;                         /* reference is there */
};

/* Opens model, parameters and sample times. To be closed in either case. */
enum status solvers_open(struct solvers *solvers, struct diagnosis *diagnosis);
void solvers_close(struct solvers *solvers);

/* In double at two tolerances; `rule` NULL: saltation. A run that asks for a lower rtol
   gets it once, and has no coarser run then. */
struct solution solvers_solve(const struct solvers *solvers,
                              const struct formulation *formulation,
                              const struct jump_rule *rule);
/* By complex step at the finer tolerance; and at the coarser one, too: false if that is
   there already, or cannot be. */
struct solution solvers_complex_step(const struct solvers *solvers,
                                     const struct formulation *formulation);
bool solvers_complex_step_coarse(const struct solvers *solvers,
                                 struct solution *solution);
/* A coarser run that is missing says nothing against the finer one: it had too few digits
   for the motion, or for an event that is near grazing. */
bool solvers_lacks_digits(const struct solution *solution);
/* By the reference, the motion of a formulation that does not keep its constraints. */
struct solution solvers_variant(const struct solvers *solvers,
                                const struct formulation *formulation);
/* solvers->reference, by the reference; once. */
void solvers_ask_reference(struct solvers *solvers);
/* The two routes of the reference along a direction in which every parameter counts:
   derivatives and saltation, differences of whole motions. False: one has no answer. */
bool solvers_two_routes(const struct solvers *solvers, struct solution *variational,
                        struct solution *differences);

#endif
