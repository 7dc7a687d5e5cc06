/*
 * test_sampling.c - a sample of the catalogue misses no kind of event or mechanism, and
 * costs less than all of it.
 */
#include "sampling.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "coverage/coverage.h"
#include "mechanisms/catalogue.h"

static bool any(const struct case_desc *desc)
{
    return desc != NULL;
}

static bool none(const struct case_desc *desc)
{
    return desc == NULL;
}

/* make test-all has set SALTUS_SLOW. */
static struct sampling *new_sample(bool (*takes)(const struct case_desc *desc))
{
    cr_assert_eq(unsetenv("SALTUS_SLOW"), 0);
    return sampling_new(takes);
}

static int cases_of(const struct sampling *sampling)
{
    int count = 0;
    for (int k = 0; catalogue[k]; k++)
        count += sampling_has(sampling, catalogue[k]);
    return count;
}

static int runs_of(const struct sampling *sampling, const struct formulation *formulation)
{
    int count = 0;
    for (int k = 0; catalogue[k]; k++)
        count += sampling_has_run(sampling, catalogue[k], formulation);
    return count;
}

Test(sampling, has_every_cell_of_the_table_of_coverage)
{
    struct sampling *sampling = new_sample(any);
    struct coverage *coverage = coverage_new(catalogue, NULL);
    for (int i = 0; i < COVERAGE_ROWS; i++)
        for (int j = 0; j < COVERAGE_COLUMNS; j++) {
            const struct coverage_cell *cell = &coverage->cell[i][j];
            int count = 0;
            for (int k = 0; k < cell->count; k++)
                count += sampling_has(sampling, cell->of[k]);
            cr_expect(cell->count == 0 || count > 0, "%s, %s", coverage_row[i].text,
                      coverage_column_text[j]);
        }
    coverage_free(coverage);
    sampling_free(sampling);
}

Test(sampling, has_every_declared_class_in_every_formulation_that_takes_it)
{
    struct sampling *sampling = new_sample(has_motion);
    class_set all = 0, taken = 0;
    for (int k = 0; catalogue[k]; k++)
        if (has_motion(catalogue[k])) {
            class_set declared = classes_declared(catalogue[k]);
            all |= declared;
            taken |= sampling_has(sampling, catalogue[k]) ? declared : 0;
        }
    cr_expect_eq(all, taken);
    for (int f = 0; formulations[f]; f++)
        cr_expect_geq(runs_of(sampling, formulations[f]), 2, "%s", formulations[f]->name);
    sampling_free(sampling);
}

/* A redundant mechanism, say, in every formulation that takes one. */
Test(sampling, has_every_kind_of_mechanism_in_every_formulation)
{
    struct sampling *sampling = new_sample(has_motion);
    for (int f = 0; formulations[f]; f++) {
        class_set all = 0, taken = 0;
        const class_set kinds = 1u << CLASS_REDUNDANT | 1u << CLASS_CONSTRAINED;
        for (int k = 0; catalogue[k]; k++) {
            struct model *model = model_new(catalogue[k], NULL);
            bool with_events = model->events > 0;
            if (has_motion(catalogue[k]) && with_events &&
                formulation_applies(formulations[f], model, NULL))
                all |= kinds & classes_declared(catalogue[k]);
            if (sampling_has_run(sampling, catalogue[k], formulations[f]))
                taken |= kinds & classes_declared(catalogue[k]);
            model_free(model);
        }
        cr_expect_eq(all, taken, "%s", formulations[f]->name);
    }
    sampling_free(sampling);
}

Test(sampling, is_a_part_of_what_there_is_and_of_what_is_taken)
{
    int cases = 0;
    struct sampling *sampling = new_sample(any), *empty = new_sample(none);
    while (catalogue[cases])
        cases++;
    cr_expect_gt(cases_of(sampling), 0);
    cr_expect_lt(cases_of(sampling), cases);
    cr_expect_eq(cases_of(empty), 0);
    cr_expect_eq(runs_of(empty, formulations[0]), 0);
    sampling_free(sampling);
    sampling_free(empty);
}

Test(sampling, is_everything_in_test_all)
{
    cr_assert_eq(setenv("SALTUS_SLOW", "1", 1), 0);
    struct sampling *sampling = sampling_new(any);
    for (int k = 0; catalogue[k]; k++) {
        struct model *model = model_new(catalogue[k], NULL);
        cr_expect(sampling_has(sampling, catalogue[k]));
        for (int f = 0; formulations[f]; f++)
            cr_expect_eq(sampling_has_run(sampling, catalogue[k], formulations[f]),
                         formulation_applies(formulations[f], model, NULL));
        model_free(model);
    }
    sampling_free(sampling);
}
