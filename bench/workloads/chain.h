/*
 * growth_chain.h - a mechanism with 64 parameters, more than any case of the catalogue.
 */
#ifndef SALTUS_GROWTH_CHAIN_H
#define SALTUS_GROWTH_CHAIN_H

#include "model.h"

/* Eight bars hung one from the other. Each bar has its own length and mass, a spring and
   a damper at its end, and a force on this end. */
extern const struct case_desc growth_chain;

#endif
