/*
 * finding.h - how verdicts on printed claims are made from numbers.
 *
 * A claim is judged by one of the functions below, which sets the verdict and our number;
 * finding_tell adds the evidence. A number of ours that is NAN confirms nothing.
 */
#ifndef SALTUS_FINDING_H
#define SALTUS_FINDING_H

#include "papers/paper.h"

/* --- printed numbers ---------------------------------------------------------------- */

/* A printed number is confirmed when ours is within one unit of its last place, else
   refuted. `digits` of ours are sure, by another route; NAN: none was asked. */
void finding_number(struct finding *finding, const struct claim *claim, double ours,
                    double digits);
/* A printed number that depends on data which are not printed is confirmed when ours is
   within one unit of its last place, else not reproducible. */
void finding_depends(struct finding *finding, const struct claim *claim, double ours,
                     double digits);
/* A printed whole number is confirmed when ours is equal, else refuted. */
void finding_count(struct finding *finding, const struct claim *claim, int ours);
/* A printed magnitude, "of the order of", is confirmed when no power of ten is nearer to
   ours, else refuted. */
void finding_magnitude(struct finding *finding, const struct claim *claim, double ours);

/* --- printed bounds ----------------------------------------------------------------- */

/* A printed bound, "at most", is confirmed when ours is no more, else refuted. */
void finding_at_most(struct finding *finding, const struct claim *claim, double ours);
/* A printed bound on a number that depends on data which are not printed is confirmed
   when ours and `worst`, the largest over the choices that were tried, are no more, else
   not reproducible. */
void finding_at_most_depends(struct finding *finding, const struct claim *claim,
                             double ours, double worst);

/* --- statements --------------------------------------------------------------------- */

/* A statement is confirmed when it holds, else refuted. `measure` stands for it as our
   number; NAN: none does. */
void finding_holds(struct finding *finding, bool holds, double measure);
/* A statement that depends on data which are not printed is confirmed when it held for
   all choices that were tried, else not reproducible. */
void finding_in_choices(struct finding *finding, int held, int choices, double measure);
/* A statement that depends on data which are not printed is confirmed when the nearest
   choice that a search has found misses it by no more than `allowed`, else not
   reproducible. */
void finding_reaches(struct finding *finding, double miss, double allowed);

/* --- words -------------------------------------------------------------------------- */

/* Puts our number into so many significant digits, 1 to 16. */
void finding_ours(struct finding *finding, double ours, double digits);
/* Adds a sentence to the evidence. */
void finding_tell(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Names the judge of a printed formula. */
void trial_judge(struct trial *trial, const char *judge);
/* Adds a sentence to the evidence of a printed formula. */
void trial_tell(struct trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
