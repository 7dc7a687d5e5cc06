/*
 * test_command.c - the command as a user meets it: exit status, one line of complaint,
 * and files that are complete or not there.
 */
#include "running.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

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
    expect_complaint("show bouncing-ball --plot x.png", USAGE, "pictures are SVG");
    expect_complaint("run bouncing-ball --plot /nonexistent/x.svg", USAGE,
                     "/nonexistent");
    expect_complaint("verify bouncing-ball --json /nonexistent/x", USAGE,
                     "/nonexistent/x");
}

Test(command, refuses_missing_and_superfluous_arguments)
{
    expect_complaint("", USAGE, "a command is missing");
    expect_complaint("run", USAGE, "a case is missing");
    expect_complaint("run five-bar slack-rope", USAGE, "too many");
    expect_complaint("run five-bar -o", USAGE, "needs a value");
    expect_complaint("run bouncing-ball -f index1", USAGE, "does not apply");
}

/* --- problems without an answer ----------------------------------------------------- */

Test(command, refuses_a_run_past_the_zeno_time_and_leaves_no_file)
{
    expect_complaint("run bouncing-ball --t-end 40 -o x.csv", NO_ANSWER,
                     "zeno at t = 28.74");
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

Test(command, keeps_the_old_file_when_a_run_is_refused)
{
    cr_assert_eq(run_command("run bouncing-ball --points 3 -o x.csv"), HELD);
    char *before = contents("x.csv");
    cr_assert_eq(run_command("run bouncing-ball --t-end 40 -o x.csv"), NO_ANSWER);
    char *after = contents("x.csv");
    cr_assert_str_eq(after, before);
    cr_assert_eq(files_besides_output(), 2);
    free(before);
    free(after);
}

/* --- results ------------------------------------------------------------------------ */

Test(command, prints_the_header_of_the_readme_exactly)
{
    cr_assert_eq(run_command("run pendulum-wall --points 2 --sens l,e"), HELD);
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

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

Test(command, writes_a_row_for_each_point_and_two_for_each_event)
{
    cr_assert_eq(run_command("run bouncing-ball --points 11 --sens e -o x.csv"), HELD);
    char *table = contents("x.csv"), *events = contents("x.events.csv"),
         *out = contents("out");
    cr_assert_eq(count_lines(table), 12);
    cr_assert_str_empty(out);
    cr_assert_eq(strncmp(events, "event,name,t,dt/de,condition,side,q.y,v.y,", 42), 0);
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

Test(command, gives_the_same_bytes_every_time_and_with_any_number_of_threads)
{
    const char *const again[] = {"--jobs 1", "--jobs 2", "--jobs 3"};
    char *table[3], *json[3];
    for (int k = 0; k < 3; k++) {
        char arguments[200];
        snprintf(arguments, sizeof arguments, "verify pendulum-wall bouncing-ball "
                 "--oracle complex-step --json x.json %s", again[k]);
        cr_assert_eq(run_command(arguments), HELD);
        table[k] = contents("out");
        json[k] = contents("x.json");
        cr_assert_str_eq(table[k], table[0]);
        cr_assert_str_eq(json[k], json[0]);
    }
    for (int k = 0; k < 3; k++) {
        free(table[k]);
        free(json[k]);
    }
}

Test(command, writes_json_that_a_parser_reads)
{
    cr_assert_eq(run_command("verify bouncing-ball --oracle complex-step --json x.json"),
                 HELD);
    cr_assert_eq(run_command("list --json"), HELD);
    char *text[] = {contents("x.json"), contents("out")};
    cr_assert_eq(run_command("show slack-rope --json"), HELD);
    char *shown = contents("out");
    cJSON *verdicts = cJSON_Parse(text[0]), *list = cJSON_Parse(text[1]);
    cJSON *show = cJSON_Parse(shown);
    cr_assert_not_null(verdicts);
    cr_assert_not_null(list);
    cr_assert_not_null(show);
    cr_assert(cJSON_IsString(cJSON_GetObjectItem(verdicts, "saltus")));
    cr_assert(cJSON_IsObject(cJSON_GetObjectItem(verdicts, "settings")));
    cr_assert_gt(cJSON_GetArraySize(cJSON_GetObjectItem(verdicts, "verdicts")), 100);
    cr_assert_geq(cJSON_GetArraySize(list), 7);
    cJSON_Delete(verdicts);
    cJSON_Delete(list);
    cJSON_Delete(show);
    free(text[0]);
    free(text[1]);
    free(shown);
}

Test(command, catches_a_printed_rule_by_name_at_the_first_wrong_number)
{
    cr_assert_eq(run_command("verify five-bar -f index1 --oracle complex-step "
                             "--rule corner-94-printed"), SHORT);
    char *out = contents("out");
    cr_assert_not_null(strstr(out, "rule corner-94-printed: caught at event 1: "
                              "dlambda.1/dL01 after, 0."), "%s", out);
    cr_assert_not_null(strstr(out, "\n  events 1, 2, 3: Lambda- kept: multipliers given "
                              "a memory (all parameters)\n"), "%s", out);
    free(out);
}

Test(command, names_the_term_that_is_wrong_also_in_json)
{
    cr_assert_eq(run_command("verify pendulum-stop --rule minus-a-minus --oracle "
                             "certified --json x.json"), SHORT);
    char *out = contents("out"), *json = contents("x.json");
    cJSON *object = cJSON_Parse(json), *verdict;
    const char *cause = NULL;
    cJSON_ArrayForEach(verdict, cJSON_GetObjectItem(object, "verdicts"))
        if (cJSON_GetObjectItem(verdict, "cause"))
            cause = cJSON_GetObjectItem(verdict, "cause")->valuestring;
    cr_assert_not_null(cause, "%s", out);
    cr_assert_not_null(strstr(cause, "wrong sign of a- tau"), "%s", cause);
    cr_assert_not_null(strstr(out, cause), "%s", out);
    cJSON_Delete(object);
    free(json);
    free(out);
}

Test(command, lists_the_wrong_rules_and_offers_the_nearest)
{
    expect_run("list --rules", HELD, "out", "r_rho missing in dt_e/drho");
    expect_run("verify --help", HELD, "out", "no-TERM");
    expect_complaint("verify bouncing-ball --rule no-r-rh", USAGE, "no-r-rho");
}

Test(command, prints_the_matrix_and_refuses_what_does_not_go_with_it)
{
    cr_assert_eq(run_command("verify --matrix bouncing-ball pendulum-stop --json x.json"),
                 HELD);
    char *out = contents("out"), *json = contents("x.json");
    cJSON *object = cJSON_Parse(json);
    cr_assert_not_null(strstr(out, "no mode has constraints: the same as ode"), "%s",
                       out);
    cr_assert_not_null(object);
    cr_assert(cJSON_IsArray(cJSON_GetObjectItem(object, "matrix")));
    cJSON_Delete(object);
    free(out);
    free(json);
    cr_assert_eq(run_command("verify --matrix bouncing-ball --digits 15.95"), SHORT);
}

Test(command, refuses_options_that_do_not_go_together)
{
    expect_complaint("verify --matrix -f ode", USAGE, "leave out --formulation");
    expect_complaint("verify --matrix --rule no-dte", USAGE, "leave it out");
    expect_complaint("verify --matrix --oracle native", USAGE, "leave out --oracle");
    expect_complaint("verify --matrix --study alpha", USAGE, "two tables");
    expect_complaint("verify --study alpha --reset continuous", USAGE,
                     "both reset policies");
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

Test(command, falls_short_of_a_bar_that_doubles_cannot_reach)
{
    cr_assert_eq(run_command("verify bouncing-ball --oracle complex-step --digits 15.9"),
                 SHORT);
}

Test(command, says_what_to_do_when_there_are_no_certified_values)
{
    setenv("SALTUS_VALUES", "/nonexistent", 1);
    expect_run("verify bouncing-ball --oracle certified", SHORT, "out",
               "no certified values: saltus certify bouncing-ball");
}

/* The last number of this name in a file of the folder gets another first digit. */
static void falsify(const char *file, const char *name)
{
    char *text = contents(file), *last = NULL;
    for (char *at = text; (at = strstr(at, name)); at++)
        last = at + strlen(name);
    cr_assert_not_null(last, "no %s in %s", name, file);
    last += strcspn(last, "123456789");
    *last = *last == '1' ? '2' : '1';
    write_file(file, text);
    free(text);
}

Test(command, certifies_values_that_hold_and_sees_one_false_digit_in_them)
{
    setenv("SALTUS_VALUES", folder, 1);
    cr_assert_eq(run_command("certify bouncing-ball --digits 15"), HELD);
    cr_assert_eq(run_command("verify bouncing-ball --oracle certified"), HELD);
    falsify("bouncing-ball.ref", "\ndv.y/dg ");
    cr_assert_eq(run_command("verify bouncing-ball --oracle certified"), SHORT);
    char *out = contents("out");
    cr_assert_not_null(strstr(out, "1 of 480 numbers short"), "%s", out);
    cr_assert_not_null(strstr(out, "event 3: dv.y/dg after"), "%s", out);
    free(out);
}

Test(command, studies_how_a_penalty_motion_approaches_the_exact_one)
{
    expect_run("verify pendulum-wall -f penalty --study alpha", HELD, "out",
               "gap of dq/drho");
    expect_run("verify rope-catch -f penalty --study alpha", HELD, "out", " stays\n");
    expect_complaint("verify bouncing-ball --study alpha", USAGE, "needs a case with");
    expect_complaint("verify five-bar --study beta", USAGE, "no study beta");
}

/* The JSON of a study of pendulum-wall: its table as objects, with the settings. */
static cJSON *study_json(const char *arguments)
{
    char command[200];
    snprintf(command, sizeof command, "verify pendulum-wall --json x.json %s", arguments);
    cr_assert_eq(run_command(command), HELD);
    char *text = contents("x.json");
    cJSON *object = cJSON_Parse(text);
    cr_assert_not_null(object, "not JSON: %s", text);
    cr_expect(cJSON_IsObject(cJSON_GetObjectItem(object, "settings")));
    cr_expect(cJSON_IsString(cJSON_GetObjectItem(object, "saltus")));
    free(text);
    return object;
}

static double number_at(const cJSON *item, const char *list, int k)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(item, list), k)->valuedouble;
}

Test(command, writes_what_a_study_has_found_as_json)
{
    cJSON *object = study_json("-f penalty --study alpha");
    cr_expect_str_eq(cJSON_GetObjectItem(object, "study")->valuestring, "alpha");
    const cJSON *found = cJSON_GetObjectItem(object, "found");
    cr_assert_eq(cJSON_GetArraySize(found), 1);
    const cJSON *item = cJSON_GetArrayItem(found, 0);
    cr_expect_str_eq(cJSON_GetObjectItem(item, "formulation")->valuestring, "penalty");
    cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(item, "held")));
    cr_expect_eq(number_at(item, "alpha", 2), 100 * number_at(item, "alpha", 0));
    cr_expect_gt(number_at(item, "digits", 0), 9);
    const cJSON *measured = cJSON_GetObjectItem(item, "measured"), *one;
    cr_expect_eq(cJSON_GetArraySize(measured), 8);
    cJSON_ArrayForEach(one, measured) {
        double order = log10(number_at(one, "size", 0) / number_at(one, "size", 1));
        cr_expect_float_eq(number_at(one, "orders", 0), order, 1e-12);
        cr_expect_float_eq(order, 1, 0.05);
    }
    cJSON_Delete(object);
    object = study_json("--study order");
    item = cJSON_GetArrayItem(cJSON_GetObjectItem(object, "found"), 0);
    one = cJSON_GetArrayItem(cJSON_GetObjectItem(item, "measured"), 1);
    cr_expect_float_eq(log2(number_at(one, "size", 0) / number_at(one, "size", 1)),
                       cJSON_GetObjectItem(one, "order")->valuedouble, 1e-12);
    cJSON_Delete(object);
}

Test(command, holds_the_general_rule_and_catches_one_without_the_moving_event)
{
    cr_assert_eq(run_command("verify bouncing-ball --rule saltation "
                             "--oracle complex-step"), HELD);
    cr_assert_eq(run_command("verify bouncing-ball --rule no-dte --oracle complex-step"),
                 SHORT);
    char *out = contents("out");
    cr_assert_not_null(strstr(out, "rule no-dte: caught at event 1: dt/dg, 0.0 digits"),
                       "%s", out);
    free(out);
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
    put_program("gnuplot", "#!/bin/sh\necho '<svg>'\n");
    expect_complaint("run bouncing-ball --plot /dev/full", USAGE,
                     "/dev/full: cannot be written: No space left");
}
