/*
 * heading.c - the table of a sweep: its beginning, with everything that decides its rows,
 * and rows of an earlier sweep recognised.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "events/jump.h"
#include "motion/reference_motion.h"
#include "sweep/heading.h"
#include "sweep/identity.h"
#include "sweep/sweep.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

/* Prints an option; of a matrix, which may be long, the identity alone. */
static void print_option(FILE *stream, const char *name, const char *text)
{
    enum { LONG = 60 };
    if (strlen(text) <= LONG && !strpbrk(text, "\r\n"))
        fprintf(stream, ", %s=%s", name, text);
    else
        fprintf(stream, ", %s is text %016" PRIx64, name, text_identity(text));
}

static void print_method(FILE *stream, const struct run_request *request)
{
    const struct formulation *formulation = request->formulation;
    const struct integrator *integrator =
        integrator_chosen(formulation, request->integrator);
    fprintf(stream, "# formulation %s", formulation->name);
    for (int k = 0; k < option_count(formulation); k++)
        print_option(stream, formulation->options[k].name, request->option[k]);
    fprintf(stream, "\n# integrator %s, rtol ", integrator->name);
    print_shortest(stream, request->rtol);
    fputs(", atol ", stream);
    print_shortest(stream, request->atol);
    fprintf(stream, ", jumps by %s\n",
            request->rule ? request->rule->name : jump_rules[0]->name);
}

static void print_named(FILE *stream, const char *word, const char *name, double x)
{
    fprintf(stream, "# %s%s=", word, name);
    print_shortest(stream, x);
    fputc('\n', stream);
}

static void print_limit(FILE *stream, const char *name, long limit)
{
    if (limit > 0)
        fprintf(stream, "# %s=%ld\n", name, limit);
}

/* Prints parameters that --set has moved from their nominal values and that are not
   varied. */
static void print_values(FILE *stream, const struct run_request *request,
                         const bool *varied)
{
    const struct model *model = request->model;
    double *nominal = memory_new(model->p, sizeof *nominal);
    bool known = model_nominal_values(model, nominal, NULL) == OK;
    for (int k = 0; k < model->p; k++) {
        double value = request->value[k];
        if (!varied[k] && (!known || value < nominal[k] || value > nominal[k]))
            print_named(stream, "set ", model->parameter[k].name, value);
    }
    free(nominal);
}

void heading_print(FILE *stream, const struct run_request *request, const bool *varied)
{
    const struct model *model = request->model;
    fprintf(stream, "# formulas %016" PRIx64 ", reset %s\n", model_identity(model),
            reset_policy_text[model->reset]);
    print_method(stream, request);
    if (!isnan(request->t_end))
        print_named(stream, "", "t-end", request->t_end);
    if (request->max_step > 0)
        print_named(stream, "", "max-step", request->max_step);
    print_limit(stream, "max-events", request->max_events);
    print_limit(stream, "max-steps", request->max_steps);
    print_values(stream, request, varied);
}

char *sweep_heading(const struct sweep *sweep)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        memory_exhausted();
    const struct model *model = sweep->model;
    const struct points *points = &sweep->points;
    struct run_request run = sweep->request;
    bool *varied = memory_new(model->p, sizeof *varied);
    for (int i = 0; i < points->axes; i++)
        varied[points->axis[i].parameter] = true;
    run.model = model;
    run.value = sweep->value;
    run.t_end = sweep->t_end;
    fprintf(stream, "# saltus %s sweep %s, %ld trajectories\n", SALTUS_VERSION,
            sweep->desc->name, points->count);
    heading_print(stream, &run, varied);
    points_print(stream, points, model, "# ");
    sweep_line_names(stream, points, &sweep->columns);
    free(varied);
    if (fclose(stream) != 0)
        memory_exhausted();
    return text;
}

/* --- its rows ----------------------------------------------------------------------- */

static bool take_row(void *context, const char *line, long index, enum status *status,
                     long *events)
{
    const struct sweep *sweep = context;
    return sweep_line_is(line, index, &sweep->points, sweep->columns.count, status,
                         events);
}

static bool is_as_written(void *context, const char *line, long index)
{
    const struct sweep *sweep = context;
    return sweep_line_is_as_written(line, index, &sweep->points, sweep->model->p);
}

struct output_rows sweep_rows(struct sweep *sweep)
{
    return (struct output_rows){.work = "sweep", .count = sweep->points.count,
                                .take = take_row, .is_as_written = is_as_written,
                                .context = sweep};
}
