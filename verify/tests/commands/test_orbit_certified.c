/*
 * test_orbit_certified.c - `saltus orbit --certify`: digits printed and stored, orbits in
 * double compared with them, wrong requests.
 */
#include <math.h>

#include "running.h"

TestSuite(orbit_certified, .init = make_folder, .fini = remove_folder, .timeout = 300);

static const char oscillator[] = "orbit impact-oscillator --t-end 200 --sens k,w";

/* `saltus ARGUMENTS` with certified values in the folder; the output. */
static char *output_of(const char *arguments, const char *more, int status)
{
    int got = shell("SALTUS_VALUES=. '%s' %s %s", command_path(), arguments, more);
    char *err = contents("err");
    cr_assert_eq(got, status, "%s %s: exit %d: %s", arguments, more, got, err);
    free(err);
    return contents("out");
}

static void expect_word(const char *text, const char *word)
{
    cr_expect_not_null(strstr(text, word), "\"%s\" is not in \"%s\"", word, text);
}

/* The number behind a word of the line of digits in double. */
static double digits_behind(const char *text, const char *word)
{
    const char *line = strstr(text, "certified values ("), *at = NULL;
    if (line)
        at = strstr(line, word);
    cr_assert_not_null(at, "no %s in \"%s\"", word, text);
    return strtod(at + strlen(word), NULL);
}

Test(orbit_certified, digits_are_printed_stored_and_compared)
{
    char *certified = output_of(oscillator, "--certify --digits 40", HELD);
    expect_word(certified, "6.283185307179586476925286766559005768394");
    expect_word(certified, "multiplier.2.im");
    expect_word(certified, "dmultiplier.1.re/dw");
    expect_word(certified, "stored: ./impact-oscillator.orbit-impact-turning-phase.ref");
    char *twice = output_of(oscillator, "", HELD);
    cr_expect_geq(digits_behind(twice, "period "), 13);
    cr_expect_geq(digits_behind(twice, "states "), 12);
    cr_expect_geq(digits_behind(twice, "derivatives "), 11);
    cr_expect_geq(digits_behind(twice, "multipliers "), 12);
    char *loose = output_of(oscillator, "--rtol 1e-5", HELD);
    cr_expect_lt(digits_behind(loose, "states "), 11.5);
    char *other = output_of(oscillator, "--set c=0.11", HELD);
    cr_expect_null(strstr(other, "certified values"));
    char *json = output_of(oscillator, "--json", HELD);
    cr_expect_null(strstr(json, "certified values"));
    free(certified);
    free(twice);
    free(loose);
    free(other);
    free(json);
}

/* Jump terms that are left out change derivatives and multipliers, and nothing else. */
Test(orbit_certified, a_wrong_rule_has_few_digits)
{
    free(output_of(oscillator, "--certify --digits 20", HELD));
    char *wrong = output_of(oscillator, "--rule no-dte", HELD);
    cr_expect_geq(digits_behind(wrong, "states "), 12);
    cr_expect_lt(digits_behind(wrong, "derivatives "), 2);
    cr_expect_lt(digits_behind(wrong, "multipliers "), 3);
    free(wrong);
}

Test(orbit_certified, a_file_that_was_changed_is_not_believed)
{
    free(output_of(oscillator, "--certify --digits 20", HELD));
    cr_assert_eq(shell("sed -i 's/^multiplier.1.re -0.5842/multiplier.1.re -0.5843/' "
                       "impact-oscillator.orbit-*.ref"), 0);
    char *text = output_of(oscillator, "", HELD);
    expect_word(text, "certified values cannot be read");
    expect_word(text, "checksum");
    free(text);
}

/* The place of pwlin is zero at both of its events. */
Test(orbit_certified, a_component_that_is_zero_at_all_events_has_its_size)
{
    char *text = output_of("orbit pwlin --sens none", "--certify --digits 12", HELD);
    cr_expect_geq(digits_behind(text, "states "), 10);
    free(text);
}

static void expect_refusal(const char *arguments, int status, const char *word)
{
    free(output_of(arguments, "", status));
    char *err = contents("err");
    expect_word(err, word);
    free(err);
}

Test(orbit_certified, wrong_requests_get_one_line)
{
    expect_refusal("orbit impact-oscillator --digits 40", USAGE, "--certify");
    expect_refusal("orbit impact-oscillator --certify --json", USAGE, "--json");
    expect_refusal("orbit impact-oscillator --certify --digits 3", USAGE, "--digits");
    expect_refusal("orbit impact-oscillator --certify --directory /nowhere", USAGE,
                   "/nowhere");
}
