/*
 * test_uncertainty_command.c - `saltus optimise --uncertainty` as a user meets it: table
 * and JSON with the same numbers, rows that stay as they are, refusals.
 */
#include <math.h>

#include "parsing.h"

TestSuite(uncertainty_command, .init = make_folder, .fini = remove_folder,
          .timeout = 120);

#define FIT "optimise ball-tracked --cost misfit --over e,mu,u0,h0"

/* The object "uncertainty" of the report of `arguments --json`; the caller deletes
   *whole. */
static const cJSON *uncertainty_of(const char *arguments, int status, cJSON **whole)
{
    char line[400];
    snprintf(line, sizeof line, "%s --json", arguments);
    int got = run_command(line);
    cr_assert_eq(got, status, "%s: exit %d", line, got);
    *whole = json_of("out");
    const cJSON *part = cJSON_GetObjectItem(*whole, "uncertainty");
    cr_assert_not_null(part);
    return part;
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    cr_assert(cJSON_IsNumber(item), "no number %s", name);
    return item->valuedouble;
}

static double entry(const cJSON *object, const char *name, int row, int column)
{
    const cJSON *item = cJSON_GetArrayItem(cJSON_GetObjectItem(object, name), row);
    item = column < 0 ? item : cJSON_GetArrayItem(item, column);
    cr_assert(cJSON_IsNumber(item), "no number %d, %d of %s", row, column, name);
    return item->valuedouble;
}

static void expect_status(const cJSON *part, const char *status, const char *word)
{
    const cJSON *diagnosis = cJSON_GetObjectItem(part, "diagnosis");
    cr_expect_str_eq(cJSON_GetObjectItem(part, "status")->valuestring, status);
    cr_assert_not_null(diagnosis);
    cr_expect_not_null(strstr(cJSON_GetObjectItem(diagnosis, "place")->valuestring,
                              word));
    cr_expect_not(cJSON_HasObjectItem(part, "deviation"));
}

/* --- numbers ------------------------------------------------------------------------ */

/* Restitution and friction of the record: the truth within three deviations, psi near
   one a degree of freedom. */
Test(uncertainty_command, a_fit_knows_how_good_it_is)
{
    static const double truth[] = {0.8, 0.12, 4, 1};
    cJSON *whole;
    const cJSON *part = uncertainty_of(FIT " --uncertainty known --readings 20", HELD,
                                       &whole), *parameter;
    int k = 0;
    cJSON_ArrayForEach(parameter, cJSON_GetObjectItem(whole, "parameters")) {
        double error = number(parameter, "optimum") - truth[k];
        cr_expect_lt(fabs(error), 3 * entry(part, "deviation", k, -1), "%d", k);
        cr_expect_float_eq(entry(part, "correlation", k, k), 1, 0);
        k++;
    }
    cr_expect_eq(k, 4);
    double psi = number(cJSON_GetObjectItem(whole, "after"), "psi");
    cr_expect_eq(number(part, "degrees_of_freedom"), 16);
    cr_expect_float_eq(number(part, "reduced_chi_square"), psi / 16, 1e-12);
    double chance = number(part, "probability_of_a_larger_psi");
    cr_expect(chance > 0.01 && chance < 0.99, "%g", chance);
    cJSON_Delete(whole);
}

/* Over e and mu alone the record does not fit, and psi says so. */
Test(uncertainty_command, a_fit_that_does_not_fit_is_seen)
{
    cJSON *whole;
    const cJSON *part = uncertainty_of("optimise ball-tracked --cost misfit --over e,mu "
                                       "--uncertainty known --readings 20", HELD, &whole);
    cr_expect_gt(number(part, "reduced_chi_square"), 10);
    cr_expect_lt(number(part, "probability_of_a_larger_psi"), 1e-6);
    cJSON_Delete(whole);
}

Test(uncertainty_command, equal_variances_are_those_of_psi)
{
    cJSON *known, *equal;
    const cJSON *one = uncertainty_of(FIT " --uncertainty known", HELD, &known);
    const cJSON *other = uncertainty_of(FIT " --uncertainty equal --readings 20", HELD,
                                        &equal);
    double variance = number(cJSON_GetObjectItem(equal, "after"), "psi") / 16;
    cr_expect_float_eq(number(other, "variance"), variance, 1e-14);
    cr_expect_not(cJSON_HasObjectItem(one, "degrees_of_freedom"));
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 4; k++) {
            double want = variance * entry(one, "covariance", j, k);
            cr_expect_float_eq(entry(other, "covariance", j, k), want,
                               1e-14 * fabs(want));
        }
    cJSON_Delete(known);
    cJSON_Delete(equal);
}

Test(uncertainty_command, the_table_has_the_numbers_of_the_json)
{
    cJSON *whole;
    const cJSON *part = uncertainty_of(FIT " --uncertainty known --readings 20", HELD,
                                       &whole);
    expect_run(FIT " --uncertainty known --readings 20", HELD, "out", "  deviation  ");
    char *out = contents("out"), *row = strstr(strstr(out, "  deviation  "), "\nu0 ");
    double deviation, with_e, with_mu, itself;
    cr_assert_eq(sscanf(row, " u0 %lf m/s %lf %lf %lf\n", &deviation, &with_e, &with_mu,
                        &itself), 4, "%s", out);
    double want = entry(part, "deviation", 2, -1);
    cr_expect_float_eq(deviation, want, 1e-3 * want);
    cr_expect_float_eq(with_e, entry(part, "correlation", 2, 0), 1e-4);
    cr_expect_float_eq(with_mu, entry(part, "correlation", 2, 1), 1e-4);
    cr_expect_eq(itself, 1);
    free(out);
    expect_run(FIT " --uncertainty known --readings 20", HELD, "out",
               "20 readings, 16 degrees of freedom: chi-square 1.686 a degree");
    expect_run(FIT " --uncertainty equal --readings 20", HELD, "out",
               "20 readings, 16 degrees of freedom: variance 1.686 of a reading");
    cJSON_Delete(whole);
}

/* --- rows --------------------------------------------------------------------------- */

/* They are not those of another optimisation: with or without, each goes on from the
   other. */
Test(uncertainty_command, rows_do_not_know_of_it)
{
    cr_assert_eq(run_command(FIT " -o x.csv"), HELD);
    cr_assert_eq(run_command(FIT " -o y.csv --uncertainty known"), HELD);
    expect_same_files("x.csv", "y.csv", "--uncertainty");
    char *first = contents("out");
    expect_run(FIT " -o x.csv --resume --uncertainty known", HELD, "out",
               "standard deviations and correlations, variances known\n");
    char *second = contents("out");
    cr_expect_str_eq(first, second);
    expect_same_files("x.csv", "y.csv", "--resume");
    cr_assert_eq(run_command(FIT " -o y.csv --resume"), HELD);
    free(first);
    free(second);
}

/* --- refusals ----------------------------------------------------------------------- */

Test(uncertainty_command, a_fit_that_is_not_at_its_end_has_none)
{
    cJSON *whole;
    expect_run(FIT " --uncertainty known --max-evaluations 5", SHORT, "out",
               "\nno uncertainty: no-convergence: the minimum was not reached\n");
    const cJSON *part = uncertainty_of(FIT " --uncertainty known --max-evaluations 5",
                                       SHORT, &whole);
    expect_status(part, "no-convergence", "not reached");
    cr_expect(cJSON_IsFalse(cJSON_GetObjectItem(whole, "reached")));
    cJSON_Delete(whole);
}

Test(uncertainty_command, a_hessian_that_is_refused_is_the_reason)
{
    cJSON *whole;
    const cJSON *part = uncertainty_of("optimise latch-redundant -f baumgarte --cost way "
                                       "--over h --uncertainty known", SHORT, &whole);
    expect_status(part, "not-applicable", "multipliers are redundant");
    cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(whole, "reached")));
    cJSON_Delete(whole);
}

Test(uncertainty_command, a_parameter_at_a_bound_is_held)
{
    cJSON *whole;
    cr_assert_eq(run_command("--version"), HELD);
    char *version = contents("out");
    bool bounds = strstr(version, "NLopt") != NULL;
    free(version);
    if (!bounds)
        cr_skip_test("without NLopt");
    expect_run(FIT " --uncertainty known --bounds mu=0.13:0.2 --start mu=0.15", HELD,
               "out", "\nmu               held\n");
    expect_run(FIT " --uncertainty known --bounds mu=0.13:0.2 --start mu=0.15", HELD,
               "out", "\nheld: at a bound; the deviations of the others are conditional");
    const cJSON *part = uncertainty_of(FIT " --uncertainty known --bounds mu=0.13:0.2 "
                                       "--start mu=0.15", HELD, &whole);
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(part, "deviation")), 3);
    cr_expect_str_eq(cJSON_GetArrayItem(cJSON_GetObjectItem(part, "held"),
                                        0)->valuestring, "mu");
    cJSON_Delete(whole);
}

Test(uncertainty_command, what_is_wrong_is_said_in_one_line)
{
    static const struct { const char *arguments, *word; } wrong[] = {
        {FIT " --uncertainty", "uncertainty"},
        {FIT " --uncertainty big", "known or equal, not 'big'"},
        {FIT " --uncertainty equal", "give --readings N"},
        {FIT " --uncertainty equal --readings 4", "none is left beside 4 parameters"},
        {FIT " --uncertainty known --readings 3", "none is left beside 4 parameters"},
        {"optimise bouncing-ball --cost speed --over e --uncertainty equal --readings 1",
         "none is left beside 1 parameter;"},
        {FIT " --uncertainty known --readings 2.5", "not a whole number"},
        {FIT " --readings 20", "give --uncertainty, too"},
        {FIT " --uncertainty known --maximise", "leave out --maximise"},
        {FIT " --uncertainty known -o -", "give -o FILE"},
        {FIT " --json -o -", "give -o FILE"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        expect_complaint(wrong[k].arguments, USAGE, wrong[k].word);
}
