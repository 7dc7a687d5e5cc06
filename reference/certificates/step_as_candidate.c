/* step_as_candidate.c - steps of a run in MPFR, taken over; see step_as_candidate.h. */
#include "step_as_candidate.h"

#include "columns.h"

static void take(arb_t to, mpfr_srcptr from)
{
    arf_set_mpfr(arb_midref(to), from);
}

/* Series of a, lambda, and rates of s, z from those of s, z. */
static void take_lane(struct candidate *c, const struct taylor *taylor, int lane)
{
    int length = c->order + 1, rates = taylor->n + taylor->m + taylor->ns + taylor->nz;
    arb_ptr state = c->state + lane * taylor->width;
    arb_ptr rate = c->rate + lane * rates * length;
    for (int i = 0; i < taylor->width; i++)
        take(state + i, taylor_y(taylor, lane, i));
    for (int i = 0; i < taylor->n + taylor->m; i++)
        for (int k = 0; k < length; k++)
            take(rate + i * length + k, taylor_u(taylor, lane, i) + k);
    rate += (taylor->n + taylor->m) * length;
    for (int i = 0; i < taylor->ns + taylor->nz; i++)
        for (int k = 0; k + 1 < length; k++) {
            take(rate + i * length + k,
                 taylor_y(taylor, lane, 2 * taylor->n + i) + k + 1);
            arb_mul_ui(rate + i * length + k, rate + i * length + k, (ulong)k + 1,
                       ARF_PREC_EXACT);
        }
}

struct candidate *step_as_candidate(const struct model *model,
                                    const struct taylor *taylor, mpfr_srcptr t,
                                    mpfr_srcptr length)
{
    const struct mode *mode = model->mode[taylor->plan->mode->index];
    struct candidate *c = candidate_new(model, mode, mode->m, taylor->lanes,
                                        taylor->order);
    take(c->t, t);
    take(c->length, length);
    for (int lane = 0; lane < taylor->lanes; lane++)
        take_lane(c, taylor, lane);
    return c;
}

enum status event_of_run(struct enclosure *enclosure, const struct model *model,
                         const struct mp_event *event, struct diagnosis *diagnosis)
{
    const struct columns *columns = &enclosure_so_far(enclosure)->columns;
    const struct event *own = model->event[event->event->index];
    int n = model->n, m = own->to->m;
    arb_ptr near = _arb_vec_init(n + m);
    for (int i = 0; i < n + m; i++)
        take(near + i, event->after.x[i < n ? column(columns, GROUP_A, i, -1)
                                            : column(columns, GROUP_LAMBDA, i - n, -1)]);
    enum status status = enclosure_event(enclosure, own, near, diagnosis);
    _arb_vec_clear(near, n + m);
    return status;
}
