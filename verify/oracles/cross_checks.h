/*
 * cross_checks.h - who would see that a case states a wrong force, inertia or reset?
 *
 * Double solvers, reference, complex step and native oracle all take what the case states
 * for true, and so do certified values that are made from it. What does not: closed
 * forms, another case with the same motion, printed numbers, the energy with its power,
 * where the case states it from its bodies and it is not the sum T + V that M and F were
 * made of, and balances of events (balances.h).
 */
#ifndef SALTUS_WITNESSES_H
#define SALTUS_WITNESSES_H

#include <stddef.h>

#include "model.h"

enum witness {
    WITNESS_CLOSED_FORM = 1 << 0,
    WITNESS_TWIN        = 1 << 1,
    WITNESS_PUBLISHED   = 1 << 2,
    WITNESS_ENERGY      = 1 << 3,
    WITNESS_BALANCE     = 1 << 4
};

/* Sets of enum witness; -1: the case has none to state (no force that is not zero, no
   reset but identities). */
struct witnesses {
    int force, inertia, reset;
};
/* `twin`: another case names this one as its twin; its row falls short. */
struct witnesses witnesses_of(const struct model *model, bool twin);

/* "closed-form, twin", "nobody", or "-" for -1. */
void witnesses_text(int set, char *text, size_t size);

#endif
