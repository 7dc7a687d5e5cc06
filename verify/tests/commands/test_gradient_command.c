/*
 * test_gradient_command.c - `saltus gradient`: methods that agree through events, what is
 * refused and how, tables and JSON with the same numbers, output that is complete or not
 * there.
 */
#include <math.h>

#include "base/number_text.h"
#include "gradients/cost_gradient.h"
#include "parsing.h"

TestSuite(gradient_command, .init = make_folder, .fini = remove_folder, .timeout = 120);

/* --- what is read back -------------------------------------------------------------- */

/* The JSON of `saltus gradient ARGUMENTS --json`; the caller deletes it. */
static cJSON *gradient_of(const char *arguments, int status)
{
    char line[400];
    snprintf(line, sizeof line, "gradient %s --json", arguments);
    int got = run_command(line);
    char *err = contents("err");
    cr_assert_eq(got, status, "%s: exit %d, not %d: %s", line, got, status, err);
    free(err);
    return json_of("out");
}

static const cJSON *method_of(const cJSON *object, const char *name)
{
    const cJSON *method;
    cJSON_ArrayForEach(method, cJSON_GetObjectItem(object, "methods"))
        if (strcmp(cJSON_GetObjectItem(method, "method")->valuestring, name) == 0)
            return method;
    cr_assert_fail("no method %s", name);
    return NULL;
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    cr_assert(cJSON_IsNumber(item), "no number %s", name);
    return item->valuedouble;
}

static const char *status_of(const cJSON *object, const char *method)
{
    return cJSON_GetObjectItem(method_of(object, method), "status")->valuestring;
}

/* --- methods ------------------------------------------------------------------------ */

/* All methods on one cost; complex step and differences agree to so many digits. */
static void expect_agreement(const char *arguments, int events, double bar,
                             double difference)
{
    char line[300];
    snprintf(line, sizeof line, "%s --method all", arguments);
    cJSON *object = gradient_of(line, HELD);
    for (const struct cost_gradient_method *m = cost_gradient_methods; m->name; m++) {
        const cJSON *method = method_of(object, m->name);
        cr_assert_str_eq(status_of(object, m->name), "ok", "%s, %s", arguments, m->name);
        cr_expect_eq(number(method, "events"), events, "%s, %s", arguments, m->name);
        cr_expect_gt(number(method, "steps"), 0);
        cr_expect_eq(cJSON_HasObjectItem(method, "points_back"), m->backwards);
        cr_expect_not(cJSON_HasObjectItem(method, "cpu_seconds"));
        if (m > cost_gradient_methods)
            cr_expect_geq(number(method, "digits"), m->estimates ? difference : bar,
                          "%s, %s", arguments, m->name);
    }
    cJSON_Delete(object);
}

Test(gradient_command, methods_agree_through_events)
{
    expect_agreement("five-bar --cost fall --rtol 1e-11", 3, 10, 8.5);
    expect_agreement("five-bar --cost pull", 3, 10, 8.5);
    expect_agreement("pendulum-wall --cost pull", 4, 10, 9);
    expect_agreement("compass-gait --rtol 1e-11", 7, 10, 9);
    expect_agreement("bouncing-ball --cost height", 3, 12, 11);
    expect_agreement("stick-slip-impact --cost work", 16, 9, 7.5);
}

/* The motion is the same in every exact formulation, a penalty moves it a little; of a
   DAE complex step runs the reduced formulation, and says so. */
Test(gradient_command, methods_agree_in_other_formulations)
{
    expect_agreement("five-bar --cost fall -f augmented --sens L01,e", 3, 8, 7);
    expect_agreement("five-bar --cost fall -f penalty --opt alpha=1e6 --sens e", 3, 9, 8);
    cJSON *object = gradient_of("five-bar --cost fall -f index3 --rtol 1e-9 --sens e "
                                "--method direct,adjoint,complex-step", HELD);
    cr_expect_geq(number(method_of(object, "adjoint"), "digits"), 6);
    cr_expect_geq(number(method_of(object, "complex-step"), "digits"), 6);
    cr_expect_str_eq(cJSON_GetObjectItem(method_of(object, "complex-step"),
                                         "formulation")->valuestring, "index1");
    cJSON_Delete(object);
}

/* A small problem by hand: a ball dropped from h0 = 2 without an impact. The cost is the
   integral of y: h0 T - g T^3/6. */
Test(gradient_command, is_the_derivative_that_is_known)
{
    cJSON *object = gradient_of("bouncing-ball --cost height --set h0=2 --set u=0 "
                                "--t-end 0.5 --sens g,h0 --method all", HELD);
    const cJSON *list = cJSON_GetObjectItem(object, "parameters");
    for (const struct cost_gradient_method *m = cost_gradient_methods; m->name; m++) {
        const cJSON *g = cJSON_GetObjectItem(cJSON_GetArrayItem(list, 0), "derivatives");
        const cJSON *h0 = cJSON_GetObjectItem(cJSON_GetArrayItem(list, 1), "derivatives");
        cr_expect_float_eq(number(g, m->name), -0.5*0.5*0.5/6, 1e-11, "%s", m->name);
        cr_expect_float_eq(number(h0, m->name), 0.5, 1e-11, "%s", m->name);
    }
    cJSON_Delete(object);
}

/* The estimate covers what the direct method says, but for a small factor. */
Test(gradient_command, a_difference_knows_its_error)
{
    static const char *const cases[] = {"five-bar --cost fall", "compass-gait",
                                        "two-link", "pendulum-friction --cost loss",
                                        NULL};
    for (int k = 0; cases[k]; k++) {
        char line[200];
        snprintf(line, sizeof line, "%s --method direct,difference", cases[k]);
        cJSON *object = gradient_of(line, HELD);
        const cJSON *parameter;
        cJSON_ArrayForEach(parameter, cJSON_GetObjectItem(object, "parameters")) {
            const cJSON *d = cJSON_GetObjectItem(parameter, "derivatives");
            const cJSON *e = cJSON_GetObjectItem(parameter, "estimated_errors");
            double off = fabs(number(d, "difference") - number(d, "direct"));
            cr_expect_leq(off, 5 * number(e, "difference"), "%s: %s: %g", cases[k],
                          cJSON_GetObjectItem(parameter, "name")->valuestring, off);
        }
        cJSON_Delete(object);
    }
}

/* A rule belongs to the methods that have saltation; the others see that it is wrong. */
Test(gradient_command, a_wrong_rule_shows_beside_complex_step)
{
    cJSON *object = gradient_of("five-bar --cost fall --rule no-dte --sens L01,e "
                                "--method complex-step,difference,direct,adjoint", HELD);
    cr_expect_geq(number(method_of(object, "difference"), "digits"), 8);
    cr_expect_leq(number(method_of(object, "direct"), "digits"), 2);
    cr_expect_leq(number(method_of(object, "adjoint"), "digits"), 2);
    cJSON_Delete(object);
}

/* Steps that are made again differ by rounding: the way back has their lengths as
   differences of times. */
Test(gradient_command, little_memory_repeats_steps_and_changes_no_digit)
{
    cJSON *much = gradient_of("five-bar --cost fall", HELD);
    cJSON *little = gradient_of("five-bar --cost fall --memory 0.001", HELD);
    cr_expect_eq(number(method_of(much, "adjoint"), "steps_repeated"), 0);
    cr_expect_gt(number(method_of(little, "adjoint"), "steps_repeated"), 0);
    cr_expect_eq(number(method_of(much, "adjoint"), "psi"),
                 number(method_of(little, "adjoint"), "psi"));
    const cJSON *others = cJSON_GetObjectItem(little, "parameters"), *parameter;
    int k = 0;
    cJSON_ArrayForEach(parameter, cJSON_GetObjectItem(much, "parameters")) {
        const cJSON *other = cJSON_GetArrayItem(others, k++);
        double a = number(cJSON_GetObjectItem(parameter, "derivatives"), "adjoint");
        double b = number(cJSON_GetObjectItem(other, "derivatives"), "adjoint");
        cr_expect_leq(fabs(a - b), 1e-11 * fabs(a), "%g, %g", a, b);
    }
    cr_expect_eq(k, 6);
    cJSON_Delete(much);
    cJSON_Delete(little);
}

/* --- second derivatives ------------------------------------------------------------- */

/* The Hessian of the only method. */
static cJSON *rows_of(const cJSON *object, const char *method, const char *name)
{
    cJSON *rows = cJSON_GetObjectItem(method_of(object, method), name);
    cr_assert(cJSON_IsArray(rows), "no %s of %s", name, method);
    return rows;
}

Test(gradient_command, second_derivatives_in_double_are_certified)
{
    cJSON *object = gradient_of("bouncing-ball --cost height --hessian --method all",
                                HELD);
    const cJSON *adjoint = method_of(object, "adjoint");
    const cJSON *certified = method_of(object, "certified");
    cr_expect_geq(number(adjoint, "symmetric"), 12);
    cr_expect_geq(number(certified, "digits"), 11);
    cr_expect_geq(number(certified, "digits_agreed"), 20);
    cr_expect_float_eq(number(certified, "order"), 2, 1e-6);
    cr_expect_eq(number(certified, "events"), 3);
    int p = cJSON_GetArraySize(cJSON_GetObjectItem(object, "parameters"));
    const cJSON *row, *text, *rows = rows_of(object, "certified", "certified");
    const cJSON *in_double = rows_of(object, "adjoint", "hessian");
    cr_expect_eq(cJSON_GetArraySize(rows), p);
    int j = 0;
    cJSON_ArrayForEach(row, rows) {
        int k = 0;
        cr_expect_eq(cJSON_GetArraySize(row), p);
        cJSON_ArrayForEach(text, row) {
            double want = strtod(text->valuestring, NULL);
            double got = cJSON_GetArrayItem(cJSON_GetArrayItem(in_double, j), k)
                             ->valuedouble;
            cr_expect_float_eq(got, want, 1e-8 * fmax(1, fabs(want)), "%d, %d: %s", j,
                               k, text->valuestring);
            k++;
        }
        j++;
    }
    cJSON_Delete(object);
}

/* 20 digits of g and e where 20 are asked for, 30 where 30 are. */
Test(gradient_command, certified_digits_are_those_asked_for)
{
    expect_run("gradient bouncing-ball --cost height --hessian --method certified "
               "--sens g,e", HELD, "out", "195.30560898426122322");
    expect_run("gradient bouncing-ball --cost height --hessian --method certified "
               "--sens g,e --digits 30", HELD, "out", "195.305608984261223");
    cJSON *object = gradient_of("bouncing-ball --cost height --hessian --method "
                                "certified --sens g,e --digits 30", HELD);
    const cJSON *row = cJSON_GetArrayItem(rows_of(object, "certified", "certified"), 0);
    cr_expect_eq(strlen(cJSON_GetArrayItem(row, 1)->valuestring), 31);
    cJSON_Delete(object);
}

Test(gradient_command, a_wrong_rule_has_a_symmetric_hessian_that_is_not_certified)
{
    cJSON *object = gradient_of("bouncing-ball --cost height --hessian --method "
                                "certified,adjoint --rule no-dte", HELD);
    cr_expect_geq(number(method_of(object, "adjoint"), "symmetric"), 12);
    cr_expect_leq(number(method_of(object, "adjoint"), "digits"), 2);
    cJSON_Delete(object);
}

/* The table has the numbers of the JSON. */
Test(gradient_command, a_hessian_is_a_square_table)
{
    cJSON *object = gradient_of("five-bar --cost fall --hessian --sens L01,e", HELD);
    cr_assert_eq(run_command("gradient five-bar --cost fall --hessian --sens L01,e"),
                 HELD);
    char *table = contents("out"), text[NUMBER_TEXT_ROOM];
    const cJSON *row, *entry;
    int numbers = 0;
    cJSON_ArrayForEach(row, rows_of(object, "adjoint", "hessian"))
        cJSON_ArrayForEach(entry, row) {
            number_text(text, entry->valuedouble);
            cr_expect_not_null(strstr(table, text), "%s: %s", text, table);
            numbers++;
        }
    cr_expect_eq(numbers, 4);
    cr_expect_not_null(strstr(table, "symmetric"));
    free(table);
    cJSON_Delete(object);
}

Test(gradient_command, a_hessian_is_refused_in_one_line)
{
    expect_complaint("gradient five-bar --cost fall --hessian --method direct", USAGE,
                     "direct has no second derivatives");
    expect_complaint("gradient five-bar --cost fall --hessian --method discrete-adjoint",
                     USAGE, "with --hessian: adjoint, certified");
    expect_complaint("gradient five-bar --cost fall --hessian --method adjoit", USAGE,
                     "did you mean adjoint?");
    expect_complaint("gradient five-bar --cost fall --hessian --method adjoint,adjoint",
                     USAGE, "named twice");
    expect_complaint("gradient five-bar --cost fall --method certified", USAGE,
                     "add --hessian");
    expect_complaint("gradient five-bar --cost fall --digits 30", USAGE, "--hessian");
    expect_complaint("gradient five-bar --cost fall --hessian --digits 30", USAGE,
                     "--method certified");
    expect_complaint("gradient five-bar --cost fall --hessian --timing", USAGE,
                     "--timing");
    expect_complaint("gradient grazing --hessian", NO_ANSWER, "grazing at t = ");
    expect_complaint("gradient grazing --hessian --method certified -o y", NO_ANSWER,
                     "grazing at t = 1");
    cr_expect_not(file_is_there("y"));
    expect_complaint("gradient five-bar-redundant --cost fall --hessian -f baumgarte",
                     NO_ANSWER, "not-applicable");
}

/* --- output ------------------------------------------------------------------------- */

/* The table has every number of the JSON, digit by digit, and no other values. */
Test(gradient_command, table_and_json_have_the_same_numbers)
{
    cJSON *object = gradient_of("five-bar --cost fall --method direct,difference", HELD);
    cr_assert_eq(run_command("gradient five-bar --cost fall --method direct,difference"),
                 HELD);
    char *table = contents("out"), text[NUMBER_TEXT_ROOM];
    const cJSON *parameter, *derivative;
    int numbers = 0;
    cJSON_ArrayForEach(parameter, cJSON_GetObjectItem(object, "parameters"))
        cJSON_ArrayForEach(derivative, cJSON_GetObjectItem(parameter, "derivatives")) {
            number_text(text, derivative->valuedouble);
            cr_expect_not_null(strstr(table, text), "%s: %s", text, table);
            numbers++;
        }
    number_text(text, number(method_of(object, "direct"), "psi"));
    cr_expect_not_null(strstr(table, text));
    cr_expect_eq(numbers, 12);
    free(table);
    cJSON_Delete(object);
}

/* Compiled or not, on one thread or several. */
Test(gradient_command, output_is_the_same_to_the_byte)
{
    static const char *const forms[] = {"", "--json", NULL};
    for (int k = 0; forms[k]; k++) {
        const char *command = "gradient five-bar --cost jerk --method all --sens L01,e";
        cr_assert_eq(shell("'%s' %s %s -o a && SALTUS_CODE=never '%s' %s %s > b",
                           command_path(), command, forms[k], command_path(), command,
                           forms[k]), HELD);
        expect_same_files("a", "b", forms[k]);
    }
}

Test(gradient_command, times_are_told_when_asked_for)
{
    cJSON *object = gradient_of("pendulum-wall --cost swing --timing", HELD);
    cr_expect_gt(number(method_of(object, "adjoint"), "cpu_seconds"), 0);
    cJSON_Delete(object);
    expect_run("gradient pendulum-wall --cost swing --timing", HELD, "out", "CPU s");
}

Test(gradient_command, a_file_is_complete_or_absent)
{
    cr_assert_eq(run_command("gradient compass-gait --json -o x.json"), HELD);
    char *out = contents("out");
    cr_expect_str_empty(out, "%s", out);
    cJSON_Delete(json_of("x.json"));
    expect_complaint("gradient grazing -o y", NO_ANSWER, "grazing");
    expect_complaint("gradient compass-gait -o no/y", USAGE, "no/y");
    expect_complaint("gradient compass-gait --opt kd=@x.json -f baumgarte -o x.json",
                     USAGE, "x.json");
    cr_expect_not(file_is_there("y"));
    cr_assert_eq(shell("'%s' gradient compass-gait --json -o - > z && cmp x.json z",
                       command_path()), HELD);
    free(out);
}

/* --- refusals ----------------------------------------------------------------------- */

Test(gradient_command, refusals_have_status_time_and_place)
{
    expect_complaint("gradient grazing", NO_ANSWER, "grazing at t = ");
    expect_complaint("gradient grazing --method direct", NO_ANSWER, "guard ceiling");
    expect_complaint("gradient newton-cradle --method discrete-adjoint", NO_ANSWER,
                     "simultaneous at t = ");
    expect_complaint("gradient bouncing-ball --cost height --t-end 40", NO_ANSWER,
                     "zeno at t = ");
    expect_complaint("gradient bouncing-ball --cost height --max-steps 2", NO_ANSWER,
                     "too-many-steps");
    expect_complaint("gradient bouncing-ball --cost height --max-events 2", NO_ANSWER,
                     "too-many-events");
}

/* The first impact is a microsecond before the end: with g moved it comes after the end,
   or before, whatever the step. */
Test(gradient_command, no_difference_goes_across_an_event_that_vanishes)
{
    static const char edge[] = "bouncing-ball --cost height --t-end 3.194384 --sens g";
    char line[200];
    snprintf(line, sizeof line, "gradient %s --method difference", edge);
    expect_complaint(line, NO_ANSWER, "impact");
    snprintf(line, sizeof line, "%s --method adjoint,complex-step,difference", edge);
    cJSON *object = gradient_of(line, HELD);
    cr_expect_geq(number(method_of(object, "complex-step"), "digits"), 12);
    cr_expect_str_eq(status_of(object, "difference"), "no-convergence");
    const cJSON *diagnosis = cJSON_GetObjectItem(method_of(object, "difference"),
                                                 "diagnosis");
    cr_expect_float_eq(number(diagnosis, "t"), 3.194384, 1e-3);
    cr_expect_not_null(strstr(cJSON_GetObjectItem(diagnosis, "place")->valuestring,
                              "impact"));
    cJSON_Delete(object);
}

/* The exit status is that of the first method. */
Test(gradient_command, a_method_that_does_not_apply_is_a_column_that_says_so)
{
    expect_complaint("gradient five-bar --cost fall -i taylor --method discrete-adjoint",
                     NO_ANSWER, "not-applicable");
    expect_run("gradient five-bar --cost fall -i taylor --method direct,discrete-adjoint",
               HELD, "out", "\ndiscrete-adjoint: not-applicable: ");
    char *err = contents("err");
    cr_expect_str_empty(err, "%s", err);
    expect_run("gradient five-bar --cost fall -i taylor --method discrete-adjoint,direct",
               NO_ANSWER, "out", "\ndiscrete-adjoint: not-applicable: ");
    cJSON *object = gradient_of("five-bar --cost fall -i taylor --sens e --method "
                                "discrete-adjoint,direct", NO_ANSWER);
    cr_expect_str_eq(status_of(object, "direct"), "ok");
    cr_expect(cJSON_IsNull(cJSON_GetObjectItem(method_of(object, "direct"), "digits")));
    const cJSON *e = cJSON_GetArrayItem(cJSON_GetObjectItem(object, "parameters"), 0);
    cr_expect(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(e, "derivatives"),
                                               "discrete-adjoint")));
    cJSON_Delete(object);
    free(err);
}

/* --- wrong requests ----------------------------------------------------------------- */

Test(gradient_command, refuses_wrong_requests_in_one_line)
{
    expect_complaint("gradient", USAGE, "a case is missing");
    expect_complaint("gradient five-baar --cost fall", USAGE, "did you mean five-bar");
    expect_complaint("gradient five-bar", USAGE, "known: fall, jerk, pull, path");
    expect_complaint("gradient five-bar --cost fal", USAGE, "did you mean fall?");
    expect_complaint("gradient five-bar --cost zzz", USAGE, "known: fall, jerk");
    expect_complaint("gradient ball-table", USAGE, "ball-table has no cost");
    expect_complaint("gradient five-bar --cost fall --method direkt", USAGE,
                     "did you mean direct?");
    expect_complaint("gradient five-bar --cost fall --method direct,direct", USAGE,
                     "named twice");
    expect_complaint("gradient five-bar --cost fall --method direct,", USAGE, "--method");
    expect_complaint("gradient five-bar --cost fall --sens none", USAGE, "--sens");
    expect_complaint("gradient five-bar --cost fall --sens L0", USAGE, "did you mean");
    expect_complaint("gradient five-bar --cost fall --memory 0", USAGE, "--memory");
    expect_complaint("gradient five-bar --cost fall --memory 1e9", USAGE, "--memory");
    expect_complaint("gradient five-bar --cost fall --t-end 0", USAGE, "--t-end");
    expect_complaint("gradient five-bar --cost fall -f index3 -i verner98", USAGE,
                     "not-applicable");
    expect_complaint("gradient five-bar --cost fall --points 9", USAGE, "no option");
}

Test(gradient_command, its_help_has_all_methods)
{
    cr_assert_eq(run_command("gradient --help"), HELD);
    char *help = contents("out");
    for (const struct cost_gradient_method *m = cost_gradient_methods; m->name; m++)
        cr_expect_not_null(strstr(help, m->name), "%s", m->name);
    free(help);
}
