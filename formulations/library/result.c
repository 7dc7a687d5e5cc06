/*
 * result.c - results of the library (saltus.h)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "library/library.h"

struct saltus_result *library_result(struct trajectory *trajectory, bool complete)
{
    if (!trajectory)
        return NULL;
    struct saltus_result *result = memory_new(1, sizeof *result);
    const struct columns *columns = &trajectory->columns;
    result->trajectory = trajectory;
    result->complete = complete;
    result->column = memory_new(columns->count, sizeof *result->column);
    for (int c = 0; c < columns->count; c++) {
        char name[200];
        column_name(columns, c, name, sizeof name);
        result->column[c] = memory_text(name, strlen(name));
    }
    int nz = columns->model->nz, p = columns->p;
    result->slope = memory_new(nz*p, sizeof *result->slope);
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < p; j++)
            result->slope[k*p + j] = complete ? trajectory->psi[(j + 1)*nz + k] : NAN;
    return result;
}

void saltus_result_free(struct saltus_result *result)
{
    if (!result)
        return;
    for (int c = 0; c < result->trajectory->columns.count; c++)
        free(result->column[c]);
    free(result->column);
    free(result->slope);
    trajectory_free(result->trajectory);
    free(result);
}

/* --- columns ------------------------------------------------------------------------ */

int saltus_columns(const struct saltus_result *result)
{
    return result->trajectory->columns.count;
}

const char *saltus_column_name(const struct saltus_result *result, int column)
{
    return column < 0 || column >= saltus_columns(result) ? NULL : result->column[column];
}

int saltus_column_index(const struct saltus_result *result, const char *name)
{
    for (int c = 0; c < saltus_columns(result); c++)
        if (strcmp(result->column[c], name) == 0)
            return c;
    return -1;
}

/* --- samples ------------------------------------------------------------------------ */

int saltus_samples(const struct saltus_result *result)
{
    return result->trajectory->samples;
}

/* NULL: there is no such sample. */
static const struct run_point *sample_of(const struct saltus_result *result, int sample)
{
    return sample < 0 || sample >= result->trajectory->samples
               ? NULL : &result->trajectory->sample[sample];
}

double saltus_time(const struct saltus_result *result, int sample)
{
    const struct run_point *point = sample_of(result, sample);
    return point ? point->t : NAN;
}

int saltus_mode(const struct saltus_result *result, int sample)
{
    const struct run_point *point = sample_of(result, sample);
    return point ? point->mode->index : -1;
}

const double *saltus_row(const struct saltus_result *result, int sample)
{
    const struct run_point *point = sample_of(result, sample);
    return point ? point->x : NULL;
}

/* --- events ------------------------------------------------------------------------- */

int saltus_events(const struct saltus_result *result)
{
    return result->trajectory->events;
}

/* NULL: there is no such event. */
static const struct event_record *event_of(const struct saltus_result *result, int k)
{
    return k < 0 || k >= result->trajectory->events ? NULL
                                                    : &result->trajectory->event[k];
}

int saltus_event(const struct saltus_result *result, int k)
{
    const struct event_record *event = event_of(result, k);
    return event ? event->event->index : -1;
}

double saltus_event_time(const struct saltus_result *result, int k)
{
    const struct event_record *event = event_of(result, k);
    return event ? event->before.t : NAN;
}

const double *saltus_event_slope(const struct saltus_result *result, int k)
{
    const struct event_record *event = event_of(result, k);
    return event ? event->tau : NULL;
}

const double *saltus_event_before(const struct saltus_result *result, int k)
{
    const struct event_record *event = event_of(result, k);
    return event ? event->before.x : NULL;
}

const double *saltus_event_after(const struct saltus_result *result, int k)
{
    const struct event_record *event = event_of(result, k);
    return event ? event->after.x : NULL;
}

/* --- parameters, costs, work -------------------------------------------------------- */

int saltus_parameters(const struct saltus_result *result)
{
    return result->trajectory->columns.p;
}

int saltus_parameter(const struct saltus_result *result, int k)
{
    return k < 0 || k >= saltus_parameters(result) ? -1
                                                   : result->trajectory->parameter[k];
}

double saltus_cost(const struct saltus_result *result, int cost)
{
    const struct trajectory *trajectory = result->trajectory;
    int nz = trajectory->columns.model->nz;
    return cost < 0 || cost >= nz || !result->complete ? NAN : trajectory->psi[cost];
}

const double *saltus_cost_slope(const struct saltus_result *result, int cost)
{
    const struct trajectory *trajectory = result->trajectory;
    int nz = trajectory->columns.model->nz;
    return cost < 0 || cost >= nz ? NULL : result->slope + cost*trajectory->columns.p;
}

void saltus_statistics(const struct saltus_result *result,
                       struct saltus_statistics *statistics)
{
    const struct trajectory *trajectory = result->trajectory;
    *statistics = (struct saltus_statistics){
        .steps = trajectory->steps, .refused = trajectory->rejections,
        .evaluations = trajectory->evaluations, .worst_Phi = trajectory->worst_Phi,
        .worst_Phid = trajectory->worst_Phid, .digits = trajectory->growth.digits};
}
