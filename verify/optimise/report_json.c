/*
 * report_json.c - the end of an optimisation, and how uncertain it is, as one JSON object
 * (report.h)
 */
#include <math.h>
#include <string.h>

#include "optimise/report.h"
#include "tables/json_parts.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

/* --- parameters --------------------------------------------------------------------- */

static void add_parameters(cJSON *object, const struct optimisation *o)
{
    static const char *const bound[] = {"lower", "", "upper"};
    cJSON *list = cJSON_AddArrayToObject(object, "parameters");
    const struct evaluation *best = o->evaluation[o->best];
    for (int k = 0; k < o->n; k++) {
        const struct parameter *parameter =
            &o->columns.model->parameter[o->columns.parameter[k]];
        cJSON *item = json_append(list);
        cJSON_AddStringToObject(item, "name", parameter->name);
        cJSON_AddStringToObject(item, "unit", parameter->unit ? parameter->unit : "");
        json_exact(item, "start", o->evaluation[0]->value[k]);
        json_exact(item, "optimum", best->value[k]);
        json_text(item, "bound", bound[1 + optimisation_at_bound(o, k)]);
        json_exact(item, "gradient", best->gradient[k]);
    }
}

/* --- evaluations -------------------------------------------------------------------- */

static void add_evaluation(cJSON *object, const char *when, const struct evaluation *e)
{
    cJSON *part = cJSON_AddObjectToObject(object, when);
    json_exact(part, "psi", e->psi);
    cJSON *events = cJSON_AddArrayToObject(part, "events");
    const char *name = e->names;
    for (int k = 0; k < e->events; k++) {
        cJSON *event = json_append(events);
        char text[NOTE_ROOM];
        size_t length = strcspn(name, " ");
        snprintf(text, sizeof text, "%.*s", (int)length, name);
        cJSON_AddStringToObject(event, "name", text);
        json_exact(event, "t", e->time[k]);
        name += length;
        name += strspn(name, " ");
    }
}

static void add_end(cJSON *object, const struct optimisation *o)
{
    char reason[400];
    cJSON_AddNumberToObject(object, "evaluations", o->asked);
    cJSON *refused = cJSON_AddObjectToObject(object, "refused");
    for (int k = 0; k < STATUSES; k++)
        if (o->refused[k] > 0)
            cJSON_AddNumberToObject(refused, status_text((enum status)k),
                                    (double)o->refused[k]);
    cJSON_AddNumberToObject(object, "other_events", o->jumps);
    json_number(object, "gradient_norm", optimisation_norm(o));
    cJSON_AddBoolToObject(object, "reached", o->stop == STOP_GRADIENT);
    optimisation_reason(o, reason, sizeof reason);
    cJSON_AddStringToObject(object, "reason", reason);
}

/* --- uncertainty -------------------------------------------------------------------- */

static void add_matrix(cJSON *object, const char *name, const double *matrix, int n)
{
    cJSON *rows = cJSON_AddArrayToObject(object, name);
    for (int j = 0; j < n; j++)
        json_exact_row(rows, NULL, matrix + j * n, n);
}

static void add_covariance(cJSON *object, const struct optimisation *o,
                           const struct uncertainty *u)
{
    const struct covariance *c = &u->covariance;
    cJSON *names = cJSON_AddArrayToObject(object, "parameters");
    cJSON *held = cJSON_AddArrayToObject(object, "held");
    for (int k = 0; k < o->n; k++)
        cJSON_AddItemToArray(u->place[k] < 0 ? held : names, cJSON_CreateString(
            o->columns.model->parameter[o->columns.parameter[k]].name));
    json_exact_row(object, "deviation", c->deviation, c->n);
    add_matrix(object, "covariance", c->matrix, c->n);
    add_matrix(object, "correlation", c->correlation, c->n);
    json_number(object, "condition", c->condition);
    json_number(object, "digits", c->digits);
    if (c->degrees > 0)
        cJSON_AddNumberToObject(object, "degrees_of_freedom", (double)c->degrees);
    if (u->request.variances == VARIANCES_EQUAL) {
        json_exact(object, "variance", c->reduced);
    } else {
        json_exact(object, "reduced_chi_square", c->reduced);
        json_exact(object, "probability_of_a_larger_psi", c->chance);
    }
}

static void add_uncertainty(cJSON *object, const struct optimisation *o,
                            const struct uncertainty *u)
{
    cJSON *part = cJSON_AddObjectToObject(object, "uncertainty");
    cJSON_AddStringToObject(part, "variances", variances_text[u->request.variances]);
    if (u->request.readings > 0)
        cJSON_AddNumberToObject(part, "readings", (double)u->request.readings);
    cJSON_AddStringToObject(part, "status", status_text(u->status));
    if (u->status == OK)
        add_covariance(part, o, u);
    else
        json_diagnosis(part, &u->diagnosis);
}

void optimisation_report_json(FILE *stream, const struct optimisation *o,
                              const struct uncertainty *u)
{
    const struct optimisation_request *request = &o->request;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "saltus", SALTUS_VERSION);
    cJSON_AddStringToObject(object, "case", o->columns.model->desc->name);
    cJSON_AddStringToObject(object, "cost", o->columns.model->cost[o->columns.cost]);
    cJSON_AddBoolToObject(object, "maximise", request->maximise);
    cJSON_AddStringToObject(object, "algorithm", request->algorithm->name);
    cJSON_AddStringToObject(object, "method", request->method);
    cJSON_AddStringToObject(object, "formulation", request->run.formulation->name);
    json_exact(object, "rtol", request->run.rtol);
    add_parameters(object, o);
    add_evaluation(object, "before", o->evaluation[0]);
    add_evaluation(object, "after", o->evaluation[o->best]);
    add_end(object, o);
    if (u)
        add_uncertainty(object, o, u);
    json_print(stream, object);
}
