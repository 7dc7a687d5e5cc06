/*
 * gradient_json.c - gradients by several methods as one JSON object (gradient_report.h)
 */
#include <math.h>

#include "gradients/gradient_report.h"
#include "tables/json_parts.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

static void add_counts(cJSON *object, const struct cost_gradient_method *method,
                       const struct cost_gradient *gradient)
{
    cJSON_AddNumberToObject(object, "events", gradient->events);
    cJSON_AddNumberToObject(object, "runs", (double)gradient->runs);
    cJSON_AddNumberToObject(object, "steps", (double)gradient->steps);
    if (method->backwards) {
        cJSON_AddNumberToObject(object, "steps_back", (double)gradient->back_steps);
        cJSON_AddNumberToObject(object, "points_back", (double)gradient->pullbacks);
        cJSON_AddNumberToObject(object, "steps_repeated", (double)gradient->repeated);
    }
    cJSON_AddNumberToObject(object, "right_hand_sides", (double)gradient->evaluations);
}

static void add_method(cJSON *list, const struct gradient_report *report, int k)
{
    const struct cost_gradient *gradient = &report->gradient[k];
    cJSON *object = json_append(list);
    cJSON_AddStringToObject(object, "method", report->method[k]->name);
    cJSON_AddStringToObject(object, "status", status_text(gradient->status));
    cJSON_AddStringToObject(object, "formulation", gradient->formulation->name);
    cJSON_AddStringToObject(object, "integrator", gradient->integrator->name);
    json_exact(object, "rtol", gradient->rtol);
    if (gradient->status != OK) {
        json_diagnosis(object, &gradient->diagnosis);
        return;
    }
    json_exact(object, "psi", gradient->psi);
    if (k > 0)
        json_number(object, "digits",
                    cost_gradient_digits(report->request, &report->gradient[0],
                                         gradient));
    add_counts(object, report->method[k], gradient);
    if (report->timing)
        json_number(object, "cpu_seconds", gradient->seconds);
}

static void add_parameter(cJSON *list, const struct gradient_report *report, int j)
{
    const struct run_request *run = &report->request->run;
    int index = run->parameter[j];
    const struct parameter *parameter = &run->model->parameter[index];
    cJSON *object = json_append(list);
    cJSON_AddStringToObject(object, "name", parameter->name);
    cJSON_AddStringToObject(object, "unit", parameter->unit ? parameter->unit : "");
    json_exact(object, "value", run->value[index]);
    cJSON *derivatives = cJSON_AddObjectToObject(object, "derivatives");
    cJSON *errors = NULL;
    for (int k = 0; k < report->methods; k++) {
        const struct cost_gradient *gradient = &report->gradient[k];
        const char *name = report->method[k]->name;
        bool refused = gradient->status != OK;
        json_exact(derivatives, name, refused ? NAN : gradient->by_rho[j]);
        if (report->method[k]->estimates && !errors)
            errors = cJSON_AddObjectToObject(object, "estimated_errors");
        if (report->method[k]->estimates)
            json_exact(errors, name, refused ? NAN : gradient->error[j]);
    }
}

void gradient_report_json(FILE *stream, const struct gradient_report *report)
{
    const struct adjoint_request *request = report->request;
    const struct model *model = request->run.model;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "saltus", SALTUS_VERSION);
    cJSON_AddStringToObject(object, "case", model->desc->name);
    cJSON_AddStringToObject(object, "cost", model->cost[request->cost]);
    cJSON *methods = cJSON_AddArrayToObject(object, "methods");
    for (int k = 0; k < report->methods; k++)
        add_method(methods, report, k);
    cJSON *parameters = cJSON_AddArrayToObject(object, "parameters");
    for (int j = 0; j < request->run.parameters; j++)
        add_parameter(parameters, report, j);
    json_print(stream, object);
}
