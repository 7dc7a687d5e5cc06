/*
 * test_random_gradients.c - gradients of mechanisms that nobody thought of (random/), by
 * transposed steps and by adjoint equations, against the direct method, in every
 * formulation; and their Hessians, which are symmetric.
 */
#include "gradients.h"
#include "random/generate.h"

TestSuite(random_gradients, .timeout = 600);

enum { FEW = 60, MANY = 600, MOST_STEPS = 20000 };

static int seeds(void)
{
    return getenv("SALTUS_SLOW") ? MANY : FEW;
}

/* Counts over all seeds. */
struct count {
    int mechanisms, transposed, adjoint, symmetric, events, refused;
};

/* Digits that rounding leaves, where errors have grown, or an event is nearly grazed. */
static double digits_left(const struct trajectory *direct, double all)
{
    double lost = log10(fmax(1, direct->growth.factor));
    for (int k = 0; k < direct->events; k++)
        lost = fmax(lost, log10(fmax(1, direct->event[k].condition)));
    return all - lost;
}

static void expect_digits(const struct solving *s, const struct trajectory *direct,
                          const struct gradient *gradient, const char *what, double bar,
                          int *count)
{
    double digits = digits_of_gradient(s, direct, gradient);
    cr_expect_geq(digits, bar, "%s, %s, %s: %.1f digits of %.1f; "
                  "saltus random --seed N --show", s->model->desc->name,
                  s->request.formulation->name, what, digits, bar);
    ++*count;
}

/* Second derivatives that are less beside the gradient are rounding of nothing. */
static double asymmetry(const struct solving *s, const double *hessian,
                        double gradient_size)
{
    static const double hessian_floor = 1e-3;
    int p = s->request.parameters;
    double size = hessian_floor * gradient_size, worst = 0;
    for (int j = 0; j < p; j++)
        for (int k = 0; k < p; k++) {
            double scale = size_of_parameter(s, j) * size_of_parameter(s, k);
            size = fmax(size, fabs(hessian[j * p + k]) * scale);
            worst = fmax(worst, fabs(hessian[j * p + k] - hessian[k * p + j]) * scale);
        }
    return size > 0 ? worst / size : 0;
}

/* A mechanism of which a formulation finds fewer digits, for a cause that is known and
   not mended: coordinate partitioning where masses are 1e6 apart, which its units do not
   even out. */
static bool is_known_cause(const struct solving *s)
{
    return strcmp(s->model->desc->name, "random-437") == 0 &&
           strcmp(s->request.formulation->name, "ode") == 0;
}

/* On the run of the direct method, for two runs are as far apart as a formulation is from
   the motion, and derivatives of theirs by that times their condition. */
static void judge(struct solving *s, struct count *count)
{
    static const struct adjoint_request on_direct = {.steps_of_direct = true};
    struct trajectory *direct;
    enum status back;
    bool explicit = s->request.formulation->kind == ALGEBRAIC;
    bool projects = s->request.formulation->projection;     /* to a tolerance */
    s->request.rtol = explicit ? 1e-10 : 1e-8;
    s->request.atol = s->request.rtol / 1000;
    s->request.samples = 1;
    s->request.sample = s->sample + TEST_SAMPLES - 1;
    s->request.max_steps = MOST_STEPS;
    enum status status = run_once(&s->request, &direct, &s->diagnosis);
    if (status == OK) {
        struct gradient *gradient = gradient_with(s, on_direct, 0, NULL, &back);
        count->mechanisms++;
        count->refused += !gradient;
        count->events += direct->events;
        if (gradient)
            expect_digits(s, direct, gradient, "adjoint",
                          digits_left(direct, is_known_cause(s) ? 7 : explicit ? 8 : 5),
                          &count->adjoint);
        gradient_free(gradient);
    }
    if (status == OK && explicit) {
        struct gradient *gradient = gradient_by(s, "discrete-adjoint", 0, &back);
        if (gradient)
            expect_digits(s, direct, gradient, "transposed",
                          digits_left(direct, projects ? 6 : 9), &count->transposed);
        gradient_free(gradient);
        struct adjoint_request hessian = {.hessian = true};
        gradient = s->request.parameters > 0
                       ? gradient_with(s, hessian, 0, NULL, &back)
                       : NULL;
        if (gradient) {
            double digits = -log10(asymmetry(s, gradient->hessian,
                                             size_of_gradient(s, direct)) + 1e-17);
            double bar = digits_left(direct, 7);
            cr_expect_geq(digits, bar, "%s, %s: Hessian symmetric to %.1f digits of %.1f",
                          s->model->desc->name, s->request.formulation->name, digits,
                          bar);
            count->symmetric++;
        }
        gradient_free(gradient);
    }
    trajectory_free(direct);
}

static void judge_seed(uint64_t seed, struct count *count)
{
    struct draw *draw = malloc(sizeof *draw);
    struct diagnosis diagnosis;
    generate(draw, seed, ALL_KINDS);
    for (int f = 0; formulations[f]; f++) {
        struct solving s;
        const char *why;
        struct model *model = draw_model(draw, &diagnosis);
        if (!model)
            break;
        if (!formulation_applies(formulations[f], model, &why)) {
            model_free(model);
            continue;
        }
        solving_of_model(&s, model, formulations[f]->name);
        judge(&s, count);
        solving_end(&s);
    }
    free(draw);
}

Test(random_gradients, agree_with_the_direct_method)
{
    struct count count = {0};
    const char *only = getenv("SALTUS_SEED");
    uint64_t first = only ? strtoull(only, NULL, 10) : 1;
    for (int k = 0; k < (only ? 1 : seeds()); k++)
        judge_seed(first + (uint64_t)k, &count);
    cr_log_info("%d runs, %d events, %d adjoint, %d transposed, %d Hessians, %d refused",
                count.mechanisms, count.events, count.adjoint, count.transposed,
                count.symmetric, count.refused);
    if (only)
        return;
    cr_expect_geq(count.adjoint, 2 * seeds());
    cr_expect_geq(count.transposed, seeds());
    cr_expect_geq(count.symmetric, seeds());
    cr_expect_leq(10 * count.refused, count.mechanisms);
}
