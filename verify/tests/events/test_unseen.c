/*
 * test_unseen.c - what no stage of a step has seen (unseen.h): pulses and switches of
 * 1e-1 to 1e-5 of the span, at random places, by every method. The truth is a closed
 * form; no sample is near the place. Terms of a coordinate x with x' = 1 have the same.
 */
#include "adjoint/adjoint.h"
#include "cases/model_texts.h"
#include "identical.h"
#include "random_formulas.h"
#include "running.h"
#include "solving.h"

TestSuite(unseen, .init = make_folder_with_code, .fini = remove_folder);

static const double span = 3;

/* A force A p((t - T)/w), with the integrals of p over the span and of those once more:
   W(T, w) = int p dt, and int (span - t) p dt. */
enum of { OF_TIME, OF_STATE, OFS };
struct shape {
    const char *name, *text[OFS];
    double (*integral)(double T, double w), (*moment)(double T, double w);
    double (*integral_by_T)(double T, double w);
};

static double bell(double T, double w)
{
    return w * sqrt(M_PI) / 2 * (erf((span - T) / w) + erf(T / w));
}

static double bell_moment(double T, double w)
{
    double u = (span - T) / w, l = T / w;
    return (span - T) * bell(T, w) + w * w / 2 * (exp(-u * u) - exp(-l * l));
}

static double bell_by_T(double T, double w)
{
    double u = (span - T) / w, l = T / w;
    return exp(-l * l) - exp(-u * u);
}

static double log_cosh(double u)
{
    return fabs(u) + log1p(exp(-2 * fabs(u))) - log(2);
}

static double step(double T, double w)
{
    return w * (log_cosh((span - T) / w) - log_cosh(T / w));
}

static double step_by_T(double T, double w)
{
    return -tanh((span - T) / w) - tanh(T / w);
}

/* 1/(1 + u^2) */
static double peak(double T, double w)
{
    return w * (atan((span - T) / w) + atan(T / w));
}

static double peak_moment(double T, double w)
{
    double u = (span - T) / w, l = T / w;
    return (span - T) * peak(T, w) - w * w / 2 * (log1p(u * u) - log1p(l * l));
}

static double peak_by_T(double T, double w)
{
    double u = (span - T) / w, l = T / w;
    return 1 / (1 + l * l) - 1 / (1 + u * u);
}

#define BELL(t) "exp(-pow((" t " - T)/w, 2))"
#define BELL_BY_PRODUCT(t) "exp(-(" t " - T)*(" t " - T)/(w*w))"
#define SWITCH(t) "tanh((" t " - T)/w)"
#define PEAK(t) "1/(1 + pow((" t " - T)/w, 2))"

static const struct shape shapes[] = {
    {"bell", {BELL("t"), BELL("x")}, bell, bell_moment, bell_by_T},
    {"bell by a product", {BELL_BY_PRODUCT("t"), BELL_BY_PRODUCT("x")}, bell,
     bell_moment, bell_by_T},
    {"switch", {SWITCH("t"), SWITCH("x")}, step, NULL, step_by_T},
    {"peak", {PEAK("t"), PEAK("x")}, peak, peak_moment, peak_by_T},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct model *model_of_shape(const struct shape *shape, enum of of)
{
    const char *p = shape->text[of];
    char text[1000];
    struct diagnosis diagnosis;
    snprintf(text, sizeof text,
             "time: t\n"
             "parameters: {A: {nominal: 2}, T: {nominal: 1}, w: {nominal: 1}}\n"
             "coordinates: [y, x]\nauxiliary: [s]\ncosts: [c]\n"
             "modes:\n"
             "  m: {M: {y: {y: 1}, x: {x: 1}}, F: {y: \"A*%s\"}, f_s: {s: \"%s\"}, "
             "g: {c: \"A*%s\"}}\n"
             "initial: {state: {y: 0, vy: 1, x: 0, vx: 1, s: 0}}\n"
             "end: 3\n",
             p, p, p);
    struct model *model = model_of_text(text, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    return model;
}

static void of_shape(struct solving *s, const struct shape *shape, enum of of,
                     double rtol)
{
    solving_of_model(s, model_of_shape(shape, of), "ode");
    s->request.rtol = rtol;
    s->request.atol = rtol / 1000;
    s->sample[0] = span;
    s->request.samples = 1;
}

static void expect(const struct trajectory *out, const struct shape *shape,
                   const double *value, const char *who, double bound)
{
    const struct columns *columns = &out->columns;
    const double *x = out->sample[out->samples - 1].x;
    double A = value[0], T = value[1], w = value[2];
    double all = shape->integral(T, w), by_T = shape->integral_by_T(T, w);
    const struct {
        const char *name;
        enum column_group group;
        int j;
        double right;
    } is[] = {{"v", GROUP_V, -1, 1 + A * all}, {"s", GROUP_S, -1, all},
              {"z", GROUP_Z, -1, A * all},     {"dv/dA", GROUP_V, 0, all},
              {"dv/dT", GROUP_V, 1, A * by_T}, {"ds/dT", GROUP_S, 1, by_T}};
    for (size_t k = 0; k < sizeof is / sizeof *is; k++) {
        int at = is[k].j >= columns->p ? -1 : column(columns, is[k].group, 0, is[k].j);
        if (at >= 0)
            cr_expect_float_eq(x[at], is[k].right, bound * fmax(1, fabs(is[k].right)),
                               "%s, %s, T = %.17g, w = %.3g: %s = %.17g, not %.17g", who,
                               shape->name, T, w, is[k].name, x[at], is[k].right);
    }
    if (shape->moment)
        cr_expect_float_eq(x[column(columns, GROUP_Q, 0, -1)],
                           span + A * shape->moment(T, w), 3 * bound,
                           "%s, %s, T = %.17g, "
                           "w = %.3g: q",
                           who, shape->name, T, w);
}

/* A is 2, T is somewhere in the span, w is 1e-1 to 1e-5 of it. */
static void somewhere(struct random *random, double *value)
{
    value[0] = 2;
    value[1] = span * random_between(random, 0.2, 0.8);
    value[2] = span * pow(10, -random_between(random, 1, 5));
}

/* Derivatives by T pass through A/w, the largest part of their groups. */
static double reached(double rtol, const double *value, bool derivatives)
{
    return 100 * rtol * (derivatives ? fmax(1, value[0] / value[2]) : 1);
}

static void by_every_method(enum of of, bool derivatives)
{
    enum { PLACES = 12 };
    const double rtol = 1e-9;
    struct random random = random_start();
    for (int k = 0; k < SHAPES; k++) {
        struct solving s;
        of_shape(&s, &shapes[k], of, rtol);
        if (!derivatives)
            s.request.parameters = 0;
        for (int i = 0; integrators[i]; i++) {
            s.request.integrator = integrators[i];
            if (integrators[i]->order < 4)
                continue;
            struct runner *runner = runner_new(&s.request, &s.diagnosis);
            cr_assert_not_null(runner);
            for (int j = 0; j < PLACES; j++) {
                double value[3];
                struct trajectory *out;
                somewhere(&random, value);
                cr_assert_eq(runner_run(runner, value, &out, &s.diagnosis), OK,
                             "%s, %s, T = %.17g, w = %.3g, seed %llu: %s",
                             integrators[i]->name, shapes[k].name, value[1], value[2],
                             random.seed, s.diagnosis.place);
                expect(out, &shapes[k], value, integrators[i]->name,
                       reached(rtol, value, derivatives));
                trajectory_free(out);
            }
            runner_free(runner);
        }
        solving_end(&s);
    }
}

Test(unseen, pulses_and_switches_are_seen_by_every_method)
{
    by_every_method(OF_TIME, false);
}

Test(unseen, those_of_the_state_are_seen_by_every_method)
{
    by_every_method(OF_STATE, false);
}

Test(unseen, derivatives_of_those_of_the_state_are_seen_by_every_method)
{
    by_every_method(OF_STATE, true);
}

Test(unseen, derivatives_of_pulses_and_switches_are_seen_by_every_method)
{
    by_every_method(OF_TIME, true);
}

/* A constraint x = A p(t), whose equations have p and its derivatives; y'' = x. */
Test(unseen, those_of_constraints_are_seen)
{
    enum { PLACES = 6 };
    static const char *const name[] = {"index1", "baumgarte", "ode", "index3", "ggl"};
    struct random random = random_start();
    for (size_t f = 0; f < sizeof name / sizeof *name; f++) {
        char text[1000];
        struct solving s;
        struct diagnosis diagnosis;
        snprintf(text, sizeof text,
                 "time: t\n"
                 "parameters: {A: {nominal: 2}, T: {nominal: 1}, w: {nominal: 1}}\n"
                 "coordinates: [y, x]\n"
                 "modes:\n"
                 "  m: {M: {y: {y: 1}, x: {x: 1}}, F: {y: x}, Phi: [\"x - A*%s\"]}\n"
                 "initial: {state: {y: 0, vy: 0}}\nend: 3\n", BELL("t"));
        struct model *model = model_of_text(text, &diagnosis);
        cr_assert_not_null(model, "%s", diagnosis.place);
        solving_of_model(&s, model, name[f]);
        s.request.rtol = 1e-9;
        s.request.atol = 1e-12;
        s.sample[0] = span;
        s.request.samples = 1;
        s.request.parameters = 0;
        for (int k = 0; k < PLACES; k++) {
            struct trajectory *out;
            double value[3];
            somewhere(&random, value);
            value[2] = pow(value[2]/span, 0.6)*span;
            s.request.value = value;
            enum status status = run_once(&s.request, &out, &s.diagnosis);
            cr_assert_eq(status, OK, "%s, T = %.17g, w = %.3g: %s, %s", name[f], value[1],
                         value[2], status_text(status), s.diagnosis.place);
            double v = out->sample[out->samples - 1].x[column(&out->columns, GROUP_V, 0,
                                                              -1)];
            cr_expect_float_eq(v, value[0]*bell(value[1], value[2]), 1e-6,
                               "%s, T = %.17g, "
                               "w = %.3g: v = %.17g, not %.17g", name[f], value[1],
                               value[2], v, value[0]*bell(value[1], value[2]));
            trajectory_free(out);
        }
        solving_end(&s);
    }
}

/* The number of samples is no part of the answer. */
Test(unseen, samples_do_not_matter)
{
    struct random random = random_start();
    for (int k = 0; k < SHAPES; k++) {
        struct solving s;
        double value[3];
        of_shape(&s, &shapes[k], OF_TIME, 1e-10);
        somewhere(&random, value);
        s.request.value = value;
        for (int samples = 1; samples <= TEST_SAMPLES; samples++) {
            for (int i = 0; i < samples; i++)
                s.sample[i] = span * (i + 1) / samples;
            s.request.samples = samples;
            struct trajectory *out = solve(&s);
            expect(out, &shapes[k], value, "automatic", reached(1e-10, value, true));
            trajectory_free(out);
        }
        solving_end(&s);
    }
}

Test(unseen, runs_in_lanes_are_runs_alone)
{
    enum { RUNS = 12 };
    struct random random = random_start();
    for (int n = 0; n < SHAPES*OFS; n++) {
        int k = n/OFS;
        struct solving s;
        struct batch_run run[RUNS];
        double value[RUNS][3];
        of_shape(&s, &shapes[k], (enum of)(n%OFS), 1e-9);
        s.request.code = CODE_ALWAYS;
        struct runner *runner = runner_new(&s.request, &s.diagnosis);
        struct batch *batch = batch_new(&s.request, 0);
        cr_assert(runner && batch);
        for (int i = 0; i < RUNS; i++) {
            somewhere(&random, value[i]);
            run[i] = (struct batch_run){.value = value[i]};
        }
        batch_run(batch, run, RUNS);
        for (int i = 0; i < RUNS; i++) {
            struct trajectory *alone;
            cr_assert_eq(run[i].status, OK);
            cr_assert_eq(runner_run(runner, value[i], &alone, &s.diagnosis), OK);
            const char *what = difference(alone, run[i].trajectory);
            cr_expect_null(what, "%s, run %d: %s", shapes[k].name, i, what);
            expect(run[i].trajectory, &shapes[k], value[i], "in lanes",
                   reached(1e-9, value[i], true));
            trajectory_free(alone);
            trajectory_free(run[i].trajectory);
        }
        batch_free(batch);
        runner_free(runner);
        solving_end(&s);
    }
}

/* Backwards, too, where the pulse is in the rates of the weights of the parameters. */
Test(unseen, gradients_backwards_see_them)
{
    enum { PLACES = 12 };
    static const char *const name[] = {"adjoint", "discrete-adjoint"};
    struct random random = random_start();
    for (int n = 0; n < SHAPES*OFS; n++)
        for (size_t m = 0; m < sizeof name / sizeof *name; m++) {
            struct solving s;
            int k = n/OFS;
            of_shape(&s, &shapes[k], (enum of)(n%OFS), 1e-10);
            s.request.samples = 0;
            struct adjoint_request request = {.run = s.request,
                                              .method = adjoint_method_find(name[m])};
            struct adjoint *adjoint = adjoint_new(&request, &s.diagnosis);
            cr_assert_not_null(adjoint);
            for (int i = 0; i < PLACES; i++) {
                struct gradient *out;
                double value[3];
                somewhere(&random, value);
                double all = shapes[k].integral(value[1], value[2]);
                double by_T = value[0] * shapes[k].integral_by_T(value[1], value[2]);
                double bound = reached(1e-10, value, true);
                cr_assert_eq(adjoint_run(adjoint, value, &out, &s.diagnosis), OK);
                cr_expect_float_eq(out->value, value[0] * all, 1e-8, "%s, %s", name[m],
                                   shapes[k].name);
                cr_expect_float_eq(out->by_rho[0], all, 1e-8,
                                   "%s, %s, T = %.17g, "
                                   "w = %.3g: by A",
                                   name[m], shapes[k].name, value[1], value[2]);
                cr_expect_float_eq(out->by_rho[1], by_T, fmax(1e-8, bound),
                                   "%s, %s, "
                                   "T = %.17g, w = %.3g: by T %.17g, not %.17g",
                                   name[m], shapes[k].name, value[1], value[2],
                                   out->by_rho[1], by_T);
                gradient_free(out);
            }
            adjoint_free(adjoint);
            solving_end(&s);
        }
}

/* A derivative by the time of a switch that is hardly wider than times can be told apart
   is refused, and was zero; the motion is not. */
Test(unseen, a_switch_within_the_resolution_of_time_has_no_derivative)
{
    double value[] = {2, 1, 1e-14};
    struct solving s;
    struct trajectory *out;
    of_shape(&s, &shapes[2], OF_TIME, 1e-9);
    s.request.value = value;
    cr_expect_eq(run_once(&s.request, &out, &s.diagnosis), STEP_TOO_SMALL);
    trajectory_free(out);
    s.request.parameters = 0;
    out = solve(&s);
    expect(out, &shapes[2], value, "automatic", 1e-7);
    trajectory_free(out);
    solving_end(&s);
}

/* A pulse that is too small to matter costs a look, and no steps. */
Test(unseen, what_does_not_matter_costs_no_step)
{
    static const char text[] =
        "time: t\nparameters: {A: {nominal: 1e-20}}\ncoordinates: [y]\n"
        "modes: {m: {M: {y: {y: 1}}, F: {y: \"cos(3*t) - y + A*sin(1e6*t)\"}}}\n"
        "initial: {state: {y: 1, vy: 0}}\nend: 3\n";
    struct diagnosis diagnosis;
    struct solving s;
    struct model *model = model_of_text(text, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    solving_of_model(&s, model, "ode");
    s.request.rtol = 1e-10;
    s.request.atol = 1e-13;
    s.request.samples = s.request.parameters = 0;
    struct trajectory *out = solve(&s);
    cr_expect_lt(out->steps + out->rejections, 40);
    trajectory_free(out);
    solving_end(&s);
}
