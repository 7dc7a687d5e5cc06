/*
 * test_adjoint.c - gradients backwards against the direct method, in all formulations:
 * transposed steps over the whole catalogue in ode, all others by turns (gradients.h).
 */
#include "gradients.h"

TestSuite(adjoint, .timeout = 600);

/* Is the case of this class? */
static bool is_of(const struct case_desc *desc, const char *class)
{
    return strstr(desc->classes, class) != NULL;
}

/* Cases of the catalogue: all; those whose turn it is (gradients.h); those with events
   that are there to torture, or have a singular configuration. */
enum { ALL = 1, BY_TURNS = 2, HARD = 4 };

/* One method against the direct one; counts what could be compared. */
struct survey {
    const char *method;
    int cases;
    double rtol;
    bool same_steps;                /* on the run of the direct method (adjoint.h) */
    double bar, smooth;             /* digits, with events and without */
    double singular, torture;       /* across singular configurations; where a case is
                                       there to torture. On the same steps these bars are
                                       for what has no events */
    int compared, with_events;
};

/* Growth of errors is seen backwards even if the direct method refuses nothing yet. */
static void expect_refusal(const struct survey *survey, const struct solving *s,
                           enum status direct, enum status back)
{
    bool singular = is_of(s->model->desc, "singular");
    cr_expect(direct != OK || singular || back == NO_DIGITS,
              "%s, %s, %s: %s: %s", s->model->desc->name,
              s->request.formulation->name, survey->method, status_text(back),
              s->diagnosis.place);
}

static double bar_of(const struct survey *survey, const struct model *model)
{
    if (survey->same_steps && model->events > 0)
        return strcmp(model->desc->name, "zeno-approached") == 0 ? survey->torture
                                                                 : survey->bar;
    return is_of(model->desc, "singular")  ? survey->singular
           : is_of(model->desc, "torture") ? survey->torture
           : model->events > 0             ? survey->bar
                                           : survey->smooth;
}

static void compare(struct survey *survey, struct solving *s)
{
    const struct case_desc *desc = s->model->desc;
    struct trajectory *direct;
    enum status back, status = run_once(&s->request, &direct, &s->diagnosis);
    struct adjoint_request request = {.method = adjoint_method_find(survey->method),
                                      .steps_of_direct = survey->same_steps};
    struct gradient *gradient = gradient_with(s, request, 0, NULL, &back);
    double bar = bar_of(survey, s->model);
    if (!gradient) {
        expect_refusal(survey, s, status, back);
    } else if (status == OK) {
        double digits = digits_of_gradient(s, direct, gradient);
        cr_expect_geq(digits, bar, "%s, %s, %s: %.1f digits", desc->name,
                      s->request.formulation->name, survey->method, digits);
        cr_expect_eq(gradient->trajectory->events, direct->events);
        survey->compared++;
        survey->with_events += direct->events > 0;
    }
    gradient_free(gradient);
    trajectory_free(direct);
}

static bool takes(const struct survey *survey, int k,
                  const struct formulation *formulation)
{
    const char *why;
    struct model *model = model_new(catalogue[k], NULL);
    bool hard = model->events > 0 &&
                (is_of(catalogue[k], "torture") || is_of(catalogue[k], "singular"));
    bool applies = formulation_applies(formulation, model, &why);
    model_free(model);
    return applies && (survey->cases & ALL || (survey->cases & HARD && hard) ||
                       (survey->cases & BY_TURNS && has_turn(k, formulation)));
}

static void compare_all(struct survey *survey, const char *name)
{
    const struct formulation *formulation = formulation_find(name);
    for (int k = 0; catalogue[k]; k++) {
        struct solving s;
        if (!takes(survey, k, formulation))
            continue;
        gradients_of(&s, catalogue[k], name, survey->rtol);
        compare(survey, &s);
        solving_end(&s);
    }
}

/* At a loose tolerance both make the same errors, as one is the transpose of the other:
   steps, dense output at events, projections, saltation. */
/* The derivatives of zeno-approached, after two hundred impacts, have 8.8 digits in
   double, by their condition. */
static void expect_transposed(const char *formulation, int cases, int least)
{
    struct survey survey = {.method = "discrete-adjoint", .cases = cases, .rtol = 1e-6,
                            .bar = 10.5, .smooth = 10.5, .singular = 4, .torture = 8.5};
    compare_all(&survey, formulation);
    if (cases == BY_TURNS)
        least = least_of_turn(least);
    cr_expect_geq(survey.compared, least, "%s: %d", formulation, survey.compared);
}

Test(adjoint, transposed_steps_are_the_direct_gradient_to_rounding)
{
    expect_transposed("ode", ALL, 65);
    expect_transposed("index1", BY_TURNS, 30);
    expect_transposed("baumgarte", BY_TURNS, 35);
    expect_transposed("penalty", BY_TURNS, 35);
    expect_transposed("modified-lagrange", BY_TURNS, 35);
    expect_transposed("augmented", BY_TURNS, 35);
}

/* The adjoint equations have errors of their own, at the tolerance. */
static void expect_agreement(const char *formulation, double rtol, double bar, int least)
{
    struct survey survey = {.method = "adjoint", .cases = BY_TURNS, .rtol = rtol,
                            .bar = bar, .smooth = fmin(bar, 9), .singular = 3,
                            .torture = fmin(bar, 7)};
    compare_all(&survey, formulation);
    cr_expect_geq(survey.with_events, least_of_turn(least), "%s: %d", formulation,
                  survey.with_events);
}

/* make test has one exact formulation and one of a penalty; on the run of the direct
   method it has all. */
Test(adjoint, the_adjoint_equations_agree_to_ten_digits)
{
    expect_agreement("ode", 2e-13, 10, 45);
    expect_agreement("penalty", 1e-12, 10, 20);
    if (!in_test_all())
        return;
    expect_agreement("index1", 1e-12, 10, 20);
    expect_agreement("baumgarte", 1e-12, 10, 20);
    expect_agreement("modified-lagrange", 1e-12, 10, 20);
    expect_agreement("augmented", 3e-13, 9, 20);
}

/* Two runs differ by rounding, derivatives of theirs by that times their condition. On
   one run nothing is left of it: neither beside a contact that nearly grazes, nor between
   two hundred impacts, nor across a singular configuration on the way to an event. Two
   hundred impacts in ode, zeno-approached, leave 9.2 digits by verner98, 9.5 by
   dop853. */
static void expect_the_same(const char *formulation, double rtol, double bar, int least)
{
    struct survey survey = {.method = "adjoint", .cases = BY_TURNS | HARD, .rtol = rtol,
                            .same_steps = true, .bar = bar, .smooth = bar,
                            .singular = 5, .torture = bar};
    if (strcmp(formulation, "ode") == 0)
        survey.torture = 9;
    compare_all(&survey, formulation);
    cr_expect_geq(survey.with_events, least_of_turn(least), "%s: %d", formulation,
                  survey.with_events);
}

Test(adjoint, on_the_run_of_the_direct_method_equations_agree_to_ten_digits)
{
    expect_the_same("ode", 1e-13, 10, 45);
    expect_the_same("index1", 1e-12, 10, 20);
    expect_the_same("baumgarte", 1e-12, 10, 20);
    expect_the_same("penalty", 1e-12, 10, 20);
    expect_the_same("modified-lagrange", 1e-12, 10, 20);
    expect_the_same("augmented", 1e-12, 10, 20);
    expect_the_same("index3", 1e-9, 8, 12);
    expect_the_same("ggl", 1e-11, 11, 12);
    expect_the_same("implicit", 1e-11, 9, 12);
}

/* Two hundred impacts, zeno-approached, multiply as many jumps in the other order. */
Test(adjoint, transposed_steps_have_ten_digits_where_motions_are_hard)
{
    static const char *const names[] = {"ode", "index1", "baumgarte", "penalty",
                                        "modified-lagrange", "augmented"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct survey survey = {.method = "discrete-adjoint", .cases = HARD,
                                .rtol = 1e-13, .singular = 10, .torture = 9};
        compare_all(&survey, names[k]);
    }
}

Test(adjoint, a_dae_has_the_adjoint_of_its_motion)
{
    expect_agreement("index3", 1e-8, 6, 12);
    expect_agreement("ggl", 1e-8, 6, 12);
    expect_agreement("implicit", 1e-8, 5, 12);
}

/* --- memory ------------------------------------------------------------------------- */

/* With room for few states the steps between are made again, to rounding; the number of
   states is that of the memory. */
static void expect_gradient_in_memory(const char *name, const char *formulation,
                                      const char *method, int states)
{
    struct solving s;
    enum status status;
    gradients_of(&s, case_find(name), formulation, 1e-9);
    int state = 2 * s.model->n + s.model->ns + s.model->nz;
    size_t memory = (size_t)(states * state) * sizeof(double);
    struct gradient *wide = gradient_by(&s, method, 0, &status);
    struct gradient *tight = gradient_by(&s, method, memory, &status);
    cr_assert(wide && tight, "%s: %s", name, s.diagnosis.place);
    cr_expect_eq(wide->repeated, 0);
    cr_expect_gt(tight->repeated, 0, "%s: %ld steps", name, wide->trajectory->steps);
    double size = 0, worst = 0;
    for (int j = 0; j < s.request.parameters; j++) {
        double scale = size_of_parameter(&s, j);
        size = fmax(size, fabs(wide->by_rho[j]) * scale);
        worst = fmax(worst, fabs(wide->by_rho[j] - tight->by_rho[j]) * scale);
    }
    cr_expect_leq(worst, 1e-10 * size, "%s, %s: %.1e", name, method, worst / size);
    gradient_free(wide);
    gradient_free(tight);
    solving_end(&s);
}

Test(adjoint, few_states_are_enough)
{
    expect_gradient_in_memory("five-bar", "index1", "adjoint", 4);
    expect_gradient_in_memory("five-bar", "ode", "adjoint", 4);
    expect_gradient_in_memory("five-bar", "index1", "discrete-adjoint", 4);
    expect_gradient_in_memory("impact-oscillator", "ode", "adjoint", 3);
    expect_gradient_in_memory("pendulum-chain-4", "baumgarte", "discrete-adjoint", 6);
}

/* A method of low order takes more than 1e5 steps, whose states would be 3 MB; 100 kB are
   given. */
Test(adjoint, a_run_of_many_steps_keeps_its_memory)
{
    struct solving s;
    enum status status;
    size_t memory = 100000;
    gradients_of(&s, case_find("pendulum-angle"), "ode", 4e-12);
    s.request.integrator = integrator_find("gsl-rk2");
    s.request.samples = 0;
    struct adjoint_request request = {.run = s.request, .cost = 0, .memory = memory};
    struct adjoint *adjoint = adjoint_new(&request, &s.diagnosis);
    struct gradient *gradient;
    cr_assert_not_null(adjoint, "%s", s.diagnosis.place);
    status = adjoint_run(adjoint, NULL, &gradient, &s.diagnosis);
    cr_assert_eq(status, OK, "%s", s.diagnosis.place);
    cr_expect_gt(gradient->trajectory->steps, 100000, "%ld", gradient->trajectory->steps);
    cr_expect_gt(gradient->repeated, 0);
    cr_expect_leq(gradient->repeated, 2 * gradient->trajectory->steps);
    gradient_free(gradient);
    adjoint_free(adjoint);
    solving_end(&s);
}

/* At a tight tolerance index 2 has nine digits. */
Test(adjoint, stabilised_index_2_has_nine_digits)
{
    expect_agreement("ggl", 1e-11, 9, 12);
    if (in_test_all())
        expect_agreement("implicit", 1e-11, 9, 12);
}
