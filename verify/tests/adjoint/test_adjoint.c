/*
 * test_adjoint.c - gradients backwards against the direct method, over the whole
 * catalogue, in all formulations.
 */
#include "gradients.h"

TestSuite(adjoint, .timeout = 600);

/* Is the case of this class? */
static bool is_of(const struct case_desc *desc, const char *class)
{
    return strstr(desc->classes, class) != NULL;
}

/* One method against the direct one; counts what could be compared. */
struct survey {
    const char *method;
    double rtol;
    double bar, smooth;             /* digits, with events and without */
    double singular, torture;       /* across singular configurations; where a case is
                                       there to torture */
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

static void compare(struct survey *survey, struct solving *s)
{
    const struct case_desc *desc = s->model->desc;
    struct trajectory *direct;
    enum status back, status = run_once(&s->request, &direct, &s->diagnosis);
    struct gradient *gradient = gradient_by(s, survey->method, 0, &back);
    double bar = is_of(desc, "singular")  ? survey->singular
                 : is_of(desc, "torture") ? survey->torture
                 : s->model->events > 0 ? survey->bar
                                             : survey->smooth;
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

static void compare_all(struct survey *survey, const char *formulation)
{
    for (int k = 0; catalogue[k]; k++) {
        struct solving s;
        const char *why;
        struct model *model = model_new(catalogue[k], NULL);
        bool takes = formulation_applies(formulation_find(formulation), model, &why);
        model_free(model);
        if (!takes)
            continue;
        gradients_of(&s, catalogue[k], formulation, survey->rtol);
        compare(survey, &s);
        solving_end(&s);
    }
}

/* At a loose tolerance both make the same errors, as one is the transpose of the other:
   steps, dense output at events, projections, saltation. */
static void expect_transposed(const char *formulation, int least)
{
    struct survey survey = {.method = "discrete-adjoint", .rtol = 1e-6, .bar = 10.5,
                            .smooth = 10.5, .singular = 4, .torture = 9};
    compare_all(&survey, formulation);
    cr_expect_geq(survey.compared, least, "%s: %d", formulation, survey.compared);
}

Test(adjoint, transposed_steps_are_the_direct_gradient_to_rounding)
{
    expect_transposed("ode", 65);
    expect_transposed("index1", 30);
    expect_transposed("baumgarte", 35);
    expect_transposed("penalty", 35);
    expect_transposed("modified-lagrange", 35);
    expect_transposed("augmented", 35);
}

/* The adjoint equations have errors of their own, at the tolerance. */
static void expect_agreement(const char *formulation, double rtol, double bar, int least)
{
    struct survey survey = {.method = "adjoint", .rtol = rtol, .bar = bar,
                            .smooth = fmin(bar, 9), .singular = 3,
                            .torture = fmin(bar, 7)};
    compare_all(&survey, formulation);
    cr_expect_geq(survey.with_events, least, "%s: %d", formulation, survey.with_events);
}

Test(adjoint, the_adjoint_equations_agree_to_ten_digits)
{
    expect_agreement("ode", 2e-13, 10, 45);
    expect_agreement("index1", 1e-12, 10, 20);
    expect_agreement("baumgarte", 1e-12, 10, 20);
    expect_agreement("penalty", 1e-12, 10, 20);
    expect_agreement("modified-lagrange", 1e-12, 10, 20);
    expect_agreement("augmented", 3e-13, 9, 20);
}

Test(adjoint, a_dae_has_the_adjoint_of_its_motion)
{
    expect_agreement("index3", 1e-8, 6, 12);
    expect_agreement("ggl", 1e-8, 6, 12);
    expect_agreement("implicit", 1e-8, 5, 12);
}
