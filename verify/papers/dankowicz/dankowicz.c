/*
 * dankowicz.c - Dankowicz, multiple shooting notes: a hybrid oscillator, the zero problem
 * of its periodic motion, and the derivatives of that motion
 */
#include "papers/dankowicz/dankowicz.h"

static const struct study zero_problem = {
    .name = "dankowicz, zero problem", .weight = 1, .open = dankowicz_open,
    .close = dankowicz_close, .claim = dankowicz_claims, .formula = dankowicz_formulas,
    .figure = dankowicz_figures};

extern const struct paper paper_dankowicz;
const struct paper paper_dankowicz = {
    .name = "dankowicz",
    .authors = "Dankowicz",
    .year = "undated",
    .title = "Hybrid dynamical systems, multiple shooting notes",
    .journal = "Slides, University of Illinois at Urbana-Champaign",
    .question = "A driven oscillator hits a wall; its periodic motion is the zero of a "
                "multiple shooting problem with one segment for each event, whose "
                "Jacobians by states and parameters are given.",
    .study = (const struct study *const[]){&zero_problem, &dankowicz_branches, NULL}};
