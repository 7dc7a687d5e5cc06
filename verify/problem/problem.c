/*
 * problem.c - a model, its start and the questions asked about it, as JSON.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "problem/writer.h"
#include "quantity/quantity.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

enum { CARRIED = 60, SHOWN = 40 };      /* decimal digits of the start: carried, shown */
const double foreign_bar = 6;

static const char *const syntax =
    "Infix: + - * / ( ), pow(x, n), sqrt, exp, log, sin, cos, tan, asin, acos, atan, "
    "atan2, sinh, cosh, tanh, pi. Numbers are exact decimals; 1/2 is a half. Names are "
    "those of parameters, coordinates (x; velocity vx, acceleration ax, after an event "
    "x_plus, vx_plus), auxiliary states, multipliers, t and definitions. Definitions are "
    "abbreviations, each of names before it.";

#define MOTION "q' = v, v' = a, s' = f_s, z' = g, z = 0 at t0. "
#define EVENTS \
    "An event of the mode fires when its guard passes zero in its direction; of those " \
    "with the same guard the first whose `conditions` are all positive. Then the " \
    "state becomes that of its reset: `explicit` names and right sides; where there " \
    "are `unknowns`, all `zero` must be zero. z grows by `cost`, and the mode is `to`."

static const char *const exact_equations =
    "In a mode: M a + Phi_q' lambda = F and Phi = 0, so Phid_v a + gamma = 0, where "
    "Phid_v is d Phid/dv: Phi_q, but for auxiliary states in Phi whose rates depend on "
    "v. Rows marked velocity_level are conditions on v, with Phi_q their derivative by "
    "v. "
    MOTION EVENTS;

static const char *const penalty_equations =
    "In a mode: M a + Phi_q' lambda = F and Phid_v a + gamma + K_D Phid + K_P Phi = "
    "alpha^-1 lambda, which determine a and lambda; the constraints are only approached. "
    MOTION EVENTS;

static const char *const answer[] = {
    "CSV on standard output: a header with names from `columns`, in any order, then a "
    "line for each of `samples`, in their order; every line ends with a newline.",
    "q.x, v.x, a.x are a coordinate, its velocity and acceleration, s.x an auxiliary "
    "state, lambda.i the i-th of `multipliers` (nan in a mode that does not have it), "
    "z.x a cost. dX/dRHO is the derivative of X at fixed time by the parameter RHO, "
    "through all events. `start` is the line at t0.",
    "Columns may be left out (they are listed as missing); others are ignored.",
    "Then, if events are to be judged, a line `# events`, a header with names from "
    "`event_columns`, and for each event, in order, a line with side `before` and one "
    "with side `after`: its number from 1, t and dt/dRHO of the event, and the other "
    "columns on that side of it.",
    "Exit status 0; other text goes to standard error.",
};
enum { ANSWER_LINES = sizeof answer / sizeof answer[0] };

static void add_string(cJSON *object, const char *key, const char *text)
{
    if (text)
        cJSON_AddStringToObject(object, key, text);
}

/* All 17 digits: cJSON's own numbers may be off by an ulp. */
static cJSON *number(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return cJSON_CreateRaw(text);
}

/* A list of strings; an empty one is a list, too, which cJSON makes none of for NULL. */
static cJSON *strings(char *const *name, int count)
{
    return count > 0 ? cJSON_CreateStringArray((const char *const *)name, count)
                     : cJSON_CreateArray();
}

/* --- what is given ------------------------------------------------------------------ */

static cJSON *names_in_block(const struct model *model, int block, int count)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count; i++)
        cJSON_AddItemToArray(list,
                             cJSON_CreateString(texts_variable(model, block, i)));
    return list;
}

static bool is_differentiated(const struct problem *problem, int j)
{
    for (int k = 0; k < problem->parameters; k++)
        if (problem->parameter[k] == j)
            return true;
    return false;
}

static enum status add_parameters(struct writer *writer, struct diagnosis *diagnosis)
{
    const struct model *model = writer->model;
    double *value = memory_new(model->p, sizeof *value);
    enum status status = model_nominal_values(model, value, diagnosis);
    cJSON *list = cJSON_AddArrayToObject(writer->root, "parameters");
    for (int j = 0; status == OK && j < model->p; j++) {
        const struct parameter *parameter = &model->parameter[j];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToArray(list, item);
        add_string(item, "name", parameter->name);
        cJSON_AddItemToObject(item, "nominal", own_string(formula_text(
            parameter->nominal, model->names, NULL)));
        cJSON_AddItemToObject(item, "value", number(value[j]));
        add_string(item, "unit", parameter->unit);
        add_string(item, "meaning", parameter->meaning);
        cJSON_AddBoolToObject(item, "fixed", parameter->fixed);
        cJSON_AddBoolToObject(item, "differentiated",
                              is_differentiated(writer->problem, j));
    }
    free(value);
    return status;
}

/* Adds the numbers of the penalty family as they were given; the exact motion has
   none. */
static void add_motion(struct writer *writer)
{
    const struct truth *truth = &writer->problem->truth;
    cJSON *motion = cJSON_AddObjectToObject(writer->root, "motion");
    add_string(motion, "variant", truth->variant);
    add_string(motion, "alpha", truth->alpha);
    add_string(motion, "K_D", truth->K_D);
    add_string(motion, "K_P", truth->K_P);
    add_string(motion, "reset", reset_policy_text[writer->model->reset]);
    add_string(writer->root, "equations",
               is_exact(truth) ? exact_equations : penalty_equations);
    add_string(writer->root, "syntax", syntax);
}

static enum status add_names(struct writer *writer, struct diagnosis *diagnosis)
{
    const struct model *model = writer->model;
    const struct case_desc *desc = model->desc;
    cJSON *root = writer->root;
    cJSON_AddNumberToObject(root, "format", PROBLEM_FORMAT);
    add_string(root, "saltus", SALTUS_VERSION);
    add_string(root, "name", desc->name);
    add_string(root, "title", desc->title);
    add_string(root, "source", desc->source);
    add_string(root, "declared", desc->declared);
    add_motion(writer);
    enum status status = add_parameters(writer, diagnosis);
    add_string(root, "time", texts_variable(model, BLOCK_T, 0));
    cJSON_AddItemToObject(root, "coordinates", strings(model->coordinate, model->n));
    cJSON_AddItemToObject(root, "velocities", names_in_block(model, BLOCK_V, model->n));
    cJSON_AddItemToObject(root, "auxiliary", strings(model->auxiliary, model->ns));
    cJSON_AddItemToObject(root, "multipliers",
                          names_in_block(model, BLOCK_LAMBDA, model->m));
    cJSON_AddItemToObject(root, "impulses", names_in_block(model, BLOCK_IMPULSE,
                                                           model_most_impulses(model)));
    cJSON_AddItemToObject(root, "costs", strings(model->cost, model->nz));
    return status;
}

/* --- the start ---------------------------------------------------------------------- */

static cJSON *decimal(mpfr_srcptr value)
{
    char text[80];
    mpfr_snprintf(text, sizeof text, "%.*Rg", SHOWN, value);
    return cJSON_CreateString(text);
}

static void add_point(cJSON *object, const struct mp_trajectory *trajectory)
{
    const struct columns *columns = &trajectory->columns;
    const struct mp_point *point = &trajectory->sample[0];
    add_string(object, "mode", point->mode->name);
    cJSON_AddItemToObject(object, "t", decimal(point->t));
    for (int c = 0; c < columns->count; c++) {
        char name[80];
        if (!column_present(columns, c, point->mode))
            continue;
        column_name(columns, c, name, sizeof name);
        cJSON_AddItemToObject(object, name, decimal(point->x[c]));
    }
}

/* Adds the consistent start with its sensitivities, from the reference. */
static enum status add_start(struct writer *writer, struct diagnosis *diagnosis)
{
    const struct problem *problem = writer->problem;
    struct mp_trajectory *trajectory = NULL;
    const char **nominal = memory_new(writer->model->p, sizeof *nominal);
    const struct reference_request request = {
        .model = problem->model, .truth = problem->truth, .digits = CARRIED,
        .parameters = problem->parameters, .parameter = problem->parameter,
        .value = nominal,
    };
    enum status status = reference_start(&request, &trajectory, diagnosis);
    if (status == OK) {
        add_point(cJSON_AddObjectToObject(writer->root, "start"), trajectory);
        mp_trajectory_free(trajectory);
    }
    free(nominal);
    return status;
}

/* --- what is asked ------------------------------------------------------------------ */

static cJSON *column_names(const struct columns *columns, bool of_events)
{
    static const char *const first[] = {"event", "name", "t"};
    cJSON *list = cJSON_CreateStringArray(of_events ? first : first + 2,
                                          of_events ? 3 : 1);
    char name[80];
    for (int j = 0; of_events && j < columns->p; j++) {
        const struct quantity quantity =
            quantity_of_time(0, column_parameter(columns, j));
        quantity_print(&quantity, name, sizeof name);
        cJSON_AddItemToArray(list, cJSON_CreateString(name));
    }
    if (of_events)
        cJSON_AddItemToArray(list, cJSON_CreateString("side"));
    for (int c = 0; c < columns->count; c++) {
        column_name(columns, c, name, sizeof name);
        cJSON_AddItemToArray(list, cJSON_CreateString(name));
    }
    return list;
}

static enum status add_questions(struct writer *writer, struct diagnosis *diagnosis)
{
    const struct problem *problem = writer->problem;
    const struct model *model = writer->model;
    cJSON *root = writer->root;
    struct columns columns;
    double t0, t_end;
    enum status status = nominal_times(model, &t0, &t_end, diagnosis);
    if (status != OK)
        return status;
    cJSON_AddItemToObject(root, "t_end", writer_formulas(writer, &model->t_end, 1));
    cJSON_AddItemToArray(cJSON_GetObjectItem(root, "t_end"), number(t_end));
    cJSON_AddItemToObject(root, "terminal_cost",
                          writer_formulas(writer, model->w, model->nz));
    cJSON *samples = cJSON_AddArrayToObject(root, "samples");
    for (int k = 0; k < problem->times; k++)
        cJSON_AddItemToArray(samples, number(problem->t[k]));
    columns_init(&columns, model, problem->parameters, problem->parameter);
    cJSON_AddItemToObject(root, "columns", column_names(&columns, false));
    cJSON_AddItemToObject(root, "event_columns", column_names(&columns, true));
    cJSON *tolerance = cJSON_AddObjectToObject(root, "tolerance");
    cJSON_AddItemToObject(tolerance, "digits", number(problem->digits));
    cJSON_AddItemToObject(tolerance, "rtol", number(pow(10.0, -problem->digits - 3)));
    cJSON_AddItemToObject(root, "answer",
                          cJSON_CreateStringArray(answer, ANSWER_LINES));
    return OK;
}

enum status problem_json(const struct problem *problem, char **text,
                         struct diagnosis *diagnosis)
{
    struct writer writer;
    *text = NULL;
    writer_open(&writer, problem);
    enum status status = add_names(&writer, diagnosis);
    writer_add_model(&writer);
    if (status == OK)
        status = add_start(&writer, diagnosis);
    if (status == OK)
        status = add_questions(&writer, diagnosis);
    if (status == OK) {
        char *json = cJSON_Print(writer.root);
        if (!json)
            memory_exhausted();
        *text = memory_text(json, strlen(json));
        cJSON_free(json);
    }
    writer_close(&writer);
    return status;
}

/* --- times -------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum status problem_times(const struct model *model, int more, double **t, int *count,
                          struct diagnosis *diagnosis)
{
    double *all = memory_new(1 + SAMPLES + more, sizeof *all);
    enum status status = spread_times(model, SAMPLES, &all[0], all + 1, diagnosis);
    if (status == OK && more > 0)
        status = spread_times(model, more, &all[0], all + 1 + SAMPLES, diagnosis);
    *t = NULL;
    *count = 0;
    if (status != OK) {
        free(all);
        return status;
    }
    qsort(all, (size_t)(1 + SAMPLES + more), sizeof *all, by_size);
    for (int k = 0; k < 1 + SAMPLES + more; k++)
        if (*count == 0 || all[k] > all[*count - 1])
            all[(*count)++] = all[k];
    *t = all;
    return OK;
}
