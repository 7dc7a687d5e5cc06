#include "jobs/judge.h"

#include <math.h>

#include "coverage/classes.h"
#include "jobs/job.h"
#include "verdict/tolerances.h"

const double judge_patience = 30;

const struct integrator *judge_integrator(const struct judge_settings *settings,
                                          const struct formulation *formulation)
{
    return integrator_chosen(formulation, settings->integrator);
}

double judge_rtol(const struct judge_settings *settings, const struct case_desc *desc,
                  const struct formulation *formulation)
{
    const struct integrator *integrator = judge_integrator(settings, formulation);
    return isnan(settings->rtol) ? tolerance_default(desc, integrator, formulation)
                                 : settings->rtol;
}

/* Of atol and rtol, as trial_open sets them. */
static const double atol_over_rtol = 1e-3;

struct made judge_made(const struct judge_settings *settings,
                       const struct case_desc *desc,
                       const struct formulation *formulation)
{
    const struct integrator *integrator = judge_integrator(settings, formulation);
    bool loses_orders = formulation->index >= 2;
    return (struct made){
        .digits = -log10(judge_rtol(settings, desc, formulation)),
        .floor = atol_over_rtol, .index = formulation->index,
        .order = loses_orders ? integrator->order : 0,
        .singular = (classes_declared(desc) >> CLASS_SINGULAR_POINTS & 1u) != 0};
}

/* What is certified of the motion that the piece follows, if it is asked for, into
   trial->own. BAD_INPUT: what is stored cannot be read. */
static enum status read_own(struct trial *trial, struct diagnosis *diagnosis)
{
    const struct piece *piece = trial->piece;
    if (!(piece->settings->oracles & ORACLE_CERTIFIED) || !is_known(&piece->truth.truth))
        return OK;
    return trial_certificate(trial, &piece->truth.truth, &trial->own, diagnosis);
}

/* Numbers or a refusal, by whatever there is to judge them. */
static void judge_outcome(struct trial *trial, enum status status,
                          struct diagnosis *diagnosis)
{
    struct diagnosis unreadable = {.t = NAN};
    trial->unreadable = read_own(trial, &unreadable) != OK;
    if (trial->unreadable && !trial->piece->follows)
        trial_refuse(trial, "certified", &unreadable);
    if (trial->own && trial->own->refusal.status != OK) {
        judge_certified_refusal(trial, trial->own, status, diagnosis);
    } else if (status != OK) {
        judge_refusal(trial, diagnosis);
    } else {
        trial->got = results_of_trajectory(trial->trajectory);
        judge_by_oracles(trial);
    }
    rows_weigh(&trial->piece->rows, 0);
    trial->weighed = true;
    trial_settle(trial);
}

void judge_solution(struct task *task)
{
    struct piece *piece = (struct piece *)task;
    struct trial trial;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = trial_open(&trial, piece, &diagnosis);
    task_part(task, 0.0, 0.3);
    if (status == OK)
        status = run_once(&trial.request, &trial.trajectory, &diagnosis);
    if (status != OK && diagnosis.status == OK)     /* a plug-in has not said why */
        diagnose(&diagnosis, status, NAN, "no reason is given");
    if (trial.model)
        judge_outcome(&trial, status, &diagnosis);
    else
        judge_refusal(&trial, &diagnosis);
    if (trial.model)
        judge_stage(&trial, STAGE_CASE);
    trial_close(&trial);
}
