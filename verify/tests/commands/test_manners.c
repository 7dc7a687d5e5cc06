/*
 * test_manners.c - output as it suits the place that it goes to: brief, without colour,
 * alone on standard output.
 */
#include "checking.h"

TestSuite(manners, .init = make_folder, .fini = remove_folder);

static const char judge[] = "bouncing-ball -f ode --oracle certified";

/* The text of the file out is one line. */
static void expect_line(const char *what, const char *begin)
{
    char *out = contents("out");
    cr_expect_eq(count_lines(out), 1, "%s: %s", what, out);
    cr_expect_eq(strncmp(out, begin, strlen(begin)), 0, "%s: %s", what, out);
    free(out);
}

/* --- brief -------------------------------------------------------------------------- */

Test(manners, brief_leaves_the_counts_where_everything_passes)
{
    char arguments[200];
    snprintf(arguments, sizeof arguments, "verify %s --brief", judge);
    cr_assert_eq(run_command(arguments), HELD);
    expect_line(arguments, "1 row passed, 0 failed, 0 skipped; ");
    write_tables("saltation");
    cr_assert_eq(run_command("check bouncing-ball x.csv --brief"), HELD);
    expect_line("check", "2 rows passed, 0 failed, 0 skipped; ");
    cr_assert_eq(shell("'%s' regress %s --save kept --brief", command_path(), judge),
                 HELD);
    expect_line("regress --save", "kept: ");
    cr_assert_eq(shell("'%s' regress %s --against kept --brief", command_path(), judge),
                 HELD);
    expect_line("regress --against", "1 rows, ");
}

Test(manners, brief_has_the_rows_that_did_not_pass)
{
    cr_assert_eq(run_command("verify bouncing-ball -f ode --rule no-dte --brief "
                             "--oracle certified,native"), SHORT);
    char *out = contents("out");
    cr_expect_eq(strncmp(out, "case ", 5), 0, "%s", out);
    cr_expect_eq(strncmp(strchr(out, '\n'), "\nbouncing-ball  ode ", 20), 0, "%s", out);
    cr_expect_not_null(strstr(out, " FAIL "));
    cr_expect_null(strstr(out, " PASS "));
    cr_expect_null(strstr(out, "Judged"));
    free(out);
    write_tables("no-dte");
    cr_assert_eq(run_command("check bouncing-ball x.csv --brief"), SHORT);
    out = contents("out");
    cr_expect_leq(count_lines(out), 6, "%s", out);
    cr_expect_not_null(strstr(out, " FAIL "));
    free(out);
    expect_complaint("verify five-bar --matrix --brief", USAGE, "--brief is of rows");
}

/* The verdicts in files stay whole. */
Test(manners, brief_is_of_the_screen_alone)
{
    cr_assert_eq(shell("'%s' verify %s --json a.json && '%s' verify %s --json b.json "
                       "--brief", command_path(), judge, command_path(), judge), HELD);
    expect_same_files("a.json", "b.json", "brief");
}

/* --- names of solvers --------------------------------------------------------------- */

Test(manners, a_solver_has_the_name_that_it_is_given)
{
    write_answer();
    expect_run("verify bouncing-ball --timeout 9 --solver 'cat whole' --name mine "
               "--solver 'cat  whole' --json x.json --tap x.tap", HELD, "out",
               "bouncing-ball  mine ");
    char *out = contents("out"), *json = contents("x.json"), *tap = contents("x.tap");
    cr_expect_not_null(strstr(out, "  cat "), "%s", out);
    cr_expect_not_null(strstr(json, "\"mine\""));
    cr_expect_not_null(strstr(tap, "mine"));
    free(out);
    free(json);
    free(tap);
    expect_complaint("verify bouncing-ball --name mine", USAGE, "there is no --solver");
}

/* --- terminals and pipes ------------------------------------------------------------ */

/* script(1) gives the command a terminal. */
Test(manners, colour_is_for_terminals_that_have_it)
{
    static const struct { const char *setting; bool coloured; } seen[] = {
        {"TERM=xterm", true}, {"TERM=dumb", false}, {"TERM=xterm NO_COLOR=1", false},
        {"TERM=xterm NO_COLOR=", true}};
    if (shell("command -v script") != 0)
        cr_skip_test("no script(1)");
    for (size_t k = 0; k < sizeof seen / sizeof *seen; k++) {
        cr_assert_eq(shell("unset NO_COLOR; %s script -qec \"'%s' list\" /dev/null "
                           "> seen", seen[k].setting, command_path()), HELD);
        char *text = contents("seen");
        cr_expect_eq(strchr(text, '\033') != NULL, seen[k].coloured, "%s: %.200s",
                     seen[k].setting, text);
        free(text);
    }
}

/* A dash is standard output wherever JSON goes to a file. */
Test(manners, json_on_standard_output_is_alone_there)
{
    static const char *const command[] = {
        "verify bouncing-ball -f ode --oracle certified", "check bouncing-ball x.csv",
        "verify rope-catch --study alpha"};
    write_tables("saltation");
    for (size_t k = 0; k < sizeof command / sizeof *command; k++) {
        cr_assert_eq(shell("'%s' %s --json file > said; '%s' %s --json - > alone",
                           command_path(), command[k], command_path(), command[k]), HELD,
                     "%s", command[k]);
        expect_same_files("file", "alone", command[k]);
        cr_expect_not(file_is_there("-"));
    }
}
