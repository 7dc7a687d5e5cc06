/*
 * study_order.c - observed orders of the reference, which need no tolerance.
 *
 * Along one direction w in the space of parameters (moved_runs.h), in MPFR:
 *
 *   difference         |[x(rho + h w) - x(rho - h w)] / 2h - dx w|       falls as h^2
 *   Taylor remainder   |x(rho + h w) - x(rho) - h dx w|                  falls as h^2
 *   of order 3         |psi(rho + h w) - psi(rho) - h dpsi w - h^2/2 w' d2psi w|    h^3
 *
 * with x every sample and cost and the time of every event, of the difference also both
 * sides of every event. A derivative that is wrong by however little has the order 0 in
 * the first and 1 in the second; a second derivative, 2 in the third.
 *
 * The third is taken twice, with w' d2psi w from derivatives in MPFR at moved parameters,
 * and from the Hessian in double (second_along.h), at a step that is large beside its
 * errors.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arithmetic/mp.h"
#include "base/memory.h"
#include "jobs/job.h"
#include "motion/cost.h"
#include "motion/samples.h"
#include "motion/second_along.h"
#include "studies/study.h"
#include "tables/json_parts.h"
#include "tables/report.h"

/* An order may be so much less than it is in the limit: the next term of the expansion is
   h times the first. A higher order passes, too, since the first term may be zero. */
static const double order_slack = 0.01;
/* Digits of the step of a Taylor remainder; of the one with a Hessian in double. */
enum { STEP_DIGITS = 8, DOUBLE_STEP_DIGITS = 5 };
/* Relative tolerance of the Hessian in double. */
static const double hessian_rtol = 1e-11;

static const struct truth exact_motion = {.variant = "exact"};

enum {
    DIFFERENCE_TIMES, DIFFERENCE_POINTS, REMAINDER_TIMES, REMAINDER_POINTS, SECOND_MPFR,
    SECOND_DOUBLE, MEASURED
};
static const struct { const char *title; int order; } measured[MEASURED] = {
    [DIFFERENCE_TIMES] = {"difference, event times", 2},
    [DIFFERENCE_POINTS] = {"difference, points and costs", 2},
    [REMAINDER_TIMES] = {"Taylor remainder, event times", 2},
    [REMAINDER_POINTS] = {"Taylor remainder, samples and costs", 2},
    [SECOND_MPFR] = {"Taylor remainder of order 3, costs", 3},
    [SECOND_DOUBLE] = {"the same, Hessian in double", 3},
};

struct order_study {
    struct task task;
    const struct judge_settings *settings;
    const struct case_desc *desc;
    double size[MEASURED][2];       /* largest deviation with h and with h/2; NAN: there
                                       are no costs, or no Hessian */
    double reach[MEASURED];         /* a deviation below this is rounding */
    struct diagnosis no_hessian;    /* why there is none in double */
    struct diagnosis diagnosis;
    enum status status;
};

/* --- distances ---------------------------------------------------------------------- */

/* |a - b - h d|; d NULL: |a - b| */
static double distance(mpfr_srcptr a, mpfr_srcptr b, double h, mpfr_srcptr d)
{
    mpfr_t x;
    mpfr_init2(x, mpfr_get_prec(a));
    mpfr_sub(x, a, b, MPFR_RNDN);
    if (d) {
        mpfr_t step;
        mpfr_init2(step, mpfr_get_prec(a));
        mpfr_mul_d(step, d, h, MPFR_RNDN);
        mpfr_sub(x, x, step, MPFR_RNDN);
        mpfr_clear(step);
    }
    double size = mpfr_number_p(x) ? fabs(mpfr_get_d(x, MPFR_RNDN)) : 0;
    mpfr_clear(x);
    return size;
}

static double largest(double size, const struct mp_point *a, const struct mp_point *b,
                      int first, int past)
{
    for (int c = first; c < past; c++)
        size = fmax(size, distance(a->x[c], b->x[c], 0, NULL));
    return size;
}

/* Measures derivatives along w by the two routes. */
static void measure_difference(struct order_study *study, int halved,
                               const struct mp_trajectory *got,
                               const struct mp_trajectory *want)
{
    int first = got->columns.width, past = got->columns.count;
    int nz = got->columns.model->nz;
    double times = 0, points = 0;
    for (int e = 0; e < got->events; e++) {
        times = fmax(times, distance(got->event[e].tau[0], want->event[e].tau[0], 0,
                                     NULL));
        points = largest(points, &got->event[e].before, &want->event[e].before, first,
                         past);
        points = largest(points, &got->event[e].after, &want->event[e].after, first,
                         past);
    }
    for (int k = 0; k < got->samples; k++)
        points = largest(points, &got->sample[k], &want->sample[k], first, past);
    for (int i = nz; i < 2 * nz; i++)
        points = fmax(points, distance(got->psi[i], want->psi[i], 0, NULL));
    study->size[DIFFERENCE_TIMES][halved] = times;
    study->size[DIFFERENCE_POINTS][halved] = points;
}

/* Event e of `at` in a run at moved parameters, in which events that are together may
   come in another order: equally many events of its name are before it. */
static const struct mp_event *same_event(const struct mp_trajectory *moved,
                                         const struct mp_trajectory *at, int e)
{
    int before = 0;
    for (int k = 0; k < e; k++)
        before += at->event[k].event == at->event[e].event;
    for (int k = 0; k < moved->events; k++)
        if (moved->event[k].event == at->event[e].event && before-- == 0)
            return &moved->event[k];
    return NULL;
}

/* Measures values at moved parameters against the derivatives of `at`. */
static void measure_remainder(struct order_study *study, int halved, double h,
                              const struct mp_trajectory *moved,
                              const struct mp_trajectory *at)
{
    int width = at->columns.width, nz = at->columns.model->nz;
    double times = 0, points = 0;
    for (int e = 0; e < at->events; e++) {
        const struct mp_event *event = same_event(moved, at, e);
        times = fmax(times, event ? distance(event->before.t, at->event[e].before.t, h,
                                             at->event[e].tau[0]) : INFINITY);
    }
    for (int k = 0; k < at->samples; k++)
        for (int c = 0; c < width; c++)
            points = fmax(points, distance(moved->sample[k].x[c], at->sample[k].x[c], h,
                                           at->sample[k].x[width + c]));
    for (int i = 0; i < nz; i++)
        points = fmax(points, distance(moved->psi[i], at->psi[i], h, at->psi[nz + i]));
    study->size[REMAINDER_TIMES][halved] = times;
    study->size[REMAINDER_POINTS][halved] = points;
}

/* Measures costs at moved parameters against two derivatives; second [nz] along w. */
static void measure_second(struct order_study *study, int i, int halved, double h,
                           const struct mp_trajectory *moved,
                           const struct mp_trajectory *at, mpfr_srcptr second)
{
    int nz = at->columns.model->nz;
    double largest = nz > 0 ? 0 : NAN;
    mpfr_t x;
    mpfr_init2(x, at->precision);
    for (int k = 0; k < nz; k++) {
        mpfr_mul_d(x, second + k, h / 2, MPFR_RNDN);
        mpfr_add(x, x, at->psi[nz + k], MPFR_RNDN);
        largest = fmax(largest, distance(moved->psi[k], at->psi[k], h, x));
    }
    mpfr_clear(x);
    study->size[i][halved] = largest;
}

/* --- one case ----------------------------------------------------------------------- */

/* Takes both first measures with the step h, or half of it, and with the second
   derivatives of costs along w the one of order 3. */
static enum status measure(struct order_study *study, const struct moved_runs *runs,
                           const struct mp_trajectory *at, mpfr_srcptr second, int halved)
{
    struct mp_trajectory *difference = NULL, *moved = NULL;
    struct diagnosis *diagnosis = &study->diagnosis;
    double h = ldexp(moved_runs_step(STEP_DIGITS), -halved);
    enum status status = reference_difference(&runs->request, halved, 1, &difference,
                                              diagnosis);
    if (status == OK)
        status = moved_runs_at(runs, h, false, &moved, diagnosis);
    if (status == OK)
        status = moved_runs_alike(moved, at, diagnosis);
    if (status == OK)
        status = moved_runs_alike(difference, at, diagnosis);
    if (status == OK) {
        measure_difference(study, halved, difference, at);
        measure_remainder(study, halved, h, moved, at);
        measure_second(study, SECOND_MPFR, halved, h, moved, at, second);
    }
    mp_trajectory_free(difference);
    mp_trajectory_free(moved);
    return status;
}

/* w' H w of every cost, in the default formulation; *size is the largest of these and of
   the first derivatives. */
static enum status hessian_in_double(const struct moved_runs *runs, mpfr_ptr second,
                                     double *size, struct diagnosis *diagnosis)
{
    const struct model *model = runs->request.model;
    const struct formulation *formulation = formulation_default(model);
    const char *option[MAX_OPTIONS];
    enum status status = OK;
    options_nominal(formulation, option);
    const struct run_request run = {
        .model = model, .formulation = formulation, .option = option, .value = runs->rho,
        .parameters = runs->request.parameters, .parameter = runs->parameter,
        .rtol = hessian_rtol, .atol = hessian_rtol / 1000, .t_end = NAN};
    *size = 0;
    for (int k = 0; status == OK && k < model->nz; k++) {
        double first = 0, value = 0;
        status = second_along_double(&run, &runs->direction, k, 0, &first, &value,
                                     diagnosis);
        mpfr_set_d(second + k, value, MPFR_RNDN);
        *size = fmax(*size, fmax(fabs(value), fabs(first)));
    }
    return status;
}

/* Without a Hessian, or where runs at this larger step have other events, the measure is
   not taken. Errors of the Hessian within its tolerance count as rounding. */
static void measure_in_double(struct order_study *study, const struct moved_runs *runs,
                              const struct mp_trajectory *at, mpfr_ptr second)
{
    struct diagnosis *why = &study->no_hessian;
    double size, step = moved_runs_step(DOUBLE_STEP_DIGITS);
    enum status status = hessian_in_double(runs, second, &size, why);
    study->reach[SECOND_DOUBLE] = 100 * hessian_rtol * size * step * step;
    for (int halved = 0; status == OK && halved < 2; halved++) {
        struct mp_trajectory *moved = NULL;
        double h = ldexp(step, -halved);
        status = moved_runs_at(runs, h, false, &moved, why);
        if (status == OK)
            status = moved_runs_alike(moved, at, why);
        if (status == OK)
            measure_second(study, SECOND_DOUBLE, halved, h, moved, at, second);
        mp_trajectory_free(moved);
    }
    if (status != OK)
        study->size[SECOND_DOUBLE][0] = NAN;
}

static enum status measure_all(struct order_study *study, const struct moved_runs *runs,
                               const struct mp_trajectory *at)
{
    int nz = at->columns.model->nz;
    mpfr_ptr first = mp_vector_new((size_t)nz, at->precision);
    mpfr_ptr second = mp_vector_new((size_t)nz, at->precision);
    enum status status = nz > 0 ? second_along_mpfr(runs, first, second,
                                                    &study->diagnosis) : OK;
    for (int halved = 0; status == OK && halved < 2; halved++) {
        task_part(&study->task, halved / 2.0, (halved + 1) / 2.0);
        status = measure(study, runs, at, second, halved);
    }
    if (status == OK && nz > 0)
        measure_in_double(study, runs, at, second);
    mp_vector_free(first);
    mp_vector_free(second);
    return status;
}

/* Measures the exact motion at the nominal parameters. */
static enum status study_model(struct order_study *study, const struct model *model)
{
    struct moved_runs runs;
    struct samples samples;
    struct mp_trajectory *at = NULL;
    enum status status = moved_runs_open(&runs, model, &exact_motion,
                                         study->settings->mp_digits, &study->diagnosis);
    if (status == OK)
        status = choose_samples(model, &samples, &study->diagnosis);
    if (status == OK) {
        runs.request.samples = samples.reference_count;
        runs.request.sample = samples.reference;
        status = reference_run(&runs.request, &at, &study->diagnosis);
    }
    if (status == OK)
        status = measure_all(study, &runs, at);
    mp_trajectory_free(at);
    moved_runs_close(&runs);
    return status;
}

static void run_order_study(struct task *task)
{
    struct order_study *study = (struct order_study *)task;
    struct model *model = model_new(study->desc, &study->diagnosis);
    /* Rounding of numbers of size one, in differences over a step of 10^(-digits/3). */
    for (int i = 0; i < MEASURED; i++)
        study->reach[i] = pow(10, -study->settings->mp_digits *
                                      (i < REMAINDER_TIMES ? 0.72 : 0.9));
    study->status = model ? study_model(study, model) : study->diagnosis.status;
    model_free(model);
    mpfr_free_cache();
}

/* --- the table ---------------------------------------------------------------------- */

static bool print_order(const struct order_study *study, int i, cJSON *item)
{
    const double *size = study->size[i];
    bool exact = size[0] <= study->reach[i];
    double order = exact ? NAN : log2(size[0] / size[1]);
    bool held = exact || order >= measured[i].order - order_slack;
    cJSON_AddStringToObject(item, "name", measured[i].title);
    json_numbers(item, "size", size, 2);
    json_number(item, "order", order);
    cJSON_AddBoolToObject(item, "held", held);
    static const struct text_column column[] = {
        {"", TEXT_LEFT, 2, 36}, {"", TEXT_RIGHT, 2, 9}, {"", TEXT_RIGHT, 2, 6}};
    text_cell(stdout, &column[0], "%s", measured[i].title);
    for (int k = 0; k < 2; k++)
        text_cell(stdout, &column[1], "%.3e", size[k]);
    if (exact) {
        printf("          exact, but for rounding\n");
        return true;
    }
    text_cell(stdout, &column[2], "%.3f", order);
    return report_held(stdout, held);
}

/* Costs have no Hessian in double where the adjoint method has none. */
static void print_no_hessian(const struct order_study *study)
{
    char why[600];
    refusal_text(&study->no_hessian, why, sizeof why);
    printf("  no Hessian in double: %s\n", why);
}

static bool print_case(const struct order_study *study, cJSON *item)
{
    bool held = true;
    char why[600];
    cJSON_AddStringToObject(item, "case", study->desc->name);
    printf("\n%s%s%s\n", colour_on(stdout, BOLD), study->desc->name, colour_off(stdout));
    if (study->status != OK) {
        refusal_text(&study->diagnosis, why, sizeof why);
        printf("  no derivatives: %s\n", why);
        json_diagnosis(item, &study->diagnosis);
        return true;
    }
    cJSON *list = cJSON_AddArrayToObject(item, "measured");
    for (int i = 0; i < MEASURED; i++)
        if (!isnan(study->size[i][0]))
            held = print_order(study, i, json_append(list)) && held;
    if (study->no_hessian.status != OK)
        print_no_hessian(study);
    cJSON_AddBoolToObject(item, "held", held);
    return held;
}

/* Twelve runs of the reference; those with derivatives count twice. */
static bool takes_too_long(const struct order_study *study)
{
    struct effort effort;
    char text[40];
    struct model *model = model_new(study->desc, NULL);
    if (!model)
        return false;
    effort_of(model, &exact_motion, &effort);
    model_free(model);
    double seconds = 16 * effort_of_run(&effort, study->settings->mp_digits);
    if (study->settings->thorough || seconds <= judge_patience)
        return false;
    duration_text(seconds, text, sizeof text);
    printf("%s takes about %s: --thorough\n", study->desc->name, text);
    return true;
}

enum exit_status study_order(const struct args *args,
                             const struct judge_settings *settings,
                             const struct case_desc *const *desc, int cases, int threads,
                             cJSON *found)
{
    struct order_study *study = memory_new(cases, sizeof *study);
    struct task **task = memory_new(cases, sizeof *task);
    int count = 0;
    (void)args;
    for (int i = 0; i < cases; i++) {
        study[count] = (struct order_study){.settings = settings, .desc = desc[i],
                                            .diagnosis = {.t = NAN},
                                            .no_hessian = {.t = NAN},
                                            .size = {[SECOND_MPFR] = {NAN, NAN},
                                                     [SECOND_DOUBLE] = {NAN, NAN}}};
        if (takes_too_long(&study[count]))
            continue;
        study[count].task.run = run_order_study;
        study[count].task.weight = 1;
        snprintf(study[count].task.title, sizeof study[count].task.title, "%.60s, orders",
                 desc[i]->name);
        task[count] = &study[count].task;
        count++;
    }
    pool_run("verify", task, count, threads);
    printf("How differences and Taylor remainders fall with the step, h and h/2, in\n"
           "MPFR along one direction in the space of parameters. Orders are to be 1.99\n"
           "or more, 2.99 with second derivatives.\n");
    bool held = true;
    for (int k = 0; k < count; k++)
        held = print_case(&study[k], json_append(found)) && held;
    free(task);
    free(study);
    return held ? EXIT_HELD : EXIT_SHORT;
}
