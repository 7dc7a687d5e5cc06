/*
 * certificate_read.c - certified values from text, strictly: every line is the one that
 * is expected there, or the reader says which file and line is not.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certificate.h"
#include "formula/memory.h"
#include "mp_run.h"

enum { LINE = 4096 };

struct reader {
    FILE *file;
    const char *path;
    int line;
    char text[LINE];            /* the current line, without its newline */
    char *rest;                 /* what of it is not read yet */
    struct certificate *out;
    mpfr_prec_t precision;
    int samples, events, events_room;
    enum status status;         /* the first error; then nothing is read any more */
    struct diagnosis *diagnosis;
};

static void fail(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void fail(struct reader *r, const char *format, ...)
{
    char message[300];
    va_list arguments;
    if (r->status != OK)
        return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    r->status = diagnose(r->diagnosis, BAD_INPUT, NAN, "%s:%d: %s", r->path, r->line,
                         message);
}

/* --- lines, words, numbers ---------------------------------------------------------- */

static void next_line(struct reader *r)
{
    if (r->status != OK)
        return;
    r->line++;
    r->rest = r->text;
    if (fgets(r->text, sizeof r->text, r->file) == NULL) {
        r->text[0] = '\0';
        fail(r, "the file ends early");
        return;
    }
    size_t length = strlen(r->text);
    if (length == 0 || r->text[length - 1] != '\n')
        fail(r, "the line is too long or is cut off");
    else
        r->text[length - 1] = '\0';
}

/* The next word of the line; "" at its end. */
static const char *word(struct reader *r)
{
    if (r->status != OK || *r->rest == '\0')
        return "";
    char *start = r->rest, *space = strchr(start, ' ');
    r->rest = space ? space + 1 : start + strlen(start);
    if (space)
        *space = '\0';
    return start;
}

static void expect(struct reader *r, const char *want)
{
    const char *got = word(r);
    if (r->status == OK && strcmp(got, want) != 0)
        fail(r, "\"%s\" is expected, not \"%.60s\"", want, got);
}

static void end_of_line(struct reader *r)
{
    if (r->status == OK && *r->rest != '\0')
        fail(r, "\"%.60s\" is left over", r->rest);
}

static void number(struct reader *r, mpfr_ptr x)
{
    char *end;
    const char *text = word(r);
    if (r->status != OK)
        return;
    mpfr_strtofr(x, text, &end, 10, MPFR_RNDN);
    if (*text == '\0' || *end != '\0' || !mpfr_number_p(x))
        fail(r, "\"%.60s\" is not a number", text);
}

static long count(struct reader *r, long least, long most)
{
    const char *text = word(r);
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (r->status == OK &&
        (*text == '\0' || *end != '\0' || errno != 0 || value < least || value > most))
        fail(r, "\"%.60s\" is not a whole number from %ld to %ld", text, least, most);
    return r->status == OK ? value : least;
}

static void value_line(struct reader *r, const char *name, mpfr_ptr value,
                       mpfr_ptr agreed)
{
    next_line(r);
    expect(r, name);
    number(r, value);
    number(r, agreed);
    end_of_line(r);
}

/* --- header ------------------------------------------------------------------------- */

static long count_line(struct reader *r, const char *name, long least, long most)
{
    next_line(r);
    expect(r, name);
    long value = count(r, least, most);
    end_of_line(r);
    return value;
}

static char *text_line(struct reader *r, const char *name)
{
    next_line(r);
    expect(r, name);
    return r->status == OK && strcmp(r->rest, "-") != 0 ? certificate_text(r->rest)
                                                        : NULL;
}

static double double_line(struct reader *r, const char *name)
{
    mpfr_t value;
    mpfr_init2(value, 64);
    mpfr_set_zero(value, 1);
    next_line(r);
    expect(r, name);
    number(r, value);
    end_of_line(r);
    double x = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return x;
}

/* Values made with other nominal parameters than the model has now are stale. */
static void parameter_line(struct reader *r, int j, mpfr_srcptr nominal)
{
    const char *name = r->out->model->parameter[j].name;
    mpfr_t value;
    next_line(r);
    expect(r, "parameter");
    expect(r, name);
    bool given = strcmp(word(r), "given") == 0;
    if (given && r->status == OK)
        r->out->value[j] = certificate_text(r->rest);
    mpfr_init2(value, mpfr_get_prec(nominal));
    number(r, value);
    if (r->status == OK && !given && mp_digits(value, nominal, NULL) < 35)
        fail(r, "the nominal value of %s has changed since these values were made: "
             "certify the case again", name);
    mpfr_clear(value);
    end_of_line(r);
}

static void differentiated_line(struct reader *r, int *parameter, int *parameters)
{
    next_line(r);
    expect(r, "differentiated");
    while (r->status == OK && *r->rest != '\0') {
        const char *name = word(r);
        int j = model_parameter_index(r->out->model, name);
        if (j < 0 || *parameters == r->out->model->p)
            fail(r, "the case has no parameter \"%.60s\", or it is named twice", name);
        else
            parameter[(*parameters)++] = j;
    }
}

static void read_keys(struct reader *r)
{
    struct certificate *out = r->out;
    next_line(r);
    if (r->status == OK && strcmp(r->text, certificate_title) != 0)
        fail(r, "this is not a file of certified values (\"%s\")", certificate_title);
    out->case_name = text_line(r, "case");
    if (r->status == OK && (out->case_name == NULL ||
                            strcmp(out->case_name, out->model->desc->name) != 0))
        fail(r, "values of case %s, not %s", out->case_name ? out->case_name : "-",
             out->model->desc->name);
    out->variant = text_line(r, "variant");
    out->alpha = text_line(r, "alpha");
    out->K_D = text_line(r, "K_D");
    out->K_P = text_line(r, "K_P");
    out->reset = text_line(r, "reset");
    if (r->status == OK && (out->variant == NULL || out->reset == NULL))
        fail(r, "the variant or the reset policy is not named");
    /* The exact motion has one policy, whatever the model is used for. */
    bool exact = r->status == OK && strcmp(out->variant, "exact") == 0;
    const char *policy = reset_policy_text[exact ? RESET_IMPULSIVE : out->model->reset];
    if (r->status == OK && strcmp(out->reset, policy) != 0)
        fail(r, "values of %s resets, but those of the case are %s", out->reset, policy);
}

static void read_header(struct reader *r)
{
    struct certificate *out = r->out;
    int parameters = 0;
    int *parameter = memory_new(out->model->p, sizeof *parameter);
    mpfr_ptr nominal = certificate_nominal(out->model, 60);
    read_keys(r);
    for (int j = 0; j < out->model->p; j++)
        parameter_line(r, j, nominal + j);
    differentiated_line(r, parameter, &parameters);
    out->digits = (int)count_line(r, "digits", 1, 100000);
    out->agreed = (int)count_line(r, "agreed", 0, 100000);
    r->precision = mp_precision(out->agreed + 6 > 40 ? out->agreed + 6 : 40);
    out->precision = count_line(r, "precision", 1, 1000000);
    long order = count_line(r, "order", 1, 100000);
    long steps = count_line(r, "steps", 0, 1000000000);
    double Phi = double_line(r, "worst_Phi"), Phid = double_line(r, "worst_Phid");
    double energy = double_line(r, "worst_energy");
    free(text_line(r, "how"));
    r->samples = (int)count_line(r, "samples", 0, 10000000);
    r->events = (int)count_line(r, "events", 0, 10000000);
    if (r->status == OK) {
        out->trajectory = trajectory_new(out->model, parameters, parameter, r->samples,
                                         r->precision);
        out->agreement = trajectory_new(out->model, parameters, parameter, r->samples,
                                        64);
        out->trajectory->order = (int)order;
        out->trajectory->steps = steps;
        out->trajectory->worst_Phi = Phi;
        out->trajectory->worst_Phid = Phid;
        out->trajectory->worst_energy = energy;
    }
    mp_vector_free(nominal);
    free(parameter);
}

/* --- points and events -------------------------------------------------------------- */

static void mode_word(struct reader *r, struct mp_point *point, struct mp_point *agreed)
{
    const char *name = word(r);
    for (int i = 0; r->status == OK && i < r->out->model->modes; i++)
        if (strcmp(r->out->model->mode[i]->name, name) == 0)
            point->mode = agreed->mode = r->out->model->mode[i];
    if (r->status == OK && point->mode == NULL)
        fail(r, "the case has no mode \"%.60s\"", name);
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
        value_line(r, name, point->x[c], agreed->x[c]);
    }
}

static void read_sample(struct reader *r, int i)
{
    struct mp_point *point = &r->out->trajectory->sample[i];
    struct mp_point *agreed = &r->out->agreement->sample[i];
    next_line(r);
    expect(r, "sample");
    count(r, i + 1, i + 1);
    mode_word(r, point, agreed);
    number(r, point->t);
    end_of_line(r);
    mpfr_set(agreed->t, point->t, MPFR_RNDN);
    read_columns(r, point, agreed);
}

static void read_side(struct reader *r, const char *side, struct mp_point *point,
                      struct mp_point *agreed)
{
    next_line(r);
    expect(r, side);
    mode_word(r, point, agreed);
    end_of_line(r);
    read_columns(r, point, agreed);
}

static void read_event(struct reader *r, int e, int *room, int *agreed_room)
{
    const struct model *model = r->out->model;
    struct mp_event *event = trajectory_event(r->out->trajectory, room);
    struct mp_event *agreed = trajectory_event(r->out->agreement, agreed_room);
    char name[200];
    next_line(r);
    expect(r, "event");
    count(r, e + 1, e + 1);
    const char *which = word(r);
    for (int i = 0; r->status == OK && i < model->events; i++)
        if (strcmp(model->event[i]->name, which) == 0)
            event->event = agreed->event = model->event[i];
    if (r->status == OK && event->event == NULL)
        fail(r, "the case has no event \"%.60s\"", which);
    number(r, event->before.t);
    number(r, agreed->before.t);
    end_of_line(r);
    mpfr_set(event->after.t, event->before.t, MPFR_RNDN);
    for (int j = 0; j < r->out->trajectory->columns.p; j++) {
        snprintf(name, sizeof name, "dt/d%s",
                 model->parameter[r->out->trajectory->parameter[j]].name);
        value_line(r, name, event->tau[j], agreed->tau[j]);
    }
    read_side(r, "before", &event->before, &agreed->before);
    read_side(r, "after", &event->after, &agreed->after);
}

static void read_all(struct reader *r)
{
    int room = 0, agreed_room = 0;
    char name[200];
    read_header(r);
    for (int i = 0; r->status == OK && i < r->samples; i++)
        read_sample(r, i);
    for (int e = 0; r->status == OK && e < r->events; e++)
        read_event(r, e, &room, &agreed_room);
    next_line(r);
    expect(r, "end");
    end_of_line(r);
    for (int i = 0; r->status == OK &&
                    i < r->out->model->nz * (1 + r->out->trajectory->columns.p); i++) {
        certificate_cost_name(&r->out->trajectory->columns, i, name, sizeof name);
        value_line(r, name, r->out->trajectory->psi[i], r->out->agreement->psi[i]);
    }
    next_line(r);
    expect(r, "complete");
    end_of_line(r);
    if (r->status == OK && fgetc(r->file) != EOF)
        fail(r, "something follows the end");
}

enum status certificate_read(const char *path, const struct model *model,
                             struct certificate **out, struct diagnosis *diagnosis)
{
    *out = NULL;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return diagnose(diagnosis, BAD_INPUT, NAN, "cannot read %s: %s", path,
                        strerror(errno));
    struct reader *r = memory_new(1, sizeof *r);
    *r = (struct reader){.file = file, .path = path, .out = certificate_new(model),
                         .diagnosis = diagnosis};
    r->rest = r->text;
    read_all(r);
    fclose(file);
    enum status status = r->status;
    if (status == OK)
        *out = r->out;
    else
        certificate_free(r->out);
    free(r);
    return status;
}
