/*
 * difference.c - central differences of whole trajectories, the second route to
 * derivatives.
 *
 * 2p + 1 runs of programs that contain no derivative rows: the nominal one, and for each
 * parameter one at rho_j + h and one at rho_j - h, each with its own events. Samples and
 * final costs are differenced as they are. At an event the runs are at different times:
 * the moving value is differenced, and brought back to fixed time with the rates of the
 * nominal run, Q = d[q(t_e)] - v tau.
 *
 * Along a single direction the means of its two runs, as good as the difference, stand
 * for the nominal run.
 */
#include "difference.h"

/* --- differences -------------------------------------------------------------------- */

/* x = (plus - minus) / 2h */
static void central(mpfr_ptr x, mpfr_srcptr plus, mpfr_srcptr minus, mpfr_srcptr h)
{
    mpfr_sub(x, plus, minus, MPFR_RNDN);
    mpfr_div(x, x, h, MPFR_RNDN);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
}

/* One block of derivatives of a point at fixed time or, with tau given, of a moving
   point, which is brought back to fixed time by its rates. */
static void difference_point(struct mp_point *out, const struct columns *columns, int j,
                             const struct mp_point *plus, const struct mp_point *minus,
                             mpfr_srcptr h, mpfr_srcptr tau, mpfr_srcptr rate)
{
    for (int i = 0; i < columns->width; i++) {
        mpfr_ptr x = (mpfr_ptr)out->x + (j + 1) * columns->width + i;
        central(x, plus->x[i], minus->x[i], h);
        if (tau == NULL)
            continue;
        mpfr_t moved;
        mpfr_init2(moved, mpfr_get_prec(x));
        mpfr_mul(moved, rate + i, tau, MPFR_RNDN);
        mpfr_sub(x, x, moved, MPFR_RNDN);
        mpfr_clear(moved);
    }
}

/* x = (a + b) / 2; exactly a if both are equal */
static void mean(mpfr_ptr x, mpfr_srcptr a, mpfr_srcptr b)
{
    mpfr_add(x, a, b, MPFR_RNDN);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
}

/* The values of a point as means of two runs, which may be one run twice. */
static void mean_point(struct mp_point *out, const struct mp_point *a,
                       const struct mp_point *b, int width)
{
    out->mode = a->mode;
    mean(out->t, a->t, b->t);
    for (int i = 0; i < width; i++)
        mean(out->x[i], a->x[i], b->x[i]);
}

static void difference_events(const struct difference *all, struct mp_trajectory *out,
                              int j)
{
    const struct columns *columns = &out->columns;
    const struct mp_trajectory *plus = job_plus(all, j)->out;
    const struct mp_trajectory *minus = job_minus(all, j)->out;
    mpfr_srcptr h = all->h + j;
    for (int e = 0; e < out->events; e++) {
        struct mp_event *event = &out->event[e];
        const struct mp_event *up = &plus->event[e], *down = &minus->event[e];
        mpfr_srcptr rate = all->job[0].rates[e];
        central(event->tau[j], up->before.t, down->before.t, h);
        bool fixed = event->together || (e + 1 < out->events && event[1].together);
        mpfr_srcptr tau = fixed ? NULL : event->tau[j];
        difference_point(&event->before, columns, j, &up->before, &down->before, h, tau,
                         rate);
        difference_point(&event->after, columns, j, &up->after, &down->after, h, tau,
                         rate + columns->width);
    }
}

/* Replaces the rates at events in run 0 by the means of both runs, if they stand for
   the nominal run. */
static void mean_rates(const struct difference *all)
{
    if (all->nominal > 0)
        return;
    for (int e = 0; e < all->job[0].out->events; e++)
        for (int i = 0; i < 2 * all->job[0].out->columns.width; i++)
            mean(all->job[0].rates[e] + i, all->job[0].rates[e] + i,
                 all->job[1].rates[e] + i);
}

/* A trajectory with the values of the nominal run, or the means of the two runs that
   stand for it. */
static struct mp_trajectory *values(const struct difference *all)
{
    const struct mp_trajectory *a = all->job[0].out;
    const struct mp_trajectory *b = all->job[all->nominal > 0 ? 0 : 1].out;
    const struct reference_request *request = all->request;
    const int *parameter = request->direction ? NULL : request->parameter;
    int width = a->columns.width, room = 0;
    struct mp_trajectory *out = mp_trajectory_new(all->plan->model, all->directions,
                                               parameter, a->samples, a->precision);
    out->worst_Phi = a->worst_Phi;
    out->worst_Phid = a->worst_Phid;
    out->worst_energy = a->worst_energy;
    out->worst_balance = a->worst_balance;
    out->steps = a->steps;
    out->order = a->order;
    for (int k = 0; k < a->samples; k++)
        mean_point(&out->sample[k], &a->sample[k], &b->sample[k], width);
    for (int e = 0; e < a->events; e++) {
        struct mp_event *event = mp_trajectory_event(out, &room);
        event->event = a->event[e].event;
        event->together = a->event[e].together;
        mean_point(&event->before, &a->event[e].before, &b->event[e].before, width);
        mean_point(&event->after, &a->event[e].after, &b->event[e].after, width);
    }
    for (int i = 0; i < all->plan->model->nz; i++)
        mean(out->psi[i], a->psi[i], b->psi[i]);
    return out;
}

static struct mp_trajectory *assemble(const struct difference *all)
{
    int nz = all->plan->model->nz;
    struct mp_trajectory *out = values(all);
    mean_rates(all);
    for (int j = 0; j < all->directions; j++) {
        const struct mp_trajectory *plus = job_plus(all, j)->out;
        const struct mp_trajectory *minus = job_minus(all, j)->out;
        for (int k = 0; k < out->samples; k++)
            difference_point(&out->sample[k], &out->columns, j, &plus->sample[k],
                             &minus->sample[k], all->h + j, NULL, NULL);
        difference_events(all, out, j);
        for (int i = 0; i < nz; i++)
            central(out->psi[(j + 1) * nz + i], plus->psi[i], minus->psi[i], all->h + j);
    }
    return out;
}

enum status difference_try(const struct reference_request *request, bool halved,
                           int threads, struct mp_trajectory **out, bool *nominal,
                           struct diagnosis *diagnosis)
{
    *out = NULL;
    *nominal = true;
    struct plan *plan = plan_new(request->model, &request->truth, false, diagnosis);
    if (plan == NULL)
        return diagnosis->status;
    struct difference all;
    difference_open(&all, plan, request);
    enum status status = difference_runs(&all, halved, threads, diagnosis);
    if (status == OK)
        *out = assemble(&all);
    *nominal = all.failed < all.nominal;
    difference_close(&all);
    plan_free(plan);
    return status;
}

enum status reference_difference(const struct reference_request *request, bool halved,
                                 int threads, struct mp_trajectory **out,
                                 struct diagnosis *diagnosis)
{
    struct diagnosis own;
    bool nominal;
    return difference_try(request, halved, threads, out, &nominal,
                          diagnosis ? diagnosis : &own);
}
