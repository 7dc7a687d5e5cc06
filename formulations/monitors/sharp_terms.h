/*
 * sharp_terms.h - the parts of the equations that may vary within less than a step:
 * exp(-((t - T)/w)^2), tanh((t - T)/w), 1/(1 + ((t - T)/w)^2), sin(w t).
 *
 * A term is an operation beyond those of a polynomial whose operand depends on time
 * alone. It is settled on a piece of time where its operand changes by so little that the
 * term varies no faster than a polynomial, or where its value does not change. Interval
 * arithmetic tells that of a whole piece (formula_bounds.h).
 */
#ifndef SALTUS_SHARP_TERMS_H
#define SALTUS_SHARP_TERMS_H

#include "monitors/formula_bounds.h"

/* sharp_terms_init sets every member. */
struct sharp_terms {
    int count;                      /* number of terms; 0: nothing is sharp */
    enum sharp_measure {
        SHARP_WIDTH,                /* settled if what is measured changes by 1 at most */
        SHARP_RATIO                 /* settled if it has one sign and doubles at most */
    } *measure;                     /* [count] */
    struct formula_bounds measured, value;  /* [count] of the terms */
    bool valued;                    /* `value` is of the times looked at last */
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

/* Bounds the terms between two times, in any order. */
void sharp_terms_look(struct sharp_terms *terms, double t, double other);
/* True: term i is settled between the times looked at last. */
bool sharp_term_settled(struct sharp_terms *terms, int i);
/* The width of the values of term i between these times. */
double sharp_term_range(struct sharp_terms *terms, int i);
/* True: all terms are settled between two times. */
bool sharp_terms_settled(struct sharp_terms *terms, double t, double end);
/* The same of a step from t to `end`, one of many: most are answered without bounds. */
bool sharp_terms_settled_on_step(struct sharp_terms *terms, double t, double end);

#endif
