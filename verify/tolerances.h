/*
 * tolerances.h - the tolerance a run is judged at; the table is tolerances.def.
 */
#ifndef SALTUS_TOLERANCES_H
#define SALTUS_TOLERANCES_H

double tolerance_default(const char *integrator, const char *formulation);

#endif
