/*
 * refused.c - the certified refusal: proof by two routes that a motion, or a derivative,
 * does not exist.
 *
 * Both routes must be refused, and the variational one once more with twice the digits
 * and other steps, for the same reason and at the same time. That tells apart a guard
 * that is only nearly touched, events that are only nearly simultaneous, and errors of a
 * series. The differences may find another reason at a moved parameter (no configuration
 * there, other events), where the variational equations see that there is no derivative.
 *
 * Newton's method that finds no start is no proof that there is none, however often it is
 * repeated: a region about the guess must be shown to be empty (start_exclusion.c).
 */
#include <math.h>

#include "arithmetic/tolerances.h"
#include "certificate.h"
#include "enclosure/enclosure.h"
#include "runs/difference.h"

enum { LEAST_OF_TIME = 10 };        /* digits on which both times must agree */

bool certifiable_refusal(enum status status)
{
    static const bool certifiable[STATUSES] = {
        [GRAZING] = true, [ZENO] = true, [SIMULTANEOUS] = true, [CONDITION_EDGE] = true,
        [EVENT_AT_END] = true,
        [GUARD_VIOLATED] = true, [SLIDING] = true, [CHAIN_TOO_LONG] = true,
        [SINGULAR] = true, [RANK_LOSS] = true, [UNREACHABLE] = true,
        [INCONSISTENT] = true, [INADMISSIBLE] = true, [BRANCH_CUT] = true,
        [POLE] = true, [DOMAIN_EDGE] = true, [NOT_FINITE] = true,
    };
    return certifiable[status];
}

static bool same_time(double a, double b)
{
    return fabs(a - b) <= refusal_time * fmax(fabs(b), least_refusal_time);
}

/* Makes the differences; *other is their refusal. OK: it agrees with the first one. */
static enum status other_route(const struct reference_request *request, int threads,
                               const struct diagnosis *refusal, struct diagnosis *other,
                               struct diagnosis *diagnosis)
{
    struct mp_trajectory *trajectory;
    bool nominal;
    enum status status = difference_try(request, false, threads, &trajectory, &nominal,
                                        other);
    mp_trajectory_free(trajectory);
    if (status == OK)
        return diagnose(diagnosis, refusal->status, refusal->t, "%.380s (the variational "
                        "equations; the differences are not refused)", refusal->place);
    if (!certifiable_refusal(status) || (nominal && !same_time(other->t, refusal->t)))
        return diagnose(diagnosis, refusal->status, refusal->t,
                        "%.200s (the differences: %s, %.200s)", refusal->place,
                        status_text(status), other->place);
    return OK;
}

/* *agreed: digits of the time that hold with twice the digits and other steps.
   PRECISION: too few. */
static enum status once_more(const struct reference_request *request,
                             mpfr_srcptr refused_at, const struct diagnosis *refusal,
                             double *agreed, struct diagnosis *diagnosis)
{
    struct reference_request more = *request;
    struct mp_trajectory *trajectory;
    struct diagnosis again;
    more.digits *= 2;
    more.strict = true;
    mpfr_ptr at = mp_vector_new(1, mp_precision(more.digits));
    enum status status = run_or_refuse(&more, &trajectory, at, &again);
    mp_trajectory_free(trajectory);
    *agreed = status == refusal->status ? mp_digits(refused_at, at, NULL) : 0;
    mp_vector_free(at);
    if (*agreed >= LEAST_OF_TIME)
        return OK;
    return diagnose(diagnosis, PRECISION, refusal->t,
                    "%s with %d digits (%.180s), with %d %s (%.180s)",
                    status_text(refusal->status), request->digits, refusal->place,
                    more.digits, status_text(status), status == OK ? "" : again.place);
}

/* NO_CONVERGENCE: a start that was not found may be there. */
static enum status start_is_excluded(const struct reference_request *request,
                                     const struct diagnosis *refusal,
                                     struct diagnosis *diagnosis)
{
    const struct enclosure_request enclosed = {.model = request->model, .digits = 20,
                                               .value = request->value};
    long boxes;
    if (refusal->status != UNREACHABLE ||
        enclosure_start_excluded(&enclosed, START_REACH, &boxes))
        return OK;
    return diagnose(diagnosis, NO_CONVERGENCE, refusal->t,
                    "%.200s; not found from this guess, and nothing shows that there is "
                    "none: give another guess", refusal->place);
}

enum status certify_refusal(const struct reference_request *request, int threads,
                            mpfr_srcptr refused_at, struct certificate **out,
                            bool *doubt, struct diagnosis *diagnosis)
{
    struct diagnosis refusal = *diagnosis, other = {.t = NAN};
    double agreed = 0;
    if (!certifiable_refusal(refusal.status))
        return refusal.status;
    enum status status = other_route(request, threads, &refusal, &other, diagnosis);
    *doubt = status != OK && (other.status == OK || certifiable_refusal(other.status));
    if (status == OK)
        status = start_is_excluded(request, &refusal, diagnosis);
    if (status != OK)
        return status;
    status = once_more(request, refused_at, &refusal, &agreed, diagnosis);
    *doubt = status != OK;
    if (status != OK)
        return status;
    *out = certificate_of_request(request);
    (*out)->agreed = (int)floor(agreed);
    (*out)->refusal = refusal;
    (*out)->other_refusal = other;
    (*out)->refused_at = mp_vector_new(1, mpfr_get_prec(refused_at));
    mpfr_set((*out)->refused_at, refused_at, MPFR_RNDN);
    return OK;
}
