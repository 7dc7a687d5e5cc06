/*
 * solvers.h - one random mechanism and those who solve it; for judge_draw.c and solvers.c.
 */
#ifndef SALTUS_COURT_H
#define SALTUS_COURT_H

#include "random/judge_draw.h"

enum { COURT_POINTS = 9 };

struct court {
    const struct draw *draw;
    const struct draw_request *request;
    struct draw_verdict *verdict;
    struct model *model;
    int parameters, parameter[DRAW_PARAMETERS];
    double value[DRAW_PARAMETERS], sample[COURT_POINTS], span;
    struct solution base;
    struct solution truth;              /* the reference of the exact motion */
    bool asked;                         /* truth is there */
};

/* Opens model, parameters and sample times. To be closed in either case. */
enum status court_open(struct court *court, struct diagnosis *diagnosis);
void court_close(struct court *court);

/* In double at two tolerances; `rule` NULL: saltation. A run that asks for a lower rtol
   gets it once, and has no coarser run then. */
struct solution court_solve(const struct court *court,
                            const struct formulation *formulation,
                            const struct jump_rule *rule);
/* By complex step at the finer tolerance; and at the coarser one, too: false if that is
   there already, or cannot be. */
struct solution court_complex_step(const struct court *court,
                                   const struct formulation *formulation);
bool court_complex_step_coarse(const struct court *court, struct solution *solution);
/* A coarser run that is missing says nothing against the finer one: it had too few digits
   for the motion, or for an event that is near grazing. */
bool court_lacks_digits(const struct solution *solution);
/* By the reference, the motion of a formulation that does not keep its constraints. */
struct solution court_variant(const struct court *court,
                              const struct formulation *formulation);
/* court->truth, by the reference; once. */
void court_ask_reference(struct court *court);
/* The two routes of the reference along a direction in which every parameter counts:
   derivatives and saltation, differences of whole motions. False: one has no answer. */
bool court_two_routes(const struct court *court, struct solution *variational,
                      struct solution *differences);

#endif
