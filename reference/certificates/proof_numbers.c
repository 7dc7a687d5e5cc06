/*
 * proof_numbers.c - numbers of a proof: how wide their balls are, their middles, and
 * certified values beside them.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "certificate.h"
#include "events/mp_run.h"
#include "proof.h"
#include "value_sizes.h"

/* --- width ------------------------------------------------------------------------- */

/* All numbers of a motion are looked at one by one. */
struct measuring {
    const struct columns *columns;
    double *scale;              /* [GROUPS (1 + p)] log2 of the largest of its kind */
    struct proof_extent extent;
};

static double *scale_of(const struct measuring *m, int c)
{
    enum column_group group;
    int i, j;
    column_parts(m->columns, c, &group, &i, &j);
    return &m->scale[(int)group * (1 + m->columns->p) + 1 + j];
}

/* -log10(radius/scale). A number without radius says nothing of the others. */
static void measure(struct measuring *m, const arb_t x, double log2_scale)
{
    m->extent.numbers++;
    if (mag_is_zero(arb_radref(x)))
        return;
    double digits = MP_DIGITS_PER_BIT * (fmax(enclosure_log2(x), log2_scale) -
                                         mag_get_d_log2_approx(arb_radref(x)));
    m->extent.widest = fmin(m->extent.widest, digits);
    m->extent.narrowest = fmax(m->extent.narrowest, digits);
}

typedef void point_fn(struct measuring *m, const struct enclosed_point *point);

static void raise_scale(struct measuring *m, const struct enclosed_point *point)
{
    for (int c = 0; c < m->columns->count; c++)
        if (column_present(m->columns, c, point->mode))
            *scale_of(m, c) = fmax(*scale_of(m, c), enclosure_log2(point->x + c));
}

static void measure_point(struct measuring *m, const struct enclosed_point *point)
{
    for (int c = 0; c < m->columns->count; c++)
        if (column_present(m->columns, c, point->mode))
            measure(m, point->x + c, *scale_of(m, c));
}

static void each_point(struct measuring *m, const struct enclosed_motion *motion,
                       point_fn *fn)
{
    for (int i = 0; i < motion->samples; i++)
        fn(m, &motion->sample[i]);
    for (int i = 0; i < motion->events; i++) {
        fn(m, &motion->event[i].before);
        fn(m, &motion->event[i].after);
    }
}

struct proof_extent proof_extent(const struct enclosed_motion *motion)
{
    int p = motion->columns.p, nz = motion->columns.model->nz, kinds = GROUPS * (1 + p);
    struct measuring m = {.columns = &motion->columns,
                          .scale = memory_new(kinds, sizeof(double)),
                          .extent = {.widest = INFINITY, .narrowest = -INFINITY}};
    for (int k = 0; k < kinds; k++)
        m.scale[k] = -INFINITY;
    each_point(&m, motion, raise_scale);
    /* Derivatives are measured by the values over the parameter, at least: one that is
       zero throughout has no size of its own. */
    for (int k = 0; k < kinds; k++) {
        int j = k % (1 + p);
        if (j > 0)
            m.scale[k] = fmax(m.scale[k], m.scale[k - j] - fmax(0, enclosure_log2(
                motion->rho + motion->parameter[j - 1])));
    }
    for (int k = 0; k < kinds; k++)
        if (isinf(m.scale[k]))
            m.scale[k] = 0;
    each_point(&m, motion, measure_point);
    for (int i = 0; i < motion->events; i++) {
        double t = enclosure_log2(motion->event[i].before.t);
        measure(&m, motion->event[i].before.t, t);
        for (int j = 0; j < p; j++)
            measure(&m, motion->event[i].tau + j, t);
    }
    for (int i = 0; i < nz * (1 + p); i++)
        measure(&m, motion->psi + i, m.scale[GROUP_Z * (1 + p) + i / nz]);
    free(m.scale);
    return m.extent;
}

/* --- middles ------------------------------------------------------------------------ */

static void copy_point(struct mp_point *to, const struct enclosed_point *from,
                       int columns)
{
    to->mode = from->mode;
    arf_get_mpfr(to->t, arb_midref(from->t), MPFR_RNDN);
    for (int c = 0; c < columns; c++)
        arf_get_mpfr(to->x[c], arb_midref(from->x + c), MPFR_RNDN);
}

struct mp_trajectory *proof_middles(const struct proof *proof)
{
    const struct enclosed_motion *motion = proof->motion;
    const struct columns *columns = &motion->columns;
    struct mp_trajectory *out = mp_trajectory_new(
        columns->model, columns->p, motion->parameter, motion->samples,
        mp_precision(proof->carried));
    int room = 0;
    for (int i = 0; i < motion->samples; i++)
        copy_point(&out->sample[i], &motion->sample[i], columns->count);
    for (int i = 0; i < motion->events; i++) {
        struct mp_event *event = mp_trajectory_event(out, &room);
        event->event = motion->event[i].event;
        copy_point(&event->before, &motion->event[i].before, columns->count);
        copy_point(&event->after, &motion->event[i].after, columns->count);
        for (int j = 0; j < columns->p; j++)
            arf_get_mpfr(event->tau[j], arb_midref(motion->event[i].tau + j), MPFR_RNDN);
    }
    for (int i = 0; i < columns->model->nz * (1 + columns->p); i++)
        arf_get_mpfr(out->psi[i], arb_midref(motion->psi + i), MPFR_RNDN);
    return out;
}

/* --- certified values --------------------------------------------------------------- */

/* How certified values lie beside the balls. */
struct beside {
    const struct columns *columns;
    struct value_sizes *sizes;
    double most;                /* digits that the text of a certified number may have */
    char *outside;              /* the first that lies outside */
    int size;
};

/* A certified value with its digits is an interval, which must meet the ball. */
static bool meets(const struct beside *beside, mpfr_srcptr value, mpfr_srcptr agreed,
                  double size, const arb_t ball)
{
    arb_t x;
    arb_init(x);
    arf_set_mpfr(arb_midref(x), value);
    size = fmax(size, mp_log2(value));
    double bits = fmin(mpfr_get_d(agreed, MPFR_RNDN), beside->most) * MP_BITS_PER_DIGIT;
    if (size > -INFINITY)
        arb_add_error_2exp_si(x, (slong)ceil(size - bits));
    bool good = arb_overlaps(x, ball);
    arb_clear(x);
    return good;
}

static bool point_meets(struct beside *beside, const struct mp_point *value,
                        const struct mp_point *agreed, const double *sizes,
                        const struct enclosed_point *ball, const char *place)
{
    char name[200];
    if (value->mode->index != ball->mode->index) {
        snprintf(beside->outside, (size_t)beside->size, "%s: mode %s", place,
                 value->mode->name);
        return false;
    }
    for (int c = 0; c < beside->columns->count; c++) {
        if (!column_present(beside->columns, c, value->mode) ||
            meets(beside, value->x[c], agreed->x[c], sizes[c], ball->x + c))
            continue;
        column_name(beside->columns, c, name, sizeof name);
        snprintf(beside->outside, (size_t)beside->size, "%s: %s", place, name);
        return false;
    }
    return true;
}

/* Are the samples at the same times, to the digits of a double? */
static bool same_samples(const struct enclosed_motion *motion,
                         const struct mp_trajectory *values, char *outside, int size)
{
    for (int i = 0; i < motion->samples; i++) {
        double t = enclosure_time(motion->sample[i].t);
        if (fabs(t - mpfr_get_d(values->sample[i].t, MPFR_RNDN)) <= 1e-15 * fabs(t))
            continue;
        snprintf(outside, (size_t)size, "sample %d: its time is another; prove again",
                 i + 1);
        return false;
    }
    return true;
}

static bool same_shape(const struct proof *proof, const struct certificate *certificate,
                       char *outside, int size)
{
    const struct enclosed_motion *motion = proof->motion;
    const struct mp_trajectory *values = certificate->trajectory;
    bool same = motion->samples == values->samples && motion->events == values->events &&
                motion->columns.p == values->columns.p;
    for (int j = 0; same && j < motion->columns.p; j++)
        same = motion->parameter[j] == values->parameter[j];
    for (int i = 0; same && i < motion->events; i++)
        same = motion->event[i].event->index == values->event[i].event->index;
    if (!same)
        snprintf(outside, (size_t)size, "%d events, %d are proved", values->events,
                 motion->events);
    return same && same_samples(motion, values, outside, size);
}

static bool event_meets(struct beside *beside, const struct mp_event *value,
                        const struct mp_event *agreed, const struct enclosed_event *ball,
                        int number)
{
    char place[60];
    const double *tau_size = value_sizes_of_tau(beside->sizes, number - 1);
    if (!meets(beside, value->before.t, agreed->before.t, -INFINITY, ball->before.t)) {
        snprintf(beside->outside, (size_t)beside->size, "event %d: its time", number);
        return false;
    }
    for (int j = 0; j < beside->columns->p; j++) {
        if (meets(beside, value->tau[j], agreed->tau[j], tau_size[j], ball->tau + j))
            continue;
        snprintf(beside->outside, (size_t)beside->size, "event %d: dt/d%s", number,
                 column_parameter(beside->columns, j));
        return false;
    }
    snprintf(place, sizeof place, "before event %d", number);
    if (!point_meets(beside, &value->before, &agreed->before,
                     value_sizes_before(beside->sizes, number - 1), &ball->before, place))
        return false;
    snprintf(place, sizeof place, "after event %d", number);
    return point_meets(beside, &value->after, &agreed->after,
                       value_sizes_after(beside->sizes, number - 1), &ball->after, place);
}

bool proof_contains(const struct proof *proof, const struct certificate *certificate,
                    char *outside, int size)
{
    const struct enclosed_motion *motion = proof->motion;
    const struct mp_trajectory *values = certificate->trajectory;
    const struct mp_trajectory *agreed = certificate->agreement;
    const struct columns *columns = &values->columns;
    if (!same_shape(proof, certificate, outside, size))
        return false;
    struct beside beside = {.columns = columns,
                            .outside = outside,
                            .size = size,
                            .most = certificate->agreed + 5};
    mpfr_ptr rho = certificate_nominal(columns->model, proof->carried);
    beside.sizes = value_sizes_new(values, rho, certificate->agreed);
    mp_vector_free(rho);
    bool good = true;
    for (int i = 0; good && i < values->samples; i++) {
        char place[60];
        snprintf(place, sizeof place, "sample %d", i + 1);
        good = point_meets(&beside, &values->sample[i], &agreed->sample[i],
                           value_sizes_of_sample(beside.sizes, i), &motion->sample[i],
                           place);
    }
    for (int i = 0; good && i < values->events; i++)
        good = event_meets(&beside, &values->event[i], &agreed->event[i],
                           &motion->event[i], i + 1);
    int nz = columns->model->nz;
    for (int i = 0; good && i < nz * (1 + columns->p); i++) {
        good = meets(&beside, values->psi[i], agreed->psi[i],
                     value_sizes_of_psi(beside.sizes)[i], motion->psi + i);
        if (!good)
            certificate_cost_name(columns, i, outside, size);
    }
    value_sizes_free(beside.sizes);
    return good;
}
