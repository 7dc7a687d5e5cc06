/*
 * stream.c - rows printed as soon as all before them are settled (stream.h)
 */
#include "tables/stream.h"

#include <string.h>

#include "verdict/row_status.h"

/* --- layout ------------------------------------------------------------------------- */

/* Names of rows that are no oracles: invariants of a reference motion, and a gap. */
static const char invariant[] = "invariant", gap[] = "exact motion";
/* The solution of a row of printed numbers that are compared with certified values. */
static const char certified_motion[] = "MPFR exact";

static void widen(struct table_layout *layout, const struct job *job)
{
    text_column_fit(&layout->column[TABLE_CASE], job->desc->name);
    text_column_fit(&layout->column[TABLE_SOLUTION], job->solution);
    for (int k = 0; k < ORACLE_COUNT; k++)
        if (job->oracles & 1u << k)
            text_column_fit(&layout->column[TABLE_ORACLE], oracles[k].name);
    for (int k = 0; k < ORACLE_COUNT; k++)
        if ((job->oracles & 1u << k) && oracles[k].way == WAY_PRINTED)
            text_column_fit(&layout->column[TABLE_SOLUTION], certified_motion);
    if (job->is_reference)
        text_column_fit(&layout->column[TABLE_ORACLE], invariant);
    if (job->gap)
        text_column_fit(&layout->column[TABLE_ORACLE], gap);
}

/* --- rows --------------------------------------------------------------------------- */

void live_row(struct live *live, const struct row *row)
{
    if (live->brief && row_passed(row))
        return;
    if (!live->begun) {
        if (!live->brief)
            report_introduction(live->stream, live->job, live->jobs);
        report_heading(live->stream, &live->layout);
    }
    live->begun = true;
    report_row(live->stream, &live->layout, row,
               strcmp(row->case_name, live->last_case) != 0);
    snprintf(live->last_case, sizeof live->last_case, "%s", row->case_name);
}

static bool has_news(const struct live *live)
{
    const struct rows *rows = &live->job[live->at]->rows;
    return live->shown < rows->settled || rows->complete;
}

static void look(struct rows_reader *reader)
{
    struct live *live = (struct live *)reader;
    if (live->at == live->jobs || !has_news(live))
        return;
    pool_line_away();
    while (live->at < live->jobs && has_news(live)) {
        const struct rows *rows = &live->job[live->at]->rows;
        while (live->shown < rows->settled)
            live_row(live, &rows->row[live->shown++]);
        if (!rows->complete)
            break;
        live->at++;
        live->shown = 0;
    }
    fflush(live->stream);
    pool_line_back();
}

static void settle_job(struct task *task)
{
    rows_settle(&((struct job *)task)->rows, true);
}

void live_begin(struct live *live, FILE *stream, struct job *const *job, int jobs,
                bool brief)
{
    *live = (struct live){.reader = {.look = look}, .stream = stream, .job = job,
                          .jobs = jobs, .brief = brief, .layout = table_layout_least,
                          .last_case = ""};
    pthread_mutex_init(&live->reader.lock, NULL);
    for (int k = 0; k < jobs; k++) {
        widen(&live->layout, job[k]);
        job[k]->rows.reader = &live->reader;
        job[k]->task.ended = settle_job;
    }
}

void live_end(struct live *live)
{
    for (int k = 0; k < live->jobs; k++) {
        live->job[k]->rows.reader = NULL;
        live->job[k]->task.ended = NULL;
    }
    pthread_mutex_destroy(&live->reader.lock);
}
