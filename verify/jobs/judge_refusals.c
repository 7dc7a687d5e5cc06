/*
 * judge_refusals.c - refusals: of a solution, of a reference motion, and those that are
 * certified.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "jobs/job.h"
#include "refusals/refusal.h"

/* --- of a solution ------------------------------------------------------------------ */

void judge_refused_oracle(struct job_work *work, const char *oracle,
                          struct diagnosis *diagnosis)
{
    struct job *job = work->job;
    struct row *row = job_row(work, ROW_REFUSED, oracle);
    if (work->model && refusal_is_right(work->model, &job->motion.truth,
                                        work->parameters, work->parameter, diagnosis))
        row_empty(row, diagnosis);
    else
        row_refuse(row, diagnosis);
}

void judge_refusal(struct job_work *work, struct diagnosis *diagnosis)
{
    judge_refused_oracle(work, "-", diagnosis);
}

void judge_certified_refusal(struct job_work *work, const struct certificate *certificate,
                             enum status status, struct diagnosis *diagnosis)
{
    const struct diagnosis *certified = &certificate->refusal;
    struct row *row = job_row(work, ROW_REFUSED, "certified");
    struct diagnosis both;
    if (status != OK && refused_as_certified(diagnosis, certificate)) {
        row_agree(row, diagnosis);
    } else if (status != OK &&
               refusal_of_equations_is_right(work->model, &work->job->motion.truth,
                                             diagnosis)) {
        row_empty(row, diagnosis);
    } else {
        diagnose(&both, status == OK ? certified->status : status,
                 status == OK ? certified->t : diagnosis->t,
                 "%s%.200s, but %s at t = %.9g is certified (%.200s)",
                 status == OK ? "numbers" : "", status == OK ? "" : diagnosis->place,
                 status_text(certified->status), certified->t, certified->place);
        row_refuse(row, &both);
    }
}

/* --- of a reference motion ---------------------------------------------------------- */

/* Runs both routes once more; the times of the differences depend on their step. */
void judge_stored_refusal(struct job_work *work, const struct certificate *certificate)
{
    struct diagnosis own = {.t = NAN}, other = {.t = NAN}, both;
    struct mp_trajectory *variational = NULL, *difference = NULL;
    const char **nominal = memory_new(work->model->p, sizeof *nominal);
    const struct reference_request request = job_reference_request(work, nominal);
    enum status status = reference_run(&request, &variational, &own);
    enum status apart = reference_difference(&request, false, 1, &difference, &other);
    struct row *row = job_reference_row(work, ROW_REFUSED, "mpfr-difference");
    if (status != OK && refused_as_certified(&own, certificate) &&
        apart == certificate->other_refusal.status) {
        diagnose(&both, status, own.t, "%.230s; the differences: %s, %.200s", own.place,
                 status_text(apart), other.place);
        row_agree(row, &both);
    } else {
        diagnose(&both, certificate->refusal.status, certificate->refusal.t,
                 "certified, but now: variational %s, %.150s; differences %s, %.150s",
                 status_text(status), status == OK ? "numbers" : own.place,
                 status_text(apart), apart == OK ? "numbers" : other.place);
        row_refuse(row, &both);
    }
    mp_trajectory_free(variational);
    mp_trajectory_free(difference);
    free(nominal);
}

void judge_reference_refused(struct job_work *work, const struct diagnosis *diagnosis)
{
    struct row *row = job_reference_row(work, ROW_REFUSED, "mpfr-difference");
    struct diagnosis other = {.t = NAN};
    if (work->model)
        run_once(&work->request, &work->trajectory, &other);
    if (!same_refusal(diagnosis, &other)) {
        row_refuse(row, diagnosis);
        return;
    }
    struct diagnosis both;
    diagnose(&both, diagnosis->status, diagnosis->t, "%s (in double, too)",
             diagnosis->place);
    row_empty(row, &both);
}
