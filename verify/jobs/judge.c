/*
 * judge.c - a solution: one run in double, then its oracles (judge.h)
 */
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

/* The ratio of atol to rtol that job_open sets. */
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

/* Reads the certified values of the job's motion, if they are asked for, into work->own.
   BAD_INPUT: they cannot be read. */
static enum status read_own(struct job_work *work, struct diagnosis *diagnosis)
{
    const struct job *job = work->job;
    if (!(job->settings->oracles & ORACLE_CERTIFIED) || !is_known(&job->motion.truth))
        return OK;
    return job_certificate(work, &job->motion.truth, &work->own, diagnosis);
}

/* Judges the numbers or the refusal of the run by every oracle that there is for it. */
static void judge_outcome(struct job_work *work, enum status status,
                          struct diagnosis *diagnosis)
{
    struct diagnosis unreadable = {.t = NAN};
    work->unreadable = read_own(work, &unreadable) != OK;
    if (work->unreadable && !work->job->follows)
        job_refuse(work, "certified", &unreadable);
    if (work->own && work->own->refusal.status != OK) {
        judge_certified_refusal(work, work->own, status, diagnosis);
    } else if (status != OK) {
        judge_refusal(work, diagnosis);
    } else {
        work->got = results_of_trajectory(work->trajectory);
        judge_by_oracles(work);
    }
    rows_weigh(&work->job->rows, 0);
    work->weighed = true;
    job_settle(work);
}

void judge_solution(struct task *task)
{
    struct job *job = (struct job *)task;
    struct job_work work;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = job_open(&work, job, &diagnosis);
    task_part(task, 0.0, 0.3);
    if (status == OK)
        status = run_once(&work.request, &work.trajectory, &diagnosis);
    if (status != OK && diagnosis.status == OK)     /* a plug-in gave a status without a
                                                       reason */
        diagnose(&diagnosis, status, NAN, "no reason is given");
    if (work.model)
        judge_outcome(&work, status, &diagnosis);
    else
        judge_refusal(&work, &diagnosis);
    if (work.model)
        judge_stage(&work, STAGE_CASE);
    job_close(&work);
}
