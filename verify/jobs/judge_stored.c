/*
 * judge_stored.c - certified values by two runs of the reference: a central difference
 * along one direction in the space of parameters.
 *
 * The difference is compared with the stored derivatives combined along the direction, at
 * every event, at the end and in the costs; the other samples tell how large each
 * quantity has been. An error in any derivative is an error of the sum.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "jobs/job.h"
#include "motion/cost.h"
#include "motion/direction.h"
#include "quantity/quantity.h"

/* Both sides along w: `got` are stored values combined, `want` is the difference. */
struct sides {
    struct results *got, *want;
    struct mp_trajectory *difference;
};

static void sides_clear(struct sides *sides)
{
    results_free(sides->got);
    results_free(sides->want);
    mp_trajectory_free(sides->difference);
    *sides = (struct sides){0};
}

/* Samples before the last, at `end`, are for the sizes of what follows. */
static void keep_for_sizes(struct results *want, double end)
{
    for (int k = 0; k < want->count; k++) {
        const struct quantity quantity = quantity_parse(want->entry[k].name);
        want->entry[k].unjudged = quantity.place == AT_POINT && want->entry[k].t < end;
    }
}

static enum status along(struct job_work *work, const struct certificate *stored,
                         const struct parameter_direction *weights, struct sides *sides,
                         struct diagnosis *diagnosis)
{
    int digits = job_reference_digits(work, stored);
    const char **nominal = memory_new(work->model->p, sizeof *nominal);
    const char *const *w = (const char *const *)weights->w;
    struct reference_request request = job_reference_request(work, nominal);
    struct mp_trajectory *difference = NULL, *combined = NULL;
    request.direction = w;
    request.digits = digits;
    enum status status = reference_difference(&request, false, 1, &difference, diagnosis);
    if (status == OK)
        status = mp_trajectory_along(stored->trajectory, w, false, &combined, diagnosis);
    if (status == OK) {
        sides->got = results_of_reference(combined);
        sides->want = results_of_reference(difference);
        keep_for_sizes(sides->want,
                       mpfr_get_d(difference->sample[difference->samples - 1].t,
                                  MPFR_RNDN));
    }
    sides->difference = difference;
    mp_trajectory_free(combined);
    free(nominal);
    return status;
}

/* --- which column is wrong ---------------------------------------------------------- */

static const char by_direction[] = "/d(w)";

/* Is it the name of a derivative along a direction (columns.h)? */
static bool is_along(const char *name)
{
    const struct quantity quantity = quantity_parse(name);
    return strcmp(quantity.by, "(w)") == 0;
}

/* Is a derivative among those that fall short, and which is the first? */
static bool derivative_short(const struct sides *sides, double cap, double bar,
                             char *place, int size)
{
    int count, missing;
    const struct comparing how = {.cap = cap};
    struct comparison *comparison = results_compare(sides->got, sides->want, &how, &count,
                                             &missing);
    bool is_short = false;
    for (int k = 0; k < count && !is_short; k++) {
        struct verdict verdict = {.t = comparison[k].want->t};
        snprintf(verdict.name, sizeof verdict.name, "%s", comparison[k].want->name);
        is_short = is_along(verdict.name) && comparison[k].digits < bar;
        if (is_short)
            verdict_place(&verdict, place, size);
    }
    free(comparison);
    return is_short;
}

/* "event 2: dq.x after" from "event 2: dq.x/d(w) after" */
static void cut_direction(char *place)
{
    char *found = strstr(place, by_direction);
    size_t length = strlen(by_direction);
    if (found)
        memmove(found, found + length, strlen(found + length) + 1);
}

/* Judges column by column, each along a direction of its own, and notes the names of
   wrong ones. */
static void name_columns(struct job_work *work, const struct certificate *stored,
                         struct row *row, double cap)
{
    size_t used = (size_t)snprintf(row->note, sizeof row->note, "wrong derivatives by");
    int wrong = 0;
    for (int j = 0; j < work->parameters; j++) {
        struct parameter_direction unit;
        struct sides sides = {0};
        char place[160];
        direction_unit(work->parameters, j, &unit);
        if (along(work, stored, &unit, &sides, NULL) == OK &&
            derivative_short(&sides, cap, row->first.bar, place, sizeof place) &&
            used < sizeof row->note - 1) {
            cut_direction(place);
            used += (size_t)snprintf(row->note + used, sizeof row->note - used,
                                     "%s %s (%s)", wrong++ ? "," : "",
                                     column_parameter(&stored->trajectory->columns, j),
                                     place);
        }
        sides_clear(&sides);
        direction_clear(&unit);
    }
    if (wrong == 0)
        snprintf(row->note, sizeof row->note, "no derivative by one parameter falls "
                 "short alone");
}

/* --- the verdict -------------------------------------------------------------------- */

static void explain(struct job_work *work, const struct certificate *stored,
                    struct row *row, double cap, double seconds)
{
    if (row->short_of_bar == 0 || !is_along(row->first.name))
        return;
    if (seconds * work->parameters > judge_patience)
        snprintf(row->note, sizeof row->note, "--thorough names the column");
    else
        name_columns(work, stored, row, cap);
}

static void compare(struct job_work *work, const struct certificate *stored,
                    double seconds)
{
    struct job *job = work->job;
    struct parameter_direction direction = {0};
    struct sides sides = {0};
    struct diagnosis diagnosis = {.t = NAN};
    double cap = fmin(2.0 * job_reference_digits(work, stored) / 3.0, stored->agreed);
    enum status status = direction_random(work->model, work->parameters, work->parameter,
                                          &direction, &diagnosis);
    if (status == OK)
        status = along(work, stored, &direction, &sides, &diagnosis);
    if (status == OK) {
        struct row *row = job_reference_row(work, ROW_JUDGED, "mpfr-difference");
        row->seed = DIRECTION_SEED;
        row->made.differenced = true;
        /* The error of the difference has third derivatives along a sum of p directions,
           relative to the first. */
        row->made.digits = cap - 2 * log10(fmax(1, work->parameters));
        job_bar_at_most(work, stored->agreed - 2);      /* rounding of sums of up to a
                                                           hundred terms */
        row_compare(&job->rows, row, sides.got, sides.want, cap);
        explain(work, stored, row, cap, seconds);
        judge_invariants(work, sides.difference, job_reference_digits(work, stored),
                         stored->trajectory, stored->agreed);
    } else {
        row_refuse(job_reference_row(work, ROW_REFUSED, "mpfr-difference"),
                   &diagnosis);
    }
    sides_clear(&sides);
    direction_clear(&direction);
}

void judge_stored(struct job_work *work, const struct certificate *stored)
{
    struct job *job = work->job;
    struct effort effort;
    int digits = job->settings->mp_digits;
    effort_of(work->model, &job->motion.truth, &effort);
    double seconds = effort_of_direction(&effort, digits);
    if (seconds > judge_patience) {
        char text[40];
        struct row *row = job_reference_row(work, ROW_EMPTY, "mpfr-difference");
        duration_text(effort_of_both(&effort, work->parameters, digits), text,
                      sizeof text);
        snprintf(row->note, sizeof row->note, "stored values, not recomputed; that takes "
                 "about %s: --thorough", text);
    } else {
        compare(work, stored, seconds);
    }
}
