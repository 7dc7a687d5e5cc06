/*
 * shared_parts.h - what oracles share with what they judge, in words (shared_parts.def,
 * oracles.def).
 */
#ifndef SALTUS_SHARES_H
#define SALTUS_SHARES_H

#include <stddef.h>

#include "oracles/oracle.h"

struct shares_part {
    const char *id, *words;
};
extern const struct shares_part shares_parts[];
extern const int shares_part_count;

enum { SHARES_TEXT = 512 };
/* "shares the formulas of the case; not equations of resets; values only" */
void shares_text(const struct oracle *oracle, char *text, size_t size);

#endif
