/*
 * segment.c - a segment from event to event and its derivatives, Dankowicz
 * (13)-(24) (dankowicz.h)
 */
#include "papers/dankowicz/dankowicz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "oracles/oracle.h"
#include "papers/match.h"

/* --- one event alone ---------------------------------------------------------------- */

/* Events that are not watched leave a mode that no motion enters. */
static void record_lone(struct model *model)
{
    const struct lone_case *lone = (const struct lone_case *)model->desc;
    model->desc = lone->of;
    lone->of->record(model);
    model->desc = &lone->desc;
    struct mode *idle = model_mode(model, "not-entered");
    for (int i = 0; i < model->n; i++)
        model->M[i][i] = integer(model->tape, 1);
    for (int k = 0; k < model->events; k++)
        if (k != lone->event)
            model->event[k]->from = idle;
}

/* --- the formulas at its end -------------------------------------------------------- */

/* The block of component c of (q, v, s), and its index there. */
static int state_block(const struct model *model, int c, int *index)
{
    int n = model->n;
    *index = c < 2 * n ? c % n : c - 2 * n;
    return c < n ? BLOCK_Q : c < 2 * n ? BLOCK_V : BLOCK_S;
}

/* Component c of the state jump function g. */
static formula jump_of(const struct model *model, const struct event *event, int c)
{
    int n = model->n;
    formula given = c < n ? event->q_plus[c] : c < 2 * n ? event->v_plus[c - n]
                                                         : event->s_plus[c - 2 * n];
    int index, block = state_block(model, c, &index);
    return given.tape ? given : variable(model->tape, block, index);
}

/* Opens h and g. */
static void open_end(struct index_segment *own)
{
    const struct model *model = own->branch = model_branch(own->segment.model);
    const struct event *event = model->event[own->lone.event];
    formula f[1 + DK_WIDTH];
    f[0] = event->guard;
    for (int c = 0; c < own->segment.width; c++)
        f[1 + c] = jump_of(model, event, c);
    probe_init(&own->probe, model, own->segment.value, f, 1 + own->segment.width);
}

enum status index_segment_init(struct index_segment *own, const struct paper_run *run,
                               int mode, int event, const double *x,
                               struct diagnosis *diagnosis)
{
    *own = (struct index_segment){.lone = {*run->model->desc, run->model->desc, event}};
    own->lone.desc.record = record_lone;
    own->model = model_new(&own->lone.desc, diagnosis);
    if (!own->model)
        return diagnosis->status;
    own->request.run = run->request;
    own->request.run.model = own->model;
    own->request.run.samples = 0;
    own->request.run.without_costs = true;
    enum status status = segment_init(&own->segment, &own->request, mode, x, diagnosis);
    if (status == OK && event >= 0)
        open_end(own);
    return status;
}

void index_segment_clear(struct index_segment *own)
{
    if (own->branch) {
        probe_clear(&own->probe);
        model_branch_free(own->branch);
    }
    if (own->segment.width > 0)
        segment_clear(&own->segment);
    if (own->model)
        model_free(own->model);
    *own = (struct index_segment){.model = NULL};
}

/* --- running ------------------------------------------------------------------------ */

/* Differentiates h and g by number `index` of a block. */
static void differentiate(struct index_segment *own, int block, int index, double *by)
{
    probe_by_one(&own->probe, block, index);
    probe_evaluate(&own->probe, NULL, by);
}

static void evaluate_end(struct index_segment *own, const struct run_point *point,
                         struct terminal *end)
{
    const struct orbit_segment *segment = &own->segment;
    int width = segment->width;
    double value[1 + DK_WIDTH], by[1 + DK_WIDTH];
    probe_at(&own->probe, &segment->run->columns, point);
    probe_evaluate(&own->probe, value, NULL);
    end->h = value[0];
    memory_copy(end->g, value + 1, width, sizeof *value);
    for (int c = 0; c < width; c++) {
        int index, block = state_block(segment->model, c, &index);
        differentiate(own, block, index, by);
        end->h_x[c] = by[0];
        for (int i = 0; i < width; i++)
            end->g_x[i][c] = by[1 + i];
    }
    for (int j = 0; j < segment->parameters; j++) {
        differentiate(own, BLOCK_RHO, segment->parameter[segment->count + j], by);
        end->h_p[j] = by[0];
        for (int i = 0; i < width; i++)
            end->g_p[i][j] = by[1 + i];
    }
}

/* The end of a segment without an event: g is the identity. */
static void take_end(struct index_segment *own, const struct run_point *point,
                     struct terminal *end)
{
    for (int i = 0; i < own->segment.width; i++) {
        end->g[i] = segment_value(&own->segment, point, i, -1);
        end->g_x[i][i] = 1;
    }
}

enum status index_segment_run(struct index_segment *own, const double *x, double length,
                              struct terminal *end, struct diagnosis *diagnosis)
{
    struct orbit_segment *segment = &own->segment;
    enum status status = segment_run(segment, x, length, diagnosis);
    if (status != OK)
        return status;
    if (own->branch && segment->run->events == 0)
        return diagnose(diagnosis, NO_ORBIT, NAN, "the event of the segment does not "
                        "happen within %.3g", length);
    const struct run_point *point = own->branch ? &segment->run->event[0].before
                                                 : segment_point(segment, true);
    *end = (struct terminal){.t = point->t};
    segment_rates(segment, point, end->f);
    for (int i = 0; i < segment->width; i++) {
        for (int c = 0; c < segment->width; c++)
            end->Phi_x[i][c] = segment_value(segment, point, i, c);
        for (int j = 0; j < segment->parameters; j++)
            end->Phi_p[i][j] = segment_value(segment, point, i, segment->count + j);
    }
    if (own->branch)
        evaluate_end(own, point, end);
    else
        take_end(own, point, end);
    return OK;
}

/* --- the formulas ------------------------------------------------------------------- */

static double product(const double *a, const double *b, int count, int stride)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i * stride];
    return sum;
}

/* (20) and (21). */
static void times_by_formulas(const struct terminal *end, int width, int parameters,
                              unsigned variants, struct blocks *blocks)
{
    double rate = product(end->h_x, end->f, width, 1);
    double sign = variants & DK_PRINTED ? -1 : 1;
    for (int c = 0; c < width; c++)
        blocks->t_x[c] = -product(end->h_x, &end->Phi_x[0][c], width, DK_WIDTH) / rate;
    for (int j = 0; j < parameters; j++)
        blocks->t_p[j] = -(product(end->h_x, &end->Phi_p[0][j], width, DK_PARAMETERS) +
                           sign * end->h_p[j]) / rate;
}

/* -g_x (Id - f h_x/(h_x f)), the matrix of (23) and (24). */
static void projection(const struct terminal *end, int width, bool fixed_time,
                       double P[DK_WIDTH][DK_WIDTH])
{
    double rate = product(end->h_x, end->f, width, 1);
    for (int i = 0; i < width; i++)
        for (int c = 0; c < width; c++) {
            P[i][c] = -end->g_x[i][c];
            if (!fixed_time)
                P[i][c] += product(end->g_x[i], end->f, width, 1) * end->h_x[c] / rate;
        }
}

void blocks_by_formulas(const struct index_segment *own, const struct terminal *end,
                        unsigned variants, struct blocks *blocks)
{
    int width = own->segment.width, parameters = own->segment.parameters;
    bool fixed_time = variants & DK_FIXED_TIME;
    double P[DK_WIDTH][DK_WIDTH], sign = variants & DK_PRINTED ? -1 : 1;
    *blocks = (struct blocks){.t_x = {0}};
    memcpy(blocks->Phi_x, end->Phi_x, sizeof blocks->Phi_x);
    memcpy(blocks->Phi_p, end->Phi_p, sizeof blocks->Phi_p);
    if (!fixed_time)
        times_by_formulas(end, width, parameters, variants, blocks);
    projection(end, width, fixed_time, P);
    double rate = product(end->h_x, end->f, width, 1);
    for (int i = 0; i < width; i++) {
        for (int c = 0; c < width; c++)
            blocks->Lambda[i][c] = product(P[i], &end->Phi_x[0][c], width, DK_WIDTH);
        for (int j = 0; j < parameters; j++) {
            blocks->F_p[i][j] = product(P[i], &end->Phi_p[0][j], width, DK_PARAMETERS) -
                                end->g_p[i][j];
            if (!fixed_time)
                blocks->F_p[i][j] += sign * product(end->g_x[i], end->f, width, 1) *
                                     end->h_p[j] / rate;
        }
    }
}

/* --- other routes ------------------------------------------------------------------- */

/* The derivative of component i at a point of a run by column j. */
static double value_of(const struct trajectory *run, const struct run_point *point, int i,
                       int j)
{
    return point->x[column(&run->columns, GROUP_Q, 0, j) + i];
}

void blocks_of_run(struct index_segment *own, const struct trajectory *run,
                   struct blocks *blocks)
{
    struct orbit_segment *segment = &own->segment;
    bool has_event = own->branch && run->events > 0;
    const struct event_record *event = has_event ? &run->event[0] : NULL;
    const struct run_point *before = event ? &event->before
                                           : paper_end(run);
    const struct run_point *after = event ? &event->after : before;
    int width = segment->width, count = segment->count;
    double rate[DK_WIDTH];
    *blocks = (struct blocks){.t_x = {0}};
    segment_rates(segment, after, rate);
    for (int j = 0; j < count + segment->parameters; j++) {
        double tau = event ? event->tau[j] : 0;
        bool by_x = j < count;
        *(by_x ? &blocks->t_x[j] : &blocks->t_p[j - count]) = tau;
        for (int i = 0; i < width; i++) {
            double Phi = value_of(run, before, i, j);
            double F = -(value_of(run, after, i, j) + rate[i] * tau);
            *(by_x ? &blocks->Phi_x[i][j] : &blocks->Phi_p[i][j - count]) = Phi;
            *(by_x ? &blocks->Lambda[i][j] : &blocks->F_p[i][j - count]) = F;
        }
    }
}

/* The node of the last run is in the values of the segment; its length, too, which is the
   end of a segment without an event. */
static struct run_request request_of(const struct index_segment *own, double *sample)
{
    struct run_request run = segment_request(&own->segment, &own->request);
    *sample = segment_point(&own->segment, true)->t;
    run.samples = own->branch ? 0 : 1;
    run.sample = sample;
    return run;
}

enum status blocks_by_complex_step(struct index_segment *own, struct blocks *blocks,
                                   struct diagnosis *diagnosis)
{
    struct trajectory *exact = NULL;
    double sample;
    struct run_request run = request_of(own, &sample);
    enum status status = complex_step_run(&run, &exact, diagnosis);
    if (status == OK)
        blocks_of_run(own, exact, blocks);
    trajectory_free(exact);
    return status;
}

enum status blocks_by_rule(struct index_segment *own, const struct jump_rule *rule,
                           struct blocks *blocks, struct diagnosis *diagnosis)
{
    struct trajectory *run = NULL;
    double sample;
    struct run_request request = request_of(own, &sample);
    request.rule = rule;
    enum status status = run_once(&request, &run, diagnosis);
    if (status == OK)
        blocks_of_run(own, run, blocks);
    trajectory_free(run);
    return status;
}

double digits_of_columns(const double *got, const double *want, int rows, int columns,
                         int stride)
{
    double least = 16;
    for (int j = 0; j < columns; j++) {
        struct match match = {0};
        for (int i = 0; i < rows; i++)
            match_add(&match, &got[i * stride + j], &want[i * stride + j], 1);
        least = fmin(least, match_digits(&match));
    }
    return least;
}
