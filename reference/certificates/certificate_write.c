/* certificate_write.c - writer of certified values as text; the format is in
   certificate.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "condition.h"
#include "writer.h"

enum { LEAST_DIGITS = 40 };

/* Writes the significant digits d of 0.ddd 10^e as a person would. */
static void write_digits(FILE *file, const char *d, int length, long e)
{
    if (e > 0 && e <= 20 && length > e)
        fprintf(file, "%.*s.%s", (int)e, d, d + e);
    else if (e > 0 && e <= 20)
        fprintf(file, "%s%.*s", d, (int)e - length, "00000000000000000000");
    else if (e <= 0 && e > -5)
        fprintf(file, "0.%.*s%s", (int)-e, "0000", d);
    else
        fprintf(file, "%c%s%se%ld", d[0], length > 1 ? "." : "", d + 1, e - 1);
}

void certificate_number(FILE *file, mpfr_srcptr x, int digits)
{
    if (!mpfr_number_p(x) || mpfr_zero_p(x)) {
        fputs(mpfr_number_p(x) ? "0" : "nan", file);
        return;
    }
    mpfr_exp_t e;
    char *text = mpfr_get_str(NULL, &e, 10, (size_t)digits, x, MPFR_RNDN);
    char *d = text;
    if (*d == '-')
        fputc(*d++, file);
    int length = (int)strlen(d);
    while (length > 1 && d[length - 1] == '0')
        d[--length] = '\0';
    write_digits(file, d, length, (long)e);
    mpfr_free_str(text);
}

static void write_double(const struct writer *w, double x, int digits)
{
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, x, MPFR_RNDN);
    certificate_number(w->file, value, digits);
    mpfr_clear(value);
}

void writer_value(const struct writer *w, const char *name, mpfr_srcptr value,
                  long agreed)
{
    fprintf(w->file, "%s ", name);
    certificate_number(w->file, value, w->digits);
    fprintf(w->file, " %ld\n", agreed);
}

static void write_line(const struct writer *w, const char *name, mpfr_srcptr value,
                       mpfr_srcptr agreed)
{
    writer_value(w, name, value, mpfr_get_si(agreed, MPFR_RNDD));
}

static void write_columns(const struct writer *w, const struct mp_point *point,
                          const struct mp_point *agreed)
{
    const struct columns *columns = &w->certificate->trajectory->columns;
    char name[200];
    for (int c = 0; c < columns->count; c++) {
        if (!column_present(columns, c, point->mode))
            continue;
        column_name(columns, c, name, sizeof name);
        write_line(w, name, point->x[c], agreed->x[c]);
    }
}

static void write_option(const struct writer *w, const char *name, const char *text)
{
    fprintf(w->file, "%s %s\n", name, text ? text : "-");
}

void header_title(FILE *file, const char *title, int format)
{
    fprintf(file, "%s %d\n", title, format);
}

void header_case(FILE *file, const struct model *model)
{
    const char *path = model->desc->path, *slash = path ? strrchr(path, '/') : NULL;
    fprintf(file, "case %s\nfile %s\n", model->desc->name,
            slash ? slash + 1 : path ? path : "-");
}

void header_formulas(FILE *file, const struct model *model)
{
    fprintf(file, "formulas %016" PRIx64 "\n", model->fingerprint);
}

void header_parameter(FILE *file, const struct model *model, int j, const char *given)
{
    const struct parameter *parameter = &model->parameter[j];
    char *stated = given ? NULL : formula_text(parameter->nominal, NULL, NULL);
    fprintf(file, "parameter %s %s %s\n", parameter->name, given ? "given" : "nominal",
            given ? given : stated);
    free(stated);
}

static void write_parameters(const struct writer *w)
{
    const struct certificate *c = w->certificate;
    const struct model *model = c->model;
    for (int j = 0; j < model->p; j++)
        header_parameter(w->file, model, j, c->value[j]);
    fputs("differentiated", w->file);
    for (int j = 0; j < c->parameters; j++)
        fprintf(w->file, " %s", model->parameter[c->parameter[j]].name);
    fputc('\n', w->file);
}

static void write_header(const struct writer *w)
{
    const struct certificate *c = w->certificate;
    header_title(w->file, certificate_title, CERTIFICATE_FORMAT);
    header_case(w->file, c->model);
    write_option(w, "variant", c->variant);
    write_option(w, "alpha", c->alpha);
    write_option(w, "K_D", c->K_D);
    write_option(w, "K_P", c->K_P);
    write_option(w, "reset", c->reset);
    header_formulas(w->file, c->model);
    write_parameters(w);
    fprintf(w->file, "digits %d\nagreed %d\nprecision %ld\n", c->digits, c->agreed,
            (long)c->precision);
}

static void write_how(const struct writer *w)
{
    const struct mp_trajectory *t = w->certificate->trajectory;
    fprintf(w->file, "order %d\nsteps %ld\n", t->order, t->steps);
    fputs("worst_Phi ", w->file);
    write_double(w, t->worst_Phi, 3);
    fputs("\nworst_Phid ", w->file);
    write_double(w, t->worst_Phid, 3);
    fputs("\nworst_energy ", w->file);
    write_double(w, t->worst_energy, 3);
    fprintf(w->file, "\nhow %s\nsamples %d\nevents %d\n", certificate_how, t->samples,
            t->events);
}

static void write_event(const struct writer *w, int e)
{
    const struct mp_trajectory *t = w->certificate->trajectory;
    const struct mp_event *event = &t->event[e];
    const struct mp_event *agreed = &w->certificate->agreement->event[e];
    char name[200];
    snprintf(name, sizeof name, "event %d %s", e + 1, event->event->name);
    write_line(w, name, event->before.t, agreed->before.t);
    for (int j = 0; j < t->columns.p; j++) {
        snprintf(name, sizeof name, "dt/d%s",
                 t->columns.model->parameter[t->parameter[j]].name);
        write_line(w, name, event->tau[j], agreed->tau[j]);
    }
    if (event->condition >= near_grazing) {
        fputs("condition ", w->file);
        write_double(w, event->condition, 3);
        fputc('\n', w->file);
    }
    fprintf(w->file, "before %s\n", event->before.mode->name);
    write_columns(w, &event->before, &agreed->before);
    fprintf(w->file, "after %s\n", event->after.mode->name);
    write_columns(w, &event->after, &agreed->after);
}

static void write_refusal(const struct writer *w)
{
    const struct certificate *c = w->certificate;
    fprintf(w->file, "refused %s ", status_text(c->refusal.status));
    certificate_number(w->file, c->refused_at, w->digits);
    fprintf(w->file, " %d\nplace %s\ndifferences %s ", c->agreed, c->refusal.place,
            status_text(c->other_refusal.status));
    if (isnan(c->other_refusal.t))
        fputc('-', w->file);
    else
        write_double(w, c->other_refusal.t, 17);
    fprintf(w->file, "\nplace %s\nhow %s\n", c->other_refusal.place,
            certificate_how_refused);
}

static void write_numbers(const struct writer *w)
{
    const struct mp_trajectory *t = w->certificate->trajectory;
    const struct mp_trajectory *agreed = w->certificate->agreement;
    char name[200];
    write_how(w);
    for (int i = 0; i < t->samples; i++) {
        fprintf(w->file, "sample %d %s ", i + 1, t->sample[i].mode->name);
        certificate_number(w->file, t->sample[i].t, w->digits);
        fputc('\n', w->file);
        write_columns(w, &t->sample[i], &agreed->sample[i]);
    }
    for (int e = 0; e < t->events; e++)
        write_event(w, e);
    fputs("end\n", w->file);
    for (int i = 0; i < t->columns.model->nz * (1 + t->columns.p); i++) {
        certificate_cost_name(&t->columns, i, name, sizeof name);
        write_line(w, name, t->psi[i], agreed->psi[i]);
    }
}

static void write_all(FILE *file, const void *context)
{
    const struct certificate *certificate = context;
    struct writer w = {.file = file, .certificate = certificate,
                       .digits = certificate->agreed + 6 > LEAST_DIGITS
                               ? certificate->agreed + 6 : LEAST_DIGITS};
    write_header(&w);
    if (certificate->orbit)
        orbit_write(&w);
    else if (certificate->refusal.status == OK)
        write_numbers(&w);
    else
        write_refusal(&w);
}

enum status certificate_write(const struct certificate *certificate, const char *path,
                              struct diagnosis *diagnosis)
{
    return certificate_store(path, write_all, certificate, diagnosis);
}
