/*
 * samples.c - sample times on a binary grid, off the events (samples.h)
 */
#include "motion/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "motion/run_exact.h"
#include "program/program.h"

/* How near an event a sample may come, as a part of the interval. */
static const double near = 1e-4;

static struct trajectory *nominal_motion(const struct model *model, double t_end)
{
    const struct run_request request = {
        .model = model, .rtol = 1e-9, .atol = 1e-12, .t_end = NAN, .samples = 1,
        .sample = &t_end,
    };
    struct trajectory *trajectory = NULL;
    run_exact(&request, &trajectory, NULL);
    return trajectory;
}

static bool near_event(const struct trajectory *trajectory, double t, double margin)
{
    for (int k = 0; trajectory && k < trajectory->events; k++)
        if (fabs(trajectory->event[k].before.t - t) < margin)
            return true;
    return false;
}

static double last_time(const struct trajectory *trajectory, double t_end)
{
    for (int k = 0; trajectory && k < trajectory->events; k++)
        if (trajectory->event[k].event->terminal)
            return trajectory->event[k].before.t;
    return t_end;
}

/* Does the end move with a parameter that is differentiated? */
static bool end_moves(const struct model *model)
{
    unsigned char stage[BLOCK_LIMIT] = {[BLOCK_RHO] = 1};
    struct program *program = program_seal(model->tape, &model->t_end, 1, stage);
    bool moves = false;
    for (int i = 0; i < program->inputs; i++)
        moves = moves || !model->parameter[program->input[i].index].fixed;
    program_free(program);
    return moves;
}

/* The grid is about a thousandth of the interval for 8 times, finer for more. */
static double grid_of(double length, int count)
{
    int finer = count > SAMPLES ? (int)ceil(log2((double)count / SAMPLES)) : 0;
    return ldexp(1.0, (int)floor(log2(length)) - 10 - finer);
}

enum status nominal_times(const struct model *model, double *t0, double *t_end,
                          struct diagnosis *diagnosis)
{
    double *value = memory_new(model->p, sizeof *value);
    enum status status = model_nominal_values(model, value, diagnosis);
    if (status == OK)
        status = model_times(model, value, t0, t_end, diagnosis);
    free(value);
    return status;
}

void even_times(double t0, double t_end, int count, double *t)
{
    for (int k = 1; k <= count; k++)
        t[k - 1] = k < count ? t0 + (t_end - t0) * k / count : t_end;
}

enum status spread_times(const struct model *model, int count, double *start, double *t,
                         struct diagnosis *diagnosis)
{
    double t0, t_end;
    enum status status = nominal_times(model, &t0, &t_end, diagnosis);
    if (status != OK)
        return status;
    if (!(t_end > t0))
        return diagnose(diagnosis, BAD_INPUT, NAN,
                        "the end, t = %.17g, is not after the start, t = %.17g; change "
                        "the end or the parameters in it", t_end, t0);

    /* sample times are those of the exact motion, whatever the reset policy */
    struct model *other = model->reset == RESET_IMPULSIVE ? NULL
                                                          : model_new(model->desc, NULL);
    struct trajectory *trajectory = nominal_motion(other ? other : model, t_end);
    double length = last_time(trajectory, t_end) - t0, grid = grid_of(length, count);
    double last = end_moves(model) ? t_end - near * length : t_end;
    for (int k = 0; k < count; k++) {
        t[k] = floor((t0 + length * (k + 1) / count) / grid) * grid;
        while (t[k] > last || near_event(trajectory, t[k], near * length))
            t[k] -= grid;
    }
    *start = t0;
    if (trajectory)
        trajectory_free(trajectory);
    model_free(other);
    return OK;
}

void samples_at(const struct model *model, const double *t, struct samples *samples)
{
    samples->count = SAMPLES;
    samples->reference_count = 0;
    if (is_zero(model->t0))
        samples->reference[samples->reference_count++] = "0";
    for (int k = 0; k < SAMPLES; k++) {
        samples->t[k] = t[k];
        snprintf(samples->text[k], sizeof samples->text[k], "%.40g", t[k]);
        samples->reference[samples->reference_count++] = samples->text[k];
    }
}

enum status choose_samples(const struct model *model, struct samples *samples,
                           struct diagnosis *diagnosis)
{
    double t0, t[SAMPLES];
    enum status status = spread_times(model, SAMPLES, &t0, t, diagnosis);
    if (status == OK)
        samples_at(model, t, samples);
    return status;
}
