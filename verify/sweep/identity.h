/*
 * identity.h - a fingerprint of a mechanism: is it still the one that a file is of?
 */
#ifndef SALTUS_IDENTITY_H
#define SALTUS_IDENTITY_H

#include <stdint.h>

#include "model.h"

/* The fingerprint of all that decides the motion: formulas of modes, events, start,
   end, costs, nominal values, and how they are connected. Every build of a case has
   one value. */
uint64_t model_identity(const struct model *model);
/* The fingerprint of a text. */
uint64_t text_identity(const char *text);

#endif
