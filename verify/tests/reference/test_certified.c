/*
 * test_certified.c - the stored certified values come out again, on all digits that are
 * certified. Steps and the order, and so digits beyond, may be others than those of the
 * reference that made them.
 *
 * The command makes them anew in a folder of its own; a number that differs means that
 * the formulas, the reference or the stored values are wrong. All of them:
 * `make certify-all`.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mechanisms/catalogue.h"
#include "motion/cost.h"
#include "motion/reference_motion.h"
#include "reference.h"
#include "sampling.h"

static char folder[] = "/tmp/saltus-certified-XXXXXX";
static int compared;

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

static struct certificate *read_in(const char *where, const char *name,
                                   const struct model *model)
{
    char path[PATH_MAX];
    struct certificate *certificate = NULL;
    snprintf(path, sizeof path, "%s/%s", where, name);
    certificate_read(path, model, &certificate, NULL);
    return certificate;
}

/* A file made anew against the stored one of the same name: all digits on which the two
   routes agree, but for the last, which is rounded. */
static void expect_the_same(const char *name, const struct model *model)
{
    struct certificate *now = read_in(folder, name, model);
    struct certificate *stored = read_in(values_folder(model->desc), name, model);
    cr_expect_eq(now == NULL, stored == NULL, "%s", name);
    if (now != NULL && stored != NULL) {
        int agreed = now->agreed < stored->agreed ? now->agreed : stored->agreed;
        double digits = certificate_agreement(now, stored);
        cr_expect_gt(digits, agreed - 1, "%s: %.1f digits of %d", name, digits, agreed);
        compared++;
    }
    certificate_free(now);
    certificate_free(stored);
}

/* Every file of a case: each is read with the model of its own reset policy, and refused
   with another. */
static void expect_out_again(const struct case_desc *desc)
{
    char text[1000], name[200];
    snprintf(text, sizeof text, "'%s' certify %s --directory '%s' > /dev/null 2>&1",
             command(), desc->name, folder);
    cr_assert_eq(system(text), 0, "%s", desc->name);
    for (int policy = 0; reset_policy_text[policy]; policy++) {
        struct model *model = model_new_with(desc, (enum reset_policy)policy, NULL);
        snprintf(name, sizeof name, "%s.ref", desc->name);
        expect_the_same(name, model);
        glob_t found;
        snprintf(text, sizeof text, "%s/%s.penalty-*.ref", folder, desc->name);
        int none = glob(text, 0, NULL, &found);
        for (size_t i = 0; none == 0 && i < found.gl_pathc; i++)
            expect_the_same(strrchr(found.gl_pathv[i], '/') + 1, model);
        globfree(&found);
        model_free(model);
    }
}

Test(certified, values_come_out_again_to_all_their_digits)
{
    cr_assert_not_null(mkdtemp(folder));
    struct sampling *sampling = sampling_new(is_quick);
    for (int k = 0; catalogue[k]; k++)
        if (sampling_has(sampling, catalogue[k]))
            expect_out_again(catalogue[k]);
    cr_expect_gt(compared, 0);
    sampling_free(sampling);
    char text[200];
    snprintf(text, sizeof text, "rm -rf '%s'", folder);
    cr_expect_eq(system(text), 0);
}
