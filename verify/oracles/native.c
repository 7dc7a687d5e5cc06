/*
 * native.c - the case file as plain quadruple precision C, evaluated along a trajectory.
 *
 * At each place: values; how much relative errors of t, q, v, s and rho change them, one
 * after the other (the spread of their entries); derivatives by each parameter at a fixed
 * state; and those of the run's own a and lambda, with the state moving as the run has
 * it.
 *
 * Shares with the judged run: the text of the case file, read by the C compiler instead
 * of by the formula reader. Does not share: reader, tape, programs, differentiation,
 * reset residuals, the completion of constraints (Phid, Phidd, Phi_q'), linear algebra.
 *
 * Derivatives by a parameter are partial: (t, q, v, s) stay where the trajectory has
 * them.
 */
#include "oracles/native_places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "oracles/native/native_model.h"
#include "oracles/oracle.h"
#include "oracles/quad_results.h"

/* Bits of the numbers of the oracle. */
enum { QUAD_BITS = 113 };

/* Meaning of imaginary parts in a pass: derivatives by one parameter; by a parameter, of
   the state too; errors of one of all inputs, in its own size. */
enum pass { VALUES, PARTIAL, TOTAL, SPREAD };

struct reporter {
    const struct run_request *request;
    struct results *results;
    struct native_point *point;         /* evaluated at real or at complex inputs */
    const struct native_place *place;
    int number;                         /* number of the place */
    enum pass pass;
    int by;                             /* parameter or input of this pass; -1: none */
    quad unit;                          /* unit of the imaginary parts */
    int values, room, *value;           /* [values] entries of the values of this place */
    int spread;                         /* index of the next of them in a pass SPREAD */
};

static void report(struct reporter *reporter, const char *kind, const char *name,
                   quad_complex value)
{
    struct results *results = reporter->results;
    if (reporter->pass == SPREAD) {
        quad change = quad_imag(value) / reporter->unit;
        results->entry[reporter->value[reporter->spread++]].spread +=
            fabs((double)change);
        return;
    }
    char entry[96], group[64];
    bool derivative = reporter->pass != VALUES;
    native_entry(reporter->request, kind, name, reporter->by, entry, group);
    quad number = derivative ? quad_imag(value) / reporter->unit : quad_real(value);
    quad_results_add(results, entry, group, reporter->place->at->t, reporter->number,
                     number);
    if (derivative) {
        double rho = reporter->place->rho[reporter->request->parameter[reporter->by]];
        results->entry[results->count - 1].rho = rho != 0 ? fabs(rho) : 1;
        return;
    }
    reporter->value = memory_grow(reporter->value, &reporter->room, reporter->values + 1,
                                  sizeof *reporter->value);
    reporter->value[reporter->values++] = results->count - 1;
}

static enum status failed(const struct reporter *reporter, const char *what,
                          struct diagnosis *diagnosis)
{
    return diagnose(diagnosis, SINGULAR, reporter->place->at->t,
                    "native oracle: %s in mode %s", what,
                    reporter->place->at->mode->name);
}

static void load_values(struct native_point *point, const struct native_place *place)
{
    const struct columns *columns = place->columns;
    const double *x = place->at->x;
    point->x[NATIVE_T][0] = place->at->t;
    for (int i = 0; i < point->n; i++) {
        point->x[NATIVE_Q][i] = x[column(columns, GROUP_Q, i, -1)];
        point->x[NATIVE_V][i] = x[column(columns, GROUP_V, i, -1)];
    }
    for (int i = 0; i < point->ns; i++)
        point->x[NATIVE_S][i] = x[column(columns, GROUP_S, i, -1)];
    for (int j = 0; j < point->p; j++)
        point->x[NATIVE_RHO][j] = place->rho[j];
}

/* Sets the derivatives of the state to those that the run has. */
static void move_state(struct reporter *reporter)
{
    struct native_point *point = reporter->point;
    const struct columns *columns = reporter->place->columns;
    quad_complex **at = point->x;
    const double *x = reporter->place->at->x;
    int by = reporter->by;
    quad unit = reporter->unit;
    for (int i = 0; i < point->n; i++) {
        at[NATIVE_Q][i] += quad_number(0, unit * x[column(columns, GROUP_Q, i, by)]);
        at[NATIVE_V][i] += quad_number(0, unit * x[column(columns, GROUP_V, i, by)]);
    }
    for (int i = 0; i < point->ns; i++)
        at[NATIVE_S][i] += quad_number(0, unit * x[column(columns, GROUP_S, i, by)]);
}

static int inputs(const struct native_point *point)
{
    return 1 + 2 * point->n + point->ns + point->p;
}

/* Input k of t, q, v, s, rho. */
static quad_complex *input(struct native_point *point, int k)
{
    const int size[] = {1, point->n, point->n, point->ns, point->p};
    static const enum native_block block[] = {NATIVE_T, NATIVE_Q, NATIVE_V, NATIVE_S,
                                              NATIVE_RHO};
    int b = 0;
    for (; k >= size[b]; b++)
        k -= size[b];
    return &point->x[block[b]][k];
}

static void load(struct reporter *reporter)
{
    struct native_point *point = reporter->point;
    load_values(point, reporter->place);
    if (reporter->pass == PARTIAL || reporter->pass == TOTAL) {
        int parameter = reporter->request->parameter[reporter->by];
        quad_complex *rho = &point->x[NATIVE_RHO][parameter];
        quad size = fabsf128(quad_real(*rho));
        reporter->unit = QUAD_STEP * (size > 1 ? size : 1);
        *rho += quad_number(0, reporter->unit);
    }
    if (reporter->pass == TOTAL)
        move_state(reporter);
    if (reporter->pass == SPREAD) {
        quad_complex *x = input(point, reporter->by);
        reporter->unit = QUAD_STEP;
        reporter->spread = 0;
        *x += quad_number(0, QUAD_STEP * quad_real(*x));
    }
}

/* Reports the run's own a and lambda. */
static void report_own(struct reporter *reporter)
{
    const struct model *model = reporter->request->model;
    const struct native_point *point = reporter->point;
    char name[16];
    for (int i = 0; i < model->n; i++)
        report(reporter, "run.a", model->coordinate[i], point->x[NATIVE_A][i]);
    for (int i = 0; i < reporter->place->at->mode->m; i++) {
        snprintf(name, sizeof name, "%d", i + 1);
        report(reporter, "run.lambda", name, point->x[NATIVE_LAMBDA][i]);
    }
}

static void report_motion(struct reporter *reporter)
{
    const struct model *model = reporter->request->model;
    const struct mode *mode = reporter->place->at->mode;
    const struct native_point *point = reporter->point;
    quad_complex room[NATIVE_ROWS];
    char name[16];
    for (int i = 0; i < model->n; i++)
        report(reporter, "a", model->coordinate[i], point->x[NATIVE_A][i]);
    for (int i = 0; i < mode->m; i++) {
        snprintf(name, sizeof name, "%d", i + 1);
        report(reporter, "lambda", name, point->x[NATIVE_LAMBDA][i]);
    }
    if (model->events <= NATIVE_ROWS)
        native_guards(point, room);
    for (int k = 0; k < model->events && k < NATIVE_ROWS; k++)
        if (model->event[k]->from == mode)
            report(reporter, "guard", model->event[k]->name, room[k]);
    if (model->nz <= NATIVE_ROWS)
        native_rates(point, mode->index, room);
    for (int k = 0; k < model->nz && k < NATIVE_ROWS; k++)
        report(reporter, "rate", model->cost[k], room[k]);
}

/* At the start alone. */
static void report_start_rows(struct reporter *reporter)
{
    quad_complex Gamma[NATIVE_ROWS];
    int rows = reporter->request->model->start_rows;
    if (reporter->number > 0 || rows == 0)
        return;
    native_start_rows(reporter->point, Gamma);
    for (int i = 0; i < rows && i < NATIVE_ROWS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i + 1);
        report(reporter, "start-row", name, Gamma[i]);
    }
}

static enum status report_reset(struct reporter *reporter, const struct event *event,
                                struct diagnosis *diagnosis)
{
    const struct model *model = reporter->request->model;
    const struct native_point *point = reporter->point;
    char kind[80], name[16];
    if (!native_reset(reporter->point, event->index))
        return failed(reporter, "the reset", diagnosis);
    for (int i = 0; i < model->n; i++) {
        snprintf(kind, sizeof kind, "reset.%.40s.q", event->name);
        report(reporter, kind, model->coordinate[i], point->x[NATIVE_Q_PLUS][i]);
        snprintf(kind, sizeof kind, "reset.%.40s.v", event->name);
        report(reporter, kind, model->coordinate[i], point->x[NATIVE_V_PLUS][i]);
    }
    for (int i = 0; i < model->ns; i++) {
        snprintf(kind, sizeof kind, "reset.%.40s.s", event->name);
        report(reporter, kind, model->auxiliary[i], point->x[NATIVE_S_PLUS][i]);
    }
    for (int i = 0; i < event->impulses; i++) {
        snprintf(kind, sizeof kind, "reset.%.40s.impulse", event->name);
        snprintf(name, sizeof name, "%d", i + 1);
        report(reporter, kind, name, point->x[NATIVE_IMPULSE][i]);
    }
    return OK;
}

/* Reports the run's own state after an event. */
static void report_own_reset(struct reporter *reporter, const struct event *event)
{
    const struct model *model = reporter->request->model;
    const struct native_point *point = reporter->point;
    const struct { const char *name; enum native_block block; int count; char **of; }
    part[] = {{"q", NATIVE_Q_PLUS, model->n, model->coordinate},
              {"v", NATIVE_V_PLUS, model->n, model->coordinate},
              {"s", NATIVE_S_PLUS, model->ns, model->auxiliary}};
    char kind[80];
    for (int b = 0; b < 3; b++)
        for (int i = 0; i < part[b].count; i++) {
            snprintf(kind, sizeof kind, "run.reset.%.40s.%s", event->name, part[b].name);
            report(reporter, kind, part[b].of[i], point->x[part[b].block][i]);
        }
}

static enum status evaluate(struct reporter *reporter, struct diagnosis *diagnosis)
{
    const struct native_place *place = reporter->place;
    const struct mode *mode = place->at->mode;
    load(reporter);
    if (!native_motion(reporter->point, mode->index))
        return failed(reporter, "M, Phi_q", diagnosis);
    if (reporter->point->m != mode->m)
        return diagnose(diagnosis, BAD_INPUT, place->at->t,
                        "native oracle: mode %s has %d constraints there and %d here",
                        mode->name, reporter->point->m, mode->m);
    if (place->follows && reporter->pass != PARTIAL)
        report_own(reporter);
    if (reporter->pass == TOTAL)
        return OK;
    report_motion(reporter);
    report_start_rows(reporter);
    enum status status = place->fires ? report_reset(reporter, place->fires, diagnosis)
                                      : OK;
    if (status == OK && place->alone && reporter->pass != PARTIAL)
        report_own_reset(reporter, place->fires);
    return status;
}

static enum status pass(struct reporter *reporter, enum pass pass, int count,
                        struct diagnosis *diagnosis)
{
    enum status status = OK;
    reporter->pass = pass;
    for (int by = 0; status == OK && by < count; by++) {
        reporter->by = pass == VALUES ? -1 : by;
        status = evaluate(reporter, diagnosis);
    }
    return status;
}

static enum status visit(void *context, const struct native_place *place, int number,
                         struct diagnosis *diagnosis)
{
    struct reporter *reporter = context;
    reporter->place = place;
    reporter->number = number;
    reporter->values = 0;
    int p = place->dependent ? 0 : reporter->request->parameters;
    enum status status = pass(reporter, VALUES, 1, diagnosis);
    if (status == OK && !place->dependent)
        status = pass(reporter, SPREAD, inputs(reporter->point), diagnosis);
    if (status == OK)
        status = pass(reporter, PARTIAL, p, diagnosis);
    if (status == OK)
        status = pass(reporter, TOTAL, p, diagnosis);
    return status;
}

enum status native_evaluate(const struct run_request *request,
                            const struct trajectory *trajectory, struct results **out,
                            struct diagnosis *diagnosis)
{
    const struct model *model = request->model;
    *out = NULL;
    struct reporter reporter = {.request = request,
                                .point = model->desc->path
                                    ? NULL : native_point_new(model->desc->name)};
    const struct native_point *point = reporter.point;
    if (!point)
        return diagnose(diagnosis, NOT_APPLICABLE, NAN, "no native case %s",
                        model->desc->name);
    if (point->n != model->n || point->ns != model->ns || point->p != model->p
        || point->events != model->events || point->modes != model->modes) {
        native_point_free(reporter.point);
        return diagnose(diagnosis, BAD_INPUT, NAN,
                        "native oracle: the case has other sizes there than here");
    }
    reporter.results = results_new(QUAD_BITS);
    enum status status = native_visit(request, trajectory, visit, &reporter, diagnosis);
    native_point_free(reporter.point);
    free(reporter.value);
    if (status == OK)
        *out = reporter.results;
    else
        results_free(reporter.results);
    return status;
}

/* --- the oracle --------------------------------------------------------------------- */

/* The equations themselves are judged at the points of the run: tape and derivatives
   against plain quadruple precision C. */
static void ask(const struct inquiry *inquiry, struct oracle_answer *answer)
{
    struct diagnosis *diagnosis = &answer->diagnosis;
    enum status status =
        native_evaluate(inquiry->run, inquiry->trajectory, &answer->want, diagnosis);
    if (status == OK)
        status = native_of_model(inquiry->run, inquiry->trajectory, &answer->got,
                                 diagnosis);
    if (status == OK && answer->want->precision < QUAD_BITS)
        status = diagnose(diagnosis, BAD_ANSWER, NAN,
                          "native: the oracle answers with %ld bits, as what it judges",
                          (long)answer->want->precision);
    answer->kind = status == OK ? ANSWER_NUMBERS
                   : status == NOT_APPLICABLE ? ANSWER_NONE : ANSWER_REFUSED;
    answer->cap = double_digits;
    answer->at_points = true;
}

const struct oracle_calls native_calls = {.ask = ask};
