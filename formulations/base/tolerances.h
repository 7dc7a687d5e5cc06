/*
 * tolerances.h - the tolerances of the solver that are numbers of their own, a line each
 * in tolerances.def: its name, its value, the reason, and the test that fails when the
 * value is a hundred times another. Those that are computed from others stand where they
 * are computed.
 */
#ifndef SALTUS_SOLVER_TOLERANCES_H
#define SALTUS_SOLVER_TOLERANCES_H

#include <float.h>

#define TOLERANCE(name, value, reason, test) static const double name = value;
#include "base/tolerances.def"
#undef TOLERANCE

#endif
