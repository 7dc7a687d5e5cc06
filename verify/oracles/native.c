/*
 * native.c - the case file as plain quadruple precision C, evaluated along a trajectory.
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

#include "oracles/native/native_model.h"
#include "oracles/quad_ledger.h"

struct reporter {
    const struct run_request *request;
    struct ledger *ledger;
    struct native_point *point;         /* evaluated at real or at complex rho */
    const struct native_place *place;
    int number;                         /* of the place */
    int by;                             /* parameter of this pass; -1: values */
    quad unit;                          /* imaginary parts are in units of it */
};

static void report(const struct reporter *reporter, const char *kind, const char *name,
                   quad_complex value)
{
    char entry[96], group[64];
    native_entry(reporter->request, kind, name, reporter->by, entry, group);
    quad number = reporter->by < 0 ? quad_real(value) : quad_imag(value) / reporter->unit;
    ledger_quad(reporter->ledger, entry, group, reporter->place->at->t, reporter->number,
                number);
}

static enum status failed(const struct reporter *reporter, const char *what,
                          struct diagnosis *diagnosis)
{
    return diagnose(diagnosis, SINGULAR, reporter->place->at->t,
                    "native oracle: %s in mode %s", what,
                    reporter->place->at->mode->name);
}

static void load(struct reporter *reporter)
{
    struct native_point *point = reporter->point;
    const struct run_request *request = reporter->request;
    const struct columns *columns = reporter->place->columns;
    const double *x = reporter->place->at->x;
    point->x[NATIVE_T][0] = reporter->place->at->t;
    for (int i = 0; i < point->n; i++) {
        point->x[NATIVE_Q][i] = x[column(columns, GROUP_Q, i, -1)];
        point->x[NATIVE_V][i] = x[column(columns, GROUP_V, i, -1)];
    }
    for (int i = 0; i < point->ns; i++)
        point->x[NATIVE_S][i] = x[column(columns, GROUP_S, i, -1)];
    for (int j = 0; j < point->p; j++)
        point->x[NATIVE_RHO][j] = reporter->place->rho[j];
    if (reporter->by >= 0) {
        quad_complex *rho = &point->x[NATIVE_RHO][request->parameter[reporter->by]];
        quad size = fabsq(quad_real(*rho));
        reporter->unit = QUAD_STEP * (size > 1 ? size : 1);
        *rho += quad_number(0, reporter->unit);
    }
}

static void report_motion(const struct reporter *reporter)
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

static enum status report_reset(const struct reporter *reporter,
                                const struct event *event,
                                struct diagnosis *diagnosis)
{
    const struct model *model = reporter->request->model;
    const struct native_point *point = reporter->point;
    char kind[80], name[16];
    if (!native_reset(reporter->point, event->index))
        return failed(reporter, "the reset", diagnosis);
    if (reporter->by < 0)
        native_before_reset(reporter->request, reporter->ledger, reporter->place,
                            reporter->number);
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

static enum status visit(void *context, const struct native_place *place, int number,
                         struct diagnosis *diagnosis)
{
    struct reporter *reporter = context;
    const struct mode *mode = place->at->mode;
    reporter->place = place;
    reporter->number = number;
    int p = place->dependent ? 0 : reporter->request->parameters;
    for (reporter->by = -1; reporter->by < p; reporter->by++) {
        load(reporter);
        if (!native_motion(reporter->point, mode->index))
            return failed(reporter, "M, Phi_q", diagnosis);
        if (reporter->point->m != mode->m)
            return diagnose(diagnosis, BAD_INPUT, place->at->t,
                            "native oracle: mode %s has %d constraints there and %d here",
                            mode->name, reporter->point->m, mode->m);
        report_motion(reporter);
        enum status status = place->fires
            ? report_reset(reporter, place->fires, diagnosis) : OK;
        if (status != OK)
            return status;
    }
    return OK;
}

enum status native_evaluate(const struct run_request *request,
                            const struct trajectory *trajectory, struct ledger **out,
                            struct diagnosis *diagnosis)
{
    const struct model *model = request->model;
    *out = NULL;
    struct reporter reporter = {.request = request,
                                .point = native_point_new(model->desc->name)};
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
    reporter.ledger = ledger_new(113);
    enum status status = native_visit(request, trajectory, visit, &reporter, diagnosis);
    native_point_free(reporter.point);
    if (status == OK)
        *out = reporter.ledger;
    else
        ledger_free(reporter.ledger);
    return status;
}
