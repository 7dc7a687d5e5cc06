/*
 * rows.c - the table of an optimisation: its heading, and rows taken up again
 * (optimise.h)
 */
#include <stdlib.h>

#include "base/memory.h"
#include "optimise/descent.h"
#include "sweep/heading.h"
#include "sweep/points.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

static void print_numbers(FILE *stream, const struct optimisation *o, const char *word,
                          const double *x)
{
    fprintf(stream, "# %s", word);
    for (int k = 0; k < o->n; k++) {
        fputs(k ? ", " : " ", stream);
        fprintf(stream, "%s ", o->columns.model->parameter[o->columns.parameter[k]].name);
        print_shortest(stream, x[k]);
    }
    fputc('\n', stream);
}

char *optimisation_heading(const struct optimisation *o)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        memory_exhausted();
    const struct optimisation_request *request = &o->request;
    const struct model *model = o->columns.model;
    bool *varied = memory_new(model->p, sizeof *varied);
    for (int k = 0; k < o->n; k++)
        varied[o->columns.parameter[k]] = true;
    fprintf(stream, "# saltus %s optimise %s, %s of %s by %s of %s, gradient by %s\n",
            SALTUS_VERSION, model->desc->name,
            request->maximise ? "maximum" : "minimum", model->cost[request->cost],
            request->algorithm->name, minimiser_library(), request->method);
    heading_print(stream, &request->run, varied);
    print_numbers(stream, o, "start", request->start);
    print_numbers(stream, o, "lower", request->lower);
    print_numbers(stream, o, "upper", request->upper);
    fputs("# gradient tolerance ", stream);
    print_shortest(stream, request->gradient_tolerance);
    fprintf(stream, ", at most %ld evaluations\n", request->max_evaluations);
    evaluation_names(stream, &o->columns);
    free(varied);
    if (fclose(stream) != 0)
        memory_exhausted();
    return text;
}

/* Takes the evaluation of a row that an earlier run has left; a row of this run is known
   already. */
static bool take_row(void *context, const char *line, long index, enum status *status,
                     long *events)
{
    struct optimisation *o = context;
    struct evaluation *e = evaluation_read(&o->columns, index, line);
    if (!e)
        return false;
    *status = e->status;
    *events = e->events;
    if (index == o->count)
        descent_keep(o, e);
    else
        evaluation_free(e);
    return true;
}

static bool is_as_written(void *context, const char *line, long index)
{
    const struct optimisation *o = context;
    struct evaluation *e = evaluation_read(&o->columns, index, line);
    evaluation_free(e);
    return e != NULL;
}

struct output_rows optimisation_rows(struct optimisation *o)
{
    return (struct output_rows){.work = "optimisation", .take = take_row,
                                .is_as_written = is_as_written, .context = o};
}
