/*
 * sweep_request.c - the options of saltus sweep, checked and completed (sweep_request.h)
 */
#include "commands/sweep_request.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "commands/setup.h"
#include "quantity/quantity.h"

/* --- what is varied ----------------------------------------------------------------- */

static bool add_axis(struct sweep_request *asked, enum option_id id, const char *text)
{
    const struct args *args = asked->args;
    struct points *points = &asked->sweep.points;
    const char *option = id == OPTION_GRID ? "--grid" : "--range", *values;
    char name[80], error[200];
    const char *form = id == OPTION_GRID ? "LO:HI:N" : "LO:HI";
    if (!setup_split(args, option, form, text, name, sizeof name, &values))
        return false;
    int parameter = setup_parameter(args, asked->model, name, option);
    if (parameter < 0)
        return false;
    for (int i = 0; i < points->axes; i++)
        if (points->axis[i].parameter == parameter) {
            complain(args, "%s: %s is varied twice; once is enough", option, name);
            return false;
        }
    if (points->axes == MOST_AXES) {
        complain(args, "%s %s: at most %d parameters are varied", option, name,
                 MOST_AXES);
        return false;
    }
    struct axis *axis = &points->axis[points->axes++];
    if (axis_read(values, id == OPTION_GRID, asked->model, parameter, axis, error,
                  sizeof error))
        return true;
    complain(args, "%s %s: %s", option, name, error);
    return false;
}

static bool add_axes(struct sweep_request *asked, enum option_id id)
{
    for (int k = 0; k < asked->args->option[id].count; k++)
        if (!add_axis(asked, id, asked->args->option[id].value[k]))
            return false;
    return true;
}

/* Is no swept parameter set? A parameter has one value, or many. */
static bool none_set(struct sweep_request *asked)
{
    const struct args *args = asked->args;
    for (int k = 0; k < args->option[OPTION_SET].count; k++) {
        const char *text = args->option[OPTION_SET].value[k];
        for (int i = 0; i < asked->sweep.points.axes; i++) {
            const char *name =
                asked->model->parameter[asked->sweep.points.axis[i].parameter].name;
            if (setup_is_named(text, name)) {
                complain(args, "--set %s: it is varied, too; leave out one of them",
                         name);
                return false;
            }
        }
    }
    return true;
}

static bool choose_points(struct sweep_request *asked)
{
    const struct args *args = asked->args;
    struct points *points = &asked->sweep.points;
    long seed = 0;
    bool sampled = args_has(args, OPTION_SAMPLE), ranges = args_has(args, OPTION_RANGE);
    if (!args_count(args, OPTION_SAMPLE, 1, most_trajectories, &points->samples) ||
        !args_count(args, OPTION_SEED, 0, LONG_MAX, &seed))
        return false;
    points->seed = (uint64_t)seed;
    points->latin = args_has(args, OPTION_LATIN);
    if (!sampled && (ranges || points->latin || args_has(args, OPTION_SEED))) {
        complain(args, "--%s is of samples; say how many: --sample N",
                 ranges ? "range" : points->latin ? "latin" : "seed");
        return false;
    }
    if (sampled && !ranges) {
        complain(args, "--sample: of which parameters? Give --range RHO=LO:HI");
        return false;
    }
    if (!sampled && !args_has(args, OPTION_GRID)) {
        complain(args, "nothing is varied; give --grid RHO=LO:HI:N, or --sample N with "
                 "--range RHO=LO:HI");
        return false;
    }
    if (!add_axes(asked, OPTION_GRID) || !add_axes(asked, OPTION_RANGE) ||
        !none_set(asked))
        return false;
    if (!points_count(points)) {
        complain(args, "these are more than %ld trajectories; make it several sweeps",
                 most_trajectories);
        return false;
    }
    return true;
}

/* --- what is asked of each ---------------------------------------------------------- */

static bool choose_parameters(struct sweep_request *asked)
{
    /* derivatives take their time, so only those asked for are computed */
    struct run_request *request = &asked->sweep.request;
    return !args_has(asked->args, OPTION_SENS) ||
           setup_parameters(asked->args, asked->model, &request->parameters,
                            asked->parameter);
}

/* The parameter in "dq.x/dRHO" where there are no derivatives by it; else NULL. */
static const char *not_differentiated(const struct sweep_request *asked,
                                      const char *name)
{
    const struct quantity quantity = quantity_parse(name);
    int index = is_derivative(&quantity)
                    ? model_parameter_index(asked->model, quantity.by) : -1;
    for (int k = 0; k < asked->sweep.request.parameters; k++)
        if (asked->parameter[k] == index)
            return NULL;
    return index < 0 ? NULL : asked->model->parameter[index].name;
}

static bool unknown_column(const struct sweep_request *asked, const char *name)
{
    enum { MANY = 400 };
    static char known[MANY][80];
    const char *list[MANY];
    char offer[300];
    const char *missing = not_differentiated(asked, name);
    if (missing) {
        complain(asked->args, "--columns %s: nothing is differentiated by %s; name it "
                 "in --sens", name, missing);
        return false;
    }
    int count = sweep_columns_known(&asked->sweep.columns, known, MANY);
    for (int k = 0; k < count; k++)
        list[k] = known[k];
    offer_names(name, list, count, offer, sizeof offer);
    complain(asked->args, "--columns: no column %s; %s", name, offer);
    return false;
}

static bool choose_columns(struct sweep_request *asked)
{
    struct sweep_columns *columns = &asked->sweep.columns;
    const char *list = args_text(asked->args, OPTION_COLUMNS, NULL);
    char name[80];
    columns_init(&columns->state, asked->model, asked->sweep.request.parameters,
                 asked->parameter);
    if (!list) {
        static const char *const usual[] = {"q", "v", "psi"};
        for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
            sweep_columns_add(columns, usual[k]);
        return true;
    }
    while (next_in_list(&list, name, sizeof name))
        if (!sweep_columns_add(columns, name))
            return unknown_column(asked, name);
    return true;
}

/* --- all of it ---------------------------------------------------------------------- */

static bool possible(const struct sweep_request *asked)
{
    struct diagnosis diagnosis = {.t = NAN};
    if (sweep_check(&asked->sweep, &diagnosis) == OK)
        return true;
    complain_refusal(asked->args, asked->model->desc->name, &diagnosis);
    return false;
}

bool sweep_request_read(struct sweep_request *asked, const struct args *args, int threads)
{
    *asked = (struct sweep_request){.args = args, .threads = threads};
    asked->model = setup_model(args, args->operand[0]);
    if (!asked->model)
        return false;
    const struct model *model = asked->model;
    struct sweep *sweep = &asked->sweep;
    struct run_request *request = &sweep->request;
    asked->value = memory_new(model->p, sizeof *asked->value);
    asked->parameter = memory_new(model->p, sizeof *asked->parameter);
    *sweep = (struct sweep){.desc = model->desc, .model = model, .t_end = NAN};
    sweep->value = asked->value;
    request->parameter = asked->parameter;
    return setup_solver(args, model, asked->option, request) &&
           setup_values(args, model, asked->value) && choose_parameters(asked) &&
           setup_limits(args, request) &&
           args_number(args, OPTION_T_END, &sweep->t_end) &&
           args_count(args, OPTION_JOBS, 1, 256, &asked->threads) &&
           choose_points(asked) && choose_columns(asked) && possible(asked);
}

void sweep_request_clear(struct sweep_request *asked)
{
    sweep_columns_clear(&asked->sweep.columns);
    free(asked->value);
    free(asked->parameter);
    if (asked->model)
        model_free(asked->model);
}
