/*
 * catalogue.h - the table of all mechanisms, from catalogue.def.
 */
#ifndef SALTUS_CATALOGUE_H
#define SALTUS_CATALOGUE_H

#include "base/api.h"
#include "model.h"

SALTUS_API_BEGIN

/* All listed cases, sorted by name, NULL-terminated. */
extern const struct case_desc *const catalogue[]
    SALTUS_WORD(catalogue);
/* Cases that plug-ins have brought, found by name like drafts, NULL-terminated; added
   before the first run (registry.h). */
enum { CASE_ROOM = 64 };
extern const struct case_desc *case_plugged[CASE_ROOM + 1];
/* A case by its name; a member of a family ("four-bar-7") need not be listed. NULL:
   there is none. */
const struct case_desc *case_find(const char *name);
/* Largest size of a member of a family. */
enum { CASE_LARGEST = 2000 };
/* The listed case of the family that a name belongs to; NULL: there is none. *size:
   the size in the name; 0: it is not one from 1 to CASE_LARGEST. */
const struct case_desc *case_family(const char *name, int *size);
/* True: the case is there to be refused, because its events are simultaneous, or for
   another reason that its source states. Then it has no motion to its end. */
bool case_is_refused(const struct case_desc *desc);

SALTUS_API_END

#endif
