/*
 * test_batch.c - batch/batch.c: of runs beside each other every one is what it is alone,
 * to the bit, whatever its neighbours do.
 */
#include "edge_models.h"
#include "events/faults.h"
#include "identical.h"
#include "instrument.h"
#include "random_formulas.h"
#include "running.h"
#include "solving.h"

enum { RUNS = 19 };

static void begin(void)
{
    make_folder_with_code();
    unsetenv("SALTUS_LANES");
}

TestSuite(batch, .init = begin, .fini = remove_folder, .timeout = 600);

struct asked {
    const char *name, *formulation, *integrator;    /* NULL: the default */
    int p;                      /* derivatives; -1: those of the case */
    double rtol, spread;        /* of the values of all parameters */
};

/* And besides; zero: nothing. */
struct besides {
    unsigned faults;            /* enum run_fault */
    long max_steps;
    bool (*progress)(void *context, double done);
};
static const struct besides nothing;

static void set(struct solving *s, const struct asked *asked)
{
    solving_of_case(s, asked->name, asked->formulation);
    s->request.rtol = asked->rtol;
    s->request.atol = asked->rtol / 1000;
    s->request.code = CODE_ALWAYS;
    s->request.max_steps = 3000;
    if (asked->integrator)
        s->request.integrator = integrator_find(asked->integrator);
    if (asked->p >= 0)
        s->request.parameters = asked->p;
    for (int j = 0; j < asked->p; j++)
        s->parameter[j] = j;
}

/* The same to the bit, or the same refusal. */
static bool same_run(struct solving *s, struct runner *runner,
                     const struct batch_run *run, int k, unsigned long long seed)
{
    struct trajectory *trajectory;
    struct diagnosis own = {.t = NAN};
    enum status status = runner_run(runner, run->value, &trajectory, &own);
    const char *what = NULL;
    cr_expect_eq(run->status, status, "%s: run %d of seed %llu: %s, alone %s",
                 s->model->desc->name, k, seed, status_text(run->status),
                 status_text(status));
    if (status != OK) {
        cr_expect_str_eq(run->diagnosis.place, own.place);
        cr_expect(same_bits(&run->diagnosis.t, &own.t, 1));
    }
    cr_expect_eq(!trajectory, !run->trajectory);
    if (trajectory && run->trajectory)
        what = difference(trajectory, run->trajectory);
    cr_expect_null(what, "%s, %s, p = %d: run %d of seed %llu: %s", s->model->desc->name,
                   s->request.formulation->name, s->request.parameters, k, seed, what);
    trajectory_free(trajectory);
    return status == OK;
}

/* Runs of random parameters; returns how many reached the end. *steps: made in lanes. */
static int compare(const struct asked *asked, const struct besides *besides,
                   struct random *random, long *steps)
{
    struct solving s;
    struct batch_run run[RUNS];
    static double value[RUNS][TEST_PARAMETERS];
    int reached = 0;
    set(&s, asked);
    s.request.progress = besides->progress;
    if (besides->max_steps > 0)
        s.request.max_steps = besides->max_steps;
    s.request.beside = random_below(random, 2);
    for (int k = 0; k < RUNS; k++) {
        for (int i = 0; i < s.model->p; i++)
            value[k][i] = s.value[i] *
                          (1 + random_between(random, -asked->spread, asked->spread));
        run[k] = (struct batch_run){.value = value[k]};
    }
    struct batch *batch = batch_new_with_faults(&s.request, 0, besides->faults);
    struct runner *runner = runner_new_with_faults(&s.request, besides->faults,
                                                   &s.diagnosis);
    cr_assert_not_null(runner, "%s: %s", asked->name, s.diagnosis.place);
    batch_run(batch, run, RUNS);
    for (int k = 0; k < RUNS; k++) {
        reached += same_run(&s, runner, &run[k], k, random->seed);
        trajectory_free(run[k].trajectory);
    }
    *steps = batch_steps_in_lanes(batch);
    runner_free(runner);
    batch_free(batch);
    solving_end(&s);
    return reached;
}

static void compare_all(const struct asked *asked, int count, bool in_lanes)
{
    struct random random = random_start();
    cr_log_info("seed %llu", random.seed);
    for (int k = 0; k < count; k++) {
        long steps;
        cr_expect_gt(compare(&asked[k], &nothing, &random, &steps), 0,
                     "%s: all are refused", asked[k].name);
        cr_expect_eq(steps > 0, in_lanes, "%s: %ld steps in lanes", asked[k].name, steps);
    }
}

Test(batch, every_run_is_what_it_is_alone)
{
    static const struct asked asked[] = {
        {"five-bar", "penalty", "rk87", 2, 1e-7, 1e-3},
        {"five-bar", "index1", "dop853", 1, 1e-7, 1e-3},
        {"five-bar", "index1", "verner98", 1, 1e-7, 1e-3},
        {"five-bar", "penalty", "rk87", 0, 1e-7, 1e-3},
        {"five-bar", "penalty", "dop853", 5, 1e-6, 1e-3},
        {"pendulum-wall", "index1", NULL, -1, 1e-8, 1e-2},
        {"five-bar", "penalty", "automatic", 2, 1e-7, 1e-3},
        {"two-link", "ode", "rk87", -1, 1e-8, 1e-2}};
    compare_all(asked, sizeof asked / sizeof *asked, true);
}

/* Lanes are in different modes most of the time, and some leave vectors for a while. */
Test(batch, runs_in_different_modes_do_not_disturb_each_other)
{
    static const struct asked asked[] = {
        {"five-bar-events", "index1", NULL, 2, 1e-7, 1e-4},
        {"compass-gait-absolute", "index1", NULL, 2, 1e-7, 1e-4},
        {"clocked-oscillator", "ode", "rk87", -1, 1e-9, 1e-2},
        {"slack-rope", "index1", "rk87", -1, 1e-9, 1e-3},
        {"impact-oscillator", "ode", NULL, -1, 1e-9, 1e-2}};
    compare_all(asked, sizeof asked / sizeof *asked, true);
}

/* Equations that are not solved beforehand, implicit ones, other integrators. */
Test(batch, runs_that_cannot_be_in_lanes_are_what_they_are_alone)
{
    static const struct asked asked[] = {
        {"pendulum-wall", "ggl", NULL, -1, 1e-5, 1e-3},
        {"slider-crank-friction", "index1", NULL, 1, 1e-6, 1e-3},
        {"pendulum-wall", "index1", "gsl-rk8pd", -1, 1e-7, 1e-3}};
    compare_all(asked, sizeof asked / sizeof *asked, false);
}

/* The motion of some runs is over a branch cut for a while, that of others never. */
Test(batch, an_edge_ends_the_run_that_meets_it_and_no_other)
{
    static const struct case_desc swing = {.name = "swing",
                                           .record = record_cut_by_parameter};
    static double value[RUNS][TEST_PARAMETERS];
    struct batch_run run[RUNS];
    struct solving s;
    int met = 0;
    solving_of_desc(&s, &swing, "index1");
    s.request.rtol = 1e-9;
    s.request.code = CODE_ALWAYS;
    for (int k = 0; k < RUNS; k++) {
        memcpy(value[k], s.value, sizeof s.value);
        value[k][model_parameter_index(s.model, "c")] = 1 + (k % 5 - 2.5) * 1e-3;
        run[k] = (struct batch_run){.value = value[k]};
    }
    struct batch *batch = batch_new(&s.request, 0);
    struct runner *runner = runner_new(&s.request, &s.diagnosis);
    batch_run(batch, run, RUNS);
    for (int k = 0; k < RUNS; k++) {
        bool crosses = value[k][model_parameter_index(s.model, "c")] < 1;
        cr_expect_eq(run[k].status, crosses ? BRANCH_CUT : OK, "run %d: %s", k,
                     status_text(run[k].status));
        met += crosses;
        same_run(&s, runner, &run[k], k, 0);
        trajectory_free(run[k].trajectory);
    }
    cr_expect(met > 3 && met < RUNS - 3);
    cr_expect_gt(batch_steps_in_lanes(batch), RUNS);
    runner_free(runner);
    batch_free(batch);
    solving_end(&s);
}

/* From an instrument so slow that no step shows anything of the kind to one that is taken
   over after fifteen, and those between, with steps now and then. */
Test(batch, runs_turn_out_stiff_when_they_do_alone)
{
    static double value[RUNS][TEST_PARAMETERS];
    struct batch_run run[RUNS];
    struct solving s;
    int explicit = 0, implicit = 0;
    solving_of_desc(&s, &instrument, "ode");
    s.request.rtol = 1e-9;
    s.request.integrator = integrator_find("automatic");
    s.request.code = CODE_ALWAYS;
    for (int k = 0; k < RUNS; k++) {
        memcpy(value[k], s.value, sizeof s.value);
        value[k][0] = pow(10, 1 + 4.0 * k / RUNS);
        run[k] = (struct batch_run){.value = value[k]};
    }
    struct batch *batch = batch_new(&s.request, 0);
    struct runner *runner = runner_new(&s.request, &s.diagnosis);
    batch_run(batch, run, RUNS);
    for (int k = 0; k < RUNS; k++) {
        cr_assert(same_run(&s, runner, &run[k], k, 0), "k = %g", value[k][0]);
        explicit += run[k].trajectory->implicit_steps == 0;
        implicit += run[k].trajectory->implicit_steps > 0;
        trajectory_free(run[k].trajectory);
    }
    cr_log_info("%d runs explicit, %d not; %ld steps in lanes", explicit, implicit,
                batch_steps_in_lanes(batch));
    cr_expect_gt(explicit, 3);
    cr_expect_gt(implicit, 3);
    cr_expect_gt(batch_steps_in_lanes(batch), 50 * explicit);
    runner_free(runner);
    batch_free(batch);
    solving_end(&s);
}

/* A spread with which some mechanisms cannot be assembled, or steps are too many. */
Test(batch, refusals_are_those_of_runs_alone_and_stop_nobody_else)
{
    static const struct asked wide = {"five-bar", "penalty", "rk87", 2, 1e-6, 0.3};
    struct random random = random_start();
    long steps;
    int reached = compare(&wide, &nothing, &random, &steps);
    cr_log_info("seed %llu: %d of %d runs", random.seed, reached, (int)RUNS);
    cr_expect(reached > 0 && reached < RUNS);
    cr_expect_gt(steps, 0);
}

static bool stop_on_the_way(void *context, double done)
{
    (void)context;
    return done < 0.37;
}

/* On steps of lanes on which nothing happens otherwise. */
Test(batch, runs_are_stopped_where_they_are_alone)
{
    static const struct asked asked = {"five-bar", "penalty", "rk87", 2, 1e-9, 1e-3};
    static const struct besides stops[] = {{.max_steps = 40},
                                           {.progress = stop_on_the_way}};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        long steps;
        cr_expect_eq(compare(&asked, &stops[k], &random, &steps), 0);
        cr_expect_gt(steps, 0);
    }
}

/* What leads to the refusal comes from steps on which nothing happens otherwise. */
Test(batch, a_singular_configuration_ahead_is_met_as_alone)
{
    static const struct asked asked[] = {
        {"two-link-driven-singular", "index1", "rk87", -1, 1e-7, 1e-6},
        {"two-link-driven-singular", "index1", "dop853", -1, 1e-11, 1e-6}};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        long steps;
        int reached = compare(&asked[k], &nothing, &random, &steps);
        cr_log_info("seed %llu: %d of %d runs", random.seed, reached, (int)RUNS);
        cr_expect_lt(reached, RUNS);
        cr_expect_gt(steps, 0);
    }
}

Test(batch, what_goes_wrong_on_request_does_in_lanes_too)
{
    static const struct asked asked = {"five-bar", "penalty", "rk87", 2, 1e-6, 1e-3};
    static const struct besides fault[] = {{.faults = FAULT_UNCONTROLLED},
                                           {.faults = FAULT_INTERPOLATED},
                                           {.faults = FAULT_ONE_DIRECTION}};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof fault / sizeof *fault; k++) {
        long steps;
        cr_expect_gt(compare(&asked, &fault[k], &random, &steps), 0);
        cr_expect_gt(steps, 0);
    }
}

Test(batch, lanes_can_be_left_unused)
{
    static const struct asked asked = {"five-bar", "penalty", "rk87", 2, 1e-7, 1e-3};
    struct random random = random_start();
    long steps;
    setenv("SALTUS_LANES", "1", 1);
    cr_expect_eq(compare(&asked, &nothing, &random, &steps), RUNS);
    cr_expect_eq(steps, 0);
    unsetenv("SALTUS_LANES");
}

/* In each lane a run with samples of its own is followed by one without. */
Test(batch, a_run_without_samples_of_its_own_has_those_of_the_request)
{
    static const struct asked asked = {"bouncing-ball", "ode", "rk87", 0, 1e-7, 0};
    struct solving s;
    struct batch_run run[RUNS];
    double early[TEST_SAMPLES];
    set(&s, &asked);
    for (int i = 0; i < TEST_SAMPLES; i++)
        early[i] = s.sample[i] / 2;
    for (int k = 0; k < RUNS; k++)
        run[k] = (struct batch_run){.value = s.value,
                                    .sample = k < RUNS / 2 ? early : NULL};
    struct batch *batch = batch_new(&s.request, 0);
    batch_run(batch, run, RUNS);
    for (int k = 0; k < RUNS; k++) {
        cr_assert_eq(run[k].status, OK, "run %d: %s", k, run[k].diagnosis.place);
        for (int i = 0; i < TEST_SAMPLES; i++)
            cr_expect_eq(run[k].trajectory->sample[i + 1].t,
                         (k < RUNS / 2 ? early : s.sample)[i], "run %d, sample %d", k, i);
        trajectory_free(run[k].trajectory);
    }
    batch_free(batch);
    solving_end(&s);
}
