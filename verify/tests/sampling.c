#include "sampling.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coverage/coverage.h"
#include "mechanisms/catalogue.h"
#include "motion/cost.h"
#include "motion/reference_motion.h"
#include "sanitized.h"

/* What cases have in common, as bits of one word: cells of the table of coverage, its
   columns, declared classes. */
enum {
    CELL = 0,
    COLUMN = CELL + COVERAGE_ROWS * COVERAGE_COLUMNS,
    WORD = COLUMN + COVERAGE_COLUMNS,
    FEATURES = WORD + CLASSES
};
_Static_assert(FEATURES <= 64, "features are the bits of a uint64_t");

struct candidate {
    const struct case_desc *desc;
    const struct formulation *usual;
    double seconds;
    uint64_t features;
    bool once;                              /* run by tests that run each case once */
    bool *applies, *run;                    /* [formulations] */
};

struct sampling {
    int count, formulations;
    struct candidate *candidate;
};

bool in_test_all(void)
{
    return getenv("SALTUS_SLOW") != NULL;
}

bool has_motion(const struct case_desc *desc)
{
    return !case_is_refused(desc);
}

/* --- candidates --------------------------------------------------------------------- */

static uint64_t features_of(const struct case_desc *desc, const struct coverage *coverage)
{
    uint64_t features = (uint64_t)classes_declared(desc) << WORD;
    for (int i = 0; i < COVERAGE_ROWS; i++)
        for (int j = 0; j < COVERAGE_COLUMNS; j++) {
            const struct coverage_cell *cell = &coverage->cell[i][j];
            for (int k = 0; k < cell->count; k++)
                if (cell->of[k] == desc)
                    features |= UINT64_C(1) << (CELL + i * COVERAGE_COLUMNS + j) |
                                UINT64_C(1) << (COLUMN + j);
        }
    return features;
}

static void add_candidate(struct sampling *sampling, const struct case_desc *desc,
                          const struct coverage *coverage)
{
    const struct truth exact = {.variant = "exact"};
    struct effort effort;
    struct model *model = model_new(desc, NULL);
    struct candidate *candidate = &sampling->candidate[sampling->count++];
    effort_of(model, &exact, &effort);
    *candidate = (struct candidate){
        .desc = desc, .usual = formulation_default(model),
        .seconds = effort_in_double(&effort, model->p),
        .features = features_of(desc, coverage),
        .applies = memory_new(sampling->formulations, sizeof(bool)),
        .run = memory_new(sampling->formulations, sizeof(bool)),
    };
    for (int f = 0; f < sampling->formulations; f++)
        candidate->applies[f] = formulation_applies(formulations[f], model, NULL);
    model_free(model);
}

/* --- choosing ----------------------------------------------------------------------- */

/* That has the feature and, unless `f` is negative, runs in a formulation. */
static struct candidate *cheapest(struct sampling *sampling, int feature, int f)
{
    struct candidate *best = NULL;
    for (int k = 0; k < sampling->count; k++) {
        struct candidate *candidate = &sampling->candidate[k];
        bool has = candidate->features >> feature & 1;
        if (has && (f < 0 || candidate->applies[f]) &&
            (!best || candidate->seconds < best->seconds))
            best = candidate;
    }
    return best;
}

/* Kinds of mechanism in one formulation, and the cases of which it is the usual one. */
static void choose_runs(struct sampling *sampling, int f)
{
    struct candidate *chosen;
    for (int feature = COLUMN; feature < WORD; feature++)
        if ((chosen = cheapest(sampling, feature, f)))
            chosen->run[f] = true;
    for (int k = 0; k < sampling->count && !SANITIZED; k++) {
        chosen = &sampling->candidate[k];
        if (chosen->once && chosen->usual == formulations[f])
            chosen->run[f] = true;
    }
}

static void choose(struct sampling *sampling)
{
    struct candidate *chosen;
    for (int feature = SANITIZED ? COLUMN : 0; feature < FEATURES; feature++)
        if ((chosen = cheapest(sampling, feature, -1)))
            chosen->once = true;
    for (int f = 0; f < sampling->formulations; f++)
        choose_runs(sampling, f);
}

static void choose_all(struct sampling *sampling)
{
    for (int k = 0; k < sampling->count; k++) {
        struct candidate *candidate = &sampling->candidate[k];
        candidate->once = true;
        memory_copy(candidate->run, candidate->applies, sampling->formulations,
                    sizeof *candidate->run);
    }
}

/* --- a sample ----------------------------------------------------------------------- */

struct sampling *sampling_new(bool (*takes)(const struct case_desc *desc))
{
    int cases = 0;
    struct sampling *sampling = memory_new(1, sizeof *sampling);
    struct coverage *coverage = coverage_new(catalogue, NULL);
    if (!coverage)
        slip("a case contradicts what it declares: see test_coverage");
    while (catalogue[cases])
        cases++;
    while (formulations[sampling->formulations])
        sampling->formulations++;
    sampling->candidate = memory_new(cases, sizeof *sampling->candidate);
    for (int k = 0; k < cases; k++)
        if (takes(catalogue[k]))
            add_candidate(sampling, catalogue[k], coverage);
    coverage_free(coverage);
    if (in_test_all())
        choose_all(sampling);
    else
        choose(sampling);
    return sampling;
}

void sampling_free(struct sampling *sampling)
{
    for (int k = 0; k < sampling->count; k++) {
        free(sampling->candidate[k].applies);
        free(sampling->candidate[k].run);
    }
    free(sampling->candidate);
    free(sampling);
}

static const struct candidate *find(const struct sampling *sampling,
                                    const struct case_desc *desc)
{
    for (int k = 0; k < sampling->count; k++)
        if (sampling->candidate[k].desc == desc)
            return &sampling->candidate[k];
    return NULL;
}

bool sampling_has(const struct sampling *sampling, const struct case_desc *desc)
{
    const struct candidate *candidate = find(sampling, desc);
    return candidate && candidate->once;
}

bool sampling_has_run(const struct sampling *sampling, const struct case_desc *desc,
                      const struct formulation *formulation)
{
    const struct candidate *candidate = find(sampling, desc);
    for (int f = 0; candidate && f < sampling->formulations; f++)
        if (formulations[f] == formulation)
            return candidate->run[f];
    return false;
}
