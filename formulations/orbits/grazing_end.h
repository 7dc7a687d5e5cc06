/*
 * grazing_end.h - the end of a branch where an event grazes, by extrapolation.
 *
 * A measure of an event falls to zero there, and nothing can be solved near it: the
 * transversality of one that the orbit has, or how near the guard of one that it does not
 * have comes to zero (guard_minima.h). Parameter and period are smooth functions of the
 * measure, so that a polynomial through the last points gives them at zero. "Rate" is
 * this measure in what follows.
 */
#ifndef SALTUS_GRAZING_END_H
#define SALTUS_GRAZING_END_H

#include "orbits/neville.h"
#include "orbits/shooting.h"

/* Zero: nothing has been noted. */
struct grazing_end {
    int events;
    double *largest;            /* [events] largest transversality so far */
    int grazing;                /* the event that is nearest to it; -1: none is near */
    int points;                 /* noted of this event, each with less than the one
                                   before */
    double rate[NEVILLE_POINTS], rho[NEVILLE_POINTS], period[NEVILLE_POINTS];
    double last, fall;          /* transversality at the last point, noted or not, and by
                                   how much it falls with the length of arc */
};

/* rate [events of the orbit]: their transversality. */
void grazing_end_rates(const struct shooting *shooting, double *rate);
/* The least measure of an event, as a part of the largest it has had. */
double grazing_end_least(const struct grazing_end *end, const double *measure);
/* Notes a point of the branch, to which a step of this length led. measure [events]; one
   that is INFINITY does not count. */
void grazing_end_note(struct grazing_end *end, const double *measure, int events,
                      const struct shooting *shooting, double arc);
/* The longest step that leaves half of the transversality, as it falls; `most` where no
   event is near grazing. */
double grazing_end_step(const struct grazing_end *end, double most);
/* Is the rest to be extrapolated? */
bool grazing_end_is_there(const struct grazing_end *end);
/* The parameter and the period at a transversality of zero, and the estimated error of
   the parameter. False: no event is near grazing. */
bool grazing_end_extrapolate(const struct grazing_end *end, double *rho, double *period,
                             double *error);
/* The first `turned` events are the last ones from now on. */
void grazing_end_turn(struct grazing_end *end, int turned);
void grazing_end_clear(struct grazing_end *end);

#endif
