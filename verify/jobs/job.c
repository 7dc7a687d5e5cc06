#include "jobs/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coverage/never.h"
#include "events/jump.h"

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

enum status trial_open(struct trial *trial, struct piece *piece,
                       struct diagnosis *diagnosis)
{
    const struct judge_settings *settings = piece->settings;
    *trial = (struct trial){.piece = piece};
    trial->model = model_new_with(piece->desc, settings->reset, diagnosis);
    if (!trial->model)
        return BAD_INPUT;
    trial->parameter = memory_new(trial->model->p, sizeof(int));
    trial->parameters = model_sensitivities(trial->model, trial->parameter);
    enum status status = shared_samples(trial->model, &piece->shared->times,
                                        &trial->samples, diagnosis);
    double rtol = judge_rtol(settings, piece->desc, piece->formulation);
    trial->request = (struct run_request){
        .model = trial->model, .formulation = piece->formulation,
        .option = piece->option, .integrator = settings->integrator,
        .rule = settings->rule, .rtol = rtol, .atol = rtol / 1000,
        .parameters = trial->parameters, .parameter = trial->parameter,
        .t_end = NAN, .samples = trial->samples.count, .sample = trial->samples.t,
        .progress = task_progress, .progress_context = &piece->task,
    };
    return status;
}

void trial_close(struct trial *trial)
{
    results_free(trial->got);
    results_free(trial->known);
    certificate_free(trial->own);
    if (trial->trajectory)
        trajectory_free(trial->trajectory);
    free(trial->parameter);
    if (trial->model)
        model_free(trial->model);
}

/* Are these the values that would be stored today: by these parameters, at these
   times? */
static enum status check_question(const struct trial *trial,
                                  const struct certificate *stored,
                                  struct diagnosis *diagnosis)
{
    const struct mp_trajectory *t = stored->trajectory;
    const struct samples *samples = &trial->samples;
    int first = samples->reference_count - samples->count;
    bool same = t->columns.p == trial->parameters &&
                t->samples == samples->reference_count;
    for (int j = 0; same && j < trial->parameters; j++)
        same = t->parameter[j] == trial->parameter[j];
    if (!same)
        return diagnose(diagnosis, BAD_INPUT, NAN, "the stored values are by other "
                        "parameters or at other times: saltus certify %s",
                        trial->model->desc->name);
    for (int k = 0; k < samples->count; k++)
        if (mpfr_cmp_d(t->sample[first + k].t, samples->t[k]) != 0)
            return diagnose(diagnosis, BAD_INPUT, NAN, "the stored values are at other "
                            "times than %s: saltus certify %s", samples->text[k],
                            trial->model->desc->name);
    return OK;
}

enum status trial_certificate(const struct trial *trial, const struct truth *truth,
                              struct certificate **out, struct diagnosis *diagnosis)
{
    char path[600];
    *out = NULL;
    if (!certified_path(trial->model, truth, path, sizeof path))
        return OK;
    enum status status = certificate_read(path, trial->model, out, diagnosis);
    if (status == OK && (*out)->refusal.status == OK)
        status = check_question(trial, *out, diagnosis);
    if (status != OK) {
        certificate_free(*out);
        *out = NULL;
    }
    return status;
}

static struct row *piece_row(struct piece *piece, enum row_kind kind, const char *oracle)
{
    const struct judge_settings *settings = piece->settings;
    struct row *row = rows_add(&piece->rows, kind, piece->desc->name,
                               piece->solution, oracle);
    row->rtol = judge_rtol(settings, piece->desc, piece->formulation);
    snprintf(row->integrator, sizeof row->integrator, "%s",
             judge_integrator(settings, piece->formulation)->name);
    row->made = judge_made(settings, piece->desc, piece->formulation);
    if (settings->rule)
        snprintf(row->rule, sizeof row->rule, "%s", settings->rule->name);
    return row;
}

struct row *trial_row(struct trial *trial, enum row_kind kind, const char *oracle)
{
    return piece_row(trial->piece, kind, oracle);
}

struct row *truth_row(struct trial *trial, enum row_kind kind, const char *oracle)
{
    struct piece *piece = trial->piece;
    return rows_add(&piece->rows, kind, piece->desc->name, piece->solution, oracle);
}

/* Once for every motion that a case has. */
static void note_absence(const struct trial *trial, struct row *row)
{
    char never[400];
    if (trial->piece->follows || row->kind != ROW_JUDGED)
        return;
    never_in_run(trial->trajectory, never, sizeof never);
    row_note(row, never);
}

/* What the run says beyond numbers stands by its first row. */
void trial_settle(struct trial *trial)
{
    struct rows *rows = &trial->piece->rows;
    if (trial->trajectory && rows->count > 0 && !trial->noted) {
        row_note_together(rows, rows->row, trial->trajectory);
        note_absence(trial, rows->row);
    }
    trial->noted = trial->noted || rows->count > 0;
    for (int k = 0; k < rows->count; k++)
        if (rows->row[k].short_of_bar > 0 && !trial->weighed)
            return;
    rows_settle(rows, false);
}

void judge_refused(struct piece *piece, const char *oracle,
                   const struct diagnosis *diagnosis)
{
    row_refuse(piece_row(piece, ROW_REFUSED, oracle), diagnosis);
}

void trial_refuse(struct trial *trial, const char *oracle,
                  const struct diagnosis *diagnosis)
{
    judge_refused(trial->piece, oracle, diagnosis);
}
