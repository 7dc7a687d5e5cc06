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

static bool dependence_is_certified(const struct model *model, const struct truth *truth,
                                    struct diagnosis *diagnosis)
{
    char path[600];
    struct certificate *certificate = NULL;
    struct dependence found;
    if (!certified_path(model, truth, path, sizeof path) ||
        certificate_read(path, model, &certificate, NULL) != OK)
        return false;
    bool depend = constraints_depend(model, certificate->trajectory, &found);
    if (depend)
        diagnose(diagnosis, RANK_LOSS, NAN, "redundant constraints (mode %s: rank %d of "
                 "%d)", found.mode->name, found.rank, found.rows);
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

bool refusal_is_right(const struct model *model, const struct truth *truth,
                      int parameters, const int *parameter, struct diagnosis *diagnosis)
{
    if (diagnosis->status == NOT_APPLICABLE)
        return true;
    if (diagnosis->status == RANK_LOSS)
        return dependence_is_certified(model, truth, diagnosis);
    return !isnan(diagnosis->t) &&
           reference_refuses(model, truth, parameters, parameter, diagnosis);
}
