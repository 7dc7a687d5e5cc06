/*
 * unit_notes.h - units of a model that do not fit together (units/model_units.h), as
 * warnings on standard error.
 */
#ifndef SALTUS_UNIT_NOTES_H
#define SALTUS_UNIT_NOTES_H

#include "options/args.h"
#include "units/model_units.h"

/* Warns of the findings of a model file, in a line each, of so many at most. A case of
   the catalogue is said nothing about: its own `saltus show` does. */
enum { MOST_UNIT_NOTES = 5 };
void unit_notes_warn(const struct args *args, const struct case_desc *desc);

#endif
