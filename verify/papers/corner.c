/*
 * corner.c - Corner, Sandu, Sandu 2019: the ledger of printed formulas alone
 */
#include "papers/corner_formulas.h"

extern const struct study corner_formulas;
extern const struct paper paper_corner;
const struct paper paper_corner = {
    .name = "corner",
    .authors = "Corner, Sandu, Sandu",
    .year = "2019",
    .title = "Modeling and sensitivity analysis methodology for hybrid dynamical system",
    .journal = "Nonlinear Analysis: Hybrid Systems 31",
    .question = "Which of the printed formulas hold?",
    .study = (const struct study *const[]){&corner_formulas, NULL}};
