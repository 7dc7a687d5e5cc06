/*
 * test_study_order.c - orders of differences and Taylor remainders are 2 where
 * derivatives are right, and are seen to be less where one is of no use.
 */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <math.h>

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
