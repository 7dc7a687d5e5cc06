/*
 * verdict_rows.c - results compared with those of an oracle, number by number
 * (verdict_rows.h)
 */
#include "verdict/verdict_rows.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "condition.h"
#include "quantity/quantity.h"
#include "verdict/remarks.h"

void row_clear(struct row *row)
{
    free(row->verdict);
    free(row->remark);
    free(row->shortfall);
}

void rows_clear(struct rows *rows)
{
    for (int k = 0; k < rows->count; k++)
        row_clear(&rows->row[k]);
    free(rows->row);
    rows->row = NULL;
    rows->count = rows->room = 0;
}

static void make_room(struct rows *rows)
{
    struct rows_reader *reader = rows->reader;
    if (rows->count < rows->room)
        return;
    if (reader)
        pthread_mutex_lock(&reader->lock);
    rows->row = memory_grow(rows->row, &rows->room, rows->count + 1, sizeof *rows->row);
    if (reader)
        pthread_mutex_unlock(&reader->lock);
}

void rows_settle(struct rows *rows, bool complete)
{
    struct rows_reader *reader = rows->reader;
    if (!reader)
        return;
    pthread_mutex_lock(&reader->lock);
    rows->settled = rows->count;
    rows->complete = complete;
    reader->look(reader);
    pthread_mutex_unlock(&reader->lock);
}

struct row *rows_add(struct rows *rows, enum row_kind kind, const char *case_name,
                     const char *solution, const char *oracle)
{
    make_room(rows);
    struct row *row = &rows->row[rows->count++];
    *row = (struct row){.kind = kind, .rtol = NAN, .cap = NAN,
                        .made = {.digits = INFINITY}};
    snprintf(row->case_name, sizeof row->case_name, "%s", case_name);
    snprintf(row->solution, sizeof row->solution, "%s", solution);
    snprintf(row->oracle, sizeof row->oracle, "%s", oracle);
    return row;
}

/* A double is written with the 17 digits that identify it, any other number with the
   digits that it carries. */
static void decimal(mpfr_srcptr value, char *text, int size)
{
    int digits = (int)ceil((double)mpfr_get_prec(value) * log10(2.0)) + 1;
    if (digits > 60)
        digits = 60;
    mpfr_snprintf(text, (size_t)size, "%.*Rg", digits, value);
}

double row_bar(const struct rows *rows, const struct row *row,
               const struct comparison *comparison)
{
    if (isnan(rows->digits)) {
        const struct quantity quantity = quantity_parse(comparison->want->name);
        return bar_digits(&row->made, &quantity, row->cap, comparison->condition);
    }
    bool of_doubles = mpfr_get_prec(comparison->got->value) <= DBL_MANT_DIG;
    double most = of_doubles ? all_of_double : INFINITY;
    return fmin(rows->digits, most - log10(comparison->condition));
}

static enum verdict_status status_of(double digits, double bar)
{
    return digits >= bar ? VERDICT_PASS : VERDICT_FAIL;
}

static struct verdict judge(const struct row *row, const struct rows *rows,
                           const struct comparison *comparison)
{
    struct verdict verdict = {
        .t = comparison->want->t, .digits = comparison->digits,
        .scale = comparison->scale, .condition = comparison->condition,
        .bar = row_bar(rows, row, comparison),
    };
    verdict.status = row->kind == ROW_GAP ? VERDICT_SHOWN
                                          : status_of(verdict.digits, verdict.bar);
    snprintf(verdict.name, sizeof verdict.name, "%s", comparison->want->name);
    return verdict;
}

static void print_numbers(struct verdict *verdict, const struct comparison *comparison)
{
    decimal(comparison->got->value, verdict->got, sizeof verdict->got);
    decimal(comparison->want->value, verdict->want, sizeof verdict->want);
}

/* A modelling gap is in coordinates, velocities and event times. */
static bool counts_in_gap(const char *name)
{
    const struct quantity quantity = quantity_parse(name);
    return !is_derivative(&quantity) &&
           (quantity.kind == QUANTITY_Q || quantity.kind == QUANTITY_V ||
            quantity.kind == QUANTITY_TIME);
}

static bool is_worse(const struct verdict *a, const struct verdict *b)
{
    return b->name[0] == '\0' || a->digits - a->bar < b->digits - b->bar;
}

static bool is_fewer(const struct verdict *a, const struct verdict *b)
{
    return b->name[0] == '\0' || a->digits < b->digits;
}

/* Notes the event nearest to grazing: the condition of its dt/drho is its own. */
static void note_grazing(struct row *row, const struct comparison *comparison)
{
    const struct entry *want = comparison->want;
    double condition = want->condition;
    if (!(condition > row->grazing.condition))
        return;
    const struct quantity quantity = quantity_parse(want->name);
    if (!is_time_derivative(&quantity))
        return;
    row->grazing.event = quantity.event;
    row->grazing.t = want->t;
    row->grazing.condition = condition;
}

enum { WORD = sizeof ((struct kind_digits *)NULL)->name };

static void note_kind(struct row *row, const char *word, const struct verdict *verdict)
{
    int k = 0;
    while (k < row->kinds && strcmp(row->by_kind[k].name, word) != 0)
        k++;
    if (k == MOST_KINDS)
        return;
    struct kind_digits *kind = &row->by_kind[k];
    if (k < row->kinds && verdict->digits >= kind->digits)
        return;
    row->kinds += k == row->kinds;
    *kind = (struct kind_digits){.digits = verdict->digits, .t = verdict->t};
    snprintf(kind->name, sizeof kind->name, "%s", word);
    memcpy(kind->quantity, verdict->name, sizeof kind->quantity);
}

static void count_number(struct row *row, const char *word, const struct verdict *verdict,
                         bool held, bool at_cap)
{
    row->numbers++;
    row->short_of_bar += !held;
    note_kind(row, word, verdict);
    distribution_add(&row->distribution, verdict->digits, at_cap);
}

double row_kind_digits(const struct row *row, const char *kind)
{
    for (int k = 0; k < row->kinds; k++)
        if (strcmp(row->by_kind[k].name, kind) == 0)
            return row->by_kind[k].digits;
    return NAN;
}

/* A number is judged whatever its bar where --digits asks for so many digits. */
static bool is_judged(const struct rows *rows, const struct row *row,
                      const struct verdict *verdict)
{
    double least = isnan(rows->digits) ? bar_least : fmin(bar_least, rows->digits);
    return !isnan(verdict->digits) && (row->kind == ROW_GAP || verdict->bar >= least);
}

/* The places in `comparison` of the numbers that a row shows; -1: none yet. */
struct shown {
    int worst, least, first;
};

static void take_number(struct row *row, const struct comparison *comparison, int k,
                        const struct verdict *verdict, bool held, struct shown *shown)
{
    char word[WORD];
    const struct quantity quantity = quantity_parse(verdict->name);
    quantity_word(&quantity, word, sizeof word);
    count_number(row, word, verdict, held, verdict->digits >= row->cap);
    note_grazing(row, &comparison[k]);
    if (is_worse(verdict, &row->worst)) {
        row->worst = *verdict;
        shown->worst = k;
    }
    if (is_fewer(verdict, &row->least)) {
        row->least = *verdict;
        shown->least = k;
    }
    if (!held && shown->first < 0) {
        row->first = *verdict;
        shown->first = k;
    }
}

static void keep_verdict(struct row *row, const struct verdict *verdict)
{
    row->verdict = memory_grow(row->verdict, &row->verdict_room, row->verdicts + 1,
                               sizeof *row->verdict);
    row->verdict[row->verdicts++] = *verdict;
}

static void print_shown(struct row *row, const struct comparison *comparison,
                        const struct shown *shown)
{
    if (shown->worst >= 0)
        print_numbers(&row->worst, &comparison[shown->worst]);
    if (shown->least >= 0)
        print_numbers(&row->least, &comparison[shown->least]);
    if (shown->first >= 0)
        print_numbers(&row->first, &comparison[shown->first]);
}

void row_compare(struct rows *rows, struct row *row, const struct results *got,
                 const struct results *want, double cap)
{
    int count, missing, room = 0;
    const struct comparing how = {cap, row->made.floor, rows->known};
    struct comparison *comparison = results_compare(got, want, &how, &count, &missing);
    struct shown shown = {-1, -1, -1};
    row->cap = cap;
    for (int k = 0; k < count; k++) {
        if (row->kind == ROW_GAP && !counts_in_gap(comparison[k].want->name))
            continue;
        struct verdict verdict = judge(row, rows, &comparison[k]);
        if (!is_judged(rows, row, &verdict)) {
            row->skipped++;
            continue;
        }
        bool held = verdict.status != VERDICT_FAIL;
        take_number(row, comparison, k, &verdict, held, &shown);
        if (rows->keep) {
            print_numbers(&verdict, &comparison[k]);
            keep_verdict(row, &verdict);
        }
        if (!held) {
            row->shortfall = memory_grow(row->shortfall, &room, (int)row->short_of_bar,
                                         sizeof *row->shortfall);
            row->shortfall[row->short_of_bar - 1] = verdict;
        }
    }
    print_shown(row, comparison, &shown);
    row->missing = missing;
    if (missing > 0)
        snprintf(row->note, sizeof row->note, "%d numbers of the oracle are missing: "
                 "another number of events, or another order", missing);
    row->held = row->short_of_bar == 0 && missing == 0 && row->numbers > 0;
    free(comparison);
}

/* --- beside other oracles --------------------------------------------------------- */

static bool falls_short(const struct row *row, const struct verdict *verdict)
{
    for (long k = 0; row->shortfall && k < row->short_of_bar; k++)
        if (row->shortfall[k].t == verdict->t &&
            strcmp(row->shortfall[k].name, verdict->name) == 0)
            return true;
    return false;
}

/* Does another row pass this number? Trajectories are compared number by number in rows
   of one shape, so that the other row has the number, too. */
static bool passes_elsewhere(const struct rows *rows, int first, const struct row *row,
                             const struct verdict *verdict)
{
    for (int k = first; k < rows->count; k++) {
        const struct row *other = &rows->row[k];
        if (other != row && other->kind == ROW_JUDGED && other->missing == 0 &&
            other->numbers + other->skipped == row->numbers + row->skipped &&
            strcmp(other->solution, row->solution) == 0 && !falls_short(other, verdict))
            return true;
    }
    return false;
}

void rows_weigh(struct rows *rows, int first)
{
    for (int i = first; i < rows->count; i++) {
        struct row *row = &rows->row[i];
        row->slightly_short = 0;
        for (long k = 0; row->shortfall && k < row->short_of_bar; k++) {
            const struct verdict *verdict = &row->shortfall[k];
            row->slightly_short += verdict->bar - verdict->digits < 1 &&
                                   passes_elsewhere(rows, first, row, verdict);
        }
        if (row->slightly_short > 0 && row->slightly_short == row->short_of_bar)
            row->held = row->missing == 0;
    }
}

/* The kind of a single number is the first word of its name. */
static void count_measured(struct row *row, const struct verdict *verdict, bool held)
{
    char word[WORD];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(verdict->name, "./"), verdict->name);
    count_number(row, word, verdict, held, false);
    if (is_worse(verdict, &row->worst))
        row->worst = *verdict;
    if (is_fewer(verdict, &row->least))
        row->least = *verdict;
    if (!held && row->first.name[0] == '\0')
        row->first = *verdict;
    row->held = row->short_of_bar == 0;
}

void row_note(struct row *row, const char *text)
{
    size_t used = strlen(row->note), room = sizeof row->note - used;
    if (text[0])
        snprintf(row->note + used, room, "%s%s", used > 0 ? "; " : "", text);
}

void row_note_together(struct rows *rows, struct row *row,
                       const struct trajectory *trajectory)
{
    if (trajectory->togethers == 0)
        return;
    const struct together *last = &trajectory->together[trajectory->togethers - 1];
    if (last->agree && row->kind == ROW_JUDGED && row->note[0] == '\0')
        snprintf(row->note, sizeof row->note, "events %s are together at t = %.6g: every "
                 "order leads to the same", last->names, last->t);
    for (int k = 0; rows->keep && k < trajectory->togethers; k++)
        remark_together(row, &trajectory->columns, &trajectory->together[k]);
}

void row_measure(struct rows *rows, struct row *row, const struct verdict *measured)
{
    struct verdict verdict = *measured;
    verdict.status = status_of(verdict.digits, verdict.bar);
    count_measured(row, &verdict, verdict.status == VERDICT_PASS);
    if (rows->keep)
        keep_verdict(row, &verdict);
}

void row_measure_published(struct rows *rows, struct row *row,
                           const struct verdict *measured,
                           const struct published *published)
{
    struct verdict verdict = *measured;
    verdict.status = published->disputed ? VERDICT_SHOWN
                                         : status_of(verdict.digits, verdict.bar);
    if (!published->disputed)
        count_measured(row, &verdict, verdict.status == VERDICT_PASS);
    if (!rows->keep)
        return;
    keep_verdict(row, &verdict);
    remark_add(row, REMARK_SOURCE, row->verdicts - 1, NAN, published->source);
    if (published->disputed)
        remark_add(row, REMARK_DISPUTED, row->verdicts - 1, NAN, published->disputed);
}

static void end_without_numbers(struct row *row, enum row_kind kind, bool held,
                                const struct diagnosis *diagnosis)
{
    row->kind = kind;
    row->held = held;
    row->refusal = *diagnosis;
}

void row_refuse(struct row *row, const struct diagnosis *diagnosis)
{
    end_without_numbers(row, ROW_REFUSED, false, diagnosis);
}

void row_agree(struct row *row, const struct diagnosis *diagnosis)
{
    end_without_numbers(row, ROW_REFUSED, true, diagnosis);
}

void row_empty(struct row *row, const struct diagnosis *diagnosis)
{
    end_without_numbers(row, ROW_EMPTY, false, diagnosis);
}

bool row_fell_short(const struct row *row)
{
    return row->kind != ROW_GAP && row->kind != ROW_EMPTY && !row->held;
}

void refusal_text(const struct diagnosis *diagnosis, char *text, int size)
{
    char when[40] = "";
    if (!isnan(diagnosis->t))
        snprintf(when, sizeof when, " at t = %.9g", diagnosis->t);
    snprintf(text, (size_t)size, "%s%s: %s", status_text(diagnosis->status), when,
             diagnosis->place);
}

void verdict_place(const struct verdict *verdict, char *text, int size)
{
    const struct quantity quantity = quantity_parse(verdict->name);
    quantity_place(&quantity, verdict->t, text, (size_t)size);
}
