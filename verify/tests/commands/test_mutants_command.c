/* `saltus mutants`: what it prints, what it leaves, and what it refuses. */
#include "running.h"

TestSuite(mutants_command, .init = make_folder, .fini = remove_folder);

/* The bar of a run at rtol 1e-13 is 11 digits (bars.h): fainter faults are for a record
   (saltus regress). */
Test(mutants_command, says_what_is_caught_by_whom_and_how_faint_a_fault_may_be)
{
    cr_assert_eq(run_command("mutants pendulum-stop --every 30 --json x.json"), HELD);
    char *out = contents("out"), *json = contents("x.json");
    static const char *const said[] = {
        "no dt_e/drho term", "certified complex-step  closed-form", "event 1: dt/dg",
        "adjoint sweep skips an event", "second order with t_e'' dropped",
        "d2psi.swing along w", "caught; on 1 cases", "A sample: one in 30.",
        "mutation score 100.00 %", "smallest relative fault seen: certified 1e-11"};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++)
        cr_expect_not_null(strstr(out, said[k]), "no '%s' in:\n%s", said[k], out);
    cr_expect_not_null(strstr(json, "\"held\":\ttrue"));
    cr_expect_not_null(strstr(json, "\"fate\":\t\"caught\""));
    cr_expect_not_null(strstr(json, "\"gradient-difference\":"));
    free(out);
    free(json);
}

/* Without certified values, with some that cannot be read, where a refusal is certified:
   that nothing was missed says nothing. */
Test(mutants_command, falls_short_where_nothing_is_judged)
{
    setenv("SALTUS_VALUES", folder, 1);
    expect_run("mutants bouncing-ball --every 200", SHORT, "out",
               "bouncing-ball: no certified values; make them with saltus certify");
    expect_run("mutants pendulum-stop --every 200 --json x.json", SHORT, "out",
               "derivatives of pendulum-stop: no certified values");
    char *json = contents("x.json");
    cr_expect_not_null(strstr(json, "\"held\":\tfalse"));
    free(json);
    write_file("bouncing-ball.ref", "what is this\n");
    expect_run("mutants bouncing-ball --every 200", SHORT, "out", "NOT JUDGED");
    unsetenv("SALTUS_VALUES");
    expect_run("mutants cradle --every 200", SHORT, "out", "a refusal is what is");
    expect_run("mutants cradle bouncing-ball --every 200", HELD, "out",
               "1 have no certified numbers");
}

Test(mutants_command, wrong_requests_are_one_line)
{
    expect_complaint("mutants five-bra", USAGE, "five-bar");
    expect_complaint("mutants --every 0", USAGE, "--every");
    expect_complaint("mutants pendulum-stop --json no/such/folder/x.json", USAGE,
                     "no/such");
}

Test(mutants_command, falls_short_when_nothing_could_be_judged)
{
    setenv("SALTUS_VALUES", folder, 1);
    cr_expect_eq(run_command("mutants bouncing-ball --every 30"), SHORT);
    char *out = contents("out");
    cr_expect_not_null(strstr(out, "Nothing could be judged"), "%s", out);
    free(out);
}
