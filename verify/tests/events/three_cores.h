/*
 * three_cores.h - a mechanism of the test itself has the same events, or is refused
 * alike, in the double core, in MPFR, and by complex step.
 */
#ifndef SALTUS_THREE_CORES_H
#define SALTUS_THREE_CORES_H

#include "referring.h"
#include "solving.h"

static struct solving s;

/* A mode in which all masses are one. */
static inline struct mode *unit_masses(struct model *model, const char *name)
{
    struct mode *mode = model_mode(model, name);
    for (int i = 0; i < model->n; i++)
        model->M[i][i] = integer(model->tape, 1);
    return mode;
}

/* Runs in double; MPFR and complex step have the same events at the same times. Returns
   the motion. */
static inline struct trajectory *all_agree(const char *name,
                                           void (*record)(struct model *), int events)
{
    char where[120];
    solving_of_record(&s, name, record, "ode");
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, events, "%s: %d events in double", name, t->events);
    double least = digits_of_complex_step(&s, t, where, sizeof where);
    cr_expect_gt(least, 10, "%s: complex step: %.1f digits of %s", name, least, where);

    const char *value[TEST_PARAMETERS] = {NULL};
    struct mp_trajectory *truth;
    struct reference_request request = {
        .model = s.model, .truth = {.variant = "exact"}, .digits = 40,
        .parameters = s.request.parameters, .parameter = s.parameter, .value = value};
    enum status status = reference_run(&request, &truth, &s.diagnosis);
    cr_assert_eq(status, OK, "%s: MPFR: %s: %s", name, status_text(status),
                 s.diagnosis.place);
    cr_assert_eq(truth->events, events, "%s: %d events in MPFR", name, truth->events);
    for (int k = 0; k < events; k++) {
        const struct mp_event *want = &truth->event[k];
        cr_expect_str_eq(t->event[k].event->name, want->event->name);
        cr_expect_float_eq(t->event[k].before.t, mpfr_get_d(want->before.t, MPFR_RNDN),
                           1e-11);
        for (int c = 0; c < t->columns.count; c++) {
            double got = t->event[k].after.x[c];
            double wanted = mpfr_get_d(want->after.x[c], MPFR_RNDN);
            cr_expect(isnan(wanted) || fabs(got - wanted) <= 1e-10 * (1 + fabs(wanted)),
                      "%s: event %d, column %d: %.15g for %.15g", name, k, c, got,
                      wanted);
        }
    }
    mp_trajectory_free(truth);
    return t;
}

/* Both solvers refuse it so, with that many events at most (0: any number). */
static inline void solvers_refuse(int events, const char *name,
                                  void (*record)(struct model *),
                                  enum status expected)
{
    solving_of_record(&s, name, record, "ode");
    s.request.max_events = events;
    refuse(&s, expected);
    const char *value[TEST_PARAMETERS] = {NULL};
    struct mp_trajectory *truth = NULL;
    struct reference_request request = {
        .model = s.model, .truth = {.variant = "exact"}, .digits = 40,
        .parameters = s.request.parameters, .parameter = s.parameter, .value = value,
        .max_events = events};
    enum status status = reference_run(&request, &truth, &s.diagnosis);
    cr_expect_eq(status, expected, "%s: MPFR: %s: %s", name, status_text(status),
                 s.diagnosis.place);
    mp_trajectory_free(truth);
}

/* All three refuse it so. */
static inline void all_refuse_within(int events, const char *name,
                                     void (*record)(struct model *), enum status expected)
{
    solvers_refuse(events, name, record, expected);
    struct trajectory *oracle;
    enum status status = complex_step_run(&s.request, &oracle, &s.diagnosis);
    cr_expect_eq(status, expected, "%s: complex step: %s: %s", name, status_text(status),
                 s.diagnosis.place);
    solving_end(&s);
}

static inline void all_refuse(const char *name, void (*record)(struct model *),
                              enum status expected)
{
    all_refuse_within(0, name, record, expected);
}

static inline void end(struct trajectory *t)
{
    trajectory_free(t);
    solving_end(&s);
}

#endif
