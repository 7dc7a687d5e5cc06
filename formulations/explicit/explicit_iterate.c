/*
 * explicit_iterate.c - when an iteration inside a right-hand side ends; see
 * explicit_iterate.h.
 */
#include "explicit/explicit_iterate.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "base/tolerances.h"

static void run(struct explicit_rhs *explicit_rhs, int stage)
{
    tiered_program_run(&explicit_rhs->stages, stage, explicit_rhs->w);
}

/* The iteration of all variables z, or of the directions of the last of them alone. */
struct iteration {
    int block, stage;           /* of the variables, of the rows of the next iterate */
    int torn, mu;               /* number of tearing variables, of multipliers */
    const int *output;          /* [torn + mu] slots of the next iterate */
    double *z, *next;           /* [torn + mu] */
};

/* Makes the iterate after z. */
static void step(struct explicit_rhs *explicit_rhs, const struct iteration *i)
{
    program_load(explicit_rhs->program, i->block, explicit_rhs->z, explicit_rhs->w);
    run(explicit_rhs, i->stage);
    for (int j = 0; j < i->torn + i->mu; j++)
        i->next[j] = explicit_rhs->w[i->output[j]];
}

/* --- Newton's method ---------------------------------------------------------------- */

/* Has a step of Newton's method from z to `next` [count] come to where the step after it
   is rounding? */
static bool newton_ended(const double *z, const double *next, int count)
{
    double rounding = DBL_EPSILON * largest(next, count);
    for (int j = 0; j < count; j++) {
        double change = fabs(next[j] - z[j]);
        if (!(change <= torn_converged * fabs(next[j]) || change <= rounding))
            return false;
    }
    return true;
}

/* --- augmented Lagrange iteration --------------------------------------------------- */

/* Has a contraction come to an end with the step from z to `next` [count]? Where
   constraints are dependent, rounding moves multipliers that move nothing; such changes
   do not fall any more. *before is the largest change by the step before, and becomes
   that of this step. unit [count] or NULL: one. (To end where the rate of the changes
   promises that the next one is rounding costs two digits on flyball-governor: the
   slowest of many contractions shows last.) */
static bool contraction_ended(const double *z, const double *next, const double *unit,
                              int count, double *before)
{
    double size = 0, change = 0, last = *before;
    for (int j = 0; j < count; j++) {
        double one = unit ? unit[j] : 1;
        size = larger(size, fabs(next[j]) / one);
        change = larger(change, fabs(next[j] - z[j]) / one);
    }
    *before = change;
    return change <= iterates_converged * size ||
           (change >= last && change <= iterates_stalled * size);
}

/* A slower iteration is left to the pivoting solver, which takes a larger alpha then. */
enum { MOST_NEWTON = 40, MOST_AUGMENTED = 15 };

static bool iterate(struct explicit_rhs *explicit_rhs, const struct iteration *i)
{
    int most = i->mu > 0 ? MOST_AUGMENTED : MOST_NEWTON, count = i->torn + i->mu;
    double of_torn = INFINITY, of_mu = INFINITY;
    bool ended = false;
    memset(i->z, 0, (size_t)count * sizeof *i->z);
    for (int k = 0; k < most && !ended; k++) {
        step(explicit_rhs, i);
        bool newton = i->mu > 0
                          ? contraction_ended(i->z, i->next, NULL, i->torn, &of_torn)
                          : newton_ended(i->z, i->next, i->torn);
        bool augmented = contraction_ended(i->z + i->torn, i->next + i->torn,
                                           explicit_rhs->unit, i->mu, &of_mu);
        ended = newton && augmented;
        memcpy(i->z, i->next, (size_t)count * sizeof *i->z);
    }
    return ended;
}

bool explicit_iterate(struct explicit_rhs *explicit_rhs)
{
    const struct program *program = explicit_rhs->program;
    int torn = explicit_rhs->torn, mu = explicit_rhs->mu;
    const struct iteration iteration = {
        .block = BLOCK_ITERATED,
        .stage = STAGE_UNKNOWN,
        .torn = torn,
        .mu = mu,
        .output = program->output + program->outputs - 2 * mu - torn,
        .z = explicit_rhs->z,
        .next = explicit_rhs->z + torn + mu};
    if (torn + mu == 0)
        return true;
    if (!iterate(explicit_rhs, &iteration))
        return false;
    program_load(program, BLOCK_FOUND, explicit_rhs->z, explicit_rhs->w);
    run(explicit_rhs, STAGE_SOLUTION);
    return true;
}

bool explicit_iterate_direction(struct explicit_rhs *explicit_rhs)
{
    const struct program *program = explicit_rhs->program;
    int torn = explicit_rhs->torn, mu = explicit_rhs->mu;
    const struct iteration iteration = {
        .block = TANGENT(BLOCK_ITERATED),
        .stage = STAGE_DIRECTION_UNKNOWN,
        .mu = mu,
        .output = program->output + program->outputs - mu,
        .z = explicit_rhs->z + torn,
        .next = explicit_rhs->z + torn + mu};
    if (mu == 0)
        return true;
    if (!iterate(explicit_rhs, &iteration))
        return false;
    program_load(program, TANGENT(BLOCK_FOUND), explicit_rhs->z, explicit_rhs->w);
    run(explicit_rhs, STAGE_DIRECTION_SOLUTION);
    return true;
}
