/*
 * sampling.h - how much of the catalogue a test runs that is about all of it.
 *
 * All cases in all formulations take minutes, and more with each case that comes. In
 * make test-all a test runs them all. In make test it runs, of the cases that have
 * something in common, the one that costs least, as known beforehand (cost.h):
 *
 *   each kind of event on each kind of mechanism (coverage.h), and each class that a case
 *   declares (classes.h), in the default formulation of the case, and
 *   each kind of mechanism in each formulation.
 *
 * Such a sample hardly grows with the catalogue, and is the same every time. Each case in
 * each formulation is run and judged by `saltus verify`. A sanitizer looks for other
 * mistakes: it is content with each kind of mechanism, and each class, in the default
 * formulation, and each kind in each formulation.
 */
#ifndef SALTUS_SAMPLING_H
#define SALTUS_SAMPLING_H

#include "formulation.h"

/* Is this make test-all? It sets SALTUS_SLOW, and waits for what is slow. */
bool in_test_all(void);

struct sampling;

/* Of the cases that `takes` is true of. */
struct sampling *sampling_new(bool (*takes)(const struct case_desc *desc));
void sampling_free(struct sampling *sampling);

/* Is the case run, by a test that runs each case once? */
bool sampling_has(const struct sampling *sampling, const struct case_desc *desc);
/* Is it run in this formulation, by a test that runs each case in each formulation that
   takes it? */
bool sampling_has_run(const struct sampling *sampling, const struct case_desc *desc,
                      const struct formulation *formulation);

/* The most usual `takes`: a case that has a motion to its end. */
bool has_motion(const struct case_desc *desc);

#endif
