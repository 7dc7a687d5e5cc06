/*
 * along.c - directional derivatives: directions in the space of parameters, and
 * derivatives of a trajectory combined along one.
 */
#include <math.h>

#include "base/memory.h"
#include "events/mp_run.h"
#include "size.h"

int run_directions(const struct reference_request *request)
{
    return request->direction && request->parameters > 0 ? 1 : request->parameters;
}

/* Reads the weights w [count] from text. BAD_INPUT: one is no number, or all are zero. */
static enum status read_weights(const char *const *text, int count, mpfr_ptr w,
                                struct diagnosis *diagnosis)
{
    bool zero = true;
    for (int j = 0; j < count; j++) {
        if (!run_number(text[j], w + j))
            return diagnose(diagnosis, BAD_INPUT, NAN, "weight \"%s\" of a direction is "
                            "not a number", text[j]);
        zero = zero && mpfr_zero_p(w + j);
    }
    return zero ? diagnose(diagnosis, BAD_INPUT, NAN, "a direction of weights zero") : OK;
}

enum status run_units(const struct reference_request *request, mpfr_ptr unit,
                      struct diagnosis *diagnosis)
{
    int p = request->model->p, count = request->parameters;
    if (request->direction == NULL) {
        for (int j = 0; j < count; j++)
            mpfr_set_ui(unit + j * p + request->parameter[j], 1, MPFR_RNDN);
        return OK;
    }
    mpfr_ptr w = mp_vector_new((size_t)count, mpfr_get_prec(unit));
    enum status status = read_weights(request->direction, count, w, diagnosis);
    for (int j = 0; status == OK && j < count; j++)
        mpfr_set(unit + request->parameter[j], w + j, MPFR_RNDN);
    mp_vector_free(w);
    return status;
}

double run_reach(mpfr_srcptr rho, mpfr_srcptr unit, int p)
{
    double reach = INFINITY;
    for (int k = 0; k < p; k++)
        reach = fmin(reach, parameter_size_log2(mp_log2(rho + k)) - mp_log2(unit + k));
    return reach;
}

/* --- a trajectory along a direction
   -------------------------------------------------- */

/* Copies the values [width], and appends sum_j w_j (derivative by rho_j). */
static void combine(mpfr_srcptr x, int width, mpfr_srcptr w, int p, mpfr_ptr out)
{
    mp_copy(out, x, width);
    for (int i = 0; i < width; i++) {
        mpfr_ptr sum = out + width + i;
        mpfr_set_zero(sum, 1);
        for (int j = 0; j < p; j++)
            mpfr_fma(sum, w + j, x + (j + 1) * width + i, sum, MPFR_RNDN);
    }
}

static void combine_point(const struct columns *columns, const struct mp_point *point,
                          mpfr_srcptr w, struct mp_point *out)
{
    out->mode = point->mode;
    mpfr_set(out->t, point->t, MPFR_RNDN);
    combine((mpfr_srcptr)point->x, columns->width, w, columns->p, (mpfr_ptr)out->x);
}

static struct mp_trajectory *combined(const struct mp_trajectory *t, mpfr_srcptr w,
                                      bool ends)
{
    const struct columns *columns = &t->columns;
    int first = ends && t->samples > 0 ? t->samples - 1 : 0, room = 0;
    struct mp_trajectory *out = mp_trajectory_new(columns->model, 1, NULL,
                                               t->samples - first, t->precision);
    for (int i = first; i < t->samples; i++)
        combine_point(columns, &t->sample[i], w, &out->sample[i - first]);
    for (int e = 0; e < t->events; e++) {
        struct mp_event *event = mp_trajectory_event(out, &room);
        event->event = t->event[e].event;
        event->together = t->event[e].together;
        event->rate = t->event[e].rate;
        event->condition = t->event[e].condition;
        mpfr_set_zero(event->tau[0], 1);
        for (int j = 0; j < columns->p; j++)
            mpfr_fma(event->tau[0], w + j, t->event[e].tau[j], event->tau[0], MPFR_RNDN);
        combine_point(columns, &t->event[e].before, w, &event->before);
        combine_point(columns, &t->event[e].after, w, &event->after);
    }
    combine((mpfr_srcptr)t->psi, columns->model->nz, w, columns->p, (mpfr_ptr)out->psi);
    out->worst_Phi = t->worst_Phi;
    out->worst_Phid = t->worst_Phid;
    out->worst_energy = t->worst_energy;
    out->worst_balance = t->worst_balance;
    out->steps = t->steps;
    out->order = t->order;
    return out;
}

enum status mp_trajectory_along(const struct mp_trajectory *trajectory,
                                const char *const *direction, bool ends,
                                struct mp_trajectory **out, struct diagnosis *diagnosis)
{
    int p = trajectory->columns.p;
    *out = NULL;
    mpfr_ptr w = mp_vector_new((size_t)p, trajectory->precision);
    enum status status = read_weights(direction, p, w, diagnosis);
    if (status == OK)
        *out = combined(trajectory, w, ends);
    mp_vector_free(w);
    return status;
}
