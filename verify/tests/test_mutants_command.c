/* `saltus mutants`: what it prints, what it leaves, and what it refuses. */
#include "running.h"

TestSuite(mutants_command, .init = make_folder, .fini = remove_folder);

Test(mutants_command, says_what_is_caught_by_whom_and_how_faint_a_fault_may_be)
{
    cr_assert_eq(run_command("mutants pendulum-stop --every 30 --json x.json"), HELD);
    char *out = contents("out"), *json = contents("x.json");
    static const char *const said[] = {
        "no dt_e/drho term", "certified complex-step  closed-form", "event 1: dt/dg",
        "not yet: waits for the adjoint", "caught; on 1 cases", "A sample: one in 30.",
        "mutation score 100.00 %", "smallest relative fault seen: certified 1e-12"};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++)
        cr_expect_not_null(strstr(out, said[k]), "no '%s' in:\n%s", said[k], out);
    cr_expect_not_null(strstr(json, "\"held\":\ttrue"));
    cr_expect_not_null(strstr(json, "\"fate\":\t\"caught\""));
    free(out);
    free(json);
}

Test(mutants_command, wrong_requests_are_one_line)
{
    expect_complaint("mutants five-bra", USAGE, "five-bar");
    expect_complaint("mutants --every 0", USAGE, "--every");
    expect_complaint("mutants pendulum-stop --json no/such/folder/x.json", USAGE,
                     "no/such");
}
