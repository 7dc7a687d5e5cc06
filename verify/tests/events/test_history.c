/*
 * test_history.c - a run gone through backwards from few checkpoints: every step once,
 * the last one first, from the state it had; with no more checkpoints and repetitions
 * than binomial division needs.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "events/history.h"

/* A motion of which every state is a number of its own: x = 3^k modulo a prime, exactly.
   So a state can only come from all steps before it. */
enum { STATE = 2, PRIME = 99991 };

static void next(const double *x, double *x_new)
{
    x_new[0] = x[0] + 1;
    x_new[1] = (double)((long)x[1] * 3 % PRIME);
}

struct watch {
    const struct history *history;
    double *all;                /* [steps + 1][STATE] */
    long expected;              /* the step that is to come */
    long most;                  /* most checkpoints there were */
    long refuse;                /* this step is refused; -1: none */
};

static enum status make(void *context, const struct history_step *step, double *x_new)
{
    struct watch *watch = context;
    cr_assert_lt(step->x[0], (double)watch->expected);
    next(step->x, x_new);
    return OK;
}

static enum status visit(void *context, const struct history_step *step)
{
    struct watch *watch = context;
    const double *x = watch->all + watch->expected * STATE;
    cr_assert_eq(step->x[0], x[0], "step %ld: %g", watch->expected, step->x[0]);
    cr_assert_eq(step->x[1], x[1]);
    cr_assert_float_eq(step->t, (double)watch->expected, 1e-9);
    cr_assert_float_eq(step->h, 1, 1e-9);
    if (watch->history->checkpoints > watch->most)
        watch->most = watch->history->checkpoints;
    return watch->expected-- == watch->refuse ? SINGULAR : OK;
}

/* A run of arcs of this many steps each. */
static void run(struct history *history, double *all, int arcs, long steps)
{
    double x[STATE] = {0, 1};
    long k = 0;
    memcpy(all, x, sizeof x);
    for (int arc = 0; arc < arcs; arc++) {
        history_begin_arc(history, arc, (double)k, x);
        for (long step = 0; step < steps; step++) {
            next(all + k * STATE, x);
            memcpy(all + ++k * STATE, x, sizeof x);
            history_step(history, (double)k, x);
        }
        history_end_arc(history, x, arc, 1);
    }
}

/* Goes back through all arcs, and returns the number of repeated steps. */
static long back(int arcs, long steps, long checkpoints)
{
    struct history history;
    long total = arcs * steps;
    struct watch watch = {.history = &history, .expected = total - 1, .refuse = -1,
                          .all = malloc((size_t)(total + 1) * STATE * sizeof(double))};
    history_init(&history, STATE, (size_t)checkpoints * STATE * sizeof(double));
    run(&history, watch.all, arcs, steps);
    cr_expect_leq(history.checkpoints, checkpoints);
    for (int arc = arcs - 1; arc >= 0; arc--)
        cr_assert_eq(history_steps_back(&history, &history.arc[arc], make, visit, &watch),
                     OK);
    cr_expect_eq(watch.expected, -1);
    cr_expect_leq(watch.most, checkpoints);
    long repeated = history.repeated;
    history_free(&history);
    free(watch.all);
    return repeated;
}

Test(history, every_step_comes_once_from_its_own_state)
{
    for (long steps = 1; steps <= 40; steps++)
        for (long checkpoints = 2; checkpoints <= 12; checkpoints++) {
            back(1, steps, checkpoints);
            back(3, steps, checkpoints);
        }
}

Test(history, nothing_is_repeated_where_all_states_fit)
{
    cr_expect_eq(back(1, 1000, 1002), 0);
    cr_expect_eq(back(10, 100, 1002), 0);
}

/* With s checkpoints and r repetitions of any step (s + r)!/(s! r!) steps can be gone
   through (Griewank 1992): 1e5 steps with 500 take r = 2, and half of the checkpoints are
   there from the run. */
Test(history, few_checkpoints_repeat_few_steps)
{
    long steps = 100000;
    cr_expect_leq(back(1, steps, 1000), steps);
    cr_expect_leq(back(1, steps, 100), 3 * steps);
    cr_expect_leq(back(1, steps, 20), 6 * steps);
    cr_expect_leq(back(1, steps, 8), 15 * steps);
}

Test(history, a_refusal_ends_the_way_back)
{
    struct history history;
    double all[11 * STATE];
    struct watch watch = {.history = &history, .all = all, .expected = 9, .refuse = 6};
    history_init(&history, STATE, 3 * STATE * sizeof(double));
    run(&history, all, 1, 10);
    cr_expect_eq(history_steps_back(&history, &history.arc[0], make, visit, &watch),
                 SINGULAR);
    cr_expect_eq(watch.expected, 5);
    history_free(&history);
}
