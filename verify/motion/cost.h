/*
 * cost.h - how long the reference will take, known before it runs: from what the header
 * of a certified file says of the run that made it.
 *
 * Taylor series of order K take work of K^2 in every step; steps are as long as the
 * motion lets them be, whatever the number of digits, and K grows with those (Jorba, Zou
 * 2005).
 * Seconds are those of one processor of today, and meant to be right within a factor of
 * two or three for the reference; for runs in double see schedule.c.
 */
#ifndef SALTUS_COST_H
#define SALTUS_COST_H

#include "reference.h"

struct effort {
    long steps;
    double order, digits;       /* order of the series, at so many digits carried */
    double operations;          /* operations of the equations of motion, in the mode that
                                   has most */
    double unknowns;            /* accelerations and multipliers, in the mode that has
                                   most */
};

/* False: there are no certified values, and the effort is that of a short motion. */
bool effort_of(const struct model *model, const struct truth *truth,
               struct effort *effort);

/* CPU seconds of one trajectory without derivatives, at so many digits. */
double effort_of_run(const struct effort *effort, int digits);
/* CPU seconds of both routes in full. */
double effort_of_both(const struct effort *effort, int parameters, int digits);
/* CPU seconds of second derivatives by both routes (reference.h). */
double effort_of_hessian(const struct effort *effort, int parameters, int digits);
/* CPU seconds of one direction. */
double effort_of_direction(const struct effort *effort, int digits);
/* CPU seconds of a run in double with its derivatives by all parameters. */
double effort_in_double(const struct effort *effort, int parameters);
/* CPU seconds of the dense factorisations that an explicit run in double and its judges
   make. Implicit methods take a multiple of that. */
double effort_of_matrices(const struct effort *effort);

/* A duration in words: "40 s", "15 min", "2 h" */
void duration_text(double seconds, char *text, int size);

#endif
