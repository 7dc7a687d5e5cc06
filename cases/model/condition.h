/*
 * condition.h - how well the data of an event determine its time.
 *
 * The guard r is known up to rounding, relative to its scale R. An error of eps R moves
 * the time of the event by eps R / |rd|, and the rate rd, by which every dt_e/drho is
 * divided, by |rdd| times that. Relative to the span of the run, and to rd:
 *
 *     condition = R / |rd| max(1 / span, |rdd / rd|),     at least 1
 *
 * It is the relative error of t_e, or of dt_e/drho if that is more, per relative error of
 * r: log10 of it are the digits that are lost. Where a guard is nearly touched without
 * being crossed rd is small, and condition grows as R |rdd| / rd^2.
 */
#ifndef SALTUS_CONDITION_H
#define SALTUS_CONDITION_H

/* R: the largest |r| since the arc began, or what rounding is relative to at the event,
   the sum of |x dr/dx| over all quantities x it depends on, if that is more. rate, bend:
   rd, rdd along the motion before the event. INFINITY where rd is zero. */
double event_condition(double R, double rate, double bend, double span);

/* Digits that a number of this condition has in double. One is left to the solver: a
   double has nearly 16, 15 of them for sure. */
double condition_digits(double condition);

/* From here on an event is near grazing, and digits are lost that will be missed. */
extern const double near_grazing;

#endif
