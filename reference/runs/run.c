/* run.c - one reference trajectory from the request to the result: numbers of the
   request, workspaces, start, integration. */
#include "events/mp_run.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/tape.h"

/* --- numbers of the request --------------------------------------------------------- */

bool run_number(const char *text, mpfr_ptr x)
{
    char *end;
    mpfr_strtofr(x, text, &end, 10, MPFR_RNDN);
    while (isspace((unsigned char)*end))
        end++;
    return *end == '\0' && end != text && mpfr_number_p(x);
}

enum status run_parameters(const struct plan *plan,
                           const struct reference_request *request, mpfr_ptr rho,
                           struct diagnosis *diagnosis)
{
    const struct model *model = plan->model;
    struct mp_series *nominal = mp_series_new(plan->nominal, 0, mpfr_get_prec(rho), 1,
                                              PROGRAM_STAGES);
    enum status status = OK;
    for (int j = 0; status == OK && j < model->p; j++) {
        const char *text = request->value ? request->value[j] : NULL;
        const char *name = model->parameter[j].name;
        if (text == NULL)
            mpfr_set(rho + j, mp_series_output(nominal, 0, j), MPFR_RNDN);
        else if (!run_number(text, rho + j))
            status = diagnose(diagnosis, BAD_INPUT, NAN, "%s = \"%s\" is not a number",
                              name, text);
        if (status == OK && !mpfr_number_p(rho + j))
            status = diagnose(diagnosis, NOT_FINITE, NAN, "nominal value of %s", name);
    }
    mp_series_free(nominal);
    return status;
}

static enum status read_times(struct run *run)
{
    const struct reference_request *request = run->request;
    if (request->t_end != NULL && !run_number(request->t_end, run->t_end))
        return diagnose(run->diagnosis, BAD_INPUT, NAN, "t_end = \"%s\" is not a number",
                        request->t_end);
    for (int i = 0; i < request->samples; i++) {
        if (!run_number(request->sample[i], run->sample + i))
            return diagnose(run->diagnosis, BAD_INPUT, NAN,
                            "sample time \"%s\" is not a number", request->sample[i]);
        if (i > 0 && mpfr_cmp(run->sample + i, run->sample + i - 1) <= 0)
            return diagnose(run->diagnosis, BAD_INPUT, NAN,
                            "sample times must increase; %s follows %s",
                            request->sample[i], request->sample[i - 1]);
    }
    return OK;
}

/* Moves a sample to the end if it is off the end by no more than the rounding of
   t_end. An end that moves with a parameter is further away in a run for differences. */
static void settle_at_end(struct run *run, mpfr_ptr sample)
{
    mpfr_sub(run->work, sample, run->t_end, MPFR_RNDN);
    if (mp_log2(run->work) <= run->resolution + fmax(0, mp_log2(run->t_end)))
        mpfr_set(sample, run->t_end, MPFR_RNDN);
}

static enum status check_times(struct run *run)
{
    const struct reference_request *request = run->request;
    double t0 = mpfr_get_d(run->t, MPFR_RNDN), end = mpfr_get_d(run->t_end, MPFR_RNDN);
    if (mpfr_cmp(run->t_end, run->t) <= 0)
        return diagnose(run->diagnosis, BAD_INPUT, NAN,
                        "the end, t = %.17g, is not after the start, t = %.17g", end, t0);
    for (int i = 0; i < request->samples; i++) {
        mpfr_ptr sample = run->sample + i;
        settle_at_end(run, sample);
        if (mpfr_cmp(sample, run->t) >= 0 && mpfr_cmp(sample, run->t_end) <= 0)
            continue;
        bool beyond = mpfr_cmp(sample, run->t_end) > 0;
        return diagnose(run->diagnosis, BAD_INPUT, NAN,
                        "sample time %s is outside of [%.17g, %.17g]%s",
                        request->sample[i], t0, end,
                        beyond ? "; where the end moves with a parameter, samples must "
                                 "be before it" : "");
    }
    return OK;
}

/* The power of ten of the first digit of a canonical decimal (decimal.h): "981e-2" */
static long leading_power(const char *text)
{
    text += *text == '-';
    size_t digits = strcspn(text, "e");
    return (long)digits - 1 + (text[digits] ? strtol(text + digits + 1, NULL, 10) : 0);
}

int reference_digits(const struct model *model, int asked)
{
    enum { NEAR = 20, SIGN = 30 };
    long least = 0, most = 0;
    for (int k = 0; k < model->tape->constants; k++) {
        const char *text = tape_constant(model->tape, k);
        long power = leading_power(text);
        if (strcmp(text, "0") == 0)
            continue;
        least = power < least ? power : least;
        most = power > most ? power : most;
    }
    long needed = most - least < NEAR ? 0 : most - least + SIGN;
    return needed < asked ? asked : needed < INT_MAX ? (int)needed : INT_MAX;
}

enum status run_check(const struct plan *plan, const struct reference_request *request,
                      struct diagnosis *diagnosis)
{
    if (request->digits < LEAST_CARRIED || request->digits > MOST_CARRIED)
        return diagnose(diagnosis, BAD_INPUT, NAN, "%d digits; %d to %d can be carried",
                        request->digits, LEAST_CARRIED, MOST_CARRIED);
    for (int j = 0; j < request->parameters; j++)
        if (request->parameter[j] < 0 || request->parameter[j] >= plan->model->p)
            return diagnose(diagnosis, BAD_INPUT, NAN,
                            "parameter number %d does not exist", request->parameter[j]);
    return OK;
}

/* --- set up and tear down ----------------------------------------------------------- */

static void make_numbers(struct run *run)
{
    mpfr_prec_t precision = run->precision;
    size_t p = (size_t)run->parameters, samples = (size_t)run->request->samples;
    size_t state = (1 + p) * (size_t)run->width;
    run->rho = mp_vector_new((size_t)run->model->p, run_careful_precision(run->digits));
    run->unit = mp_vector_new(p * (size_t)run->model->p, precision);
    run->sample = mp_vector_new(samples, precision);
    run->t = mp_vector_new(1, precision);
    run->t0 = mp_vector_new(1, precision);
    run->t_end = mp_vector_new(1, precision);
    run->dt_end = mp_vector_new(p, precision);
    run->tau = mp_vector_new(p, precision);
    run->y = mp_vector_new(state, precision);
    run->next = mp_vector_new(state, precision);
    run->moving = mp_vector_new(state, precision);
    run->stash = mp_vector_new(samples * state, precision);
    run->end_y = mp_vector_new(state, precision);
    run->work = mp_vector_new(8, precision);
    run->amplitude = memory_new((1 + run->parameters) * TAYLOR_GROUPS,
                                sizeof *run->amplitude);
    run->reach = memory_new(run->parameters, sizeof *run->reach);
    run->raised = memory_new((1 + run->parameters) * TAYLOR_GROUPS, sizeof *run->raised);
    for (int i = 0; i < (1 + run->parameters) * TAYLOR_GROUPS; i++)
        run->amplitude[i] = -INFINITY;
}

static void make_workspaces(struct run *run)
{
    const struct model *model = run->model;
    run->taylor = memory_new(model->modes, sizeof *run->taylor);
    run->careful = memory_new(model->modes, sizeof *run->careful);
    run->end = memory_new(model->modes, sizeof *run->end);
    run->reset = memory_new(model->events, sizeof *run->reset);
    for (int i = 0; i < model->modes; i++) {
        run->taylor[i] = taylor_new(model, &run->plan->mode[i], run->digits,
                                    run->precision, run->rho, run->parameters,
                                    run->unit);
        taylor_threads(run->taylor[i], run->request->threads);
    }
    for (int i = 0; i < model->events; i++)
        run->reset[i] = reset_new(model, &run->plan->event[i], run->rho, run->parameters,
                                  run->unit, run->precision);
    run->roots = roots_new(taylor_order(run->digits), run->digits, run->precision);
    run->out = mp_trajectory_new(model, run->parameters,
                              run->request->direction ? NULL : run->request->parameter,
                              run->request->samples, run->precision);
    run->out->order = taylor_order(run->digits);
}

mpfr_prec_t run_careful_precision(int digits)
{
    return mp_precision(2 * digits);
}

struct taylor *run_careful(struct run *run)
{
    int i = run->mode->index;
    mpfr_prec_t precision = run_careful_precision(run->digits);
    if (run->careful_y == NULL)
        run->careful_y = mp_vector_new((size_t)(run->taylor[i]->lanes * run->width),
                                       precision);
    if (run->careful[i] == NULL)
        run->careful[i] = taylor_new(run->model, &run->plan->mode[i], run->digits,
                                     precision, run->rho, run->parameters, run->unit);
    return run->careful[i];
}

struct taylor *run_end(struct run *run)
{
    int i = run->mode->index;
    if (run->end[i] == NULL)
        run->end[i] = taylor_new_at_points(run->model, &run->plan->mode[i], run->digits,
                                           run->precision, run->rho, run->parameters,
                                           run->unit);
    return run->end[i];
}

static void run_clear(struct run *run)
{
    mpfr_ptr const number[] = {
        run->rho,    run->unit,   run->sample, run->t,         run->t0,
        run->t_end,  run->dt_end, run->tau,    run->y,         run->next,
        run->moving, run->stash,  run->work,   run->careful_y, run->end_y,
    };
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        mp_vector_free(number[i]);
    for (int i = 0; run->taylor != NULL && i < run->model->modes; i++) {
        taylor_free(run->taylor[i]);
        taylor_free(run->careful[i]);
        taylor_free(run->end[i]);
    }
    for (int i = 0; run->reset != NULL && i < run->model->events; i++)
        reset_free(run->reset[i]);
    free(run->taylor);
    free(run->careful);
    free(run->end);
    free(run->reset);
    free(run->amplitude);
    free(run->reach);
    free(run->raised);
    roots_free(run->roots);
}

static void rates_free(mpfr_ptr *rates, int events)
{
    for (int i = 0; rates != NULL && i < events; i++)
        mp_vector_free(rates[i]);
    free(rates);
}

/* --- the run ------------------------------------------------------------------------ */

static enum status record_start(struct run *run)
{
    struct taylor *taylor = run->taylor[run->mode->index];
    enum status status = taylor_expand(taylor, run->t, run->y, taylor->lanes, 0,
                                       run->diagnosis);
    if (status == OK)
        mp_trajectory_record(run->out, taylor, run->out->sample);
    return status;
}

static enum status go(struct run *run, mpfr_srcptr rho)
{
    enum status status = OK;
    if (rho != NULL)
        mp_copy(run->rho, rho, run->model->p);
    else
        status = run_parameters(run->plan, run->request, run->rho, run->diagnosis);
    if (status == OK && run->parameters > 0)
        status = run_units(run->request, run->unit, run->diagnosis);
    for (int j = 0; status == OK && j < run->parameters; j++)
        run->reach[j] = run_reach(run->rho, run->unit + j * run->model->p, run->model->p);
    if (status == OK)
        status = read_times(run);
    if (status != OK)
        return status;
    make_workspaces(run);
    run->mode = run->model->start;
    status = run_steady_edges(run);
    if (status == OK)
        status = run_start(run);
    mpfr_set(run->t0, run->t, MPFR_RNDN);
    if (status == OK && run->only_start)
        return record_start(run);
    if (status == OK)
        status = check_times(run);
    if (status == OK)
        status = run_arcs(run);
    if (status == OK)
        mp_trajectory_cut(run->out, run->sampled);
    return status;
}

/* Sets `at` to the time that the diagnosis names, with all its digits; NAN where it
   names none. */
static void time_of_refusal(const struct run *run, mpfr_ptr at)
{
    double t = run->diagnosis->t;
    mpfr_srcptr point = run->taylor ? run->taylor[run->mode->index]->t : run->t;
    mpfr_set_d(at, t, MPFR_RNDN);
    if (mpfr_get_d(run->t, MPFR_RNDN) == t)
        mpfr_set(at, run->t, MPFR_RNDN);
    else if (mpfr_get_d(point, MPFR_RNDN) == t)
        mpfr_set(at, point, MPFR_RNDN);
}

void run_settle(struct mp_trajectory *out, const struct model *model)
{
    out->columns.model = model;
    for (int k = 0; k < out->samples; k++)
        if (out->sample[k].mode)
            out->sample[k].mode = model->mode[out->sample[k].mode->index];
    for (int k = 0; k < out->events; k++) {
        struct mp_event *event = &out->event[k];
        event->event = model->event[event->event->index];
        event->before.mode = model->mode[event->before.mode->index];
        event->after.mode = model->mode[event->after.mode->index];
    }
}

static enum status run_some(const struct plan *plan,
                            const struct reference_request *request, mpfr_srcptr rho,
                            bool only_start, struct mp_trajectory **out,
                            mpfr_ptr **rates, mpfr_ptr refused_at,
                            struct diagnosis *diagnosis)
{
    *out = NULL;
    if (rates != NULL)
        *rates = NULL;
    enum status status = run_check(plan, request, diagnosis);
    if (status != OK)
        return status;
    struct run run = {
        .plan = plan, .model = plan->model, .request = request,
        .parameters = plan->tangents ? run_directions(request) : 0,
        .digits = request->digits, .precision = mp_precision(request->digits),
        .width = 2 * plan->model->n + plan->model->ns + plan->model->nz,
        .resolution = -0.5 * request->digits * MP_BITS_PER_DIGIT,
        .keep_rates = rates != NULL, .only_start = only_start, .diagnosis = diagnosis,
    };
    make_numbers(&run);
    status = go(&run, rho);
    if (status != OK && refused_at != NULL)
        time_of_refusal(&run, refused_at);
    run_clear(&run);
    if (status != OK) {
        int events = run.out ? run.out->events : 0;
        rates_free(run.rates, events < run.rates_room ? events : run.rates_room);
        mp_trajectory_free(run.out);
        return status;
    }
    run_settle(run.out, request->model);
    *out = run.out;
    if (rates != NULL)
        *rates = run.rates;
    return OK;
}

enum status run_trajectory(const struct plan *plan,
                           const struct reference_request *request, mpfr_srcptr rho,
                           struct mp_trajectory **out, mpfr_ptr **rates,
                           struct diagnosis *diagnosis)
{
    return run_some(plan, request, rho, false, out, rates, NULL, diagnosis);
}

/* Plans with the tangents that `request` asks for, and runs. */
static enum status planned(const struct reference_request *request, bool only_start,
                           struct mp_trajectory **out, mpfr_ptr refused_at,
                           struct diagnosis *diagnosis)
{
    struct diagnosis own;
    diagnosis = diagnosis ? diagnosis : &own;
    *out = NULL;
    struct plan *plan = plan_new(request->model, &request->truth, request->parameters > 0,
                                 diagnosis);
    if (plan == NULL)
        return diagnosis->status;
    enum status status = run_some(plan, request, NULL, only_start, out, NULL, refused_at,
                                  diagnosis);
    plan_free(plan);
    return status;
}

enum status run_or_refuse(const struct reference_request *request,
                          struct mp_trajectory **out, mpfr_ptr refused_at,
                          struct diagnosis *diagnosis)
{
    mpfr_set_nan(refused_at);
    return planned(request, false, out, refused_at, diagnosis);
}

enum status reference_run(const struct reference_request *request,
                          struct mp_trajectory **out, struct diagnosis *diagnosis)
{
    return planned(request, false, out, NULL, diagnosis);
}

enum status reference_start(const struct reference_request *request,
                            struct mp_trajectory **out, struct diagnosis *diagnosis)
{
    static const char *const any = "0";     /* not used: the time that is recorded is
                                               t0 */
    struct reference_request start = *request;
    start.samples = 1;
    start.sample = &any;
    return planned(&start, true, out, NULL, diagnosis);
}
