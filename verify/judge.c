#include "judge.h"

#include <math.h>

#include "tolerances.h"
#include "trial.h"

const char *const oracle_names[] = {
    "complex-step", "certified", "closed-form", "native", "mpfr-difference", "twin",
    "published", NULL,
};

const char *const oracle_shares[] = {
    "shares the formulas and the integrator's coefficients; no derivative, no jump, no tau",
    "shares the formulas; MPFR, own equations, two routes that agree",
    "shares nothing but the parameter values",
    "shares the text of the case; compiled as C: no reader, tape or differentiation",
    "shares the formulas and gamma; no derivative by rho, no jump",
    "shares the solver, not the equations: another case with the same motion",
    "shares nothing: numbers as they are printed, to one unit of their last place",
};

const double judging_patience = 30;

const struct integrator *judging_integrator(const struct judging *judging,
                                            const struct formulation *formulation)
{
    return judging->integrator ? judging->integrator : integrator_default(formulation);
}

double judging_rtol(const struct judging *judging, const struct case_desc *desc,
                    const struct formulation *formulation)
{
    const struct integrator *integrator = judging_integrator(judging, formulation);
    return isnan(judging->rtol) ? tolerance_default(desc, integrator, formulation)
                                : judging->rtol;
}

/* The certified refusal of the motion that the piece follows, NULL: none, or none asked
   for. What cannot be read says so in its row, later. */
static struct certificate *certified_refusal(const struct trial *trial)
{
    const struct piece *piece = trial->piece;
    struct certificate *certificate = NULL;
    if ((piece->judging->oracles & ORACLE_CERTIFIED) && is_known(&piece->truth.truth))
        trial_certificate(trial, &piece->truth.truth, &certificate, NULL);
    if (certificate && certificate->refusal.status != OK)
        return certificate;
    certificate_free(certificate);
    return NULL;
}

void judge_solution(struct task *task)
{
    struct piece *piece = (struct piece *)task;
    struct certificate *refusal = NULL;
    struct trial trial;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = trial_open(&trial, piece, &diagnosis);
    task_part(task, 0.0, 0.3);
    if (trial.model)
        refusal = certified_refusal(&trial);
    if (status == OK)
        status = run(&trial.request, &trial.trajectory, &diagnosis);
    if (status != OK && diagnosis.status == OK)     /* code of a plug-in has not said why */
        diagnose(&diagnosis, status, NAN, "no reason is given");
    if (refusal) {
        judge_certified_refusal(&trial, refusal, status, &diagnosis);
    } else if (status != OK) {
        judge_refusal(&trial, &diagnosis);
    } else {
        trial.got = ledger_of_trajectory(trial.trajectory);
        judge_by_oracles(&trial);
    }
    if (trial.model && piece->first)
        judge_published(&trial);
    certificate_free(refusal);
    trial_close(&trial);
}
