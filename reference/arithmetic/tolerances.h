/*
 * tolerances.h - the tolerances of the reference that are numbers of their own, a line
 * each in tolerances.def. Those that follow from the digits asked for stand where they
 * are computed.
 */
#ifndef SALTUS_REFERENCE_TOLERANCES_H
#define SALTUS_REFERENCE_TOLERANCES_H

#define TOLERANCE(name, value, reason, test) static const double name = value;
#include "arithmetic/tolerances.def"
#undef TOLERANCE

#endif
