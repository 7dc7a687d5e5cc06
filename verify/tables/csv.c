/*
 * csv.c - a trajectory as comma separated values.
 *
 * Numbers are written with the 17 digits that identify a double. The command never calls
 * setlocale, so the decimal point is a point everywhere. A multiplier that the mode does
 * not have is "nan".
 */
#include "base/number_text.h"
#include "quantity/quantity.h"
#include "tables/report.h"

static void print_names(FILE *stream, const struct columns *columns)
{
    for (int c = 0; c < columns->count; c++) {
        char name[80];
        column_name(columns, c, name, sizeof name);
        fprintf(stream, ",%s", name);
    }
    fputc('\n', stream);
}

static void print_values(FILE *stream, const struct trajectory *trajectory,
                         const struct run_point *point)
{
    const struct columns *columns = &trajectory->columns;
    for (int c = 0; c < columns->count; c++)
        if (column_present(columns, c, point->mode))
            number_print(stream, ",", point->x[c]);
        else
            fputs(",nan", stream);
    fputc('\n', stream);
}

void report_csv(FILE *stream, const struct trajectory *trajectory)
{
    fputs("t", stream);
    print_names(stream, &trajectory->columns);
    for (int k = 0; k < trajectory->samples; k++) {
        number_print(stream, "", trajectory->sample[k].t);
        print_values(stream, trajectory, &trajectory->sample[k]);
    }
}

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

void report_events_csv(FILE *stream, const struct trajectory *trajectory)
{
    const struct columns *columns = &trajectory->columns;
    fputs("event,name,t", stream);
    for (int j = 0; j < columns->p; j++) {
        const struct quantity quantity =
            quantity_of_time(0, column_parameter(columns, j));
        print_name(stream, ",", &quantity);
    }
    fputs(",condition,growth,side", stream);
    print_names(stream, columns);

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
            print_values(stream, trajectory, point);
        }
}
