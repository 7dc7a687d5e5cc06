#include "verdict/rows.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "condition.h"
#include "quantity/quantity.h"
#include "verdict/json.h"

void row_clear(struct row *row)
{
    free(row->json);
    free(row->judged);
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

/* Doubles with the 17 digits that identify them, others with the digits they carry. */
static void decimal(mpfr_srcptr value, char *text, int size)
{
    int digits = (int)ceil((double)mpfr_get_prec(value) * log10(2.0)) + 1;
    if (digits > 60)
        digits = 60;
    mpfr_snprintf(text, (size_t)size, "%.*Rg", digits, value);
}

double row_bar(const struct rows *rows, const struct row *row,
               const struct verdict *verdict)
{
    if (isnan(rows->digits))
        return bar_digits(&row->made, verdict->want->group, row->cap, verdict->condition);
    bool of_doubles = mpfr_get_prec(verdict->got->value) <= DBL_MANT_DIG;
    double most = of_doubles ? all_of_double : INFINITY;
    return fmin(rows->digits, most - log10(verdict->condition));
}

static struct judged judge(const struct row *row, const struct rows *rows,
                           const struct verdict *verdict)
{
    struct judged judged = {
        .t = verdict->want->t, .digits = verdict->digits, .scale = verdict->scale,
        .condition = verdict->condition, .bar = row_bar(rows, row, verdict),
    };
    snprintf(judged.name, sizeof judged.name, "%s", verdict->want->name);
    return judged;
}

static void print_numbers(struct judged *judged, const struct verdict *verdict)
{
    decimal(verdict->got->value, judged->got, sizeof judged->got);
    decimal(verdict->want->value, judged->want, sizeof judged->want);
}

/* Coordinates, velocities and event times are what a modelling gap is made of. */
static bool counts_in_gap(const char *name)
{
    const struct quantity quantity = quantity_parse(name);
    return !is_derivative(&quantity) &&
           (quantity.kind == QUANTITY_Q || quantity.kind == QUANTITY_V ||
            quantity.kind == QUANTITY_TIME);
}

static bool is_worse(const struct judged *a, const struct judged *b)
{
    return b->name[0] == '\0' || a->digits - a->bar < b->digits - b->bar;
}

static bool is_fewer(const struct judged *a, const struct judged *b)
{
    return b->name[0] == '\0' || a->digits < b->digits;
}

/* The event nearest to grazing: of its dt/drho the condition is its own. */
static void note_grazing(struct row *row, const struct verdict *verdict)
{
    const struct entry *want = verdict->want;
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

static void note_kind(struct row *row, const char *word, const struct judged *judged)
{
    int k = 0;
    while (k < row->kinds && strcmp(row->by_kind[k].name, word) != 0)
        k++;
    if (k == MOST_KINDS)
        return;
    struct kind_digits *kind = &row->by_kind[k];
    if (k < row->kinds && judged->digits >= kind->digits)
        return;
    row->kinds += k == row->kinds;
    *kind = (struct kind_digits){.digits = judged->digits, .t = judged->t};
    snprintf(kind->name, sizeof kind->name, "%s", word);
    memcpy(kind->quantity, judged->name, sizeof kind->quantity);
}

static void count_number(struct row *row, const char *word, const struct judged *judged,
                         bool held, bool at_cap)
{
    row->numbers++;
    row->short_of_bar += !held;
    note_kind(row, word, judged);
    distribution_add(&row->distribution, judged->digits, at_cap);
}

double row_kind_digits(const struct row *row, const char *kind)
{
    for (int k = 0; k < row->kinds; k++)
        if (strcmp(row->by_kind[k].name, kind) == 0)
            return row->by_kind[k].digits;
    return NAN;
}

/* Where the digits were asked for by name, whoever asked knows how few they are. */
static bool is_judged(const struct rows *rows, const struct row *row,
                      const struct judged *judged)
{
    double least = isnan(rows->digits) ? bar_least : fmin(bar_least, rows->digits);
    return !isnan(judged->digits) && (row->kind == ROW_GAP || judged->bar >= least);
}

/* The places in `verdict` of the numbers that a row shows; -1: none yet. */
struct shown {
    int worst, least, first;
};

static void take_number(struct row *row, const struct verdict *verdict, int k,
                        const struct judged *judged, bool held, struct shown *shown)
{
    char word[WORD];
    const struct quantity quantity = quantity_parse(judged->name);
    quantity_word(&quantity, word, sizeof word);
    count_number(row, word, judged, held, judged->digits >= row->cap);
    note_grazing(row, &verdict[k]);
    if (is_worse(judged, &row->worst)) {
        row->worst = *judged;
        shown->worst = k;
    }
    if (is_fewer(judged, &row->least)) {
        row->least = *judged;
        shown->least = k;
    }
    if (!held && shown->first < 0) {
        row->first = *judged;
        shown->first = k;
    }
}

static void print_shown(struct row *row, const struct verdict *verdict,
                        const struct shown *shown)
{
    if (shown->worst >= 0)
        print_numbers(&row->worst, &verdict[shown->worst]);
    if (shown->least >= 0)
        print_numbers(&row->least, &verdict[shown->least]);
    if (shown->first >= 0)
        print_numbers(&row->first, &verdict[shown->first]);
}

void row_compare(struct rows *rows, struct row *row, const struct ledger *got,
                 const struct ledger *want, double cap)
{
    int count, missing, room = 0;
    const struct comparing how = {cap, row->made.floor, rows->known};
    struct verdict *verdict = ledger_compare(got, want, &how, &count, &missing);
    struct shown shown = {-1, -1, -1};
    char *text = NULL;
    size_t size = 0;
    FILE *json = rows->json ? open_memstream(&text, &size) : NULL;

    row->cap = cap;
    if (rows->keep)
        row->judged = memory_new(count, sizeof *row->judged);
    for (int k = 0; k < count; k++) {
        if (row->kind == ROW_GAP && !counts_in_gap(verdict[k].want->name))
            continue;
        struct judged judged = judge(row, rows, &verdict[k]);
        if (!is_judged(rows, row, &judged)) {
            row->skipped++;
            continue;
        }
        bool held = row->kind == ROW_GAP || judged.digits >= judged.bar;
        take_number(row, verdict, k, &judged, held, &shown);
        if (json || row->judged)
            print_numbers(&judged, &verdict[k]);
        if (json)
            row_json_number(json, row, &judged, held);
        if (row->judged)
            row->judged[row->numbers - 1] = judged;
        if (!held) {
            row->shortfall = memory_grow(row->shortfall, &room, (int)row->short_of_bar,
                                         sizeof *row->shortfall);
            row->shortfall[row->short_of_bar - 1] = judged;
        }
    }
    print_shown(row, verdict, &shown);
    row->missing = missing;
    if (missing > 0)
        snprintf(row->note, sizeof row->note, "%d numbers of the oracle are missing: "
                 "another number of events, or another order", missing);
    row->held = row->short_of_bar == 0 && missing == 0 && row->numbers > 0;
    if (json)
        fclose(json);
    row->json = text;
    free(verdict);
}

/* --- beside other oracles --------------------------------------------------------- */

static bool falls_short(const struct row *row, const struct judged *judged)
{
    for (long k = 0; row->shortfall && k < row->short_of_bar; k++)
        if (row->shortfall[k].t == judged->t &&
            strcmp(row->shortfall[k].name, judged->name) == 0)
            return true;
    return false;
}

/* Does another row pass this number? Trajectories are compared number by number in rows
   of one shape: what one of them has, the others have. */
static bool passes_elsewhere(const struct rows *rows, int first, const struct row *row,
                             const struct judged *judged)
{
    for (int k = first; k < rows->count; k++) {
        const struct row *other = &rows->row[k];
        if (other != row && other->kind == ROW_JUDGED && other->missing == 0 &&
            other->numbers + other->skipped == row->numbers + row->skipped &&
            strcmp(other->solution, row->solution) == 0 && !falls_short(other, judged))
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
            const struct judged *judged = &row->shortfall[k];
            row->slightly_short += judged->bar - judged->digits < 1 &&
                                   passes_elsewhere(rows, first, row, judged);
        }
        if (row->slightly_short > 0 && row->slightly_short == row->short_of_bar)
            row->held = row->missing == 0;
    }
}

/* Single numbers are of the kind that the first word of their name says. */
static void count_measured(struct row *row, const struct judged *judged, bool held)
{
    char word[WORD];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(judged->name, "./"), judged->name);
    count_number(row, word, judged, held, false);
    if (is_worse(judged, &row->worst))
        row->worst = *judged;
    if (is_fewer(judged, &row->least))
        row->least = *judged;
    if (!held && row->first.name[0] == '\0')
        row->first = *judged;
    row->held = row->short_of_bar == 0;
}

/* A stream that begins with the objects that the row has, for more of them; end_more
   leaves all with the row. */
struct more {
    char *text;
    size_t size;
    FILE *stream;
};

static void begin_more(const struct row *row, struct more *more)
{
    *more = (struct more){0};
    more->stream = open_memstream(&more->text, &more->size);
    fputs(row->json ? row->json : "", more->stream);
}

static void end_more(struct row *row, struct more *more)
{
    fclose(more->stream);
    free(row->json);
    row->json = more->text;
}

/* `published` is NULL or where the number is printed. */
static void append_json(struct row *row, const struct judged *judged, bool held,
                        const struct published *published)
{
    struct more more;
    begin_more(row, &more);
    if (published)
        row_json_published(more.stream, row, judged, held, published);
    else
        row_json_number(more.stream, row, judged, held);
    end_more(row, &more);
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
    struct more more;
    if (trajectory->togethers == 0)
        return;
    const struct together *last = &trajectory->together[trajectory->togethers - 1];
    if (last->agree && row->kind == ROW_JUDGED && row->note[0] == '\0')
        snprintf(row->note, sizeof row->note, "events %s are together at t = %.6g: every "
                 "order leads to the same", last->names, last->t);
    if (!rows->json)
        return;
    begin_more(row, &more);
    for (int k = 0; k < trajectory->togethers; k++)
        row_json_together(more.stream, row, &trajectory->columns,
                             &trajectory->together[k]);
    end_more(row, &more);
}

void row_measure(struct rows *rows, struct row *row, const struct judged *judged)
{
    bool held = judged->digits >= judged->bar;
    count_measured(row, judged, held);
    if (rows->json)
        append_json(row, judged, held, NULL);
}

void row_measure_published(struct rows *rows, struct row *row,
                           const struct judged *judged,
                           const struct published *published)
{
    bool held = judged->digits >= judged->bar;
    if (!published->disputed)
        count_measured(row, judged, held);
    if (rows->json)
        append_json(row, judged, held, published);
}

static void end_without_numbers(const struct rows *rows, struct row *row,
                                enum row_kind kind, bool held,
                                const struct diagnosis *diagnosis)
{
    row->kind = kind;
    row->held = held;
    row->refusal = *diagnosis;
    if (!rows->json)
        return;
    size_t size = 0;
    free(row->json);
    FILE *json = open_memstream(&row->json, &size);
    row_json_refusal(json, row);
    fclose(json);
}

void row_refuse(struct rows *rows, struct row *row, const struct diagnosis *diagnosis)
{
    end_without_numbers(rows, row, ROW_REFUSED, false, diagnosis);
}

void row_agree(struct rows *rows, struct row *row, const struct diagnosis *diagnosis)
{
    end_without_numbers(rows, row, ROW_REFUSED, true, diagnosis);
}

void row_empty(struct rows *rows, struct row *row, const struct diagnosis *diagnosis)
{
    end_without_numbers(rows, row, ROW_EMPTY, false, diagnosis);
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

void judged_place(const struct judged *judged, char *text, int size)
{
    const struct quantity quantity = quantity_parse(judged->name);
    quantity_place(&quantity, judged->t, text, (size_t)size);
}
