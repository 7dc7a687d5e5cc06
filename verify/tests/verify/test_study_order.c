/*
 * test_study_order.c - orders of differences and Taylor remainders are 2, and 3 with
 * second derivatives, where derivatives are right, and are seen to be less where one is
 * of no use.
 */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <math.h>
#include <string.h>

#include "case.h"
#include "mechanisms/catalogue.h"
#include "studies/study.h"

static const struct judge_settings settings = {.rtol = NAN, .digits = NAN,
                                               .mp_digits = DEFAULT_MP_DIGITS};

static enum exit_status study(const struct case_desc *desc)
{
    const struct case_desc *const one[] = {desc};
    cJSON *found = cJSON_CreateArray();
    enum exit_status status = study_order(NULL, &settings, one, 1, 1, found);
    bool held = true;
    const cJSON *item;
    cJSON_ArrayForEach(item, found)
        held = held && !cJSON_IsFalse(cJSON_GetObjectItem(item, "held"));
    cr_expect_eq(held, status == EXIT_HELD);
    cr_expect_gt(cJSON_GetArraySize(found), 0);
    cJSON_Delete(found);
    return status;
}

Test(study_order, is_two_at_least_of_derivatives_that_are_right,
     .init = cr_redirect_stdout)
{
    static const char *const name[] = {"bouncing-ball", "pendulum-wall", "two-landings",
                                       "stick-slip-impact"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++)
        cr_expect_eq(study(case_find(name[k])), EXIT_HELD, "%s", name[k]);
}

/* It starts at |k - 1|, but for 1e-30, where k is 1: the derivative that the rules give
   is of no use. */
static void record_kink(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k);
    NOMINAL(k, 1, "m", "its distance from 1 is the start");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-x);
    model->q0[0] = EQ(sqrt((k - 1)*(k - 1) + exp(-140)));
    model->v0[0] = EQ(k*k*k);
    model->t_end = EQ(1);
}

Test(study_order, is_one_of_a_derivative_that_holds_nowhere_else,
     .init = cr_redirect_stdout)
{
    static const struct case_desc kink = {.name = "kink", .record = record_kink};
    cr_expect_eq(study(&kink), EXIT_SHORT);
}

/* The cost has a second derivative at k = 1, but within 1e-30 of it alone. */
static void record_bend(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k);
    COSTS(bend);
    NOMINAL(k, 1, "m", "its distance from 1 is squared, with a sign");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-x);
    model->q0[0] = EQ(k);
    model->v0[0] = EQ(k*k*k);
    model->t_end = EQ(1);
    model->w[0] = EQ((k - 1)*sqrt((k - 1)*(k - 1) + exp(-140)));
}

/* Only the rows with second derivatives and the difference of the first are short. */
Test(study_order, is_two_of_a_remainder_with_a_wrong_second_derivative,
     .init = cr_redirect_stdout)
{
    static const struct case_desc bend = {.name = "bend", .record = record_bend};
    const struct case_desc *const one[] = {&bend};
    cJSON *found = cJSON_CreateArray();
    cr_expect_eq(study_order(NULL, &settings, one, 1, 1, found), EXIT_SHORT);
    const cJSON *item, *list = cJSON_GetObjectItem(cJSON_GetArrayItem(found, 0),
                                                   "measured");
    int seconds = 0;
    cJSON_ArrayForEach(item, list) {
        const char *name = cJSON_GetObjectItem(item, "name")->valuestring;
        bool held = cJSON_IsTrue(cJSON_GetObjectItem(item, "held"));
        if (strncmp(name, "Taylor remainder, ", 18) == 0)
            cr_expect(held, "%s", name);
        if (strstr(name, "order 3") || strstr(name, "in double")) {
            double order = cJSON_GetObjectItem(item, "order")->valuedouble;
            cr_expect_not(held, "%s", name);
            cr_expect_float_eq(order, 2, 0.01, "%s: %g", name, order);
            seconds++;
        }
    }
    cr_expect_eq(seconds, 2);
    cJSON_Delete(found);
}
