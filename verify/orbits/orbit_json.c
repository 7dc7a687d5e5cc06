/*
 * orbit_json.c - a periodic motion as one JSON object (orbit_report.h)
 */
#include "orbits/orbit_report.h"

#include <stdlib.h>

#include "base/memory.h"
#include "tables/json_parts.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

static void add_state(cJSON *object, const char *name, const struct model *model,
                      const double *x)
{
    const struct { const char *name; int first, count; } part[] = {
        {"q", 0, model->n}, {"v", model->n, model->n}, {"s", 2 * model->n, model->ns}};
    cJSON *state = cJSON_AddObjectToObject(object, name);
    for (int k = 0; k < 3; k++) {
        cJSON *own = cJSON_AddObjectToObject(state, part[k].name);
        for (int i = 0; i < part[k].count; i++)
            json_exact(own, k < 2 ? model->coordinate[i] : model->auxiliary[i],
                       x[part[k].first + i]);
    }
}

/* Derivatives by every parameter; dx [parameters][width]. */
static void add_derivatives(cJSON *object, const struct orbit_report *report,
                            const double *dx)
{
    const struct run_request *run = &report->request->run;
    cJSON *all = cJSON_AddObjectToObject(object, "derivatives");
    for (int j = 0; j < report->orbit->parameters; j++)
        add_state(all, run->model->parameter[run->parameter[j]].name, run->model,
                  dx + j * report->orbit->width);
}

static void add_events(cJSON *root, const struct orbit_report *report)
{
    const struct orbit *orbit = report->orbit;
    cJSON *list = cJSON_AddArrayToObject(root, "events");
    for (int e = 0; e < orbit->events; e++) {
        const struct orbit_event *event = &orbit->event[e];
        cJSON *object = json_append(list);
        cJSON_AddStringToObject(object, "event", event->event->name);
        json_exact(object, "t", event->t);
        json_exact(object, "rate", event->rate);
        add_state(object, "after", report->request->run.model, event->after);
        add_derivatives(object, report, event->dafter);
    }
}

static void add_nodes(cJSON *root, const struct orbit_report *report)
{
    const struct orbit *orbit = report->orbit;
    cJSON *list = cJSON_AddArrayToObject(root, "nodes");
    for (int k = 0; k < orbit->nodes; k++) {
        const struct orbit_node *node = &orbit->node[k];
        cJSON *object = json_append(list);
        cJSON_AddStringToObject(object, "mode", node->mode->name);
        json_exact(object, "t", node->t);
        add_state(object, "state", report->request->run.model, node->x);
        add_derivatives(object, report, node->dx);
    }
}

/* Derivatives of multiplier i by every parameter. */
static void add_slopes(cJSON *object, const struct orbit_report *report, int i)
{
    const struct orbit *orbit = report->orbit;
    const struct run_request *run = &report->request->run;
    cJSON *all = cJSON_AddObjectToObject(object, "derivatives");
    for (int j = 0; j < orbit->parameters; j++) {
        double complex x = orbit->dmultiplier[j * orbit->multipliers + i];
        cJSON *own = cJSON_AddObjectToObject(
            all, run->model->parameter[run->parameter[j]].name);
        json_exact(own, "re", creal(x));
        json_exact(own, "im", cimag(x));
        json_number(own, "error", orbit->derror[j]);
    }
}

/* The direction of multiplier i at the first node, as two states. */
static void add_vector(cJSON *object, const struct orbit_report *report, int i)
{
    const struct model *model = report->request->run.model;
    int width = report->orbit->width;
    const double complex *vector = report->orbit->vector + i * width;
    double *part = memory_new(2 * width, sizeof *part);
    for (int k = 0; k < width; k++) {
        part[k] = creal(vector[k]);
        part[width + k] = cimag(vector[k]);
    }
    add_state(object, "vector_re", model, part);
    add_state(object, "vector_im", model, part + width);
    free(part);
}

static void add_multipliers(cJSON *root, const struct orbit_report *report)
{
    const struct orbit *orbit = report->orbit;
    cJSON *list = cJSON_AddArrayToObject(root, "multipliers");
    for (int i = 0; i < orbit->multipliers; i++) {
        cJSON *object = json_append(list);
        json_exact(object, "re", creal(orbit->multiplier[i]));
        json_exact(object, "im", cimag(orbit->multiplier[i]));
        cJSON_AddBoolToObject(object, "trivial", orbit->trivial[i]);
        add_vector(object, report, i);
        if (orbit->dmultiplier)
            add_slopes(object, report, i);
    }
    json_exact(root, "largest", orbit_report_largest(orbit));
    cJSON_AddBoolToObject(root, "stable", orbit_report_largest(orbit) < 1);
}

static void add_steps(cJSON *root, const struct orbit *orbit)
{
    cJSON *list = cJSON_AddArrayToObject(root, "newton");
    for (int i = 0; i < orbit->steps; i++) {
        cJSON *object = json_append(list);
        json_exact(object, "residual", orbit->step[i].residual);
        json_exact(object, "length", orbit->step[i].change);
        json_exact(object, "part", orbit->step[i].part);
    }
}

void orbit_report_json(FILE *stream, const struct orbit_report *report)
{
    const struct orbit *orbit = report->orbit;
    const struct run_request *run = &report->request->run;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "saltus", SALTUS_VERSION);
    cJSON_AddStringToObject(root, "case", run->model->desc->name);
    cJSON_AddStringToObject(root, "formulation", run->formulation->name);
    json_exact(root, "rtol", run->rtol);
    json_exact(root, "period", orbit->period);
    cJSON_AddNumberToObject(root, "rounds", orbit->rounds);
    cJSON *derivatives = cJSON_AddObjectToObject(root, "period_derivatives");
    for (int j = 0; j < orbit->parameters; j++)
        json_exact(derivatives, run->model->parameter[run->parameter[j]].name,
                   orbit->dperiod[j]);
    add_multipliers(root, report);
    add_events(root, report);
    add_nodes(root, report);
    add_steps(root, orbit);
    json_print(stream, root);
}
