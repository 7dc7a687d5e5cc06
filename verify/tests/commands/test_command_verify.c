/*
 * test_command_verify.c - `saltus verify` and `saltus certify` as a user meets them.
 */
#include <math.h>

#include "parsing.h"
#include "resealing.h"

TestSuite(command_verify, .init = make_folder, .fini = remove_folder);

/* --- verdicts ----------------------------------------------------------------------- */

Test(command_verify, gives_the_same_bytes_every_time_and_with_any_number_of_threads)
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

/* The line is there before the first job begins; hours are not waited for. */
Test(command_verify, says_beforehand_that_large_cases_take_long, .timeout = 60)
{
    shell("'%s' verify pendulum-chain-100 --jobs 1 > out 2> told & pid=$!; "
          "for k in $(seq 300); do grep -q . told && break; sleep 0.1; done; "
          "kill $pid; wait $pid", command_path());
    char *told = contents("told");
    const char *end = told ? strchr(told, '\n') : NULL;
    cr_assert_not_null(end, "nothing is said");
    const char *hint = strstr(told, ", by a rough estimate; longest: pendulum-chain-100, "
                                   "ggl; --formulation F judges one");
    cr_expect(hint && hint < end, "%s", told);
    cr_expect_eq(strncmp(told, "saltus verify: this may take ", 29), 0, "%s", told);
    free(told);
}

Test(command_verify, writes_json_that_a_parser_reads)
{
    cr_assert_eq(run_command("verify bouncing-ball --oracle complex-step --json x.json"),
                 HELD);
    cr_assert_eq(run_command("list --json"), HELD);
    cJSON *verdicts = json_of("x.json"), *list = json_of("out");
    cr_assert_eq(run_command("show slack-rope --json"), HELD);
    cJSON *show = json_of("out");
    cr_assert(cJSON_IsString(cJSON_GetObjectItem(verdicts, "saltus")));
    cr_assert(cJSON_IsObject(cJSON_GetObjectItem(verdicts, "settings")));
    cr_assert_gt(cJSON_GetArraySize(cJSON_GetObjectItem(verdicts, "verdicts")), 100);
    cr_assert_geq(cJSON_GetArraySize(list), 7);
    cJSON_Delete(verdicts);
    cJSON_Delete(list);
    cJSON_Delete(show);
}

Test(command_verify, falls_short_of_a_bar_that_doubles_cannot_reach)
{
    cr_assert_eq(run_command("verify bouncing-ball --oracle complex-step --digits 15.9"),
                 SHORT);
}

Test(command_verify, prints_the_matrix_and_refuses_what_does_not_go_with_it)
{
    cr_assert_eq(run_command("verify --matrix bouncing-ball pendulum-stop --json x.json"),
                 HELD);
    char *out = contents("out");
    cJSON *object = json_of("x.json");
    cr_assert_not_null(strstr(out, "no mode has constraints: the same as ode"), "%s",
                       out);
    cr_assert(cJSON_IsArray(cJSON_GetObjectItem(object, "matrix")));
    cJSON_Delete(object);
    free(out);
    cr_assert_eq(run_command("verify --matrix bouncing-ball --digits 15.95"), SHORT);
}

Test(command_verify, refuses_options_that_do_not_go_together)
{
    expect_complaint("verify --matrix -f ode", USAGE, "leave out --formulation");
    expect_complaint("verify --matrix --rule no-dte", USAGE, "leave it out");
    expect_complaint("verify --matrix --oracle native", USAGE, "leave out --oracle");
    expect_complaint("verify --matrix --study alpha", USAGE, "two tables");
    expect_complaint("verify --study alpha --reset continuous", USAGE,
                     "both reset policies");
}

/* --- rules -------------------------------------------------------------------------- */

Test(command_verify, holds_the_general_rule_and_catches_one_without_the_moving_event)
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

Test(command_verify, catches_a_printed_rule_by_name_at_the_first_wrong_number)
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

Test(command_verify, names_the_term_that_is_wrong_also_in_json)
{
    cr_assert_eq(run_command("verify pendulum-stop --rule minus-a-minus --oracle "
                             "certified --json x.json"), SHORT);
    char *out = contents("out");
    cJSON *object = json_of("x.json"), *verdict;
    const char *cause = NULL;
    cJSON_ArrayForEach(verdict, cJSON_GetObjectItem(object, "verdicts"))
        if (cJSON_GetObjectItem(verdict, "cause"))
            cause = cJSON_GetObjectItem(verdict, "cause")->valuestring;
    cr_assert_not_null(cause, "%s", out);
    cr_assert_not_null(strstr(cause, "wrong sign of a- tau"), "%s", cause);
    cr_assert_not_null(strstr(out, cause), "%s", out);
    cJSON_Delete(object);
    free(out);
}

Test(command_verify, lists_the_wrong_rules_and_offers_the_nearest)
{
    expect_run("list --rules", HELD, "out", "r_rho missing in dt_e/drho");
    expect_run("verify --help", HELD, "out", "no-TERM");
    expect_complaint("verify bouncing-ball --rule no-r-rh", USAGE, "no-r-rho");
}

/* --- certified values --------------------------------------------------------------- */

Test(command_verify, says_what_to_do_when_there_are_no_certified_values)
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

Test(command_verify, certifies_values_that_hold_and_sees_one_false_digit_in_them)
{
    setenv("SALTUS_VALUES", folder, 1);
    cr_assert_eq(run_command("certify bouncing-ball --digits 15"), HELD);
    cr_assert_eq(run_command("verify bouncing-ball --oracle certified"), HELD);
    falsify("bouncing-ball.ref", "\ndv.y/dg ");
    reseal("bouncing-ball.ref");
    cr_assert_eq(run_command("verify bouncing-ball --oracle certified"), SHORT);
    char *out = contents("out");
    cr_assert_not_null(strstr(out, "1 of 480 numbers short"), "%s", out);
    cr_assert_not_null(strstr(out, "event 3: dv.y/dg after"), "%s", out);
    free(out);
}

/* A guard of the wrong sign looks like that. */
Test(command_verify, says_that_an_event_never_happens)
{
    expect_run("verify grazing-missed -f ode", HELD, "out",
               "event ceiling never happens\n");
    expect_run("run grazing-missed --points 2", HELD, "err",
               "event ceiling never happens up to t = 2.5");
    expect_run("run bouncing-ball --points 2 --t-end 1", HELD, "err",
               "event impact never happens up to t = 1");
    cr_assert_eq(run_command("run bouncing-ball --points 2 --brief"), HELD);
    char *err = contents("err");
    cr_expect_str_empty(err);
    free(err);
    cr_assert_eq(run_command("run grazing-missed -o x.csv"), HELD);
    expect_run("check grazing-missed x.csv", HELD, "out",
               "event ceiling never happens\n");
    expect_run("sweep bouncing-ball --t-end 1 --grid e=0.5:0.6:2", HELD, "err",
               "event impact never happens in 2 trajectories");
    cr_assert_eq(run_command("sweep bouncing-ball --grid e=0.8:0.9:2"), HELD);
    err = contents("err");
    cr_expect_str_empty(err);
    free(err);
    setenv("SALTUS_VALUES", folder, 1);
    expect_run("certify grazing-missed --digits 30", HELD, "out",
               "1 events; event ceiling never happens\n");
}

/* --- studies ------------------------------------------------------------------------ */

Test(command_verify, studies_how_a_penalty_motion_approaches_the_exact_one)
{
    expect_run("verify pendulum-wall -f penalty --study alpha", HELD, "out",
               "gap of dq/drho");
    expect_run("verify rope-catch -f penalty --study alpha", HELD, "out", " stays\n");
    /* There alpha = 1e7 leaves two digits of what the jump of the rope magnifies. */
    expect_run("verify rope-catch -f modified-lagrange --study alpha", HELD, "out",
               " stays\n");
    expect_complaint("verify bouncing-ball --study alpha", USAGE, "needs a case with");
    expect_complaint("verify five-bar --study beta", USAGE, "no study beta");
}

/* The JSON of a study of pendulum-wall: its table as objects, with the settings. */
static cJSON *study_json(const char *arguments)
{
    char command[200];
    snprintf(command, sizeof command, "verify pendulum-wall --json x.json %s", arguments);
    cr_assert_eq(run_command(command), HELD);
    cJSON *object = json_of("x.json");
    cr_expect(cJSON_IsObject(cJSON_GetObjectItem(object, "settings")));
    cr_expect(cJSON_IsString(cJSON_GetObjectItem(object, "saltus")));
    return object;
}

static double number_at(const cJSON *item, const char *list, int k)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(item, list), k)->valuedouble;
}

Test(command_verify, writes_what_a_study_has_found_as_json)
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
