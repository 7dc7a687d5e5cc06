/*
 * test_integrate_peer8_runs.c - the two-step method in runs through events.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "identical.h"
#include "solving.h"

TestSuite(integrate_peer8_runs, .timeout = 300);

/* Cases with many events, projected states and modes, in several formulations. */
static const struct { const char *name, *formulation; } eventful[] = {
    { "five-bar", "penalty" }, { "five-bar", "augmented" }, { "pendulum-wall", "index1" },
    { "impact-oscillator", "ode" }, { "rimless-wheel", "ode" },
    { "slider-crank-friction", "baumgarte" }, { "switching-oscillator", "ode" },
    { "pwlin", "ode" },
};

static void solving_of_eventful(struct solving *s, size_t k, double rtol)
{
    solving_of_case(s, eventful[k].name, eventful[k].formulation);
    s->request.rtol = rtol;
    s->request.atol = rtol/1000;
}

Test(integrate_peer8_runs, runs_through_events_are_those_of_rk86)
{
    for (size_t k = 0; k < sizeof eventful/sizeof *eventful; k++) {
        struct solving s;
        char name[128];

        solving_of_eventful(&s, k, 1e-12);
        s.request.integrator = integrator_find("rk86");
        struct trajectory *want = solve(&s);
        s.request.integrator = integrator_find("peer8");
        struct trajectory *got = solve(&s), *again = solve(&s);
        double digits = digits_between(got, want, name, sizeof name);

        cr_log_info("%s, %s: %.1f digits, %ld evaluations; rk86 %ld", eventful[k].name,
                    eventful[k].formulation, digits, got->evaluations, want->evaluations);
        cr_expect_gt(digits, 8.5, "%s: %g digits of %s", eventful[k].name, digits, name);
        cr_expect_null(difference(got, again), "%s", eventful[k].name);
        trajectory_free(want);
        trajectory_free(got);
        trajectory_free(again);
        solving_end(&s);
    }
}

/* Else a step is made for the state at each event. */
Test(integrate_peer8_runs, events_take_no_steps_where_the_extension_is_the_solution)
{
    struct integrator by_steps = *integrator_find("peer8");

    by_steps.solves_inside = false;
    for (size_t k = 0; k < sizeof eventful/sizeof *eventful; k++) {
        struct solving s;
        char name[128];

        solving_of_eventful(&s, k, 1e-9);
        s.request.integrator = &by_steps;
        struct trajectory *want = solve(&s);
        s.request.integrator = integrator_find("peer8");
        struct trajectory *got = solve(&s);
        double digits = digits_between(got, want, name, sizeof name);
        long less = want->evaluations - got->evaluations;

        cr_log_info("%s, %s: %.1f digits; %d events, %ld evaluations less",
                    eventful[k].name, eventful[k].formulation, digits, got->events, less);
        cr_expect_gt(digits, 10, "%s: %g digits of %s", eventful[k].name, digits, name);
        cr_expect_geq(less, 5*got->events, "%s", eventful[k].name);
        trajectory_free(want);
        trajectory_free(got);
        solving_end(&s);
    }
}

static int interrupts;

static void count_interrupt(void *work)
{
    interrupts++;
    integrator_find("peer8")->interrupt(work);
}

/* Each arc has an equation of its own, even where the state goes on smoothly. */
Test(integrate_peer8_runs, no_step_continues_another_through_an_event)
{
    struct integrator counting = *integrator_find("peer8");
    struct solving s;

    counting.interrupt = count_interrupt;
    solving_of_case(&s, "pwlin", "ode");
    s.request.integrator = &counting;
    struct trajectory *trajectory = solve(&s);
    cr_expect_gt(trajectory->events, 0);
    cr_expect_eq(interrupts, 1 + trajectory->events);
    trajectory_free(trajectory);
    solving_end(&s);
}

/* First tries of an arc after another, and how many of them were tried again. */
static struct { bool begins, began; double t; int arcs, again; } first;

static void note_interrupt(void *work)
{
    first.begins = true;
    integrator_find("peer8")->interrupt(work);
}

static enum status note_step(void *work, const struct ode *ode, double t, double h,
                             const double *x, const double *dx, double *x_new,
                             double *dx_new, double *const *err)
{
    bool begins = first.begins && t > 0;

    first.arcs += begins;
    first.again += first.began && t == first.t;
    first.began = begins;
    first.begins = false;
    first.t = t;
    return integrator_find("peer8")->step(work, ode, t, h, x, dx, x_new, dx_new, err);
}

/* By a method that cannot do as long a step as the one with which the last has ended. */
Test(integrate_peer8_runs, few_first_steps_of_an_arc_are_refused)
{
    struct integrator noting = *integrator_find("peer8");

    noting.interrupt = note_interrupt;
    noting.step = note_step;
    for (int digits = 5; digits <= 10; digits++) {
        struct solving s;

        solving_of_case(&s, "five-bar", "penalty");
        s.request.rtol = pow(10, -digits);
        s.request.integrator = &noting;
        trajectory_free(solve(&s));
        solving_end(&s);
    }
    cr_log_info("%d of %d tried again", first.again, first.arcs);
    cr_expect_gt(first.arcs, 15);
    cr_expect_lt(3*first.again, first.arcs);
}

enum { ROOM = 1000 };

/* Where the last step began and ended, and how many of those after it were told so. */
static struct { int steps, told; double t, *begin, *end; } last;

static enum status compare_step(void *work, const struct ode *ode, double t, double h,
                                const double *x, const double *dx, double *x_new,
                                double *dx_new, double *const *err)
{
    size_t size = (size_t)ode->dim*sizeof *x;

    cr_assert_leq(ode->dim, ROOM);
    if (ode->goes_on)
        cr_assert_arr_eq(x, t == last.t ? last.begin : last.end, size, "t = %g", t);
    last.told += ode->goes_on;
    last.steps++;
    last.t = t;
    memcpy(last.begin, x, size);
    enum status status = integrator_find("peer8")->step(work, ode, t, h, x, dx, x_new,
                                                        dx_new, err);
    memcpy(last.end, x_new, size);
    return status;
}

/* Who is told so does not look. */
Test(integrate_peer8_runs, a_step_that_is_told_to_go_on_begins_where_the_last_one_ended)
{
    struct integrator comparing = *integrator_find("peer8");
    int told = 0, steps = 0;

    comparing.step = compare_step;
    for (size_t k = 0; k < sizeof eventful/sizeof *eventful; k++) {
        struct solving s;

        solving_of_eventful(&s, k, 1e-8);
        s.request.integrator = &comparing;
        last.begin = calloc(ROOM, sizeof *last.begin);
        last.end = calloc(ROOM, sizeof *last.end);
        last.steps = last.told = 0;
        trajectory_free(solve(&s));
        told += last.told;
        steps += last.steps;
        free(last.begin);
        free(last.end);
        solving_end(&s);
    }
    cr_log_info("%d of %d steps told", told, steps);
    cr_expect_gt(2*told, steps);
}
