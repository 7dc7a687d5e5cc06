/*
 * test_reproduce.c - `saltus reproduce`: what is made, the same bytes again, wrong
 * requests; and verdicts from numbers.
 */
#include <math.h>

#include "papers/finding.h"
#include "running.h"
#include "sampling.h"

TestSuite(reproduce, .init = make_folder_with_code, .fini = remove_folder);

/* The paper that takes least time. */
#define PAPER "pan"

static void need_gnuplot(void)
{
    if (system("command -v gnuplot > /dev/null") != 0)
        cr_skip_test("no gnuplot");
}

Test(reproduce, tables_and_figures_come_out_again_to_the_byte_whatever_the_threads)
{
    need_gnuplot();
    cr_assert_eq(run_command("reproduce " PAPER " -o one -j 1 --keep-script"), HELD);
    cr_assert_eq(shell("mv out first"), HELD);
    cr_assert_eq(run_command("reproduce " PAPER " -o two -j 2 --keep-script"), HELD);
    cr_assert_eq(shell("cmp out first && diff -r one two && ls one/*.svg one/*.pdf "
                       "one/*.gnuplot one/papers.txt one/papers.json"), HELD);
}

Test(reproduce, every_paper_is_the_same_again, .timeout = 600)
{
    if (!in_test_all())
        return;
    need_gnuplot();
    cr_assert_eq(run_command("reproduce -o one -j 1"), HELD);
    cr_assert_eq(run_command("reproduce -o two -j 2"), HELD);
    cr_assert_eq(shell("diff -r one two"), HELD);
}

Test(reproduce, without_a_folder_only_tables_are_printed)
{
    cr_assert_eq(run_command("reproduce " PAPER), HELD);
    cr_expect_not(file_is_there("papers.txt"));
    expect_run("reproduce " PAPER " --json", HELD, "out", "\"verdict\":");
}

Test(reproduce, a_wrong_request_is_one_line)
{
    expect_complaint("reproduce nobody", USAGE, "no paper 'nobody'; there are ");
    expect_complaint("reproduce " PAPER " --keep-script", USAGE, "give -o DIR");
    write_file("file", "x");
    expect_complaint("reproduce " PAPER " -o file", USAGE, "-o file: no folder");
}

/* --- the page ----------------------------------------------------------------------- */

static char *page_text(void)
{
    char path[PATH_MAX + 40];
    snprintf(path, sizeof path, "%s/verify/papers/README.md", top());
    char *text = contents(path);
    cr_assert_not_null(text);
    return text;
}

Test(reproduce, the_page_has_every_figure_and_its_command)
{
    char *page = page_text(), row[400];
    int figures = 0, rows = 0;
    for (int p = 0; papers[p]; p++)
        for (int s = 0; papers[p]->study[s]; s++)
            for (int k = 0; k < figures_of(papers[p]->study[s]); k++, figures++) {
                const struct figure *figure = &papers[p]->study[s]->figure[k];
                snprintf(row, sizeof row, "| %s | %s, `%s` | %s | `build/saltus "
                         "reproduce %s -o DIR` |\n", papers[p]->name, figure->where,
                         figure->name, figure->title, papers[p]->name);
                cr_expect_not_null(strstr(page, row), "no row %s", row);
            }
    for (const char *at = page; (at = strstr(at, " -o DIR` |\n")); at++)
        rows++;
    cr_expect_eq(rows, figures, "the page has %d rows of figures", rows);
    free(page);
}

/* What came out for a paper stands on the page as the command prints it, and the picture
   of README.md is the one that is drawn. */
Test(reproduce, the_page_and_the_picture_are_what_comes_out, .timeout = 600)
{
    if (!in_test_all())
        return;
    need_gnuplot();
    char *page = page_text();
    cr_assert_eq(run_command("reproduce -o all"), HELD);
    char *out = contents("out"), *rest = out;
    int found = 0;
    for (char *line; (line = strsep(&rest, "\n"));) {
        char *counts = strstr(line, ": ");
        if (!counts || !strstr(line, " claims: ") || strncmp(line, "in all", 6) == 0)
            continue;
        cr_expect_not_null(strstr(page, counts + 2), "the page does not say: %s", line);
        found++;
    }
    cr_expect_eq(found, 5);
    cr_expect_eq(shell("cmp all/corner-fig-5b.svg '%s/verify/papers/corner-fig-5b.svg'",
                       top()), 0);
    free(out);
    free(page);
}

/* --- verdicts ----------------------------------------------------------------------- */

static enum claim_verdict verdict_on(const char *printed, double ours, int agreed)
{
    const struct claim claim = {.where = "here", .says = "so", .printed = printed};
    struct finding finding = {.agreed = -1};
    finding_number(&finding, &claim, ours, 12);
    cr_expect_eq(finding.agreed, agreed, "%s, %.17g: %d digits", printed, ours,
                 finding.agreed);
    return finding.verdict;
}

Test(finding, a_printed_number_holds_to_one_unit_of_its_last_place)
{
    cr_expect_eq(verdict_on("17.2747", 17.27472, 6), CLAIM_CONFIRMED);
    cr_expect_eq(verdict_on("17.2747", 17.27479, 6), CLAIM_CONFIRMED);
    cr_expect_eq(verdict_on("17.2747", 17.27485, 5), CLAIM_REFUTED);
    cr_expect_eq(verdict_on("17.2747", 17.2728, 4), CLAIM_REFUTED);
    cr_expect_eq(verdict_on("-0.2361", 0.2361, 0), CLAIM_REFUTED);
    cr_expect_eq(verdict_on("1e-6", 1.5e-6, 1), CLAIM_CONFIRMED);
    cr_expect_eq(verdict_on("17.2747", NAN, 0), CLAIM_REFUTED);
}

Test(finding, what_depends_on_missing_data_is_no_refutation)
{
    const struct claim claim = {.where = "here", .says = "so", .printed = "0.4683"};
    struct finding finding = {.agreed = -1};
    finding_depends(&finding, &claim, 1.79, 10);
    cr_expect_eq(finding.verdict, CLAIM_NOT_REPRODUCIBLE);
    finding_depends(&finding, &claim, 0.46832, 10);
    cr_expect_eq(finding.verdict, CLAIM_CONFIRMED, "it holds anyway");
}

Test(finding, a_bound_is_held_or_not)
{
    const struct claim claim = {.where = "here", .says = "at most", .printed = "0.1"};
    struct finding finding = {.agreed = -1};
    finding_at_most(&finding, &claim, 0.0999);
    cr_expect_eq(finding.verdict, CLAIM_CONFIRMED);
    finding_at_most(&finding, &claim, 0.101);
    cr_expect_eq(finding.verdict, CLAIM_REFUTED);
    finding_at_most(&finding, &claim, NAN);
    cr_expect_eq(finding.verdict, CLAIM_REFUTED, "no number holds nothing");
}

static enum trial_outcome outcome_of(const char *correct, double printed,
                                     double corrected)
{
    const struct printed_formula row = {.where = "(1)", .printed = "a",
                                        .corrected = correct};
    const struct trial trial = {.printed = printed, .corrected = corrected};
    return trial_outcome(&row, &trial);
}

Test(finding, a_formula_is_wrong_when_two_digits_are_missing)
{
    cr_expect_eq(outcome_of("b", 12.5, 13), TRIAL_HOLDS);
    cr_expect_eq(outcome_of("b", 0.4, 13), TRIAL_WRONG);
    cr_expect_eq(outcome_of("b", 2, 3), TRIAL_UNDECIDED, "the judge itself fails");
    cr_expect_eq(outcome_of("b", 2, NAN), TRIAL_UNDECIDED);
    cr_expect_eq(outcome_of("", 9, NAN), TRIAL_HOLDS);
    cr_expect_eq(outcome_of("", 3, NAN), TRIAL_WRONG);
    cr_expect_eq(outcome_of("", NAN, NAN), TRIAL_WRONG, "no number holds nothing");
}

Test(finding, a_long_evidence_is_cut_and_no_more)
{
    struct finding finding = {.agreed = -1};
    for (int k = 0; k < 100; k++)
        finding_tell(&finding, "sentence %d.", k);
    cr_expect_eq(strlen(finding.evidence), sizeof finding.evidence - 1);
    cr_expect_eq(strncmp(finding.evidence, "sentence 0. sentence 1.", 23), 0);
}
