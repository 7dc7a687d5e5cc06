#include "refusal.h"

#include <math.h>
#include <stdlib.h>

#include "dependent.h"
#include "formula/memory.h"
#include "run.h"
#include "truths.h"

/* Decimal digits of the run that is to refuse, and how near its time must be. */
static const int digits = 30;
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

/* The certified motion; where there is none, the start of one. NULL: not even that. */
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
    double t0 = 0, t_end = 1;
    double *rho = memory_new(model->p, sizeof *rho);
    if (nominal_values(model, rho, NULL) == OK)
        model_times(model, rho, &t0, &t_end, NULL);
    free(rho);
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
            constraints_are_dependent(model, truth, diagnosis));
}

bool refusal_is_right(const struct model *model, const struct truth *truth,
                      int parameters, const int *parameter, struct diagnosis *diagnosis)
{
    if (diagnosis->status == NOT_APPLICABLE || diagnosis->status == RANK_LOSS)
        return refusal_of_equations_is_right(model, truth, diagnosis);
    return !isnan(diagnosis->t) &&
           reference_refuses(model, truth, parameters, parameter, diagnosis);
}
