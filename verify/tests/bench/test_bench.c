/*
 * test_bench.c - what is measured is right: every peer reaches its error, and times at an
 * error are read off as they should be. No test asks how fast anything is.
 */
#include "running.h"

#include <math.h>

#include "growth/growth.h"
#include "measure/measure.h"
#include "mechanisms/catalogue.h"

/* --- peers -------------------------------------------------------------------------- */

static double error_at(const struct peer *peer, double tolerance)
{
    struct answer answer, truth;
    struct diagnosis diagnosis = {.t = NAN};
    double worst = 0;
    cr_assert_eq(peer_truth(peer, &truth, &diagnosis), OK, "%s",
                 diagnosis.place);
    void *work = peer->open(peer, &diagnosis);
    cr_assert_not_null(work, "%s: %s", peer->name, diagnosis.place);
    cr_assert_eq(peer->solve(work, tolerance, &answer, &diagnosis), OK, "%s: %s",
                 peer->name, diagnosis.place);
    peer->close(work);
    for (int k = 0; k < ANSWERS; k++)
        worst = fmax(worst, fabs(answer.value[k] - truth.value[k]));
    return worst;
}

static const struct peer *named_for(const struct workload *workload, const char *name)
{
    static struct peer made[8];
    static const struct peer *list[8];
    cr_assert_eq(peers_named(workload, name, made, list, 8), 1, "no peer %s", name);
    return list[0];
}

static const struct peer *named(const char *name)
{
    return named_for(workloads[0], name);
}

/* Multistep methods follow the jump in the accelerations at an impact less well: four to
   five orders between tolerance and error were measured, against none of the others. */
Test(bench, every_peer_comes_to_the_certified_values)
{
    for (int k = 0; peer_list[k]; k++) {
        bool multistep = strncmp(peer_list[k]->name, "cvodes", 6) == 0 ||
                         strncmp(peer_list[k]->name, "idas", 4) == 0;
        double error = error_at(peer_list[k], 1e-12);
        cr_expect_lt(error, multistep ? 1e-8 : 2e-12, "%s: error %.1e",
                     peer_list[k]->name, error);
    }
}

/* An error that came from wrong equations would not fall with the tolerance. */
Test(bench, errors_of_the_hand_written_code_fall_with_the_tolerance)
{
    static const char *const name[] = {"hand-rk87", "hand-dop853"};
    for (int k = 0; k < 2; k++)
        for (double tolerance = 1e-5; tolerance > 2e-11; tolerance /= 10) {
            double error = error_at(named(name[k]), tolerance);
            cr_expect_lt(error, tolerance, "%s at %.0e: %.1e", name[k], tolerance, error);
            cr_expect_gt(error, tolerance/100, "%s at %.0e: %.1e", name[k], tolerance,
                         error);
        }
}

/* Each of these workloads has constraints, and no events. */
Test(bench, generated_equations_come_to_the_certified_values_by_other_solvers)
{
    static const char *const name[] = {"slider-crank-friction", "slider-crank-spatial"};
    for (int k = 0; case_peer_list[k]; k++)
        for (int i = 0; i < 2; i++) {
            const struct workload *workload = workload_find(name[i]);
            for (double tolerance = 1e-6; tolerance > 1e-13; tolerance /= 100) {
                double error = error_at(named_for(workload, case_peer_list[k]->name),
                                        tolerance);
                cr_expect_lt(error, 100*tolerance, "%s, %s at %.0e: %.1e", name[i],
                             case_peer_list[k]->name, tolerance, error);
            }
        }
}

Test(bench, other_solvers_of_any_case_refuse_events)
{
    for (int k = 0; case_peer_list[k]; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        const struct peer *peer = named(case_peer_list[k]->name);
        cr_expect_null(peer->open(peer, &diagnosis));
        cr_expect_eq(diagnosis.status, NOT_APPLICABLE);
        cr_expect_not_null(strstr(diagnosis.place, "five-bar has events"), "%s",
                           diagnosis.place);
    }
}

Test(bench, saltus_is_measured_against_the_motion_of_its_formulation)
{
    cr_expect_lt(error_at(named("penalty"), 1e-10), 1e-9);
    cr_expect_lt(error_at(named("penalty/rk87/run"), 1e-10), 1e-9);
    cr_expect_lt(error_at(named("index1/dop853"), 1e-10), 1e-9);
    struct answer penalty, exact;
    struct diagnosis diagnosis;
    cr_assert_eq(peer_truth(named("penalty"), &penalty, &diagnosis), OK);
    cr_assert_eq(peer_truth(named("index1"), &exact, &diagnosis), OK);
    cr_expect_gt(fabs(penalty.value[0] - exact.value[0]), 1e-7, "they are two motions");
}

/* flyball-governor stands upright: coordinates that are zero have no part. */
Test(bench, any_case_is_a_workload_whose_errors_fall_with_the_tolerance)
{
    static const char *const name[] = {"two-link", "pendulum-chain-4",
                                       "flyball-governor"};
    static struct ladder ladder;
    for (int k = 0; k < 3; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        struct workload *workload = workload_of_case(case_find(name[k]), &diagnosis);
        cr_assert_not_null(workload, "%s", diagnosis.place);
        struct peer made;
        const struct peer *peer;
        cr_assert_eq(peers_named(workload, k == 0 ? "ode/rk87" : "index1/rk87", &made,
                                 &peer, 1), 1);
        measure(&(struct measuring){.rounds = 1, .per_decade = 1, .tightest = 1e-10,
                                    .most = 10, .slow = 10}, 1, &peer, &ladder);
        cr_assert_eq(ladder.rungs, 7, "%s", ladder.diagnosis.place);
        for (int r = 1; r < ladder.rungs; r++) {
            const struct rung *rung = &ladder.rung[r];
            cr_expect_lt(rung->error, 3000*rung->tolerance, "%s at %.0e: %.1e", name[k],
                         rung->tolerance, rung->error);
            cr_expect_gt(rung->error, rung->tolerance/1000);
        }
        workload_free(workload);
    }
}

Test(bench, names_stand_for_peers)
{
    static struct peer made[MOST_PEERS];
    static const struct peer *list[MOST_PEERS];
    cr_expect_eq(peers_named(workloads[0], "nobody", made, list, MOST_PEERS), 0);
    cr_expect_eq(peers_named(workloads[0], "penalty/nobody", made, list, MOST_PEERS), 0);
    cr_expect_eq(peers_named(workloads[0], "penalty/rk87/nobody", made, list,
                             MOST_PEERS), 0);
    cr_expect_eq(peers_named(workloads[0], "penalty/rk87/run", made, list,
                             MOST_PEERS), 1);
    cr_expect_eq(strcmp(list[0]->name, "penalty/rk87/run"), 0);
    cr_expect_eq(peers_named(workloads[0], "index3/dop853", made, list, MOST_PEERS), 0);
    cr_expect_eq(peers_named(workloads[0], "index3/automatic", made, list,
                             MOST_PEERS), 1);
    cr_expect_eq(strcmp(list[0]->name, "index3/radau"), 0, "what a run would take");
    cr_expect_gt(peers_named(workloads[0], "formulations", made, list, MOST_PEERS), 4);
    int count = peers_named(workloads[0], "integrators", made, list, MOST_PEERS);
    cr_expect_gt(count, 4);
    cr_expect_eq(peers_named(workloads[0], "integrators", made, list, 2), 2,
                 "no more than fit");
    for (int k = 0; k < count; k++)
        cr_expect_eq(strncmp(list[k]->name, "penalty/", 8), 0, "%s", list[k]->name);
}

/* --- times -------------------------------------------------------------------------- */

static double seconds_at(const struct ladder *ladder, double error)
{
    return time_at(ladder, 0, error).seconds;
}

/* time = error^-1/8 with rungs at 10^-3, 10^-3.25, ... */
static struct ladder power_law(void)
{
    struct ladder ladder = {.rungs = 40};
    for (int k = 0; k < ladder.rungs; k++) {
        double error = pow(10, -3 - 0.25*k);
        ladder.rung[k] = (struct rung){.error = error, .seconds = {pow(error, -0.125)}};
    }
    return ladder;
}

Test(bench, the_time_at_an_error_is_that_of_a_power_law)
{
    struct ladder ladder = power_law();
    for (double error = 1e-6; error > 1e-12; error /= 7)
        cr_expect_float_eq(seconds_at(&ladder, error)*pow(error, 0.125), 1, 1e-12);
}

Test(bench, there_is_no_time_at_an_error_that_was_not_reached)
{
    struct ladder ladder = power_law();
    cr_expect(isnan(seconds_at(&ladder, 1e-2)));
    cr_expect(isnan(seconds_at(&ladder, 1e-14)));
    for (int k = 20; k < 40; k++)
        ladder.rung[k].status = NO_CONVERGENCE;
    cr_expect(isnan(seconds_at(&ladder, 1e-10)));
    cr_expect_float_eq(seconds_at(&ladder, 1e-6)*pow(1e-6, 0.125), 1, 1e-12);
}

/* What a straight line would overstate. */
Test(bench, a_curve_that_bends_is_read_where_it_is)
{
    struct ladder ladder = power_law();
    for (int k = 0; k < ladder.rungs; k++) {
        double x = log10(ladder.rung[k].error/1e-9);
        ladder.rung[k].seconds[0] = exp(1 - 0.2*x + 0.03*x*x);
    }
    struct reading reading = time_at(&ladder, 0, 1e-9);
    cr_expect_float_eq(reading.seconds, exp(1), 1e-12);
    cr_expect_lt(reading.doubt, 1e-12);
}

/* Rungs 1 % above and below the curve, in turn: of seventeen a parabola tells its middle
   to about 1 % sqrt(9/4/17). */
Test(bench, a_reading_is_as_sure_as_rungs_agree)
{
    struct ladder ladder = power_law();
    for (int k = 0; k < ladder.rungs; k++)
        ladder.rung[k].seconds[0] *= k%2 ? 1.01 : 1/1.01;
    struct reading reading = time_at(&ladder, 0, 1e-9);
    cr_expect_float_eq(reading.doubt, 0.0036, 0.0005);
    cr_expect_float_eq(reading.seconds*pow(1e-9, 0.125), 1, 0.0072);
}

/* Where rounding decides, tighter tolerances cost time and give nothing. */
Test(bench, rungs_that_are_no_better_than_looser_ones_do_not_count)
{
    struct ladder ladder = power_law();
    for (int k = 30; k < 40; k++)
        ladder.rung[k].error = 3e-10;
    cr_expect_float_eq(seconds_at(&ladder, 1e-9)*pow(1e-9, 0.125), 1, 1e-12);
}

Test(bench, the_median_is_the_middle)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    cr_expect_float_eq(median(odd, 3), 2, 0);
    cr_expect_float_eq(median(even, 4), 2.5, 0);
    cr_expect(isnan(median(odd, 0)));
}

static int slow_solutions;

static void *open_slow(const struct peer *peer, struct diagnosis *diagnosis)
{
    (void)peer, (void)diagnosis;
    return &slow_solutions;
}

/* Slow from 1e-6 on. */
static enum status solve_slowly(void *work, double tolerance, struct answer *answer,
                                struct diagnosis *diagnosis)
{
    double start = processor_time();
    (void)diagnosis;
    *answer = (struct answer){.evaluations = 0};
    if (tolerance > 2e-6)
        return OK;
    ++*(int *)work;
    while (processor_time() - start < 0.06)
        continue;
    return OK;
}

static void close_slow(void *work)
{
    (void)work;
}

Test(bench, a_solution_that_takes_too_long_is_made_once_and_ends_its_ladder)
{
    static struct ladder ladder;
    const struct measuring how = {.rounds = 3, .per_decade = 1, .tightest = 1e-9,
                                  .slow = 1, .most = 0.05};
    const struct peer slow = {.name = "slow", .loosest = 1e-4, .open = open_slow,
                              .solve = solve_slowly, .close = close_slow};
    measure(&how, 1, (const struct peer *const[]){&slow}, &ladder);
    cr_assert_eq(ladder.rungs, 3);
    cr_expect_eq(ladder.rung[1].status, OK);
    cr_expect_eq(ladder.rung[2].status, TIMED_OUT);
    cr_expect_eq(slow_solutions, 1);
}

/* --- growth ------------------------------------------------------------------------- */

static const struct growing quickly = {.rounds = 1, .rtol = 1e-6, .quick = true};

static char *table_of(const struct growth *growth)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cr_assert_not_null(stream);
    struct grown grown;
    bool solved = growth_measure(growth, &quickly, &grown);
    growth_print(stream, &grown);
    growth_free(&grown);
    fclose(stream);
    cr_expect(solved, "%s", text);
    return text;
}

Test(bench, every_growth_is_solved_up_to_its_largest_size)
{
    static const char *const want[][2] = {
        {"n", "\nfour-bar              1000"}, {"n", "\npendulum-chain        1000"},
        {"p", "\nchain-on-springs        64"}, {"events", "\nbouncing-ball          256"},
        {"lanes", "\nfive-bar 1e-09           8"},
        {"gradients", "\nadjoint                200"},
    };
    for (int k = 0; growths[k]; k++) {
        cr_expect_null(strchr(growths[k]->title, '\n'), "the picture has it in one line");
        char *table = table_of(growths[k]);
        for (size_t i = 0; i < sizeof want/sizeof *want; i++)
            if (strcmp(growths[k]->name, want[i][0]) == 0)
                cr_expect_not_null(strstr(table, want[i][1]), "%s", table);
        free(table);
    }
}

Test(bench, a_part_is_timed_without_the_start)
{
    struct point point[MOST_POINTS];
    const struct growth *growth = growth_find("n");
    int points = growth->open(&quickly, point, 1);
    cr_assert_eq(points, 1, "no more than fit");
    cr_assert_eq(point[0].solve(&point[0]), OK);
    long parts = point[0].parts;
    cr_assert_eq(point[0].start(&point[0]), OK);
    cr_expect_gt(parts, 1);
    cr_expect_eq(point[0].parts, parts, "the start has none");
    point[0].close(point[0].work);
}

/* --- the command -------------------------------------------------------------------- */

TestSuite(bench_command, .init = make_folder, .fini = remove_folder);

/* As `report` asks for CVODES, without which it has to work, too. */
Test(bench_command, leaves_out_a_peer_that_may_be_missing)
{
    expect_run("bench 'nothing?' hand-rk87 --rounds 1 --rtol 1e-6", HELD, "err",
               "nothing is not in this build: left out");
    expect_run("bench 'hand-rk87?' --rounds 1 --rtol 1e-6", HELD, "out", "hand-rk87 ");
}

Test(bench_command, refuses_unknown_peers_and_sizes)
{
    expect_complaint("bench hand-rk78", USAGE, "did you mean hand-rk87?");
    expect_complaint("bench penalti", USAGE, "did you mean penalty?");
    expect_complaint("bench --growth event", USAGE, "did you mean events or n?");
    expect_complaint("bench --workload slider-crank", USAGE, "did you mean slider-");
    expect_complaint("bench --workload slider-crank-spatial hand-rk87", USAGE, "no peer");
    expect_complaint("bench --workload grazing", USAGE, "grazing: event ceiling");
    expect_complaint("bench --catalogue penalty", USAGE,
                     "no explicit integrator penalty");
    expect_complaint("bench --catalogue radau", USAGE, "no explicit integrator radau");
    expect_complaint("bench --catalogue --workload five-bar", USAGE, "leave them out");
    expect_complaint("bench penalty:alpa=1", USAGE, "no peer");
    expect_complaint("bench hand-rk87 -o /nonexistent/x.csv", USAGE, "cannot be written");
    expect_complaint("bench hand-rk87 --plot x.png", USAGE, "SVG");
}

/* An empty table is no success. */
Test(bench_command, falls_short_where_nothing_is_measured)
{
    cr_assert_eq(shell("mkdir none; SALTUS_VALUES=none '%s' bench --catalogue dop853 "
                       "--quick -o x.csv", command_path()), SHORT);
    char *out = contents("out");
    cr_expect(strstr(out, "Nothing was measured."), "%s", out);
    cr_expect(strstr(out, "five-bar is not measured: no certified values; saltus certify "
                     "five-bar makes them"), "%s", out);
    free(out);
}

Test(bench_command, leaves_a_table_and_a_picture)
{
    cr_assert_eq(run_command("bench --quick hand-rk87 -o x.csv --plot x.svg"), HELD);
    char *table = contents("x.csv"), *picture = contents("x.svg");
    cr_assert_not_null(table);
    cr_assert_not_null(picture);
    cr_expect_eq(strncmp(table, "peer,tolerance,status,error,", 28), 0);
    cr_expect_not_null(strstr(table, "hand-rk87,1.000e-09,ok,"));
    cr_expect_not_null(strstr(picture, "</svg>"));
    free(table);
    free(picture);
}

Test(bench_command, says_why_gnuplot_failed_below_the_table)
{
    put_program("gnuplot", "#!/bin/sh\necho line 7: out of ink >&2; exit 1\n");
    expect_run("bench --quick hand-rk87 --plot x.svg", USAGE, "err",
               "x.svg: cannot be written: gnuplot: line 7: out of ink (exit status 1)");
    expect_run("bench --quick hand-rk87 --plot x.svg", USAGE, "out", "\nhand-rk87");
    cr_expect_null(contents("x.svg"));
}

Test(bench_command, growth_leaves_a_table_and_a_picture)
{
    cr_assert_eq(run_command("bench --quick --growth events -o x.csv --plot x.svg"),
                 HELD);
    char *table = contents("x.csv"), *picture = contents("x.svg");
    cr_assert_not_null(table);
    cr_assert_not_null(picture);
    cr_expect_eq(strncmp(table, "case,events,status,", 19), 0);
    cr_expect_not_null(strstr(table, "\nbouncing-ball,256,ok,"));
    cr_expect_not_null(strstr(picture, "rimless-wheel"));
    cr_expect_not_null(strstr(picture, "</svg>"));
    free(table);
    free(picture);
}

/* Not how fast, but that it is both motions, and what is published beside them. */
Test(bench_command, penalty_is_held_against_index1_on_the_slider_crank)
{
    cr_assert_eq(run_command("bench --quick --workload slider-crank-spatial "
                             "--rtol 1e-6 index1 penalty > out"), HELD);
    char *table = contents("out");
    cr_assert_not_null(table);
    cr_expect_not_null(strstr(table, "\nMotion of penalty/automatic from that"));
    cr_expect_not_null(strstr(table, "Verulkar"));
    free(table);
}
