/*
 * test_bench_gradients.c - gradients that are measured are right: of every peer, and of
 * both methods whose growth is shown.
 */
#include "running.h"

#include <math.h>

#include "growth/growth.h"
#include "mechanisms/catalogue.h"

/* --- peers -------------------------------------------------------------------------- */

static struct workload *gradient_of(const char *name)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct workload *workload = workload_of_gradient(case_find(name), &diagnosis);
    cr_assert_not_null(workload, "%s: %s", name, diagnosis.place);
    return workload;
}

static double error_at(const struct workload *workload, const char *name,
                       double tolerance)
{
    struct peer made;
    const struct peer *peer;
    struct answer answer = {.evaluations = 0}, truth;
    struct diagnosis diagnosis = {.t = NAN};
    double worst = 0;
    cr_assert_eq(peers_named(workload, name, &made, &peer, 1), 1, "no peer %s", name);
    cr_assert_eq(peer_truth(peer, &truth, &diagnosis), OK, "%s", diagnosis.place);
    void *work = peer->open(peer, &diagnosis);
    cr_assert_not_null(work, "%s: %s", name, diagnosis.place);
    cr_assert_eq(peer->solve(work, tolerance, &answer, &diagnosis), OK, "%s: %s", name,
                 diagnosis.place);
    peer->close(work);
    for (int k = 0; k < workload->answers; k++)
        worst = fmax(worst, fabs(answer.value[k] - truth.value[k])/workload->scale[k]);
    return worst;
}

/* CVODES, whose errors add up over its many steps, is off most. */
Test(bench_gradients, every_peer_comes_to_the_certified_gradient)
{
    static const char *const name[] = {"andrews", "pendulum-chain-angles-4"};
    for (int i = 0; i < 2; i++) {
        struct workload *workload = gradient_of(name[i]);
        for (int k = 0; gradient_peer_list[k]; k++)
            for (double tolerance = 1e-7; tolerance > 1e-12; tolerance /= 100) {
                double error = error_at(workload, gradient_peer_list[k]->name,
                                        tolerance);
                cr_expect_lt(error, 1000*tolerance, "%s, %s at %.0e: %.1e", name[i],
                             gradient_peer_list[k]->name, tolerance, error);
            }
        workload_free(workload);
    }
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static bool ends(const char *name, const char *with)
{
    size_t length = strlen(name), end = strlen(with);
    return length >= end && strcmp(name + length - end, with) == 0;
}

/* A mode that is changed without a jump of the weights is no small error. */
Test(bench_gradients, jumps_at_events_decide)
{
    static const char *const name[] = {"switching-oscillator", "pwlin", "pendulum-stop"};
    for (int i = 0; i < 3; i++) {
        struct workload *workload = gradient_of(name[i]);
        for (int k = 0; gradient_peer_list[k]; k++) {
            const char *peer = gradient_peer_list[k]->name;
            if (begins(peer, "cvodes"))
                continue;
            double error = error_at(workload, peer, 1e-9);
            if (begins(peer, "petsc") && !ends(peer, "jump"))
                cr_expect_gt(error, 0.1, "%s, %s: %.1e", name[i], peer, error);
            else
                cr_expect_lt(error, 1e-7, "%s, %s: %.1e", name[i], peer, error);
        }
        workload_free(workload);
    }
}

Test(bench_gradients, cvodes_refuses_events)
{
    struct workload *workload = gradient_of("pwlin");
    for (int k = 0; gradient_peer_list[k]; k++) {
        struct peer made;
        const struct peer *peer;
        struct diagnosis diagnosis = {.t = NAN};
        if (!begins(gradient_peer_list[k]->name, "cvodes"))
            continue;
        peers_named(workload, gradient_peer_list[k]->name, &made, &peer, 1);
        cr_expect_null(peer->open(peer, &diagnosis));
        cr_expect_eq(diagnosis.status, NOT_APPLICABLE);
    }
    workload_free(workload);
}

Test(bench_gradients, a_case_without_a_cost_has_none)
{
    struct diagnosis diagnosis = {.t = NAN};
    cr_expect_null(workload_of_gradient(case_find("straight-flight"), &diagnosis));
    cr_expect_eq(diagnosis.status, NOT_APPLICABLE, "%s", diagnosis.place);
}

/* --- growth ------------------------------------------------------------------------- */

/* The truth of the points is that of the direct method at a tight tolerance. */
Test(bench_gradients, both_methods_agree_with_the_direct_gradient)
{
    const struct growing how = {.rounds = 1, .rtol = 1e-7, .quick = true};
    struct grown grown;
    int largest = 0;
    cr_assert(growth_measure(growth_find("gradients"), &how, &grown));
    for (int k = 0; k < grown.points; k++) {
        const struct point *point = &grown.point[k];
        cr_expect_lt(point->error, 1e-5, "%s, p = %d: %.1e", point->name, point->size,
                     point->error);
        cr_expect_gt(point->error, 0, "%s is no truth of its own", point->name);
        largest = point->size > largest ? point->size : largest;
    }
    cr_expect_eq(largest, 200);
    growth_free(&grown);
}

/* Points of two methods; `times` [2][sizes]. */
static double crossing_of(const int *size, const double *times, int sizes)
{
    struct point point[16] = {{.size = 0}};
    struct grown grown = {.how = {.rounds = 1}, .points = 2*sizes, .point = point};
    for (int k = 0; k < 2*sizes; k++) {
        snprintf(point[k].name, sizeof point[k].name, "%s", k < sizes ? "one" : "other");
        point[k].size = size[k%sizes];
        point[k].each[0] = times[k];
    }
    return growth_crossing(&grown, 0, sizes);
}

Test(bench_gradients, times_cross_where_the_lines_between_them_do)
{
    const int size[] = {1, 4, 16};
    cr_expect_float_eq(crossing_of(size, (double[]){1, 4, 16, 8, 8, 8}, 3), 8, 1e-12);
    cr_expect_float_eq(crossing_of(size, (double[]){1, 4, 16, 2, 2, 2}, 3), 2, 1e-12);
    cr_expect_float_eq(crossing_of(size, (double[]){3, 4, 5, 2, 2, 2}, 3), 1, 1e-12);
    cr_expect(isnan(crossing_of(size, (double[]){1, 2, 3, 4, 4, 4}, 3)));
    cr_expect(isnan(crossing_of(size, (double[]){5, 5, 3, 4, 4, 4}, 3)), "not for good");
    cr_expect_float_eq(crossing_of(size, (double[]){5, 3, 8, 4, 4, 4}, 3),
                       4*pow(4, log(4.0/3)/log(8.0/3)), 1e-12, "for good");
}

/* --- the command -------------------------------------------------------------------- */

TestSuite(bench_gradients_command, .init = make_folder, .fini = remove_folder);

Test(bench_gradients_command, refuses_peers_of_other_workloads)
{
    expect_complaint("bench --workload pwlin/gradient penalty", USAGE,
                     "no peer penalty of gradients");
    expect_complaint("bench --workload pwlin adjoint", USAGE, "no peer adjoint;");
    expect_complaint("bench --workload pwlon/gradient", USAGE,
                     "no workload or case pwlon");
    expect_complaint("bench --workload straight-flight/gradient", USAGE, "has no cost");
}

Test(bench_gradients_command, leaves_a_table_and_a_picture)
{
    cr_assert_eq(run_command("bench --quick --workload pwlin/gradient direct adjoint "
                             "-o x.csv --plot x.svg"), HELD);
    char *table = contents("x.csv"), *picture = contents("x.svg");
    cr_assert_not_null(table);
    cr_assert_not_null(picture);
    cr_expect_not_null(strstr(table, "\nadjoint,1.000e-09,ok,"));
    cr_expect_not_null(strstr(picture, "time of a gradient"));
    free(table);
    free(picture);
}
