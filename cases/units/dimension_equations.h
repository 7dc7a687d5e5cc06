/*
 * dimension_equations.h - linear equations between unknown dimensions, solved as they
 * come by exact Gaussian elimination.
 *
 * A form is a known dimension and a combination of unknown ones,
 *
 *     kg^a m^b ... [x]^c [y]^d ...
 *
 * in exponents a linear form with one vector of seven constants. An equation says that
 * two forms are equal. One that contradicts those before it is refused and changes
 * nothing, so that what comes after it is judged without it.
 */
#ifndef SALTUS_DIMENSION_EQUATIONS_H
#define SALTUS_DIMENSION_EQUATIONS_H

#include "base/arena.h"
#include "units/dimension.h"

/* [unknown]^times */
struct form_term {
    int unknown;
    struct rational times;      /* not 0 */
};

/* A form. Its terms belong to the equations. */
struct form {
    struct dimension known;
    int count;
    const struct form_term *term;   /* [count] unknowns ascend */
};

/* Unknowns, what is known of them, and the memory of all forms. */
struct equations {
    struct arena arena;
    int unknowns, room, solution_room;
    bool *solved;               /* [unknowns] */
    struct form *solution;      /* [unknowns] where solved: by lower unknowns */

    /* the form that is being added up */
    struct dimension known;
    struct form_term *sum;      /* [sums] unknowns ascend; times may be 0 */
    int sums, sum_room;
};

/* Equations without unknowns. To be cleared by equations_clear. */
void equations_begin(struct equations *equations);
void equations_clear(struct equations *equations);

/* A new unknown dimension, the highest: of an equation the highest unknown is solved for,
   so that those that were there first are the last to stay. */
int equations_unknown(struct equations *equations);
/* The form of an unknown. */
struct form form_of(struct equations *equations, int unknown);
/* The form of a known dimension. */
struct form form_known(const struct dimension *known);
/* The form a^x b^y with what is known by now of its unknowns; b may be NULL. */
struct form form_combine(struct equations *equations, const struct form *a,
                         struct rational x, const struct form *b, struct rational y);
/* The form with what is known by now of its unknowns. */
struct form form_now(struct equations *equations, const struct form *form);

/* From now on a = b. False: that contradicts equations before it, and is left out. An
   equation with a lost exponent (dimension.h) says nothing. */
bool equations_equal(struct equations *equations, const struct form *a,
                     const struct form *b);

#endif
