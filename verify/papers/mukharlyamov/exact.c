/*
 * exact.c - motions of the arm of Mukharlyamov, Deressa 2014 in MPFR (mukharlyamov.h)
 */
#include "papers/mukharlyamov/mukharlyamov.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "reference.h"

static struct arm_exact_sample read_sample(const struct mp_trajectory *t, int k)
{
    const struct mp_point *point = &t->sample[k];
    struct arm_exact_sample own = {.t = mpfr_get_d(point->t, MPFR_RNDN), .lambda1 = NAN};
    for (int i = 0; i < 2; i++) {
        own.q[i] = mpfr_get_d(point->x[column(&t->columns, GROUP_Q, i, -1)], MPFR_RNDN);
        own.v[i] = mpfr_get_d(point->x[column(&t->columns, GROUP_V, i, -1)], MPFR_RNDN);
    }
    if (t->columns.model->m > 0)
        own.lambda1 = mpfr_get_d(point->x[column(&t->columns, GROUP_LAMBDA, 0, -1)],
                                 MPFR_RNDN);
    return own;
}

/* Appends the samples of a trajectory. */
static void take_samples(struct arm_exact *exact, struct mp_trajectory *trajectory)
{
    for (int k = 0; trajectory && k < trajectory->samples; k++)
        exact->sample[exact->samples++] = read_sample(trajectory, k);
    mp_trajectory_free(trajectory);
}

static void run_request(struct arm_exact *exact, struct reference_request *request,
                        int step, int end)
{
    enum { TEXT = 16 };
    const int samples = end / step;
    char *text = memory_new(samples * TEXT, sizeof *text);
    const char **sample = memory_new(samples, sizeof *sample);
    struct mp_trajectory *start = NULL, *rest = NULL;
    for (int k = 0; k < samples; k++) {
        int at = (k + 1) * step;
        snprintf(text + k * TEXT, TEXT, "%d.%03d", at / 1000, at % 1000);
        sample[k] = text + k * TEXT;
    }
    exact->sample = memory_new(samples + 1, sizeof *exact->sample);
    exact->status = reference_start(request, &start, &exact->diagnosis);
    request->t_end = sample[samples - 1];
    request->samples = samples;
    request->sample = sample;
    if (exact->status == OK)
        exact->status = reference_run(request, &rest, &exact->diagnosis);
    take_samples(exact, start);
    take_samples(exact, rest);
    free(text);
    free(sample);
}

static void begin_exact(struct arm_exact *exact, const struct case_desc *desc)
{
    *exact = (struct arm_exact){.diagnosis = {.t = NAN}};
    exact->model = model_new(desc, &exact->diagnosis);
    if (!exact->model)
        slip("mukharlyamov: %s", exact->diagnosis.place);
    exact->value = memory_new(exact->model->p, sizeof *exact->value);
    model_nominal_values(exact->model, exact->value, &exact->diagnosis);
}

void arm_exact_run(struct arm_exact *exact, const struct case_desc *desc, int digits,
                   int step, int end)
{
    begin_exact(exact, desc);
    struct reference_request request = {
        .model = exact->model, .truth = {.variant = "exact"}, .digits = digits};
    run_request(exact, &request, step, end);
}

void arm_exact_run_at(struct arm_exact *exact, const struct case_desc *desc, int digits,
                      int step, int end, double v)
{
    char text[32];
    begin_exact(exact, desc);
    const char **value = memory_new(exact->model->p, sizeof *value);
    int place = model_parameter_index(exact->model, "v");
    snprintf(text, sizeof text, "%.17g", v);
    value[place] = text;
    exact->value[place] = v;
    struct reference_request request = {
        .model = exact->model, .truth = {.variant = "exact"}, .digits = digits,
        .value = value};
    run_request(exact, &request, step, end);
    free(value);
}

void arm_exact_clear(struct arm_exact *exact)
{
    free(exact->sample);
    free(exact->value);
    if (exact->model)
        model_free(exact->model);
}

const struct arm_exact_sample *arm_exact_last(const struct arm_exact *exact)
{
    return &exact->sample[exact->samples - 1];
}
