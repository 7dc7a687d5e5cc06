/*
 * test_command.c - the command as a user meets it: exit status, one line of complaint,
 * and files that are complete or not there.
 */
#include "running.h"

TestSuite(command, .init = make_folder, .fini = remove_folder);

/* --- what is wrong is said in one line ---------------------------------------------- */

Test(command, offers_the_nearest_name_for_an_unknown_one)
{
    expect_complaint("veryfy", USAGE, "did you mean verify?");
    expect_complaint("run five-bra", USAGE, "did you mean five-bar?");
    expect_complaint("run five-bar --set LO1=2", USAGE, "did you mean L01?");
    expect_complaint("run five-bar --sens LO2", USAGE, "did you mean L02?");
    expect_complaint("run five-bar --formulation penalti", USAGE,
                     "did you mean penalty?");
    expect_complaint("run five-bar -f penalty --opt alfa=1", USAGE,
                     "did you mean alpha?");
    expect_complaint("run five-bar --integrator dop835", USAGE, "did you mean dop853?");
    expect_complaint("run five-bar --rule saltaton", USAGE, "did you mean saltation?");
    expect_complaint("run five-bar --outptu x", USAGE, "did you mean --output");
    expect_complaint("verify --oracle nativ", USAGE, "did you mean native?");
    expect_complaint("list --class impulses", USAGE, "did you mean impulse?");
}

Test(command, refuses_what_is_not_a_number)
{
    expect_complaint("run five-bar --set L01=abc -o x.csv", USAGE,
                     "'abc' is not a number");
    expect_complaint("run five-bar --set L01=2.3m -o x.csv", USAGE, "is not a number");
    expect_complaint("run five-bar --set L01=nan -o x.csv", USAGE, "is not a number");
    expect_complaint("run five-bar --set L01", USAGE, "NAME=VALUE");
    expect_complaint("run five-bar --t-end soon", USAGE, "'soon' is not a number");
    expect_complaint("run five-bar --rtol 0", USAGE, "not above zero");
    expect_complaint("run five-bar --points 1.5", USAGE, "whole number");
    expect_complaint("run five-bar -f penalty --opt alpha=ten -o x.csv", USAGE,
                     "alpha=ten");
    expect_complaint("run five-bar -f penalty --opt alpha=-1 -o x.csv", USAGE,
                     "alpha=-1");
}

Test(command, refuses_an_end_that_is_not_after_the_start)
{
    expect_complaint("run bouncing-ball --t-end -1 -o x.csv", USAGE,
                     "not after the start");
    expect_complaint("run bouncing-ball --t-end 0 -o x.csv", USAGE,
                     "not after the start");
}

Test(command, refuses_an_output_that_cannot_be_written)
{
    expect_complaint("run bouncing-ball -o /nonexistent/x.csv", USAGE,
                     "cannot be written");
    expect_complaint("run bouncing-ball -o /tmp", USAGE, "directory");
    expect_complaint("run bouncing-ball -o /dev/full", USAGE, "No space left");
    expect_complaint("show bouncing-ball --plot x.png", USAGE, "pictures are SVG or PDF");
    expect_complaint("run bouncing-ball --plot /nonexistent/x.svg", USAGE,
                     "/nonexistent");
    expect_complaint("verify bouncing-ball --json /nonexistent/x", USAGE,
                     "/nonexistent/x");
}

Test(command, refuses_missing_and_superfluous_arguments)
{
    expect_complaint("run", USAGE, "a case is missing");
    expect_complaint("run five-bar slack-rope", USAGE, "too many");
    expect_complaint("run five-bar -o", USAGE, "needs a value");
    expect_complaint("run bouncing-ball -f index1", USAGE, "does not apply");
}

/* --- problems without an answer ----------------------------------------------------- */

/* The rows before it are what there is to look at. */
Test(command, refuses_a_run_past_the_zeno_time_and_leaves_the_rows_up_to_there)
{
    expect_run("run bouncing-ball --t-end 40 --points 41 -o x.csv", NO_ANSWER, "err",
               "zeno at t = 28.74");
    expect_run("run bouncing-ball --t-end 40 --points 41 -o x.csv", NO_ANSWER, "err",
               "x.csv has the 29 rows up to t = 28, and 92 events");
    char *rows = contents("x.csv"), *events = contents("x.events.csv");
    cr_expect_eq(count_lines(rows), 1 + 29);
    cr_expect_eq(count_lines(events), 1 + 2 * 92);
    cr_expect_eq(files_besides_output(), 2);
    free(rows);
    free(events);
    expect_complaint("run bouncing-ball --t-end 40", NO_ANSWER, "zeno at t = 28.74");
}

Test(command, refuses_a_run_and_draws_what_was_reached)
{
    if (system("command -v gnuplot > /dev/null") != 0)
        cr_skip_test("no gnuplot");
    expect_run("run bouncing-ball --t-end 40 --points 41 -o x.csv --plot x.svg",
               NO_ANSWER, "err", "up to t = 28, and 92 events; drawn in x.svg");
    expect_run("run bouncing-ball --t-end 40 --points 41 --plot y.svg", NO_ANSWER, "err",
               "y.svg draws the motion up to t = 28, and 92 events");
    char *out = contents("out"), *picture = contents("x.svg");
    cr_expect_str_empty(out, "%s", out);
    cr_expect_not_null(strstr(picture, "</svg>"));
    expect_same_files("x.svg", "y.svg", "with and without a table");
    cr_expect_eq(files_besides_output(), 4);
    free(out);
    free(picture);
}

Test(command, refuses_a_start_that_no_configuration_satisfies)
{
    expect_complaint("run five-bar --set L_A1=10 -o x.csv", NO_ANSWER, "unreachable");
}

Test(command, refuses_a_start_on_the_far_side_of_a_guard)
{
    expect_complaint("run bouncing-ball --set y_ground=60 -o x.csv", NO_ANSWER,
                     "guard-violated");
}

/* A script that reads on must not take the table of an earlier run for one of this. */
Test(command, leaves_a_header_alone_of_a_run_that_is_refused_at_its_start)
{
    write_file("y.svg", "a picture");
    cr_assert_eq(run_command("run bouncing-ball --points 3 -o x.csv"), HELD);
    expect_run("run bouncing-ball --set y_ground=60 -o x.csv --plot y.svg", NO_ANSWER,
               "err", "y.svg is the picture of an earlier run");
    char *rows = contents("x.csv"), *events = contents("x.events.csv");
    cr_expect_eq(count_lines(rows), 1, "%s", rows);
    cr_expect_eq(count_lines(events), 1, "%s", events);
    cr_expect_eq(files_besides_output(), 3);
    free(rows);
    free(events);
}

/* --- results ------------------------------------------------------------------------ */

Test(command, prints_the_header_of_the_readme_exactly)
{
    cr_assert_eq(run_command("run pendulum-wall --points 2 --sens l,e --brief"), HELD);
    char *out = contents("out"), *err = contents("err");
    out[strcspn(out, "\n")] = '\0';
    cr_assert_str_eq(
        out,
        "t,q.x,q.y,v.x,v.y,a.x,a.y,lambda.1,z.swing,z.pull,"
        "dq.x/dl,dq.y/dl,dv.x/dl,dv.y/dl,da.x/dl,da.y/dl,dlambda.1/dl,dz.swing/dl,"
        "dz.pull/dl,"
        "dq.x/de,dq.y/de,dv.x/de,dv.y/de,da.x/de,da.y/de,dlambda.1/de,dz.swing/de,"
        "dz.pull/de");
    cr_assert_str_empty(err);
    free(out);
    free(err);
}

Test(command, writes_a_row_for_each_point_and_two_for_each_event)
{
    cr_assert_eq(run_command("run bouncing-ball --points 11 --sens e -o x.csv"), HELD);
    char *table = contents("x.csv"), *events = contents("x.events.csv"),
         *out = contents("out");
    cr_assert_eq(count_lines(table), 12);
    cr_assert_eq(strncmp(out, "quantity,value\npsi.height,", 26), 0, "%s", out);
    static const char header[] = "event,name,t,dt/de,condition,growth,side,q.y,v.y,";
    cr_assert_eq(strncmp(events, header, strlen(header)), 0);
    cr_assert_eq(count_lines(events), 1 + 2 * 3);
    cr_assert_not_null(strstr(events, "\n1,impact,3.19"));
    cr_assert_not_null(strstr(events, ",before,"));
    cr_assert_not_null(strstr(events, ",after,"));
    free(table);
    free(events);
    free(out);
}

Test(command, differentiates_nothing_when_told_so)
{
    cr_assert_eq(run_command("run bouncing-ball --points 2 --sens none"), HELD);
    char *out = contents("out");
    cr_assert_eq(strncmp(out, "t,q.y,v.y,a.y,z.height,z.speed\n", 31), 0);
    free(out);
}

Test(command, has_continuous_resets_for_penalty_motions_only)
{
    cr_assert_eq(run_command("run rope-catch -f penalty --reset continuous --points 2"),
                 HELD);
    expect_complaint("run rope-catch --reset continuous", USAGE, "penalty formulations");
    expect_complaint("run five-bar -f penalty --reset continuous", USAGE,
                     "changes nothing");
    expect_complaint("run rope-catch -f penalty --reset continous", USAGE,
                     "did you mean continuous?");
    expect_complaint("verify five-bar --reset continuous", USAGE,
                     "none of its events adds constraints");
}

Test(command, runs_a_dae_with_its_integrator_and_refuses_another)
{
    cr_assert_eq(run_command("run pendulum-wall -f index3 --points 3"), HELD);
    expect_complaint("run pendulum-wall -f index3 --integrator dop853", USAGE,
                     "Take radau");
    expect_run("verify pendulum-wall -i dop853 --oracle certified", HELD, "out",
               "integrator dop853 is explicit");
}

Test(command, shows_formulations_with_their_options_and_why_others_do_not_apply)
{
    expect_run("show bouncing-ball", HELD, "out",
               "does not apply: no mode has constraints");
    expect_run("show five-bar", HELD, "out", "alpha=1e5");
}

Test(command, shows_help_for_every_command)
{
    const char *const name[] = {"list", "show", "run", "verify", "certify"};
    for (int k = 0; k < 5; k++) {
        char arguments[40], usage[40];
        snprintf(arguments, sizeof arguments, "%s --help", name[k]);
        snprintf(usage, sizeof usage, "usage: saltus %s ", name[k]);
        cr_assert_eq(run_command(arguments), HELD);
        char *out = contents("out");
        cr_assert_eq(strncmp(out, usage, strlen(usage)), 0);
        free(out);
    }
    cr_assert_eq(run_command("--help"), HELD);
    cr_assert_eq(run_command("--version"), HELD);
}

Test(command, help_names_a_command_before_or_behind_it)
{
    static const char *const words[] = {"", "help", "--help", "-h", "help --help"};
    cr_assert_eq(shell("'%s' > all", command_path()), HELD);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        cr_expect_eq(shell("'%s' %s > text; cmp all text", command_path(), words[k]),
                     HELD, "%s", words[k]);
        cr_expect_eq(shell("'%s' %s > /dev/full", command_path(), words[k]), USAGE);
    }
    cr_assert_eq(shell("for c in $('%s' | sed -n 's/^  \\([a-z]*\\) .*/\\1/p'); do "
                       "[ $c = saltus ] || { '%s' $c --help > a && '%s' help $c > b && "
                       "cmp a b && echo $c >> same; } || exit; done",
                       command_path(), command_path(), command_path()), HELD);
    char *same = contents("same");
    cr_expect_geq(count_lines(same), 17, "%s", same);
    cr_expect_not_null(strstr(same, "bench\n"));
    free(same);
    expect_complaint("help veryfy", USAGE, "did you mean verify?");
    expect_complaint("help run --outptu", USAGE, "did you mean --output");
}

Test(command, draws_a_picture_with_gnuplot)
{
    if (system("command -v gnuplot > /dev/null") != 0)
        cr_skip_test("no gnuplot");
    cr_assert_eq(run_command("run slack-rope --sens l --plot x.svg -o x.csv"), HELD);
    char *svg = contents("x.svg");
    cr_assert_not_null(svg);
    cr_assert_not_null(strstr(svg, "<svg"));
    cr_assert_not_null(strstr(svg, "</svg>"));
    cr_assert_not_null(strstr(svg, "dq.x/dl"));
    free(svg);
}

Test(command, says_that_gnuplot_is_missing)
{
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    expect_complaint("run bouncing-ball --plot x.svg -o x.csv", USAGE, "gnuplot");
    setenv("PATH", path, 1);        /* the folder is removed by a program */
    free(path);
}

Test(command, says_why_gnuplot_failed)
{
    const char *const run = "run bouncing-ball -o x.csv --plot x.svg";
    put_program("gnuplot", "#!/bin/sh\ncat > /dev/null\n"
                "printf '\\n\\ngnuplot> x\\n   line 0: no such terminal\\n\\n' >&2\n"
                "exit 3\n");
    expect_complaint(run, USAGE, "x.svg: cannot be written: gnuplot: line 0: no such "
                                 "terminal (exit status 3); see that");
    put_program("gnuplot", "#!/bin/sh\nkill -9 $$\n");
    expect_complaint(run, USAGE, "gnuplot: ended by signal 9; see that");
    put_program("gnuplot", "#!/bin/sh\nexit 0\n");
    expect_complaint(run, USAGE, "gnuplot: it drew nothing; see that");
    put_program("gnuplot", "#!/bin/sh\necho '<svg></svg>'\n");
    expect_complaint("run bouncing-ball --plot /dev/full", USAGE,
                     "/dev/full: cannot be written: No space left");
}
