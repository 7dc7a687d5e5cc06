/*
 * terms.h - the jump of sensitivities with every term multiplied by a factor.
 *
 * One implementation of the formulas of events/jump.h stands behind all faults that are
 * one term too little, too much or of the wrong sign. With no factor changed it is
 * saltation, to the last bit.
 */
#ifndef SALTUS_TERMS_H
#define SALTUS_TERMS_H

#include "events/jump.h"

enum term {
#define TERM(id, ...) TERM_##id,
#define SWAP(id) SWAP_##id,
#include "faults/terms.def"
#undef TERM
#undef SWAP
    TERMS
};

/* A jump rule in which term k is there 1 + change[k] times; a swap change[k] times. */
struct term_rule {
    struct jump_rule rule;      /* first member; with terms_tau and terms_apply */
    double change[TERMS];
};

/* tau of the rules of struct term_rule. GRAZING: the terms that are left of the rate are
   zero. */
enum status terms_tau(const struct jump *jump, int parameter,
                      const struct jump_column *before, double *tau);
/* The jump of the rules of struct term_rule. */
enum status terms_apply(const struct jump *jump, int parameter,
                        const struct jump_column *before, double tau,
                        struct jump_column *after);

/* The words for the terms and for their place, in their order; ends with NULL. */
extern const struct term_text { const char *text, *place; } term_texts[];

/* Every term missing, then of the wrong sign, twice, half: "no-r-rho", "minus-r-rho",
   "twice-r-rho", "half-r-rho", ...; ends with one that has no name. */
extern const struct term_rule term_rules[];

#endif
