/*
 * native_tape.c - the entries of the native oracle, evaluated from the tape that it
 * judges.
 *
 * Values come from the recorded formulas of M, F, Phid, Phidd, guards, costs and reset
 * residuals; derivatives from the derivative rows (exact differentiation), by the
 * implicit function theorem where the quantity solves an equation:
 *
 *     R_u U = -R_rho          J_w dw = -(J_rho + J_u U)          r' = r_rho + r_u U
 */
#include "oracles/native_places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "oracles/complex_newton.h"
#include "oracles/native/native_model.h"
#include "oracles/quad_results.h"

/* A list of formulas with its derivatives by a, lambda and rho. */
struct gradient_set {
    int count;
    struct complex_outputs value, by[3];
    double complex *x, *by_x[3];
};
static const int by_block[3] = {BLOCK_A, BLOCK_LAMBDA, BLOCK_RHO};

struct tape_mode {
    struct complex_equations motion;
    struct gradient_set motion_rows, quantities;    /* quantities: guards, then costs,
                                                       then start rows */
};

struct tape_event {
    struct complex_equations reset;
    struct gradient_set reset_rows;
};

struct tape_reporter {
    const struct run_request *request;
    struct results *results;
    struct complex_values *values;
    struct tape_mode *mode;
    struct tape_event *event;
    double complex *U;                  /* dA, dLambda by the parameter of this pass */
    const struct native_place *place;
    int number, by;
};

static void *room(int count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (!memory)
        memory_exhausted();
    return memory;
}

/* --- programs ----------------------------------------------------------------------- */

static void gradient_init(struct gradient_set *set, const struct model *model,
                          const formula *f, int count)
{
    int size[3] = {model->n, model->m, model->p};
    set->count = count;
    complex_outputs_init(&set->value, model->tape, f, count);
    set->x = room(count, sizeof *set->x);
    for (int k = 0; k < 3; k++) {
        formula *f_x = room(count * size[k], sizeof *f_x);
        jacobian(f, count, by_block[k], size[k], f_x);
        complex_outputs_init(&set->by[k], model->tape, f_x, count * size[k]);
        set->by_x[k] = room(count * size[k], sizeof *set->by_x[k]);
        free(f_x);
    }
}

static void gradient_clear(struct gradient_set *set)
{
    complex_outputs_clear(&set->value);
    free(set->x);
    for (int k = 0; k < 3; k++) {
        complex_outputs_clear(&set->by[k]);
        free(set->by_x[k]);
    }
}

static void gradient_eval(struct gradient_set *set, const struct complex_values *values)
{
    complex_outputs_rho(&set->value, values);
    complex_outputs_eval(&set->value, values, set->x);
    for (int k = 0; k < 3; k++) {
        complex_outputs_rho(&set->by[k], values);
        complex_outputs_eval(&set->by[k], values, set->by_x[k]);
    }
}

/* f_rho of one parameter + f_a dA + f_lambda dLambda (U NULL: without these) */
static double complex total(const struct gradient_set *set, const struct model *model,
                            int i, int parameter, const double complex *U)
{
    int n = model->n, m = model->m;
    double complex sum = set->by_x[2][i * model->p + parameter];
    for (int k = 0; U && k < n; k++)
        sum += set->by_x[0][i * n + k] * U[k];
    for (int k = 0; U && k < m; k++)
        sum += set->by_x[1][i * m + k] * U[n + k];
    return sum;
}

/* Exact motion: M a + Phi_q' lambda - F = 0, Phidd = 0. */
static void mode_init(struct tape_mode *tape_mode, const struct model *model,
                      const struct mode *mode)
{
    int n = model->n, rows = n + mode->m;
    formula *R = room(rows, sizeof *R);
    struct unknown *unknown = room(rows, sizeof *unknown);
    for (int i = 0; i < n; i++) {
        R[i] = sub(mode->lambda_force[i], mode->F[i]);
        for (int j = 0; j < n; j++)
            R[i] = add(R[i], mul(mode->M[i][j], variable(model->tape, BLOCK_A, j)));
        unknown[i] = (struct unknown){BLOCK_A, i};
    }
    for (int i = 0; i < mode->m; i++) {
        R[n + i] = mode->Phidd[i];
        unknown[n + i] = (struct unknown){BLOCK_LAMBDA, i};
    }
    complex_equations_init(&tape_mode->motion, model, R, rows, unknown, rows);
    gradient_init(&tape_mode->motion_rows, model, R, rows);
    free(R);
    free(unknown);

    int count = model->events + model->nz + model->start_rows;
    formula *f = room(count, sizeof *f);
    for (int k = 0; k < model->events; k++)
        f[k] = model->event[k]->guard;
    for (int k = 0; k < model->nz; k++)
        f[model->events + k] = mode->g[k];
    for (int i = 0; i < model->start_rows; i++)
        f[model->events + model->nz + i] = model->Gamma[i];
    gradient_init(&tape_mode->quantities, model, f, count);
    free(f);
}

static void event_init(struct tape_event *tape_event, const struct model *model,
                       const struct event *event)
{
    int count[4] = {model->n, model->n, model->ns, event->impulses};
    int block[4] = {BLOCK_Q_PLUS, BLOCK_V_PLUS, BLOCK_S_PLUS, BLOCK_IMPULSE};
    struct unknown *w = room(event->w, sizeof *w);
    int rows = 0;
    for (int part = 0; part < 4; part++)
        for (int i = 0; i < count[part]; i++)
            w[rows++] = (struct unknown){block[part], i};
    complex_equations_init(&tape_event->reset, model, event->J, event->rows, w, event->w);
    gradient_init(&tape_event->reset_rows, model, event->J, event->rows);
    free(w);
}

/* --- reports ------------------------------------------------------------------------ */

static void report(const struct tape_reporter *reporter, const char *kind,
                   const char *name, double complex value)
{
    char entry[96], group[64];
    native_entry(reporter->request, kind, name, reporter->by, entry, group);
    quad_results_add(reporter->results, entry, group, reporter->place->at->t,
                     reporter->number, creal(value));
}

static void load(const struct tape_reporter *reporter)
{
    const struct model *model = reporter->request->model;
    const struct columns *columns = reporter->place->columns;
    const double *x = reporter->place->at->x;
    double complex **block = reporter->values->x;
    block[BLOCK_T][0] = reporter->place->at->t;
    for (int i = 0; i < model->n; i++) {
        block[BLOCK_Q][i] = block[BLOCK_Q_PLUS][i] = x[column(columns, GROUP_Q, i, -1)];
        block[BLOCK_V][i] = block[BLOCK_V_PLUS][i] = x[column(columns, GROUP_V, i, -1)];
    }
    for (int i = 0; i < model->ns; i++)
        block[BLOCK_S][i] = block[BLOCK_S_PLUS][i] = x[column(columns, GROUP_S, i, -1)];
    for (int j = 0; j < model->p; j++)
        block[BLOCK_RHO][j] = reporter->place->rho[j];
}

/* Solves with the matrix of equations that have just been solved, factored at their
   solution. */
static enum status solve_linear(struct complex_equations *e,
                                const struct complex_values *values, double complex *b)
{
    enum status status = complex_equations_factor(e, values, false);
    if (status == OK)
        complex_lu_solve(&e->lu, b);
    return status;
}

/* Computes U of this pass; reports a, lambda, guards and rates. */
static enum status report_motion(struct tape_reporter *reporter)
{
    const struct model *model = reporter->request->model;
    const struct mode *mode = reporter->place->at->mode;
    struct tape_mode *tape_mode = &reporter->mode[mode->index];
    struct gradient_set *quantities = &tape_mode->quantities;
    double complex **x = reporter->values->x;
    int n = model->n;
    int parameter = reporter->by < 0 ? -1 : reporter->request->parameter[reporter->by];
    enum status status = OK;
    for (int i = 0; i < n + mode->m && parameter >= 0; i++)
        reporter->U[i] = -total(&tape_mode->motion_rows, model, i, parameter, NULL);
    for (int i = n + mode->m; i < n + model->m; i++)
        reporter->U[i] = 0;
    if (parameter >= 0)
        status = solve_linear(&tape_mode->motion, reporter->values, reporter->U);
    for (int i = 0; i < n; i++)
        report(reporter, "a", model->coordinate[i],
               parameter < 0 ? x[BLOCK_A][i] : reporter->U[i]);
    for (int i = 0; i < mode->m; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i + 1);
        report(reporter, "lambda", name,
               parameter < 0 ? x[BLOCK_LAMBDA][i] : reporter->U[n + i]);
    }
    for (int k = 0; k < quantities->count; k++) {
        char number[16];
        bool guard = k < model->events;
        int row = k - model->events - model->nz;
        if ((guard && model->event[k]->from != mode) ||
            (row >= 0 && (reporter->number > 0 || row >= NATIVE_ROWS)))
            continue;
        snprintf(number, sizeof number, "%d", row + 1);
        report(reporter, guard ? "guard" : row < 0 ? "rate" : "start-row",
               guard ? model->event[k]->name
                     : row < 0 ? model->cost[k - model->events] : number,
               parameter < 0 ? quantities->x[k]
                             : total(quantities, model, k, parameter, reporter->U));
    }
    return status;
}

static enum status report_reset(struct tape_reporter *reporter, const struct event *event)
{
    const struct model *model = reporter->request->model;
    struct tape_event *tape_event = &reporter->event[event->index];
    double complex *dw = room(event->rows, sizeof *dw);
    int parameter = reporter->by < 0 ? -1 : reporter->request->parameter[reporter->by];
    enum status status = OK;
    for (int i = 0; i < event->rows && parameter >= 0; i++)
        dw[i] = -total(&tape_event->reset_rows, model, i, parameter, reporter->U);
    if (parameter >= 0)
        status = solve_linear(&tape_event->reset, reporter->values, dw);
    const char *part[4] = {"q", "v", "s", "impulse"};
    int count[4] = {model->n, model->n, model->ns, event->impulses};
    for (int k = 0, row = 0; k < 4; k++)
        for (int i = 0; i < count[k]; i++, row++) {
            struct unknown w = tape_event->reset.unknown[row];
            char kind[80], number[16];
            snprintf(kind, sizeof kind, "reset.%.40s.%s", event->name, part[k]);
            snprintf(number, sizeof number, "%d", i + 1);
            const char *name = k == 3 ? number : k == 2 ? model->auxiliary[i]
                                                        : model->coordinate[i];
            report(reporter, kind, name,
                   parameter < 0 ? reporter->values->x[w.block][w.index] : dw[row]);
        }
    free(dw);
    return status;
}

/* --- the run's own numbers -------------------------------------------------------- */

/* Reports the run's own a and lambda (by < 0), or their derivatives. */
static void report_own(struct tape_reporter *reporter)
{
    const struct model *model = reporter->request->model;
    const struct native_place *place = reporter->place;
    const double *x = place->at->x;
    char name[16];
    if (!place->follows)
        return;
    for (int i = 0; i < model->n; i++)
        report(reporter, "run.a", model->coordinate[i],
               x[column(place->columns, GROUP_A, i, reporter->by)]);
    for (int i = 0; i < place->at->mode->m; i++) {
        snprintf(name, sizeof name, "%d", i + 1);
        report(reporter, "run.lambda", name,
               x[column(place->columns, GROUP_LAMBDA, i, reporter->by)]);
    }
}

static void report_own_reset(struct tape_reporter *reporter)
{
    const struct model *model = reporter->request->model;
    const struct native_place *place = reporter->place;
    const double *x = place->alone->after.x;
    const struct { const char *name; enum column_group group; int count; char **of; }
    part[] = {{"q", GROUP_Q, model->n, model->coordinate},
              {"v", GROUP_V, model->n, model->coordinate},
              {"s", GROUP_S, model->ns, model->auxiliary}};
    char kind[80];
    for (int b = 0; b < 3; b++)
        for (int i = 0; i < part[b].count; i++) {
            snprintf(kind, sizeof kind, "run.reset.%.40s.%s", place->fires->name,
                     part[b].name);
            report(reporter, kind, part[b].of[i],
                   x[column(place->columns, part[b].group, i, -1)]);
        }
}

/* --- the visit ---------------------------------------------------------------------- */

/* Loads a and lambda. Dependent constraints have those of the run: its own way to the
   minimum norm is judged. */
static void load_solution(const struct tape_reporter *reporter)
{
    const struct columns *columns = reporter->place->columns;
    const double *x = reporter->place->at->x;
    double complex **block = reporter->values->x;
    for (int i = 0; i < reporter->request->model->n; i++)
        block[BLOCK_A][i] = x[column(columns, GROUP_A, i, -1)];
    for (int i = 0; i < reporter->place->at->mode->m; i++)
        block[BLOCK_LAMBDA][i] = x[column(columns, GROUP_LAMBDA, i, -1)];
}

/* Solves everything at a place, and evaluates its derivative rows there. */
static enum status settle(struct tape_reporter *reporter)
{
    struct complex_values *values = reporter->values;
    struct tape_mode *mode = &reporter->mode[reporter->place->at->mode->index];
    enum status status = OK;
    load(reporter);
    complex_equations_rho(&mode->motion, values);
    if (reporter->place->dependent)
        load_solution(reporter);
    else
        status = complex_equations_solve(&mode->motion, values, 0);
    gradient_eval(&mode->motion_rows, values);
    gradient_eval(&mode->quantities, values);
    if (status != OK || !reporter->place->fires)
        return status;
    struct tape_event *event = &reporter->event[reporter->place->fires->index];
    complex_equations_rho(&event->reset, values);
    status = complex_equations_solve(&event->reset, values, 0);
    gradient_eval(&event->reset_rows, values);
    return status;
}

static enum status visit(void *context, const struct native_place *place, int number,
                         struct diagnosis *diagnosis)
{
    struct tape_reporter *reporter = context;
    reporter->place = place;
    reporter->number = number;
    enum status status = settle(reporter);
    int p = place->dependent ? 0 : reporter->request->parameters;
    for (reporter->by = -1; status == OK && reporter->by < p; reporter->by++) {
        status = report_motion(reporter);
        if (status == OK && reporter->by < 0)
            report_own(reporter);
        if (status == OK && place->fires)
            status = report_reset(reporter, place->fires);
        if (status == OK && place->alone && reporter->by < 0)
            report_own_reset(reporter);
    }
    for (reporter->by = 0; status == OK && reporter->by < p; reporter->by++)
        report_own(reporter);
    if (status != OK)
        return diagnose(diagnosis, status, place->at->t, "tape: mode %s",
                        place->at->mode->name);
    return OK;
}

enum status native_of_model(const struct run_request *request,
                            const struct trajectory *trajectory, struct results **out,
                            struct diagnosis *diagnosis)
{
    const struct model *model = request->model;
    struct tape_reporter reporter = {.request = request, .results = results_new(53)};
    reporter.values = complex_values_new(model, model_most_impulses(model));
    reporter.U = room(model->n + model->m, sizeof *reporter.U);
    reporter.mode = room(model->modes, sizeof *reporter.mode);
    reporter.event = room(model->events, sizeof *reporter.event);
    struct model *branch = model_branch(model);
    for (int k = 0; k < model->modes; k++)
        mode_init(&reporter.mode[k], branch, branch->mode[k]);
    for (int k = 0; k < model->events; k++)
        event_init(&reporter.event[k], branch, branch->event[k]);
    enum status status = native_visit(request, trajectory, visit, &reporter, diagnosis);
    for (int k = 0; k < model->modes; k++) {
        complex_equations_clear(&reporter.mode[k].motion);
        gradient_clear(&reporter.mode[k].motion_rows);
        gradient_clear(&reporter.mode[k].quantities);
    }
    for (int k = 0; k < model->events; k++) {
        complex_equations_clear(&reporter.event[k].reset);
        gradient_clear(&reporter.event[k].reset_rows);
    }
    model_branch_free(branch);
    complex_values_free(reporter.values);
    free(reporter.U);
    free(reporter.mode);
    free(reporter.event);
    *out = status == OK ? reporter.results : NULL;
    if (status != OK)
        results_free(reporter.results);
    return status;
}
