/*
 * paper.c - the papers, and a study that is run (paper.h)
 */
#include "papers/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "jobs/pool.h"

#define PAPER(name) extern const struct paper paper_##name;
#include "papers/papers.def"
#undef PAPER

const struct paper *const papers[] = {
#define PAPER(name) &paper_##name,
#include "papers/papers.def"
#undef PAPER
    NULL
};

const char *const claim_verdict_text[CLAIM_VERDICTS] = {"confirmed", "refuted",
                                                        "not reproducible"};

const struct paper *paper_find(const char *name)
{
    for (int k = 0; papers[k]; k++)
        if (strcmp(papers[k]->name, name) == 0)
            return papers[k];
    return NULL;
}

const char *const trial_outcome_text[TRIAL_OUTCOMES] = {
    "holds", "wrong", "wrong as extracted", "does not extend", "undecided"};

/* The outcome of a formula that falls short, by how it was read. */
static enum trial_outcome short_outcome(const struct printed_formula *row)
{
    return strstr(row->where, ", as extracted") ? TRIAL_WRONG_AS_EXTRACTED
           : strstr(row->where, ", beyond ")    ? TRIAL_DOES_NOT_EXTEND
                                                : TRIAL_WRONG;
}

enum trial_outcome trial_outcome(const struct printed_formula *row,
                                 const struct trial *trial)
{
    static const double enough = 6, less = 2;
    bool alone = !*row->corrected;
    if (!alone && trial->corrected - trial->printed >= less)
        return short_outcome(row);
    if (trial->printed >= enough)
        return TRIAL_HOLDS;
    return alone ? short_outcome(row) : TRIAL_UNDECIDED;
}

int studies_of(const struct paper *paper)
{
    int count = 0;
    while (paper->study[count])
        count++;
    return count;
}

int claims_of(const struct study *study)
{
    int count = 0;
    while (study->claim && study->claim[count].where)
        count++;
    return count;
}

bool claim_is_own(const struct claim *claim)
{
    return strcmp(claim->where, "ours") == 0;
}

int formulas_of(const struct study *study)
{
    int count = 0;
    while (study->formula && study->formula[count].where)
        count++;
    return count;
}

int figures_of(const struct study *study)
{
    int count = 0;
    while (study->figure && study->figure[count].name)
        count++;
    return count;
}

void studied_run(struct studied *studied, struct task *task)
{
    const struct study *study = studied->study;
    int claims = claims_of(study), formulas = formulas_of(study);
    task_part(task, 0, 0.5);
    studied->status = study->open(task, &studied->own, studied->why,
                                  sizeof studied->why);
    if (studied->status != OK)
        return;
    task_part(task, 0.5, 1);
    studied->finding = memory_new(claims, sizeof *studied->finding);
    studied->trial = memory_new(formulas, sizeof *studied->trial);
    for (int k = 0; k < claims; k++) {
        studied->finding[k] = (struct finding){.agreed = -1, .digits = NAN};
        study->claim[k].judge(studied->own, &study->claim[k], &studied->finding[k]);
        task_progress(task, (k + 1.0) / (claims + formulas));
    }
    for (int k = 0; k < formulas; k++) {
        struct trial *trial = &studied->trial[k];
        study->formula[k].attempt(studied->own, &study->formula[k], trial);
        /* A number without a right digit has none. */
        trial->printed = fmax(trial->printed, 0);
        if (!isnan(trial->corrected))
            trial->corrected = fmax(trial->corrected, 0);
        task_progress(task, (claims + k + 1.0) / (claims + formulas));
    }
}

void studied_clear(struct studied *studied)
{
    if (studied->own)
        studied->study->close(studied->own);
    free(studied->finding);
    free(studied->trial);
}
