/*
 * localise.h - which term of which jump is wrong, where numbers at events fell short.
 *
 * Every jump is judged on its own. At an event before which the sensitivities by a
 * parameter are right and after which they are not, the jump is taken once more from what
 * was right before, by every rule that is known to be wrong: each term missing, of the
 * wrong sign, twice, half (terms.h), and the rules of judged_rules.def. One that
 * reproduces the wrong numbers to four digits more than the right values do, and
 * contradicts none of the right ones, explains them. Besides: a column that is a constant
 * multiple of what it should be (a sign, a unit), and wrong numbers that no jump is to
 * blame for, because they are wrong before it.
 */
#ifndef SALTUS_LOCALISE_H
#define SALTUS_LOCALISE_H

#include "run.h"
#include "verdict/verdict_rows.h"

struct localise_request {
    /* model and parameters; where the motion is not the exact one, formulation, options
       and tolerances, too. Rule and samples are not looked at. */
    const struct run_request *motion;
    bool exact;
    const struct results *got, *want;
    double cap;                         /* digits of `want` */
};

/* Sets row->cause of a row that fell short, "" if no number at an event or between events
   did: "event 3: r_rho missing in dt_e/dL01". The bars are those of the row. */
void localise_row(const struct rows *rows, struct row *row,
                  const struct localise_request *request);

#endif
