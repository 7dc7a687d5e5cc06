/*
 * job.c - opening and closing what a job works with, and its rows (job.h)
 */
#include "jobs/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coverage/never.h"
#include "events/jump.h"
#include "file/model_file.h"

static enum status shared_samples(const struct model *model, struct shared_times *times,
                                  struct samples *samples, struct diagnosis *diagnosis)
{
    pthread_mutex_lock(&times->lock);
    if (!times->chosen) {
        times->diagnosis.t = NAN;
        times->status = choose_samples(model, samples, &times->diagnosis);
        memory_copy(times->t, samples->t, SAMPLES, sizeof *times->t);
        times->chosen = true;
    }
    pthread_mutex_unlock(&times->lock);
    if (times->status == OK)
        samples_at(model, times->t, samples);
    else
        *diagnosis = times->diagnosis;
    return times->status;
}

enum status job_open(struct job_work *work, struct job *job, struct diagnosis *diagnosis)
{
    const struct judge_settings *settings = job->settings;
    *work = (struct job_work){.job = job};
    work->model = model_new_with(job->desc, settings->reset, diagnosis);
    if (!work->model)
        return BAD_INPUT;
    work->parameter = memory_new(work->model->p, sizeof(int));
    work->parameters = model_sensitivities(work->model, work->parameter);
    enum status status = shared_samples(work->model, &job->shared->times,
                                        &work->samples, diagnosis);
    double rtol = judge_rtol(settings, job->desc, job->formulation);
    work->request = (struct run_request){
        .model = work->model, .formulation = job->formulation,
        .option = job->option, .integrator = settings->integrator,
        .rule = settings->rule, .rtol = rtol, .atol = rtol / 1000,
        .parameters = work->parameters, .parameter = work->parameter,
        .t_end = NAN, .samples = work->samples.count, .sample = work->samples.t,
        .progress = task_progress, .progress_context = &job->task,
    };
    return status;
}

void job_close(struct job_work *work)
{
    results_free(work->got);
    results_free(work->known);
    certificate_free(work->own);
    if (work->trajectory)
        trajectory_free(work->trajectory);
    free(work->parameter);
    if (work->model)
        model_free(work->model);
}

/* Are these the values that would be stored today: by these parameters, at these
   times? */
static enum status check_question(const struct job_work *work,
                                  const struct certificate *stored,
                                  struct diagnosis *diagnosis)
{
    const struct mp_trajectory *t = stored->trajectory;
    const struct samples *samples = &work->samples;
    int first = samples->reference_count - samples->count;
    bool same = t->columns.p == work->parameters &&
                t->samples == samples->reference_count;
    for (int j = 0; same && j < work->parameters; j++)
        same = t->parameter[j] == work->parameter[j];
    if (!same)
        return diagnose(diagnosis, BAD_INPUT, NAN, "the stored values are by other "
                        "parameters or at other times: saltus certify %s",
                        case_word(work->model->desc));
    for (int k = 0; k < samples->count; k++)
        if (mpfr_get_d(t->sample[first + k].t, MPFR_RNDN) != samples->t[k])
            return diagnose(diagnosis, BAD_INPUT, NAN, "the stored values are at other "
                            "times than %s: saltus certify %s", samples->text[k],
                            case_word(work->model->desc));
    return OK;
}

enum status job_certificate(const struct job_work *work, const struct truth *truth,
                            struct certificate **out, struct diagnosis *diagnosis)
{
    char path[600];
    *out = NULL;
    if (!certified_path(work->model, truth, path, sizeof path))
        return OK;
    enum status status = certificate_read(path, work->model, out, diagnosis);
    if (status == OK && (*out)->refusal.status == OK)
        status = check_question(work, *out, diagnosis);
    if (status != OK) {
        certificate_free(*out);
        *out = NULL;
    }
    return status;
}

static struct row *job_add_row(struct job *job, enum row_kind kind, const char *oracle)
{
    const struct judge_settings *settings = job->settings;
    struct row *row = rows_add(&job->rows, kind, job->desc->name,
                               job->solution, oracle);
    row->rtol = judge_rtol(settings, job->desc, job->formulation);
    snprintf(row->integrator, sizeof row->integrator, "%s",
             judge_integrator(settings, job->formulation)->name);
    row->made = judge_made(settings, job->desc, job->formulation);
    if (settings->rule)
        snprintf(row->rule, sizeof row->rule, "%s", settings->rule->name);
    return row;
}

struct row *job_row(struct job_work *work, enum row_kind kind, const char *oracle)
{
    return job_add_row(work->job, kind, oracle);
}

struct row *job_reference_row(struct job_work *work, enum row_kind kind,
                              const char *oracle)
{
    struct job *job = work->job;
    return rows_add(&job->rows, kind, job->desc->name, job->solution, oracle);
}

/* Says that certified values are absent, once for every motion of the case. */
static void note_absence(const struct job_work *work, struct row *row)
{
    char never[400];
    if (work->job->follows || row->kind != ROW_JUDGED)
        return;
    never_in_run(work->trajectory, never, sizeof never);
    row_note(row, never);
}

/* The first row has the notes of the run beyond numbers. */
void job_settle(struct job_work *work)
{
    struct rows *rows = &work->job->rows;
    if (work->trajectory && rows->count > 0 && !work->noted) {
        row_note_together(rows, rows->row, work->trajectory);
        note_absence(work, rows->row);
    }
    work->noted = work->noted || rows->count > 0;
    for (int k = 0; k < rows->count; k++)
        if (rows->row[k].short_of_bar > 0 && !work->weighed)
            return;
    rows_settle(rows, false);
}

void judge_refused(struct job *job, const char *oracle, const struct diagnosis *diagnosis)
{
    row_refuse(job_add_row(job, ROW_REFUSED, oracle), diagnosis);
}

void job_refuse(struct job_work *work, const char *oracle,
                const struct diagnosis *diagnosis)
{
    judge_refused(work->job, oracle, diagnosis);
}
