/*
 * result.c - what a run leaves behind.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/diff.h"
#include "formula/fault.h"
#include "formula/memory.h"
#include "hybrid/hybrid.h"

struct trajectory *result_new(const struct hybrid *core)
{
    const struct run_request *request = core->request;
    struct trajectory *out = memory_new(1, sizeof *out);
    out->parameter = memory_new(request->parameters, sizeof *out->parameter);
    memory_copy(out->parameter, request->parameter, request->parameters,
                sizeof *out->parameter);
    out->value = memory_new(request->model->p, sizeof *out->value);
    memcpy(out->value, core->system->rho, (size_t)request->model->p * sizeof *out->value);
    if (request->without_costs) {   /* the runner's model ends with it */
        out->model = memory_new(1, sizeof *out->model);
        *out->model = *request->model;
    }
    columns_init(&out->columns, out->model ? out->model : request->model,
                 request->parameters, out->parameter);
    out->psi = memory_new(request->model->nz * (1 + request->parameters), sizeof(double));
    return out;
}

static void clear_record(struct event_record *record)
{
    free(record->before.x);
    free(record->after.x);
    free(record->tau);
    free(record->impulse);
}

void trajectory_free(struct trajectory *trajectory)
{
    if (!trajectory)
        return;
    for (int k = 0; k < trajectory->samples; k++)
        free(trajectory->sample[k].x);
    for (int k = 0; k < trajectory->events; k++)
        clear_record(&trajectory->event[k]);
    for (int k = 0; k < trajectory->togethers; k++) {
        together_clear(&trajectory->together[k]);
        free(trajectory->together[k].order);
    }
    free(trajectory->model);
    free(trajectory->together);
    free(trajectory->sample);
    free(trajectory->event);
    free(trajectory->psi);
    free(trajectory->parameter);
    free(trajectory->value);
    free(trajectory);
}

/* The unknowns of a DAE at the end of a step are its own: they have the order of the
   method in that index. Elsewhere (start, after an event) they are those of the reduced
   equations, as solved before this is called. j = -1: values, else derivatives. */
static void observe(const struct hybrid *core, int j, double *a, double *lambda)
{
    if (core->request->formulation->kind == DAE && core->stepped)
        stage_equations_observe(core->system,
                                core->integrator->unknowns(core->method, j + 1), a,
                                lambda);
}

enum status point_fill(struct hybrid *core, double t, const double *x,
                       struct run_point *point)
{
    struct system *system = core->system;
    struct mode_system *ms = system->now;
    const struct columns *columns = &core->out->columns;
    int n = core->model->n, ns = core->model->ns, m = core->model->m;
    enum status status = system_solve(system, ms, t, x, x + n, x + 2 * n, system->a,
                                      system->lambda);
    if (status != OK)
        return status;
    point->mode = ms->mode;
    point->t = t;
    for (int j = -1; j < columns->p; j++) {
        const double *X = x + (j + 1) * system->state;
        double *a = j < 0 ? system->a : system->a_dot;
        double *lambda = j < 0 ? system->lambda : system->lambda_dot;
        if (j >= 0) {
            const struct state_direction direction = {
                .q = X, .v = X + n, .s = X + 2 * n, .parameter = system->parameter[j]};
            system_tangent(system, ms, &direction, a, lambda, NULL, NULL);
        }
        observe(core, j, a, lambda);
        double *row = point->x + (j + 1) * columns->width;
        memcpy(row + columns->begin[GROUP_Q], X, (size_t)n * sizeof *row);
        memcpy(row + columns->begin[GROUP_V], X + n, (size_t)n * sizeof *row);
        memcpy(row + columns->begin[GROUP_S], X + 2 * n, (size_t)ns * sizeof *row);
        memcpy(row + columns->begin[GROUP_A], a, (size_t)n * sizeof *row);
        memcpy(row + columns->begin[GROUP_Z], X + 2 * n + ns,
               (size_t)core->model->nz * sizeof *row);
        for (int i = 0; i < m; i++)
            row[columns->begin[GROUP_LAMBDA] + i] = i < ms->mode->m ? lambda[i] : NAN;
    }
    return OK;
}

static enum status append_sample(struct hybrid *core, double t, const double *x)
{
    struct trajectory *out = core->out;
    struct run_point *point = &out->sample[out->samples];
    point->x = memory_new(out->columns.count, sizeof *point->x);
    enum status status = point_fill(core, t, x, point);
    if (status == OK)
        out->samples++;
    else
        free(point->x);
    return status;
}

enum status result_sample(struct hybrid *core)
{
    return append_sample(core, core->t, core->x);
}

enum status result_sample_on_step(struct hybrid *core, double t)
{
    double theta = (t - core->passed) / (core->t - core->passed);
    enum status status = core->integrator->prepare(core->method, &core->ode);
    if (status != OK)
        return status;
    core->integrator->dense(core->method, theta, 0, core->ode.dim, core->trial);
    status = system_project(core->system, t, core->trial);
    return status == OK ? append_sample(core, t, core->trial) : status;
}

void result_sample_before(struct hybrid *core)
{
    struct trajectory *out = core->out;
    int first = out->events - 1;
    while (first > 0 && out->event[first - 1].after.t == out->event[first].before.t)
        first--;
    struct run_point *point = &out->sample[out->samples++];
    *point = out->event[first].before;
    point->x = memory_new(out->columns.count, sizeof *point->x);
    memcpy(point->x, out->event[first].before.x,
           (size_t)out->columns.count * sizeof *point->x);
}

struct event_record *result_event(struct hybrid *core, const struct event *event)
{
    struct trajectory *out = core->out;
    out->event = memory_grow(out->event, &out->event_room, out->events + 1,
                             sizeof *out->event);
    struct event_record *record = &out->event[out->events++];
    *record = (struct event_record){.event = event};
    record->tau = memory_new(out->columns.p, sizeof *record->tau);
    record->impulse = memory_new(event->impulses, sizeof *record->impulse);
    record->before.x = memory_new(out->columns.count, sizeof(double));
    record->after.x = memory_new(out->columns.count, sizeof(double));
    return record;
}

void result_drop_event(struct hybrid *core)
{
    clear_record(&core->out->event[--core->out->events]);
}

struct together *result_together(struct hybrid *core)
{
    struct trajectory *out = core->out;
    out->together = memory_grow(out->together, &out->together_room, out->togethers + 1,
                                sizeof *out->together);
    struct together *together = &out->together[out->togethers++];
    *together = (struct together){.t = core->t};
    return together;
}

/* --- costs at the end --------------------------------------------------------------- */

/* The terminal costs w(t,q,v,s,rho) [nz] and their derivatives [nz], loaded at the end. */
struct ending {
    struct program *program;
    double *rows;
    double *f_s, *g;            /* s' and z' at the end */
    double *dq, *dv, *ds;       /* a direction along the moving end */
};

enum { END_RHO = 1, END_STATE, END_DIRECTION };

static void load_state(const struct hybrid *core, struct ending *end)
{
    int n = core->model->n;
    program_init(end->program, end->rows);
    program_load(end->program, BLOCK_RHO, core->system->rho, end->rows);
    program_run(end->program, END_RHO, end->rows);
    program_load(end->program, BLOCK_T, &core->t, end->rows);
    program_load(end->program, BLOCK_Q, core->x, end->rows);
    program_load(end->program, BLOCK_V, core->x + n, end->rows);
    program_load(end->program, BLOCK_S, core->x + 2 * n, end->rows);
    program_run(end->program, END_STATE, end->rows);
}

static void ending_init(const struct hybrid *core, struct ending *end)
{
    static const unsigned char stage[BLOCK_LIMIT] = {
        [BLOCK_RHO] = END_RHO, [BLOCK_T] = END_STATE, [BLOCK_Q] = END_STATE,
        [BLOCK_V] = END_STATE, [BLOCK_S] = END_STATE,
        [TANGENT(BLOCK_RHO)] = END_DIRECTION, [TANGENT(BLOCK_T)] = END_DIRECTION,
        [TANGENT(BLOCK_Q)] = END_DIRECTION, [TANGENT(BLOCK_V)] = END_DIRECTION,
        [TANGENT(BLOCK_S)] = END_DIRECTION};
    static const bool moves[BLOCKS] = {
        [BLOCK_RHO] = true, [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true,
        [BLOCK_S] = true};
    const struct model *model = core->model;
    int n = model->n, ns = model->ns, nz = model->nz;
    formula *f = memory_new(2 * nz, sizeof *f);
    memory_copy(f, model->w, nz, sizeof *f);
    tangent(model->tape, f, nz, moves, 1, f + nz);
    end->program = program_seal_derivatives(model->tape, f, 2 * nz, nz, stage, "end", "");
    free(f);
    end->rows = memory_new(end->program->slots, sizeof *end->rows);
    end->f_s = memory_new(2 * n + 2 * ns + nz, sizeof *end->f_s);
    end->g = end->f_s + ns;
    end->dq = end->g + nz;
    end->dv = end->dq + n;
    end->ds = end->dv + n;
    load_state(core, end);
}

static void ending_clear(struct ending *end)
{
    program_free(end->program);
    free(end->rows);
    free(end->f_s);
}

/* psi_rho = Z + w' along the moving end + g dt_F/drho. The end
   moves when the model says so or a terminal event ends the run. */
static void cost_gradient(struct hybrid *core, struct ending *end, int j)
{
    const struct model *model = core->model;
    struct system *system = core->system;
    int n = model->n, ns = model->ns, nz = model->nz;
    const double *X = core->x + (j + 1) * system->state;
    double dt = core->finished ? core->out->event[core->out->events - 1].tau[j]
                               : core->span.dt_end[j];
    for (int i = 0; i < n; i++) {
        end->dq[i] = X[i] + core->x[n + i] * dt;
        end->dv[i] = X[n + i] + system->a[i] * dt;
    }
    for (int i = 0; i < ns; i++)
        end->ds[i] = X[2 * n + i] + end->f_s[i] * dt;
    system->direction_rho[system->parameter[j]] = 1;
    program_load(end->program, TANGENT(BLOCK_RHO), system->direction_rho, end->rows);
    system->direction_rho[system->parameter[j]] = 0;
    program_load(end->program, TANGENT(BLOCK_T), &dt, end->rows);
    program_load(end->program, TANGENT(BLOCK_Q), end->dq, end->rows);
    program_load(end->program, TANGENT(BLOCK_V), end->dv, end->rows);
    program_load(end->program, TANGENT(BLOCK_S), end->ds, end->rows);
    program_run(end->program, END_DIRECTION, end->rows);
    for (int k = 0; k < nz; k++)
        core->out->psi[(j + 1) * nz + k] = X[2 * n + ns + k] + end->g[k] * dt +
                                           end->rows[end->program->output[nz + k]];
}

enum status result_costs(struct hybrid *core)
{
    const struct model *model = core->model;
    struct system *system = core->system;
    int n = model->n, z = 2 * n + model->ns;
    if (model->nz == 0)
        return OK;
    enum status status = system_solve(system, system->now, core->t, core->x, core->x + n,
                                      core->x + 2 * n, system->a, system->lambda);
    if (status != OK)
        return status;
    struct ending end;
    ending_init(core, &end);
    system_rates(system->now, end.f_s, end.g);
    for (int k = 0; k < model->nz; k++)
        core->out->psi[k] = core->x[z + k] + end.rows[end.program->output[k]];
    for (int j = 0; j < system->p; j++)
        cost_gradient(core, &end, j);
    ending_clear(&end);
    return OK;
}
