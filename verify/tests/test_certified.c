/*
 * test_certified.c - the stored certified values come out again, to the byte.
 *
 * The command makes them anew in a folder of its own; a file that differs means that the
 * formulas, the reference or the stored values have changed. All of them:
 * `make certify-all`.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalogue.h"
#include "cost.h"
#include "sampling.h"
#include "truths.h"

static char folder[] = "/tmp/saltus-certified-XXXXXX";

static const char *command(void)
{
    const char *named = getenv("SALTUS_COMMAND");
    return named ? named : "build/saltus";
}

/* Both routes take about a second of CPU time, or less; all of it takes an hour. */
static bool is_quick(const struct case_desc *desc)
{
    const struct truth exact = {.variant = "exact"};
    struct effort effort;
    struct model *model = model_new(desc, NULL);
    effort_of(model, &exact, &effort);
    bool quick = effort_of_both(&effort, model->p, (int)effort.digits) < 1.5;
    model_free(model);
    return quick || in_test_all();
}

/* Every file of a case, made anew, against the stored one of the same name. */
static bool comes_out_again(const char *name)
{
    char text[2000];
    snprintf(text, sizeof text,
             "'%s' certify %s --directory '%s' > /dev/null 2>&1 && "
             "for f in '%s'/%s.*ref; do cmp \"$f\" '%s'/\"${f##*/}\" || exit 1; done",
             command(), name, folder, folder, name, values_folder());
    return system(text) == 0;
}

Test(certified, values_come_out_again_to_the_byte)
{
    cr_assert_not_null(mkdtemp(folder));
    struct sampling *sampling = sampling_new(is_quick);
    for (int k = 0; catalogue[k]; k++)
        if (sampling_has(sampling, catalogue[k]))
            cr_expect(comes_out_again(catalogue[k]->name),
                      "%s: other values than those stored", catalogue[k]->name);
    sampling_free(sampling);
    char text[200];
    snprintf(text, sizeof text, "rm -rf '%s'", folder);
    cr_expect_eq(system(text), 0);
}
