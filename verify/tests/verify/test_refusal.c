/*
 * test_refusal.c - a solver that refuses is right only when something says so that shares
 * nothing with it.
 */
#include <stdlib.h>
#include <string.h>

#include "solving.h"

#include "motion/reference_motion.h"
#include "motion/run_exact.h"
#include "refusals/rank_check.h"
#include "refusals/refusal.h"

static struct diagnosis refused(enum status status, double t)
{
    struct diagnosis diagnosis;
    diagnose(&diagnosis, status, t, "somewhere");
    return diagnosis;
}

/* Is the exact motion of a case rightly refused like this? */
static bool right(const char *name, struct diagnosis *diagnosis)
{
    struct model *model = model_new(case_find(name), NULL);
    const struct truth exact = {.variant = "exact"};
    bool is = refusal_is_right(model, &exact, 0, NULL, diagnosis);
    model_free(model);
    return is;
}

Test(refusal, that_is_a_matter_of_definition_is_right)
{
    struct diagnosis diagnosis = refused(NOT_APPLICABLE, NAN);
    cr_expect(right("pendulum-wall", &diagnosis));
}

Test(refusal, of_a_motion_that_exists_is_wrong)
{
    static const enum status status[] = {GRAZING, SINGULAR, RANK_LOSS, NO_CONVERGENCE,
                                         GUARD_VIOLATED, BAD_INPUT};
    for (size_t k = 0; k < sizeof status / sizeof status[0]; k++) {
        struct diagnosis diagnosis = refused(status[k], 0.3);
        cr_expect_not(right("pendulum-wall", &diagnosis), "%s", status_text(status[k]));
    }
}

/* At 1e-9 m/s a ceiling is 6e-20 m below where the ball would turn; at 1e-3 m/s there are
   digits left, and at another time nothing is touched. */
Test(refusal, of_what_no_double_tells_from_a_touch_is_right)
{
    struct diagnosis diagnosis = refused(GRAZING, 1 - 1e-7);
    cr_expect(right("near-grazing-9", &diagnosis));
    cr_expect_not_null(strstr(diagnosis.place, "condition"), "%s", diagnosis.place);
    diagnosis = refused(GRAZING, 1 - 1e-7);
    cr_expect(right("near-grazing-6", &diagnosis));
    diagnosis = refused(GRAZING, 1 - 1e-7);
    cr_expect_not(right("near-grazing-3", &diagnosis));
    diagnosis = refused(GRAZING, 0.9);
    cr_expect_not(right("near-grazing-9", &diagnosis));
    diagnosis = refused(NO_CONVERGENCE, 1 - 1e-7);
    cr_expect_not(right("near-grazing-9", &diagnosis));
}

Test(refusal, of_chaos_is_right_where_errors_have_grown_in_mpfr_too)
{
    struct diagnosis diagnosis = refused(NO_DIGITS, 23);
    cr_expect(right("ball-table-long", &diagnosis));
    cr_expect_not_null(strstr(diagnosis.place, "in MPFR, growth"), "%s", diagnosis.place);
    diagnosis = refused(NO_DIGITS, 12);
    cr_expect_not(right("ball-table-long", &diagnosis));
    diagnosis = refused(NO_DIGITS, 4.7);
    cr_expect_not(right("ball-table", &diagnosis));
    diagnosis = refused(NO_CONVERGENCE, 23);
    cr_expect_not(right("ball-table-long", &diagnosis));
}

/* A rope under a penalty is longer than l when its tension has gone: slack-rope has no
   such motion in any arithmetic. */
Test(refusal, is_right_where_the_reference_refuses_at_the_same_time)
{
    struct solving s;
    solving_of_case(&s, "slack-rope", "penalty");
    struct trajectory *trajectory = NULL;
    struct reference_motion own;
    struct diagnosis diagnosis;
    cr_assert_eq(run_once(&s.request, &trajectory, &s.diagnosis), GUARD_VIOLATED);
    cr_assert_eq(reference_motion_of(s.request.formulation, s.model, s.option, &own,
                                     NULL), OK);

    diagnosis = s.diagnosis;
    cr_expect(refusal_is_right(s.model, &own.truth, 0, NULL, &diagnosis));
    cr_expect_not_null(strstr(diagnosis.place, "in MPFR, too"), "%s", diagnosis.place);
    diagnosis = s.diagnosis;
    diagnosis.t += 1e-3;
    cr_expect_not(refusal_is_right(s.model, &own.truth, 0, NULL, &diagnosis));
    diagnosis = refused(GRAZING, s.diagnosis.t);
    cr_expect_not(refusal_is_right(s.model, &own.truth, 0, NULL, &diagnosis));
    trajectory_free(trajectory);
    solving_end(&s);
}

Test(refusal, as_certified_has_the_status_and_the_time_of_what_is_certified)
{
    struct certificate certificate = {.refusal = refused(GRAZING, 0.75)};
    const struct { enum status status; double t; bool same; } one[] = {
        {GRAZING, 0.75, true},  {GRAZING, 0.75 + 1e-7, true}, {GRAZING, 0.76, false},
        {ZENO, 0.75, false},    {GRAZING, NAN, false},
    };
    for (size_t k = 0; k < sizeof one / sizeof one[0]; k++) {
        struct diagnosis diagnosis = refused(one[k].status, one[k].t);
        cr_expect_eq(refused_as_certified(&diagnosis, &certificate), one[k].same, "%zu",
                     k);
    }
    certificate.refusal = refused(RANK_LOSS, NAN);
    struct diagnosis diagnosis = refused(RANK_LOSS, NAN);
    cr_expect(refused_as_certified(&diagnosis, &certificate));
    diagnosis.t = 0;
    cr_expect_not(refused_as_certified(&diagnosis, &certificate));
}

/* Where a refusal is certified, only what has nothing to do with derivatives is right
   besides. */
Test(refusal, of_equations_is_told_from_that_of_derivatives)
{
    const struct truth exact = {.variant = "exact"};
    struct model *model = model_new(case_find("five-bar-redundant"), NULL);
    struct diagnosis rank = refused(RANK_LOSS, 0), other = refused(GRAZING, 0.3);
    struct diagnosis definition = refused(NOT_APPLICABLE, NAN);
    cr_expect(refusal_of_equations_is_right(model, &exact, &rank));
    cr_expect(refusal_of_equations_is_right(model, &exact, &definition));
    cr_expect_not(refusal_of_equations_is_right(model, &exact, &other));
    model_free(model);
}

/* --- dependent constraints ---------------------------------------------------------- */

static bool depend(const char *name, struct dependence *found)
{
    char path[600];
    struct model *model = model_new(case_find(name), NULL);
    const struct truth exact = {.variant = "exact"};
    struct certificate *certificate = NULL;
    cr_assert(certified_path(model, &exact, path, sizeof path));
    cr_assert_eq(certificate_read(path, model, &certificate, NULL), OK);
    bool is = constraints_depend(model, certificate->trajectory, found);
    certificate_free(certificate);
    model_free(model);
    return is;
}

Test(dependence, is_seen_where_constraints_are_stated_twice_and_only_there)
{
    struct dependence found;
    cr_expect(depend("five-bar-redundant", &found));
    cr_expect_eq(found.rank, 4);
    cr_expect_eq(found.rows, 6);
    cr_expect_not(depend("five-bar", &found));
    cr_expect_not(depend("pendulum-wall", &found));
    cr_expect_not(depend("bouncing-ball", &found));
}

Test(refusal, of_dependent_constraints_is_right_where_they_are_dependent)
{
    struct diagnosis diagnosis = refused(RANK_LOSS, 0);
    cr_expect(right("five-bar-redundant", &diagnosis));
    cr_expect_not_null(strstr(diagnosis.place, "rank 4 of 6"), "%s", diagnosis.place);
    cr_expect(isnan(diagnosis.t));
}

/* A certified refusal has no motion to look at, nor has a new case. */
Test(refusal, of_dependent_constraints_is_seen_at_the_start_where_nothing_is_certified)
{
    struct diagnosis diagnosis = refused(RANK_LOSS, 0);
    setenv("SALTUS_VALUES", "/nonexistent", 1);
    cr_expect(right("five-bar-redundant", &diagnosis));
    cr_expect_not_null(strstr(diagnosis.place, "rank 4 of 6"), "%s", diagnosis.place);
    diagnosis = refused(RANK_LOSS, 0);
    cr_expect_not(right("five-bar", &diagnosis));
}

/* --- singular configurations -------------------------------------------------------- */

/* The cranks are horizontal first at t = 0.387956; a run of 1.5 s. */
Test(refusal, beside_a_singular_configuration_is_right_whatever_it_was_met_as)
{
    static const enum status status[] = {RANK_LOSS, SINGULAR, NO_CONVERGENCE, NOT_FINITE,
                                         STEP_TOO_SMALL};
    for (size_t k = 0; k < sizeof status / sizeof status[0]; k++) {
        struct diagnosis diagnosis = refused(status[k], 0.387);
        cr_expect(right("four-bar-events", &diagnosis), "%s", status_text(status[k]));
        cr_expect_eq(diagnosis.status, RANK_LOSS);
        cr_expect_not_null(strstr(diagnosis.place, "singular in MPFR at t = 0.38795"),
                           "%s", diagnosis.place);
        cr_expect_not_null(strstr(diagnosis.place, "somewhere"), "%s", diagnosis.place);
    }
}

Test(refusal, at_another_time_than_that_of_a_singular_configuration_is_wrong)
{
    struct diagnosis early = refused(RANK_LOSS, 0.38), late = refused(RANK_LOSS, 0.393);
    struct diagnosis other = refused(GRAZING, 0.388);
    cr_expect_not(right("four-bar-events", &early));
    cr_expect_not(right("four-bar-events", &late));
    cr_expect_not(right("four-bar-events", &other));
}

/* Which way a motion goes on there would be decided by rounding. */
Test(refusal, of_complex_step_comes_with_the_first_singular_configuration)
{
    struct solving s;
    struct trajectory *trajectory = NULL;
    solving_of_case(&s, "four-bar-events", "index1");
    s.request.rtol = 1e-7;
    s.request.parameters = 1;
    cr_expect_eq(complex_step_run(&s.request, &trajectory, &s.diagnosis), RANK_LOSS);
    cr_expect_float_eq(s.diagnosis.t, 0.387956, 1e-3);
    trajectory_free(trajectory);
    solving_end(&s);
}

/* Whatever formulation can follow it. */
Test(exact, motion_is_found_with_dependent_constraints_too)
{
    static const char *const name[] = {"bouncing-ball", "five-bar", "five-bar-redundant"};
    for (size_t k = 0; k < sizeof name / sizeof name[0]; k++) {
        struct solving s;
        struct trajectory *trajectory = NULL;
        solving_of_case(&s, name[k], "ode");
        s.request.rtol = 1e-6;
        s.request.atol = 1e-9;
        s.request.parameters = 0;
        enum status status = run_exact(&s.request, &trajectory, &s.diagnosis);
        cr_expect_eq(status, OK, "%s: %s", name[k], s.diagnosis.place);
        trajectory_free(trajectory);
        solving_end(&s);
    }
}

/* And it is followed as far as there is one. */
Test(exact, motion_with_dependent_constraints_ends_where_the_plain_one_does)
{
    static const char *const name[] = {"cradle", "cradle-redundant"};
    double end[2];
    for (int k = 0; k < 2; k++) {
        struct solving s;
        struct trajectory *trajectory = NULL;
        solving_of_case(&s, name[k], "ode");
        s.request.rtol = 1e-9;
        s.request.atol = 1e-12;
        cr_expect_eq(run_exact(&s.request, &trajectory, &s.diagnosis), SIMULTANEOUS);
        cr_expect_gt(trajectory->samples, 0, "%s", name[k]);
        end[k] = s.diagnosis.t;
        trajectory_free(trajectory);
        solving_end(&s);
    }
    cr_expect_float_eq(end[0], end[1], 1e-6, "%.9g and %.9g", end[0], end[1]);
}
