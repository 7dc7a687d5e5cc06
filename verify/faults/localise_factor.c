/*
 * localise_factor.c - by which factor a term is wrong, where it is neither missing, nor
 * of the wrong sign, nor twice or half.
 *
 * The wrong numbers of a suspect are functions of the factor: linear ones, unless the
 * term stands in the rate of the guard. Gauss-Newton finds the one that fits them best;
 * it explains them if it fits them as well as any explanation must. One number is fitted
 * by any term: what counts are several, of whatever parameters and events (text.c).
 */
#include "faults/localise_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "faults/terms.h"

enum { ITERATIONS = 8 };
/* Changes of a factor: `step` to differentiate by, `nothing` too small to be told from
   none. */
static const double step = 1e-3, nothing = 1e-9;

struct fit {
    const struct localise_work *work;
    const struct suspect *suspect;
    const struct jump *jump;
    const struct jump_column *before;
    struct term_rule rule;
    double *x, *moved;          /* [columns.width] after the jump at a change, and at a
                                   change a step further */
};

/* Takes the jump with a change of the term; returns how well the jump explains the
   numbers. */
static double jump_with(struct fit *fit, int term, double change, double *tau, double *x)
{
    fit->rule.change[term] = change;
    return localise_try_rule(fit->work, fit->suspect, fit->jump, &fit->rule.rule,
                             fit->before, tau, x);
}

/* The step of Gauss and Newton from a change, on numbers relative to their scales. */
static double improvement(struct fit *fit, int term, double change)
{
    double h = step * fmax(1, fabs(change)), tau, tau_moved, along = 0, square = 0;
    jump_with(fit, term, change, &tau, fit->x);
    jump_with(fit, term, change + h, &tau_moved, fit->moved);
    for (int k = fit->suspect->from; k < fit->suspect->to; k++) {
        const struct number *number = &fit->work->number[k];
        bool time = number->place == PLACE_TIME;
        if (number->held || !localise_counts(fit->work, fit->suspect, number))
            continue;
        double size = fmax(fmax(fabs(number->want), number->scale), fabs(number->got));
        double here = time ? tau : fit->x[number->column];
        double there = time ? tau_moved : fit->moved[number->column];
        double slope = (there - here) / h / size;
        along += slope * (number->got - here) / size;
        square += slope * slope;
    }
    return along / square;
}

static void fit_term(struct fit *fit, int term, double *factor, double *score)
{
    double change = 0, tau;
    for (int k = 0; k < ITERATIONS && isfinite(change); k++)
        change += improvement(fit, term, change);
    *factor = 1 + change;
    *score = -1;
    if (isfinite(change) && fabs(change) > nothing)
        *score = jump_with(fit, term, change, &tau, fit->x);
    fit->rule.change[term] = 0;
}

void localise_fit_factors(const struct localise_work *work, struct suspect *suspect,
                          const struct jump *jump, const struct jump_column *before)
{
    int width = work->columns.width, rules = localise_rules();
    double *x = memory_new(2 * width, sizeof *x);
    struct fit fit = {
        .work = work, .suspect = suspect, .jump = jump, .before = before, .x = x,
        .moved = x + width,
        .rule = {.rule = {.name = "fit", .tau = terms_tau, .apply = terms_apply}}};
    for (int k = 0; term_texts[k].text; k++)
        fit_term(&fit, k, &suspect->factor[k], &suspect->score[rules + k]);
    free(x);
}
