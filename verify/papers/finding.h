/*
 * finding.h - how verdicts on printed claims are made from numbers.
 *
 * Every function sets the verdict and our number; `finding_tell` adds the evidence.
 */
#ifndef SALTUS_FINDING_H
#define SALTUS_FINDING_H

#include "papers/paper.h"

/* A printed number is confirmed when ours is within one unit of its last place. `digits`
   of ours are sure, by another route. */
void finding_number(struct finding *finding, const struct claim *claim, double ours,
                    double digits);
/* A printed number that depends on a datum which is not printed: not reproducible, unless
   it holds anyway. */
void finding_depends(struct finding *finding, const struct claim *claim, double ours,
                     double digits);
/* "At most so much" (or "about", "of the order of"): confirmed when ours is no more than
   the printed number. */
void finding_at_most(struct finding *finding, const struct claim *claim, double ours);
/* Likewise of a bound on a number that depends on data which are not printed: `worst` is
   the largest of ours over the choices that were tried. Not reproducible, unless it holds
   for all of them. */
void finding_at_most_depends(struct finding *finding, const struct claim *claim,
                             double ours, double worst);
/* "Of the magnitude of": confirmed when no power of ten is nearer to ours than the
   printed one. */
void finding_magnitude(struct finding *finding, const struct claim *claim, double ours);
/* A statement that depends on what is not printed, tried for so many choices: confirmed
   when it held for all of them, else not reproducible. */
void finding_in_choices(struct finding *finding, int held, int choices, double measure);
/* A statement without a number of its own, which `measure` stands for. */
void finding_holds(struct finding *finding, bool holds, double measure);
/* A statement that depends on data which are not printed, and holds for the nearest
   choice of them that a search has found if its `miss` is at most `allowed`. */
void finding_reaches(struct finding *finding, double miss, double allowed);
/* A statement that would need data that are not printed. */
void finding_not_reproducible(struct finding *finding, double ours);
/* Adds a sentence to the evidence. */
void finding_tell(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Likewise for a printed formula. */
void trial_tell(struct trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
