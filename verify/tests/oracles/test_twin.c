/*
 * test_twin.c - another case with the same motion as an oracle: the two agree where they
 * should, and a wrong equality, number or derivative is seen.
 */
#include <stdlib.h>
#include <string.h>

#include "comparing.h"
#include "solving.h"

/* pendulum-wall beside pendulum-stop; what a test changes of that. */
static struct {
    const char *twin, *angle;
    const char *own, *other;    /* one more equality, NULL: none */
} changed;

static formula text(struct model *model, const char *words)
{
    return model_read(model, words, __FILE__, __LINE__);
}

static void equal(struct model *model, const char *name, const char *own,
                  const char *other)
{
    model_equal(model, name, text(model, own), text(model, other));
}

static void record(struct model *model)
{
    case_find("pendulum-wall")->record(model);
    model_time(model, "time");
    model_twin(model, changed.twin ? changed.twin : "pendulum-stop",
               changed.angle ? changed.angle : "th");
    if (changed.angle)
        return;
    equal(model, "x of bob", "x", "l*sin(th)");
    equal(model, "y of bob", "y", "-l*cos(th)");
    if (changed.own)
        equal(model, "more", changed.own, changed.other);
}

static const struct case_desc desc = {.name = "pendulum-wall", .record = record};

/* What the oracle says of a run in one formulation. */
struct opinion {
    struct results *got, *want;
    enum status status;
    struct diagnosis diagnosis;
    int events;
};

static struct opinion opinion(const char *formulation)
{
    struct solving s;
    struct opinion opinion = {.diagnosis = {.t = NAN}};
    solving_of_desc(&s, &desc, formulation);
    struct trajectory *trajectory = solve(&s);
    opinion.events = trajectory->events;
    opinion.status = twin_evaluate(&s.request, trajectory, &opinion.want, &opinion.got,
                                   &opinion.diagnosis);
    trajectory_free(trajectory);
    solving_end(&s);
    return opinion;
}

static void forget(struct opinion *opinion)
{
    results_free(opinion->got);
    results_free(opinion->want);
}

/* Digits of the quantities whose names begin like this; 17 if there are none. */
static double digits_of(const struct opinion *opinion, const char *begin)
{
    int count, missing;
    double least = 17;
    struct comparison *comparison = compare_to(opinion->got, opinion->want, 16, &count,
                                         &missing);
    cr_expect_eq(missing, 0);
    for (int k = 0; k < count; k++)
        if (strncmp(comparison[k].want->name, begin, strlen(begin)) == 0)
            least = fmin(least, comparison[k].digits);
    free(comparison);
    return least;
}

static int numbers_of(const struct results *results, const char *begin)
{
    int count = 0;
    for (int k = 0; k < results->count; k++)
        count += strncmp(results->entry[k].name, begin, strlen(begin)) == 0;
    return count;
}

/* Both sides are solved with 1e-13: values have 13 digits, derivatives 12. */
static void expect_agreement(void)
{
    struct opinion o = opinion("index1");
    cr_assert_eq(o.status, OK, "%s", o.diagnosis.place);
    cr_expect_gt(digits_of(&o, "twin."), 12);
    cr_expect_gt(digits_of(&o, "dtwin."), 11);
    cr_expect_gt(digits_of(&o, "event."), 11);
    /* 9 points, x, y and their rates; by g, e, a, th0 (l there is L here) */
    cr_expect_eq(numbers_of(o.want, "twin."), 36);
    cr_expect_eq(numbers_of(o.want, "dtwin."), 4 * 36);
    cr_expect_eq(numbers_of(o.want, "event."), 5 * o.events);
    forget(&o);
}

Test(twin, agrees_with_the_same_pendulum_in_other_coordinates)
{
    expect_agreement();
}

/* solving.h has other times than the certified values, so the twin was run above; and
   here there are none at all. */
Test(twin, is_run_where_it_has_no_certified_values)
{
    setenv("SALTUS_VALUES", "/nonexistent", 1);
    expect_agreement();
}

static const char *group_of(const struct results *results, const char *name)
{
    for (int k = 0; k < results->count; k++)
        if (strcmp(results->entry[k].name, name) == 0)
            return results->entry[k].group;
    cr_assert_fail("no %s", name);
    return NULL;
}

/* One of them may pass through zero while the other does not. */
Test(twin, components_of_a_vector_share_a_scale)
{
    changed.own = "y";
    changed.other = "-l*cos(th)";
    struct opinion o = opinion("index1");
    const char *const name[] = {"twin.%s", "twin.v.%s", "dtwin.%s/dg", "dtwin.v.%s/dg"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char x[64], y[64], more[64];
        snprintf(x, sizeof x, name[i], "x of bob");
        snprintf(y, sizeof y, name[i], "y of bob");
        snprintf(more, sizeof more, name[i], "more");
        cr_expect_str_eq(group_of(o.want, x), group_of(o.want, y));
        cr_expect_str_eq(group_of(o.got, x), group_of(o.want, x));
        cr_expect_str_neq(group_of(o.want, x), group_of(o.want, more));
    }
    cr_expect_str_neq(group_of(o.want, "twin.x of bob"),
                      group_of(o.want, "twin.v.x of bob"));
    forget(&o);
}

Test(twin, sees_a_wrong_equality)
{
    changed.own = "x";
    changed.other = "l*sin(th) + 1e-9";
    struct opinion o = opinion("index1");
    cr_expect_lt(digits_of(&o, "twin.more"), 10);
    cr_expect_gt(digits_of(&o, "twin.x"), 12);
    forget(&o);
}

/* The value is right, and what it depends on is not: only derivatives can tell. */
Test(twin, sees_a_derivative_that_is_wrong_alone)
{
    changed.own = "x*g/9.81";
    changed.other = "l*sin(th)";
    struct opinion o = opinion("index1");
    cr_expect_gt(digits_of(&o, "twin.more"), 12);
    cr_expect_gt(digits_of(&o, "twin.v.more"), 12);
    cr_expect_gt(digits_of(&o, "dtwin.more/de"), 11);
    cr_expect_lt(digits_of(&o, "dtwin.more/dg"), 2);
    cr_expect_lt(digits_of(&o, "dtwin.v.more/dg"), 2);
    forget(&o);
}

Test(twin, has_rates_with_explicit_time_in_them)
{
    changed.own = "x*time";
    changed.other = "time*l*sin(th)";
    struct opinion o = opinion("index1");
    cr_expect_gt(digits_of(&o, "twin.v.more"), 12);
    cr_expect_gt(digits_of(&o, "dtwin.v.more"), 11);
    forget(&o);
    changed.other = "l*sin(th)*5";      /* the same at t = 5 only, its rate nowhere */
    o = opinion("index1");
    cr_expect_lt(digits_of(&o, "twin.v.more"), 1);
    forget(&o);
}

/* A penalty motion is another motion, and the equations of both sides are not shared. */
Test(twin, tells_a_penalty_motion_from_the_exact_one)
{
    struct opinion o = opinion("penalty");
    cr_expect_eq(o.status, OK);
    cr_expect_lt(digits_of(&o, "twin."), 7);
    forget(&o);
}

static void expect_bad_input(const char *word)
{
    struct opinion o = opinion("index1");
    cr_expect_eq(o.status, BAD_INPUT);
    cr_expect(strstr(o.diagnosis.place, word), "%s", o.diagnosis.place);
    cr_expect_null(o.want);
}

Test(twin, that_does_not_exist_is_named)
{
    changed.twin = "pendulum-stopp";
    expect_bad_input("pendulum-stopp");
}

Test(twin, without_the_coordinate_says_so)
{
    changed.angle = "phi";
    expect_bad_input("pendulum-stop has no coordinate phi");
}

Test(twin, with_another_value_of_a_parameter_says_which)
{
    changed.twin = "newton-cradle";
    changed.angle = "th1";
    expect_bad_input("parameter e is 0.8");
}
