/*
 * published.c - printed numbers: their digits, and the values that they print.
 *
 * A quantity is named as in quantity.h. A name with "start." is in the results of the
 * start alone; a column without more words is at the end of the motion: after a terminal
 * event, else at t_end, where the reference goes for it; every other name is in the
 * results of the certified motion.
 */
#include "oracles/published.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic/mp.h"
#include "arithmetic/series.h"
#include "base/memory.h"
#include "certificates/certificate.h"
#include "oracles/oracle.h"
#include "program/program.h"
#include "quantity/quantity.h"

/* --- digits of a text --------------------------------------------------------------- */

bool printed_digits(const char *text, int *digits, int *place)
{
    const char *c = text + (*text == '-' || *text == '+');
    bool point = false, leading = true;
    int zeros = 0;
    *digits = *place = 0;
    for (; isdigit((unsigned char)*c) || (*c == '.' && !point); c++) {
        if (*c == '.') {
            point = true;
            continue;
        }
        leading = leading && *c == '0';
        *digits += !leading;
        zeros += leading && point;
        *place -= point;
    }
    if (leading)                /* nothing but zeros */
        *digits = zeros > 0 ? zeros : 1;
    if (c == text || !isdigit((unsigned char)c[-1]))
        return false;
    if (*c == '\0')
        return true;
    char *end;
    *place += (int)strtol(c + 1, &end, 10);
    return (*c == 'e' || *c == 'E') && isdigit((unsigned char)end[-1]) && *end == '\0';
}

double digits_that_hold(mpfr_srcptr value, const char *text)
{
    int digits, place;
    if (!printed_digits(text, &digits, &place) || !mpfr_number_p(value))
        return 0;
    mpfr_t distance, unit;
    mpfr_init2(distance, mpfr_get_prec(value) + 64);
    mpfr_init2(unit, mpfr_get_prec(value) + 64);
    mpfr_set_str(distance, text, 10, MPFR_RNDN);
    mpfr_sub(distance, distance, value, MPFR_RNDN);
    mpfr_set_si(unit, place, MPFR_RNDN);
    mpfr_exp10(unit, unit, MPFR_RNDN);
    mpfr_div(distance, distance, unit, MPFR_RNDN);
    double units = fabs(mpfr_get_d(distance, MPFR_RNDN));
    mpfr_clear(distance);
    mpfr_clear(unit);
    return units <= 1 ? digits : fmax(0, digits - log10(units));
}

/* --- results that hold the values --------------------------------------------------- */

struct finder {
    const struct published_sources *from;
    struct results *start, *end, *motion;       /* results of each kind, made when
                                                   needed */
    bool certified;                             /* `motion` is of certified values */
    struct diagnosis *diagnosis;
};

/* A number at the start is printed under this word and its name. */
static const char start_word[] = "start.";

static bool is_of_start(const char *name)
{
    return strncmp(name, start_word, strlen(start_word)) == 0;
}

/* Is a derivative printed? Derivatives cost more, and need not exist. */
static bool some_derivative(const struct model *model, bool start)
{
    bool some = false;
    for (int k = 0; k < model->publisheds; k++) {
        const char *name = model->published[k].quantity;
        bool of_start = is_of_start(name);
        const struct quantity quantity =
            quantity_parse(name + (of_start ? strlen(start_word) : 0));
        bool of_motion = is_at_event(&quantity) || quantity.kind == QUANTITY_PSI;
        some = some || (is_derivative(&quantity) && (start ? of_start
                                                           : !of_start && !of_motion));
    }
    return some;
}

static struct reference_request request_of(const struct finder *finder, bool start,
                                           const char *const *nominal)
{
    const struct published_sources *from = finder->from;
    return (struct reference_request){
        .model = from->model, .truth = {.variant = "exact"}, .digits = from->digits,
        .parameters = some_derivative(from->model, start) ? from->parameters : 0,
        .parameter = from->parameter, .value = nominal, .progress = from->progress,
        .progress_context = from->progress_context,
    };
}

static enum status find_start(struct finder *finder)
{
    const char **nominal = memory_new(finder->from->model->p, sizeof *nominal);
    const struct reference_request request = request_of(finder, true, nominal);
    struct mp_trajectory *start = NULL;
    enum status status = reference_start(&request, &start, finder->diagnosis);
    if (status == OK)
        finder->start = results_of_reference(start);
    mp_trajectory_free(start);
    free(nominal);
    return status;
}

/* The text of t_end at nominal parameters, to more digits than are carried. */
static char *text_of_end(const struct model *model, int digits)
{
    static const unsigned char stage[BLOCK_LIMIT] = {[BLOCK_RHO] = 1};
    mpfr_ptr rho = certificate_nominal(model, digits);
    struct program *program = program_seal(model->tape, &model->t_end, 1, stage);
    struct mp_series *series = mp_series_new(program, 0, mpfr_get_prec(rho), 1,
                                             PROGRAM_STAGES);
    char *text;
    mp_series_load(series, 0, BLOCK_RHO, 0, rho, 1);
    mp_series_run(series, 0, 1, 0);
    if (mpfr_asprintf(&text, "%.*Re", digits + 10, mp_series_output(series, 0, 0)) < 0)
        slip("no text of t_end");
    mp_series_free(series);
    program_free(program);
    mp_vector_free(rho);
    return text;
}

/* Runs the reference to its end, which is the only sample. */
static enum status run_to_end(struct finder *finder)
{
    const struct model *model = finder->from->model;
    const char **nominal = memory_new(model->p, sizeof *nominal);
    char *t_end = text_of_end(model, finder->from->digits + 10);
    const char *const sample[] = {t_end};
    struct reference_request request = request_of(finder, false, nominal);
    struct mp_trajectory *motion = NULL;
    request.t_end = t_end;
    request.samples = 1;
    request.sample = sample;
    enum status status = reference_run(&request, &motion, finder->diagnosis);
    if (status == OK)
        finder->end = results_of_reference(motion);
    mp_trajectory_free(motion);
    mpfr_free_str(t_end);
    free(nominal);
    return status;
}

static enum status find_motion(struct finder *finder)
{
    const struct published_sources *from = finder->from;
    finder->certified = from->certified != NULL;
    if (from->certified)
        finder->motion = results_of_reference(from->certified);
    else if (from->run)
        finder->motion = results_of_trajectory(from->run);
    else
        return diagnose(finder->diagnosis, NOT_APPLICABLE, NAN, "nothing is certified, "
                        "and there is no run");
    return OK;
}

/* --- one quantity ------------------------------------------------------------------- */

static const struct entry *last_entry(const struct results *results, const char *name)
{
    for (int k = results->count - 1; k >= 0; k--)
        if (strcmp(results->entry[k].name, name) == 0)
            return &results->entry[k];
    return NULL;
}

static const struct entry *entry_of_start(struct finder *finder, const char *name)
{
    return !finder->start && find_start(finder) != OK ? NULL
                                                      : last_entry(finder->start, name);
}

/* The number of the event that ends the certified motion; 0: none does. */
static int last_event(const struct mp_trajectory *certified)
{
    int events = certified ? certified->events : 0;
    return events > 0 && certified->event[events - 1].event->terminal ? events : 0;
}

static const struct entry *entry_of_end(struct finder *finder, const char *name)
{
    char after[QUANTITY_NAME];
    struct quantity quantity = quantity_parse(name);
    quantity.event = last_event(finder->from->certified);
    if (quantity.event > 0) {
        quantity.place = AFTER_EVENT;
        quantity_print(&quantity, after, sizeof after);
        return !finder->motion && find_motion(finder) != OK
                   ? NULL : last_entry(finder->motion, after);
    }
    return !finder->end && run_to_end(finder) != OK ? NULL
                                                    : last_entry(finder->end, name);
}

static bool is_column(const struct published_sources *from, const char *name)
{
    struct columns columns;
    columns_init(&columns, from->model, from->parameters, from->parameter);
    return quantity_column(&columns, name) >= 0;
}

/* The entry of a quantity; NULL: there is none (diagnosis still OK), or a refusal on the
   way. */
static const struct entry *entry_of(struct finder *finder, const char *name,
                                    bool *certified)
{
    *certified = true;
    if (is_of_start(name))
        return entry_of_start(finder, name + strlen(start_word));
    if (is_column(finder->from, name))
        return entry_of_end(finder, name);
    if (!finder->motion && find_motion(finder) != OK)
        return NULL;
    *certified = finder->certified;
    char now[QUANTITY_NAME];
    const struct quantity quantity = quantity_parse(name);
    quantity_print(&quantity, now, sizeof now);
    return last_entry(finder->motion, now);
}

static enum status find_one(struct finder *finder, const struct published *published,
                            struct found *found)
{
    int place;
    found->published = published;
    if (!printed_digits(published->value, &found->printed, &place))
        return diagnose(finder->diagnosis, BAD_INPUT, NAN, "%s is printed as \"%s\", "
                        "which is not a number", published->quantity, published->value);
    const struct entry *entry = entry_of(finder, published->quantity, &found->certified);
    if (!entry && finder->diagnosis->status == OK)
        diagnose(finder->diagnosis, BAD_INPUT, NAN, "there is no quantity %s, of which a "
                 "number is printed (%s)", published->quantity, published->source);
    if (!entry)
        return finder->diagnosis->status;
    found->t = entry->t;
    mpfr_set_prec(found->value, mpfr_get_prec(entry->value));
    mpfr_set(found->value, entry->value, MPFR_RNDN);
    found->digits = digits_that_hold(found->value, published->value);
    return OK;
}

enum status published_find(const struct published_sources *sources, struct found **found,
                           int *count, struct diagnosis *diagnosis)
{
    const struct model *model = sources->model;
    struct finder finder = {.from = sources, .diagnosis = diagnosis};
    enum status status = OK;
    *diagnosis = (struct diagnosis){.t = NAN};
    *count = model->publisheds;
    *found = memory_new(*count, sizeof **found);
    for (int k = 0; k < *count; k++)
        mpfr_init2((*found)[k].value, 64);
    for (int k = 0; k < *count && status == OK; k++)
        status = find_one(&finder, &model->published[k], &(*found)[k]);
    results_free(finder.start);
    results_free(finder.end);
    results_free(finder.motion);
    return status;
}

void published_clear(struct found *found, int count)
{
    for (int k = 0; k < count; k++)
        mpfr_clear(found[k].value);
    free(found);
}

/* --- the oracle --------------------------------------------------------------------- */

static bool applies(const struct model *model, const struct truth *truth)
{
    (void)truth;
    return model->publisheds > 0;
}

const struct oracle_calls published_calls = {.applies = applies};
