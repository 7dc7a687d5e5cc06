/*
 * identity.h - is it still the same mechanism? A number of its formulas.
 */
#ifndef SALTUS_IDENTITY_H
#define SALTUS_IDENTITY_H

#include <stdint.h>

#include "model.h"

/* Of all that decides the motion: formulas of modes, events, start, end, costs, nominal
   values, and what is between them. The same in every build of the same case. */
uint64_t model_identity(const struct model *model);
/* Of a text. */
uint64_t text_identity(const char *text);

#endif
