/*
 * refusal.c - every reason for a refusal, and who else finds it (refusal.h)
 */
#include "refusals/refusal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "condition.h"
#include "motion/reference_motion.h"
#include "motion/samples.h"
#include "refusals/error_growth.h"
#include "refusals/rank_check.h"
#include "run.h"

/* Decimal digits of the run that is to refuse. */
static const int digits = 30;
/* How near to each other the times of equal refusals must be. */
static const double near = 1e-6;

bool same_refusal(const struct diagnosis *a, const struct diagnosis *b)
{
    return a->status == b->status && fabs(a->t - b->t) <= near * fmax(1, fabs(b->t));
}

bool refused_as_certified(const struct diagnosis *refusal,
                          const struct certificate *certificate)
{
    const struct diagnosis *certified = &certificate->refusal;
    return same_refusal(refusal, certified) ||
           (refusal->status == certified->status && isnan(refusal->t) &&
            isnan(certified->t));
}

/* The certified motion; where there is none, the start of a motion. NULL: there is no
   start. */
static struct mp_trajectory *known_motion(const struct model *model,
                                          const struct truth *truth,
                                          struct certificate **certificate)
{
    char path[600];
    struct mp_trajectory *start = NULL;
    *certificate = NULL;
    if (certified_path(model, truth, path, sizeof path))
        certificate_read(path, model, certificate, NULL);
    if (*certificate && (*certificate)->trajectory)
        return (*certificate)->trajectory;
    const char **nominal = memory_new(model->p, sizeof *nominal);
    const struct reference_request request = {
        .model = model, .truth = *truth, .digits = digits, .value = nominal};
    reference_start(&request, &start, NULL);
    free(nominal);
    return start;
}

/* --- dependent constraints ---------------------------------------------------------- */

static bool constraints_are_dependent(const struct model *model,
                                      const struct truth *truth,
                                      struct diagnosis *diagnosis)
{
    struct certificate *certificate;
    struct mp_trajectory *motion = known_motion(model, truth, &certificate);
    struct dependence found;
    bool depend = motion && constraints_depend(model, motion, &found);
    if (depend)
        diagnose(diagnosis, RANK_LOSS, NAN, "redundant constraints (mode %s: rank %d of "
                 "%d)", found.mode->name, found.rank, found.rows);
    if (!certificate || motion != certificate->trajectory)
        mp_trajectory_free(motion);
    certificate_free(certificate);
    return depend;
}

/* --- singular configurations -------------------------------------------------------- */

/* How near a singular configuration must be that a solver has not reached, as a part of
   the run. */
static const double beside = 1e-3;

static void span_of(const struct model *model, double *t0, double *t_end)
{
    *t0 = 0;
    *t_end = 1;
    nominal_times(model, t0, t_end, NULL);
}

/* May the status be due to a singular configuration? Solvers that meet one say so, each
   in its own way. */
static bool may_be_due_to_it(enum status status)
{
    return status == RANK_LOSS || status == SINGULAR || status == NO_CONVERGENCE ||
           status == NOT_FINITE || status == STEP_TOO_SMALL;
}

/* The motion in MPFR until shortly after t, with one sample shortly before t and one
   shortly after. NULL: there is none, or t is not within the run. */
static struct mp_trajectory *motion_about(const struct model *model,
                                          const struct truth *truth, int parameters,
                                          const int *parameter, double t)
{
    double t0, t_end;
    struct mp_trajectory *motion = NULL;
    span_of(model, &t0, &t_end);
    double margin = beside * (t_end - t0);
    if (!(t > t0 && t < t_end))
        return NULL;
    char before[60], after[60];
    snprintf(before, sizeof before, "%.40g", fmax(t - margin, t0 + (t - t0) / 2));
    snprintf(after, sizeof after, "%.40g", fmin(t + margin, t_end));
    const char *const sample[] = {before, after};
    const char **nominal = memory_new(model->p, sizeof *nominal);
    const struct reference_request request = {
        .model = model, .truth = *truth, .digits = digits, .parameters = parameters,
        .parameter = parameter, .value = nominal, .t_end = after, .samples = 2,
        .sample = sample,
    };
    reference_run(&request, &motion, NULL);
    free(nominal);
    return motion;
}

static bool configuration_is_singular(const struct model *model,
                                      const struct truth *truth,
                                      struct diagnosis *diagnosis)
{
    const struct diagnosis own = *diagnosis;
    double t = diagnosis->t, t_s;
    struct mp_trajectory *motion = may_be_due_to_it(own.status)
                                       ? motion_about(model, truth, 0, NULL, t) : NULL;
    bool is = motion && constraints_cross(model, motion, &t_s);
    if (is)
        diagnose(diagnosis, RANK_LOSS, t, "%s%s%.200s (singular in MPFR at t = %.6g)",
                 own.status == RANK_LOSS ? "" : status_text(own.status),
                 own.status == RANK_LOSS ? "" : ": ", own.place, t_s);
    mp_trajectory_free(motion);
    return is;
}

/* --- grazing as far as double can tell ---------------------------------------------- */

/* How near the time of a touch must be. A guard that is touched at rate 0 with second
   derivative r'' is within an error e of zero for sqrt(2 e/r'') on either side, so a
   double places the touch to about the square root of its own error. */
static const double near_touch = 1e-5;

/* The largest condition of an event at about time t. */
static double condition_at(const struct mp_trajectory *motion, double t)
{
    double condition = 0;
    for (int k = 0; motion && k < motion->events; k++)
        if (fabs(mpfr_get_d(motion->event[k].before.t, MPFR_RNDN) - t) <=
            near_touch * fmax(1, fabs(t)))
            condition = fmax(condition, motion->event[k].condition);
    return condition;
}

/* Is there an event whose dt_e/drho has no digit, or hardly one, in double: on the
   certified motion, or on a motion made for this? */
static bool event_grazes_in_double(const struct model *model, const struct truth *truth,
                                   int parameters, const int *parameter,
                                   struct diagnosis *diagnosis)
{
    double t = diagnosis->t, condition = 0;
    char path[600];
    struct certificate *certificate = NULL;
    struct mp_trajectory *motion = NULL;
    if (diagnosis->status != GRAZING)
        return false;
    if (certified_path(model, truth, path, sizeof path) &&
        certificate_read(path, model, &certificate, NULL) == OK)
        condition = condition_at(certificate->trajectory, t);
    if (!certificate || !certificate->trajectory) {
        motion = motion_about(model, truth, parameters, parameter, t);
        condition = condition_at(motion, t);
    }
    certificate_free(certificate);
    mp_trajectory_free(motion);
    if (condition == 0 || condition_digits(condition) > 1.5)
        return false;
    const struct diagnosis own = *diagnosis;
    diagnose(diagnosis, GRAZING, t, "%.300s (in MPFR, condition %.1e)", own.place,
             condition);
    return true;
}

/* --- chaos as far as double can tell ------------------------------------------------ */

/* Have errors grown so far at the time of the refusal that a double has less than two
   digits left? A run without a digit has another growth than the motion itself, so its
   time does not count. */
static bool errors_grow_in_double(const struct model *model, const struct truth *truth,
                                  int parameters, const int *parameter,
                                  struct diagnosis *diagnosis)
{
    static const double few = 2;
    double t = diagnosis->t, growth = 0;
    struct certificate *certificate = NULL;
    if (diagnosis->status != NO_DIGITS)
        return false;
    struct mp_trajectory *motion = known_motion(model, truth, &certificate);
    bool whole = certificate && motion == certificate->trajectory;
    if (!whole) {
        mp_trajectory_free(motion);
        motion = motion_about(model, truth, parameters, parameter, t);
    }
    if (motion)
        growth = growth_on(model, motion, t);
    if (!whole)
        mp_trajectory_free(motion);
    certificate_free(certificate);
    if (!(-log10(DBL_EPSILON * growth) < few))
        return false;
    const struct diagnosis own = *diagnosis;
    diagnose(diagnosis, NO_DIGITS, t, "%.300s (in MPFR, growth %.1e)", own.place, growth);
    return true;
}

/* --- the same refusal --------------------------------------------------------------- */

/* The part of [t0, t_end] after which there is nothing more to see. */
struct horizon {
    double part;
    bool reached;
};

static bool before_horizon(void *context, double done)
{
    struct horizon *horizon = context;
    horizon->reached = horizon->reached || done > horizon->part;
    return !horizon->reached;
}

static double part_of_the_run(const struct model *model, double t)
{
    double t0, t_end;
    span_of(model, &t0, &t_end);
    return (t - t0) / (t_end - t0);
}

static bool reference_refuses(const struct model *model, const struct truth *truth,
                              int parameters, const int *parameter,
                              struct diagnosis *diagnosis)
{
    struct diagnosis own = {.t = NAN};
    struct horizon horizon = {.part = part_of_the_run(model, diagnosis->t) + near};
    struct mp_trajectory *trajectory = NULL;
    const char **nominal = memory_new(model->p, sizeof *nominal);
    const struct reference_request request = {
        .model = model, .truth = *truth, .digits = digits, .parameters = parameters,
        .parameter = parameter, .value = nominal, .progress = before_horizon,
        .progress_context = &horizon,
    };
    reference_run(&request, &trajectory, &own);
    free(nominal);
    mp_trajectory_free(trajectory);
    if (horizon.reached || !same_refusal(&own, diagnosis))
        return false;
    diagnose(diagnosis, own.status, own.t, "%s (in MPFR, too)", own.place);
    return true;
}

bool refusal_of_equations_is_right(const struct model *model, const struct truth *truth,
                                   struct diagnosis *diagnosis)
{
    return diagnosis->status == NOT_APPLICABLE ||
           (diagnosis->status == RANK_LOSS &&
            constraints_are_dependent(model, truth, diagnosis)) ||
           configuration_is_singular(model, truth, diagnosis);
}

bool refusal_is_right(const struct model *model, const struct truth *truth,
                      int parameters, const int *parameter, struct diagnosis *diagnosis)
{
    if (refusal_of_equations_is_right(model, truth, diagnosis))
        return true;
    return diagnosis->status != NOT_APPLICABLE && !isnan(diagnosis->t) &&
           (reference_refuses(model, truth, parameters, parameter, diagnosis) ||
            event_grazes_in_double(model, truth, parameters, parameter, diagnosis) ||
            errors_grow_in_double(model, truth, parameters, parameter, diagnosis));
}
