/*
 * unanswered.c - rows for cases of which nothing was judged (unanswered.h)
 */
#include "jobs/unanswered.h"

#include <stdio.h>

#include "mechanisms/catalogue.h"
#include "motion/known_values.h"
#include "verdict/row_status.h"

/* The outcome of all jobs of one case. */
struct answers {
    bool answered;              /* a number was compared, or a run had no oracle */
    bool failed;                /* a row fails already */
    bool refusal;               /* the exact motion's refusal is certified and was found
                                   again */
    bool other_refusal;         /* a penalty motion's refusal is certified and was found
                                   again */
    const struct row *refused;  /* the first row without numbers */
};

static void look_at(const struct job *job, struct answers *answers)
{
    struct tally tally = {0};
    const struct rows *rows = &job->rows;
    bool exact = !is_known(&job->motion.truth) || is_exact(&job->motion.truth);
    tally_add(&tally, rows);
    answers->answered = answers->answered || tally.numbers > 0 ||
                        (rows->count == 0 && !job->is_reference);
    answers->failed = answers->failed || tally.failed > 0;
    answers->refusal = answers->refusal || (tally.refused > 0 && exact);
    answers->other_refusal = answers->other_refusal || (tally.refused > 0 && !exact);
    for (int k = 0; k < rows->count && !answers->refused; k++)
        if (rows->row[k].numbers == 0)
            answers->refused = &rows->row[k];
}

static struct row *add_row(struct job *job, const struct answers *answers)
{
    const struct case_desc *desc = job->desc;
    char why[300] = "no oracle that was asked for applies", name[80];
    snprintf(name, sizeof name, "%.79s", desc->name);
    if (answers->refused)
        row_reason(answers->refused, why, sizeof why);
    bool told = (job->settings->oracles & oracles_with(TELLS_REFUSALS)) != 0;
    struct row *row = rows_add(&job->rows, told ? ROW_ABSENT : ROW_EMPTY, name, "-",
                               "-");
    if (!told)
        snprintf(row->note, sizeof row->note, "no oracle that was asked for judges "
                 "refusals: %.200s", why);
    else if (answers->refusal || answers->other_refusal)
        snprintf(row->note, sizeof row->note, "no answer: %s. That is certified, but the "
                 "case is not of class refused; mend it, or add the class", why);
    else
        snprintf(row->note, sizeof row->note, "no answer, nothing was compared: %.200s. "
                 "Mend the case, or, if that is its answer: class refused, saltus "
                 "certify %s",
                 why, name);
    return row;
}

/* Is the case there to be refused, or is it a penalty motion alone that is? A rope that
   is stretched passes its guard. */
static bool is_meant(const struct case_desc *desc, const struct answers *answers)
{
    if (case_is_refused(desc))
        return answers->refusal || answers->other_refusal;
    return !answers->refusal && answers->other_refusal && exact_is_answered(desc);
}

void unanswered_rows(struct job *const *job, int count, struct row **row)
{
    for (int from = 0, to; from < count; from = to) {
        struct answers answers = {0};
        for (to = from; to < count && job[to]->desc == job[from]->desc; to++) {
            row[to] = NULL;
            look_at(job[to], &answers);
        }
        bool told = answers.answered || answers.failed;
        if (!told && !is_meant(job[from]->desc, &answers))
            row[to - 1] = add_row(job[to - 1], &answers);
    }
}
