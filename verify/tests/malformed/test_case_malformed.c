/*
 * test_case_malformed.c - a catalogue with one case that cannot be recorded: it is a row
 * with its message, and the other cases are listed and judged.
 */
#include "own_catalogue.h"

#include "case.h"

static void record_good(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(w);
    COSTS(work);
    NOMINAL(w, 2, "1/s^2", "square of the frequency");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-w*x);
    model->g[0] = EQ(x*x);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(1);
}

static void record_broken(struct model *model)
{
    record_good(model);
    model->F[1] = (formula){model->tape, 0};
}

CASE(first, .name = "first", .title = "-", .classes = "smooth", .record = record_good);
CASE(broken, .name = "broken", .title = "-", .classes = "smooth",
     .record = record_broken);
CASE(last, .name = "last", .title = "-", .classes = "smooth", .record = record_good);

/* In the place of cases/mechanisms/catalogue.c. */
const struct case_desc *const catalogue[] = {&case_first, &case_broken, &case_last, NULL};

Test(case_malformed, is_a_line_of_the_list)
{
    enum exit_status status;
    const char *const words[] = {"list"};
    const char *text = run_here(&status, 1, words);
    cr_expect_eq(status, EXIT_SHORT);
    expect_line(text, "first", "-");
    expect_line(text, "broken", "F[1] is given, but only 1 coordinates");
    expect_line(text, "last", "-");
}

Test(case_malformed, is_a_row_that_falls_short_beside_cases_that_are_judged)
{
    enum exit_status status;
    const char *const words[] = {"verify", "--oracle", "complex-step"};
    const char *text = run_here(&status, 3, words);
    cr_expect_eq(status, EXIT_SHORT);
    expect_line(text, "first", "PASS");
    expect_line(text, "broken", "F[1] is given");
    expect_line(text, "last", "PASS");
}

Test(case_malformed, is_a_wrong_request_where_it_is_the_only_one)
{
    enum exit_status status;
    const char *const words[] = {"verify", "broken"};
    run_here(&status, 2, words);
    cr_expect_eq(status, EXIT_USAGE);
}
