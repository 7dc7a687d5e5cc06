/*
 * saltus.c - models and solvers of the library (saltus.h)
 */
#include "library/saltus.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "file/model_file.h"
#include "integrators/methods.h"
#include "library/library.h"
#include "mechanisms/catalogue.h"

/* The statuses of the header are those of status.def. */
#define STATUS(NAME, text, meaning) \
    _Static_assert((int)SALTUS_##NAME == (int)NAME, "saltus.h lacks a status");
#include "base/status.def"
#undef STATUS

/* --- failures ----------------------------------------------------------------------- */

int library_fail(struct saltus_error *error, const struct diagnosis *diagnosis)
{
    if (error) {
        error->status = (int)diagnosis->status;
        error->t = diagnosis->t;
        snprintf(error->message, sizeof error->message, "%s", diagnosis->place);
    }
    return (int)diagnosis->status;
}

int library_refuse(struct saltus_error *error, const char *format, ...)
{
    struct diagnosis diagnosis = {.status = BAD_INPUT, .t = NAN};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(diagnosis.place, sizeof diagnosis.place, format, arguments);
    va_end(arguments);
    return library_fail(error, &diagnosis);
}

static void succeed(struct saltus_error *error)
{
    if (error)
        *error = (struct saltus_error){.status = SALTUS_OK, .t = NAN};
}

const char *saltus_status_text(int status)
{
    return status >= 0 && status < STATUSES ? status_text((enum status)status)
                                            : "unknown";
}

const char *saltus_status_meaning(int status)
{
    return status >= 0 && status < STATUSES ? status_meaning((enum status)status)
                                            : "a status of another version";
}

const char *saltus_version(void)
{
    return SALTUS_VERSION;
}

/* --- models ------------------------------------------------------------------------- */

static const struct case_desc *find_case(const char *word, struct saltus_error *error)
{
    enum { MANY = 300 };
    struct diagnosis diagnosis = {.t = NAN};
    const struct case_desc *desc = case_is_path(word) ? case_open(word, &diagnosis)
                                                      : case_find(word);
    if (desc)
        return desc;
    if (case_is_path(word)) {
        library_fail(error, &diagnosis);
        return NULL;
    }
    const char *known[MANY];
    char offer[300];
    int count = 0;
    for (; catalogue[count] && count < MANY; count++)
        known[count] = catalogue[count]->name;
    offer_names(word, known, count, offer, sizeof offer);
    library_refuse(error, "no case %.80s; %s", word, offer);
    return NULL;
}

struct saltus_model *saltus_open(const char *name_or_path, struct saltus_error *error)
{
    struct diagnosis diagnosis = {.t = NAN};
    const struct case_desc *desc = find_case(name_or_path, error);
    if (!desc)
        return NULL;
    struct model *model = model_new(desc, &diagnosis);
    if (!model) {
        library_fail(error, &diagnosis);
        return NULL;
    }
    struct saltus_model *handle = memory_new(1, sizeof *handle);
    handle->model = model;
    succeed(error);
    return handle;
}

void saltus_close(struct saltus_model *model)
{
    if (!model)
        return;
    model_free(model->model);
    free(model);
}

const char *saltus_title(const struct saltus_model *model)
{
    return model->model->desc->title;
}

int saltus_count(const struct saltus_model *model, enum saltus_kind kind)
{
    const struct model *m = model->model;
    switch (kind) {
    case SALTUS_PARAMETERS: return m->p;
    case SALTUS_COORDINATES: return m->n;
    case SALTUS_AUXILIARY: return m->ns;
    case SALTUS_COSTS: return m->nz;
    case SALTUS_MODES: return m->modes;
    case SALTUS_EVENTS: return m->events;
    }
    return 0;
}

const char *saltus_name(const struct saltus_model *model, enum saltus_kind kind,
                        int index)
{
    const struct model *m = model->model;
    if (index < 0 || index >= saltus_count(model, kind))
        return NULL;
    switch (kind) {
    case SALTUS_PARAMETERS: return m->parameter[index].name;
    case SALTUS_COORDINATES: return m->coordinate[index];
    case SALTUS_AUXILIARY: return m->auxiliary[index];
    case SALTUS_COSTS: return m->cost[index];
    case SALTUS_MODES: return m->mode[index]->name;
    case SALTUS_EVENTS: return m->event[index]->name;
    }
    return NULL;
}

int saltus_index(const struct saltus_model *model, enum saltus_kind kind,
                 const char *name)
{
    for (int i = 0; i < saltus_count(model, kind); i++)
        if (strcmp(saltus_name(model, kind, i), name) == 0)
            return i;
    return -1;
}

const char *saltus_unit(const struct saltus_model *model, int parameter)
{
    return saltus_name(model, SALTUS_PARAMETERS, parameter)
               ? model->model->parameter[parameter].unit : NULL;
}

const char *saltus_meaning(const struct saltus_model *model, int parameter)
{
    return saltus_name(model, SALTUS_PARAMETERS, parameter)
               ? model->model->parameter[parameter].meaning : NULL;
}

int saltus_fixed(const struct saltus_model *model, int parameter)
{
    return saltus_name(model, SALTUS_PARAMETERS, parameter)
               ? model->model->parameter[parameter].fixed : 0;
}

int saltus_nominal(const struct saltus_model *model, double *value,
                   struct saltus_error *error)
{
    struct diagnosis diagnosis = {.t = NAN};
    if (model_nominal_values(model->model, value, &diagnosis) != OK)
        return library_fail(error, &diagnosis);
    succeed(error);
    return SALTUS_OK;
}

int saltus_times(const struct saltus_model *model, double *t0, double *t_end,
                 struct saltus_error *error)
{
    struct diagnosis diagnosis = {.t = NAN};
    double *value = memory_new(model->model->p, sizeof *value);
    enum status status = model_nominal_values(model->model, value, &diagnosis);
    if (status == OK)
        status = model_times(model->model, value, t0, t_end, &diagnosis);
    free(value);
    if (status != OK)
        return library_fail(error, &diagnosis);
    succeed(error);
    return SALTUS_OK;
}

/* --- settings ----------------------------------------------------------------------- */

static bool set_formulation(struct saltus_solver *solver,
                            const struct saltus_settings *settings,
                            struct saltus_error *error)
{
    const char *known[64], *why = "", *name = settings->formulation;
    char offer[300];
    int count = 0;
    const struct formulation *formulation = name ? formulation_find(name)
                                                 : formulation_default(solver->model);
    if (!formulation) {
        for (; formulations[count] && count < 64; count++)
            known[count] = formulations[count]->name;
        offer_names(name, known, count, offer, sizeof offer);
        library_refuse(error, "no formulation %.60s; %s", name, offer);
        return false;
    }
    if (!formulation_applies(formulation, solver->model, &why)) {
        library_fail(error, &(struct diagnosis){.status = NOT_APPLICABLE, .t = NAN});
        if (error)
            snprintf(error->message, sizeof error->message,
                     "formulation %s does not apply to %s: %s", formulation->name,
                     solver->model->desc->name, why);
        return false;
    }
    solver->request.formulation = formulation;
    return true;
}

static bool set_options(struct saltus_solver *solver,
                        const struct saltus_settings *settings,
                        struct saltus_error *error)
{
    const struct formulation *formulation = solver->request.formulation;
    for (int k = 0; settings->option && settings->option[k]; k++) {
        const char *text = settings->option[k], *equals = strchr(text, '=');
        size_t length = equals ? (size_t)(equals - text) : strlen(text);
        int i = 0;
        while (formulation->options && formulation->options[i].name &&
               (strlen(formulation->options[i].name) != length ||
                strncmp(formulation->options[i].name, text, length) != 0))
            i++;
        if (!equals || !formulation->options || !formulation->options[i].name) {
            library_refuse(error, "%s has no option '%.60s'; options are NAME=VALUE",
                           formulation->name, text);
            return false;
        }
        free((char *)solver->option[i]);
        solver->option[i] = memory_text(equals + 1, strlen(equals + 1));
    }
    solver->request.option = solver->option;
    return true;
}

static bool set_integrator(struct saltus_solver *solver,
                           const struct saltus_settings *settings,
                           struct saltus_error *error)
{
    char offer[300];
    if (!settings->integrator)
        return true;
    solver->request.integrator = integrator_find(settings->integrator);
    if (solver->request.integrator)
        return true;
    integrator_offer(settings->integrator, offer, sizeof offer);
    library_refuse(error, "no integrator %.60s; %s", settings->integrator, offer);
    return false;
}

static bool set_parameters(struct saltus_solver *solver,
                           const struct saltus_settings *settings,
                           struct saltus_error *error)
{
    struct run_request *request = &solver->request;
    int count = settings->plain ? 0 : settings->parameters;
    solver->parameter = memory_new(solver->model->p + count, sizeof *solver->parameter);
    if (!settings->plain && !settings->parameter)
        count = model_sensitivities(solver->model, solver->parameter);
    for (int k = 0; k < count && settings->parameter; k++) {
        int j = solver->parameter[k] = settings->parameter[k];
        if (j < 0 || j >= solver->model->p) {
            library_refuse(error, "parameter %d: the model has %d, from 0", j,
                           solver->model->p);
            return false;
        }
    }
    request->parameters = count;
    request->parameter = solver->parameter;
    return true;
}

static bool set_tolerances(struct saltus_solver *solver,
                           const struct saltus_settings *settings,
                           struct saltus_error *error)
{
    struct run_request *request = &solver->request;
    request->rtol = settings->rtol != 0 ? settings->rtol : 1e-10;
    request->atol = settings->atol != 0 ? settings->atol : request->rtol/1000;
    request->max_step = settings->max_step;
    request->stops = settings->stop ? settings->stops : 0;
    solver->stop = memory_new(request->stops, sizeof *solver->stop);
    memory_copy(solver->stop, settings->stop, request->stops, sizeof *solver->stop);
    request->stop = solver->stop;
    request->max_steps = settings->max_steps;
    request->max_events = settings->max_events;
    if (!(request->rtol > 0 && request->rtol < 1 && request->atol > 0)
        || !(request->max_step >= 0) || request->max_steps < 0
        || request->max_events < 0) {
        library_refuse(error, "tolerances and limits are positive, rtol below 1");
        return false;
    }
    return true;
}

static bool set_times(struct saltus_solver *solver,
                      const struct saltus_settings *settings, struct saltus_error *error)
{
    const struct saltus_model handle = {(struct model *)solver->model};
    struct run_request *request = &solver->request;
    double t0, t_end;
    if (saltus_times(&handle, &t0, &t_end, error) != SALTUS_OK)
        return false;
    bool ends = settings->ends || settings->t_end != 0;
    request->t_end = ends ? settings->t_end : NAN;
    t_end = ends ? settings->t_end : t_end;
    if (!(t_end > t0)) {
        library_refuse(error, "t_end = %.9g: the motion begins at %.9g", t_end, t0);
        return false;
    }
    int samples = settings->samples > 1 || settings->sample ? settings->samples : 1;
    solver->sample = memory_new(samples, sizeof *solver->sample);
    for (int k = 0; k < samples; k++) {
        double t = settings->sample ? settings->sample[k]
                   : k == samples - 1 ? t_end : t0 + (t_end - t0)*(k + 1)/samples;
        if (!(t > (k > 0 ? solver->sample[k - 1] : t0) && t <= t_end)) {
            library_refuse(error, "sample %d at %.9g: times increase, after %.9g and up "
                           "to %.9g", k, t, t0, t_end);
            return false;
        }
        solver->sample[k] = t;
    }
    request->samples = samples;
    request->sample = solver->sample;
    return true;
}

/* --- solvers ------------------------------------------------------------------------ */

static bool report_progress(void *context, double done)
{
    const struct saltus_solver *solver = context;
    return solver->progress(solver->context, done) != 0;
}

struct saltus_solver *saltus_solver_new(const struct saltus_model *model,
                                        const struct saltus_settings *settings,
                                        struct saltus_error *error)
{
    static const struct saltus_settings nominal;
    struct diagnosis diagnosis = {.t = NAN};
    const struct saltus_settings *how = settings ? settings : &nominal;
    struct saltus_solver *solver = memory_new(1, sizeof *solver);
    solver->model = model->model;
    solver->request = (struct run_request){.model = model->model, .t_end = NAN};
    solver->progress = how->progress;
    solver->context = how->context;
    if (how->progress) {
        solver->request.progress = report_progress;
        solver->request.progress_context = solver;
    }
    bool good = set_formulation(solver, how, error) && set_options(solver, how, error) &&
                set_integrator(solver, how, error) &&
                set_parameters(solver, how, error) &&
                set_tolerances(solver, how, error) && set_times(solver, how, error);
    if (good) {
        solver->runner = runner_new(&solver->request, &diagnosis);
        good = solver->runner != NULL;
        if (!good)
            library_fail(error, &diagnosis);
    }
    if (good) {
        succeed(error);
        return solver;
    }
    saltus_solver_free(solver);
    return NULL;
}

void saltus_solver_free(struct saltus_solver *solver)
{
    if (!solver)
        return;
    runner_free(solver->runner);
    adjoint_free(solver->adjoint);
    for (int i = 0; i < MOST_OPTIONS; i++)
        free((char *)solver->option[i]);
    free(solver->parameter);
    free(solver->sample);
    free(solver->stop);
    free(solver);
}

int saltus_solve(struct saltus_solver *solver, const double *value,
                 struct saltus_result **result, struct saltus_error *error)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct trajectory *trajectory = NULL;
    enum status status = runner_run(solver->runner, value, &trajectory, &diagnosis);
    *result = library_result(trajectory, status == OK);
    if (status != OK)
        return library_fail(error, &diagnosis);
    succeed(error);
    return SALTUS_OK;
}

int saltus_cost_gradient(struct saltus_solver *solver, const double *value, int cost,
                         double *psi, double *gradient, struct saltus_error *error)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct gradient *out = NULL;
    if (cost < 0 || cost >= solver->model->nz)
        return library_refuse(error, "cost %d: the model has %d, from 0", cost,
                              solver->model->nz);
    if (!solver->adjoint || solver->cost != cost) {
        adjoint_free(solver->adjoint);
        solver->adjoint = adjoint_new(&(struct adjoint_request){.run = solver->request,
                                                                .cost = cost},
                                      &diagnosis);
        solver->cost = cost;
    }
    if (!solver->adjoint || adjoint_run(solver->adjoint, value, &out, &diagnosis) != OK)
        return library_fail(error, &diagnosis);
    *psi = out->value;
    memory_copy(gradient, out->by_rho, solver->request.parameters, sizeof *gradient);
    gradient_free(out);
    succeed(error);
    return SALTUS_OK;
}
