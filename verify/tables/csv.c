/*
 * csv.c - a trajectory as comma separated values.
 *
 * Numbers are written with the fewest digits that identify a double. The command never
 * calls setlocale, so the decimal point is a point everywhere. A multiplier that the mode
 * does not have is "nan".
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number_text.h"
#include "monitors/constraints.h"
#include "quantity/quantity.h"
#include "tables/csv_columns.h"
#include "tables/report.h"

/* --- residuals of the constraints --------------------------------------------------- */

/* The constraints of every mode, at the parameters of a run. */
struct residuals {
    struct model *branch;           /* NULL: no residual is printed */
    struct constraints *of_mode;    /* [branch->modes] */
};

static struct residuals residuals_new(const struct trajectory *trajectory,
                                      const struct csv_columns *chosen)
{
    struct residuals residuals = {0};
    bool wanted = false;
    for (int k = 0; k < chosen->count; k++)
        wanted = wanted || chosen->column[k] >= trajectory->columns.count;
    if (!wanted)
        return residuals;
    struct model *branch = model_branch(trajectory->columns.model);
    residuals.branch = branch;
    residuals.of_mode = memory_new(branch->modes, sizeof *residuals.of_mode);
    for (int k = 0; k < branch->modes; k++) {
        constraints_init(&residuals.of_mode[k], branch, branch->mode[k],
                         trajectory->value);
        constraints_use_code(&residuals.of_mode[k], CODE_NEVER);
    }
    return residuals;
}

static void residuals_free(struct residuals *residuals)
{
    if (!residuals->branch)
        return;
    for (int k = 0; k < residuals->branch->modes; k++)
        constraints_clear(&residuals->of_mode[k]);
    free(residuals->of_mode);
    model_branch_free(residuals->branch);
}

static void residuals_at(struct residuals *residuals, const struct columns *columns,
                         const struct run_point *point)
{
    if (residuals->branch)
        constraints_at(&residuals->of_mode[point->mode->index], point->t,
                       point->x + columns->begin[GROUP_Q],
                       point->x + columns->begin[GROUP_V],
                       point->x + columns->begin[GROUP_S]);
}

/* Residual k: Phi of rows 0 .. m - 1, then Phid; NAN where the mode has no such row, and
   for Phi of a row at velocity level. */
static double residual(const struct residuals *residuals, const struct columns *columns,
                       const struct mode *mode, int k)
{
    const struct constraints *c = &residuals->of_mode[mode->index];
    int m = columns->begin[GROUP_LAMBDA + 1] - columns->begin[GROUP_LAMBDA], i = k % m;
    bool at_velocities = k >= m;
    if (i >= c->m || (!at_velocities && mode->velocity_level[i]))
        return NAN;
    return constraints_value(c, (at_velocities ? c->Phid : c->Phi) + i);
}

/* --- lines -------------------------------------------------------------------------- */

static void print_names(FILE *stream, const struct columns *columns,
                        const struct csv_columns *chosen)
{
    for (int k = 0; k < chosen->count; k++) {
        char name[80];
        csv_column_name(columns, chosen->column[k], name, sizeof name);
        fprintf(stream, ",%s", name);
    }
    fputc('\n', stream);
}

static void print_values(FILE *stream, const struct trajectory *trajectory,
                         const struct csv_columns *chosen, struct residuals *residuals,
                         const struct run_point *point)
{
    const struct columns *columns = &trajectory->columns;
    residuals_at(residuals, columns, point);
    for (int k = 0; k < chosen->count; k++) {
        int c = chosen->column[k];
        double x = c >= columns->count ? residual(residuals, columns, point->mode,
                                                  c - columns->count)
                   : column_present(columns, c, point->mode) ? point->x[c] : NAN;
        if (isnan(x))
            fputs(",nan", stream);
        else
            number_print(stream, ",", x);
    }
    fputc('\n', stream);
}

void report_csv(FILE *stream, const struct trajectory *trajectory,
                const struct csv_columns *chosen)
{
    struct residuals residuals = residuals_new(trajectory, chosen);
    fputs("t", stream);
    print_names(stream, &trajectory->columns, chosen);
    for (int k = 0; k < trajectory->samples; k++) {
        number_print(stream, "", trajectory->sample[k].t);
        print_values(stream, trajectory, chosen, &residuals, &trajectory->sample[k]);
    }
    residuals_free(&residuals);
}

/* --- costs and events --------------------------------------------------------------- */

static void print_name(FILE *stream, const char *before, const struct quantity *quantity)
{
    char name[QUANTITY_NAME];
    quantity_print(quantity, name, sizeof name);
    fprintf(stream, "%s%s", before, name);
}

void report_costs_csv(FILE *stream, const struct trajectory *trajectory)
{
    const struct columns *columns = &trajectory->columns;
    int nz = columns->model->nz;
    if (nz > 0)
        fputs("quantity,value\n", stream);
    for (int k = 0; k < nz; k++) {
        for (int j = -1; j < columns->p; j++) {
            const struct quantity quantity = quantity_of_cost(
                columns->model->cost[k], j < 0 ? "" : column_parameter(columns, j));
            print_name(stream, "", &quantity);
            number_print(stream, ",", trajectory->psi[(j + 1) * nz + k]);
            fputc('\n', stream);
        }
    }
}

void report_events_csv(FILE *stream, const struct trajectory *trajectory,
                       const struct csv_columns *chosen)
{
    const struct columns *columns = &trajectory->columns;
    struct residuals residuals = residuals_new(trajectory, chosen);
    fputs("event,name,t", stream);
    for (int j = 0; j < columns->p; j++) {
        const struct quantity quantity =
            quantity_of_time(0, column_parameter(columns, j));
        print_name(stream, ",", &quantity);
    }
    fputs(",condition,growth,side", stream);
    print_names(stream, columns, chosen);

    for (int k = 0; k < trajectory->events; k++)
        for (int side = 0; side < 2; side++) {
            const struct event_record *event = &trajectory->event[k];
            const struct run_point *point = side ? &event->after : &event->before;
            fprintf(stream, "%d,%s", k + 1, event->event->name);
            number_print(stream, ",", point->t);
            for (int j = 0; j < columns->p; j++)
                number_print(stream, ",", event->tau[j]);
            fprintf(stream, ",%.3g,%.3g", event->condition, event->growth);
            fputs(side ? ",after" : ",before", stream);
            print_values(stream, trajectory, chosen, &residuals, point);
        }
    residuals_free(&residuals);
}
