/*
 * referring.h - one-line runs of the reference for tests.
 */
#ifndef SALTUS_REFERRING_H
#define SALTUS_REFERRING_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mechanisms/catalogue.h"
#include "reference.h"

enum { REFERRING_PARAMETERS = 64 };

/* A request with what it points at; keep it alive as long as the request. */
struct referring {
    struct model *model;
    struct reference_request request;
    int parameter[REFERRING_PARAMETERS];
    struct diagnosis diagnosis;
};

/* The exact motion of a model, all its parameters that are not fixed. */
static inline void referring_of_model(struct referring *r, struct model *model,
                                      int digits)
{
    cr_assert_not_null(model);
    *r = (struct referring){.model = model};
    r->request = (struct reference_request){
        .model = model, .truth = {.variant = "exact"}, .digits = digits,
        .parameters = model_sensitivities(model, r->parameter),
        .parameter = r->parameter,
    };
}

static inline void referring_of_case(struct referring *r, const struct case_desc *desc,
                                     int digits)
{
    struct diagnosis diagnosis;
    cr_assert_not_null(desc);
    struct model *model = model_new(desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    referring_of_model(r, model, digits);
}

static inline void referring_end(struct referring *r)
{
    model_free(r->model);
    mpfr_free_cache();
}

static inline struct mp_trajectory *refer(struct referring *r)
{
    struct mp_trajectory *t;
    enum status status = reference_run(&r->request, &t, &r->diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), r->diagnosis.place);
    return t;
}

/* The run must end so, and the explanation must contain `word`. */
static inline void refer_refused(struct referring *r, enum status want, const char *word)
{
    struct mp_trajectory *t;
    memset(&r->diagnosis, 0, sizeof r->diagnosis);
    enum status got = reference_run(&r->request, &t, &r->diagnosis);
    cr_expect_eq(got, want, "%s instead of %s: %s", status_text(got), status_text(want),
                 r->diagnosis.place);
    cr_expect(strstr(r->diagnosis.place, word) != NULL, "\"%s\" is not in \"%s\"", word,
              r->diagnosis.place);
    mp_trajectory_free(t);
}

/* Number of a point, j = -1: the value, else its derivative by parameter j. */
static inline mpfr_srcptr number_at(const struct mp_trajectory *t,
                                    const struct mp_point *point, enum column_group group,
                                    int i, int j)
{
    return point->x[column(&t->columns, group, i, j)];
}

/* Index among the parameters that are differentiated. */
static inline int by_name(const struct referring *r, const char *name)
{
    int j = 0;
    while (j < r->request.parameters &&
           strcmp(r->model->parameter[r->parameter[j]].name, name) != 0)
        j++;
    cr_assert_lt(j, r->request.parameters);
    return j;
}

/* Digits on which the sum of factor[k][0] * factor[k][1] agrees with `want`, relative to
   its largest term, at least 1/100. */
static inline double digits_of_sum(mpfr_srcptr want, int terms,
                                   mpfr_srcptr (*factor)[2])
{
    mpfr_t sum, term, scale;
    mpfr_prec_t precision = mpfr_get_prec(want);
    mpfr_inits2(precision, sum, term, scale, (mpfr_ptr)0);
    mpfr_set_zero(sum, 1);
    mpfr_set_d(scale, 0.01, MPFR_RNDN);
    for (int k = 0; k < terms; k++) {
        mpfr_mul(term, factor[k][0], factor[k][1], MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
        if (mpfr_cmpabs(term, scale) > 0)
            mpfr_abs(scale, term, MPFR_RNDN);
    }
    double digits = mp_digits(sum, want, scale);
    mpfr_clears(sum, term, scale, (mpfr_ptr)0);
    return digits;
}

/* Least digits of what has been compared, and of what. */
struct agreement {
    double least;
    char *where;
    int size;
    mpfr_t scale;
};

static inline void agree_on(struct agreement *so_far, mpfr_srcptr a, mpfr_srcptr b,
                            const char *what, int number)
{
    double digits = mp_digits(a, b, so_far->scale);
    if (digits < so_far->least) {
        so_far->least = digits;
        snprintf(so_far->where, (size_t)so_far->size, "%s %d", what, number);
    }
}

static inline void agree_on_point(struct agreement *so_far, const struct columns *columns,
                                  const struct mp_point *a, const struct mp_point *b,
                                  int number)
{
    char name[100];
    cr_assert_eq(a->mode->index, b->mode->index);
    for (int c = 0; c < columns->count; c++) {
        column_name(columns, c, name, sizeof name);
        agree_on(so_far, a->x[c], b->x[c], name, number);
    }
}

/* Least digits on which two routes agree, relative to max(|b|, 1/100): sensitivities may
   be exactly zero in one of them. */
static inline double digits_of_routes(const struct mp_trajectory *a,
                                      const struct mp_trajectory *b, char *where,
                                      int size)
{
    const struct columns *columns = &a->columns;
    struct agreement so_far = {.least = INFINITY, .where = where, .size = size};
    mpfr_init2(so_far.scale, 64);
    mpfr_set_d(so_far.scale, 0.01, MPFR_RNDN);
    cr_assert_eq(a->samples, b->samples);
    cr_assert_eq(a->events, b->events);
    for (int i = 0; i < a->samples; i++)
        agree_on_point(&so_far, columns, &a->sample[i], &b->sample[i], i);
    for (int e = 0; e < a->events; e++) {
        const struct mp_event *x = &a->event[e], *y = &b->event[e];
        agree_on(&so_far, x->before.t, y->before.t, "t of event", e + 1);
        for (int j = 0; j < columns->p; j++)
            agree_on(&so_far, x->tau[j], y->tau[j], "tau of event", e + 1);
        agree_on_point(&so_far, columns, &x->before, &y->before, e + 1);
        agree_on_point(&so_far, columns, &x->after, &y->after, e + 1);
    }
    for (int i = 0; i < columns->model->nz * (1 + columns->p); i++)
        agree_on(&so_far, a->psi[i], b->psi[i], "psi", i);
    mpfr_clear(so_far.scale);
    return so_far.least;
}

/* Derivatives by differences of runs beside each other; `halved`: half as far. */
static inline struct mp_trajectory *refer_difference(struct referring *r, bool halved)
{
    struct mp_trajectory *t;
    enum status status = reference_difference(&r->request, halved, 2, &t, &r->diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), r->diagnosis.place);
    return t;
}

static inline double variational_against_differences(struct referring *r, char *where,
                                                     int size)
{
    struct mp_trajectory *a = refer(r), *b = refer_difference(r, false);
    double digits = digits_of_routes(a, b, where, size);
    mp_trajectory_free(a);
    mp_trajectory_free(b);
    return digits;
}

#endif
