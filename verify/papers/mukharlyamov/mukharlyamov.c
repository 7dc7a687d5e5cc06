/*
 * mukharlyamov.c - Mukharlyamov, Deressa 2014: stabilisation of redundantly constrained
 * systems, the paper and its studies
 */
#include "papers/mukharlyamov/mukharlyamov.h"

extern const struct paper paper_mukharlyamov;
const struct paper paper_mukharlyamov = {
    .name = "mukharlyamov",
    .authors = "Mukharlyamov, Deressa",
    .year = "2014",
    .title = "Stabilization of Redundantly Constrained Dynamic System",
    .journal = "Received 26 June 2014",
    .question = "A two-link arm whose tip is led along a line passes its folded "
                "position, where the constraints lose rank: by the generalised Baumgarte "
                "method and by the modified Lagrange's equation.",
    .study = (const struct study *const[]){
        &mukharlyamov_baumgarte, &mukharlyamov_modified, &mukharlyamov_formulas, NULL}};
