/*
 * row_status.c - PASS, FAIL or SKIP of a row, with its reason (row_status.h)
 */
#include "verdict/row_status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "quantity/quantity.h"

/* A gap is shown only, so `held` does not matter for one. */
static const struct row_status outcomes[] = {
    {"PASS", "held", ROW_JUDGED, true, true},
    {"FAIL", "fell short", ROW_JUDGED, false, true},
    {"SKIP: modelling gap", "gap", ROW_GAP, true, true},
    {"PASS: refused as certified", "refused as certified", ROW_REFUSED, true, false},
    {"FAIL: refused", "refused", ROW_REFUSED, false, false},
    {"FAIL: absent", "absent", ROW_ABSENT, false, false},
    {"SKIP: empty", "empty", ROW_EMPTY, false, false},
};
enum { OUTCOMES = sizeof outcomes / sizeof outcomes[0] };

const struct row_status *row_status(const struct row *row)
{
    bool both = row->kind == ROW_JUDGED || row->kind == ROW_REFUSED;
    int k = 0;
    while (k < OUTCOMES - 1 && (outcomes[k].kind != row->kind ||
                                (both && outcomes[k].held != row->held)))
        k++;
    return &outcomes[k];
}

const char *row_skipped(const struct row *row)
{
    bool disputed = strcmp(row->oracle, "published") == 0;
    bool not_asked = strcmp(row->oracle, "-") == 0;
    if (row->kind == ROW_GAP)
        return "modelling gap";
    if (row->kind != ROW_EMPTY)
        return NULL;
    if (row->refusal.status != OK)
        return status_text(row->refusal.status);
    if (not_asked)
        return "not asked";
    return disputed && !strstr(row->note, "--thorough") ? "disputed" : "not recomputed";
}

bool row_passed(const struct row *row)
{
    return !row_skipped(row) && !row_fell_short(row);
}

static void tally_reason(struct tally *tally, const char *text)
{
    enum { MOST = sizeof tally->reason / sizeof tally->reason[0] };
    int k = 0;
    while (k < tally->reasons && strcmp(tally->reason[k].text, text) != 0)
        k++;
    if (k == MOST)
        return;
    if (k == tally->reasons)
        tally->reason[tally->reasons++].text = text;
    tally->reason[k].rows++;
}

void tally_add(struct tally *tally, const struct rows *rows)
{
    for (int k = 0; k < rows->count; k++) {
        const struct row *row = &rows->row[k];
        const char *why = row_skipped(row);
        bool failed = row_fell_short(row);
        if (why)
            tally_reason(tally, why);
        tally->skipped += why != NULL;
        tally->failed += failed;
        tally->passed += !why && !failed;
        tally->refused += !why && !failed && row->kind == ROW_REFUSED;
        tally->numbers += why ? 0 : row->numbers;
    }
}

const struct row_status *row_status_find(const char *name, bool *is_old)
{
    for (int k = 0; k < OUTCOMES; k++) {
        *is_old = strcmp(outcomes[k].old_name, name) == 0;
        if (*is_old || strcmp(outcomes[k].name, name) == 0)
            return &outcomes[k];
    }
    return NULL;
}

void row_reason(const struct row *row, char *text, int size)
{
    if (row->kind == ROW_ABSENT || row->refusal.status == OK)
        snprintf(text, (size_t)size, "%s", row->note);
    else
        refusal_text(&row->refusal, text, size);
}

void row_shortfall(const struct row *row, char *text, int size)
{
    char place[160];
    verdict_place(&row->first, place, sizeof place);
    snprintf(text, (size_t)size, "%ld of %ld numbers short; first at %s, %.1f digits "
             "(bar %.4g); got %s, want %s, scale %.3g", row->short_of_bar, row->numbers,
             place, digits_to(row->first.digits, 1), row->first.bar, row->first.got,
             row->first.want, row->first.scale);
}

void place_and_time(const char *quantity, double t, char *text, int size)
{
    char place[160];
    const struct quantity key = quantity_parse(quantity);
    quantity_place(&key, t, place, sizeof place);
    snprintf(text, (size_t)size, "%s at t = %.9g", is_at_event(&key) ? place : quantity,
             t);
}

double row_quantile(const struct row *row, double fraction)
{
    return fmin(distribution_quantile(&row->distribution, fraction), row->cap);
}

double digits_to(double digits, int decimals)
{
    static const double written = 1e-6;     /* a number that was rounded so stays */
    double unit = pow(10, decimals);
    return floor(digits * unit + written) / unit;
}

double told_digits(double digits)
{
    return digits_to(digits, 2);
}
