/*
 * suspects.c - the place of every judged number, and the jumps at which sensitivities go
 * wrong.
 */
#include "faults/localise_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "quantity/quantity.h"

/* A sample this near to an event, relative to the time, is at the event, on whichever
   side. */
static const double at_event = 1e-9;
/* Only the first jumps are looked at. */
enum { MOST_SUSPECTS = 64 };

/* --- numbers ------------------------------------------------------------------------ */

/* Names of columns, looked up from where the last one was found. */
struct names {
    int count, from;
    char (*name)[72];
};

static int find_name(struct names *names, const char *name)
{
    for (int k = 0; k < names->count; k++) {
        int here = (names->from + k) % names->count;
        if (strcmp(names->name[here], name) == 0) {
            names->from = here + 1;
            return here;
        }
    }
    return -1;
}

static int find_parameter(const struct columns *columns, const char *name)
{
    for (int j = 0; j < columns->p; j++)
        if (strcmp(column_parameter(columns, j), name) == 0)
            return j;
    return -1;
}

static void set_column(const struct columns *columns, struct names *names,
                       const char *name, struct number *number)
{
    int c = find_name(names, name);
    if (c < 0) {                        /* a cost at the end */
        number->place = PLACE_NONE;
        return;
    }
    number->parameter = c / columns->width - 1;
    number->column = c % columns->width;
}

static void set_place(const struct columns *columns, struct names *names, int events,
                      struct number *number)
{
    static const enum place place[] = {
        [AT_POINT] = PLACE_SAMPLE, [BEFORE_EVENT] = PLACE_BEFORE,
        [AFTER_EVENT] = PLACE_AFTER, [AT_EVENT] = PLACE_TIME};
    char column[QUANTITY_NAME];
    const struct quantity quantity = quantity_parse(number->name);
    number->place = place[quantity.place];
    number->event = is_at_event(&quantity) ? quantity.event : events;
    number->column = number->parameter = -1;
    quantity_history(&quantity, column, sizeof column);
    if (number->place != PLACE_TIME)
        set_column(columns, names, column, number);
    else if (is_time_derivative(&quantity))
        number->parameter = find_parameter(columns, quantity.by);
}

/* Passes over samples at the time of an event: they stand before the event in the
   results, on whichever side they are. */
static void pass_over_samples_at_events(struct localise_work *work)
{
    double next = NAN;
    for (int k = work->numbers - 1; k >= 0; k--) {
        struct number *number = &work->number[k];
        if (number->place == PLACE_BEFORE || number->place == PLACE_TIME)
            next = number->t;
        else if (number->place == PLACE_SAMPLE &&
                 fabs(number->t - next) <= at_event * (1 + fabs(next)))
            number->place = PLACE_NONE;
    }
}

static void read_numbers(struct localise_work *work, const struct rows *rows,
                         const struct row *row)
{
    const struct localise_request *request = work->request;
    const struct columns *columns = &work->columns;
    int missing, events = 0;
    const struct comparing how = {request->cap, row->made.floor, rows->known};
    struct comparison *comparison = results_compare(request->got, request->want, &how,
                                             &work->numbers, &missing);
    struct names names = {.count = columns->count};
    names.name = memory_new(columns->count, sizeof *names.name);
    for (int c = 0; c < columns->count; c++)
        column_name(columns, c, names.name[c], sizeof names.name[c]);
    work->number = memory_new(work->numbers, sizeof *work->number);
    for (int k = 0; k < work->numbers; k++) {
        double bar = row_bar(rows, row, &comparison[k]);
        work->number[k] = (struct number){
            .name = comparison[k].want->name, .t = comparison[k].want->t,
            .got = mpfr_get_d(comparison[k].got->value, MPFR_RNDN),
            .want = mpfr_get_d(comparison[k].want->value, MPFR_RNDN),
            .scale = comparison[k].scale, .digits = comparison[k].digits, .bar = bar,
            .held = !(comparison[k].digits < bar) || bar < bar_least};
        set_place(columns, &names, events, &work->number[k]);
        events = work->number[k].event;
    }
    pass_over_samples_at_events(work);
    free(names.name);
    free(comparison);
}

/* --- where it goes wrong ------------------------------------------------------------ */

/* The course of one parameter, number after number. */
struct course {
    bool wrong;                 /* a number was wrong since the last jump, or the start */
    bool wrong_before;          /* a number was wrong before the last event */
    int before, after;          /* the last event that has numbers before it; the last one
                                   that has numbers after it */
};

bool localise_follows(const struct localise_work *work, const struct number *number)
{
    const int *begin = work->columns.begin;
    return number->column >= begin[GROUP_A] && number->column < begin[GROUP_Z];
}

static void add_suspect(struct localise_work *work, const struct number *number)
{
    struct suspect *last = work->suspects ? &work->suspect[work->suspects - 1] : NULL;
    for (int k = 0; k < work->suspects; k++)
        if (work->suspect[k].event == number->event &&
            work->suspect[k].parameter == number->parameter)
            return;
    if (work->suspects == MOST_SUSPECTS)
        return;
    struct suspect suspect = {.event = number->event, .parameter = number->parameter};
    bool known = last && last->event == number->event;
    suspect.from = known ? last->from : 0;
    while (work->number[suspect.from].event != number->event ||
           work->number[suspect.from].place == PLACE_SAMPLE)
        suspect.from++;
    suspect.to = suspect.from;
    while (suspect.to < work->numbers &&
           work->number[suspect.to].event == number->event &&
           work->number[suspect.to].place != PLACE_SAMPLE)
        suspect.to++;
    for (int k = suspect.from; k < suspect.to; k++)
        suspect.wrong += work->number[k].parameter == suspect.parameter &&
                         !work->number[k].held && !localise_follows(work,
                                                                    &work->number[k]);
    suspect.score = memory_new(localise_explanations(), sizeof *suspect.score);
    suspect.factor = memory_new(localise_explanations() - localise_rules(),
                                sizeof *suspect.factor);
    work->suspect[work->suspects++] = suspect;
}

/* A number is wrong between events, though not since the last one: no jump went wrong. */
static void follow_motion(struct localise_work *work, int k, struct course *course)
{
    const struct number *number = &work->number[k];
    if (number->place == PLACE_BEFORE && course->before != number->event) {
        course->before = number->event;
        course->wrong_before = false;
    }
    if (number->held)
        return;
    if (!course->wrong && work->smooth[number->parameter] < 0)
        work->smooth[number->parameter] = k;
    course->wrong = course->wrong_before = true;
}

/* A number is wrong at or after an event, though right before: a suspect. */
static void follow_jump(struct localise_work *work, int k, struct course *course)
{
    const struct number *number = &work->number[k];
    if (course->after != number->event) {
        if (course->before != number->event)    /* nothing is known of the side before */
            course->wrong_before = course->wrong;
        course->after = number->event;
        course->wrong = false;
    }
    if (number->held)
        return;
    if (!course->wrong_before)
        add_suspect(work, number);
    course->wrong = true;
}

/* The index of the first wrong number of the motion itself. Beyond it, and at its event,
   sensitivities are of another motion. */
static int end_of_motion(struct localise_work *work)
{
    work->motion = -1;
    for (int k = 0; k < work->numbers && work->motion < 0; k++)
        if (work->number[k].parameter < 0 && work->number[k].place != PLACE_NONE &&
            !work->number[k].held)
            work->motion = k;
    if (work->motion < 0)
        return work->numbers;
    int end = work->motion, event = work->number[end].event;
    if (work->number[end].place != PLACE_SAMPLE)
        while (end > 0 && work->number[end - 1].event == event)
            end--;
    return end;
}

void localise_read(struct localise_work *work, const struct rows *rows,
                   const struct row *row)
{
    read_numbers(work, rows, row);
    int p = work->columns.p, end = end_of_motion(work);
    struct course *course = memory_new(p, sizeof *course);
    work->smooth = memory_new(p, sizeof *work->smooth);
    work->suspect = memory_new(MOST_SUSPECTS, sizeof *work->suspect);
    for (int j = 0; j < p; j++)
        work->smooth[j] = -1;
    for (int k = 0; k < end; k++) {
        const struct number *number = &work->number[k];
        if (number->place == PLACE_NONE || number->parameter < 0)
            continue;
        if (number->place == PLACE_SAMPLE || number->place == PLACE_BEFORE)
            follow_motion(work, k, &course[number->parameter]);
        else
            follow_jump(work, k, &course[number->parameter]);
    }
    free(course);
}

void localise_clear(struct localise_work *work)
{
    for (int k = 0; k < work->suspects; k++) {
        free(work->suspect[k].score);
        free(work->suspect[k].factor);
    }
    free(work->suspect);
    free(work->number);
    free(work->multiple);
    free(work->smooth);
}
