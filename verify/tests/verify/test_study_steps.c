/*
 * test_study_steps.c - errors fall with the order of each integrator, through events, and
 * one that boasts of a higher order is seen to fall short.
 */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <math.h>

#include "mechanisms/catalogue.h"
#include "plugins/registry.h"
#include "sampling.h"
#include "studies/study.h"

static const struct judge_settings settings = {.rtol = NAN, .digits = NAN,
                                               .mp_digits = DEFAULT_MP_DIGITS};

static enum exit_status study(const char *name)
{
    const struct case_desc *const one[] = {case_find(name)};
    cJSON *found = cJSON_CreateArray();
    enum exit_status status = study_steps(NULL, &settings, one, 1, 1, found);
    bool held = true;
    const cJSON *item;
    cJSON_ArrayForEach(item, found)
        held = held && !cJSON_IsFalse(cJSON_GetObjectItem(item, "held"));
    cr_expect_eq(held, status == EXIT_HELD);
    cr_expect_gt(cJSON_GetArraySize(found), 0);
    cJSON_Delete(found);
    return status;
}

Test(study_steps, observed_orders_are_those_of_the_methods, .init = cr_redirect_stdout)
{
    cr_expect_eq(study("pendulum-wall"), EXIT_HELD);
    if (in_test_all())
        cr_expect_eq(study("impact-oscillator"), EXIT_HELD);
}

Test(study_steps, where_there_is_no_error_but_rounding_nothing_falls_short,
     .init = cr_redirect_stdout)
{
    cr_expect_eq(study("bouncing-ball"), EXIT_HELD);
}

Test(study_steps, an_order_that_is_only_claimed_falls_short, .init = cr_redirect_stdout)
{
    struct integrator boastful = *integrator_find("gsl-rk2");
    int last = 0;
    boastful.name = "boastful";
    boastful.order = 4;
    while (integrators[last])
        last++;
    integrators[last] = &boastful;
    cr_expect_eq(study("pendulum-wall"), EXIT_SHORT);
    integrators[last] = NULL;
}
