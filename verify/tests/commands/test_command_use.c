/*
 * test_command_use.c - the command in daily use: lists that fit into a window, pipes that
 * close, costs and limits of a run, what is asked for twice.
 */
#include "running.h"

#include <math.h>

TestSuite(command_use, .init = make_folder, .fini = remove_folder);

/* --- what is printed ---------------------------------------------------------------- */

static int longest_line(const char *text)
{
    size_t longest = 0;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        longest = strcspn(text, "\n") > longest ? strcspn(text, "\n") : longest;
    return (int)longest;
}

Test(command_use, the_list_fits_into_a_window_and_is_whole_with_long)
{
    cr_assert_eq(run_command("list"), HELD);
    char *narrow = contents("out");
    cr_expect_leq(longest_line(narrow), 80, "%s", narrow);
    cr_assert_eq(run_command("list --long"), HELD);
    char *whole = contents("out");
    cr_expect_eq(count_lines(whole), 2 * count_lines(narrow) - 1);
    cr_expect_not_null(strstr(whole, "state-dependent-guard"));
    free(narrow);
    free(whole);
}

Test(command_use, names_are_those_of_the_list_and_nothing_else)
{
    cr_assert_eq(run_command("list"), HELD);
    cr_assert_eq(shell("'%s' list | sed -e 1d -e 's/ .*//' > table; '%s' list --names | "
                       "cat > names; cmp table names", command_path(), command_path()),
                 HELD);
    cr_assert_eq(shell("'%s' list --class torture,walking | sed -e 1d -e 's/ .*//' > "
                       "table; '%s' list --names --class torture,walking > names; "
                       "cmp table names", command_path(), command_path()), HELD);
    char *names = contents("names");
    cr_expect(strstr(names, "compass-gait\n") && !strstr(names, "five-bar\n"), "%s",
              names);
    free(names);
    expect_complaint("list --names --rules", USAGE, "leave out the other options");
    expect_complaint("list --names --json", USAGE, "leave out the other options");
}

Test(command_use, show_has_the_equations_of_every_mode)
{
    static const char *const words[] = {
        "mode slack: M a = F;", "M.x.x =        m\n", "F.y =          -m*g\n",
        "mode taut: M a + Phi_q' lambda = F, Phi = 0;",
        "Phi.1 =        (x*x + y*y - l*l)/2\n", "g.speed =      vx*vx + vy*vy\n",
        "Psi.1 = (x*x + y*y - l*l)/2, restitution 0\n", NULL};
    for (int k = 0; words[k]; k++)
        expect_run("show slack-rope", HELD, "out", words[k]);
    expect_run("show four-bar-40", HELD, "out", "`saltus problem four-bar-40` writes");
}

Test(command_use, show_has_guards_conditions_resets_and_rates_as_formulas)
{
    static const struct { const char *name, *text; } shown[] = {
        {"five-bar", "      when y2 - y_ground = 0, falling\n"},
        {"five-bar", "      vy2+ = -e*vy2\n"},
        {"ball-restitution", "      only if u + vy > 0\n      vy+ = -e*vy\n"},
        {"mass-drop", "impulse: M+ v+ - M- v- + Psi_q' J = 0"},
        {"event-bolus", "d/dt."}};
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        char arguments[60];
        snprintf(arguments, sizeof arguments, "show %s", shown[k].name);
        expect_run(arguments, HELD, "out", shown[k].text);
    }
}

/* The multiplier of augmented has a weight that all positions are in. */
Test(command_use, show_counts_derivatives_unless_they_are_too_many, .timeout = 60)
{
    expect_run("show four-bar-2", HELD, "out", "augmented          motion        11");
    char *few = contents("out");
    cr_expect_null(strstr(few, "they are not counted"), "%s", few);
    expect_run("show four-bar-160", HELD, "out",
               "augmented          motion       643    20236            -\n");
    expect_run("show four-bar-160", HELD, "out",
               "  -: more than 100000 derivatives are not zero; they are not counted\n");
    free(few);
}

/* Who reads has seen enough: no word, and the end that a shell knows as 141. */
Test(command_use, a_reader_that_goes_away_is_no_error)
{
    static const char *const arguments[] = {"list", "run five-bar", "show five-bar",
                                            "verify bouncing-ball", NULL};
    for (int k = 0; arguments[k]; k++) {
        shell("{ '%s' %s; echo $? > end; } 2> told | true", command_path(), arguments[k]);
        for (int wait = 0; wait < 200 && !file_is_there("end"); wait++)
            usleep(50000);
        char *told = contents("told"), *end = contents("end");
        cr_expect_str_empty(told, "%s: %s", arguments[k], told);
        cr_expect_str_eq(end, "141\n", "%s: %s", arguments[k], end);
        free(told);
        free(end);
        shell("rm -f end told");
    }
}

/* The reader has gone before anything is printed. */
Test(command_use, a_reader_that_goes_away_loses_no_file)
{
    static const char *const arguments[] = {
        "verify five-bar -f ode --oracle certified --json file",
        "verify five-bar -f ode --oracle certified --junit file",
        "verify five-bar -f ode --oracle certified --tap file",
        "regress five-bar -f ode --oracle certified --save file",
        "check bouncing-ball x.csv --json file", "run five-bar -o file", NULL};
    cr_assert_eq(run_command("run bouncing-ball --points 9 -o x.csv"), HELD);
    for (int k = 0; arguments[k]; k++) {
        cr_assert_eq(shell("rm -f file end; { sleep 0.3; '%s' %s; echo $? > end; } "
                           "2> told | true", command_path(), arguments[k]), HELD);
        for (int wait = 0; wait < 400 && !file_is_there("end"); wait++)
            usleep(50000);
        char *told = contents("told"), *end = contents("end"), *file = contents("file");
        cr_expect_str_empty(told, "%s: %s", arguments[k], told);
        cr_expect_str_eq(end, "141\n", "%s: %s", arguments[k], end);
        cr_expect(file && strlen(file) > 50, "%s: %s", arguments[k], file ? file : "-");
        free(told);
        free(end);
        free(file);
    }
}

Test(command_use, a_full_disk_is_an_error)
{
    cr_assert_eq(shell("'%s' list > /dev/full 2> told", command_path()), USAGE);
    char *told = contents("told");
    cr_expect_not_null(strstr(told, "standard output cannot be written"));
    free(told);
}

/* --- runs --------------------------------------------------------------------------- */

static double number_of(const char *text, const char *name)
{
    char line[100];
    snprintf(line, sizeof line, "\n%s,", name);
    const char *at = strstr(text, line);
    cr_assert_not_null(at, "no %s in\n%s", name, text);
    return strtod(at + strlen(line), NULL);
}

/* psi has the terminal cost, which z has not; its gradient is that of differences. */
Test(command_use, run_prints_costs_and_their_gradients)
{
    double psi[2], gradient = 0;
    for (int k = 0; k < 2; k++) {
        char arguments[200];
        snprintf(arguments, sizeof arguments, "run stone-throw --points 2 -o x.csv "
                 "--set speed=%s", k == 0 ? "29.999" : "30.001");
        cr_assert_eq(run_command(arguments), HELD);
        char *out = contents("out");
        cr_expect_eq(strncmp(out, "quantity,value\npsi.pace,", 24), 0, "%s", out);
        psi[k] = number_of(out, "psi.blow");
        gradient += number_of(out, "dpsi.blow/dspeed") / 2;
        free(out);
    }
    cr_expect_float_eq((psi[1] - psi[0]) / 0.002, gradient, 1e-6 * fabs(gradient));
    cr_assert_eq(run_command("run stone-throw --points 2 --brief"), HELD);
    char *err = contents("err");
    cr_expect_str_empty(err, "no terminal: %s", err);
    free(err);
}

/* All but the time is the same in every run. */
Test(command_use, a_run_ends_with_a_line_of_what_it_has_taken)
{
    static const char *const said[] = {
        "run five-bar --points 3", " refused, 3 events, ",
        "run stone-throw --points 3", "largest |Phi| n/a, "};
    for (int k = 0; k < 4; k += 2) {
        char *line[2];
        for (int i = 0; i < 2; i++) {
            cr_assert_eq(run_command(said[k]), HELD);
            line[i] = contents("err");
            cr_expect_eq(count_lines(line[i]), 1, "%s", line[i]);
            cr_expect_eq(strncmp(line[i], "saltus run: ", 12), 0, "%s", line[i]);
            cr_expect_not_null(strstr(line[i], said[k + 1]), "%s", line[i]);
            char *time = strstr(line[i], " s of CPU\n");
            cr_assert_not_null(time, "%s", line[i]);
            while (time[-1] != ' ')
                time--;
            cr_expect_gt(strtod(time, NULL), 0, "%s", line[i]);
            *time = '\0';
        }
        cr_expect_str_eq(line[0], line[1]);
        free(line[0]);
        free(line[1]);
    }
    cr_assert_eq(run_command("run five-bar --points 3 --brief"), HELD);
    char *err = contents("err");
    cr_expect_str_empty(err, "%s", err);
    free(err);
}

Test(command_use, the_limit_of_events_can_be_moved)
{
    expect_complaint("run clocked-oscillator --max-events 2", NO_ANSWER,
                     "2 events; raise the limit (saltus run --max-events)");
    cr_assert_eq(run_command("run clocked-oscillator --max-events 20"), HELD);
    expect_complaint("run clocked-oscillator --max-events 0", USAGE, "whole number");
}

Test(command_use, the_limit_of_steps_can_be_moved)
{
    expect_complaint("run pendulum-angle --max-steps 3", NO_ANSWER,
                     "3 steps; raise the limit (saltus run --max-steps) or rtol");
    cr_assert_eq(run_command("run pendulum-angle --max-steps 300"), HELD);
    expect_complaint("run pendulum-angle --max-steps 0", USAGE, "whole number");
    expect_complaint("run pendulum-angle --max-steps 1e3", USAGE, "whole number");
}

Test(command_use, what_is_asked_for_twice_or_not_at_all_is_refused)
{
    expect_complaint("run bouncing-ball --set e=.5 --set e=.6", USAGE,
                     "--set: e is given twice, e=.5 and e=.6");
    cr_assert_eq(run_command("run bouncing-ball --set e=.85 --set g=9.7"), HELD);
    expect_complaint("run bouncing-ball --sens e,", USAGE, "a name is missing");
    expect_complaint("run bouncing-ball --sens ,e", USAGE, "a name is missing");
    expect_complaint("verify --oracle native,,twin", USAGE, "a name is missing");
}

/* The nominal value of L01 is sqrt(5). */
Test(command_use, a_value_may_be_a_formula_of_numbers)
{
    static const char *const command[] = {
        "run five-bar --brief --points 3 --sens e", "gradient five-bar --cost fall",
        "sweep five-bar --grid e=0.5:1:2"};
    for (size_t k = 0; k < sizeof command / sizeof *command; k++)
        cr_expect_eq(shell("'%s' %s > a && '%s' %s --set L01='sqrt(5)' "
                           "--set k1='pow(10, 2)' --set L02='sqrt(4.25)' > b && "
                           "grep -v '^#' a > c && grep -v '^#' b | cmp - c",
                           command_path(), command[k], command_path(), command[k]), HELD,
                     "%s", command[k]);
    cr_assert_eq(shell("'%s' run five-bar --brief --points 3 --set L01=2 > a; "
                       "'%s' run five-bar --brief --points 3 --set L01='4*sin(pi/6)' "
                       "--columns t > b; [ -s b ] && ! cmp -s a b", command_path(),
                       command_path()), HELD);
    expect_complaint("run five-bar --set L01='sqrt(5'", USAGE,
                     "--set L01: 'sqrt(5' is not a number: column 7: ");
    expect_complaint("run five-bar --set L01=2*e", USAGE, "column 3: ");
    expect_complaint("run five-bar --set L01='sqrt(-1)'", USAGE, "domain: a > 0");
    cr_assert_eq(shell("'%s' run five-bar --brief --points 3 --set L01=2 > a; "
                       "'%s' run five-bar --brief --points 3 --set L01=14/7 | cmp - a",
                       command_path(), command_path()), HELD);
}

Test(command_use, a_start_far_from_zero_is_said_to_cost_digits)
{
    expect_run("run stone-throw --set t_throw=1e6 --t-end 1000002 --points 2", HELD,
               "err", "times are 5.0e+05 of the length of the run: 6 digits of them");
    cr_assert_eq(run_command("run stone-throw --points 2 --set t_throw=1"), HELD);
    char *err = contents("err");
    cr_expect_null(strstr(err, "digits of them"), "%s", err);
    free(err);
}
