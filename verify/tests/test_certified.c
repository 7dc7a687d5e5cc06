/*
 * test_certified.c - the stored certified values come out again, to the byte.
 *
 * The command makes them anew in a folder of its own; a file that differs means that the
 * formulas, the reference or the stored values have changed. What takes more than seconds waits
 * for SALTUS_SLOW, or for `make certify-all`.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalogue.h"
#include "cost.h"
#include "truths.h"

static char folder[] = "/tmp/saltus-certified-XXXXXX";

static const char *command(void)
{
    const char *named = getenv("SALTUS_COMMAND");
    return named ? named : "build/saltus";
}

/* Everything that takes more than a few seconds waits. */
static bool is_slow(const struct case_desc *desc)
{
    const struct truth exact = {.variant = "exact"};
    struct effort effort;
    struct model *model = model_new(desc, NULL);
    if (!model)
        return false;
    bool slow = effort_of(model, &exact, &effort) &&
                effort_of_both(&effort, model->p, (int)effort.digits) > 1.0;
    model_free(model);
    return slow;
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
    for (int k = 0; catalogue[k]; k++)
        if (!is_slow(catalogue[k]) || getenv("SALTUS_SLOW"))
            cr_expect(comes_out_again(catalogue[k]->name),
                      "%s: other values than those stored", catalogue[k]->name);
    char text[200];
    snprintf(text, sizeof text, "rm -rf '%s'", folder);
    cr_expect_eq(system(text), 0);
}
