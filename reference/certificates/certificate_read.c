/*
 * certificate_read.c - reader of certified values, strict: every line is the one expected
 * there, or an error names file and line.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "events/mp_run.h"
#include "file/model_file.h"
#include "reader.h"

/* --- header ------------------------------------------------------------------------- */

static void differentiated_line(struct reader *r)
{
    struct certificate *out = r->out;
    reader_next(r);
    reader_expect(r, "differentiated");
    while (r->status == OK && *r->rest != '\0') {
        const char *name = reader_word(r);
        int j = model_parameter_index(out->model, name);
        if (j < 0 || out->parameters == out->model->p)
            reader_fail(r, "the case has no parameter \"%.60s\", or it is named twice",
                        name);
        else
            out->parameter[out->parameters++] = j;
    }
}

static void read_keys(struct reader *r)
{
    struct certificate *out = r->out;
    reader_title(r, certificate_title, CERTIFICATE_FORMAT);
    reader_case(r, out->model);
    out->case_name = certificate_text(out->model->desc->name);
    out->variant = reader_text(r, "variant");
    out->alpha = reader_text(r, "alpha");
    out->K_D = reader_text(r, "K_D");
    out->K_P = reader_text(r, "K_P");
    out->reset = reader_text(r, "reset");
    if (r->status == OK && (out->variant == NULL || out->reset == NULL))
        reader_fail(r, "the variant or the reset policy is not named");
    /* The exact motion has one policy, for whatever policy the model was made. */
    bool exact = r->status == OK && strcmp(out->variant, "exact") == 0;
    const char *policy = reset_policy_text[exact ? RESET_IMPULSIVE : out->model->reset];
    if (r->status == OK && strcmp(out->reset, policy) != 0)
        reader_fail(r, "values of %s resets, but those of the case are %s", out->reset,
                    policy);
}

static void read_header(struct reader *r)
{
    struct certificate *out = r->out;
    read_keys(r);
    reader_formulas(r, out->model);
    for (int j = 0; j < out->model->p; j++)
        out->value[j] = reader_parameter(r, out->model, j);
    differentiated_line(r);
    out->digits = (int)reader_count_line(r, "digits", 1, 100000);
    out->agreed = (int)reader_count_line(r, "agreed", 0, 100000);
    r->precision = mp_precision(out->agreed + 6 > 40 ? out->agreed + 6 : 40);
    out->precision = reader_count_line(r, "precision", 1, 1000000);
}

static struct mp_trajectory *empty(const struct reader *r, mpfr_prec_t precision)
{
    return mp_trajectory_new(r->out->model, r->out->parameters, r->out->parameter,
                          r->samples, precision);
}

/* Reads how the numbers were made; the line of the order is the current one. */
static void read_how(struct reader *r)
{
    struct certificate *out = r->out;
    long order = reader_count(r, 1, 100000);
    reader_end(r);
    long steps = reader_count_line(r, "steps", 0, 1000000000);
    double Phi = reader_double(r, "worst_Phi"), Phid = reader_double(r, "worst_Phid");
    double energy = reader_double(r, "worst_energy");
    free(reader_text(r, "how"));
    r->samples = (int)reader_count_line(r, "samples", 0, 10000000);
    r->events = (int)reader_count_line(r, "events", 0, 10000000);
    if (r->status != OK)
        return;
    out->trajectory = empty(r, r->precision);
    out->agreement = empty(r, 64);
    out->trajectory->order = (int)order;
    out->trajectory->steps = steps;
    out->trajectory->worst_Phi = Phi;
    out->trajectory->worst_Phid = Phid;
    out->trajectory->worst_energy = energy;
}

/* --- refusals ----------------------------------------------------------------------- */

static enum status status_word(struct reader *r)
{
    const char *name = reader_word(r);
    for (int s = 0; r->status == OK && s < STATUSES; s++)
        if (certifiable_refusal((enum status)s) &&
            strcmp(name, status_text((enum status)s)) == 0)
            return (enum status)s;
    reader_fail(r, "\"%.60s\" is not a refusal that can be certified", name);
    return OK;
}

static void place_line(struct reader *r, struct diagnosis *diagnosis)
{
    reader_next(r);
    reader_expect(r, "place");
    if (r->status == OK && (*r->rest == '\0' ||
                            strlen(r->rest) >= sizeof diagnosis->place))
        reader_fail(r, "the place of the refusal is missing or too long");
    if (r->status == OK)
        memcpy(diagnosis->place, r->rest, strlen(r->rest) + 1);
}

/* Reads a refusal; the line of the status is the current one. */
static void read_refusal(struct reader *r)
{
    struct certificate *out = r->out;
    mpfr_t t;
    out->refused_at = mp_vector_new(1, r->precision);
    out->refusal.status = status_word(r);
    reader_number(r, out->refused_at);
    reader_count(r, out->agreed, out->agreed);
    reader_end(r);
    out->refusal.t = mpfr_get_d(out->refused_at, MPFR_RNDN);
    place_line(r, &out->refusal);
    reader_next(r);
    reader_expect(r, "differences");
    out->other_refusal.status = status_word(r);
    mpfr_init2(t, 64);
    mpfr_set_nan(t);
    if (strcmp(r->rest, "-") == 0)
        reader_word(r);
    else
        reader_number(r, t);
    reader_end(r);
    out->other_refusal.t = mpfr_get_d(t, MPFR_RNDN);
    mpfr_clear(t);
    place_line(r, &out->other_refusal);
    free(reader_text(r, "how"));
}

/* --- points and events -------------------------------------------------------------- */

static void mode_word(struct reader *r, struct mp_point *point, struct mp_point *agreed)
{
    const char *name = reader_word(r);
    for (int i = 0; r->status == OK && i < r->out->model->modes; i++)
        if (strcmp(r->out->model->mode[i]->name, name) == 0)
            point->mode = agreed->mode = r->out->model->mode[i];
    if (r->status == OK && point->mode == NULL)
        reader_fail(r, "the case has no mode \"%.60s\"", name);
}

static void read_columns(struct reader *r, struct mp_point *point,
                         struct mp_point *agreed)
{
    const struct columns *columns = &r->out->trajectory->columns;
    char name[200];
    for (int c = 0; r->status == OK && c < columns->count; c++) {
        if (!column_present(columns, c, point->mode))
            continue;
        column_name(columns, c, name, sizeof name);
        reader_value(r, name, point->x[c], agreed->x[c]);
    }
}

static void read_sample(struct reader *r, int i)
{
    struct mp_point *point = &r->out->trajectory->sample[i];
    struct mp_point *agreed = &r->out->agreement->sample[i];
    reader_next(r);
    reader_expect(r, "sample");
    reader_count(r, i + 1, i + 1);
    mode_word(r, point, agreed);
    reader_number(r, point->t);
    reader_end(r);
    mpfr_set(agreed->t, point->t, MPFR_RNDN);
    read_columns(r, point, agreed);
}

/* Reads one side of an event; the line of the side is the current one. */
static void read_side(struct reader *r, const char *side, struct mp_point *point,
                      struct mp_point *agreed)
{
    reader_expect(r, side);
    mode_word(r, point, agreed);
    reader_end(r);
    read_columns(r, point, agreed);
}

/* Reads the condition, which is there only near grazing. After it the line of the side
   before the event is the current one. */
static void read_condition(struct reader *r, struct mp_event *event)
{
    mpfr_t value;
    reader_next(r);
    if (r->status != OK || strncmp(r->rest, "condition ", strlen("condition ")) != 0)
        return;
    mpfr_init2(value, 64);
    mpfr_set_zero(value, 1);
    reader_word(r);
    reader_number(r, value);
    reader_end(r);
    event->condition = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    reader_next(r);
}

static void read_event(struct reader *r, int e, int *room, int *agreed_room)
{
    const struct model *model = r->out->model;
    struct mp_event *event = mp_trajectory_event(r->out->trajectory, room);
    struct mp_event *agreed = mp_trajectory_event(r->out->agreement, agreed_room);
    char name[200];
    reader_next(r);
    reader_expect(r, "event");
    reader_count(r, e + 1, e + 1);
    const char *which = reader_word(r);
    for (int i = 0; r->status == OK && i < model->events; i++)
        if (strcmp(model->event[i]->name, which) == 0)
            event->event = agreed->event = model->event[i];
    if (r->status == OK && event->event == NULL)
        reader_fail(r, "the case has no event \"%.60s\"", which);
    reader_number(r, event->before.t);
    reader_number(r, agreed->before.t);
    reader_end(r);
    mpfr_set(event->after.t, event->before.t, MPFR_RNDN);
    for (int j = 0; j < r->out->trajectory->columns.p; j++) {
        snprintf(name, sizeof name, "dt/d%s",
                 model->parameter[r->out->trajectory->parameter[j]].name);
        reader_value(r, name, event->tau[j], agreed->tau[j]);
    }
    read_condition(r, event);
    read_side(r, "before", &event->before, &agreed->before);
    reader_next(r);
    read_side(r, "after", &event->after, &agreed->after);
}

/* Reads the numbers that follow the header, up to the costs. */
static void read_numbers(struct reader *r)
{
    int room = 0, agreed_room = 0;
    char name[200];
    read_how(r);
    for (int i = 0; r->status == OK && i < r->samples; i++)
        read_sample(r, i);
    for (int e = 0; r->status == OK && e < r->events; e++)
        read_event(r, e, &room, &agreed_room);
    reader_next(r);
    reader_expect(r, "end");
    reader_end(r);
    for (int i = 0; r->status == OK &&
                    i < r->out->model->nz * (1 + r->out->trajectory->columns.p); i++) {
        certificate_cost_name(&r->out->trajectory->columns, i, name, sizeof name);
        reader_value(r, name, r->out->trajectory->psi[i], r->out->agreement->psi[i]);
    }
}

/* Reads the part after the header of a file of one motion. */
static void read_motion(struct reader *r)
{
    reader_next(r);
    const char *first = reader_word(r);
    if (strcmp(first, "refused") == 0)
        read_refusal(r);
    else if (strcmp(first, "order") == 0)
        read_numbers(r);
    else
        reader_fail(r, "\"order\" or \"refused\" is expected, not \"%.60s\"", first);
}

/* Reads the part after the header of a file of one orbit. */
static void read_orbit(struct reader *r)
{
    reader_next(r);
    const char *first = reader_word(r);
    if (r->status == OK && strcmp(first, "orbit") != 0)
        reader_fail(r, "\"orbit\" is expected, not \"%.60s\"", first);
    else if (r->status == OK)
        orbit_read(r);
}

static void read_all(struct reader *r, bool orbit)
{
    read_header(r);
    if (orbit)
        read_orbit(r);
    else
        read_motion(r);
    reader_seal(r);
}

static enum status read_file(const char *path, const struct model *model, bool orbit,
                             struct certificate **out, struct diagnosis *diagnosis)
{
    struct reader *r;
    enum status status = reader_open(path, model, orbit ? "saltus orbit %s --certify"
                                                        : "saltus certify %s",
                                     &r, diagnosis);
    *out = NULL;
    if (status != OK)
        return status;
    r->out = certificate_new(model);
    read_all(r, orbit);
    status = r->status;
    if (status == OK)
        *out = r->out;
    else
        certificate_free(r->out);
    reader_close(r);
    return status;
}

enum status certificate_read(const char *path, const struct model *model,
                             struct certificate **out, struct diagnosis *diagnosis)
{
    return read_file(path, model, false, out, diagnosis);
}

enum status mp_orbit_read(const char *path, const struct model *model,
                          struct certificate **out, struct diagnosis *diagnosis)
{
    return read_file(path, model, true, out, diagnosis);
}
