/*
 * cross_checks.h - checks that see a wrong force, inertia or reset of a case.
 *
 * Double solvers, reference, complex step and native oracle all take the statements of a
 * case for true, and so do certified values that are made from them. These do not: closed
 * forms, another case with the same motion, printed numbers, the energy with its power,
 * where the case states it from its bodies and it is not the sum T + V that M and F were
 * made of, and balances of events (balances.h).
 */
#ifndef SALTUS_CROSS_CHECKS_H
#define SALTUS_CROSS_CHECKS_H

#include <stddef.h>

#include "model.h"

enum cross_check {
    CROSS_CHECK_CLOSED_FORM = 1 << 0,
    CROSS_CHECK_TWIN        = 1 << 1,
    CROSS_CHECK_PUBLISHED   = 1 << 2,
    CROSS_CHECK_ENERGY      = 1 << 3,
    CROSS_CHECK_BALANCE     = 1 << 4
};

/* Sets of enum cross_check; -1: the case has none to state (no force that is not zero, no
   reset but identities). */
struct cross_checks {
    int force, inertia, reset;
};
/* The cross checks of a model. `twin`: another case names this one as its twin, and its
   row falls short. */
struct cross_checks cross_checks_of(const struct model *model, bool twin);

/* A set in words: "closed-form, twin", "nobody", or "-" for -1. */
void cross_checks_text(int set, char *text, size_t size);

#endif
