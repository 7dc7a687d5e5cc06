/*
 * test_wrong_requests.c - requests that could be taken for right ones: each is told
 * before anything is computed, and loses nothing that was there.
 */
#include "running.h"

#include <sys/stat.h>

/* The path of a file in the folder of the test. */
static const char *in_folder(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

TestSuite(wrong_requests, .init = make_folder, .fini = remove_folder);

Test(wrong_requests, refuses_an_empty_value_of_any_option)
{
    expect_complaint("run bouncing-ball -o ''", USAGE, "--output needs a value");
    expect_complaint("run bouncing-ball --sens ''", USAGE, "--sens needs a value");
    expect_complaint("verify bouncing-ball --json ''", USAGE, "--json needs a value");
    expect_complaint("verify bouncing-ball --solver ''", USAGE, "--solver needs a value");
    expect_complaint("certify bouncing-ball --directory ''", USAGE,
                     "--directory needs a value");
    cr_assert_eq(files_besides_output(), 0);
}

Test(wrong_requests, refuses_to_write_two_results_into_one_file)
{
    expect_complaint("run bouncing-ball -o x.svg --plot x.svg", USAGE, "both x.svg");
    expect_complaint("verify bouncing-ball --json x --tap x", USAGE, "both x");
    expect_complaint("regress bouncing-ball --save x --junit x", USAGE, "both x");
    cr_assert_eq(files_besides_output(), 0);
    cr_expect_eq(run_command("verify bouncing-ball -f ode --oracle certified "
                             "--json /dev/null --tap /dev/null"), HELD);
}

Test(wrong_requests, refuses_to_write_over_what_is_judged)
{
    cr_assert_eq(run_command("run bouncing-ball --points 9 -o x.csv"), HELD);
    char *before = contents("x.csv");
    expect_complaint("check bouncing-ball x.csv --json x.csv", USAGE, "which is read");
    char *after = contents("x.csv");
    cr_assert_str_eq(after, before);
    free(before);
    free(after);
}

/* A table may have any name, and every name leads to the same file. */
Test(wrong_requests, knows_a_file_by_any_of_its_names)
{
    cr_assert_eq(run_command("run bouncing-ball --points 9 -o x.csv"), HELD);
    cr_assert_eq(shell("ln x.csv hard; ln -s x.csv soft; ln -s . here; ln -s new later; "
                       "ln -s z.events.csv pic; "
                       "cp x.csv kept"), 0);
    expect_complaint("check bouncing-ball x.csv --json ./x.csv", USAGE, "which is read");
    expect_complaint("check bouncing-ball x.csv --json hard", USAGE, "x.csv by another");
    expect_complaint("check bouncing-ball soft --json here/x.csv", USAGE, "by another");
    expect_complaint("check bouncing-ball x.csv --json here/x.events.csv", USAGE,
                     "which is read");
    expect_complaint("check bouncing-ball - --json x.csv < x.csv", USAGE, "by another");
    expect_complaint("run bouncing-ball -o ./z --plot z", USAGE, "both ./z, also");
    expect_complaint("run bouncing-ball -o new --plot later", USAGE, "also called");
    expect_complaint("run bouncing-ball -o z --plot pic", USAGE, "events of");
    expect_complaint("run five-bar -f baumgarte --opt kd=@x.csv -o hard", USAGE,
                     "which is read");
    expect_complaint("verify bouncing-ball --json here/z --tap z", USAGE, "also called");
    cr_expect_eq(shell("cmp x.csv kept"), 0);
}

/* Files that are written beside the one that is named. */
Test(wrong_requests, refuses_to_write_beside_an_output_what_is_read)
{
    cr_assert_eq(shell("echo 1e7 > m.events.csv; ln m.events.csv s.part; "
                       "cp s.part kept"), 0);
    expect_complaint("run five-bar -f modified-lagrange --opt alpha=@m.events.csv "
                     "-o m.csv", USAGE, "m.events.csv is written, too");
    expect_complaint("run five-bar -f modified-lagrange --opt alpha=@s.part -o ./m.csv",
                     USAGE, "that is s.part by another name, which is read");
    expect_complaint("sweep five-bar -f modified-lagrange --opt alpha=@s.part "
                     "--grid e=0.5:0.6:2 -o s --restart", USAGE,
                     "s.part is written, too");
    cr_expect_eq(shell("cmp m.events.csv kept && cmp s.part kept"), 0);
}

/* What is repeated of a request does nothing to the terminal, and stays in its line. */
Test(wrong_requests, shows_control_characters_of_arguments_as_numbers)
{
    static const char *const commands[] = {
        "verify \"$(printf 'a\\033[31mb\\rc\\nd')\"", "\"$(printf 'a\\033]0;b\\007')\"",
        "run bouncing-ball -o \"$(printf 'no/\\302\\233x\\377')\"",
        "run bouncing-ball --set \"$(printf 'e\\177=1')\""};
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        cr_expect_eq(run_command(commands[k]), USAGE);
        char *err = contents("err");
        cr_expect(strstr(err, "\\x"), "%s: %s", commands[k], err);
        cr_expect_eq(count_lines(err), 1, "%s: %s", commands[k], err);
        for (const char *c = err; *c; c++)
            cr_expect(*c == '\n' || (unsigned char)*c >= 0x20, "%s", commands[k]);
        cr_expect_null(strpbrk(err, "\177\233\377"), "%s", commands[k]);
        free(err);
    }
    expect_complaint("verify größe", USAGE, "no case größe");
}

/* Names of files on standard output, too. */
Test(wrong_requests, shows_control_characters_in_results_as_numbers)
{
    static const char *const commands[] = {
        "regress bouncing-ball -f ode --oracle certified --save \"$e\"",
        "regress bouncing-ball -f ode --oracle certified --against \"$e\"",
        "check bouncing-ball \"$e.csv\"",
        "certify bouncing-ball --digits 12 --directory \"$e.d\"",
        "verify bouncing-ball --solver \"'./$e.sh' x.csv\" --timeout 5"};
    cr_assert_eq(run_command("run bouncing-ball -o x.csv"), HELD);
    cr_assert_eq(shell("e=$(printf 'a\033[31mb'); cp x.csv \"$e.csv\"; "
                       "printf '#!/bin/sh\\ncat x.csv\\n' > \"$e.sh\"; "
                       "chmod +x \"$e.sh\""), 0);
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        shell("e=$(printf 'a\033[31mb'); '%s' %s", command_path(), commands[k]);
        char *out = contents("out");
        cr_expect(strstr(out, "a\\x1b[31mb"), "%s: %s", commands[k], out);
        cr_expect_null(strchr(out, '\033'), "%s: %s", commands[k], out);
        free(out);
    }
}

/* Worse once, and as good as what it was compared with ever after. */
Test(wrong_requests, refuses_to_save_over_the_table_that_is_compared_with)
{
    cr_assert_eq(run_command("regress bouncing-ball -f ode --save a"), HELD);
    expect_complaint("regress bouncing-ball -f ode --save a --against a", USAGE,
                     "which is read");
    expect_complaint("regress bouncing-ball -f ode --save ./a --against a", USAGE,
                     "by another name");
}

Test(wrong_requests, refuses_before_a_run_events_that_cannot_be_written)
{
    cr_assert_eq(mkdir(in_folder("x.events.csv"), 0777), 0);
    expect_complaint("run bouncing-ball --t-end 40 -o x.csv", USAGE, "x.events.csv");
    expect_complaint("run bouncing-ball -o x.csv", USAGE, "x.events.csv");
}

Test(wrong_requests, writes_no_events_beside_what_is_no_plain_file)
{
    cr_assert_eq(symlink("/dev/null", in_folder("x.csv")), 0);
    cr_assert_eq(run_command("run bouncing-ball -o x.csv --points 3"), HELD);
    cr_assert_eq(files_besides_output(), 1);
}

Test(wrong_requests, names_the_argument_that_is_missing)
{
    expect_complaint("check", USAGE, "a case is missing");
    expect_complaint("check bouncing-ball", USAGE, "FILE.csv is missing");
}

Test(wrong_requests, refuses_a_tolerance_that_leaves_no_digit)
{
    expect_complaint("run bouncing-ball --rtol 1", USAGE, "below 1");
    expect_complaint("verify bouncing-ball --rtol 2", USAGE, "below 1");
    expect_complaint("sweep bouncing-ball --grid e=0.5:0.6:2 --rtol 1", USAGE, "below 1");
    expect_complaint("bench penalty --rtol 1", USAGE, "below 1");
}

Test(wrong_requests, refuses_a_time_limit_also_where_nobody_needs_it)
{
    expect_complaint("run bouncing-ball --timeout 0", USAGE, "--timeout: 0");
    expect_complaint("show bouncing-ball --timeout nan", USAGE, "'nan' is not a number");
}

/* Of --opt: the request is wrong, no formulation has fallen short. */
Test(wrong_requests, refuses_options_that_make_no_equations)
{
    const char *const command[] = {"run", "verify", "sweep --grid a=0.5:0.6:2",
                                   "regress --save x"};
    for (size_t k = 0; k < sizeof command / sizeof *command; k++) {
        char line[200];
        snprintf(line, sizeof line, "%s pendulum-wall -f penalty --opt alpha=1e400",
                 command[k]);
        expect_complaint(line, USAGE, "alpha=1e400 is not finite");
        snprintf(line, sizeof line, "%s pendulum-wall -f penalty --opt alpha=-5",
                 command[k]);
        expect_complaint(line, USAGE, "alpha=-5");
        snprintf(line, sizeof line, "%s pendulum-wall -f penalty --opt alpha=1,2",
                 command[k]);
        expect_complaint(line, USAGE, "it takes one");
    }
    expect_complaint("verify pendulum-wall -f index3 -i dop853", USAGE, "Take radau");
    expect_complaint("run pendulum-wall -i rk86", USAGE,
                     "no integrator rk86; it is gone, for its estimate did not see its "
                     "last stage; use automatic, the default");
    expect_complaint("run pendulum-wall -i rk78", USAGE, "did you mean rk87");
}

Test(wrong_requests, says_that_a_column_of_a_sweep_is_not_differentiated)
{
    expect_complaint("sweep bouncing-ball --grid e=0.5:0.6:2 --sens e --columns "
                     "event.1.dt/dg", USAGE, "nothing is differentiated by g");
    expect_complaint("sweep bouncing-ball --sample 2 --range e", USAGE, "NAME=LO:HI");
}

Test(wrong_requests, refuses_folders_of_certified_values_before_making_any)
{
    expect_complaint("certify bouncing-ball --directory /nonexistent/new", USAGE,
                     "nothing can be written there: No such file");
    expect_complaint("certify bouncing-ball --directory new --against /nonexistent",
                     USAGE, "--against /nonexistent");
    expect_complaint("certify bouncing-bal --directory new", USAGE, "did you mean");
    expect_complaint("certify bouncing-ball --directory . --against /nonexistent", USAGE,
                     "--against /nonexistent");
    expect_complaint("certify bouncing-ball --directory . --against ././", USAGE,
                     "over those there");
    cr_assert_eq(files_besides_output(), 0);
}

/* 46 GB of lines. */
Test(wrong_requests, refuses_more_points_than_there_is_memory_for)
{
    if ((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) > 4e10)
        cr_skip_test("there is memory for them");
    expect_complaint("run slider-crank-spatial-natural --points 10000000", USAGE,
                     "GB of memory");
}

/* The others are measured, but not all of what was asked for. */
Test(wrong_requests, says_how_to_make_what_a_peer_waits_for)
{
    expect_run("bench --quick --rtol 1e-6 hand-rk87 penalty:alpha=2e5", SHORT, "out",
               "saltus certify five-bar -f penalty --opt alpha=2e5");
    expect_complaint("bench penalty/", USAGE, "did you mean penalty?");
    expect_complaint("bench penalty:", USAGE, "did you mean penalty?");
}

Test(wrong_requests, refuses_options_that_would_be_ignored)
{
    expect_complaint("list --rules --json", USAGE, "leave out --json");
    expect_complaint("list --rules --coverage", USAGE, "ask for one");
    expect_complaint("bench --growth p penalty", USAGE, "leave out penalty");
    expect_complaint("bench --growth p --workload five-bar", USAGE, "ask for one");
}
