/*
 * judged_rules.h - jump rules that are only judged, never used to solve.
 *
 * They are variants as they are printed, and seeded faults. A run takes one like any
 * other rule, and nothing else changes.
 */
#ifndef SALTUS_JUDGED_RULES_H
#define SALTUS_JUDGED_RULES_H

#include "events/jump.h"

extern const struct jump_rule *const judged_rules[];    /* NULL-terminated */

#endif
