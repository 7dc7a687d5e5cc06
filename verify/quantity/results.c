/*
 * results.c - trajectories of every arithmetic, written out under one set of names.
 *
 * The double and the MPFR trajectory have the same shape in different types. Both are
 * first seen through a `struct view` (how many points, which modes, how to read a
 * number); the names, groups and the order of entries are then written once, below it.
 */
#include "quantity/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "condition.h"
#include "size.h"

enum side { BEFORE, AFTER };

/* One place along the trajectory: a sample or an event. */
struct place {
    bool is_event;
    int index;      /* of the sample or the event */
    double t;
};

struct view {
    const struct columns *columns;
    int samples, events, costs;
    int first_point;            /* 1 when the start, point 0, is not among the samples */
    const void *trajectory;
    struct terms_of *terms; /* NULL: terms are not known */
    double (*sample_time)(const void *trajectory, int k);
    double (*event_time)(const void *trajectory, int k);
    const struct mode *(*sample_mode)(const void *trajectory, int k);
    const struct mode *(*event_mode)(const void *trajectory, int k, enum side side);
    void (*sample)(const void *trajectory, int k, int column, mpfr_ptr value);
    void (*event)(const void *trajectory, int k, enum side side, int column,
                  mpfr_ptr value);
    void (*t_e)(const void *trajectory, int k, mpfr_ptr value);
    void (*tau)(const void *trajectory, int k, int parameter, mpfr_ptr value);
    double (*condition)(const void *trajectory, int k);
    void (*psi)(const void *trajectory, int index, mpfr_ptr value);     /* NULL: none */
};

/* --- the order of entries ----------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    if (p->t != q->t)
        return p->t < q->t ? -1 : 1;
    if (p->is_event != q->is_event)
        return p->is_event ? 1 : -1;
    return p->index - q->index;
}

/* Of a sample that is there twice, at an event, the first one: the event has the state
   after it. */
static struct place *places_in_time(const struct view *view, int *count)
{
    struct place *place = calloc((size_t)(view->samples + view->events) + 1,
                                 sizeof *place);
    double last = NAN;
    if (!place)
        memory_exhausted();
    *count = 0;
    for (int k = 0; k < view->samples; k++) {
        double t = view->sample_time(view->trajectory, k);
        if (t != last)
            place[(*count)++] = (struct place){false, k, t};
        last = t;
    }
    for (int k = 0; k < view->events; k++)
        place[(*count)++] =
            (struct place){true, k, view->event_time(view->trajectory, k)};
    qsort(place, (size_t)*count, sizeof *place, by_time);
    return place;
}

/* --- terms of values -------------------------------------------------------------- */

/* What the terms of the values at the points of a trajectory are found with. */
struct terms_of {
    struct term_sizes *sizes;
    const struct columns *columns;
    const double *rho;
    double *x, *size; /* [columns->width] values of a point, and their terms */
    double span;
};

static void terms_open(struct terms_of *terms, const struct columns *columns,
                       const double *rho, double span)
{
    *terms = (struct terms_of){.sizes = term_sizes_new(columns->model),
                               .columns = columns,
                               .rho = rho,
                               .x = memory_new(2 * columns->width, sizeof *terms->x),
                               .span = span};
    terms->size = terms->x + columns->width;
}

static void terms_close(struct terms_of *terms)
{
    term_sizes_free(terms->sizes);
    free(terms->x);
}

/* Sets the terms of the values of a point, whose entries begin at `first`. */
static void add_terms(struct terms_of *terms, struct results *results,
                      const struct mode *mode, int first)
{
    if (terms == NULL)
        return;
    const struct columns *columns = terms->columns;
    int k = first;
    for (int c = 0; c < columns->width; c++)
        terms->x[c] = column_present(columns, c, mode)
                          ? mpfr_get_d(results->entry[k++].value, MPFR_RNDN)
                          : NAN;
    term_sizes_at(terms->sizes, mode, terms->rho, results->entry[first].t, terms->span,
                  terms->x, terms->size);
    k = first;
    for (int c = 0; c < columns->width; c++) {
        if (!column_present(columns, c, mode))
            continue;
        results->entry[k].terms = terms->size[c];
        results->entry[k++].part = term_sizes_part(terms->sizes)[c];
    }
}

/* --- entries ----------------------------------------------------------------------- */

static void add_sample(struct results *results, const struct view *view,
                       struct place place, int point)
{
    const struct columns *columns = view->columns;
    const struct mode *mode = view->sample_mode(view->trajectory, place.index);
    int first = results->count;
    for (int c = 0; c < columns->count; c++) {
        if (!column_present(columns, c, mode))
            continue;
        const struct quantity quantity = quantity_of_column(columns, c);
        struct entry *entry = results_put(results, &quantity, place.t, point);
        view->sample(view->trajectory, place.index, c, entry->value);
    }
    add_terms(view->terms, results, mode, first);
}

static void add_side(struct results *results, const struct view *view, struct place place,
                     int point, enum side side)
{
    const struct columns *columns = view->columns;
    const struct mode *mode = view->event_mode(view->trajectory, place.index, side);
    int first = results->count;
    for (int c = 0; c < columns->count; c++) {
        if (!column_present(columns, c, mode))
            continue;
        struct quantity quantity = quantity_of_column(columns, c);
        quantity.place = side == BEFORE ? BEFORE_EVENT : AFTER_EVENT;
        quantity.event = place.index + 1;
        struct entry *entry = results_put(results, &quantity, place.t, point);
        view->event(view->trajectory, place.index, side, c, entry->value);
    }
    add_terms(view->terms, results, mode, first);
}

/* Causes stand before their effects: the time, the state before, the derivatives of the
   time, the state after. So the first wrong entry names the fault. */
static void add_event(struct results *results, const struct view *view,
                      struct place place, int point)
{
    struct quantity quantity = quantity_of_time(place.index + 1, "");
    view->t_e(view->trajectory, place.index,
              results_put(results, &quantity, place.t, point)->value);
    add_side(results, view, place, point, BEFORE);
    for (int j = 0; j < view->columns->p; j++) {
        quantity = quantity_of_time(place.index + 1, column_parameter(view->columns, j));
        view->tau(view->trajectory, place.index, j,
                  results_put(results, &quantity, place.t, point)->value);
    }
    add_side(results, view, place, point, AFTER);
}

static void add_costs(struct results *results, const struct view *view, double t,
                      int point)
{
    if (!view->psi)
        return;
    const struct model *model = view->columns->model;
    for (int j = -1; j < view->columns->p; j++)
        for (int i = 0; i < view->costs; i++) {
            const struct quantity quantity = quantity_of_cost(
                model->cost[i], j < 0 ? "" : column_parameter(view->columns, j));
            struct entry *entry = results_put(results, &quantity, t, point);
            view->psi(view->trajectory, i + view->costs * (j + 1), entry->value);
        }
}

/* An event near grazing costs dt/drho digits, and with it every derivative after the
   event: they get the condition of the event. */
static void mark_after(struct results *results, const struct view *view,
                       struct place place, int first, double *worst)
{
    double before = *worst;
    if (place.is_event) {
        double condition = view->condition(view->trajectory, place.index);
        *worst = condition >= near_grazing ? fmax(*worst, condition) : *worst;
    }
    for (int k = first; k < results->count; k++) {
        struct entry *entry = &results->entry[k];
        const struct quantity quantity = quantity_parse(entry->name);
        if (is_derivative(&quantity))
            entry->condition = quantity.place == BEFORE_EVENT ? before : *worst;
    }
}

/* rho [model->p]: parameters of the run; NULL: they are not known. */
static struct results *results_of_view(struct view *view, mpfr_prec_t precision,
                                       const double *rho)
{
    struct results *results = results_new(precision);
    int count;
    struct place *place = places_in_time(view, &count);
    double worst = 0;
    struct terms_of terms;
    if (rho && count > 0) {
        terms_open(&terms, view->columns, rho, place[count - 1].t - place[0].t);
        view->terms = &terms;
    }

    for (int k = 0; k < count; k++) {
        int first = results->count;
        if (place[k].is_event)
            add_event(results, view, place[k], view->first_point + k);
        else
            add_sample(results, view, place[k], view->first_point + k);
        mark_after(results, view, place[k], first, &worst);
    }
    int first = results->count;
    if (count > 0) {
        add_costs(results, view, place[count - 1].t, view->first_point + count);
        mark_after(results, view, (struct place){0}, first, &worst);
    }
    if (view->terms)
        terms_close(&terms);
    free(place);
    return results;
}

/* --- sizes of parameters ---------------------------------------------------------- */

/* Sets the size of the parameter that each derivative is by; that of a direction is
   one. */
static void add_parameter_sizes(struct results *results, const struct model *model,
                                const double *value)
{
    for (int k = 0; k < results->count; k++) {
        struct entry *entry = &results->entry[k];
        const struct quantity quantity = quantity_parse(entry->name);
        int j = is_derivative(&quantity) ? model_parameter_index(model, quantity.by) : -1;
        if (is_derivative(&quantity))
            entry->rho = j >= 0 ? parameter_size(value[j]) : 1;
    }
}

/* --- the double trajectory ---------------------------------------------------------- */

static const struct run_point *side_of(const void *trajectory, int k, enum side side)
{
    const struct event_record *event = &((const struct trajectory *)trajectory)->event[k];
    return side == BEFORE ? &event->before : &event->after;
}

static double double_sample_time(const void *trajectory, int k)
{
    return ((const struct trajectory *)trajectory)->sample[k].t;
}

static double double_event_time(const void *trajectory, int k)
{
    return side_of(trajectory, k, BEFORE)->t;
}

static const struct mode *double_sample_mode(const void *trajectory, int k)
{
    return ((const struct trajectory *)trajectory)->sample[k].mode;
}

static const struct mode *double_event_mode(const void *trajectory, int k, enum side side)
{
    return side_of(trajectory, k, side)->mode;
}

static void double_sample(const void *trajectory, int k, int column, mpfr_ptr value)
{
    mpfr_set_d(value, ((const struct trajectory *)trajectory)->sample[k].x[column],
               MPFR_RNDN);
}

static void double_event(const void *trajectory, int k, enum side side, int column,
                         mpfr_ptr value)
{
    mpfr_set_d(value, side_of(trajectory, k, side)->x[column], MPFR_RNDN);
}

static void double_t_e(const void *trajectory, int k, mpfr_ptr value)
{
    mpfr_set_d(value, double_event_time(trajectory, k), MPFR_RNDN);
}

static void double_tau(const void *trajectory, int k, int parameter, mpfr_ptr value)
{
    mpfr_set_d(value, ((const struct trajectory *)trajectory)->event[k].tau[parameter],
               MPFR_RNDN);
}

static double double_condition(const void *trajectory, int k)
{
    return ((const struct trajectory *)trajectory)->event[k].condition;
}

static void double_psi(const void *trajectory, int index, mpfr_ptr value)
{
    mpfr_set_d(value, ((const struct trajectory *)trajectory)->psi[index], MPFR_RNDN);
}

struct results *results_of_trajectory(const struct trajectory *trajectory)
{
    struct view view = {
        .columns = &trajectory->columns, .trajectory = trajectory,
        .samples = trajectory->samples, .events = trajectory->events,
        .costs = trajectory->columns.model->nz,
        .sample_time = double_sample_time, .event_time = double_event_time,
        .sample_mode = double_sample_mode, .event_mode = double_event_mode,
        .sample = double_sample, .event = double_event,
        .t_e = double_t_e, .tau = double_tau, .condition = double_condition,
        .psi = trajectory->psi ? double_psi : NULL,
    };
    struct results *results = results_of_view(&view, 53, trajectory->value);
    if (trajectory->value)
        add_parameter_sizes(results, trajectory->columns.model, trajectory->value);
    return results;
}

/* --- the stages of a DAE ---------------------------------------------------------- */

/* The key of the number that the method has itself of a quantity: "stage.a.x2" for
   "a.x2". */
static struct quantity stage_of(const struct quantity *quantity)
{
    char value[QUANTITY_NAME];
    struct quantity stage = *quantity;
    stage.by[0] = '\0';
    quantity_history(&stage, value, sizeof value);
    stage = (struct quantity){.place = quantity->place, .event = quantity->event,
                              .kind = QUANTITY_STAGE};
    memcpy(stage.of, value, sizeof stage.of);
    memcpy(stage.by, quantity->by, sizeof stage.by);
    return stage;
}

struct results *results_of_stages(const struct trajectory *trajectory)
{
    const struct columns *columns = &trajectory->columns;
    int n = columns->model->n, width = n + columns->model->m;
    struct results *results = results_new(53);
    struct view view = {.trajectory = trajectory, .samples = trajectory->samples,
                        .events = trajectory->events,
                        .sample_time = double_sample_time,
                        .event_time = double_event_time};
    int count;
    struct place *place = places_in_time(&view, &count);
    for (int k = 0; k < count; k++) {
        const struct run_point *at = &trajectory->sample[place[k].index];
        for (int c = 0; c < columns->count && !place[k].is_event && at->stage; c++) {
            enum column_group which;
            int i, j;
            column_parts(columns, c, &which, &i, &j);
            if ((which != GROUP_A && which != GROUP_LAMBDA) ||
                !column_present(columns, c, at->mode))
                continue;
            const struct quantity unknown = quantity_of_column(columns, c);
            const struct quantity stage = stage_of(&unknown);
            mpfr_set_d(results_put(results, &stage, place[k].t, k)->value,
                       at->stage[(j + 1) * width + (which == GROUP_LAMBDA ? n : 0) + i],
                       MPFR_RNDN);
        }
    }
    free(place);
    if (trajectory->value)
        add_parameter_sizes(results, columns->model, trajectory->value);
    return results;
}

struct results *results_for_stages(const struct results *want,
                                   const struct results *stages)
{
    struct results *results = results_new(want->precision);
    int next = 0;
    for (int k = 0; k < want->count && next < stages->count; k++) {
        const struct entry *entry = &want->entry[k], *stage = &stages->entry[next];
        char name[QUANTITY_NAME];
        const struct quantity quantity = quantity_parse(entry->name);
        const struct quantity of_stage = stage_of(&quantity);
        quantity_print(&of_stage, name, sizeof name);
        if (entry->point != stage->point || strcmp(name, stage->name) != 0)
            continue;
        results_put_numbers(results, stage, entry);
        next++;
    }
    return results;
}

/* --- the MPFR trajectory ------------------------------------------------------------ */

static const struct mp_point *mp_side_of(const void *trajectory, int k, enum side side)
{
    const struct mp_event *event = &((const struct mp_trajectory *)trajectory)->event[k];
    return side == BEFORE ? &event->before : &event->after;
}

static double mp_sample_time(const void *trajectory, int k)
{
    return mpfr_get_d(((const struct mp_trajectory *)trajectory)->sample[k].t, MPFR_RNDN);
}

static double mp_event_time(const void *trajectory, int k)
{
    return mpfr_get_d(mp_side_of(trajectory, k, BEFORE)->t, MPFR_RNDN);
}

static const struct mode *mp_sample_mode(const void *trajectory, int k)
{
    return ((const struct mp_trajectory *)trajectory)->sample[k].mode;
}

static const struct mode *mp_event_mode(const void *trajectory, int k, enum side side)
{
    return mp_side_of(trajectory, k, side)->mode;
}

static void mp_sample(const void *trajectory, int k, int column, mpfr_ptr value)
{
    mpfr_set(value, ((const struct mp_trajectory *)trajectory)->sample[k].x[column],
             MPFR_RNDN);
}

static void mp_event_value(const void *trajectory, int k, enum side side, int column,
                           mpfr_ptr value)
{
    mpfr_set(value, mp_side_of(trajectory, k, side)->x[column], MPFR_RNDN);
}

static void mp_t_e(const void *trajectory, int k, mpfr_ptr value)
{
    mpfr_set(value, mp_side_of(trajectory, k, BEFORE)->t, MPFR_RNDN);
}

static void mp_tau(const void *trajectory, int k, int parameter, mpfr_ptr value)
{
    mpfr_set(value, ((const struct mp_trajectory *)trajectory)->event[k].tau[parameter],
             MPFR_RNDN);
}

static double mp_condition(const void *trajectory, int k)
{
    return ((const struct mp_trajectory *)trajectory)->event[k].condition;
}

static void mp_psi(const void *trajectory, int index, mpfr_ptr value)
{
    mpfr_set(value, ((const struct mp_trajectory *)trajectory)->psi[index], MPFR_RNDN);
}

struct results *results_of_reference(const struct mp_trajectory *trajectory)
{
    const struct model *model = trajectory->columns.model;
    bool has_start = is_zero(model->t0) && trajectory->samples > 0 &&
                     mpfr_zero_p(trajectory->sample[0].t);
    struct view view = {
        .first_point = has_start ? 0 : 1,
        .columns = &trajectory->columns, .trajectory = trajectory,
        .samples = trajectory->samples, .events = trajectory->events,
        .costs = model->nz,
        .sample_time = mp_sample_time, .event_time = mp_event_time,
        .sample_mode = mp_sample_mode, .event_mode = mp_event_mode,
        .sample = mp_sample, .event = mp_event_value,
        .t_e = mp_t_e, .tau = mp_tau, .condition = mp_condition,
        .psi = trajectory->psi ? mp_psi : NULL,
    };
    double *value = memory_new(model->p, sizeof *value);
    struct diagnosis ignored;
    bool known = model_nominal_values(model, value, &ignored) == OK;
    struct results *results = results_of_view(&view, trajectory->precision,
                                              known ? value : NULL);
    if (known)
        add_parameter_sizes(results, model, value);
    free(value);
    return results;
}
