/*
 * minimiser.h - minimisation of a smooth function within bounds, by the library that the
 * build has: NLopt (minimiser_nlopt.c), or GSL's multimin (minimiser_gsl.c).
 */
#ifndef SALTUS_MINIMISER_H
#define SALTUS_MINIMISER_H

#include <stdbool.h>

struct algorithm {
    const char *name;           /* word of --algorithm */
    const char *method;         /* standard name and source */
};

/* All algorithms (algorithms.def), the default first; the last one has no name. */
extern const struct algorithm algorithms[];
/* Does the library have it? */
bool algorithm_available(const struct algorithm *algorithm);

/* The library and its version: "NLopt 2.7.1". */
const char *minimiser_library(void);
/* Does the library take bounds? */
bool minimiser_takes_bounds(void);

/* The function at u, finite, and its gradient; sets *stop when no more are wanted. */
typedef double minimised_function(void *context, const double *u, double *gradient,
                                  bool *stop);

struct minimisation {
    const struct algorithm *algorithm;
    int n;                          /* number of variables, at least 1 */
    const double *lower, *upper;    /* [n] bounds, infinite where there is none */
    minimised_function *f;
    void *context;                  /* first argument of f */
};
/* Goes on from u [n], within the bounds, until *stop is set or the algorithm finds no
   lower point. The points asked for depend on the values of f alone. The caller keeps
   the best one. */
void minimise(const struct minimisation *m, const double *u);

#endif
