/*
 * chain.h - mechanisms with more parameters than any case of the catalogue.
 *
 * Bars hang one from the other. Each bar has its own length and mass, a spring and a
 * damper at its end, and a force on this end: eight parameters.
 */
#ifndef SALTUS_CHAIN_H
#define SALTUS_CHAIN_H

#include "model.h"

/* Eight bars, 64 parameters, without a cost or an event. */
extern const struct case_desc chain_on_springs;

/* 25 bars, 200 parameters, with the cost "height": the forces end when the middle joint
   has fallen, and the last joint falls through a plate, which takes half of its
   velocity. */
extern const struct case_desc chain_through_plate;

#endif
