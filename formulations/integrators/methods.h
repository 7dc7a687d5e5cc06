/*
 * methods.h - declarations of `integrator_NAME` for every line of catalogue.def, and what
 * to take in place of other names.
 */
#ifndef SALTUS_METHODS_H
#define SALTUS_METHODS_H

#include "integrator.h"

#define INTEGRATOR(name) extern const struct integrator integrator_##name;
#include "catalogue.def"
#undef INTEGRATOR

/* text [size] = what to take in place of a name that is not known: similar names, or what
   has come in place of a method that is gone. */
void integrator_offer(const char *name, char *text, int size);

#endif
