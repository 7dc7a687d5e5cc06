/*
 * disk.h - circular complex arithmetic in double: a program on disks of complex arguments
 * (Gargantini & Henrici 1972).
 *
 * A function that is analytic and at most B on |t| <= R has Taylor coefficients of at
 * most B R^-k (Cauchy's estimate). Up to R its series can be trusted, whether or not a
 * singularity, or a growth yet to come, shows in the coefficients that have been
 * computed. A disk that meets a pole, a branch point or a cut is unbounded.
 *
 * Disks choose the lengths of steps. They prove nothing: the rounding of their centres is
 * left out.
 */
#ifndef SALTUS_DISK_H
#define SALTUS_DISK_H

#include <complex.h>
#undef I

#include "program/program.h"

/* All z with |z - c| <= r. */
struct disk {
    double complex c;   /* centre */
    double r;           /* radius; INFINITY: unbounded */
    double size;        /* magnitude of the terms whose sum c is: more than |c| where
                           they cancel */
};

/* The disk of radius 0 around a real number. */
struct disk disk_number(double x);

/* Fills w [program->slots] with the disks of the constants, and of zero for all other
   rows. */
void disk_constants(const struct program *program, struct disk *w);
/* Evaluates the rows with needed[row], in order, into w [program->slots]; inputs and
   constants are there already. `needed`: bool [program->slots]. */
void disk_run(const struct program *program, const bool *needed, struct disk *w);

#endif
