/*
 * test_unanswered.c - a case of which nothing is compared falls short, unless it is there
 * to be refused; and the counts of the last line.
 */
#include <sys/stat.h>

#include "own_catalogue.h"

#include "case.h"

/* The bead of cases/README.md with the wrong direction of its guard: it starts behind
   it. */
static void record_bead(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(m, g, k, wall, e, x0);
    MULTIPLIERS(lambda);
    COSTS(work);
    NOMINAL(m, 1, "kg", "mass of the bead");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(k, sqrt(2), "1/m", "curvature of the wire");
    NOMINAL(wall, 0.4, "m", "position of the wall");
    NOMINAL(e, 0.9, "1", "coefficient of restitution");
    NOMINAL(x0, -0.8, "m", "initial position, at rest");
    struct mode *slide = model_mode(model, "slide");
    model->M[0][0] = EQ(m);
    model->M[1][1] = EQ(m);
    model->F[1] = EQ(-m*g);
    model->Phi[0] = EQ(y - k*x*x);
    model->g[0] = EQ(lambda*lambda);
    bool wrong = strcmp(model->desc->name, "bead-right") != 0;
    struct event *bounce = model_event(model, "bounce", slide, slide, EQ(x - wall),
                                       wrong ? FALLING : RISING);
    bounce->v_plus[0] = EQ(-e*vx);
    event_constrain_velocity(bounce);
    model->q0[0] = EQ(x0);
    model->q_guess[1] = EQ(1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(2);
}

CASE(bead_right, .name = "bead-right", .title = "-", .classes = "velocity-jump",
     .record = record_bead);
CASE(bead_wrong, .name = "bead-wrong", .title = "-", .classes = "velocity-jump",
     .record = record_bead);
/* Its classes are set by the test. */
static struct case_desc bead_certified = {.name = "bead-certified", .title = "-",
                                          .classes = "", .record = record_bead};
const struct case_desc *const catalogue[] = {&case_bead_right, &case_bead_wrong,
                                             &bead_certified, NULL};

Test(unanswered, a_case_that_is_refused_everywhere_falls_short_with_a_sentence)
{
    enum exit_status status;
    const char *const words[] = {"verify", "bead-wrong"};
    const char *text = run_here(&status, 2, words);
    cr_expect_eq(status, EXIT_SHORT);
    cr_expect(strstr(text, "FAIL         no answer, nothing was compared: guard-violated "
                           "at t = 0"), "%s", text);
    expect_line(text, "0", "rows passed, 1 failed");
    expect_line(text, "0", "; 0 numbers compared.");
}

Test(unanswered, a_case_with_answers_has_no_such_row)
{
    enum exit_status status;
    const char *const words[] = {"verify", "bead-right", "--oracle", "complex-step"};
    const char *text = run_here(&status, 4, words);
    cr_expect_eq(status, EXIT_HELD, "%s", text);
    cr_expect_null(strstr(text, "no answer"));
}

Test(unanswered, a_run_that_no_oracle_judges_is_an_answer)
{
    enum exit_status status;
    const char *const words[] = {"verify", "bead-right", "bead-wrong", "--oracle",
                                 "complex-step,closed-form"};
    const char *text = run_here(&status, 5, words);
    cr_expect_eq(status, EXIT_SHORT);
    cr_expect(strstr(text, "no answer"), "%s", text);
}

Test(unanswered, oracles_that_judge_no_refusals_condemn_none_and_hold_nothing)
{
    enum exit_status status;
    const char *const words[] = {"verify", "bead-wrong", "--oracle", "native"};
    const char *text = run_here(&status, 4, words);
    cr_expect(strstr(text, "0 rows passed, 0 failed, 10 skipped (9 guard-violated, "
                           "1 not asked)"), "%s", text);
    cr_expect_eq(status, EXIT_SHORT);
}

/* A refusal that is certified for the class refused is none of another case's answers,
   and for another case it is not certified. */
Test(unanswered, a_certified_refusal_is_an_answer_of_its_class_alone, .timeout = 300)
{
    enum exit_status status;
    char values[] = "/tmp/saltus-unanswered-XXXXXX", command[100];
    const char *const make[] = {"certify", "bead-certified", "--digits", "12"};
    const char *const judge[] = {"verify", "bead-certified", "--oracle", "certified"};
    const char *const penalty[] = {"verify", "bead-certified", "--oracle", "certified",
                                   "-f", "penalty"};
    cr_assert_not_null(mkdtemp(values));
    setenv("SALTUS_VALUES", values, 1);
    bead_certified.classes = "velocity-jump";
    run_here(&status, 4, make);
    cr_expect_eq(status, EXIT_NO_ANSWER);
    cr_expect_eq(rmdir(values), 0, "something was written");
    cr_assert_eq(mkdir(values, 0777), 0);
    bead_certified.classes = "velocity-jump, refused";
    run_here(&status, 4, make);
    cr_assert_eq(status, EXIT_HELD);
    const char *text = run_here(&status, 4, judge);
    cr_expect_eq(status, EXIT_HELD, "%s", text);
    run_here(&status, 6, penalty);
    cr_expect_eq(status, EXIT_HELD);
    bead_certified.classes = "velocity-jump";
    text = run_here(&status, 4, judge);
    cr_expect_eq(status, EXIT_SHORT);
    cr_expect(strstr(text, "FAIL         no answer: guard-violated at t = 0"), "%s",
              text);
    cr_expect(strstr(text, "not of class refused"), "%s", text);
    run_here(&status, 6, penalty);
    cr_expect_eq(status, EXIT_SHORT, "the penalty motion alone");
    snprintf(command, sizeof command, "rm -r '%s'", values);
    cr_assert_eq(system(command), 0);
}
