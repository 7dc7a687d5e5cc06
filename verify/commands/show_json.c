/*
 * show_json.c - `saltus show --json`: everything a case states, as one object.
 */
#include "commands/setup.h"
#include "commands/show.h"
#include "motion/reference_motion.h"
#include "tables/json_parts.h"

static void add_list(cJSON *object, const char *title, char *const *name, int count)
{
    cJSON_AddItemToObject(object, title,
                          cJSON_CreateStringArray((const char *const *)name, count));
}

/* Adds the formulations that apply. */
static void add_formulations(cJSON *object, const struct model *model)
{
    cJSON *list = cJSON_AddArrayToObject(object, "formulations");
    for (int k = 0; formulations[k]; k++) {
        if (!formulation_applies(formulations[k], model, NULL))
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", formulations[k]->name);
        cJSON_AddStringToObject(item, "title", formulations[k]->title);
        cJSON *options = cJSON_AddObjectToObject(item, "options");
        for (int i = 0; i < option_count(formulations[k]); i++)
            cJSON_AddStringToObject(options, formulations[k]->options[i].name,
                                    formulations[k]->options[i].nominal);
        cJSON_AddItemToArray(list, item);
    }
}

static void add_published(cJSON *object, const struct model *model)
{
    cJSON *list = cJSON_AddArrayToObject(object, "published");
    for (int k = 0; k < model->publisheds; k++) {
        const struct published *published = &model->published[k];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "quantity", published->quantity);
        cJSON_AddStringToObject(item, "value", published->value);
        cJSON_AddStringToObject(item, "source", published->source);
        if (published->disputed)
            cJSON_AddStringToObject(item, "disputed", published->disputed);
        cJSON_AddItemToArray(list, item);
    }
}

static void add_twin(cJSON *object, const struct model *model)
{
    if (!model->twin)
        return;
    cJSON *twin = cJSON_AddObjectToObject(object, "twin");
    cJSON_AddStringToObject(twin, "case", model->twin);
    cJSON *list = cJSON_AddArrayToObject(twin, "equal");
    for (int k = 0; k < model->equalities; k++)
        cJSON_AddItemToArray(list, cJSON_CreateString(model->equality[k].name));
}

static void add_parameters(cJSON *object, const struct model *model, const double *value)
{
    cJSON *parameters = cJSON_AddArrayToObject(object, "parameters");
    for (int j = 0; j < model->p; j++) {
        const struct parameter *parameter = &model->parameter[j];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", parameter->name);
        cJSON_AddNumberToObject(item, "nominal", value[j]);
        cJSON_AddStringToObject(item, "unit", parameter->unit ? parameter->unit : "");
        cJSON_AddStringToObject(item, "meaning",
                                parameter->meaning ? parameter->meaning : "");
        cJSON_AddBoolToObject(item, "fixed", parameter->fixed);
        cJSON_AddItemToArray(parameters, item);
    }
}

static void add_events(cJSON *object, const struct model *model)
{
    cJSON *events = cJSON_AddArrayToObject(object, "events");
    for (int k = 0; k < model->events; k++) {
        char guard[SHOW_TEXT];
        const struct event *event = model->event[k];
        formula_print(event->guard, model->names, guard, sizeof guard);
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", event->name);
        cJSON_AddStringToObject(item, "from", event->from->name);
        cJSON_AddStringToObject(item, "to", event->to->name);
        cJSON_AddStringToObject(item, "guard", guard);
        cJSON_AddStringToObject(item, "direction", show_direction(event->direction));
        cJSON *conditions = event->conditions > 0
                                ? cJSON_AddArrayToObject(item, "conditions") : NULL;
        for (int i = 0; i < event->conditions; i++) {
            formula_print(event->condition[i], model->names, guard, sizeof guard);
            cJSON_AddItemToArray(conditions, cJSON_CreateString(guard));
        }
        cJSON_AddBoolToObject(item, "terminal", event->terminal);
        cJSON_AddItemToArray(events, item);
    }
}

void show_json(const struct model *model, const double *value)
{
    const struct case_desc *desc = model->desc;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", desc->name);
    cJSON_AddStringToObject(object, "title", desc->title);
    cJSON_AddStringToObject(object, "source", desc->source ? desc->source : "");
    cJSON_AddStringToObject(object, "declared", desc->declared ? desc->declared : "");
    cJSON_AddStringToObject(object, "classes", desc->classes ? desc->classes : "");
    add_list(object, "coordinates", model->coordinate, model->n);
    add_list(object, "auxiliary", model->auxiliary, model->ns);
    add_list(object, "costs", model->cost, model->nz);
    add_parameters(object, model, value);
    add_events(object, model);
    add_published(object, model);
    add_twin(object, model);
    add_formulations(object, model);
    json_print(stdout, object);
}
