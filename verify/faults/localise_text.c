/*
 * localise_text.c - the findings of a localisation, in words that fit below a row.
 */
#include "faults/localise_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "faults/terms.h"

/* Events, parameters and columns: so many are named; and explanations that cannot be told
   apart: dt_e/drho as a whole and three terms of the rate are as many. */
enum { NAMED = 3, EXPLANATIONS_NAMED = 4 };
/* Explanations as good as the best one, up to so many digits, are equivalent. */
static const double as_good = 3;

struct text {
    char *start;
    int size, used;
};

static void say(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct text *text, const char *format, ...)
{
    va_list arguments;
    int room = text->size - text->used;
    va_start(arguments, format);
    int length = vsnprintf(text->start + text->used, (size_t)room, format, arguments);
    va_end(arguments);
    text->used += length < room ? length : room - 1;
}

static void next_finding(struct text *text)
{
    if (text->used > 0)
        say(text, "; ");
}

static const char *parameter_name(const struct localise_work *work, int parameter)
{
    return column_parameter(&work->columns, parameter);
}

/* "dv.y3/dL01 after event 2", "dq.x2/dL01 at t = 0.5" */
static void say_number(struct text *text, const struct number *number)
{
    const char *dot = strchr(number->name, '.');
    const char *what = dot ? strchr(dot + 1, '.') : NULL;
    if (number->place == PLACE_SAMPLE || !what)
        say(text, "%s at t = %.6g", number->name, number->t);
    else
        say(text, "%s %s event %d", what + 1, number->place == PLACE_BEFORE ? "before"
            : number->place == PLACE_AFTER ? "after" : "of", number->event);
}

/* --- multiples ---------------------------------------------------------------------- */

static bool has_multiples(const struct localise_work *work, int parameter)
{
    for (int k = 0; k < work->multiples; k++)
        if (work->multiple[k].parameter == parameter)
            return true;
    return false;
}

static void say_what(struct text *text, const struct localise_work *work,
                     const struct multiple *multiple)
{
    char name[72];
    const struct columns *columns = &work->columns;
    const char *parameter = parameter_name(work, multiple->parameter);
    if (multiple->factor == -1)
        say(text, "sign of ");
    if (multiple->only >= 0) {
        say_number(text, &work->number[multiple->only]);
    } else if (multiple->column == ALL_COLUMNS) {
        say(text, "every derivative by %s", parameter);
    } else if (multiple->column < 0) {
        say(text, "dt_e/d%s", parameter);
    } else {
        column_name(columns, multiple->column + columns->width *
                    (1 + multiple->parameter), name, sizeof name);
        say(text, "%s", name);
    }
    if (multiple->factor == 0)
        say(text, " is zero");
    else if (multiple->factor != -1)
        say(text, " is %.8g times what it should be", multiple->factor);
}

/* Beside a jump that a term explains only the sign of one single column is said. */
static bool is_said(const struct localise_work *work, const struct multiple *multiple,
                    const bool *unexplained)
{
    bool any = false, open = false, alone = multiple->column != ALL_COLUMNS;
    for (int k = 0; k < work->suspects; k++)
        if (work->suspect[k].parameter == multiple->parameter) {
            any = true;
            open = open || unexplained[k];
        }
    for (int k = 0; k < work->multiples; k++)
        alone = alone && (&work->multiple[k] == multiple ||
                          work->multiple[k].parameter != multiple->parameter);
    return !any || open || (alone && multiple->factor == -1);
}

static void say_multiples(struct text *text, const struct localise_work *work,
                          const bool *unexplained)
{
    int said = 0;
    for (int k = 0; k < work->multiples; k++) {
        if (!is_said(work, &work->multiple[k], unexplained) || ++said > NAMED)
            continue;
        next_finding(text);
        say_what(text, work, &work->multiple[k]);
    }
    if (said > NAMED)
        say(text, "; and %d more columns", said - NAMED);
}

/* --- terms -------------------------------------------------------------------------- */

static void say_events(struct text *text, const struct localise_work *work,
                       const struct group *group)
{
    int events = 0, last = 0;
    for (int k = 0; k < group->suspects; k++) {
        int event = work->suspect[group->suspect[k]].event;
        events += event != last;
        last = event;
    }
    say(text, events > 1 ? "events " : "event ");
    last = 0;
    for (int k = 0, said = 0; k < group->suspects && said < NAMED; k++) {
        int event = work->suspect[group->suspect[k]].event;
        if (event != last)
            say(text, "%s%d", said++ ? ", " : "", event);
        last = event;
    }
    if (events > NAMED)
        say(text, " and %d more", events - NAMED);
    say(text, ": ");
}

/* Which parameters the group is about; returns how many. */
static int parameters_of(const struct localise_work *work, const struct group *group,
                         bool *is_in)
{
    int count = 0;
    for (int k = 0; k < group->suspects; k++) {
        int j = work->suspect[group->suspect[k]].parameter;
        count += !is_in[j];
        is_in[j] = true;
    }
    return count;
}

/* The title of a rule; of one parameter "dt_e/drho" is "dt_e/dL01". */
static bool say_title(struct text *text, const char *title, const char *parameter)
{
    const char *rho = parameter ? strstr(title, "drho") : NULL;
    if (rho)
        say(text, "%.*sd%s%s", (int)(rho - title), title, parameter,
            rho + strlen("drho"));
    else
        say(text, "%s", title);
    return rho != NULL;
}

static void say_parameters(struct text *text, const struct localise_work *work,
                           const bool *is_in, int count)
{
    int said = 0;
    if (count == work->columns.p && count > 1) {
        say(text, " (all parameters)");
        return;
    }
    for (int j = 0; j < work->columns.p && said < NAMED; j++)
        if (is_in[j])
            say(text, "%s%s", said++ ? ", " : " (", parameter_name(work, j));
    if (count > NAMED)
        say(text, " and %d more", count - NAMED);
    say(text, ")");
}

/* "r_rho missing in dt_e/drho", "1.5 times r_rho in dt_e/drho" */
static bool say_explanation(struct text *text, const struct localise_work *work,
                            int which, const struct group *group, const char *parameter)
{
    char title[120];
    int term = which - localise_rules();
    if (term < 0)
        return say_title(text, localise_rule(which)->title, parameter);
    snprintf(title, sizeof title, "%.8g times %s%s",
             work->suspect[group->suspect[0]].factor[term], term_texts[term].text,
             term_texts[term].place);
    return say_title(text, title, parameter);
}

static void say_group(struct text *text, const struct localise_work *work,
                      const struct group *group)
{
    bool *is_in = memory_new(work->columns.p, sizeof *is_in), named = false;
    int parameters = parameters_of(work, group, is_in), said = 0, more = 0;
    int all = localise_explanations();
    const char *single = NULL;
    double best = 0;
    for (int j = 0; j < work->columns.p && parameters == 1; j++)
        if (is_in[j])
            single = parameter_name(work, j);
    for (int e = 0; e < all; e++)
        best = fmax(best, group->score[e]);
    next_finding(text);
    say_events(text, work, group);
    for (int e = 0; e < all; e++) {
        if (group->score[e] < best - as_good || group->score[e] < 0)
            continue;
        if (said == EXPLANATIONS_NAMED) {
            more++;
            continue;
        }
        say(text, "%s", said++ ? ", or " : "");
        named = say_explanation(text, work, e, group, single) || named;
    }
    if (more > 0)
        say(text, ", or %d other%s", more, more == 1 ? "" : "s");
    if (!named)
        say_parameters(text, work, is_in, parameters);
    free(is_in);
}

/* The first wrong number at a suspect. */
static const struct number *wrong_at(const struct localise_work *work,
                                     const struct suspect *suspect)
{
    for (int k = suspect->from; k < suspect->to; k++)
        if (work->number[k].parameter == suspect->parameter && !work->number[k].held)
            return &work->number[k];
    slip("a jump is looked at although nothing is wrong there");
}

static void say_unexplained(struct text *text, const struct localise_work *work,
                            const bool *left)
{
    int first = -1, more = -1;
    for (int k = 0; k < work->suspects; k++)
        if (left[k] && !has_multiples(work, work->suspect[k].parameter)) {
            first = first < 0 ? k : first;
            more++;
        }
    if (first < 0)
        return;
    next_finding(text);
    say(text, "no single term explains ");
    say_number(text, wrong_at(work, &work->suspect[first]));
    if (more > 0)
        say(text, " and %d other jump%s", more, more == 1 ? "" : "s");
}

/* `left`: the suspects that were tried; those that nothing explains remain. */
static void say_terms(struct text *text, const struct localise_work *work, bool *left)
{
    struct group group = {.suspect = memory_new(work->suspects, sizeof(int)),
                          .score = memory_new(localise_explanations(), sizeof(double))};
    while (localise_largest_group(work, left, &group))
        say_group(text, work, &group);
    say_unexplained(text, work, left);
    free(group.suspect);
    free(group.score);
}

/* --- no jump is to blame ------------------------------------------------------------ */

static int last_event(const struct localise_work *work)
{
    int last = 0;
    for (int k = 0; k < work->numbers; k++)
        if (work->number[k].event > last)
            last = work->number[k].event;
    return last;
}

static void say_motion(struct text *text, const struct localise_work *work)
{
    if (work->motion < 0)
        return;
    next_finding(text);
    say(text, "the motion itself is wrong, first ");
    say_number(text, &work->number[work->motion]);
}

static void say_smooth(struct text *text, const struct localise_work *work)
{
    int first = -1;
    for (int j = 0; j < work->columns.p; j++)
        if (work->smooth[j] >= 0 && !has_multiples(work, j) &&
            (first < 0 || work->smooth[j] < first))
            first = work->smooth[j];
    if (first < 0)
        return;
    const struct number *number = &work->number[first];
    int before = number->event - (number->place == PLACE_BEFORE);
    next_finding(text);
    if (before == 0)
        say(text, "wrong before event 1: ");
    else if (before < last_event(work))
        say(text, "wrong between events %d and %d: ", before, before + 1);
    else
        say(text, "wrong after event %d, which is right: ", before);
    say(text, "the smooth sensitivities, ");
    say_number(text, number);
}

void localise_say(const struct localise_work *work, char *buffer, int size)
{
    struct text text = {.start = buffer, .size = size};
    bool *left = memory_new(work->suspects, sizeof *left);
    buffer[0] = '\0';
    for (int k = 0; k < work->suspects; k++)
        left[k] = work->suspect[k].tried;
    if (last_event(work) > 0) {
        say_motion(&text, work);
        say_smooth(&text, work);
        say_terms(&text, work, left);
        say_multiples(&text, work, left);
    }
    free(left);
}
