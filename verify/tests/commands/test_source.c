/* Faults in the source (mutants/source.def): the list fits the tree, every independence
   that is claimed has a fault that shows it, and faults are seen. */
#include <unistd.h>

#include "jobs/judge.h"
#include "mutants/source.h"
#include "oracles/shared_parts.h"
#include "running.h"
#include "sampling.h"

TestSuite(source, .init = make_folder, .fini = remove_folder);

static bool in_list(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

Test(source, every_line_of_the_list_is_in_the_tree_once)
{
    cr_expect_eq(source_check(top(), stderr), 0);
    for (int k = 0; k < source_fault_count; k++) {
        bool known = false;
        for (int i = 0; i < shared_part_count; i++)
            known = known || strcmp(source_faults[k].part, shared_parts[i].id) == 0;
        cr_expect(known, "%s: no part %s", source_faults[k].name, source_faults[k].part);
        cr_expect(*source_faults[k].seen_by, "%s: nobody must see it",
                  source_faults[k].name);
        for (int i = 0; i < k; i++)
            cr_expect_str_neq(source_faults[k].name, source_faults[i].name);
    }
}

/* A certificate that is not made is what the differences, the other route, have seen. */
static bool shown(const char *oracle, const char *part)
{
    for (int k = 0; k < source_fault_count; k++) {
        const struct source_fault *fault = &source_faults[k];
        bool sees = in_list(fault->seen_by, oracle) ||
                    (strcmp(oracle, "mpfr-difference") == 0 &&
                     in_list(fault->seen_by, "certify"));
        if (sees && strcmp(fault->part, part) == 0)
            return true;
    }
    return false;
}

Test(source, every_claimed_independence_has_a_fault_that_shows_it)
{
    for (int k = 0; k < ORACLE_COUNT; k++)
        for (int i = 0; i < shared_part_count; i++) {
            const char *part = shared_parts[i].id;
            bool apart = in_list(oracles[k].apart, part);
            cr_expect(!(in_list(oracles[k].shared, part) && apart),
                      "%s: %s is shared and apart", oracles[k].name, part);
            if (apart)
                cr_expect(shown(oracles[k].name, part),
                          "no fault in %s that %s must see", part, oracles[k].name);
        }
}

static void expect_seen(struct source_copy *copy, const char *name)
{
    for (int k = 0; k < source_fault_count; k++) {
        struct source_result result;
        if (name && strcmp(source_faults[k].name, name) != 0)
            continue;
        source_judge(copy, &source_faults[k], &result);
        cr_expect_eq(result.fate, SOURCE_SEEN, "%s: seen by '%s', must be by %s; %s",
                     source_faults[k].name, result.seen, source_faults[k].seen_by,
                     result.why);
    }
}

/* Three in make test, all in make test-all; each compiles and links the command, never
   with a sanitizer. */
Test(source, faults_in_the_source_are_seen)
{
    static const char *const sample[] = {"time-held", "both-tau", "flipped-digit"};
    char why[SOURCE_TEXT], work[200];
    struct source_copy copy;
    snprintf(work, sizeof work, "%s/copy", folder);
    cr_assert(source_copy_make(&copy, top(), work, 2, why), "%s", why);
    if (in_test_all())
        expect_seen(&copy, NULL);
    else
        for (size_t k = 0; k < sizeof sample / sizeof *sample; k++)
            expect_seen(&copy, sample[k]);
}

Test(source, where_nothing_can_be_judged_the_command_falls_short)
{
    cr_expect_eq(run_command("mutants --source /tmp"), SHORT);
    char *out = contents("out");
    cr_expect_not_null(strstr(out, "nothing could be judged"), "%s", out);
    free(out);
    expect_complaint("mutants --source . no-such-fault", USAGE, "no-such-fault");
    cr_expect_eq(run_command("mutants --source /tmp/no/such"), USAGE);
}
