/*
 * localise_factor.c - by which factor a term is wrong, where it is neither missing, nor
 * of the wrong sign, nor twice or half.
 *
 * The wrong numbers of a spot are functions of the factor: linear ones, unless the term
 * stands in the rate of the guard. Gauss-Newton finds the one that fits them best; it
 * explains them if it fits them as well as any explanation must. One number is fitted by
 * any term: what counts are several, of whatever parameters and events (text.c).
 */
#include "faults/localise_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "faults/terms.h"

enum { ITERATIONS = 8 };
/* Changes of a factor: to differentiate by, and too small to be told from none. */
static const double step = 1e-3, nothing = 1e-9;

struct fit {
    const struct blame *blame;
    const struct spot *spot;
    const struct jump *jump;
    const struct jump_column *before;
    struct term_rule rule;
    double *x, *moved;          /* [columns.width] at a change, and beside it */
};

/* The jump with a change of the term; how well it explains the numbers. */
static double jump_with(struct fit *fit, int term, double change, double *tau, double *x)
{
    fit->rule.change[term] = change;
    return blame_try_rule(fit->blame, fit->spot, fit->jump, &fit->rule.rule, fit->before,
                          tau, x);
}

/* The step of Gauss and Newton from a change, on numbers relative to their scales. */
static double improvement(struct fit *fit, int term, double change)
{
    double h = step * fmax(1, fabs(change)), tau, tau_moved, along = 0, square = 0;
    jump_with(fit, term, change, &tau, fit->x);
    jump_with(fit, term, change + h, &tau_moved, fit->moved);
    for (int k = fit->spot->from; k < fit->spot->to; k++) {
        const struct mark *mark = &fit->blame->mark[k];
        bool time = mark->place == PLACE_TIME;
        if (mark->held || !blame_counts(fit->blame, fit->spot, mark))
            continue;
        double size = fmax(fmax(fabs(mark->want), mark->scale), fabs(mark->got));
        double here = time ? tau : fit->x[mark->column];
        double there = time ? tau_moved : fit->moved[mark->column];
        double slope = (there - here) / h / size;
        along += slope * (mark->got - here) / size;
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

void blame_fit_factors(const struct blame *blame, struct spot *spot,
                       const struct jump *jump, const struct jump_column *before)
{
    int width = blame->columns.width, rules = blame_rules();
    double *x = memory_new(2 * width, sizeof *x);
    struct fit fit = {
        .blame = blame, .spot = spot, .jump = jump, .before = before, .x = x,
        .moved = x + width,
        .rule = {.rule = {.name = "fit", .tau = terms_tau, .apply = terms_apply}}};
    for (int k = 0; term_texts[k].text; k++)
        fit_term(&fit, k, &spot->factor[k], &spot->score[rules + k]);
    free(x);
}
