/*
 * points.h - the parameter values of each trajectory of a sweep.
 *
 * The rows of a sweep are numbered 0, 1, ... and the values of a row are a function of
 * its number alone: whoever computes it, in whatever order, after whatever interruption.
 *
 *   grid     the product of its axes, the first slowest
 *   sample   N random points, equally many at every point of the grid (fastest)
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
    double lo, hi;          /* ends of the axis: a grid reaches both; a sample is between
                               them */
    bool logarithmic;       /* points are even in the logarithm */
    long n;                 /* points of the grid; 0: the axis is sampled */
    uint64_t key;           /* hash of the parameter's name: other parameters do not
                               change its samples */
};

struct points {
    int axes;
    struct axis axis[MOST_AXES];    /* axes of the grid first, in the order given */
    long samples;                   /* samples at each point of the grid; 0: nothing is
                                       sampled */
    uint64_t seed;
    bool latin;                     /* samples are a Latin hypercube */
    long count;                     /* number of trajectories */
};

/* Reads "2:2.5:11" or "1:100:3:log" of a grid, "2:2.5" or "1:100:log" of a range of
   samples. false: `error` says what is wrong and what would be right. */
bool axis_read(const char *text, bool grid, const struct model *model, int parameter,
               struct axis *axis, char *error, int size);
/* The number of trajectories; false: more than most_trajectories. */
bool points_count(struct points *points);
/* Sets the swept parameters of trajectory k among value[model->p]; touches no others. */
void points_set(const struct points *points, long k, double *value);

/* Prints as few digits as identify the number: 0.1, not 0.10000000000000001. */
void print_shortest(FILE *stream, double x);
/* Prints the points in words, one line for each axis with its end of line; `prefix`
   begins it. */
void points_print(FILE *stream, const struct points *points, const struct model *model,
                  const char *prefix);

#endif
