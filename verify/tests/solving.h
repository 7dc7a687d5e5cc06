/*
 * solving.h - one-line runs for tests: a case or a model, everything at its default.
 */
#ifndef SALTUS_SOLVING_H
#define SALTUS_SOLVING_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "events/faults.h"
#include "mechanisms/catalogue.h"
#include "oracles/oracle.h"
#include "run.h"

enum { TEST_SAMPLES = 8, TEST_PARAMETERS = 64 };

/* A request with what it points at; keep it alive as long as the request. */
struct solving {
    struct model *model;
    struct run_request request;
    const char *option[8];
    int parameter[TEST_PARAMETERS];
    double value[TEST_PARAMETERS];
    double sample[TEST_SAMPLES];
    struct diagnosis diagnosis;
};

static inline void solving_of_model(struct solving *s, struct model *model,
                                    const char *formulation)
{
    double t0, t_end;
    *s = (struct solving){.model = model};
    s->request.model = model;
    s->request.formulation = formulation_find(formulation);
    cr_assert_not_null(s->request.formulation);
    const struct formulation_option *options = s->request.formulation->options;
    for (int k = 0; options && options[k].name; k++)
        s->option[k] = options[k].nominal;
    s->request.option = s->option;
    s->request.rtol = 1e-13;
    s->request.atol = 1e-16;
    s->request.parameters = model_sensitivities(model, s->parameter);
    s->request.parameter = s->parameter;
    cr_assert_eq(model_nominal_values(model, s->value, &s->diagnosis), OK);
    s->request.value = s->value;
    s->request.t_end = NAN;
    cr_assert_eq(model_times(model, s->value, &t0, &t_end, &s->diagnosis), OK);
    for (int k = 0; k < TEST_SAMPLES; k++)
        s->sample[k] = t0 + (t_end - t0) * (k + 1) / TEST_SAMPLES;
    s->request.samples = TEST_SAMPLES;
    s->request.sample = s->sample;
}

static inline void solving_of_desc(struct solving *s, const struct case_desc *desc,
                                   const char *formulation)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct model *model = model_new(desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    solving_of_model(s, model, formulation);
}

static inline void solving_of_case(struct solving *s, const char *name,
                                   const char *formulation)
{
    const struct case_desc *desc = case_find(name);
    cr_assert_not_null(desc, "no case %s", name);
    solving_of_desc(s, desc, formulation);
}

/* A model that is in no catalogue, written by `record`. There is one description for all:
   the name of an earlier one is that of the last. */
static inline void solving_of_record(struct solving *s, const char *name,
                                     void (*record)(struct model *),
                                     const char *formulation)
{
    static struct case_desc desc;
    desc = (struct case_desc){.name = name, .record = record};
    solving_of_desc(s, &desc, formulation);
}

static inline void solving_option(struct solving *s, const char *name, const char *value)
{
    const struct formulation_option *options = s->request.formulation->options;
    int k = 0;
    while (options[k].name && strcmp(options[k].name, name) != 0)
        k++;
    cr_assert_not_null(options[k].name, "no option %s", name);
    s->option[k] = value;
}

static inline void solving_end(struct solving *s)
{
    model_free(s->model);
}

/* Runs, with a set of enum run_fault, and fails the test on a refusal. */
static inline struct trajectory *solve_with_faults(struct solving *s, unsigned faults)
{
    struct trajectory *trajectory;
    enum status status = run_with_faults(&s->request, faults, &trajectory, &s->diagnosis);
    cr_assert_eq(status, OK, "%s, %s: %s: %s", s->model->desc->name,
                 s->request.formulation->name, status_text(status), s->diagnosis.place);
    return trajectory;
}

/* Runs, and fails the test on a refusal. */
static inline struct trajectory *solve(struct solving *s)
{
    return solve_with_faults(s, 0);
}

/* Runs, and fails the test unless it is refused with this status. */
static inline void refuse(struct solving *s, enum status expected)
{
    struct trajectory *trajectory = NULL;
    enum status status = run_once(&s->request, &trajectory, &s->diagnosis);
    cr_expect_eq(status, expected, "%s: expected %s, got %s: %s", s->model->desc->name,
                 status_text(expected), status_text(status), s->diagnosis.place);
    cr_expect_eq(s->diagnosis.status, expected);
    cr_expect(s->diagnosis.place[0] != '\0', "a refusal names its place");
    trajectory_free(trajectory);
}

/* Least digits of all numbers; one whose condition number (scales.h) is above ten is
   credited with the digits that costs. */
static inline double least_digits(struct results *got, struct results *want, char *name,
                                  int size)
{
    int count, missing;
    const struct comparing how = {.cap = 17, .floor = 1e-3};
    struct comparison *comparison = results_compare(got, want, &how, &count, &missing);
    double least = 17;
    snprintf(name, (size_t)size, "nothing");
    for (int k = 0; k < count; k++) {
        double digits =
            comparison[k].digits + fmax(0, log10(comparison[k].condition) - 1);
        if (!(digits >= least)) {
            least = digits;
            snprintf(name, (size_t)size, "%.70s at t = %.6g", comparison[k].want->name,
                     comparison[k].want->t);
        }
    }
    cr_assert_gt(count, 0);
    cr_assert_eq(missing, 0);
    free(comparison);
    return least;
}

/* Least digits on which two trajectories agree, and where. */
static inline double digits_between(const struct trajectory *a,
                                    const struct trajectory *b,
                                    char *name, int size)
{
    struct results *got = results_of_trajectory(a), *want = results_of_trajectory(b);
    double least = least_digits(got, want, name, size);
    results_free(got);
    results_free(want);
    return least;
}

/* Least digits on which a run agrees with complex step. Where they fall short of what is
   asked, the equations tell how well multipliers and accelerations can be known at all,
   as in verify: stiff springs leave more rounding in them than their own size. */
static inline double digits_with_conditions(struct solving *s,
                                            const struct trajectory *trajectory,
                                            double asked, char *name, int size)
{
    struct trajectory *oracle;
    enum status status = complex_step_run(&s->request, &oracle, &s->diagnosis);
    cr_assert_eq(status, OK, "complex step: %s: %s", status_text(status),
                 s->diagnosis.place);
    struct results *got = results_of_trajectory(trajectory);
    struct results *want = results_of_trajectory(oracle);
    double least = least_digits(got, want, name, size);
    if (least < asked) {
        spread_unknowns(&s->request, trajectory, want);
        least = least_digits(got, want, name, size);
    }
    results_free(got);
    results_free(want);
    trajectory_free(oracle);
    return least;
}

/* The same by the numbers of the oracle alone. */
static inline double digits_of_complex_step(struct solving *s,
                                            const struct trajectory *trajectory,
                                            char *name, int size)
{
    return digits_with_conditions(s, trajectory, -INFINITY, name, size);
}

#endif
