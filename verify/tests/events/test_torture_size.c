/*
 * test_torture_size.c - the two large ends of the torture set: two hundred digits, and a
 * thousand parallelograms.
 */
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "equations/system.h"
#include "referring.h"
#include "sampling.h"
#include "solving.h"

static struct solving s;

/* --- two hundred digits ------------------------------------------------------------- */

static void expect_digits(const char *name, const char *t_end, int parameters)
{
    struct referring r;
    struct certificate *c;
    referring_of_case(&r, case_find(name), 200);
    r.request.t_end = t_end;
    if (parameters > 0)
        r.request.parameters = parameters;
    enum status status = certify(&r.request, 200, 2, &c, &r.diagnosis);
    cr_assert_eq(status, OK, "%s: %s", name, r.diagnosis.place);
    cr_expect_geq(c->agreed, 200, "%s: %d", name, c->agreed);
    certificate_free(c);
    referring_end(&r);
}

/* An impact, a slow one, and up to the first impact of a pendulum with a constraint, by
   one parameter. */
Test(torture_size, both_routes_agree_to_two_hundred_digits, .timeout = 600)
{
    expect_digits("bouncing-ball", NULL, 0);
    expect_digits("near-grazing-3", NULL, 0);
    if (in_test_all())
        expect_digits("pendulum-wall", "0.7", 1);
}

/* --- a thousand parallelograms ------------------------------------------------------ */

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Upright cranks, tips at (k, 1) with the velocity (1, 0): then every tip has (0, -1). */
static void expect_accelerations(struct system *system, int tips)
{
    int n = 2 * tips;
    double *x = calloc((size_t)system->dim, sizeof *x);
    double *dx = calloc((size_t)system->dim, sizeof *dx);
    cr_assert(x && dx);
    for (int k = 0; k < tips; k++) {
        x[2 * k] = k;
        x[2 * k + 1] = x[n + 2 * k] = 1;
    }
    cr_assert_eq(system_rhs(system, 0, x, dx), OK);
    for (int k = 0; k < tips; k++) {
        cr_expect_float_eq(dx[n + 2 * k], 0, 1e-9, "tip %d", k);
        cr_expect_float_eq(dx[n + 2 * k + 1], -1, 1e-9, "tip %d", k);
    }
    free(x);
    free(dx);
}

/* What is possible before equations are sparse: to record, differentiate and compile
   four-bar-1000, 2002 coordinates and 2001 constraints, and to evaluate it once. In
   make test-all; four-bar-100 else. */
static void evaluate_row(int N, double seconds, long megabytes)
{
    char name[40];
    struct rusage usage;
    struct system *system;
    double start = cpu_seconds();
    snprintf(name, sizeof name, "four-bar-%d", N);
    solving_of_case(&s, name, "index1");
    struct model *branch = model_branch(s.model);
    enum status status = system_new(branch, s.request.formulation, s.option, s.value, 0,
                                    NULL, SYSTEM_RATES, &system, &s.diagnosis);
    cr_assert_eq(status, OK, "%s", s.diagnosis.place);
    system_enter(system, &system->mode[0]);
    expect_accelerations(system, N + 1);
    double taken = cpu_seconds() - start;
    getrusage(RUSAGE_SELF, &usage);
    cr_expect_lt(taken, seconds, "%s: %.1f s", name, taken);
    cr_expect_lt(usage.ru_maxrss / 1024, megabytes, "%ld MB", usage.ru_maxrss / 1024);
    cr_log_info("%s: %.1f s, %ld MB", name, taken, usage.ru_maxrss / 1024);
    system_free(system);
    model_branch_free(branch);
    solving_end(&s);
}

Test(torture_size, a_thousand_parallelograms_are_recorded_and_evaluated, .timeout = 900)
{
    evaluate_row(100, 10, 500);
    if (in_test_all())
        evaluate_row(1000, 100, 1000);
}
