/*
 * test_reference_along.c - derivatives along a direction in the space of parameters.
 */
#include "referring.h"

/* Weights of both signs and of sizes that differ. */
static const char *const some[REFERRING_PARAMETERS] = {
    "0.75", "-0.5", "1", "-0.25", "3e-1", "-1", "0.125", "0.9", "-0.6", "0.4", "1", "0.2",
    "-0.7", "0.3", "0.8", "-0.9", "0.55", "1", "-0.35", "0.65",
};

static void ask_at_the_end(struct referring *r, const char *t_end)
{
    static const char *end[1];
    end[0] = t_end;
    r->request.t_end = t_end;
    r->request.samples = 1;
    r->request.sample = end;
}

/* Differences along w carry two thirds of the digits, less the condition of events. */
static void one_difference_agrees_with_the_columns(const char *name, const char *t_end)
{
    struct referring r;
    struct mp_trajectory *columns, *along, *difference;
    char where[200] = "";
    referring_of_case(&r, case_find(name), 60);
    ask_at_the_end(&r, t_end);
    columns = refer(&r);
    cr_assert_eq(mp_trajectory_along(columns, some, true, &along, &r.diagnosis), OK);
    r.request.direction = some;
    r.request.digits = 45;
    difference = refer_difference(&r, false);
    cr_expect_eq(along->columns.p, 1);
    cr_expect_eq(difference->columns.p, 1);
    cr_expect_gt(along->events, 0);
    double digits = digits_of_routes(difference, along, where, sizeof where);
    cr_expect_gt(digits, 24, "%s: %.1f digits at %s", name, digits, where);
    for (int e = 0; e < along->events; e++)
        cr_expect_gt(mp_digits(difference->event[e].tau[0], along->event[e].tau[0], NULL),
                     20);
    mp_trajectory_free(columns);
    mp_trajectory_free(along);
    mp_trajectory_free(difference);
    referring_end(&r);
}

Test(reference_along, one_difference_agrees_with_the_columns_combined)
{
    one_difference_agrees_with_the_columns("bouncing-ball", "8");
    one_difference_agrees_with_the_columns("slack-rope", "2");
    one_difference_agrees_with_the_columns("five-bar", "3");
}

Test(reference_along, one_lane_is_the_columns_combined)
{
    struct referring r;
    struct mp_trajectory *columns, *along, *lane;
    char where[200] = "";
    referring_of_case(&r, case_find("five-bar"), 40);
    ask_at_the_end(&r, "3");
    columns = refer(&r);
    cr_assert_eq(mp_trajectory_along(columns, some, false, &along, &r.diagnosis), OK);
    r.request.direction = some;
    lane = refer(&r);
    double digits = digits_of_routes(lane, along, where, sizeof where);
    cr_expect_gt(digits, 35, "%.1f digits at %s", digits, where);
    mp_trajectory_free(columns);
    mp_trajectory_free(along);
    mp_trajectory_free(lane);
    referring_end(&r);
}

Test(reference_along, its_columns_say_so)
{
    struct referring r;
    struct mp_trajectory *lane;
    char name[100];
    referring_of_case(&r, case_find("bouncing-ball"), 20);
    ask_at_the_end(&r, "1");
    r.request.direction = some;
    lane = refer(&r);
    column_name(&lane->columns, column(&lane->columns, GROUP_V, 0, 0), name, sizeof name);
    cr_expect_str_eq(name, "dv.y/d(w)");
    column_name(&lane->columns, column(&lane->columns, GROUP_V, 0, -1), name,
                sizeof name);
    cr_expect_str_eq(name, "v.y");
    mp_trajectory_free(lane);
    referring_end(&r);
}

Test(reference_along, a_direction_that_is_none_is_refused)
{
    const char *const zero[] = {"0", "0.0", "0", "0", "0", "0", "0", "0"};
    const char *const word[] = {"1", "much", "1", "1", "1", "1", "1", "1"};
    struct referring r;
    referring_of_case(&r, case_find("bouncing-ball"), 20);
    ask_at_the_end(&r, "1");
    struct mp_trajectory *t = refer(&r), *out;
    r.request.direction = zero;
    refer_refused(&r, BAD_INPUT, "zero");
    cr_expect_eq(mp_trajectory_along(t, zero, true, &out, &r.diagnosis), BAD_INPUT);
    cr_expect_eq(reference_difference(&r.request, false, 1, &out, &r.diagnosis),
                 BAD_INPUT);
    r.request.direction = word;
    refer_refused(&r, BAD_INPUT, "much");
    mp_trajectory_free(t);
    referring_end(&r);
}
