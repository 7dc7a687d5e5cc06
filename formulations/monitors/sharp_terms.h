/*
 * sharp_terms.h - the parts of the equations that may vary within less than a step:
 * exp(-((t - T)/w)^2), tanh((t - T)/w), 1/(1 + ((t - T)/w)^2), sin(w t).
 *
 * A term is an operation beyond those of a polynomial. Its operand depends on time alone,
 * or on positions, velocities and auxiliary states, too; then it is a term only if it has
 * flanks wherever it is: exp, tanh, a quotient whose divisor is never zero. It is settled
 * on a box of times and states where its operand changes by so little that the term
 * varies no faster than a polynomial, or where its value does not change. Interval
 * arithmetic tells that of a whole box (formula_bounds.h).
 */
#ifndef SALTUS_SHARP_TERMS_H
#define SALTUS_SHARP_TERMS_H

#include "monitors/formula_bounds.h"

/* sharp_terms_init sets every member. */
struct sharp_terms {
    int count;                      /* number of terms; 0: nothing is sharp */
    enum sharp_measure {
        SHARP_WIDTH,                /* settled if what is measured changes by 1 at most */
        SHARP_RATIO                 /* settled if it keeps its sign, and grows fourfold */
    } *measure;                     /* [count] */
    bool *of_state;                 /* [count] the term depends on the state */
    bool of_states;                 /* any of them does */
    struct formula_bounds measured, value;  /* [count] of the terms, on one box */
    bool valued;                    /* `value` is of the box looked at last */
    double from, to;                /* s; all terms are settled between these times */
    double ahead;                   /* how many times longer than a step the piece is that
                                       is looked at for all steps on it */
};

/* Takes the terms that the formulas f [count] are made of. The arrays are in `arena`. */
void sharp_terms_init(struct sharp_terms *terms, struct arena *arena,
                      const struct model *model, const formula *f, int count);
void sharp_terms_clear(struct sharp_terms *terms);
/* Sets the parameters rho [model->p]. */
void sharp_terms_set(struct sharp_terms *terms, const double *rho);

/* The box that the next functions are about. The caller sets it by state_box_begin and
   _add; states may be left out unless terms depend on them. */
static inline struct state_box *sharp_terms_box(struct sharp_terms *terms)
{
    return &terms->measured.box;
}
/* Bounds the terms on the box. */
void sharp_terms_look(struct sharp_terms *terms);
/* True: term i is settled on the box looked at last. */
bool sharp_term_settled(struct sharp_terms *terms, int i);
/* The width of the values of term i on this box. */
double sharp_term_range(struct sharp_terms *terms, int i);
/* Looks at the box. True: all terms are settled on it. */
bool sharp_terms_settled(struct sharp_terms *terms);
/* True: all terms are settled on a step from t to `end`, one of many, between these
   states [2n + ns]. Where they depend on time alone most steps are answered without
   bounds, and x, x_new may be NULL. */
bool sharp_terms_settled_on_step(struct sharp_terms *terms, double t, double end,
                                 const double *x, const double *x_new);

#endif
