/*
 * tolerances.h - the tolerance a run is judged at; the table is tolerances.def.
 */
#ifndef SALTUS_TOLERANCES_H
#define SALTUS_TOLERANCES_H

#include "formulation.h"
#include "integrators/integrator.h"

double tolerance_default(const struct case_desc *desc,
                         const struct integrator *integrator,
                         const struct formulation *formulation);

#endif
