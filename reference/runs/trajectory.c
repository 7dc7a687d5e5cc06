/* trajectory.c - trajectories in memory: points, events, and the digits on which
   numbers agree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "events/mp_run.h"

/* A vector seen as an array of mpfr_t, which is the same memory. */
static mpfr_t *as_array(mpfr_ptr x)
{
    return (mpfr_t *)x;
}

static mpfr_ptr as_vector(mpfr_t *x)
{
    return (mpfr_ptr)x;
}

void mp_trajectory_point(struct mp_trajectory *trajectory, struct mp_point *point)
{
    mpfr_ptr x = mp_vector_new((size_t)trajectory->columns.count, trajectory->precision);
    for (int i = 0; i < trajectory->columns.count; i++)
        mpfr_set_nan(x + i);
    mpfr_init2(point->t, trajectory->precision);
    mpfr_set_zero(point->t, 1);
    point->x = as_array(x);
    point->mode = NULL;
}

struct mp_trajectory *mp_trajectory_new(const struct model *model, int parameters,
                                        const int *parameter, int samples,
                                        mpfr_prec_t precision)
{
    struct mp_trajectory *trajectory = memory_new(1, sizeof *trajectory);
    trajectory->parameter = memory_new(parameters, sizeof *trajectory->parameter);
    for (int j = 0; j < parameters; j++)
        trajectory->parameter[j] = parameter ? parameter[j] : -1;
    columns_init(&trajectory->columns, model, parameters, trajectory->parameter);
    trajectory->columns.along = parameters > 0 && parameter == NULL;
    trajectory->precision = precision;
    trajectory->samples = samples;
    trajectory->sample = memory_new(samples, sizeof *trajectory->sample);
    for (int i = 0; i < samples; i++)
        mp_trajectory_point(trajectory, &trajectory->sample[i]);
    trajectory->psi = as_array(mp_vector_new((size_t)(model->nz * (1 + parameters)),
                                             precision));
    return trajectory;
}

struct mp_event *mp_trajectory_event(struct mp_trajectory *trajectory, int *room)
{
    trajectory->event = memory_grow(trajectory->event, room, trajectory->events + 1,
                                    sizeof *trajectory->event);
    struct mp_event *event = &trajectory->event[trajectory->events++];
    *event = (struct mp_event){0};
    event->tau = as_array(mp_vector_new((size_t)trajectory->columns.p,
                                        trajectory->precision));
    mp_trajectory_point(trajectory, &event->before);
    mp_trajectory_point(trajectory, &event->after);
    return event;
}

static void point_clear(struct mp_point *point)
{
    mpfr_clear(point->t);
    mp_vector_free(as_vector(point->x));
}

void mp_trajectory_cut(struct mp_trajectory *trajectory, int samples)
{
    while (trajectory->samples > samples)
        point_clear(&trajectory->sample[--trajectory->samples]);
}

void mp_trajectory_free(struct mp_trajectory *trajectory)
{
    if (trajectory == NULL)
        return;
    mp_trajectory_cut(trajectory, 0);
    while (trajectory->events > 0)
        mp_trajectory_drop_event(trajectory);
    free(trajectory->sample);
    free(trajectory->event);
    mp_vector_free(as_vector(trajectory->psi));
    free(trajectory->parameter);
    free(trajectory);
}

void mp_trajectory_drop_event(struct mp_trajectory *trajectory)
{
    struct mp_event *event = &trajectory->event[--trajectory->events];
    mp_vector_free(as_vector(event->tau));
    point_clear(&event->before);
    point_clear(&event->after);
}

void mp_trajectory_record(const struct mp_trajectory *trajectory,
                          const struct taylor *taylor, struct mp_point *point)
{
    const struct columns *columns = &trajectory->columns;
    mpfr_ptr x = as_vector(point->x);
    int n = taylor->n, ns = taylor->ns;
    point->mode = taylor->plan->mode;
    mpfr_set(point->t, taylor->t, MPFR_RNDN);
    for (int lane = 0; lane < taylor->lanes; lane++) {
        mpfr_ptr row = x + lane * columns->width;
        for (int i = 0; i < 2 * n + ns; i++)
            mpfr_set(row + i, taylor_y(taylor, lane, i), MPFR_RNDN);
        for (int i = 0; i < n + taylor->m; i++)
            mpfr_set(row + columns->begin[GROUP_A] + i, taylor_u(taylor, lane, i),
                     MPFR_RNDN);
        for (int i = 0; i < taylor->nz; i++)
            mpfr_set(row + columns->begin[GROUP_Z] + i,
                     taylor_y(taylor, lane, 2 * n + ns + i), MPFR_RNDN);
    }
}

void mp_trajectory_rates(const struct mp_trajectory *trajectory,
                         const struct taylor *taylor, mpfr_ptr out, mpfr_ptr second)
{
    const struct columns *columns = &trajectory->columns;
    int n = taylor->n;
    for (int i = 0; i < n; i++) {
        mpfr_set(out + i, taylor_y(taylor, 0, n + i), MPFR_RNDN);
        mpfr_set(out + n + i, taylor_u(taylor, 0, i), MPFR_RNDN);
    }
    for (int i = 0; i < taylor->ns; i++)
        mpfr_set(out + 2 * n + i, taylor_f_s(taylor, 0, i, 0), MPFR_RNDN);
    for (int i = 0; i < n + taylor->m; i++)
        mpfr_set(out + columns->begin[GROUP_A] + i, taylor_u(taylor, 0, i) + 1,
                 MPFR_RNDN);
    for (int i = 0; i < taylor->nz; i++)
        mpfr_set(out + columns->begin[GROUP_Z] + i, taylor_g(taylor, 0, i, 0), MPFR_RNDN);
    for (int i = 0; i < 2 * n + taylor->ns; i++)
        mpfr_mul_2ui(second + i, taylor_y(taylor, 0, i) + 2, 1, MPFR_RNDN);
    for (int i = 0; i < n + taylor->m; i++)
        mpfr_mul_2ui(second + columns->begin[GROUP_A] + i, taylor_u(taylor, 0, i) + 2, 1,
                     MPFR_RNDN);
    for (int i = 0; i < taylor->nz; i++)
        mpfr_mul_2ui(second + columns->begin[GROUP_Z] + i,
                     taylor_y(taylor, 0, 2 * n + taylor->ns + i) + 2, 1, MPFR_RNDN);
}

double mp_digits(mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr scale)
{
    return mp_digits_of_size(a, b, scale != NULL ? mp_log2(scale) : -INFINITY);
}

double mp_digits_of_size(mpfr_srcptr a, mpfr_srcptr b, double size)
{
    mpfr_prec_t precision = mpfr_get_prec(a) < mpfr_get_prec(b) ? mpfr_get_prec(a)
                                                                : mpfr_get_prec(b);
    double most = (double)precision * MP_DIGITS_PER_BIT;
    if (mpfr_nan_p(a) && mpfr_nan_p(b))
        return most;
    if (!mpfr_number_p(a) || !mpfr_number_p(b))
        return 0;
    mpfr_t difference;
    mpfr_init2(difference, precision);
    mpfr_sub(difference, a, b, MPFR_RNDN);
    double digits = (fmax(mp_log2(b), size) - mp_log2(difference)) * MP_DIGITS_PER_BIT;
    bool same = mpfr_zero_p(difference);
    mpfr_clear(difference);
    if (same)
        return most;
    return digits > most ? most : digits > 0 ? digits : 0;
}
