/*
 * suspects.c - where every judged number belongs, and at which jumps sensitivities go
 * wrong.
 */
#include "faults/localise_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "quantity/quantity.h"

/* A sample this near to an event, relative to the time, is at it: of which side is
   not asked. */
static const double at_event = 1e-9;
/* As many jumps are looked at, the first ones. */
enum { MOST_SPOTS = 64 };

/* --- marks -------------------------------------------------------------------------- */

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
                       const char *name, struct mark *mark)
{
    int c = find_name(names, name);
    if (c < 0) {                        /* a cost at the end */
        mark->place = PLACE_NONE;
        return;
    }
    mark->parameter = c / columns->width - 1;
    mark->column = c % columns->width;
}

static void set_place(const struct columns *columns, struct names *names, int events,
                      struct mark *mark)
{
    static const enum place place[] = {
        [AT_POINT] = PLACE_SAMPLE, [BEFORE_EVENT] = PLACE_BEFORE,
        [AFTER_EVENT] = PLACE_AFTER, [AT_EVENT] = PLACE_TIME};
    char column[QUANTITY_NAME];
    const struct quantity quantity = quantity_parse(mark->name);
    mark->place = place[quantity.place];
    mark->event = is_at_event(&quantity) ? quantity.event : events;
    mark->column = mark->parameter = -1;
    quantity_history(&quantity, column, sizeof column);
    if (mark->place != PLACE_TIME)
        set_column(columns, names, column, mark);
    else if (is_time_derivative(&quantity))
        mark->parameter = find_parameter(columns, quantity.by);
}

/* Samples at the time of an event stand before it in the ledger, on whichever side they
   are. */
static void pass_over_samples_at_events(struct blame *blame)
{
    double next = NAN;
    for (int k = blame->marks - 1; k >= 0; k--) {
        struct mark *mark = &blame->mark[k];
        if (mark->place == PLACE_BEFORE || mark->place == PLACE_TIME)
            next = mark->t;
        else if (mark->place == PLACE_SAMPLE &&
                 fabs(mark->t - next) <= at_event * (1 + fabs(next)))
            mark->place = PLACE_NONE;
    }
}

static void read_marks(struct blame *blame, const struct rows *rows,
                       const struct row *row)
{
    const struct blame_request *request = blame->request;
    const struct columns *columns = &blame->columns;
    int missing, events = 0;
    const struct comparing how = {request->cap, row->made.floor, rows->known};
    struct comparison *comparison = results_compare(request->got, request->want, &how,
                                             &blame->marks, &missing);
    struct names names = {.count = columns->count};
    names.name = memory_new(columns->count, sizeof *names.name);
    for (int c = 0; c < columns->count; c++)
        column_name(columns, c, names.name[c], sizeof names.name[c]);
    blame->mark = memory_new(blame->marks, sizeof *blame->mark);
    for (int k = 0; k < blame->marks; k++) {
        double bar = row_bar(rows, row, &comparison[k]);
        blame->mark[k] = (struct mark){
            .name = comparison[k].want->name, .t = comparison[k].want->t,
            .got = mpfr_get_d(comparison[k].got->value, MPFR_RNDN),
            .want = mpfr_get_d(comparison[k].want->value, MPFR_RNDN),
            .scale = comparison[k].scale, .digits = comparison[k].digits, .bar = bar,
            .held = !(comparison[k].digits < bar) || bar < bar_least};
        set_place(columns, &names, events, &blame->mark[k]);
        events = blame->mark[k].event;
    }
    pass_over_samples_at_events(blame);
    free(names.name);
    free(comparison);
}

/* --- where it goes wrong ------------------------------------------------------------ */

/* What is known of one parameter, number after number. */
struct course {
    bool wrong;                 /* since the last jump, or the start */
    bool wrong_before;          /* the last event */
    int before, after;          /* the last event that has numbers before, and after it */
};

bool blame_follows(const struct blame *blame, const struct mark *mark)
{
    const int *begin = blame->columns.begin;
    return mark->column >= begin[GROUP_A] && mark->column < begin[GROUP_Z];
}

static void add_spot(struct blame *blame, const struct mark *mark)
{
    struct spot *last = blame->spots ? &blame->spot[blame->spots - 1] : NULL;
    for (int k = 0; k < blame->spots; k++)
        if (blame->spot[k].event == mark->event &&
            blame->spot[k].parameter == mark->parameter)
            return;
    if (blame->spots == MOST_SPOTS)
        return;
    struct spot spot = {.event = mark->event, .parameter = mark->parameter};
    bool known = last && last->event == mark->event;
    spot.from = known ? last->from : 0;
    while (blame->mark[spot.from].event != mark->event ||
           blame->mark[spot.from].place == PLACE_SAMPLE)
        spot.from++;
    spot.to = spot.from;
    while (spot.to < blame->marks && blame->mark[spot.to].event == mark->event &&
           blame->mark[spot.to].place != PLACE_SAMPLE)
        spot.to++;
    for (int k = spot.from; k < spot.to; k++)
        spot.numbers += blame->mark[k].parameter == spot.parameter &&
                        !blame->mark[k].held && !blame_follows(blame, &blame->mark[k]);
    spot.score = memory_new(blame_explanations(), sizeof *spot.score);
    spot.factor = memory_new(blame_explanations() - blame_rules(), sizeof *spot.factor);
    blame->spot[blame->spots++] = spot;
}

/* Wrong between events, though not since the last one: no jump is to blame. */
static void follow_motion(struct blame *blame, int k, struct course *course)
{
    const struct mark *mark = &blame->mark[k];
    if (mark->place == PLACE_BEFORE && course->before != mark->event) {
        course->before = mark->event;
        course->wrong_before = false;
    }
    if (mark->held)
        return;
    if (!course->wrong && blame->smooth[mark->parameter] < 0)
        blame->smooth[mark->parameter] = k;
    course->wrong = course->wrong_before = true;
}

/* Wrong at or after an event, though right before. */
static void follow_jump(struct blame *blame, int k, struct course *course)
{
    const struct mark *mark = &blame->mark[k];
    if (course->after != mark->event) {
        if (course->before != mark->event)      /* nothing is known */
            course->wrong_before = course->wrong;
        course->after = mark->event;
        course->wrong = false;
    }
    if (mark->held)
        return;
    if (!course->wrong_before)
        add_spot(blame, mark);
    course->wrong = true;
}

/* The first number of the motion itself that is wrong; beyond it, and at an event that it
   is at, sensitivities are of another motion. */
static int end_of_motion(struct blame *blame)
{
    blame->motion = -1;
    for (int k = 0; k < blame->marks && blame->motion < 0; k++)
        if (blame->mark[k].parameter < 0 && blame->mark[k].place != PLACE_NONE &&
            !blame->mark[k].held)
            blame->motion = k;
    if (blame->motion < 0)
        return blame->marks;
    int end = blame->motion, event = blame->mark[end].event;
    if (blame->mark[end].place != PLACE_SAMPLE)
        while (end > 0 && blame->mark[end - 1].event == event)
            end--;
    return end;
}

void blame_read(struct blame *blame, const struct rows *rows, const struct row *row)
{
    read_marks(blame, rows, row);
    int p = blame->columns.p, end = end_of_motion(blame);
    struct course *course = memory_new(p, sizeof *course);
    blame->smooth = memory_new(p, sizeof *blame->smooth);
    blame->spot = memory_new(MOST_SPOTS, sizeof *blame->spot);
    for (int j = 0; j < p; j++)
        blame->smooth[j] = -1;
    for (int k = 0; k < end; k++) {
        const struct mark *mark = &blame->mark[k];
        if (mark->place == PLACE_NONE || mark->parameter < 0)
            continue;
        if (mark->place == PLACE_SAMPLE || mark->place == PLACE_BEFORE)
            follow_motion(blame, k, &course[mark->parameter]);
        else
            follow_jump(blame, k, &course[mark->parameter]);
    }
    free(course);
}

void blame_clear(struct blame *blame)
{
    for (int k = 0; k < blame->spots; k++) {
        free(blame->spot[k].score);
        free(blame->spot[k].factor);
    }
    free(blame->spot);
    free(blame->mark);
    free(blame->multiple);
    free(blame->smooth);
}
