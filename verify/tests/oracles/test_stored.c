/*
 * test_stored.c - what `saltus verify` makes of certified values: a wrong one is found by
 * two runs along a direction, and a refusal that is certified is the right answer.
 *
 * Each test has the values in a folder of its own, and falsifies one number there.
 */
#include "falsifying.h"

#include <math.h>

#include "mechanisms/catalogue.h"
#include "motion/cost.h"
#include "motion/direction.h"
#include "motion/reference_motion.h"
#include "run.h"

TestSuite(stored, .init = make_folder, .fini = remove_folder);

/* The stored file of a case into the folder, where the command looks from now on. */
static void begin(const char *name)
{
    char path[PATH_MAX], file[100];
    snprintf(file, sizeof file, "%s.ref", name);
    snprintf(path, sizeof path, "%s/%s", values_folder(case_find(name)), file);
    char *text = contents(path);
    cr_assert_not_null(text, "%s", path);
    write_file(file, text);
    free(text);
    cr_assert_eq(setenv("SALTUS_VALUES", folder, 1), 0);
}

/* One line of a file becomes another. */
static void replace(const char *file, const char *line, const char *by)
{
    char *text = contents(file), *at = find_line(text, "", line);
    char *rest = strchr(at, '\n'), *all = malloc(strlen(text) + strlen(by) + 1);
    sprintf(all, "%.*s%s%s", (int)(at - text), text, by, rest);
    write_values(file, all);
    free(all);
    free(text);
}

static const char judge[] = "verify pendulum-wall -f index1 --oracle mpfr-difference";

Test(stored, values_hold_along_a_direction)
{
    begin("pendulum-wall");
    expect_run(judge, HELD, "out", "MPFR exact  mpfr-difference");
    expect_run(judge, HELD, "out", "(seed 1)");
}

/* The fourteenth digit: no run in double would tell. */
Test(stored, a_false_derivative_is_found_and_its_parameter_named)
{
    static const struct {
        const char *after, *line, *named;
    } one[] = {
        {"event 2,after", "dv.y/dth0 ", "wrong derivatives by th0 (event 2: dv.y after)"},
        {"event 3,before", "dlambda.1/da ", "wrong derivatives by a (event 3"},
        {"event 1", "dt/dg ", "wrong derivatives by g (event 1: dt)"},
        {"sample 9", "dq.x/dl ", "wrong derivatives by l (t = 5: dq.x)"},
        {"end", "dpsi.pull/dm ", "wrong derivatives by m (t = 5: dpsi.pull)"},
    };
    for (size_t k = 0; k < sizeof one / sizeof one[0]; k++) {
        begin("pendulum-wall");
        falsify("pendulum-wall.ref", one[k].after, one[k].line, 14);
        expect_run(judge, SHORT, "out", one[k].named);
        unsetenv("SALTUS_VALUES");
    }
}

Test(stored, a_false_value_is_found)
{
    static const struct {
        const char *after, *line, *named;
    } one[] = {
        {"event 2,after", "v.y ", "first at event 2: v.y after"},
        {"", "event 1 wall ", "first at event 1: t"},
        {"end", "psi.pull ", "first at t = 5: psi.pull"},
    };
    for (size_t k = 0; k < sizeof one / sizeof one[0]; k++) {
        begin("pendulum-wall");
        falsify("pendulum-wall.ref", one[k].after, one[k].line, 20);
        expect_run(judge, SHORT, "out", one[k].named);
        unsetenv("SALTUS_VALUES");
    }
}

/* Between events only --thorough looks, and so do the runs in double. */
Test(stored, a_false_value_at_a_sample_is_found_by_thorough)
{
    char thorough[200];
    snprintf(thorough, sizeof thorough, "%s --thorough", judge);
    begin("pendulum-wall");
    expect_run(thorough, HELD, "out", "MPFR exact  certified");
    falsify("pendulum-wall.ref", "sample 4", "dq.x/dg ", 20);
    expect_run(judge, HELD, "out", "PASS");
    expect_run(thorough, SHORT, "out", "dq.x/dg");
}

Test(stored, values_by_other_parameters_or_at_other_times_are_stale)
{
    begin("pendulum-wall");
    falsify("pendulum-wall.ref", "", "sample 4 swing ", 3);
    expect_run(judge, SHORT, "out", "at other times");
}

/* Values belong to the formulas they were made for, and to the bytes that were written;
   each file that does not is told once. */
Test(stored, values_of_other_formulas_or_with_other_bytes_are_not_taken)
{
    static const char all[] = "verify pendulum-wall --oracle certified";
    begin("pendulum-wall");
    char *text = contents("pendulum-wall.ref");
    *find_line(text, "end", "psi.pull ") += 1;
    write_file("pendulum-wall.ref", text);
    expect_run(all, SHORT, "out", "\"psi.pull\" is expected");
    *find_line(text, "end", "qsi.pull ") -= 1;
    find_line(text, "end", "psi.pull ")[14] ^= 1;
    write_file("pendulum-wall.ref", text);
    expect_run(all, SHORT, "out", "the checksum is wrong: the file has been changed");
    find_line(text, "end", "psi.pull ")[14] ^= 1;
    memcpy(find_line(text, "", "formulas ") + strlen("formulas "), "0123", 4);
    write_file("pendulum-wall.ref", text);
    expect_run(all, SHORT, "out",
               "the model has changed since this was made: saltus certify pendulum-wall");
    char *out = contents("out");
    int told = 0;
    for (char *at = out; (at = strstr(at, "the model has changed")); at++)
        told++;
    cr_expect_eq(told, 3, "once for the exact motion, once for each gap to it:\n%s", out);
    cr_assert_eq(run_command("run pendulum-wall -o x.csv"), HELD);
    expect_complaint("check pendulum-wall x.csv", USAGE, "the model has changed");
    memcpy(text, "saltus certified values 1", 25);
    write_file("pendulum-wall.ref", text);
    expect_run(all, SHORT, "out",
               "made by an older saltus; saltus certify pendulum-wall");
    free(out);
    free(text);
}

Test(stored, values_that_are_not_there_are_made_and_said_to_be_missing)
{
    setenv("SALTUS_VALUES", folder, 1);
    expect_run(judge, HELD, "out", "no certified values: both routes here and now");
    expect_run("verify pendulum-wall -f index1 --oracle certified", SHORT, "out",
               "saltus certify pendulum-wall");
}

Test(stored, values_that_take_too_long_are_left_to_thorough)
{
    begin("pendulum-wall");
    replace("pendulum-wall.ref", "steps ", "steps 500000");
    expect_run(judge, HELD, "out", "--thorough");
    expect_run(judge, HELD, "out", "SKIP");
    expect_run(judge, HELD, "out", " h: --thorough");
}

/* Pieces that share a closed form, and truths that are made here and now. */
Test(stored, verdicts_are_the_same_to_the_byte)
{
    begin("slack-rope");
    unsetenv("SALTUS_VALUES");
    begin("rope-catch");
    cr_assert_eq(run_command("verify slack-rope rope-catch --json x.json"), SHORT);
    char *first = contents("out"), *json = contents("x.json");
    cr_assert_eq(run_command("verify slack-rope rope-catch --json x.json -j1"), SHORT);
    char *second = contents("out"), *again = contents("x.json");
    cr_expect_str_eq(first, second);
    cr_expect_str_eq(json, again);
    free(first);
    free(json);
    free(second);
    free(again);
}

/* More precision than the values were made with asks for no more digits than they have;
   a digit that is wrong among those is seen, as before. */
Test(stored, more_precision_does_not_make_good_values_fall_short)
{
    char line[200];
    snprintf(line, sizeof line, "%s --precision 100", judge);
    begin("pendulum-wall");
    expect_run(line, HELD, "out", "MPFR exact  mpfr-difference");
    falsify("pendulum-wall.ref", "sample 9", "v.x ", 40);
    expect_run(line, SHORT, "out", "v.x");
}

/* --- refusals ----------------------------------------------------------------------- */

Test(stored, a_refusal_that_is_certified_is_held)
{
    setenv("SALTUS_VALUES", folder, 1);
    cr_assert_eq(run_command("certify newton-cradle --digits 20"), HELD);
    expect_run("verify newton-cradle", HELD, "out",
               "refused, as certified: simultaneous at t = 0.509466979");
    expect_run("verify newton-cradle", HELD, "out",
               "3 rows passed (3: refusal certified), 0 failed");
}

static int digits_agreed(char *text)
{
    return atoi(find_line(text, "", "agreed ") + strlen("agreed "));
}

/* As if certified: event wall is refused. */
static void refuse_pendulum(const char *status, const char *time)
{
    char text[300];
    begin("pendulum-wall");
    char *all = contents("pendulum-wall.ref");
    snprintf(text, sizeof text, "refused %s %s %d\nplace event wall\n"
             "differences %s %s\nplace event wall\nhow by hand\ncomplete\n", status, time,
             digits_agreed(all), status, time);
    *find_line(all, "", "order ") = '\0';
    char *file = malloc(strlen(all) + strlen(text) + 1);
    sprintf(file, "%s%s", all, text);
    write_values("pendulum-wall.ref", file);
    free(file);
    free(all);
}

Test(stored, numbers_where_a_refusal_is_certified_fall_short)
{
    refuse_pendulum("grazing", "0.75");
    expect_run("verify pendulum-wall -f index1 --oracle certified", SHORT, "out",
               "numbers, but grazing at t = 0.75 is certified (event wall)");
    expect_run(judge, SHORT, "out", "variational ok, numbers");
}

static void refuse_cradle(const char *status, const char *time)
{
    char line[200], *text = contents("newton-cradle.ref");
    snprintf(line, sizeof line, "refused %s %s %d", status, time, digits_agreed(text));
    replace("newton-cradle.ref", "refused ", line);
    free(text);
}

/* newton-cradle is refused, but neither then nor for that. */
Test(stored, another_refusal_than_the_certified_one_falls_short)
{
    setenv("SALTUS_VALUES", folder, 1);
    cr_assert_eq(run_command("certify newton-cradle --digits 20"), HELD);
    refuse_cradle("simultaneous", "0.6");
    expect_run("verify newton-cradle -f ode --oracle certified", SHORT, "out",
               "simultaneous at t = 0.6 is certified");
    refuse_cradle("grazing", "0.50946697878954222");
    expect_run("verify newton-cradle -f ode --oracle certified", SHORT, "out",
               "but grazing at t = 0.509466979 is certified");
    expect_run("verify newton-cradle -f ode --oracle mpfr-difference", SHORT, "out",
               "certified, but now: variational simultaneous");
    replace("newton-cradle.ref", "refused ", "refused for a reason");
    expect_run("verify newton-cradle -f ode --oracle certified", SHORT, "out",
               "bad-input: ");
}

/* --- what it rests on --------------------------------------------------------------- */

Test(stored, weights_are_of_the_size_of_the_parameters_and_of_either_sign)
{
    int negative = 0, all = 0;
    struct model *model = model_new(case_find("five-bar"), NULL);
    struct parameter_direction weights, again;
    int *parameter = calloc((size_t)model->p, sizeof *parameter);
    double *value = calloc((size_t)model->p, sizeof *value);
    int count = model_sensitivities(model, parameter);
    cr_assert_eq(model_nominal_values(model, value, NULL), OK);
    cr_assert_eq(direction_random(model, count, parameter, &weights, NULL), OK);
    cr_assert_eq(direction_random(model, count, parameter, &again, NULL), OK);
    for (int k = 0; k < count; k++, all++) {
        double w = strtod(weights.w[k], NULL), size = fabs(value[parameter[k]]);
        cr_expect_geq(fabs(w), 0.5 * (size > 0 ? size : 1));
        cr_expect_leq(fabs(w), size > 0 ? size : 1);
        cr_expect_str_eq(weights.w[k], again.w[k]);
        negative += w < 0;
    }
    cr_expect(negative > 0 && negative < all);
    direction_clear(&weights);
    direction_clear(&again);
    free(parameter);
    free(value);
    model_free(model);
}

/* Five-bars take seconds, pendulums tenths; all of it is known without running. */
Test(stored, effort_grows_with_what_there_is_to_do)
{
    const struct truth exact = {.variant = "exact"};
    struct model *small = model_new(case_find("pendulum-wall"), NULL);
    struct model *large = model_new(case_find("five-bar-nine"), NULL);
    struct effort one, other;
    cr_expect(effort_of(small, &exact, &one));
    cr_expect(effort_of(large, &exact, &other));
    cr_expect_gt(effort_of_run(&other, 60), 4 * effort_of_run(&one, 60));
    cr_expect_gt(effort_of_run(&one, 60), 2 * effort_of_run(&one, 40));
    cr_expect_gt(effort_of_both(&one, 6, 60), 10 * effort_of_direction(&one, 60));
    cr_expect_eq(one.unknowns, 2 + 1);
    cr_expect_eq(other.unknowns, 6 + 4);
    cr_expect_gt(effort_of_matrices(&other), 30 * effort_of_matrices(&one));
    setenv("SALTUS_VALUES", "/nonexistent", 1);
    cr_expect_not(effort_of(small, &exact, &one));
    cr_expect_gt(effort_of_run(&one, 60), 0);
    model_free(small);
    model_free(large);
}

Test(stored, durations_are_in_words)
{
    static const struct { double seconds; const char *text; } is[] = {
        {0.2, "1 s"}, {42, "42 s"}, {900, "15 min"}, {7300, "2 h"}};
    char text[40];
    for (size_t k = 0; k < sizeof is / sizeof is[0]; k++) {
        duration_text(is[k].seconds, text, sizeof text);
        cr_expect_str_eq(text, is[k].text);
    }
}
