/*
 * catalogue.h - every mechanism, in one table.
 */
#ifndef SALTUS_CATALOGUE_H
#define SALTUS_CATALOGUE_H

#include "model.h"

extern const struct case_desc *const catalogue[];   /* NULL-terminated, sorted by name */
const struct case_desc *case_find(const char *name);    /* NULL: no such */
/* Is the case there to be refused, because its events are simultaneous? Then it has no
   motion to its end. */
bool case_is_refused(const struct case_desc *desc);

#endif
