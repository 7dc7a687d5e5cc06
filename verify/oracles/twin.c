/*
 * twin.c - another case with the same motion: both sides of every equality between the
 * two, along both motions. The twin's is the certified one where that has the same times,
 * else a run of its own in double.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mechanisms/catalogue.h"
#include "motion/reference_motion.h"
#include "motion/run_exact.h"
#include "oracles/oracle.h"
#include "oracles/twin_side.h"
#include "plugins/registry.h"
#include "quantity/quantity.h"
#include "size.h"
#include "verdict/tolerances.h"

/* The twin's motion: points and events with their columns. */
struct motion {
    struct columns columns;
    int *parameter;             /* owned; columns point at it */
    int points, events;
    double *t, *x;              /* [points] times, [points][columns.count] numbers */
    double *t_e, *tau;          /* [events] times, [events][columns.p] their
                                   derivatives */
};

/* A parameter that both cases differentiate: its index in the columns of each. */
struct common {
    int own, twin;
};

struct twin {
    const struct run_request *request;
    const struct trajectory *own;
    const struct model *model;  /* model of the judged case */
    struct model *other;
    int *coordinate;            /* [model->twin_n] indices in the other model */
    double *rho;                /* [model->p] */
    struct motion motion;
    int commons;
    struct common *common;
};

/* --- the other case ----------------------------------------------------------------- */

static int *coordinates_there(const struct model *model, const struct model *other,
                              struct diagnosis *diagnosis)
{
    int *coordinate = memory_new(model->twin_n, sizeof *coordinate);
    for (int i = 0; i < model->twin_n; i++) {
        coordinate[i] = model_coordinate_index(other, model->twin_coordinate[i]);
        if (coordinate[i] >= 0)
            continue;
        diagnose(diagnosis, BAD_INPUT, NAN, "the twin %s has no coordinate %s",
                 other->desc->name, model->twin_coordinate[i]);
        free(coordinate);
        return NULL;
    }
    return coordinate;
}

/* Parameters of one name must have one value. */
static enum status check_parameters(const struct twin *twin, struct diagnosis *diagnosis)
{
    const struct model *other = twin->other;
    double *value = memory_new(other->p, sizeof *value);
    enum status status = model_nominal_values(other, value, diagnosis);
    for (int j = 0; status == OK && j < twin->model->p; j++) {
        const char *name = twin->model->parameter[j].name;
        int k = model_parameter_index(other, name);
        double own = twin->rho[j];
        if (k >= 0 && fabs(value[k] - own) > 1e-15 * fabs(own))
            status = diagnose(diagnosis, BAD_INPUT, NAN, "parameter %s is %.17g here and "
                              "%.17g in the twin %s", name, own, value[k],
                              other->desc->name);
    }
    free(value);
    return status;
}

static enum status open_other(struct twin *twin, struct diagnosis *diagnosis)
{
    const struct case_desc *desc = case_find(twin->model->twin);
    if (!desc)
        return diagnose(diagnosis, BAD_INPUT, NAN, "there is no case %s, the twin of %s",
                        twin->model->twin, twin->model->desc->name);
    twin->rho = memory_new(twin->model->p, sizeof *twin->rho);
    twin->other = model_new(desc, diagnosis);
    if (!twin->other)
        return BAD_INPUT;
    twin->coordinate = coordinates_there(twin->model, twin->other, diagnosis);
    enum status status = twin->coordinate ? model_nominal_values(twin->model, twin->rho,
                                                                 diagnosis) : BAD_INPUT;
    return status == OK ? check_parameters(twin, diagnosis) : status;
}

/* --- its motion --------------------------------------------------------------------- */

static void motion_new(struct motion *motion, const struct columns *like, int points,
                       int events)
{
    motion->parameter = memory_new(like->p, sizeof *motion->parameter);
    memory_copy(motion->parameter, like->parameter, like->p, sizeof *motion->parameter);
    columns_init(&motion->columns, like->model, like->p, motion->parameter);
    motion->points = points;
    motion->events = events;
    motion->t = memory_new(points, sizeof *motion->t);
    motion->x = memory_new(points * like->count, sizeof *motion->x);
    motion->t_e = memory_new(events, sizeof *motion->t_e);
    motion->tau = memory_new(events * like->p, sizeof *motion->tau);
}

static void motion_clear(struct motion *motion)
{
    free(motion->parameter);
    free(motion->t);
    free(motion->x);
    free(motion->t_e);
    free(motion->tau);
}

static void of_run(struct motion *motion, const struct trajectory *run)
{
    int count = run->columns.count, p = run->columns.p;
    motion_new(motion, &run->columns, run->samples, run->events);
    for (int k = 0; k < run->samples; k++) {
        motion->t[k] = run->sample[k].t;
        memory_copy(motion->x + k * count, run->sample[k].x, count, sizeof *motion->x);
    }
    for (int k = 0; k < run->events; k++) {
        motion->t_e[k] = run->event[k].before.t;
        memory_copy(motion->tau + k * p, run->event[k].tau, p, sizeof *motion->tau);
    }
}

static void of_reference(struct motion *motion, const struct mp_trajectory *mp)
{
    int count = mp->columns.count, p = mp->columns.p;
    motion_new(motion, &mp->columns, mp->samples, mp->events);
    for (int k = 0; k < mp->samples; k++) {
        motion->t[k] = mpfr_get_d(mp->sample[k].t, MPFR_RNDN);
        for (int c = 0; c < count; c++)
            motion->x[k * count + c] = mpfr_get_d(mp->sample[k].x[c], MPFR_RNDN);
    }
    for (int k = 0; k < mp->events; k++) {
        motion->t_e[k] = mpfr_get_d(mp->event[k].before.t, MPFR_RNDN);
        for (int j = 0; j < p; j++)
            motion->tau[k * p + j] = mpfr_get_d(mp->event[k].tau[j], MPFR_RNDN);
    }
}

/* The point of a motion at a time, -1: there is none. */
static int point_at(const struct motion *motion, double t)
{
    for (int k = 0; k < motion->points; k++)
        if (motion->t[k] == t)
            return k;
    return -1;
}

static bool has_times(const struct motion *motion, const struct trajectory *own)
{
    for (int k = 0; k < own->samples; k++)
        if (point_at(motion, own->sample[k].t) < 0)
            return false;
    return true;
}

static bool certified_motion(struct twin *twin)
{
    const struct truth exact = {.variant = "exact"};
    struct certificate *certificate = NULL;
    char path[600];
    bool good = certified_path(twin->other, &exact, path, sizeof path) &&
                certificate_read(path, twin->other, &certificate, NULL) == OK &&
                certificate->trajectory;
    if (good) {
        of_reference(&twin->motion, certificate->trajectory);
        good = has_times(&twin->motion, twin->own);
        if (!good)
            motion_clear(&twin->motion);
    }
    if (!good)
        twin->motion = (struct motion){0};
    certificate_free(certificate);
    return good;
}

/* Lists parameters of the twin that the judged run differentiates by; returns how
   many. */
static int shared_parameters(const struct twin *twin, int *parameter)
{
    int count = 0;
    for (int j = 0; j < twin->own->columns.p; j++) {
        int k = model_parameter_index(twin->other,
                                      column_parameter(&twin->own->columns, j));
        if (k >= 0)
            parameter[count++] = k;
    }
    return count;
}

static enum status run_motion(struct twin *twin, struct diagnosis *diagnosis)
{
    const struct model *other = twin->other;
    const struct formulation *formulation = formulation_default(other);
    struct trajectory *run = NULL;
    int *parameter = memory_new(other->p, sizeof *parameter);
    double rtol = tolerance_default(other->desc, integrator_default(formulation),
                                    formulation);
    const struct run_request request = {
        .model = other, .rtol = rtol, .atol = rtol / 1000,
        .parameters = shared_parameters(twin, parameter), .parameter = parameter,
        .t_end = NAN, .samples = twin->request->samples,
        .sample = twin->request->sample};
    enum status status = run_exact(&request, &run, diagnosis);
    if (status == OK)
        of_run(&twin->motion, run);
    trajectory_free(run);
    free(parameter);
    return status;
}

static void find_common(struct twin *twin)
{
    const struct columns *own = &twin->own->columns, *other = &twin->motion.columns;
    twin->common = memory_new(own->p, sizeof *twin->common);
    for (int i = 0; i < own->p; i++)
        for (int k = 0; k < other->p; k++)
            if (strcmp(column_parameter(own, i), column_parameter(other, k)) == 0)
                twin->common[twin->commons++] = (struct common){i, k};
}

/* --- the results -------------------------------------------------------------------- */

/* The place from which one side takes its numbers. */
struct source {
    const struct columns *columns;
    const double *x;            /* numbers of a point */
    const int *coordinate;      /* [n] of the side's positions; NULL: as they are */
};

/* Takes positions and velocities [n] of a point, or their derivatives by parameter j. */
static void take(const struct source *source, int n, int j, double *position,
                 double *velocity)
{
    for (int i = 0; i < n; i++) {
        int at = source->coordinate ? source->coordinate[i] : i;
        position[i] = source->x[column(source->columns, GROUP_Q, at, j)];
        velocity[i] = source->x[column(source->columns, GROUP_V, at, j)];
    }
}

/* The equality that gives the scale: components of a vector, "x of A" and "y of A",
   share that of the first, as coordinates do; every other equality has its own. Rates
   likewise. */
static int scale_of(const struct model *model, int which)
{
    const char *name = model->equality[which].name;
    if (name[0] == '\0' || strncmp(name + 1, " of ", 4) != 0)
        return which;
    for (int k = 0; k < which; k++) {
        const char *other = model->equality[k].name;
        if (other[0] != '\0' && strcmp(other + 1, name + 1) == 0)
            return k;
    }
    return which;
}

static void add_entry(struct results *results, const struct twin *twin, int kind,
                      int which, int by, double t, int point, double value)
{
    char name[96], group[64];
    const char *of = twin->model->equality[which].name;
    const char *rate = kind == TWIN_RATE ? "v." : "";
    int scale = scale_of(twin->model, which) + 1;
    if (by < 0) {
        snprintf(name, sizeof name, "twin.%s%.60s", rate, of);
        snprintf(group, sizeof group, "twin.%s%d", rate, scale);
    } else {
        const char *parameter = column_parameter(&twin->own->columns, by);
        snprintf(name, sizeof name, "dtwin.%s%.50s/d%.30s", rate, of, parameter);
        snprintf(group, sizeof group, "dtwin.%s%d/d%.30s", rate, scale, parameter);
    }
    struct entry *entry = results_add(results, name, group, t, point);
    mpfr_set_d(entry->value, value, MPFR_RNDN);
    if (by >= 0)
        entry->rho = parameter_size(twin->rho[twin->own->columns.parameter[by]]);
}

/* Adds all equalities at one point, on one side. `own`: the parameters are counted as in
   the judged case. */
static void add_point(struct results *results, const struct twin *twin,
                      struct twin_side *side, const struct source *source, bool own,
                      double t, int point)
{
    int n = side->n;
    double *position = memory_new(4 * n, sizeof *position), *velocity = position + n;
    double *dposition = velocity + n, *dvelocity = dposition + n;
    take(source, n, -1, position, velocity);
    twin_side_values(side, t, position, velocity, twin->rho);
    for (int kind = 0; kind < TWIN_KINDS; kind++)
        for (int k = 0; k < side->equalities; k++)
            add_entry(results, twin, kind, k, -1, t, point,
                      twin_side_value(side, kind, k));
    for (int c = 0; c < twin->commons; c++) {
        const struct common *common = &twin->common[c];
        take(source, n, own ? common->own : common->twin, dposition, dvelocity);
        twin_side_derivatives(side, dposition, dvelocity,
                              twin->own->columns.parameter[common->own]);
        for (int kind = 0; kind < TWIN_KINDS; kind++)
            for (int k = 0; k < side->equalities; k++)
                add_entry(results, twin, kind, k, common->own, t, point,
                          twin_side_derivative(side, kind, k));
    }
    free(position);
}

static void add_samples(const struct twin *twin, struct results *own,
                        struct results *other)
{
    const struct model *model = twin->model;
    struct twin_side *here = twin_side_new(model, BLOCK_Q);
    struct twin_side *there = twin_side_new(model, BLOCK_TWIN);
    for (int k = 0; k < twin->own->samples; k++) {
        double t = twin->own->sample[k].t;
        int at = point_at(&twin->motion, t);
        const struct source from_own = {&twin->own->columns, twin->own->sample[k].x,
                                        NULL};
        add_point(own, twin, here, &from_own, true, t, k);
        if (at < 0)
            continue;
        const struct source from_other = {
            &twin->motion.columns, twin->motion.x + at * twin->motion.columns.count,
            twin->coordinate};
        add_point(other, twin, there, &from_other, false, t, k);
    }
    twin_side_free(here);
    twin_side_free(there);
}

static void add_event(struct results *results, const struct twin *twin, int k, double t,
                      const double *tau, bool own)
{
    int point = twin->own->samples + k;
    struct quantity quantity = quantity_of_time(k + 1, "");
    mpfr_set_d(results_put(results, &quantity, t, point)->value, t, MPFR_RNDN);
    for (int c = 0; c < twin->commons; c++) {
        const struct common *common = &twin->common[c];
        const char *by = column_parameter(&twin->own->columns, common->own);
        quantity = quantity_of_time(k + 1, by);
        struct entry *entry = results_put(results, &quantity, t, point);
        mpfr_set_d(entry->value, tau[own ? common->own : common->twin], MPFR_RNDN);
        entry->rho = parameter_size(twin->rho[twin->own->columns.parameter[common->own]]);
    }
}

/* Adds times of events; events of one case need not be events of the other. */
static void add_events(const struct twin *twin, struct results *own,
                       struct results *other)
{
    const struct motion *motion = &twin->motion;
    if (twin->own->events != motion->events)
        return;
    for (int k = 0; k < motion->events; k++) {
        const struct event_record *event = &twin->own->event[k];
        add_event(own, twin, k, event->before.t, event->tau, true);
        add_event(other, twin, k, motion->t_e[k], motion->tau + k * motion->columns.p,
                  false);
    }
}

enum status twin_evaluate(const struct run_request *request,
                          const struct trajectory *trajectory, struct results **want,
                          struct results **got, struct diagnosis *diagnosis)
{
    struct twin twin = {.request = request, .own = trajectory, .model = request->model};
    enum status status = open_other(&twin, diagnosis);
    if (status == OK && !certified_motion(&twin))
        status = run_motion(&twin, diagnosis);
    if (status == OK) {
        find_common(&twin);
        *got = results_new(53);
        *want = results_new(53);
        add_samples(&twin, *got, *want);
        add_events(&twin, *got, *want);
    }
    motion_clear(&twin.motion);
    free(twin.common);
    free(twin.coordinate);
    free(twin.rho);
    model_free(twin.other);
    return status;
}

/* --- the oracle --------------------------------------------------------------------- */

static bool applies(const struct model *model, const struct truth *truth)
{
    return is_exact(truth) && model->twin;
}

static void ask(const struct inquiry *inquiry, struct oracle_answer *answer)
{
    enum status status = twin_evaluate(inquiry->run, inquiry->trajectory, &answer->want,
                                       &answer->got, &answer->diagnosis);
    answer->kind = status == OK ? ANSWER_NUMBERS
                   : status == NOT_APPLICABLE ? ANSWER_NONE : ANSWER_REFUSED;
    answer->cap = double_digits;
}

const struct oracle_calls twin_calls = {.applies = applies, .ask = ask};
