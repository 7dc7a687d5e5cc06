/*
 * test_reference_refusals.c - what the reference must refuse, by name.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "mechanisms/catalogue.h"
#include "reference.h"

static struct model *subject;
static int parameter[64];
static struct reference_request request;
static struct diagnosis diagnosis;

static void begin(const struct case_desc *desc)
{
    cr_assert_not_null(desc);
    subject = model_new(desc, &diagnosis);
    cr_assert_not_null(subject, "%s", diagnosis.place);
    request = (struct reference_request){
        .model = subject,
        .truth = {.variant = "exact"},
        .digits = 30,
        .parameter = parameter,
        .parameters = model_sensitivities(subject, parameter),
    };
}

static void end(void)
{
    model_free(subject);
    mpfr_free_cache();
}

/* The run must end so, and the explanation must contain `word`. */
static void refuses(enum status want, const char *word)
{
    struct mp_trajectory *t;
    memset(&diagnosis, 0, sizeof diagnosis);
    enum status got = reference_run(&request, &t, &diagnosis);
    cr_expect_eq(got, want, "%s instead of %s: %s", status_text(got), status_text(want),
                 diagnosis.place);
    cr_expect_eq(diagnosis.status, want);
    cr_expect(strstr(diagnosis.place, word) != NULL, "\"%s\" is not in \"%s\"", word,
              diagnosis.place);
    cr_expect(t == NULL || want == OK);
    mp_trajectory_free(t);
}

/* --- events ------------------------------------------------------------------------- */

/* t_z = sqrt(2 h0/g) (1 + e)/(1 - e) = 28.749445... */
Test(reference_refusals, a_run_past_the_zeno_time_names_that_time)
{
    begin(case_find("bouncing-ball"));
    request.t_end = "40";
    refuses(ZENO, "28.74944542");
    request.max_events = 10;
    refuses(ZENO, "28.74944542");
    cr_expect_float_eq(diagnosis.t, 28.74944542, 1e-6);
    request.t_end = "28.7";
    refuses(TOO_MANY_EVENTS, "10 events");
    end();
}

Test(reference_refusals, an_event_at_the_end_or_at_a_sample_is_refused)
{
    const char *time = "3.19438282499969956629881952675896605062959";
    begin(case_find("bouncing-ball"));
    request.t_end = time;
    refuses(EVENT_AT_END, "end");
    request.t_end = NULL;
    request.samples = 1;
    request.sample = &time;
    refuses(EVENT_AT_END, "sample");
    end();
}

/* A ball thrown up at v0 under g = 10 reaches h = v0^2/20. */
static void ball(struct model *model)
{
    COORDINATES(y, y2);
    PARAMETERS(v0, ceiling, start);
    NOMINAL(v0, 10, "m/s", "initial velocity");
    NOMINAL(ceiling, 5, "m", "height of the ceiling");
    NOMINAL(start, 0, "m", "initial height");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[0] = EQ(-10);
    model->q0[0] = EQ(start);
    model->v0[0] = EQ(v0);
    struct event *event = model_event(model, "ceiling", model->pen, model->pen,
                                      EQ(y - ceiling), RISING);
    event->v_plus[0] = EQ(-vy);
    model->t_end = EQ(3);
}
CASE(test_ball, .name = "test-ball", .record = ball);

Test(reference_refusals, a_guard_that_is_touched_is_grazing)
{
    const char *value[3] = {NULL, NULL, NULL};
    begin(&case_test_ball);
    refuses(GRAZING, "ceiling");
    request.value = value;
    value[1] = "4.9999999999999999";      /* 1e-16 below the top: still crossed */
    refuses(OK, "");
    value[1] = "5.0000000000000001";
    refuses(OK, "");
    end();
}

Test(reference_refusals, a_guard_on_its_far_side_or_zero_at_the_start_is_refused)
{
    const char *value[3] = {NULL, NULL, "6"};
    begin(&case_test_ball);
    request.value = value;
    refuses(GUARD_VIOLATED, "ceiling");
    value[2] = "5";
    refuses(EVENT_AT_END, "start");
    end();
}

/* The ball is slowed down, but goes on into the ceiling. */
static void no_bounce(struct model *model)
{
    ball(model);
    model->event[0]->v_plus[0] = quotient(variable(model->tape, BLOCK_V, 0),
                                          integer(model->tape, 2));
    model->parameter[1].nominal = integer(model->tape, 3);
}
CASE(test_no_bounce, .name = "test-no-bounce", .record = no_bounce);

/* A second guard with the same root, another formula. */
static void two_guards(struct model *model)
{
    ball(model);
    formula y = variable(model->tape, BLOCK_Q, 0),
            c = variable(model->tape, BLOCK_RHO, 1);
    model_event(model, "second", model->pen, model->pen, sub(mul(y, y), mul(c, c)),
                RISING);
    model->parameter[1].nominal = integer(model->tape, 3);
}
CASE(test_two_guards, .name = "test-two-guards", .record = two_guards);

/* Modes that hand over to each other for ever, by guards that are zero at once. */
static void hand_over(struct model *model)
{
    ball(model);
    struct mode *first = model_mode(model, "first");
    struct mode *second = model_mode(model, "second");
    second->M[0][0] = second->M[1][1] = integer(model->tape, 1);
    formula y = variable(model->tape, BLOCK_Q, 0),
            c = variable(model->tape, BLOCK_RHO, 1);
    model->parameter[1].nominal = integer(model->tape, 3);
    model->event[0]->to = second;
    model->event[0]->v_plus[0] = (formula){NULL, 0};
    model_event(model, "forth", second, first, sub(mul(y, y), mul(c, c)), RISING);
}
CASE(test_hand_over, .name = "test-hand-over", .record = hand_over);

Test(reference_refusals, sliding_simultaneous_and_endless_events_are_named)
{
    begin(&case_test_no_bounce);
    refuses(SLIDING, "ceiling");
    end();
    begin(&case_test_two_guards);
    refuses(SIMULTANEOUS, "second");
    end();
    begin(&case_test_hand_over);
    refuses(CHAIN_TOO_LONG, "more than 10");
    end();
}

/* --- equations and starts ----------------------------------------------------------- */

static void massless(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(m);
    NOMINAL(m, 0, "kg", "mass");
    model->M[0][0] = EQ(m);
    model->M[1][1] = EQ(1);
    model->F[0] = EQ(x);
    model->t_end = EQ(1);
}
CASE(test_massless, .name = "test-massless", .record = massless);

Test(reference_refusals, a_singular_mass_is_refused)
{
    begin(&case_test_massless);
    refuses(SINGULAR, "accelerations");
    end();
}

/* Start of a pendulum from text: NULL leaves a component to the constraints. */
static const char *start_text[4];

static void pendulum(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l);
    NOMINAL(l, 1, "m", "length");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[1] = EQ(-10);
    model->Phi[0] = EQ(x*x + y*y - l*l);
    formula *const where[] = {&model->q0[0], &model->q0[1], &model->v0[0], &model->v0[1]};
    for (int i = 0; i < 4; i++)
        if (start_text[i])
            *where[i] = constant(model->tape, start_text[i]);
    model->q_guess[1] = EQ(-1);
    model->t_end = EQ(1);
}
CASE(test_pendulum, .name = "test-pendulum", .record = pendulum);

static void start_refuses(const char *x, const char *y, const char *vx, const char *vy,
                          enum status want, const char *word)
{
    const char *const text[4] = {x, y, vx, vy};
    memcpy(start_text, text, sizeof start_text);
    begin(&case_test_pendulum);
    refuses(want, word);
    end();
}

Test(reference_refusals, a_start_that_contradicts_the_constraints_is_refused)
{
    start_refuses("0.6", NULL, "0", NULL, OK, "");
    start_refuses("0.6", "-0.9", "0", "0", INCONSISTENT, "|Phi| = 0.17");
    start_refuses("0.6", "-0.8", "1", "0", INCONSISTENT, "|Phid| = 1.2");
    start_refuses("1.5", NULL, "0", NULL, UNREACHABLE, "Phi");
    start_refuses(NULL, NULL, "0", NULL, BAD_INPUT, "2 coordinates");
    start_refuses("0.6", NULL, NULL, NULL, BAD_INPUT, "2 velocities");
    /* both coordinates fixed while the length is a parameter: no derivative exists */
    start_refuses("0.6", "-0.8", "0", "0", INCONSISTENT, "parameter l");
}

/* --- the request -------------------------------------------------------------------- */

Test(reference_refusals, bad_requests_are_explained)
{
    const char *value[8] = {"fast"}, *const late[] = {"0.5", "99"};
    begin(case_find("pendulum-wall"));
    request.value = value;
    refuses(BAD_INPUT, "g = \"fast\"");
    request.value = NULL;
    request.t_end = "-1";
    refuses(BAD_INPUT, "not after the start");
    request.t_end = NULL;
    request.samples = 2;
    request.sample = late;
    refuses(BAD_INPUT, "99 is outside");
    request.samples = 0;
    request.digits = 5;
    refuses(BAD_INPUT, "digits");
    request.digits = 30;
    request.truth = (struct truth){.variant = "baumgarte"};
    refuses(BAD_INPUT, "baumgarte");
    request.truth = (struct truth){.variant = "penalty"};
    refuses(BAD_INPUT, "alpha");
    request.truth.alpha = "1e5, 2";
    refuses(BAD_INPUT, "2");
    request.truth.alpha = "big";
    refuses(BAD_INPUT, "big");
    request.truth.alpha = "-1";
    refuses(NOT_SPD, "alpha");
    end();
}

static bool stop_half_way(void *context, double done)
{
    *(double *)context = done;
    return done < 0.5;
}

Test(reference_refusals, a_run_stops_when_progress_says_so)
{
    double done = 0;
    begin(case_find("pendulum-stop"));
    request.progress = stop_half_way;
    request.progress_context = &done;
    refuses(NO_CONVERGENCE, "stopped");
    cr_expect(done >= 0.5 && done < 1);
    struct mp_trajectory *t;
    cr_expect_eq(reference_difference(&request, false, 2, &t, &diagnosis),
                 NO_CONVERGENCE);
    cr_expect_null(t);
    end();
}

/* y1 = 5 + 1e-12 is not reached, y = 5 - 1e-12 is: a difference across says so. */
Test(reference_refusals, a_difference_across_a_change_of_events_is_refused)
{
    const char *value[3] = {NULL, "5.000000000001", NULL};
    struct mp_trajectory *t;
    begin(&case_test_ball);
    request.value = value;
    cr_expect_eq(reference_difference(&request, false, 2, &t, &diagnosis), GRAZING);
    cr_expect(strstr(diagnosis.place, "increased") ||
                  strstr(diagnosis.place, "decreased"),
              "%s", diagnosis.place);
    cr_expect_null(t);
    end();
}
