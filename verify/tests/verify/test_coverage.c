/* Which kinds of events the catalogue has on which mechanisms, and whether what a case
   declares of itself is true. */
#include <string.h>

#include "case.h"
#include "coverage/coverage.h"
#include "running.h"
#include "solving.h"

TestSuite(coverage, .init = make_folder, .fini = remove_folder);

/* --- declared words ----------------------------------------------------------------- */

Test(coverage, no_case_contradicts_what_it_declares)
{
    for (int k = 0; catalogue[k]; k++) {
        struct diagnosis diagnosis;
        struct model *model = model_new(catalogue[k], &diagnosis);
        cr_assert_not_null(model, "%s", diagnosis.place);
        cr_expect_eq(classes_check(model, &diagnosis), OK, "%s", diagnosis.place);
        model_free(model);
    }
}

/* A pendulum whose rope is stated twice; it hits a floor that moves. */
static void record_pendulum(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l, g);
    TIME(t);
    NOMINAL(l, 1, "m", "length");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[1] = EQ(-g);
    model->Phi[0] = EQ(x*x + y*y - l*l);
    model->Phi[1] = EQ(2*(x*x + y*y - l*l));
    struct event *hit = model_event(model, "hit", swing, swing, EQ(y + 2*l + vx + t),
                                    FALLING);
    event_impulse(hit, EQ(y), EQ(1));
    event_impulse_joints(hit);
    model->q0[0] = EQ(l/2);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(1);
}

static void expect_check(const char *classes, enum status expected, const char *word)
{
    const struct case_desc desc = {.name = "test", .record = record_pendulum,
                                   .classes = classes};
    struct diagnosis diagnosis = {.place = ""};
    struct model *model = model_new(&desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    cr_expect_eq(classes_check(model, &diagnosis), expected, "%s: %s", classes,
                 diagnosis.place);
    cr_expect_not_null(strstr(diagnosis.place, word), "%s", diagnosis.place);
    model_free(model);
}

Test(coverage, a_word_that_the_model_contradicts_is_refused_by_name)
{
    expect_check("impulse, velocity-jump, time-dependent-guard, constrained, redundant, "
                 "velocity-dependent-guard, parameter-dependent-guard, whatever", OK, "");
    static const char *const wrong[] = {"unconstrained", "position-jump", "force-change",
                                        "mass-change", "constraint-change", "first-order",
                                        "identity-reset", "multiplier-guard"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        expect_check(wrong[k], BAD_INPUT, wrong[k]);
}

/* --- classes that are seen in runs -------------------------------------------------- */

Test(coverage, cases_declared_simultaneous_are_refused_as_that)
{
    int seen = 0;
    for (int k = 0; catalogue[k]; k++) {
        struct solving s;
        class_set set = classes_declared(catalogue[k]);
        if (!(set & 1u << CLASS_SIMULTANEOUS_EVENTS))
            continue;
        solving_of_case(&s, catalogue[k]->name,
                        set & 1u << CLASS_CONSTRAINED ? "baumgarte" : "ode");
        refuse(&s, SIMULTANEOUS);
        solving_end(&s);
        seen++;
    }
    cr_expect_gt(seen, 0);
}

/* --- the table ---------------------------------------------------------------------- */

Test(coverage, an_event_is_counted_on_the_mechanism_that_it_meets)
{
    const struct case_desc *const list[] = {case_find("rope-catch"),
                                            case_find("five-bar-redundant"), NULL};
    struct coverage *coverage = coverage_new(list, NULL);
    cr_assert_not_null(coverage);
    const int expected[COVERAGE_ROWS][COVERAGE_COLUMNS] = {
        {1, 1, 1, 0},       /* velocity jump: caught; the wall; the ground */
        {0, 0, 0, 0},
        {1, 0, 0, 0},       /* caught in free flight */
        {0, 0, 0, 0}, {0, 0, 0, 0},
        {1, 1, 1, 0},
        {0, 0, 0, 0}};
    for (int i = 0; i < COVERAGE_ROWS; i++)
        for (int j = 0; j < COVERAGE_COLUMNS; j++)
            cr_expect_eq(coverage->cell[i][j].count, expected[i][j], "%s, %s: %d",
                         coverage_row[i].text, coverage_column_text[j],
                         coverage->cell[i][j].count);
    cr_expect_eq(coverage->empty, COVERAGE_ROWS * COVERAGE_COLUMNS - 7);
    coverage_free(coverage);
}

/* The exit status is that of the table: 1 if and only if a cell is empty. */
Test(coverage, the_command_names_every_empty_cell)
{
    struct coverage *coverage = coverage_new(catalogue, NULL);
    cr_assert_not_null(coverage);
    int status = run_command("list --coverage"), lines = 0;
    char *err = contents("err");
    for (const char *c = err; *c; c++)
        lines += *c == '\n';
    cr_expect_eq(status, coverage->empty ? SHORT : HELD);
    cr_expect_eq(lines, coverage->empty, "%s", err);
    free(err);
    expect_run("list --coverage --json", status, "out", "\"velocity jump\"");
    coverage_free(coverage);
}
