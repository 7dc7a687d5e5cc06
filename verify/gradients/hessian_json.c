/*
 * hessian_json.c - second derivatives by the methods as one JSON object
 * (hessian_report.h); certified numbers are texts
 */
#include <math.h>

#include "gradients/hessian_report.h"
#include "gradients/hessian_text.h"
#include "tables/json_parts.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

static void add_certified(cJSON *object, const struct hessian_request *request,
                          const struct mp_hessian *certified)
{
    int p = certified->parameters;
    char text[HESSIAN_TEXT_ROOM];
    cJSON_AddNumberToObject(object, "digits_agreed", certified->agreed);
    json_number(object, "order", certified->order);
    cJSON_AddNumberToObject(object, "digits_carried", certified->digits);
    cJSON *rows = cJSON_AddArrayToObject(object, "certified");
    for (int j = 0; j < p; j++) {
        cJSON *row = cJSON_CreateArray();
        for (int k = 0; k < p; k++) {
            hessian_text(request, certified, j, k, text);
            cJSON_AddItemToArray(row, cJSON_CreateString(text));
        }
        cJSON_AddItemToArray(rows, row);
    }
}

static void add_method(cJSON *list, const struct hessian_report *report, int k)
{
    const struct cost_hessian *hessian = &report->hessian[k];
    const struct adjoint_request *adjoint = &report->request->adjoint;
    int p = adjoint->run.parameters;
    cJSON *object = json_append(list);
    cJSON_AddStringToObject(object, "method", report->method[k]->name);
    cJSON_AddStringToObject(object, "status", status_text(hessian->status));
    if (hessian->status != OK) {
        json_diagnosis(object, &hessian->diagnosis);
        return;
    }
    json_exact(object, "psi", hessian->psi);
    if (k > 0)
        json_number(object, "digits",
                    cost_hessian_digits(adjoint, &report->hessian[0], hessian));
    cJSON_AddNumberToObject(object, "events", hessian->events);
    cJSON_AddNumberToObject(object, "runs", (double)hessian->runs);
    if (!hessian->certified) {
        json_number(object, "symmetric", cost_hessian_symmetry(adjoint, hessian));
        cJSON_AddNumberToObject(object, "steps", (double)hessian->steps);
        cJSON_AddNumberToObject(object, "steps_back", (double)hessian->back_steps);
        cJSON_AddNumberToObject(object, "points_back", (double)hessian->pullbacks);
    }
    json_exact_row(object, "gradient", hessian->by_rho, p);
    cJSON *rows = cJSON_AddArrayToObject(object, "hessian");
    for (int j = 0; j < p; j++)
        json_exact_row(rows, NULL, hessian->by_two + j * p, p);
    if (hessian->certified)
        add_certified(object, report->request, hessian->certified);
}

void hessian_report_json(FILE *stream, const struct hessian_report *report)
{
    const struct adjoint_request *request = &report->request->adjoint;
    const struct run_request *run = &request->run;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "saltus", SALTUS_VERSION);
    cJSON_AddStringToObject(object, "case", run->model->desc->name);
    cJSON_AddStringToObject(object, "cost", run->model->cost[request->cost]);
    cJSON_AddStringToObject(object, "formulation", run->formulation->name);
    json_exact(object, "rtol", run->rtol);
    cJSON *parameters = cJSON_AddArrayToObject(object, "parameters");
    for (int j = 0; j < run->parameters; j++) {
        const struct parameter *parameter = &run->model->parameter[run->parameter[j]];
        cJSON *item = json_append(parameters);
        cJSON_AddStringToObject(item, "name", parameter->name);
        cJSON_AddStringToObject(item, "unit", parameter->unit ? parameter->unit : "");
        json_exact(item, "value", run->value[run->parameter[j]]);
    }
    cJSON *methods = cJSON_AddArrayToObject(object, "methods");
    for (int k = 0; k < report->methods; k++)
        add_method(methods, report, k);
    json_print(stream, object);
}
