/*
 * test_chains.c - events at one instant in all three solvers that have events: the core
 * in double, the reference, complex step.
 *
 * A guard that is crossed in one mode may be watched in the next one, too. In the same
 * direction the two events follow each other; in the other the motion is driven back,
 * which is sliding.
 */
#include "referring.h"
#include "solving.h"

#include <string.h>

#include "case.h"

/* A point passes x = c into a second mode that watches the same place in `again`, and
   leaves it with the velocity times `turn`. */
static enum direction again;
static const char *turn;

static void record_pass(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, c, d);
    NOMINAL(v0, 1, "m/s", "speed");
    NOMINAL(c, 1.125, "m", "place of the guard");
    NOMINAL(d, 2.25, "m", "another place");
    struct mode *mode[3] = {model_mode(model, "one")};
    for (int k = 0; k < 3; k++) {
        model->M[0][0] = EQ(1);
        if (k < 2)
            mode[k + 1] = model_mode(model, k == 0 ? "two" : "three");
    }
    struct event *first = model_event(model, "first", mode[0], mode[1], EQ(x - c),
                                      RISING);
    first->v_plus[0] = model_read(model, turn, __FILE__, __LINE__);
    struct event *second = model_event(model, "second", mode[1], mode[2], EQ(x - c),
                                       again);
    second->v_plus[0] = EQ(3*vx - d);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(2);
}

static const struct case_desc pass = {.name = "pass", .record = record_pass};

/* The second event follows for these values of c and d only: x jumps from c onto 2 c, and
   the guard is at d. */
static void record_apart(struct model *model)
{
    again = RISING;
    turn = "vx";
    record_pass(model);
    model->event[0]->q_plus[0] = model_read(model, "2*x", __FILE__, __LINE__);
    model->event[1]->guard = model_read(model, "x - d", __FILE__, __LINE__);
}

static const struct case_desc apart = {.name = "apart", .record = record_apart};

static void begin(struct solving *s, struct referring *r, const struct case_desc *desc)
{
    solving_of_desc(s, desc, "ode");
    referring_of_case(r, desc, 40);
}

static void end(struct solving *s, struct referring *r)
{
    solving_end(s);
    referring_end(r);
}

static void refused_by_all(struct solving *s, struct referring *r, enum status want,
                           const char *word)
{
    struct trajectory *oracle = NULL;
    refuse(s, want);
    refer_refused(r, want, word);
    enum status status = complex_step_run(&s->request, &oracle, &s->diagnosis);
    cr_expect_eq(status, want, "complex step: %s: %s", status_text(status),
                 s->diagnosis.place);
    trajectory_free(oracle);
}

/* 14 digits: nothing but rounding; 25 of 40: differences carry two thirds. */
Test(chains, the_same_guard_in_the_same_direction_fires_twice)
{
    struct solving s;
    struct referring r;
    char where[128];
    again = RISING;
    turn = "2*vx";
    begin(&s, &r, &pass);
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, 2);
    cr_expect_eq(t->event[1].after.t, t->event[0].before.t);
    cr_expect_geq(digits_of_complex_step(&s, t, where, sizeof where), 14, "%s", where);
    double digits = variational_against_differences(&r, where, sizeof where);
    cr_expect_geq(digits, 25, "%.1f digits of %s", digits, where);
    trajectory_free(t);
    end(&s, &r);
}

/* Back through the guard of the second mode, which watches for that. */
Test(chains, the_same_guard_in_the_other_direction_is_sliding)
{
    struct solving s;
    struct referring r;
    again = FALLING;
    turn = "-vx";
    begin(&s, &r, &pass);
    refused_by_all(&s, &r, SLIDING, "again");
    end(&s, &r);
}

Test(chains, an_event_that_follows_for_these_values_only_is_simultaneous)
{
    struct solving s;
    struct referring r;
    begin(&s, &r, &apart);
    refused_by_all(&s, &r, SIMULTANEOUS, "second");
    end(&s, &r);
}

/* The controller of the switching oscillator, too strong to let go of its line. */
Test(chains, a_relay_that_cannot_leave_its_line_slides)
{
    struct solving s;
    struct referring r;
    const char *value[TEST_PARAMETERS] = {NULL};
    begin(&s, &r, case_find("switching-oscillator"));
    int f = model_parameter_index(s.model, "f");
    s.value[f] = 30;
    value[f] = "30";
    r.request.value = value;
    refused_by_all(&s, &r, SLIDING, "");
    end(&s, &r);
}
