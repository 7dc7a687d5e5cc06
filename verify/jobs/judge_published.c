/*
 * judge_published.c - printed numbers, once for a case: one row, its worst.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/job.h"
#include "motion/cost.h"
#include "oracles/published.h"
#include "quantity/quantity.h"
#include "verdict/bars.h"

/* Decimal digits of values that are evaluated for printed numbers alone: more than are
   ever printed. */
enum { PUBLISHED_DIGITS = 40 };

/* A certified value is asked for every printed digit, a run in double for its usual
   bar. */
static double bar_of(const struct job_work *work, const struct found *found)
{
    const struct job *job = work->job;
    if (found->certified)
        return found->printed;
    struct made made = judge_made(job->settings, job->desc, job->formulation);
    const struct quantity quantity = quantity_parse(found->published->quantity);
    return bar_digits(&made, &quantity, found->printed, 1);
}

static struct verdict judged_of(const struct job_work *work, const struct found *found)
{
    const struct published *published = found->published;
    struct verdict verdict = {.t = found->t, .digits = found->digits,
                              .bar = bar_of(work, found),
                              .scale = fabs(strtod(published->value, NULL))};
    const struct quantity quantity = quantity_parse(published->quantity);
    quantity_print(&quantity, verdict.name, sizeof verdict.name);
    snprintf(verdict.want, sizeof verdict.want, "%s", published->value);
    mpfr_snprintf(verdict.got, sizeof verdict.got, "%.*Rg", found->printed + 4,
                  found->value);
    return verdict;
}

/* The note says beside the verdict which numbers are disputed, as far as there is
   room. */
static void note_disputed(struct row *row, const char *case_name,
                          const struct found *found, int count)
{
    size_t used = 0, room = sizeof row->note;
    int disputed = 0;
    for (int k = 0; k < count; k++)
        disputed += found[k].published->disputed != NULL;
    if (disputed == 0)
        return;
    used += (size_t)snprintf(row->note, room, "%d disputed, not judged (why: saltus show "
                             "%s):", disputed, case_name);
    for (int k = 0; k < count && used < room; k++)
        if (found[k].published->disputed)
            used += (size_t)snprintf(row->note + used, room - used, " %s %.1f of %d%s",
                                     found[k].published->quantity, found[k].digits,
                                     found[k].printed, --disputed > 0 ? "," : " digits");
}

/* A case may print a name from before 0.2; the note says the name of today. */
static void note_old_name(struct row *row, const struct verdict *verdict,
                          const char *name)
{
    char text[2 * QUANTITY_NAME + 40];
    if (!quantity_is_old_name(name))
        return;
    snprintf(text, sizeof text, "the case says %s, now %s", name, verdict->name);
    row_note(row, text);
}

static void judge_found(struct job_work *work, struct row *row, const struct found *found)
{
    const struct verdict verdict = judged_of(work, found);
    row_measure_published(&work->job->rows, row, &verdict, found->published);
    note_old_name(row, &verdict, found->published->quantity);
}

/* Is it too long a way to the end of the motion? Then the row says so. */
static bool too_long(struct job_work *work, const struct oracle *oracle,
                     const struct truth *exact)
{
    char text[40];
    struct effort effort;
    effort_of(work->model, exact, &effort);
    double seconds = effort_of_run(&effort, PUBLISHED_DIGITS);
    if (work->job->settings->thorough || seconds <= judge_patience)
        return false;
    struct row *row = job_row(work, ROW_EMPTY, oracle->name);
    duration_text(seconds, text, sizeof text);
    snprintf(row->note, sizeof row->note, "printed numbers, not judged; that takes about "
             "%s: --thorough", text);
    return true;
}

static void judge_all(struct job_work *work, const struct oracle *oracle,
                      const struct certificate *certificate)
{
    struct rows *rows = &work->job->rows;
    struct diagnosis diagnosis = {.t = NAN};
    struct found *found;
    int count;
    bool run = is_exact(&work->job->motion.truth) && work->got;
    const struct published_sources sources = {
        .model = work->model, .parameters = work->parameters,
        .parameter = work->parameter, .digits = PUBLISHED_DIGITS,
        .certified = certificate ? certificate->trajectory : NULL,
        .run = run ? work->trajectory : NULL,
    };
    enum status status = published_find(&sources, &found, &count, &diagnosis);
    struct row *row = sources.certified ? rows_add(rows, ROW_JUDGED,
                                                   work->job->desc->name, "MPFR exact",
                                                   oracle->name)
                                        : job_row(work, ROW_JUDGED, oracle->name);
    if (status != OK)
        row_refuse(row, &diagnosis);
    for (int k = 0; status == OK && k < count; k++)
        judge_found(work, row, &found[k]);
    if (status == OK)
        note_disputed(row, work->model->desc->name, found, count);
    if (status == OK && row->numbers == 0)      /* all of them are disputed */
        row->kind = ROW_EMPTY;
    published_clear(found, count);
}

void judge_published(struct job_work *work, const struct oracle *oracle)
{
    static const struct truth exact = {.variant = "exact"};
    struct certificate *certificate;
    struct diagnosis diagnosis = {.t = NAN};
    if (too_long(work, oracle, &exact))
        return;
    if (job_certificate(work, &exact, &certificate, &diagnosis) != OK)
        job_refuse(work, oracle->name, &diagnosis);
    else
        judge_all(work, oracle, certificate);
    certificate_free(certificate);
}
