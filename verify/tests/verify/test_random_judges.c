/*
 * test_random_judges.c - who judges a random mechanism where a solver refuses, asks for
 * more digits, or answers with what is nearly nothing: on mechanisms made by hand.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "random/judge_draw.h"

TestSuite(random_judges, .timeout = 600);

/* A body x0 of mass one in one mode, for three seconds; p1 is differentiated. */
static struct draw *begin(const char *value)
{
    struct draw *draw = memory_new(1, sizeof *draw);
    snprintf(draw->name, sizeof draw->name, "by-hand");
    draw->n = draw->modes = draw->p = 1;
    draw_name(draw->coordinate[0], 'x', 0);
    draw_name(draw->parameter[0].name, 'p', 1);
    snprintf(draw->parameter[0].value, sizeof draw->parameter[0].value, "%s", value);
    draw_add(draw, AT_M, 0, 0, 0, "1.0");
    draw_add(draw, AT_T_END, 0, 0, 0, "3.0");
    return draw;
}

static void add_mode(struct draw *draw)
{
    draw_add(draw, AT_M, draw->modes++, 0, 0, "1.0");
}

static void add_event(struct draw *draw, int from, int to, const char *guard,
                      enum direction direction)
{
    draw->event[draw->events] = (struct drawn_event){
        .from = from, .to = to, .direction = direction, .velocity = VELOCITY_EXPLICIT};
    draw_add(draw, AT_GUARD, draw->events++, 0, 0, "%s", guard);
}

/* Judges it and frees it; nobody disagrees. */
static struct draw_verdict agreed(struct draw *draw, bool penalty)
{
    static struct draw_verdict verdict;
    const struct draw_request request = {.complex_step = true, .penalty = penalty};
    draw_settle(draw);
    judge_draw(draw, &request, &verdict);
    const struct disagreement *d = &verdict.disagreement[0];
    cr_expect_eq(verdict.count, 0, "%s: %s, %s: %s, %s, %s", d->who,
                 status_text(d->status), d->other, status_text(d->other_status), d->why,
                 d->difference.name);
    free(draw);
    return verdict;
}

/* --- refusals ----------------------------------------------------------------------- */

/* The multiplier is on the far side of the guard from the start, in the motion of the
   penalty family as well; complex step would not say so. */
Test(random_judges, a_refusal_of_the_penalty_family_is_judged_by_the_reference)
{
    struct draw *draw = begin("20.6");
    draw_add(draw, AT_PHI, 0, 0, 0, "x0");
    draw_add(draw, AT_F, 0, 0, 0, "-p1");
    add_event(draw, 0, 0, "l0", FALLING);
    draw->event[0].terminal = true;
    struct draw_verdict verdict = agreed(draw, true);
    cr_expect_eq(verdict.status, GUARD_VIOLATED);
    cr_expect_eq(verdict.unanswered, 0);
    cr_expect_eq(verdict.late, 0);
}

/* --- digits ------------------------------------------------------------------------- */

/* At x0 = 1 it is set to so much before 2, where the next guard is. */
static struct draw *close_guard(const char *gap)
{
    struct draw *draw = begin("1.9");
    add_mode(draw);
    add_mode(draw);
    draw_add(draw, AT_V0, 0, 0, 0, "p1");
    add_event(draw, 0, 1, "x0 - 1.0", RISING);
    draw_add(draw, AT_Q_PLUS, 0, 0, 0, "x0 + 1.0 - %s", gap);
    add_event(draw, 1, 2, "x0 - 2.0", RISING);
    draw_add(draw, AT_V_PLUS, 1, 0, 0, "3.0*vx0");
    return draw;
}

/* 1e-9 is too near for rtol = 1e-10, and not for 1e-12. */
Test(random_judges, a_run_that_asks_for_a_lower_rtol_gets_it_once)
{
    struct draw_verdict verdict = agreed(close_guard("1.0e-9"), false);
    cr_expect_eq(verdict.status, OK, "%s", verdict.diagnosis.place);
    cr_expect_eq(verdict.events, 2);
    cr_expect_gt(verdict.judged, 0);
}

Test(random_judges, a_run_that_asks_again_is_counted_and_not_judged)
{
    struct draw_verdict verdict = agreed(close_guard("1.0e-10"), false);
    cr_expect_eq(verdict.status, PRECISION);
    cr_expect_gt(verdict.unanswered, 0);
    cr_expect_eq(verdict.judged, 0);
}

/* A parabola that goes 1e-9 below zero: the condition is 5e8, which leaves a digit at
   rtol = 1e-10 and none at 1e-8. */
Test(random_judges, a_coarse_run_without_digits_is_no_disagreement)
{
    struct draw *draw = begin("1.0e-9");
    draw_add(draw, AT_F, 0, 0, 0, "2.0");
    draw_add(draw, AT_Q0, 0, 0, 0, "1.0 - p1");
    draw_add(draw, AT_V0, 0, 0, 0, "-2.0");
    add_event(draw, 0, 0, "x0", FALLING);
    draw_add(draw, AT_V_PLUS, 0, 0, 0, "-vx0");
    struct draw_verdict verdict = agreed(draw, false);
    cr_expect_eq(verdict.status, OK, "%s", verdict.diagnosis.place);
    cr_expect_eq(verdict.events, 1);
}

/* --- what is nearly nothing --------------------------------------------------------- */

static struct difference differ(double got, double want)
{
    struct solution solution[2] = {{.name = "one"}, {.name = "other"}};
    const double value[2] = {got, want};
    for (int k = 0; k < 2; k++) {
        solution[k].fine = results_new(53);
        struct entry *entry = results_add(solution[k].fine, "a.x0", "a", 1, 0);
        mpfr_set_d(entry->value, value[k], MPFR_RNDN);
    }
    struct difference difference = solutions_differ(&solution[0], &solution[1]);
    for (int k = 0; k < 2; k++)
        solution_clear(&solution[k]);
    return difference;
}

Test(random_judges, a_coordinate_that_rests_may_be_nearly_zero)
{
    cr_expect_not(differ(0, 4e-50).found);
    cr_expect_not(differ(4e-50, 0).found);
    cr_expect(differ(0, 1e-12).found);
    cr_expect(differ(1e-12, 1.001e-12).found);
    cr_expect_not(differ(1e-12, 1e-12).found);
}
