/*
 * segment.c - runs from a node, by a case that begins there (restart.h)
 */
#include "orbits/segment.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_linalg.h>

#include "base/memory.h"
#include "events/hybrid.h"
#include "monitors/constraints.h"

/* --- independent components --------------------------------------------------------- */

/* Opens as many components as rows of the matrix are independent: the pivots of a QR
   factorisation with column pivoting. */
static void open_columns(const struct constraints *c, const int *row, int rows,
                         const struct constraint_matrix *matrix, bool *open)
{
    if (rows == 0)
        return;
    size_t m = (size_t)rows, n = (size_t)c->n;
    gsl_matrix *A = gsl_matrix_alloc(m, n);
    gsl_vector *tau = gsl_vector_alloc(m < n ? m : n), *norm = gsl_vector_alloc(n);
    gsl_permutation *order = gsl_permutation_alloc(n);
    int sign;
    for (size_t i = 0; i < m; i++)
        constraints_row(c, matrix, row ? row[i] : (int)i, gsl_matrix_ptr(A, i, 0));
    gsl_linalg_QRPT_decomp(A, tau, order, &sign, norm);
    double first = fabs(gsl_matrix_get(A, 0, 0));
    for (size_t k = 0; k < m && k < n; k++)
        if (fabs(gsl_matrix_get(A, k, k)) > sqrt(DBL_EPSILON) * first)
            open[gsl_permutation_get(order, k)] = true;
    gsl_permutation_free(order);
    gsl_vector_free(norm);
    gsl_vector_free(tau);
    gsl_matrix_free(A);
}

/* Chooses the components that the constraints of the mode determine near x. */
static void choose_open(struct orbit_segment *segment,
                        const struct orbit_request *request, int mode, const double *x)
{
    struct model *branch = model_branch(request->run.model);
    struct constraints c;
    int n = branch->n;
    constraints_init(&c, branch, branch->mode[mode], request->run.value);
    constraints_at(&c, 0, x, x + n, x + 2 * n);
    open_columns(&c, c.row, c.rows, &c.Phi_q, segment->open);
    open_columns(&c, NULL, c.m, &c.Phid_v, segment->open + n);
    constraints_clear(&c);
    model_branch_free(branch);
}

/* --- making ------------------------------------------------------------------------- */

static void list_columns(struct orbit_segment *segment,
                         const struct orbit_request *request)
{
    int n = segment->model->n, first = segment->restart.first + RESTART_STATE;
    for (int i = 0; i < segment->width; i++)
        if (i >= 2 * n || !segment->open[i]) {
            segment->component[segment->count] = i;
            segment->parameter[segment->count++] = first + i;
        }
    segment->parameters = request->run.parameters;
    memory_copy(segment->parameter + segment->count, request->run.parameter,
                segment->parameters, sizeof *segment->parameter);
}

/* Programs of f_s, all of it in one stage. */
static void compile_rates(struct orbit_segment *segment)
{
    const struct model *model = segment->model;
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    if (model->ns == 0)
        return;
    segment->rates = memory_new(model->modes, sizeof *segment->rates);
    segment->w = memory_new(model->modes, sizeof *segment->w);
    for (int k = 0; k < model->modes; k++) {
        segment->rates[k] = program_seal(model->tape, model->mode[k]->f_s, model->ns,
                                         stage);
        segment->w[k] = memory_new(segment->rates[k]->slots, sizeof **segment->w);
        program_init(segment->rates[k], segment->w[k]);
    }
}

static enum status open_runner(struct orbit_segment *segment,
                               const struct orbit_request *request,
                               struct diagnosis *diagnosis)
{
    struct run_request run = request->run;
    run.model = segment->model;
    run.value = segment->value;
    run.parameters = segment->count + segment->parameters;
    run.parameter = segment->parameter;
    run.t_end = NAN;
    run.samples = 1;
    run.beside = false;
    run.progress = NULL;
    segment->runner = runner_new(&run, diagnosis);
    return segment->runner ? OK : diagnosis->status;
}

enum status segment_init(struct orbit_segment *segment,
                         const struct orbit_request *request, int mode, const double *x,
                         struct diagnosis *diagnosis)
{
    const struct model *model = request->run.model;
    int n = model->n;
    *segment = (struct orbit_segment){.width = 2 * n + model->ns};
    segment->open = memory_new(2 * n, sizeof *segment->open);
    choose_open(segment, request, mode, x);
    segment->crossed = memory_new(model->events, sizeof *segment->crossed);
    restart_crossed(model, request->run.value, x, segment->crossed);
    segment->restart = (struct restart){.of = model->desc, .mode = mode,
                                        .q_open = segment->open,
                                        .v_open = segment->open + n,
                                        .crossed = segment->crossed};
    restart_settle(&segment->restart);
    segment->model = model_new_with(&segment->restart.desc, model->reset, diagnosis);
    if (!segment->model)
        return diagnosis->status;
    segment->component = memory_new(segment->width, sizeof *segment->component);
    segment->parameter = memory_new(segment->width + request->run.parameters,
                                    sizeof *segment->parameter);
    segment->rate = memory_new(segment->width, sizeof *segment->rate);
    segment->value = memory_new(segment->model->p, sizeof *segment->value);
    memory_copy(segment->value, request->run.value, model->p, sizeof *segment->value);
    memory_copy(segment->value + segment->restart.first + RESTART_STATE, x,
                segment->width, sizeof *x);
    segment->value[segment->restart.first + RESTART_LENGTH] = 1;
    list_columns(segment, request);
    compile_rates(segment);
    return open_runner(segment, request, diagnosis);
}

void segment_clear(struct orbit_segment *segment)
{
    for (int k = 0; segment->rates && k < segment->model->modes; k++) {
        program_free(segment->rates[k]);
        free(segment->w[k]);
    }
    runner_free(segment->runner);
    trajectory_free(segment->run);
    model_free(segment->model);
    free(segment->rates);
    free(segment->w);
    free(segment->open);
    free(segment->crossed);
    free(segment->component);
    free(segment->parameter);
    free(segment->rate);
    free(segment->value);
    *segment = (struct orbit_segment){.width = 0};
}

/* --- runs --------------------------------------------------------------------------- */

double segment_value(const struct orbit_segment *segment, const struct run_point *point,
                     int i, int j)
{
    return point->x[column(&segment->run->columns, GROUP_Q, 0, j) + i];
}

void segment_rates(const struct orbit_segment *segment, const struct run_point *point,
                   double *rate)
{
    const struct model *model = segment->model;
    const double *x = point->x;
    int n = model->n, k = point->mode->index;
    int a = column(&segment->run->columns, GROUP_A, 0, -1);
    int lambda = column(&segment->run->columns, GROUP_LAMBDA, 0, -1);
    memory_copy(rate, x + column(&segment->run->columns, GROUP_V, 0, -1), n,
                sizeof *rate);
    memory_copy(rate + n, x + a, n, sizeof *rate);
    if (model->ns == 0)
        return;
    const struct program *program = segment->rates[k];
    double *w = segment->w[k];
    program_load(program, BLOCK_RHO, segment->value, w);
    program_load(program, BLOCK_T, &point->t, w);
    program_load(program, BLOCK_Q, x + column(&segment->run->columns, GROUP_Q, 0, -1), w);
    program_load(program, BLOCK_V, x + column(&segment->run->columns, GROUP_V, 0, -1), w);
    program_load(program, BLOCK_S, x + column(&segment->run->columns, GROUP_S, 0, -1), w);
    program_load(program, BLOCK_A, x + a, w);
    if (model->m > 0)
        program_load(program, BLOCK_LAMBDA, x + lambda, w);
    program_run(program, 1, w);
    for (int i = 0; i < model->ns; i++)
        rate[2 * n + i] = w[program->output[i]];
}

/* Guesses of dependent coordinates follow the run. */
static void keep_guess(struct orbit_segment *segment)
{
    double *start = segment->value + segment->restart.first + RESTART_STATE;
    for (int i = 0; i < segment->model->n; i++)
        if (segment->open[i])
            start[i] = segment_value(segment, segment_point(segment, false), i, -1);
}

enum status segment_run(struct orbit_segment *segment, const double *z, double length,
                        struct diagnosis *diagnosis)
{
    double *own = segment->value + segment->restart.first;
    double end = own[RESTART_T0] + length;
    struct hybrid core;
    for (int i = 0; i < segment->count; i++)
        own[RESTART_STATE + segment->component[i]] = z[i];
    own[RESTART_LENGTH] = length;
    trajectory_free(segment->run);
    segment->run = NULL;
    if (!(length > 0))
        return diagnose(diagnosis, NO_ORBIT, NAN, "a segment of the period would have "
                        "the length %.3g", length);
    enum status status = runner_begin(segment->runner, segment->value, &end, &core,
                                      diagnosis);
    core.closed = true;
    if (status == OK)
        status = hybrid_run(&core);
    segment->run = core.out;
    bool ended = status == OK && core.finished;
    runner_end(&core);
    if (ended)
        return diagnose(diagnosis, NO_ORBIT, core.t, "event %s ends the motion before "
                        "a period is over",
                        segment->run->event[segment->run->events - 1].event->name);
    if (status != OK)
        return status;
    segment_rates(segment, segment_point(segment, true), segment->rate);
    keep_guess(segment);
    return OK;
}

void segment_open(const struct orbit_request *request, int mode, const double *x,
                  bool *open)
{
    struct orbit_segment segment = {.open = open};
    choose_open(&segment, request, mode, x);
}
