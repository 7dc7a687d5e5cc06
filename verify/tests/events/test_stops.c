/*
 * test_stops.c - stops and the longest step (drive.c, control.h): a step ends at each
 * time of the model and of the request, and is no longer than asked.
 *
 * A pulse of width 1/30 lies between the stages of a method that steps over three
 * seconds; a stop in its middle shows it. Its impulse is A sqrt(pi)/30.
 */
#include "identical.h"
#include "cases/model_texts.h"
#include "oracles/oracle.h"
#include "running.h"
#include "solving.h"

TestSuite(stops, .init = make_folder_with_code, .fini = remove_folder);

#define PULSE_TEXT \
    "time: t\n" \
    "parameters: {A: {nominal: 1}, T: {nominal: 1.2345}}\n" \
    "coordinates: [y]\n" \
    "modes:\n" \
    "  m: {M: {y: {y: 1}}, F: {y: \"A*exp(-pow(30*(t - T), 2))\"}}\n" \
    "initial: {state: {y: 0, vy: 1}}\n" \
    "end: 3\n"

static const double impulse = 0.05908179503018387, middle = 1.2345;

static void pulse(struct solving *s, const char *stops)
{
    char text[800];
    struct diagnosis diagnosis;
    snprintf(text, sizeof text, PULSE_TEXT "%s", stops);
    struct model *model = model_of_text(text, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    solving_of_model(s, model, "ode");
    s->request.rtol = 1e-10;
    s->request.atol = 1e-13;
    s->sample[0] = 3;
    s->request.samples = 1;
}

/* Expects vy(3), y(3) and their derivatives of a run whose T is `T`. */
static void expect_impulse(const struct trajectory *out, double T, const char *who)
{
    const struct columns *columns = &out->columns;
    const double *x = out->sample[out->samples - 1].x;
    double v = x[column(columns, GROUP_V, 0, -1)];
    double q = x[column(columns, GROUP_Q, 0, -1)];
    double by_A = x[column(columns, GROUP_V, 0, 0)];
    double by_T = x[column(columns, GROUP_Q, 0, 1)];
    cr_expect_float_eq(v, 1 + impulse, 1e-9, "%s: v = %.17g", who, v);
    cr_expect_float_eq(q, 3 + impulse*(3 - T), 1e-9, "%s: q = %.17g", who, q);
    cr_expect_float_eq(by_A, impulse, 1e-9, "%s: dv/dA = %.17g", who, by_A);
    cr_expect_float_eq(by_T, -impulse, 1e-9, "%s: dq/dT = %.17g", who, by_T);
}

Test(stops, show_a_pulse_to_every_runge_kutta_pair)
{
    static const char *const name[] = {"automatic", "dop853", "rk87", "gsl-rk8pd",
                                       "gsl-rkf45", "gsl-rkck"};
    struct solving s;
    pulse(&s, "");
    s.request.stops = 1;
    s.request.stop = &middle;
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        s.request.integrator = integrator_find(name[k]);
        cr_assert_not_null(s.request.integrator, "%s", name[k]);
        struct trajectory *out = solve(&s);
        expect_impulse(out, middle, name[k]);
        trajectory_free(out);
    }
    solving_end(&s);
}

Test(stops, of_a_model_move_with_its_parameters)
{
    struct solving s;
    struct diagnosis diagnosis = {.t = NAN};
    pulse(&s, "stops: [T]\n");
    struct runner *runner = runner_new(&s.request, &diagnosis);
    cr_assert_not_null(runner);
    for (int k = 0; k < 5; k++) {
        double value[] = {1, 0.4 + 0.5*k};
        struct trajectory *out;
        cr_assert_eq(runner_run(runner, value, &out, &diagnosis), OK);
        expect_impulse(out, value[1], "stops: [T]");
        trajectory_free(out);
    }
    runner_free(runner);
    solving_end(&s);
}

Test(stops, show_a_pulse_to_complex_steps)
{
    struct solving s;
    struct trajectory *out;
    pulse(&s, "stops: [T]\n");
    cr_assert_eq(complex_step_run(&s.request, &out, &s.diagnosis), OK);
    expect_impulse(out, middle, "stops: [T]");
    trajectory_free(out);
    s.request.stops = 1;
    s.request.stop = &middle;
    cr_assert_eq(complex_step_run(&s.request, &out, &s.diagnosis), OK);
    expect_impulse(out, middle, "stops of the request");
    trajectory_free(out);
    solving_end(&s);
}

/* The parts of a run that are done at the ends of its steps. */
struct ends {
    int count;
    double done[1000];
};

static bool note_end(void *context, double done)
{
    struct ends *ends = context;
    cr_assert_lt(ends->count, 1000);
    ends->done[ends->count++] = done;
    return true;
}

Test(stops, are_ends_of_steps_in_every_integrator)
{
    static const double stop[] = {2.9, 0.7, 1.1, 0.7, 0.25};
    for (int k = 0; integrators[k]; k++) {
        struct ends ends = {0};
        struct solving s;
        pulse(&s, "");
        s.request.integrator = integrators[k];
        s.request.stops = 5;
        s.request.stop = stop;
        s.request.progress = note_end;
        s.request.progress_context = &ends;
        if (strcmp(integrators[k]->name, "gsl-rk2") == 0)
            s.request.rtol = 1e-4;
        struct trajectory *out = solve(&s);
        for (int i = 0; i < 5; i++) {
            double nearest = INFINITY;
            for (int j = 0; j < ends.count; j++)
                nearest = fmin(nearest, fabs(3*ends.done[j] - stop[i]));
            cr_expect_lt(nearest, 1e-14, "%s: no step ends at %g, the nearest is %g away",
                         integrators[k]->name, stop[i], nearest);
        }
        trajectory_free(out);
        solving_end(&s);
    }
}

/* Times before the start and after the end, the start and the end themselves, and samples
   add no step. */
Test(stops, that_are_no_points_on_the_way_change_no_bit)
{
    static const double stop[] = {-1, 0, 1.5, 3, 4};
    struct solving s;
    pulse(&s, "");
    s.sample[0] = 1.5;
    s.sample[1] = 3;
    s.request.samples = 2;
    struct trajectory *without = solve(&s);
    s.request.stops = 5;
    s.request.stop = stop;
    struct trajectory *with = solve(&s);
    const char *what = difference(without, with);
    cr_expect_null(what, "%s", what);
    trajectory_free(without);
    trajectory_free(with);
    solving_end(&s);
}

Test(stops, go_through_events)
{
    static const double stop[] = {0.5, 1, 2, 4};
    struct solving s;
    solving_of_case(&s, "bouncing-ball", "ode");
    s.request.rtol = 1e-11;
    s.request.atol = 1e-14;
    struct trajectory *without = solve(&s);
    s.request.stops = 4;
    s.request.stop = stop;
    struct trajectory *with = solve(&s);
    cr_assert_eq(with->events, without->events);
    for (int k = 0; k < with->events; k++)
        cr_expect_float_eq(with->event[k].after.t, without->event[k].after.t, 1e-9);
    trajectory_free(without);
    trajectory_free(with);
    solving_end(&s);
}

Test(stops, are_the_same_in_lanes)
{
    enum { RUNS = 9 };
    struct solving s;
    struct batch_run run[RUNS];
    double value[RUNS][2];
    pulse(&s, "stops: [T, 1]\n");
    s.request.max_step = 0.4;
    s.request.code = CODE_ALWAYS;
    struct runner *runner = runner_new(&s.request, &s.diagnosis);
    struct batch *batch = batch_new(&s.request, 0);
    cr_assert(runner && batch);
    for (int k = 0; k < RUNS; k++) {
        value[k][0] = 1 + 0.1*k;
        value[k][1] = 0.3 + 0.2*k;
        run[k] = (struct batch_run){.value = value[k]};
    }
    batch_run(batch, run, RUNS);
    for (int k = 0; k < RUNS; k++) {
        struct trajectory *alone;
        cr_assert_eq(run[k].status, OK);
        cr_assert_eq(runner_run(runner, value[k], &alone, &s.diagnosis), OK);
        const char *what = difference(alone, run[k].trajectory);
        cr_expect_null(what, "run %d: %s", k, what);
        trajectory_free(alone);
        trajectory_free(run[k].trajectory);
    }
    batch_free(batch);
    runner_free(runner);
    solving_end(&s);
}

Test(stops, steps_are_no_longer_than_asked)
{
    const double most = 0.02;
    for (int k = 0; integrators[k]; k++) {
        struct ends ends = {0};
        struct solving s;
        pulse(&s, "");
        s.request.integrator = integrators[k];
        s.request.rtol = 1e-3;
        s.request.atol = 1e-6;
        s.request.max_step = most;
        s.request.progress = note_end;
        s.request.progress_context = &ends;
        struct trajectory *out = solve(&s);
        double before = 0;
        for (int j = 0; j < ends.count; j++) {
            cr_expect_leq(3*(ends.done[j] - before), most*(1 + 1e-12), "%s: step %d",
                          integrators[k]->name, j);
            before = ends.done[j];
        }
        cr_expect_geq(ends.count, 150);
        trajectory_free(out);
        solving_end(&s);
    }
}

Test(stops, that_are_wrong_are_refused)
{
    struct solving s;
    struct trajectory *out = NULL;
    struct diagnosis diagnosis;
    cr_expect_null(model_of_text(PULSE_TEXT "stops: [y]\n", &diagnosis));
    cr_expect_not_null(strstr(diagnosis.place, "stop"), "%s", diagnosis.place);
    cr_expect_null(model_of_text(PULSE_TEXT "stops: 3\n", &diagnosis));
    pulse(&s, "stops: [\"sqrt(-T)\"]\n");
    cr_expect_neq(run_once(&s.request, &out, &diagnosis), OK);
    trajectory_free(out);
    solving_end(&s);
    pulse(&s, "");
    s.request.max_step = -1;
    cr_expect_eq(run_once(&s.request, &out, &diagnosis), BAD_INPUT);
    cr_expect_not_null(strstr(diagnosis.place, "max_step"), "%s", diagnosis.place);
    trajectory_free(out);
    solving_end(&s);
}

Test(stops, are_written_and_read_back)
{
    char command[PATH_MAX];
    write_file("pulse.yaml", PULSE_TEXT "stops: [T, T + 1/10.0]\n");
    snprintf(command, sizeof command, "show %s/pulse.yaml --yaml", folder);
    expect_run(command, HELD, "out", "stops:\n  - T\n  - T + ");
}
