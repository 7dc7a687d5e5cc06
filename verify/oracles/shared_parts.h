/*
 * shared_parts.h - the parts that oracles share with the run they judge, in words
 * (shared_parts.def, oracles.def).
 */
#ifndef SALTUS_SHARED_PARTS_H
#define SALTUS_SHARED_PARTS_H

#include <stddef.h>

#include "oracles/oracle.h"

struct shared_part {
    const char *id, *words;
};
extern const struct shared_part shared_parts[];
extern const int shared_part_count;

enum { SHARED_PARTS_TEXT = 512 };
/* The columns of an oracle in words: "shares the formulas of the case; not equations of
   resets; values only" */
void shared_parts_text(const struct oracle *oracle, char *text, size_t size);

#endif
