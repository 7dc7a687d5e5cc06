/*
 * complex_model.c - programs of modes, events and start, values only (complex_model.h).
 */
#include "oracles/complex_model.h"

#include <stdlib.h>

#include "base/memory.h"
#include "equations/derive.h"
#include "linear/linear.h"

/* --- construction ------------------------------------------------------------------- */

/* Multipliers of least norm where constraints are dependent, or none? */
static bool takes_least_norm(const struct formulation *formulation,
                             const char *const *option)
{
    return formulation->linear &&
           formulation->linear(option, NULL) == &linear_minimum_norm;
}

/* The formulation builds its residual from a copy of the mode, in which everything that
   follows from Phi is derived anew (derive.h): a wrong derivative row of the model is
   seen. */
static enum status motion_init(struct complex_saddle *motion,
                               const struct run_request *request,
                               const struct mode *source, struct diagnosis *diagnosis)
{
    struct mode own = *source;
    struct derived_mode derived;
    const struct formulation *formulation = request->formulation;
    const char *const *option = request->option;
    if (formulation->kind == DAE) {
        formulation = formulation->reduced;
        option = NULL;
    }
    const char *filled[MOST_OPTIONS];
    option = options_filled(formulation, option, filled);
    derive_mode(request->model, source, &derived);
    own.Phid = derived.Phid;
    own.Phidd = derived.Phidd;
    own.Phi_q = derived.Phi_q;
    own.lambda_force = derived.lambda_force;
    struct residual *residual = formulation->residual(request->model, &own, option,
                                                      diagnosis);
    derived_mode_clear(&derived);
    if (!residual)
        return diagnosis && diagnosis->status != OK ? diagnosis->status : BAD_INPUT;
    complex_saddle_init(motion, request->model, residual, source->m,
                        takes_least_norm(formulation, option));
    residual_free(residual);
    return OK;
}

static void guards_init(struct complex_mode *mode, const struct model *model,
                        const struct mode *source)
{
    mode->event = memory_new(model->events, sizeof *mode->event);
    formula *guard = memory_new(model->events, sizeof *guard);
    for (int k = 0; k < model->events; k++) {
        if (model->event[k]->from != source)
            continue;
        guard[mode->events] = model->event[k]->guard;
        mode->event[mode->events++] = model->event[k];
    }
    complex_outputs_init(&mode->guards, model->tape, guard, mode->events);
    free(guard);
    const struct program *program = mode->guards.program;
    mode->guards_use_motion = program && (program_uses(program, BLOCK_A)
                                          || program_uses(program, BLOCK_LAMBDA));
}

static void sharp_init(struct complex_mode *complex_mode, const struct model *model,
                       const struct mode *mode)
{
    int n = model->n, count = 0;
    formula *f = memory_new(n * n + n + mode->m + model->ns + model->nz, sizeof *f);
    for (int i = 0; i < n * n; i++)
        f[count++] = mode->M[i / n][i % n];
    for (int i = 0; i < n; i++)
        f[count++] = mode->F[i];
    for (int i = 0; i < mode->m; i++)
        f[count++] = mode->Phi[i];
    for (int i = 0; i < model->ns; i++)
        f[count++] = mode->f_s[i];
    for (int i = 0; i < model->nz; i++)
        f[count++] = mode->g[i];
    sharp_terms_init(&complex_mode->sharp, &complex_mode->arena, model, f, count);
    free(f);
}

static enum status mode_init(struct complex_mode *mode, const struct run_request *request,
                             const struct mode *source, struct diagnosis *diagnosis)
{
    const struct model *model = request->model;
    enum status status = motion_init(&mode->motion, request, source, diagnosis);
    if (status != OK)
        return status;
    formula *rates = memory_new(model->ns + model->nz, sizeof *rates);
    for (int i = 0; i < model->ns; i++)
        rates[i] = source->f_s[i];
    for (int i = 0; i < model->nz; i++)
        rates[model->ns + i] = source->g[i];
    complex_outputs_init(&mode->rates, model->tape, rates, model->ns + model->nz);
    free(rates);

    guards_init(mode, model, source);
    complex_edges_init(&mode->edges, model->tape, source->edges);
    sharp_init(mode, model, source);
    return OK;
}

/* Orders the unknowns: J has a row for each component of w = (q+, v+, s+, impulse), with
   those of s+ last. Here v+, on which impulses act, comes first, and the impulses come
   last. */
static void impulse_init(struct complex_saddle *impulse, const struct model *model,
                         const struct event *source, const formula *J)
{
    int n = model->n, ns = model->ns, k = source->impulses, row = 0;
    const struct { int block, from, count; } part[] = {
        {BLOCK_V_PLUS, n, n}, {BLOCK_Q_PLUS, 0, n}, {BLOCK_S_PLUS, 2 * n + k, ns},
        {BLOCK_IMPULSE, 2 * n, k}};
    struct residual *residual = residual_new(ALGEBRAIC, source->rows);
    for (size_t p = 0; p < sizeof part / sizeof *part; p++)
        for (int i = 0; i < part[p].count; i++, row++) {
            residual->R[row] = J[part[p].from + i];
            residual->unknown[row] = (struct unknown){part[p].block, i};
        }
    complex_saddle_init(impulse, model, residual, k, true);
    residual_free(residual);
}

static void event_init(struct complex_event *event, const struct model *model,
                       const struct event *source)
{
    int count[3] = {model->n, model->n, model->ns};
    int block[3] = {BLOCK_Q_PLUS, BLOCK_V_PLUS, BLOCK_S_PLUS};
    complex_outputs_init(&event->cost, model->tape, source->cost,
                         source->cost ? model->nz : 0);
    formula *J = memory_new(source->rows, sizeof *J);
    derive_reset(model, source, J);
    complex_edges_init(&event->edges, model->tape, source->edges);
    complex_edges_init(&event->condition_edges, model->tape, source->condition_edges);
    complex_outputs_init(&event->conditions, model->tape, source->condition,
                         source->conditions);
    event->impulsive = source->impulses > 0;
    if (event->impulsive) {
        impulse_init(&event->impulse, model, source, J);
        free(J);
        return;
    }
    struct unknown *w = memory_new(source->w, sizeof *w);
    int unknowns = 0;
    for (int part = 0; part < 3; part++)
        for (int i = 0; i < count[part]; i++)
            w[unknowns++] = (struct unknown){block[part], i};
    complex_equations_init(&event->reset, model, J, source->rows, w, unknowns);
    free(w);
    free(J);
}

/* Writes the components of a block that the case did not give to `unknown`; returns how
   many. */
static int not_given(const formula *given, int count, int block, struct unknown *unknown)
{
    int unknowns = 0;
    for (int i = 0; i < count; i++)
        if (!given[i].tape)
            unknown[unknowns++] = (struct unknown){block, i};
    return unknowns;
}

/* Equations for what the case did not give: R has the rows of Phi at position level, of
   which there are `positions`, then Phid, then Gamma. Without rows of the case the
   coordinates come first, then the velocities; and without constraints there is nothing
   to solve for: values that were not given are zero. */
static void start_equations(struct complex_model *cm, const formula *R, int positions)
{
    const struct model *model = cm->model;
    int n = model->n, m = model->start->m, rows = positions + m + model->start_rows;
    struct unknown *unknown = memory_new(2 * n + model->ns, sizeof *unknown);
    if (model->start_rows > 0) {
        int unknowns = not_given(model->q0, n, BLOCK_Q, unknown);
        unknowns += not_given(model->v0, n, BLOCK_V, unknown + unknowns);
        unknowns += not_given(model->s0, model->ns, BLOCK_S, unknown + unknowns);
        complex_equations_init(&cm->joint, model, R, rows, unknown, unknowns);
    } else {
        int unknowns = positions > 0 ? not_given(model->q0, n, BLOCK_Q, unknown) : 0;
        complex_equations_init(&cm->position, model, R, positions, unknown, unknowns);
        unknowns = m > 0 ? not_given(model->v0, n, BLOCK_V, unknown) : 0;
        complex_equations_init(&cm->velocity, model, R + positions, m, unknown, unknowns);
    }
    free(unknown);
}

static void given_init(struct complex_model *cm)
{
    const struct model *model = cm->model;
    int n = model->n, ns = model->ns, width = 2 * n + ns;
    const formula *const part[] = {model->q0, model->v0, model->s0, model->q_guess,
                                   model->v_guess, model->s_guess};
    const int first[] = {0, n, 2 * n, width, width + n, width + 2 * n};
    const int count[] = {n, n, ns, n, n, ns};
    formula *given = memory_new(2 * width, sizeof *given);
    for (int k = 0; k < 6; k++)
        memory_copy(given + first[k], part[k], count[k], sizeof *given);
    complex_outputs_init(&cm->given, model->tape, given, 2 * width);
    free(given);
}

static void start_init(struct complex_model *cm)
{
    const struct model *model = cm->model;
    formula times[2] = {model->t0, model->t_end};
    complex_outputs_init(&cm->times, model->tape, times, 2);
    complex_outputs_init(&cm->stops, model->tape, model->stop, model->stops);
    given_init(cm);

    const struct mode *start = model->start;
    formula *R = memory_new(2 * start->m + model->start_rows, sizeof *R);
    int rows = 0;
    for (int i = 0; i < start->m; i++)
        if (!start->velocity_level[i])
            R[rows++] = start->Phi[i];
    struct derived_mode derived;
    derive_mode(model, start, &derived);
    memory_copy(R + rows, derived.Phid, start->m, sizeof *R);
    memory_copy(R + rows + start->m, model->Gamma, model->start_rows, sizeof *R);
    start_equations(cm, R, rows);
    derived_mode_clear(&derived);
    free(R);
    complex_edges_init(&cm->start_edges, model->tape, model->start_edges);
    complex_outputs_init(&cm->terminal, model->tape, model->w, model->nz);
    complex_edges_init(&cm->end_edges, model->tape, model->end_edges);
    complex_edges_init(&cm->steady_edges, model->tape, model->steady_edges);
}

/* Results refer to the model of the request. */
static void hand_out(struct complex_model *cm, const struct model *model)
{
    cm->model = model;
    for (int k = 0; k < model->modes; k++)
        for (int i = 0; i < cm->mode[k].events; i++)
            cm->mode[k].event[i] = model->event[cm->mode[k].event[i]->index];
}

enum status complex_model_new(const struct run_request *request,
                              struct complex_model **out, struct diagnosis *diagnosis)
{
    struct model *model = model_branch(request->model);
    struct run_request own = *request;
    *out = NULL;
    own.model = model;
    struct complex_model *cm = memory_new(1, sizeof *cm);
    cm->model = cm->branch = model;
    cm->mode = memory_new(model->modes, sizeof *cm->mode);
    cm->event = memory_new(model->events, sizeof *cm->event);
    for (int k = 0; k < model->modes; k++) {
        enum status status = mode_init(&cm->mode[k], &own, model->mode[k], diagnosis);
        if (status != OK) {
            complex_model_free(cm);
            return status;
        }
    }
    for (int k = 0; k < model->events; k++)
        event_init(&cm->event[k], model, model->event[k]);
    start_init(cm);
    cm->group = memory_new(2 * model->n + model->ns + model->nz + 1, sizeof *cm->group);
    cm->subsystems = model_groups(model, cm->group);
    hand_out(cm, request->model);
    *out = cm;
    return OK;
}

void complex_model_free(struct complex_model *cm)
{
    if (!cm)
        return;
    for (int k = 0; k < cm->model->modes; k++) {
        complex_saddle_clear(&cm->mode[k].motion);
        complex_outputs_clear(&cm->mode[k].rates);
        complex_outputs_clear(&cm->mode[k].guards);
        complex_edges_clear(&cm->mode[k].edges);
        sharp_terms_clear(&cm->mode[k].sharp);
        arena_free(&cm->mode[k].arena);
        free(cm->mode[k].event);
    }
    for (int k = 0; k < cm->model->events; k++) {
        complex_saddle_clear(&cm->event[k].impulse);
        complex_equations_clear(&cm->event[k].reset);
        complex_outputs_clear(&cm->event[k].cost);
        complex_edges_clear(&cm->event[k].edges);
        complex_edges_clear(&cm->event[k].condition_edges);
        complex_outputs_clear(&cm->event[k].conditions);
    }
    complex_outputs_clear(&cm->times);
    complex_outputs_clear(&cm->stops);
    complex_outputs_clear(&cm->given);
    complex_outputs_clear(&cm->terminal);
    complex_edges_clear(&cm->start_edges);
    complex_edges_clear(&cm->end_edges);
    complex_edges_clear(&cm->steady_edges);
    complex_equations_clear(&cm->position);
    complex_equations_clear(&cm->velocity);
    complex_equations_clear(&cm->joint);
    free(cm->group);
    free(cm->mode);
    free(cm->event);
    model_branch_free(cm->branch);
    free(cm);
}

void complex_model_rho(struct complex_model *cm, const struct complex_values *values)
{
    double *rho = memory_new(cm->model->p, sizeof *rho);
    for (int j = 0; j < cm->model->p; j++)
        rho[j] = creal(values->x[BLOCK_RHO][j]);
    for (int k = 0; k < cm->model->modes; k++) {
        sharp_terms_set(&cm->mode[k].sharp, rho);
        complex_equations_rho(&cm->mode[k].motion.equations, values);
        complex_outputs_rho(&cm->mode[k].rates, values);
        complex_outputs_rho(&cm->mode[k].guards, values);
    }
    for (int k = 0; k < cm->model->events; k++) {
        if (cm->event[k].impulsive)
            complex_equations_rho(&cm->event[k].impulse.equations, values);
        else
            complex_equations_rho(&cm->event[k].reset, values);
        complex_outputs_rho(&cm->event[k].cost, values);
        complex_outputs_rho(&cm->event[k].conditions, values);
    }
    complex_outputs_rho(&cm->times, values);
    complex_outputs_rho(&cm->stops, values);
    complex_outputs_rho(&cm->given, values);
    complex_outputs_rho(&cm->terminal, values);
    complex_equations_rho(&cm->position, values);
    complex_equations_rho(&cm->velocity, values);
    complex_equations_rho(&cm->joint, values);
    free(rho);
}

/* --- evaluation --------------------------------------------------------------------- */

static enum status refuse_start(const struct complex_equations *equations,
                                enum status status, double t, const char *what,
                                struct diagnosis *diagnosis)
{
    if (status == SINGULAR)
        status = RANK_LOSS;
    if (status == NO_CONVERGENCE || status == NOT_FINITE)
        status = UNREACHABLE;
    if (equations->unknowns == 0)       /* everything is given, and contradicts */
        status = INCONSISTENT;
    return diagnose(diagnosis, status, t, "complex step: start, %s", what);
}

void complex_model_given(struct complex_model *cm, struct complex_values *values,
                         double complex *t_end)
{
    const struct model *model = cm->model;
    int n = model->n;
    double complex times[2];
    complex_outputs_eval(&cm->times, values, times);
    values->x[BLOCK_T][0] = times[0];
    *t_end = times[1];

    int width = 2 * n + model->ns;
    double complex *given = memory_new(2 * width, sizeof *given);
    complex_outputs_eval(&cm->given, values, given);
    bool joint = model->start_rows > 0;
    for (int i = 0; i < n; i++) {
        values->x[BLOCK_Q][i] = given[model->q0[i].tape ? i : width + i];
        values->x[BLOCK_V][i] = given[model->v0[i].tape || !joint ? n + i
                                                                  : width + n + i];
    }
    for (int i = 0; i < model->ns; i++)
        values->x[BLOCK_S][i] = given[model->s0[i].tape || !joint ? 2 * n + i
                                                                  : width + 2 * n + i];
    free(given);
}

/* The rows of equations that have no value where Newton's method begins: their number, 0
   if there are none. */
static int without_value(struct complex_equations *equations,
                         const struct complex_values *values)
{
    int count = equations->residual.count, without = 0;
    complex_outputs_eval(&equations->residual, values, equations->r);
    for (int i = 0; i < count; i++)
        without += !isfinite(creal(equations->r[i]));
    return without;
}

enum status complex_model_start(struct complex_model *cm, struct complex_values *values,
                                double eps, struct diagnosis *diagnosis)
{
    bool joint = cm->model->start_rows > 0;
    double t = creal(values->x[BLOCK_T][0]);
    if (without_value(joint ? &cm->joint : &cm->position, values) > 0)
        return diagnose(diagnosis, NOT_FINITE, t, "complex step: an equation of the "
                        "start has no value where Newton's method begins");
    enum status status = OK;
    if (joint) {
        complex_equations_approach(&cm->joint, values);
        status = complex_equations_solve(&cm->joint, values, eps);
        if (status == INCONSISTENT)
            status = UNREACHABLE;
        return status == OK ? OK : refuse_start(&cm->joint, status, t,
                                                "Phi = Phid = Gamma = 0", diagnosis);
    }
    status = complex_equations_solve(&cm->position, values, eps);
    if (status == INCONSISTENT)     /* the values that were found may be wrong, the given
                                       ones right */
        status = UNREACHABLE;
    if (status != OK)
        return refuse_start(&cm->position, status, t, "Phi = 0", diagnosis);
    status = complex_equations_solve(&cm->velocity, values, eps);
    if (status != OK)
        return refuse_start(&cm->velocity, status, t, "Phid = 0",
                            diagnosis);
    return OK;
}

enum status complex_model_motion(struct complex_model *cm, int mode,
                                 struct complex_values *values, double eps)
{
    return complex_saddle_solve(&cm->mode[mode].motion, values, eps);
}

enum status complex_model_reset(struct complex_model *cm, int event,
                                struct complex_values *values, double eps,
                                double complex *cost)
{
    const struct model *model = cm->model;
    /* Newton starts at "nothing happens" */
    for (int i = 0; i < model->n; i++) {
        values->x[BLOCK_Q_PLUS][i] = values->x[BLOCK_Q][i];
        values->x[BLOCK_V_PLUS][i] = values->x[BLOCK_V][i];
    }
    for (int i = 0; i < model->ns; i++)
        values->x[BLOCK_S_PLUS][i] = values->x[BLOCK_S][i];
    for (int i = 0; i < values->size[BLOCK_IMPULSE]; i++)
        values->x[BLOCK_IMPULSE][i] = 0;
    struct complex_event *own = &cm->event[event];
    enum status status = own->impulsive
        ? complex_saddle_solve(&own->impulse, values, eps)
        : complex_equations_solve(&own->reset, values, eps);
    for (int k = 0; k < model->nz; k++)
        cost[k] = 0;
    complex_outputs_eval(&own->cost, values, cost);
    return status;
}
