/*
 * catalogue.h - every mechanism, in one table.
 */
#ifndef SALTUS_CATALOGUE_H
#define SALTUS_CATALOGUE_H

#include "base/api.h"
#include "model.h"

SALTUS_API_BEGIN

extern const struct case_desc *const catalogue[]
    SALTUS_WORD(catalogue);   /* NULL-terminated, sorted by name */
/* A case by its name, of a family also one that is not listed ("four-bar-7"). NULL: no
   such. */
const struct case_desc *case_find(const char *name);
/* The listed case whose family a name is of, NULL: none; and its size, 0: not one from 1
   to CASE_LARGEST. */
enum { CASE_LARGEST = 2000 };
const struct case_desc *case_family(const char *name, int *size);
/* Is the case there to be refused, because its events are simultaneous, or for another
   reason that its source states? Then it has no motion to its end. */
bool case_is_refused(const struct case_desc *desc);

SALTUS_API_END

#endif
