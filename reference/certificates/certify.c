/*
 * certify.c - certification by two independent routes to the derivatives, compared number
 * by number.
 *
 * The variational route and the differences share the Taylor arithmetic and the formulas
 * M, F, Phi; they share neither derivative rows nor jump formulas. Differences carry
 * about two thirds of the digits, less those that the condition of the derivative costs:
 * the precision is raised until the agreement reaches the digits asked for. Then a third
 * run, which is strict, must have the same events (confirm.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "certificate.h"
#include "events/mp_run.h"
#include "value_scales.h"

/* Most raises of the precision; DOUBTS of them may be for a doubt that a refusal, or an
   event, is there at all. */
enum { RAISES = 6, DOUBTS = 2 };

/* --- comparing ---------------------------------------------------------------------- */

struct comparison {
    struct value_scales scales;
    double least;               /* least digits agreed so far */
};

static void compare(struct comparison *c, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr scale,
                    mpfr_ptr digits)
{
    double agreed = mp_digits(a, b, scale);
    mpfr_set_d(digits, agreed, MPFR_RNDD);
    c->least = fmin(c->least, agreed);
}

static void compare_points(struct comparison *c, const struct mp_point *a,
                           const struct mp_point *b, struct mp_point *digits)
{
    digits->mode = a->mode;
    mpfr_set(digits->t, a->t, MPFR_RNDN);
    for (int i = 0; i < c->scales.columns->count; i++) {
        enum column_group group;
        int k, j;
        column_parts(c->scales.columns, i, &group, &k, &j);
        compare(c, a->x[i], b->x[i], value_scale(&c->scales, (int)group, j),
                digits->x[i]);
    }
}

static void compare_events(struct comparison *c, const struct mp_event *a,
                           const struct mp_event *b, mpfr_srcptr rho, mpfr_srcptr end,
                           struct mp_event *digits)
{
    mpfr_t scale;
    mpfr_init2(scale, mpfr_get_prec(end));
    digits->event = a->event;
    compare_points(c, &a->before, &b->before, &digits->before);
    compare_points(c, &a->after, &b->after, &digits->after);
    mpfr_set_d(digits->before.t, mp_digits(a->before.t, b->before.t, NULL), MPFR_RNDD);
    c->least = fmin(c->least, mpfr_get_d(digits->before.t, MPFR_RNDD));
    for (int j = 0; j < c->scales.columns->p; j++) {
        value_scale_of_tau(end, rho + c->scales.columns->parameter[j], scale);
        compare(c, a->tau[j], b->tau[j], scale, digits->tau[j]);
    }
    mpfr_clear(scale);
}

/* Digits agreed, in the shape of the trajectories, and the least of them; NULL when
   the shapes differ. */
static struct mp_trajectory *agreement(const struct mp_trajectory *a,
                                       const struct mp_trajectory *b, mpfr_srcptr rho,
                                       double *least)
{
    if (a->samples != b->samples || a->events != b->events)
        return NULL;
    for (int e = 0; e < a->events; e++)
        if (a->event[e].event != b->event[e].event)
            return NULL;
    struct mp_trajectory *out = mp_trajectory_new(a->columns.model, a->columns.p,
                                               a->parameter, a->samples, 64);
    struct comparison c = {.least = INFINITY};
    int room = 0, nz = a->columns.model->nz;
    value_scales_init(&c.scales, a, rho);
    for (int i = 0; i < a->samples; i++)
        compare_points(&c, &a->sample[i], &b->sample[i], &out->sample[i]);
    for (int e = 0; e < a->events; e++)
        compare_events(&c, &a->event[e], &b->event[e], rho,
                       a->event[a->events - 1].before.t, mp_trajectory_event(out, &room));
    for (int i = 0; i < nz * (1 + a->columns.p); i++)
        compare(&c, a->psi[i], b->psi[i], value_scale(&c.scales, GROUPS, i / nz - 1),
                out->psi[i]);
    value_scales_clear(&c.scales);
    *least = c.least;
    return out;
}

/* --- a run of the values alone ------------------------------------------------------ */

/* Caps the digits of a value at those that a run with other steps confirms. Both
   routes take the values from one run, so that without derivatives they are equal. */
static void cap(struct comparison *c, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr scale,
                mpfr_ptr digits)
{
    double agreed = mp_digits(b, a, scale);
    if (mpfr_cmp_d(digits, agreed) > 0)
        mpfr_set_d(digits, agreed, MPFR_RNDD);
    c->least = fmin(c->least, agreed);
}

static void cap_point(struct comparison *c, const struct mp_point *a,
                      const struct columns *other, const struct mp_point *b,
                      struct mp_point *digits)
{
    for (int i = 0; i < c->scales.columns->count; i++) {
        enum column_group group;
        int k, j;
        column_parts(c->scales.columns, i, &group, &k, &j);
        if (j < 0)
            cap(c, a->x[i], b->x[column(other, group, k, -1)],
                value_scale(&c->scales, (int)group, -1), digits->x[i]);
    }
}

/* Caps the digits of all values; both runs have the same samples and events. */
static void cap_values(const struct mp_trajectory *a, const struct mp_trajectory *again,
                       struct mp_trajectory *digits, double *least)
{
    struct comparison c = {.least = *least};
    value_scales_init(&c.scales, a, NULL);
    for (int i = 0; i < a->samples; i++)
        cap_point(&c, &a->sample[i], &again->columns, &again->sample[i],
                  &digits->sample[i]);
    for (int e = 0; e < a->events; e++) {
        const struct mp_event *x = &a->event[e], *y = &again->event[e];
        cap(&c, x->before.t, y->before.t, NULL, digits->event[e].before.t);
        cap_point(&c, &x->before, &again->columns, &y->before, &digits->event[e].before);
        cap_point(&c, &x->after, &again->columns, &y->after, &digits->event[e].after);
    }
    for (int i = 0; i < a->columns.model->nz; i++)
        cap(&c, a->psi[i], again->psi[i], value_scale(&c.scales, GROUPS, -1),
            digits->psi[i]);
    value_scales_clear(&c.scales);
    *least = c.least;
}

double certificate_agreement(const struct certificate *a, const struct certificate *b)
{
    if (a->refusal.status != OK || b->refusal.status != OK)
        return a->refusal.status == b->refusal.status
                   ? mp_digits(a->refused_at, b->refused_at, NULL) : -1;
    double least = -1;
    mpfr_ptr rho = certificate_nominal(a->model, a->digits);
    for (int j = 0; j < a->model->p; j++)
        if (a->value[j] != NULL)
            run_number(a->value[j], rho + j);
    if (a->trajectory->columns.count == b->trajectory->columns.count)
        mp_trajectory_free(agreement(a->trajectory, b->trajectory, rho, &least));
    mp_vector_free(rho);
    return least;
}

/* --- certify ------------------------------------------------------------------------ */

/* Makes both routes at request->digits. *least: least digits agreed, -1 when the event
   sequences differ. When the variational route is refused, *refused_at is the time. */
static enum status both_routes(const struct reference_request *request, int threads,
                               struct mp_trajectory **trajectory,
                               struct mp_trajectory **digits, double *least,
                               mpfr_ptr refused_at, struct diagnosis *diagnosis)
{
    struct mp_trajectory *other;
    struct diagnosis why;
    *digits = NULL;
    *least = -1;
    enum status status = run_or_refuse(request, trajectory, refused_at, diagnosis);
    if (status != OK)
        return status;
    status = reference_difference(request, false, threads, &other, &why);
    if (status != OK) {
        mp_trajectory_free(*trajectory);
        return diagnose(diagnosis, status, why.t, "%.380s (the differences; the "
                        "variational equations are not refused)", why.place);
    }
    struct plan *plan = plan_new(request->model, &request->truth, false, diagnosis);
    mpfr_ptr rho = mp_vector_new((size_t)request->model->p,
                                 mp_precision(request->digits));
    status = plan ? run_parameters(plan, request, rho, diagnosis) : diagnosis->status;
    if (status == OK)
        *digits = agreement(*trajectory, other, rho, least);
    plan_free(plan);
    mp_vector_free(rho);
    mp_trajectory_free(other);
    if (status != OK)
        mp_trajectory_free(*trajectory);
    return status;
}

/* Digits to carry: differences leave two thirds of them, and six more are for the
   condition. */
static int carried_for(double digits)
{
    return (int)ceil(1.5 * (digits + 6));
}

/* State of certify. */
struct certifying {
    struct reference_request now;
    int digits, threads, doubts;  /* digits asked for; doubts so far */
    double least;               /* digits on which the routes agreed last */
    struct certificate **out;
};

/* Makes both routes and the confirmation. OK without *out: the precision must be
   raised. *doubt: so with a status, and strictly. */
static enum status attempt(struct certifying *c, bool *doubt, struct diagnosis *diagnosis)
{
    struct mp_trajectory *trajectory, *agreed;
    mpfr_ptr refused_at = mp_vector_new(1, mp_precision(c->now.digits));
    mpfr_set_nan(refused_at);
    enum status status = both_routes(&c->now, c->threads, &trajectory, &agreed, &c->least,
                                     refused_at, diagnosis);
    *doubt = status == PRECISION || certifiable_refusal(status);
    if (status != OK && mpfr_number_p(refused_at) && status != PRECISION)
        status = certify_refusal(&c->now, c->threads, refused_at, c->out, doubt,
                                 diagnosis);
    mp_vector_free(refused_at);
    if (status != OK || *c->out != NULL)
        return status;
    bool enough = agreed != NULL && c->least >= c->digits;
    struct mp_trajectory *again = NULL;
    if (enough)
        status = certify_confirm(&c->now, c->digits, trajectory, &again, diagnosis);
    if (enough && status == OK && trajectory->columns.p == 0)
        cap_values(trajectory, again, agreed, &c->least);
    mp_trajectory_free(again);
    enough = enough && c->least >= c->digits;
    *doubt = status == PRECISION;
    if (enough && status == OK) {
        *c->out = certificate_of_request(&c->now);
        (*c->out)->agreed = (int)floor(c->least);
        (*c->out)->trajectory = trajectory;
        (*c->out)->agreement = agreed;
        return OK;
    }
    mp_trajectory_free(trajectory);
    mp_trajectory_free(agreed);
    return status;
}

enum status certify(const struct reference_request *request, int digits, int threads,
                    struct certificate **out, struct diagnosis *diagnosis)
{
    struct diagnosis own;
    struct certifying c = {.now = *request, .digits = digits, .threads = threads,
                           .least = -1, .out = out};
    diagnosis = diagnosis ? diagnosis : &own;
    *out = NULL;
    c.now.threads = threads;
    if (c.now.digits < carried_for(digits))
        c.now.digits = carried_for(digits);
    if (c.now.digits < reference_least_digits(request->model))
        c.now.digits = reference_least_digits(request->model);
    if (c.now.digits > MOST_CARRIED)
        return diagnose(diagnosis, PRECISION, NAN, "numbers of the formulas lie so far "
                        "apart that %d digits are needed; %d can be carried",
                        c.now.digits, MOST_CARRIED);
    for (int raise = 0; raise <= RAISES; raise++) {
        bool doubt;
        enum status status = attempt(&c, &doubt, diagnosis);
        if (*out != NULL || (status != OK && (!doubt || c.doubts == DOUBTS)))
            return status;
        if (status == OK) {
            c.now.digits += carried_for(fmax(digits - c.least, 0));
        } else {
            c.doubts++;
            c.now.digits *= 2;
            c.now.strict = true;
        }
    }
    return diagnose(diagnosis, PRECISION, NAN,
                    "the two routes agree on %.1f digits only, "
                    "after the precision was raised %d times",
                    c.least, RAISES);
}
