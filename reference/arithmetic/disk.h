/*
 * disk.h - what a program can get to on disks of complex arguments: circular complex
 *          arithmetic (Gargantini & Henrici 1972) in double.
 *
 * A function that is analytic and at most B on |t| <= R has Taylor coefficients of at
 * most B R^-k (Cauchy): so far its series can be trusted, whether or not a singularity,
 * or a growth yet to come, shows in the coefficients that have been computed. A disk that
 * meets a pole, a branch point or a cut is unbounded.
 *
 * Disks choose the lengths of steps. They are no proof: the rounding of their centres is
 * left out.
 */
#ifndef SALTUS_DISK_H
#define SALTUS_DISK_H

#include <complex.h>
#undef I

#include "program/program.h"

/* All z with |z - c| <= r. */
struct disk {
    double complex c;
    double r;           /* INFINITY: unbounded */
    double size;        /* of the numbers that c is the sum of: where they cancel, more
                           than |c| */
};

/* A real number with nothing around it. */
struct disk disk_number(double x);

/* The rows of a program that its first `outputs` outputs need, from those that are loaded
   and constants: w [program->slots]. */
void disk_constants(const struct program *program, struct disk *w);
void disk_run(const struct program *program, const bool *needed, struct disk *w);

#endif
