/*
 * optimise_request.c - the options of saltus optimise, checked and completed
 * (optimise_request.h)
 */
#include "commands/optimise_request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/standard.h"
#include "base/suggest.h"
#include "commands/setup.h"
#include "optimise/objective.h"

enum { NAMES = 64, OFFER = 400 };

/* --- names -------------------------------------------------------------------------- */

/* Complains of a name, and offers those that there are; always false. */
static bool unknown(const struct args *args, const char *what, const char *name,
                    const char *const *known, int count)
{
    char offer[OFFER];
    offer_names(name, known, count, offer, sizeof offer);
    complain(args, "no %s %s; %s", what, name, offer);
    return false;
}

static bool choose_cost(struct optimise_request *asked)
{
    const struct args *args = asked->args;
    const struct model *model = asked->model;
    const char *name = args_text(args, OPTION_COST, NULL);
    if (model->nz == 0) {
        complain(args, "%s has no cost", model->desc->name);
        return false;
    }
    if (!name && model->nz == 1)
        name = model->cost[0];
    if (!name) {
        complain(args, "--cost is missing; the first one of %s is %s", model->desc->name,
                 model->cost[0]);
        return false;
    }
    for (int k = 0; k < model->nz; k++)
        if (strcmp(model->cost[k], name) == 0) {
            asked->request.cost = k;
            return true;
        }
    return unknown(args, "cost", name, (const char *const *)model->cost, model->nz);
}

static bool choose_gradient(struct optimise_request *asked)
{
    const char *known[NAMES];
    int count = objective_methods(known, NAMES);
    const char *name = args_text(asked->args, OPTION_METHOD, known[0]);
    for (int k = 0; k < count; k++)
        if (strcmp(known[k], name) == 0) {
            asked->request.method = known[k];
            return true;
        }
    return unknown(asked->args, "method", name, known, count);
}

static bool choose_algorithm(struct optimise_request *asked)
{
    const struct args *args = asked->args;
    const char *name = args_text(args, OPTION_ALGORITHM, algorithms[0].name);
    for (const struct algorithm *a = algorithms; a->name; a++)
        if (strcmp(a->name, name) == 0) {
            asked->request.algorithm = a;
            if (algorithm_available(a))
                return true;
            complain(args, "--algorithm %s needs NLopt; this saltus is built with %s",
                     name, minimiser_library());
            return false;
        }
    const char *known[NAMES];
    int count = setup_names(OPTION_ALGORITHM, known, NAMES);
    return unknown(args, "algorithm", name, known, count);
}

/* --- parameters --------------------------------------------------------------------- */

static bool choose_parameters(struct optimise_request *asked)
{
    const struct args *args = asked->args;
    struct run_request *run = &asked->request.run;
    const char *list = args_text(args, OPTION_OVER, NULL);
    char name[80];
    if (!list) {
        complain(args, "--over is missing: over which parameters? saltus show %s names "
                 "them", asked->model->desc->name);
        return false;
    }
    while (next_in_list(&list, name, sizeof name)) {
        int index = setup_parameter(args, asked->model, name, "--over");
        for (int k = 0; k < run->parameters && index >= 0; k++)
            if (asked->parameter[k] == index) {
                complain(args, "--over: %s is named twice; once is enough", name);
                return false;
            }
        if (index < 0)
            return false;
        asked->parameter[run->parameters++] = index;
    }
    return true;
}

/* The number k for which the name is that of parameter k of --over; -1 after a
   complaint. */
static int varied(const struct optimise_request *asked, const char *name,
                  const char *option)
{
    const struct run_request *run = &asked->request.run;
    int index = setup_parameter(asked->args, asked->model, name, option);
    for (int k = 0; k < run->parameters && index >= 0; k++)
        if (asked->parameter[k] == index)
            return k;
    if (index >= 0)
        complain(asked->args, "%s: %s is not among those of --over", option, name);
    return -1;
}

/* No parameter of --over is set: its first value is that of --start. */
static bool none_set(const struct optimise_request *asked)
{
    const struct args *args = asked->args;
    for (int i = 0; i < args->option[OPTION_SET].count; i++) {
        const char *text = args->option[OPTION_SET].value[i];
        for (int k = 0; k < asked->request.run.parameters; k++) {
            const char *name = asked->model->parameter[asked->parameter[k]].name;
            if (setup_is_named(text, name)) {
                complain(args, "--set %s: it is varied; --start says where it begins",
                         name);
                return false;
            }
        }
    }
    return true;
}

/* One of the two ends of LO:HI, empty where there is no bound. */
static bool read_end(const char *text, size_t length, double *end)
{
    char part[80];
    if (length == 0)
        return true;
    snprintf(part, sizeof part, "%.*s", (int)length, text);
    return length < sizeof part && read_number(part, end);
}

static bool set_bounds(struct optimise_request *asked, int k, const char *name,
                       const char *text)
{
    const char *colon = strchr(text, ':');
    int n = asked->request.run.parameters;
    double *lower = &asked->bound[n + k], *upper = &asked->bound[2 * n + k];
    if (colon && read_end(text, (size_t)(colon - text), lower) &&
        read_end(colon + 1, strlen(colon + 1), upper) && *lower < *upper)
        return true;
    complain(asked->args, "--bounds %s: '%s' is no range LO:HI, LO: or :HI with LO < HI",
             name, text);
    return false;
}

static bool set_start(struct optimise_request *asked, int k, const char *name,
                      const char *text)
{
    if (read_number(text, &asked->bound[k]))
        return true;
    complain(asked->args, "--start %s: '%s' is not a number", name, text);
    return false;
}

/* Reads all of A=X,B=Y of an option; each is given to `set`. */
static bool read_list(struct optimise_request *asked, enum option_id id,
                      const char *option, const char *form,
                      bool (*set)(struct optimise_request *, int, const char *,
                                  const char *))
{
    const struct args *args = asked->args;
    for (int i = 0; i < args->option[id].count; i++) {
        const char *list = args->option[id].value[i], *value;
        char item[200], name[80];
        while (next_in_list(&list, item, sizeof item)) {
            int k = setup_split(args, option, form, item, name, sizeof name, &value)
                        ? varied(asked, name, option) : -1;
            if (k < 0 || !set(asked, k, name, value))
                return false;
        }
    }
    return true;
}

static bool start_within(const struct optimise_request *asked)
{
    const struct optimisation_request *request = &asked->request;
    for (int k = 0; k < request->run.parameters; k++) {
        double start = request->start[k];
        if (start >= request->lower[k] && start <= request->upper[k])
            continue;
        complain(asked->args, "%s begins at %.10g, outside its bounds; give --start",
                 asked->model->parameter[asked->parameter[k]].name, start);
        return false;
    }
    return true;
}

static bool choose_region(struct optimise_request *asked)
{
    struct optimisation_request *request = &asked->request;
    int n = request->run.parameters;
    asked->bound = memory_new(3 * n, sizeof *asked->bound);
    request->start = asked->bound;
    request->lower = asked->bound + n;
    request->upper = asked->bound + 2 * n;
    for (int k = 0; k < n; k++) {
        asked->bound[k] = asked->value[asked->parameter[k]];
        asked->bound[n + k] = -INFINITY;
        asked->bound[2 * n + k] = INFINITY;
    }
    if (args_has(asked->args, OPTION_BOUNDS) && !minimiser_takes_bounds()) {
        complain(asked->args, "--bounds needs NLopt; this saltus is built with %s",
                 minimiser_library());
        return false;
    }
    return read_list(asked, OPTION_START, "--start", "X", set_start) &&
           read_list(asked, OPTION_BOUNDS, "--bounds", "LO:HI", set_bounds) &&
           start_within(asked);
}

/* --- uncertainty -------------------------------------------------------------------- */

static bool choose_variances(struct optimise_request *asked)
{
    const char *name = args_text(asked->args, OPTION_UNCERTAINTY, "");
    for (int k = 0; variances_text[k]; k++)
        if (strcmp(variances_text[k], name) == 0) {
            asked->uncertainty.variances = (enum variances)k;
            return true;
        }
    complain(asked->args, "--uncertainty: variances are %s or %s, not '%s'",
             variances_text[VARIANCES_KNOWN], variances_text[VARIANCES_EQUAL], name);
    return false;
}

/* Readings enough to estimate from; bounds that turn out active leave fewer
   parameters. */
static bool choose_readings(struct optimise_request *asked)
{
    enum { MOST = 1000000000 };
    const struct args *args = asked->args;
    struct uncertainty_request *request = &asked->uncertainty;
    int n = asked->request.run.parameters;
    if (!args_count(args, OPTION_READINGS, 1, MOST, &request->readings))
        return false;
    if (request->variances == VARIANCES_EQUAL && request->readings == 0)
        complain(args, "--uncertainty %s: the variance is estimated from how many "
                 "readings? give --readings N", variances_text[VARIANCES_EQUAL]);
    else if (request->readings > 0 && request->readings <= n)
        complain(args, "--readings %ld: none is left beside %d parameter%s; vary fewer, "
                 "or read more", request->readings, n, n > 1 ? "s" : "");
    else
        return true;
    return false;
}

/* Rows on standard output leave no report. */
static bool report_has_place(const struct optimise_request *asked)
{
    bool json = args_has(asked->args, OPTION_JSON);
    if (!standard_taken() || (!asked->uncertain && !json))
        return true;
    complain(asked->args, "--%s stands in the report, which rows on standard output "
             "leave out; give -o FILE", json ? "json" : "uncertainty");
    return false;
}

static bool choose_uncertainty(struct optimise_request *asked)
{
    const struct args *args = asked->args;
    asked->uncertain = args_has(args, OPTION_UNCERTAINTY);
    if (!asked->uncertain && args_has(args, OPTION_READINGS))
        complain(args, "--readings is of a fit; give --uncertainty, too");
    else if (asked->uncertain && asked->request.maximise)
        complain(args, "--uncertainty is of a sum of squares, which has a minimum; leave "
                 "out --maximise");
    else
        return !asked->uncertain || (choose_variances(asked) && choose_readings(asked));
    return false;
}

/* --- all of it ---------------------------------------------------------------------- */

bool optimise_request_read(struct optimise_request *asked, const struct args *args)
{
    enum { EVALUATIONS = 500, MOST = 1000000 };
    *asked = (struct optimise_request){.args = args};
    asked->model = setup_model(args, args->operand[0]);
    if (!asked->model)
        return false;
    const struct model *model = asked->model;
    struct optimisation_request *request = &asked->request;
    struct run_request *run = &request->run;
    asked->value = memory_new(model->p, sizeof *asked->value);
    asked->parameter = memory_new(model->p, sizeof *asked->parameter);
    *request = (struct optimisation_request){
        .maximise = args_has(args, OPTION_MAXIMISE), .gradient_tolerance = 1e-8,
        .max_evaluations = EVALUATIONS};
    run->model = model;
    run->value = asked->value;
    run->parameter = asked->parameter;
    run->t_end = NAN;
    return setup_solver(args, model, asked->option, run) &&
           setup_values(args, model, asked->value) && choose_cost(asked) &&
           choose_parameters(asked) && none_set(asked) &&
           setup_limits(args, run) &&
           args_number(args, OPTION_T_END, &run->t_end) && choose_gradient(asked) &&
           choose_algorithm(asked) && choose_region(asked) &&
           choose_uncertainty(asked) && report_has_place(asked) &&
           args_positive(args, OPTION_GRADIENT_TOLERANCE, &request->gradient_tolerance) &&
           args_count(args, OPTION_MAX_EVALUATIONS, 1, MOST, &request->max_evaluations);
}

void optimise_request_clear(struct optimise_request *asked)
{
    free(asked->value);
    free(asked->bound);
    free(asked->parameter);
    if (asked->model)
        model_free(asked->model);
}
