/*
 * test_probe.c - formulas at a point of a trajectory (papers/probe.h), and how numbers
 * are compared (papers/match.h)
 */
#include <criterion/criterion.h>
#include <math.h>

#include "papers/match.h"
#include "papers/pan/pan.h"
#include "papers/probe.h"

/* --- formulas at a point ------------------------------------------------------------ */

enum { ROWS = 4 };

static void open_constraints(struct probe *probe, const struct trajectory *run)
{
    const struct model *model = run->columns.model;
    probe_init(probe, model, run->value, model->mode[0]->Phi, ROWS);
    probe_at(probe, &run->columns, &run->event[0].before);
}

/* Along the motion and by every parameter the constraints stay zero; by a parameter at
   fixed coordinates they do not. */
Test(probe, constraints_keep_their_value_along_the_motion_and_by_parameters)
{
    struct paper_run run;
    struct probe probe;
    double Phi[ROWS], d[ROWS];
    paper_run_of(&run, &pan_ends, "index1", 4, NULL);
    cr_assert_eq(paper_run_go(&run), OK);
    const struct columns *columns = &run.trajectory->columns;
    open_constraints(&probe, run.trajectory);
    probe_by_time(&probe);
    probe_evaluate(&probe, Phi, d);
    cr_expect_leq(largest_size(Phi, ROWS), 1e-12);
    cr_expect_leq(largest_size(d, ROWS), 1e-12);
    for (int j = 0; j < run.request.parameters; j++) {
        probe_by(&probe, columns, &run.trajectory->event[0].before, j);
        probe_evaluate(&probe, NULL, d);
        cr_expect_leq(largest_size(d, ROWS), 1e-11);
    }
    probe_by_parameter(&probe, columns, 0);     /* by l1: the pin is half of it from the
                                                   centre */
    probe_evaluate(&probe, NULL, d);
    cr_expect_float_eq(hypot(d[0], d[1]), 0.5, 1e-12);
    probe_by_one(&probe, BLOCK_Q, 0);
    probe_evaluate(&probe, NULL, d);
    cr_expect_float_eq(fabs(d[0]), 1, 1e-15);
    probe_clear(&probe);
    paper_run_clear(&run);
}

/* The rate of the constraints is the sum of its parts by t and q. */
Test(probe, one_block_alone_moves)
{
    struct paper_run run;
    struct probe probe;
    double all[ROWS], part[ROWS], sum[ROWS] = {0};
    static const int block[] = {BLOCK_T, BLOCK_Q, BLOCK_V};
    paper_run_of(&run, &pan_ends, "index1", 4, "");
    cr_assert_eq(paper_run_go(&run), OK);
    open_constraints(&probe, run.trajectory);
    double moved[6];
    for (int i = 0; i < 6; i++)
        moved[i] = probe.value[BLOCK_V][i] + i;     /* against the constraints */
    probe.value[BLOCK_V] = moved;
    probe_by_time(&probe);
    probe_evaluate(&probe, NULL, all);
    cr_expect_gt(largest_size(all, ROWS), 0.1);
    for (int k = 0; k < 3; k++) {
        probe_by_time(&probe);
        probe_only(&probe, block[k]);
        probe_evaluate(&probe, NULL, part);
        for (int i = 0; i < ROWS; i++)
            sum[i] += part[i];
    }
    cr_expect_geq(array_digits(sum, all, ROWS), 14);
    probe_clear(&probe);
    paper_run_clear(&run);
}

/* --- comparing ---------------------------------------------------------------------- */

/* Sizes below 1e-3 count as 1e-3; a NAN has no digits; one that is wanted does not
   count. */
Test(match, digits_of_a_match)
{
    const double got[] = {1, 2.0002, NAN}, want[] = {1, 2, 3}, none[] = {NAN, NAN, NAN};
    struct match match = {0};
    match_add(&match, got, want, 2);
    cr_expect_float_eq(match_digits(&match), 4, 1e-6);
    cr_expect_float_eq(match_relative(&match), 1e-4, 1e-12);
    match_add(&match, got, none, 3);
    cr_expect_float_eq(match_digits(&match), 4, 1e-6);
    match_add(&match, got, want, 3);
    cr_expect_eq(match_digits(&match), 0);
    const struct match small = {1e-9, 1e-9}, equal = {0, 0};
    cr_expect_float_eq(match_digits(&small), 6, 1e-6);
    cr_expect_eq(match_digits(&equal), 16);
}

Test(match, digits_of_numbers)
{
    const double want[] = {100, 1}, got[] = {100, 1.001};
    cr_expect_float_eq(array_digits(got, want, 2), 5, 1e-9);
    cr_expect_float_eq(array_digits(got + 1, want + 1, 1), 3, 1e-9);
    cr_expect_float_eq(number_digits(1.001, 1), 3, 1e-9);
    cr_expect_eq(number_digits(-2, -2), 16);
    cr_expect_eq(number_digits(1, -1), 0);
    cr_expect_eq(number_digits(NAN, 1), 0, "no number has no digits");
    cr_expect_eq(error_digits(1e-20, 1), 16);
    cr_expect_eq(error_digits(NAN, 1), 0);
    cr_expect_eq(error_digits(1, 0), 0);
}

Test(match, sizes_and_orders)
{
    const double x[] = {1, -3, 2};
    cr_expect_eq(largest_size(x, 3), 3);
    cr_expect_eq(least_of(x, 3), -3);
    cr_expect(isinf(least_of(x, 0)));
    cr_expect_float_eq(observed_order(1, 0.01, 10), 2, 1e-12);
    cr_expect_float_eq(observed_order(0.08, 0.01, 2), 3, 1e-12);
}
