/* methods.h - declarations of `integrator_NAME` for every line of catalogue.def. */
#ifndef SALTUS_METHODS_H
#define SALTUS_METHODS_H

#include "integrator.h"

#define INTEGRATOR(name) extern const struct integrator integrator_##name;
#include "catalogue.def"
#undef INTEGRATOR

#endif
