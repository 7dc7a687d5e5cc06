/*
 * points.h - the parameter values of each trajectory of a sweep.
 *
 * The rows of a sweep are numbered 0, 1, ... and the values of a row are a function of
 * its number alone: whoever computes it, in whatever order, after whatever interruption.
 *
 *   grid     the product of its axes, the first slowest
 *   sample   N random points, the same N at every point of the grid (fastest)
 */
#ifndef SALTUS_POINTS_H
#define SALTUS_POINTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model.h"

enum { MOST_AXES = 64 };
extern const long most_trajectories;

struct axis {
    int parameter;          /* index in the model */
    double lo, hi;          /* both are reached by a grid; a sample is between them */
    bool logarithmic;       /* even in the logarithm */
    long n;                 /* points of the grid; 0: sampled */
    uint64_t key;           /* of the name: other parameters do not change this one */
};

struct points {
    int axes;
    struct axis axis[MOST_AXES];    /* the grid first, each as given */
    long samples;                   /* at each point of the grid; 0: nothing is sampled */
    uint64_t seed;
    bool latin;                     /* sampled as a Latin hypercube */
    long count;                     /* of trajectories */
};

/* "2:2.5:11" or "1:100:3:log" of a grid, "2:2.5" or "1:100:log" of a range of samples.
   false: `error` says what is wrong and what would be right. */
bool axis_read(const char *text, bool grid, const struct model *model, int parameter,
               struct axis *axis, char *error, int size);
/* The number of trajectories; false: more than most_trajectories. */
bool points_count(struct points *points);
/* Sets the swept parameters of trajectory k among value[model->p]; touches no others. */
void points_set(const struct points *points, long k, double *value);

/* As few digits as identify the number: 0.1, not 0.10000000000000001. */
void print_shortest(FILE *stream, double x);
/* In words, one line for each axis with its end of line; `prefix` begins it. */
void points_print(FILE *stream, const struct points *points, const struct model *model,
                  const char *prefix);

#endif
