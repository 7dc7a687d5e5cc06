/*
 * judged_rules.h - jump rules that are only judged, never used to solve.
 *
 * Printed variants of the errata ledger and seeded
 * faults. They are passed to a run like any other rule and touch nothing else.
 */
#ifndef SALTUS_JUDGED_RULES_H
#define SALTUS_JUDGED_RULES_H

#include "events/jump.h"

extern const struct jump_rule *const judged_rules[];    /* NULL-terminated */

#endif
