/*
 * regress.c - one table of verdicts against another (regress.h).
 */
#include "tables/regress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verdict/row_status.h"

double regress_tolerance(const struct table *before)
{
    return table_same_arithmetic(before) ? 0.3 : 1.5;
}

const struct change_info change_info[CHANGES] = {
    [CHANGE_LOST]          = {"no longer held", true},
    [CHANGE_REFUSED]       = {"no numbers any more", true},
    [CHANGE_OTHER_REFUSAL] = {"another refusal", true},
    [CHANGE_WORSE]         = {"worse", true},
    [CHANGE_AVERAGE]       = {"worse on average", true},
    [CHANGE_FEWER]         = {"fewer numbers", true},
    [CHANGE_VANISHED]      = {"vanished", true},
    [CHANGE_MOVED]         = {"refused elsewhere", false},
    [CHANGE_BETTER]        = {"better", false},
    [CHANGE_WON]           = {"held now", false},
    [CHANGE_ANSWERED]      = {"answered now", false},
    [CHANGE_NEW]           = {"new", false},
};

static void found(struct regression *c, struct finding finding)
{
    c->finding = memory_grow(c->finding, &c->room, c->findings + 1, sizeof *c->finding);
    c->finding[c->findings++] = finding;
    c->of[finding.change]++;
}

/* --- a row -------------------------------------------------------------------------- */

static const struct kind_digits *find_kind(const struct row *row, const char *name)
{
    for (int k = 0; k < row->kinds; k++)
        if (strcmp(row->by_kind[k].name, name) == 0)
            return &row->by_kind[k];
    return NULL;
}

/* Compares digits as they are printed, so that a table that is read again equals
   itself. */
static void compare_kinds(struct regression *c, const struct row *before,
                          const struct row *after, double tolerance)
{
    for (int k = 0; k < before->kinds; k++) {
        const struct kind_digits *old = &before->by_kind[k];
        const struct kind_digits *now = find_kind(after, old->name);
        struct finding finding = {CHANGE_VANISHED, before, after, old, now};
        if (!now) {
            found(c, finding);
            continue;
        }
        double lost = told_digits(old->digits) - told_digits(now->digits);
        finding.change = lost > 0.0 ? CHANGE_WORSE : CHANGE_BETTER;
        if (told_digits(fabs(lost)) > tolerance)
            found(c, finding);
        c->kinds++;
    }
    for (int k = 0; k < after->kinds; k++)
        if (!find_kind(before, after->by_kind[k].name))
            found(c, (struct finding){CHANGE_NEW, before, after, NULL,
                                      &after->by_kind[k]});
}

/* Digits lost on average over the kinds that both rows have; *kinds: how many. */
static double average_loss(const struct row *before, const struct row *after, int *kinds)
{
    double sum = 0.0;
    *kinds = 0;
    for (int k = 0; k < before->kinds; k++) {
        const struct kind_digits *now = find_kind(after, before->by_kind[k].name);
        if (!now)
            continue;
        sum += told_digits(before->by_kind[k].digits) - told_digits(now->digits);
        ++*kinds;
    }
    return *kinds > 0 ? sum / *kinds : 0.0;
}

static void compare_average(struct regression *c, const struct row *before,
                            const struct row *after, double tolerance)
{
    int kinds;
    double loss = told_digits(average_loss(before, after, &kinds));
    if (kinds >= FEWEST_KINDS && loss > AVERAGE_SHARE * tolerance)
        found(c, (struct finding){CHANGE_AVERAGE, before, after, NULL, NULL});
}

static bool same_time(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-6 * fmax(1.0, fabs(a));
}

/* The change between the outcomes; CHANGES: there is none. */
static enum change change_of_outcome(const struct row *before, const struct row *after)
{
    const struct row_status *old = row_status(before), *now = row_status(after);
    if (old->held && !now->held)
        return now->numbers ? CHANGE_LOST : CHANGE_REFUSED;
    if (old->numbers && !now->numbers)
        return CHANGE_REFUSED;
    if (!old->numbers && now->numbers)
        return CHANGE_ANSWERED;
    if (!old->held && now->held)
        return CHANGE_WON;
    if (now->numbers)
        return CHANGES;
    if (old != now || before->refusal.status != after->refusal.status)
        return CHANGE_OTHER_REFUSAL;
    return same_time(before->refusal.t, after->refusal.t) ? CHANGES : CHANGE_MOVED;
}

static void compare_rows(struct regression *c, const struct row *before,
                         const struct row *after, double tolerance)
{
    enum change change = change_of_outcome(before, after);
    if (change != CHANGES)
        found(c, (struct finding){change, before, after, NULL, NULL});
    c->rows++;
    if (!row_status(before)->numbers || !row_status(after)->numbers)
        return;
    if (after->numbers < before->numbers || after->missing > before->missing)
        found(c, (struct finding){CHANGE_FEWER, before, after, NULL, NULL});
    compare_kinds(c, before, after, tolerance);
    compare_average(c, before, after, tolerance);
}

/* --- all rows ----------------------------------------------------------------------- */

static bool same_row(const struct row *a, const struct row *b)
{
    return strcmp(a->case_name, b->case_name) == 0 &&
           strcmp(a->solution, b->solution) == 0 && strcmp(a->oracle, b->oracle) == 0;
}

/* The row of the same name that nobody has taken; the tables have nearly the same order,
   so the search goes on where the last one ended. */
static int take_row(const struct row *const *row, bool *taken, int rows,
                    const struct row *like, int *from)
{
    for (int k = 0; k < rows; k++) {
        int here = (*from + k) % rows;
        if (taken[here] || !same_row(row[here], like))
            continue;
        taken[here] = true;
        *from = here + 1;
        return here;
    }
    return -1;
}

static bool in_list(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

/* Rows of a formulation bear its name, those of its reference motion "MPFR " before it.
   Rows that judge a case once stand with whichever formulation is the first. */
static bool in_scope(const struct regress_scope *scope, const struct row *row)
{
    const char *name = row->solution;
    if (scope->cases && !in_list(scope->cases, row->case_name))
        return false;
    if (strncmp(name, "MPFR ", 5) == 0)
        name += 5;
    return !scope->formulation || strcmp(name, scope->formulation) == 0;
}

void regress_compare(const struct rows *before, const struct rows *const *after,
                     int count, const struct regress_scope *scope, double tolerance,
                     struct regression *c)
{
    int rows = 0, from = 0, have = 0;
    for (int i = 0; i < count; i++)
        rows += after[i]->count;
    const struct row **row = memory_new(rows, sizeof *row);
    bool *taken = memory_new(rows, sizeof *taken);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < after[i]->count; k++)
            row[have++] = &after[i]->row[k];

    *c = (struct regression){.finding = NULL};
    for (int k = 0; k < before->count; k++) {
        const struct row *old = &before->row[k];
        int now = take_row(row, taken, rows, old, &from);
        if (now >= 0)
            compare_rows(c, old, row[now], tolerance);
        else if (in_scope(scope, old))
            found(c, (struct finding){CHANGE_VANISHED, old, NULL, NULL, NULL});
    }
    for (int k = 0; k < rows; k++)
        if (!taken[k])
            found(c, (struct finding){CHANGE_NEW, NULL, row[k], NULL, NULL});
    free(taken);
    free(row);
}

void regression_clear(struct regression *c)
{
    free(c->finding);
    *c = (struct regression){.finding = NULL};
}

bool regression_held(const struct regression *c)
{
    for (int k = 0; k < CHANGES; k++)
        if (change_info[k].fails && c->of[k] > 0)
            return false;
    return true;
}

/* --- in words ----------------------------------------------------------------------- */

/* "FAIL: refused, grazing at t = 3.2: ...", "PASS, 480 numbers" */
static void describe(const struct row *row, char *text, int size)
{
    const struct row_status *outcome = row_status(row);
    char reason[600];
    row_reason(row, reason, sizeof reason);
    if (!outcome->numbers)
        snprintf(text, (size_t)size, "%s, %s", outcome->name, reason);
    else if (row->short_of_bar > 0)
        snprintf(text, (size_t)size, "%s, %ld of %ld numbers", outcome->name,
                 row->short_of_bar, row->numbers);
    else if (row->missing > 0)
        snprintf(text, (size_t)size, "%s, %ld numbers, %ld missing", outcome->name,
                 row->numbers, row->missing);
    else
        snprintf(text, (size_t)size, "%s, %ld numbers", outcome->name, row->numbers);
}

/* Describes a row that has changed, before and after. */
static void describe_rows(const struct finding *finding, char *text, int size)
{
    char old[700] = "not there", now[700] = "not there", place[200], first[300] = "";
    const struct row *after = finding->after;
    if (finding->before)
        describe(finding->before, old, sizeof old);
    if (after)
        describe(after, now, sizeof now);
    if (finding->change == CHANGE_LOST && after && after->first.name[0]) {
        place_and_time(after->first.name, after->first.t, place, sizeof place);
        snprintf(first, sizeof first, "; first %s, %.2f digits, bar %.4g", place,
                 told_digits(after->first.digits), after->first.bar);
    }
    snprintf(text, (size_t)size, "%s -> %s%s", old, now, first);
}

static void describe_average(const struct finding *finding, char *text, int size)
{
    int kinds;
    double loss = average_loss(finding->before, finding->after, &kinds);
    snprintf(text, (size_t)size, "%.2f digits fewer on average over %d kinds", loss,
             kinds);
}

static void describe_kind(const struct finding *finding, char *text, int size)
{
    const struct kind_digits *old = finding->kind_before, *now = finding->kind_after;
    char was[40] = "not there", is[40] = "not there", place[200];
    if (old)
        snprintf(was, sizeof was, "%.2f", told_digits(old->digits));
    if (now)
        snprintf(is, sizeof is, "%.2f", told_digits(now->digits));
    const struct kind_digits *at = now ? now : old;
    place_and_time(at->quantity, at->t, place, sizeof place);
    snprintf(text, (size_t)size, "%s -> %s (%s)", was, is, place);
}

void finding_text(const struct finding *finding, char *text, int size)
{
    const struct row *row = finding->before ? finding->before : finding->after;
    const struct kind_digits *kind = finding->kind_before ? finding->kind_before
                                                          : finding->kind_after;
    char what[1800];
    if (kind)
        describe_kind(finding, what, sizeof what);
    else if (finding->change == CHANGE_AVERAGE)
        describe_average(finding, what, sizeof what);
    else
        describe_rows(finding, what, sizeof what);
    snprintf(text, (size_t)size, "%s %s %s%s%s: %s", row->case_name, row->solution,
             row->oracle, kind ? " " : "", kind ? kind->name : "", what);
}
