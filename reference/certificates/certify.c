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
#include "value_sizes.h"

/* Most raises of the precision; DOUBTS of them may be for a doubt that a refusal, or an
   event, is there at all. */
enum { RAISES = 6, DOUBTS = 2 };

/* --- comparing ---------------------------------------------------------------------- */

struct comparison {
    const struct value_sizes *sizes;
    double least;               /* least digits agreed so far */
};

static void compare(struct comparison *c, mpfr_srcptr a, mpfr_srcptr b, double size,
                    mpfr_ptr digits)
{
    double agreed = mp_digits_of_size(a, b, size);
    mpfr_set_d(digits, agreed, MPFR_RNDD);
    c->least = fmin(c->least, agreed);
}

/* size [columns.count] */
static void compare_points(struct comparison *c, const struct mp_point *a,
                           const struct mp_point *b, const double *size, int count,
                           struct mp_point *digits)
{
    digits->mode = a->mode;
    mpfr_set(digits->t, a->t, MPFR_RNDN);
    for (int i = 0; i < count; i++)
        compare(c, a->x[i], b->x[i], size[i], digits->x[i]);
}

static void compare_events(struct comparison *c, int e, const struct mp_event *a,
                           const struct mp_event *b, const struct columns *columns,
                           struct mp_event *digits)
{
    int count = columns->count;
    digits->event = a->event;
    compare_points(c, &a->before, &b->before, value_sizes_before(c->sizes, e), count,
                   &digits->before);
    compare_points(c, &a->after, &b->after, value_sizes_after(c->sizes, e), count,
                   &digits->after);
    compare(c, a->before.t, b->before.t, -INFINITY, digits->before.t);
    for (int j = 0; j < columns->p; j++)
        compare(c, a->tau[j], b->tau[j], value_sizes_of_tau(c->sizes, e)[j],
                digits->tau[j]);
}

static bool same_events(const struct mp_trajectory *a, const struct mp_trajectory *b)
{
    bool same = a->samples == b->samples && a->events == b->events;
    for (int e = 0; same && e < a->events; e++)
        same = a->event[e].event == b->event[e].event;
    return same;
}

/* Digits agreed, in the shape of the trajectories, and the least of them; sizes: of
   a. The events of both are the same. */
static struct mp_trajectory *agreement(const struct mp_trajectory *a,
                                       const struct mp_trajectory *b,
                                       const struct value_sizes *sizes, double *least)
{
    struct mp_trajectory *out = mp_trajectory_new(a->columns.model, a->columns.p,
                                                  a->parameter, a->samples, 64);
    struct comparison c = {.sizes = sizes, .least = INFINITY};
    int room = 0, nz = a->columns.model->nz;
    for (int i = 0; i < a->samples; i++)
        compare_points(&c, &a->sample[i], &b->sample[i], value_sizes_of_sample(sizes, i),
                       a->columns.count, &out->sample[i]);
    for (int e = 0; e < a->events; e++)
        compare_events(&c, e, &a->event[e], &b->event[e], &a->columns,
                       mp_trajectory_event(out, &room));
    for (int i = 0; i < nz * (1 + a->columns.p); i++)
        compare(&c, a->psi[i], b->psi[i], value_sizes_of_psi(sizes)[i], out->psi[i]);
    *least = c.least;
    return out;
}

/* --- a run of the values alone ------------------------------------------------------ */

/* Caps the digits of a value at those that a run with other steps confirms. Both
   routes take the values from one run, so that without derivatives they are equal. */
static void cap(struct comparison *c, mpfr_srcptr a, mpfr_srcptr b, double size,
                mpfr_ptr digits)
{
    double agreed = mp_digits_of_size(b, a, size);
    if (mpfr_cmp_d(digits, agreed) > 0)
        mpfr_set_d(digits, agreed, MPFR_RNDD);
    c->least = fmin(c->least, agreed);
}

/* Both points have the values alone. */
static void cap_point(struct comparison *c, const struct mp_point *a,
                      const struct mp_point *b, const double *size, int count,
                      struct mp_point *digits)
{
    for (int i = 0; i < count; i++)
        cap(c, a->x[i], b->x[i], size[i], digits->x[i]);
}

/* Caps the digits of all values; both runs have the same samples and events, and no
   derivatives. */
static void cap_values(const struct mp_trajectory *a, const struct mp_trajectory *again,
                       const struct value_sizes *sizes, struct mp_trajectory *digits,
                       double *least)
{
    struct comparison c = {.sizes = sizes, .least = *least};
    int count = a->columns.count;
    for (int i = 0; i < a->samples; i++)
        cap_point(&c, &a->sample[i], &again->sample[i], value_sizes_of_sample(sizes, i),
                  count, &digits->sample[i]);
    for (int e = 0; e < a->events; e++) {
        const struct mp_event *x = &a->event[e], *y = &again->event[e];
        struct mp_event *out = &digits->event[e];
        cap(&c, x->before.t, y->before.t, -INFINITY, out->before.t);
        cap_point(&c, &x->before, &y->before, value_sizes_before(sizes, e), count,
                  &out->before);
        cap_point(&c, &x->after, &y->after, value_sizes_after(sizes, e), count,
                  &out->after);
    }
    for (int i = 0; i < a->columns.model->nz; i++)
        cap(&c, a->psi[i], again->psi[i], value_sizes_of_psi(sizes)[i], digits->psi[i]);
    *least = c.least;
}

double certificate_agreement(const struct certificate *a, const struct certificate *b)
{
    if (a->refusal.status != OK || b->refusal.status != OK)
        return a->refusal.status == b->refusal.status
                   ? mp_digits(a->refused_at, b->refused_at, NULL)
                   : -1;
    if (a->trajectory->columns.count != b->trajectory->columns.count ||
        !same_events(a->trajectory, b->trajectory))
        return -1;
    double least;
    mpfr_ptr rho = certificate_nominal(a->model, a->digits);
    for (int j = 0; j < a->model->p; j++)
        if (a->value[j] != NULL)
            run_number(a->value[j], rho + j);
    struct value_sizes *sizes = value_sizes_new(a->trajectory, rho, a->agreed);
    mp_trajectory_free(agreement(a->trajectory, b->trajectory, sizes, &least));
    value_sizes_free(sizes);
    mp_vector_free(rho);
    return least;
}

/* --- certify ------------------------------------------------------------------------ */

/* What both routes have come to. */
struct routes {
    struct mp_trajectory *trajectory, *agreed; /* agreed NULL: the events differ */
    struct value_sizes *sizes;
    double least; /* least digits agreed; -1: the events differ */
};

static void routes_clear(struct routes *routes)
{
    mp_trajectory_free(routes->trajectory);
    mp_trajectory_free(routes->agreed);
    value_sizes_free(routes->sizes);
    *routes = (struct routes){.least = -1};
}

static enum status compare_routes(const struct reference_request *request, int digits,
                                  const struct mp_trajectory *other,
                                  struct routes *routes, struct diagnosis *diagnosis)
{
    enum status status = value_sizes_of_request(request, routes->trajectory, digits,
                                                &routes->sizes, diagnosis);
    if (status == OK && same_events(routes->trajectory, other))
        routes->agreed = agreement(routes->trajectory, other, routes->sizes,
                                   &routes->least);
    return status;
}

/* Makes both routes at request->digits, for so many digits of agreement. When the
   variational route is refused, *refused_at is the time. */
static enum status both_routes(const struct reference_request *request, int digits,
                               int threads, struct routes *routes, mpfr_ptr refused_at,
                               struct diagnosis *diagnosis)
{
    struct mp_trajectory *other;
    struct diagnosis why;
    *routes = (struct routes){.least = -1};
    enum status status = run_or_refuse(request, &routes->trajectory, refused_at,
                                       diagnosis);
    if (status != OK)
        return status;
    status = reference_difference(request, false, threads, &other, &why);
    if (status != OK) {
        routes_clear(routes);
        return diagnose(diagnosis, status, why.t,
                        "%.380s (the differences; the "
                        "variational equations are not refused)",
                        why.place);
    }
    status = compare_routes(request, digits, other, routes, diagnosis);
    mp_trajectory_free(other);
    if (status != OK)
        routes_clear(routes);
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
    struct routes routes;
    mpfr_ptr refused_at = mp_vector_new(1, mp_precision(c->now.digits));
    mpfr_set_nan(refused_at);
    enum status status = both_routes(&c->now, c->digits, c->threads, &routes, refused_at,
                                     diagnosis);
    c->least = routes.least;
    *doubt = status == PRECISION || certifiable_refusal(status);
    if (status != OK && mpfr_number_p(refused_at) && status != PRECISION)
        status = certify_refusal(&c->now, c->threads, refused_at, c->out, doubt,
                                 diagnosis);
    mp_vector_free(refused_at);
    if (status != OK || *c->out != NULL)
        return status;
    bool enough = routes.agreed != NULL && c->least >= c->digits;
    struct mp_trajectory *again = NULL;
    if (enough)
        status = certify_confirm(&c->now, c->digits, routes.trajectory, routes.sizes,
                                 &again, diagnosis);
    if (enough && status == OK && routes.trajectory->columns.p == 0)
        cap_values(routes.trajectory, again, routes.sizes, routes.agreed, &c->least);
    mp_trajectory_free(again);
    enough = enough && c->least >= c->digits;
    *doubt = status == PRECISION;
    if (enough && status == OK) {
        *c->out = certificate_of_request(&c->now);
        (*c->out)->agreed = (int)floor(c->least);
        (*c->out)->trajectory = routes.trajectory;
        (*c->out)->agreement = routes.agreed;
        routes.trajectory = routes.agreed = NULL;
    }
    routes_clear(&routes);
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
    c.now.digits = reference_digits(request->model, c.now.digits);
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
