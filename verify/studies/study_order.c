/*
 * study_order.c - observed orders of the reference, which need no tolerance.
 *
 * Along one direction w in the space of parameters (direction.h), in MPFR:
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
 * and from the Hessian in double (adjoint.h), at a step that is large beside its errors.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/adjoint.h"
#include "arithmetic/mp.h"
#include "base/memory.h"
#include "jobs/job.h"
#include "motion/cost.h"
#include "motion/direction.h"
#include "motion/samples.h"
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

/* Everything that all runs of a case have in common. */
struct base {
    double *rho;                    /* [p] nominal parameters, rounded to doubles */
    struct model *model;
    struct samples samples;
    struct parameter_direction direction;
    struct reference_request request;
    int *parameter;
    char **value;                   /* [p] decimal text */
    int digits;
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

/* --- runs --------------------------------------------------------------------------- */

/* The exact motion at the nominal parameters, rounded to doubles. */
static enum status open_base(struct base *base, const struct order_study *study,
                             struct diagnosis *diagnosis)
{
    *base = (struct base){.digits = study->settings->mp_digits};
    base->model = model_new(study->desc, diagnosis);
    if (!base->model)
        return diagnosis->status;
    int p = base->model->p;
    base->rho = memory_new(p, sizeof *base->rho);
    base->parameter = memory_new(p, sizeof *base->parameter);
    base->value = memory_new(p, sizeof *base->value);
    int parameters = model_sensitivities(base->model, base->parameter);
    enum status status = model_nominal_values(base->model, base->rho, diagnosis);
    if (status == OK)
        status = choose_samples(base->model, &base->samples, diagnosis);
    if (status == OK)
        status = direction_random(base->model, parameters, base->parameter,
                                  &base->direction, diagnosis);
    for (int j = 0; j < p; j++) {
        base->value[j] = memory_new(80, 1);
        snprintf(base->value[j], 80, "%.40g", base->rho[j]);
    }
    base->request = (struct reference_request){
        .model = base->model, .truth = {.variant = "exact"}, .digits = base->digits,
        .parameters = parameters, .parameter = base->parameter,
        .direction = (const char *const *)base->direction.w,
        .value = (const char *const *)base->value,
        .samples = base->samples.reference_count, .sample = base->samples.reference};
    return status;
}

static void close_base(struct base *base)
{
    for (int j = 0; base->value && j < base->model->p; j++)
        free(base->value[j]);
    free(base->value);
    free(base->rho);
    free(base->parameter);
    direction_clear(&base->direction);
    model_free(base->model);
}

/* Runs the values at rho + h w; `derivative`: with the derivative along w. */
static enum status run_moved(const struct base *base, double h, bool derivative,
                             struct mp_trajectory **out, struct diagnosis *diagnosis)
{
    struct reference_request request = base->request;
    const char **value = memory_new(base->model->p, sizeof *value);
    char (*text)[120] = memory_new(base->request.parameters, sizeof *text);
    mpfr_t rho, w;
    mpfr_inits2(400, rho, w, (mpfr_ptr)0);
    memory_copy(value, base->value, base->model->p, sizeof *value);
    for (int k = 0; k < base->request.parameters; k++) {
        int j = base->parameter[k];
        mpfr_set_str(rho, base->value[j], 10, MPFR_RNDN);
        mpfr_set_str(w, base->direction.w[k], 10, MPFR_RNDN);
        mpfr_mul_d(w, w, h, MPFR_RNDN);
        mpfr_add(rho, rho, w, MPFR_RNDN);
        mpfr_snprintf(text[k], sizeof *text, "%.100Rg", rho);
        value[j] = text[k];
    }
    if (!derivative) {
        request.direction = NULL;
        request.parameters = 0;
    }
    request.value = value;
    enum status status = reference_run(&request, out, diagnosis);
    mpfr_clears(rho, w, (mpfr_ptr)0);
    free(text);
    free(value);
    return status;
}

static enum status other_events(struct order_study *study)
{
    return diagnose(&study->diagnosis, NOT_APPLICABLE, NAN,
                    "a run at moved parameters has other events");
}

static double step_of(int digits, int halved)
{
    return ldexp(1, -(int)ceil(digits * log2(10)) - halved);
}

/* Takes both first measures with the step h, or half of it, and with the second
   derivatives of costs along w the one of order 3. */
static enum status measure(struct order_study *study, const struct base *base,
                           const struct mp_trajectory *at, mpfr_srcptr second, int halved)
{
    struct mp_trajectory *difference = NULL, *moved = NULL;
    double h = step_of(STEP_DIGITS, halved);
    enum status status = reference_difference(&base->request, halved, 1, &difference,
                                              &study->diagnosis);
    if (status == OK)
        status = run_moved(base, h, false, &moved, &study->diagnosis);
    if (status == OK && (moved->events != at->events || difference->events != at->events))
        status = other_events(study);
    if (status == OK) {
        measure_difference(study, halved, difference, at);
        measure_remainder(study, halved, h, moved, at);
        measure_second(study, SECOND_MPFR, halved, h, moved, at, second);
    }
    mp_trajectory_free(difference);
    mp_trajectory_free(moved);
    return status;
}

/* Second derivatives of all costs along w, second [nz]: differences of derivatives along
   w, which have two thirds of the digits. */
static enum status second_in_mpfr(struct order_study *study, const struct base *base,
                                  mpfr_ptr second)
{
    int nz = base->model->nz;
    double step = ldexp(1, -(int)ceil(base->digits / 3.0 * log2(10)));
    struct mp_trajectory *side[2] = {NULL, NULL};
    enum status status = OK;
    for (int i = 0; status == OK && i < 2; i++)
        status = run_moved(base, i ? step : -step, true, &side[i], &study->diagnosis);
    if (status == OK && side[0]->events != side[1]->events)
        status = other_events(study);
    for (int k = 0; status == OK && k < nz; k++) {
        mpfr_sub(second + k, side[1]->psi[nz + k], side[0]->psi[nz + k], MPFR_RNDN);
        mpfr_div_d(second + k, second + k, 2 * step, MPFR_RNDN);
    }
    mp_trajectory_free(side[0]);
    mp_trajectory_free(side[1]);
    return status;
}

/* --- the Hessian in double ---------------------------------------------------------- */

/* w' H w of cost k */
static enum status second_of_cost(const struct base *base, int k, double *second,
                                  struct diagnosis *diagnosis)
{
    const char *option[MAX_OPTIONS];
    const struct formulation *formulation = formulation_default(base->model);
    int p = base->request.parameters;
    struct gradient *found = NULL;
    options_nominal(formulation, option);
    const struct adjoint_request request = {
        .run = {.model = base->model, .formulation = formulation, .option = option,
                .value = base->rho, .parameters = p, .parameter = base->parameter,
                .rtol = hessian_rtol, .atol = hessian_rtol / 1000, .t_end = NAN},
        .cost = k, .hessian = true};
    struct adjoint *adjoint = adjoint_new(&request, diagnosis);
    enum status status = adjoint ? adjoint_run(adjoint, NULL, &found, diagnosis)
                                 : diagnosis->status;
    *second = 0;
    for (int i = 0; status == OK && i < p * p; i++)
        *second += strtod(base->direction.w[i / p], NULL) * found->hessian[i] *
                   strtod(base->direction.w[i % p], NULL);
    gradient_free(found);
    adjoint_free(adjoint);
    return status;
}

/* Without a Hessian, or where runs at this larger step have other events, the measure is
   not taken. Errors of the Hessian within its tolerance count as rounding. */
static void measure_in_double(struct order_study *study, const struct base *base,
                                     const struct mp_trajectory *at, mpfr_ptr second)
{
    struct diagnosis *why = &study->no_hessian;
    double largest = 0;
    enum status status = OK;
    int nz = base->model->nz;
    for (int k = 0; status == OK && k < nz; k++) {
        double value;
        status = second_of_cost(base, k, &value, why);
        mpfr_set_d(second + k, value, MPFR_RNDN);
        largest = fmax(largest, fmax(fabs(value), fabs(mpfr_get_d(at->psi[nz + k],
                                                                  MPFR_RNDN))));
    }
    double h = step_of(DOUBLE_STEP_DIGITS, 0);
    study->reach[SECOND_DOUBLE] = 100 * hessian_rtol * largest * h * h;
    for (int halved = 0; status == OK && halved < 2; halved++) {
        struct mp_trajectory *moved = NULL;
        h = step_of(DOUBLE_STEP_DIGITS, halved);
        status = run_moved(base, h, false, &moved, why);
        if (status == OK && moved->events != at->events)
            status = diagnose(why, NOT_APPLICABLE, NAN, "a run at moved parameters has "
                              "other events");
        if (status == OK)
            measure_second(study, SECOND_DOUBLE, halved, h, moved, at, second);
        mp_trajectory_free(moved);
    }
    if (status != OK)
        study->size[SECOND_DOUBLE][0] = NAN;
}

static enum status measure_all(struct order_study *study, const struct base *base,
                               const struct mp_trajectory *at)
{
    int nz = base->model->nz;
    mpfr_ptr second = mp_vector_new((size_t)nz, at->precision);
    enum status status = nz > 0 ? second_in_mpfr(study, base, second) : OK;
    for (int halved = 0; status == OK && halved < 2; halved++) {
        task_part(&study->task, halved / 2.0, (halved + 1) / 2.0);
        status = measure(study, base, at, second, halved);
    }
    if (status == OK && nz > 0)
        measure_in_double(study, base, at, second);
    mp_vector_free(second);
    return status;
}

static void run_order_study(struct task *task)
{
    struct order_study *study = (struct order_study *)task;
    struct base base;
    struct mp_trajectory *at = NULL;
    study->status = open_base(&base, study, &study->diagnosis);
    if (study->status == OK && base.request.parameters == 0)
        study->status = diagnose(&study->diagnosis, NOT_APPLICABLE, NAN, "no parameters");
    if (study->status == OK)
        study->status = reference_run(&base.request, &at, &study->diagnosis);
    /* Rounding of numbers of size one, in differences over a step of 10^(-digits/3). */
    for (int i = 0; i < MEASURED; i++)
        study->reach[i] = pow(10, -base.digits * (i < REMAINDER_TIMES ? 0.72 : 0.9));
    if (study->status == OK)
        study->status = measure_all(study, &base, at);
    mp_trajectory_free(at);
    if (base.model)
        close_base(&base);
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
    const struct truth exact = {.variant = "exact"};
    struct model *model = model_new(study->desc, NULL);
    if (!model)
        return false;
    effort_of(model, &exact, &effort);
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
