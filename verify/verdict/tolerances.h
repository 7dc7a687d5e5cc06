/*
 * tolerances.h - the rtol that a run is judged at, by the table tolerances.def.
 */
#ifndef SALTUS_TOLERANCES_H
#define SALTUS_TOLERANCES_H

#include "formulation.h"
#include "integrators/integrator.h"

double tolerance_default(const struct case_desc *desc,
                         const struct integrator *integrator,
                         const struct formulation *formulation);

#endif
