/* value_sizes.c - sizes by which digits of a motion count; see value_sizes.h. */
#include "value_sizes.h"

#include <math.h>
#include <stdlib.h>

#include "arithmetic/mp.h"
#include "base/memory.h"
#include "events/mp_run.h"
#include "size.h"

/*
 * Quantities are numbered as columns, then times of events with their derivatives, then
 * costs. Numbers of a motion stand in order of time; those of a place are a block of
 * columns, those of an event the time, the block before, tau, the block after.
 */
struct value_sizes {
    int *sample, *event; /* first number of each */
    int psi, count, p;   /* first number of the costs; columns of a block */
    double *size;        /* [numbers] log2 */
};

struct sizing {
    const struct mp_trajectory *t;
    const struct columns *columns;
    struct value_sizes *out;
    struct term_sizes *terms;
    double *rho, *x, *term; /* [model->p], [width], [width] */
    double span;
    int quantities, kinds, numbers, point;
    struct motion_quantity *quantity;
    struct motion_number *number;
};

/* --- quantities --------------------------------------------------------------------- */

/* Kinds are the column groups, times and costs; then those of the columns by the part of
   the model. */
enum { KIND_TIME = GROUPS, KIND_PSI, FIRST_PART };

static void describe(struct sizing *s, int first, int count, int j, mpfr_srcptr rho)
{
    double size = j < 0 ? NAN
                        : parameter_size_log2(mp_log2(rho + s->columns->parameter[j]));
    for (int i = 0; i < count; i++)
        s->quantity[first + (j + 1) * count + i] = (struct motion_quantity){
            .value = first + i, .rho = size};
}

static void describe_values(struct sizing *s)
{
    const struct columns *columns = s->columns;
    const int *part = term_sizes_part(s->terms);
    int tau = columns->count, psi = tau + 1 + columns->p;
    for (int c = 0; c < columns->width; c++) {
        enum column_group group;
        int i, j;
        column_parts(columns, c, &group, &i, &j);
        s->quantity[c].group = (int)group;
        s->quantity[c].kind = FIRST_PART + columns->begin[group] + part[c];
    }
    s->quantity[tau].group = s->quantity[tau].kind = KIND_TIME;
    for (int i = 0; i < columns->model->nz; i++)
        s->quantity[psi + i].group = s->quantity[psi + i].kind = KIND_PSI;
}

static void describe_all(struct sizing *s, mpfr_srcptr rho)
{
    const struct columns *columns = s->columns;
    int nz = columns->model->nz, tau = columns->count, psi = tau + 1 + columns->p;
    s->quantities = psi + nz * (1 + columns->p);
    s->kinds = FIRST_PART + columns->width;
    s->quantity = memory_new(s->quantities, sizeof *s->quantity);
    for (int j = -1; j < columns->p; j++) {
        describe(s, 0, columns->width, j, rho);
        describe(s, tau, 1, j, rho);
        describe(s, psi, nz, j, rho);
    }
    describe_values(s);
}

/* --- numbers ------------------------------------------------------------------------ */

static void put(struct sizing *s, int quantity, mpfr_srcptr x, double terms)
{
    s->number[s->numbers++] = (struct motion_number){
        quantity, s->point, mpfr_number_p(x) ? mp_log2(x) : -INFINITY, terms, -INFINITY};
}

static void put_point(struct sizing *s, const struct mp_point *point)
{
    int width = s->columns->width;
    for (int c = 0; c < width; c++)
        s->x[c] = mpfr_get_d(point->x[c], MPFR_RNDN);
    term_sizes_at(s->terms, point->mode, s->rho, mpfr_get_d(point->t, MPFR_RNDN), s->span,
                  s->x, s->term);
    for (int c = 0; c < s->columns->count; c++)
        put(s, c, point->x[c], c < width ? s->term[c] : NAN);
}

static void put_event(struct sizing *s, const struct mp_event *event)
{
    int tau = s->columns->count;
    put(s, tau, event->before.t, NAN);
    put_point(s, &event->before);
    for (int j = 0; j < s->columns->p; j++)
        put(s, tau + 1 + j, event->tau[j], NAN);
    put_point(s, &event->after);
}

static void put_all(struct sizing *s)
{
    const struct mp_trajectory *t = s->t;
    int place = s->columns->count, costs = s->columns->model->nz * (1 + s->columns->p);
    int e = 0, psi = place + 1 + s->columns->p;
    s->number = memory_new((t->samples + 2 * t->events) * place +
                               t->events * (1 + s->columns->p) + costs,
                           sizeof *s->number);
    for (int k = 0; k <= t->samples; k++) {
        for (; e < t->events &&
               (k == t->samples || mpfr_less_p(t->event[e].before.t, t->sample[k].t));
             e++, s->point++) {
            s->out->event[e] = s->numbers;
            put_event(s, &t->event[e]);
        }
        if (k == t->samples)
            break;
        s->out->sample[k] = s->numbers;
        put_point(s, &t->sample[k]);
        s->point++;
    }
    s->out->psi = s->numbers;
    for (int i = 0; i < costs; i++)
        put(s, psi + i, t->psi[i], NAN);
}

/* --- sizes -------------------------------------------------------------------------- */

static double span_of(const struct mp_trajectory *t)
{
    double first = INFINITY, last = -INFINITY;
    for (int k = 0; k < t->samples + t->events; k++) {
        double at = mpfr_get_d(k < t->samples ? t->sample[k].t
                                              : t->event[k - t->samples].before.t,
                               MPFR_RNDN);
        first = fmin(first, at);
        last = fmax(last, at);
    }
    return last - first;
}

/* Raises the size of each derivative to that of its value over the parameter. */
static void raise_derivatives(struct sizing *s, const struct size *size)
{
    double *value = memory_new(s->quantities, sizeof *value);
    for (int k = 0; k < s->numbers; k++) {
        int quantity = s->number[k].quantity, of = s->quantity[quantity].value;
        s->out->size[k] = size[k].size;
        if (of == quantity)
            value[quantity] = size[k].size;
        else
            s->out->size[k] = fmax(size[k].size, value[of] - s->quantity[quantity].rho);
    }
    free(value);
}

static void size_all(struct sizing *s, double digits)
{
    struct size *size = memory_new(s->numbers, sizeof *size);
    const struct sized_motion motion = {.numbers = s->numbers,
                                        .quantities = s->quantities,
                                        .kinds = s->kinds,
                                        .number = s->number,
                                        .quantity = s->quantity,
                                        .floor = -INFINITY,
                                        .digits = digits};
    sizes_along(&motion, size);
    s->out->size = memory_new(s->numbers, sizeof *s->out->size);
    raise_derivatives(s, size);
    free(size);
}

struct value_sizes *value_sizes_new(const struct mp_trajectory *trajectory,
                                    mpfr_srcptr rho, double digits)
{
    const struct model *model = trajectory->columns.model;
    int width = trajectory->columns.width;
    struct value_sizes *out = memory_new(1, sizeof *out);
    *out = (struct value_sizes){
        .sample = memory_new(trajectory->samples, sizeof *out->sample),
        .event = memory_new(trajectory->events, sizeof *out->event),
        .count = trajectory->columns.count,
        .p = trajectory->columns.p};
    struct sizing s = {.t = trajectory,
                       .columns = &trajectory->columns,
                       .out = out,
                       .terms = term_sizes_new(model),
                       .span = span_of(trajectory),
                       .rho = memory_new(model->p + 2 * width, sizeof *s.rho)};
    s.x = s.rho + model->p;
    s.term = s.x + width;
    for (int j = 0; j < model->p; j++)
        s.rho[j] = mpfr_get_d(rho + j, MPFR_RNDN);
    describe_all(&s, rho);
    put_all(&s);
    size_all(&s, digits);
    term_sizes_free(s.terms);
    free(s.rho);
    free(s.quantity);
    free(s.number);
    return out;
}

enum status value_sizes_of_request(const struct reference_request *request,
                                   const struct mp_trajectory *trajectory, double digits,
                                   struct value_sizes **out, struct diagnosis *diagnosis)
{
    struct plan *plan = plan_new(request->model, &request->truth, false, diagnosis);
    mpfr_ptr rho = mp_vector_new((size_t)request->model->p,
                                 mp_precision(request->digits));
    enum status status = plan ? run_parameters(plan, request, rho, diagnosis)
                              : diagnosis->status;
    *out = status == OK ? value_sizes_new(trajectory, rho, digits) : NULL;
    plan_free(plan);
    mp_vector_free(rho);
    return status;
}

void value_sizes_free(struct value_sizes *sizes)
{
    if (sizes == NULL)
        return;
    free(sizes->sample);
    free(sizes->event);
    free(sizes->size);
    free(sizes);
}

const double *value_sizes_of_sample(const struct value_sizes *sizes, int k)
{
    return sizes->size + sizes->sample[k];
}

const double *value_sizes_before(const struct value_sizes *sizes, int event)
{
    return sizes->size + sizes->event[event] + 1;
}

const double *value_sizes_of_tau(const struct value_sizes *sizes, int event)
{
    return value_sizes_before(sizes, event) + sizes->count;
}

const double *value_sizes_after(const struct value_sizes *sizes, int event)
{
    return value_sizes_of_tau(sizes, event) + sizes->p;
}

const double *value_sizes_of_psi(const struct value_sizes *sizes)
{
    return sizes->size + sizes->psi;
}
