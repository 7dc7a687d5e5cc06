/*
 * growth_chain.h - a mechanism with 64 parameters, which no case of the catalogue has.
 */
#ifndef SALTUS_GROWTH_CHAIN_H
#define SALTUS_GROWTH_CHAIN_H

#include "model.h"

/* Eight bars hung one from the other, each with its own length and mass, its end held by
   a spring and a damper of its own and pulled by a force of its own. */
extern const struct case_desc growth_chain;

#endif
