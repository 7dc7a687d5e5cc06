/*
 * test_reproduce.c - `saltus reproduce`: what is made, the same bytes again, wrong
 * requests; and verdicts from numbers.
 */
#include <ctype.h>
#include <math.h>

#include "papers/finding.h"
#include "running.h"
#include "sampling.h"
#include "studying.h"

TestSuite(reproduce, .init = make_folder_with_code, .fini = remove_folder);

/* The paper that takes least time. */
#define PAPER "dankowicz"

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
    expect_complaint("reproduce " PAPER " " PAPER, USAGE, "named twice");
    expect_complaint("reproduce " PAPER " --keep-script", USAGE, "give -o DIR");
    write_file("file", "x");
    expect_complaint("reproduce " PAPER " -o file", USAGE, "-o file: no folder");
    expect_complaint("reproduce " PAPER " -o /proc", USAGE, "-o /proc: ");
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

/* Verdicts on a paper are counted on the page as the command counts them, and the picture
   of README.md is the one that is drawn. */
Test(reproduce, the_page_and_the_picture_are_what_comes_out, .timeout = 600)
{
    if (!in_test_all() && !getenv("SALTUS_PAPERS"))     /* CI asks for it, too */
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

/* --- texts -------------------------------------------------------------------------- */

/* No dash, no two points, no two blanks. */
static bool is_clean(const char *text)
{
    for (const char *c = strstr(text, ".."); c; c = strstr(c + 3, ".."))
        if (strncmp(c, "...", 3) != 0)
            return false;
    return !strstr(text, " -- ") && !strstr(text, "  ");
}

/* A capital letter first, and a full stop at the end. */
static bool is_sentence(const char *text)
{
    return isupper((unsigned char)*text) && text[strlen(text) - 1] == '.' &&
           is_clean(text);
}

/* Words that stand in a cell of a table. */
static bool is_cell(const char *text)
{
    return *text && text[strlen(text) - 1] != '.' && is_clean(text);
}

static void expect_texts(const struct study *study)
{
    for (int k = 0; k < claims_of(study); k++)
        cr_expect(is_cell(study->claim[k].says), "%s", study->claim[k].says);
    for (int k = 0; k < figures_of(study); k++) {
        cr_expect(is_cell(study->figure[k].title), "%s", study->figure[k].title);
        cr_expect(is_sentence(study->figure[k].alt), "%s", study->figure[k].alt);
    }
}

Test(reproduce, texts_of_all_papers_are_of_one_kind)
{
    for (int p = 0; papers[p]; p++) {
        cr_expect(is_sentence(papers[p]->question), "%s", papers[p]->question);
        cr_expect(is_cell(papers[p]->title) && is_cell(papers[p]->journal), "%s",
                  papers[p]->name);
        for (int s = 0; papers[p]->study[s]; s++)
            expect_texts(papers[p]->study[s]);
    }
}

/* Evidence is whole sentences, and none is cut; "": the number says all. */
static void expect_evidence(const char *where, const char *evidence)
{
    cr_expect(*evidence == '\0' || is_sentence(evidence), "%s: %s", where, evidence);
}

static void expect_all_evidence(const struct study *study)
{
    struct studied s = study_new(study);
    for (int k = 0; k < claims_of(study); k++)
        expect_evidence(study->claim[k].where, s.finding[k].evidence);
    for (int k = 0; k < formulas_of(study); k++)
        expect_evidence(study->formula[k].where, s.trial[k].evidence);
    studied_clear(&s);
}

Test(reproduce, evidence_is_made_of_sentences, .timeout = 600)
{
    for (int p = 0; papers[p]; p++)
        for (int s = 0; papers[p]->study[s]; s++)
            if (in_test_all() || strcmp(papers[p]->name, PAPER) == 0)
                expect_all_evidence(papers[p]->study[s]);
}

/* --- verdicts ----------------------------------------------------------------------- */

static struct claim claim_of(const char *printed)
{
    return (struct claim){.where = "here", .says = "so", .printed = printed};
}

static enum claim_verdict verdict_on(const char *printed, double ours, int agreed)
{
    const struct claim claim = claim_of(printed);
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

Test(finding, number_that_depends_on_missing_data_is_never_refuted)
{
    const struct claim claim = claim_of("0.4683");
    struct finding finding = {.agreed = -1};
    finding_depends(&finding, &claim, 1.79, 10);
    cr_expect_eq(finding.verdict, CLAIM_NOT_REPRODUCIBLE);
    cr_expect_str_eq(finding.ours, "1.79");
    finding_depends(&finding, &claim, 0.46832, 10);
    cr_expect_eq(finding.verdict, CLAIM_CONFIRMED, "it holds anyway");
    finding_depends(&finding, &claim, NAN, NAN);
    cr_expect_eq(finding.verdict, CLAIM_NOT_REPRODUCIBLE);
}

Test(finding, count_is_equal_or_not)
{
    const struct claim claim = claim_of("12");
    struct finding finding = {.agreed = -1};
    finding_count(&finding, &claim, 12);
    cr_expect_eq(finding.verdict, CLAIM_CONFIRMED);
    cr_expect_str_eq(finding.ours, "12");
    finding_count(&finding, &claim, 13);
    cr_expect_eq(finding.verdict, CLAIM_REFUTED, "next to it is not equal");
}

Test(finding, magnitude_is_the_nearest_power_of_ten)
{
    const struct claim claim = claim_of("1e4");
    struct finding finding = {.agreed = -1};
    finding_magnitude(&finding, &claim, -2.9e4);
    cr_expect_eq(finding.verdict, CLAIM_CONFIRMED);
    finding_magnitude(&finding, &claim, 4e4);
    cr_expect_eq(finding.verdict, CLAIM_REFUTED);
    finding_magnitude(&finding, &claim, 2e3);
    cr_expect_eq(finding.verdict, CLAIM_REFUTED);
    finding_magnitude(&finding, &claim, NAN);
    cr_expect_eq(finding.verdict, CLAIM_REFUTED);
}

Test(finding, bound_is_held_or_not)
{
    const struct claim claim = claim_of("0.1");
    struct finding finding = {.agreed = -1};
    finding_at_most(&finding, &claim, 0.0999);
    cr_expect_eq(finding.verdict, CLAIM_CONFIRMED);
    finding_at_most(&finding, &claim, 0.101);
    cr_expect_eq(finding.verdict, CLAIM_REFUTED);
    finding_at_most(&finding, &claim, NAN);
    cr_expect_eq(finding.verdict, CLAIM_REFUTED, "no number holds nothing");
}

Test(finding, bound_that_depends_on_missing_data_holds_for_all_choices)
{
    const struct claim claim = claim_of("0.1");
    struct finding finding = {.agreed = -1};
    finding_at_most_depends(&finding, &claim, 0.05, 0.0999);
    cr_expect_eq(finding.verdict, CLAIM_CONFIRMED);
    finding_at_most_depends(&finding, &claim, 0.05, 0.101);
    cr_expect_eq(finding.verdict, CLAIM_NOT_REPRODUCIBLE, "one choice is enough");
    finding_at_most_depends(&finding, &claim, 0.2, 0.05);
    cr_expect_eq(finding.verdict, CLAIM_NOT_REPRODUCIBLE);
    finding_at_most_depends(&finding, &claim, NAN, 0.05);
    cr_expect_eq(finding.verdict, CLAIM_NOT_REPRODUCIBLE);
}

Test(finding, statement_holds_or_not)
{
    struct finding finding = {.agreed = -1};
    finding_holds(&finding, true, NAN);
    cr_expect_eq(finding.verdict, CLAIM_CONFIRMED);
    cr_expect_str_eq(finding.ours, "");
    finding_holds(&finding, false, 0.12345);
    cr_expect_eq(finding.verdict, CLAIM_REFUTED);
    cr_expect_str_eq(finding.ours, "0.123");
}

Test(finding, statement_holds_in_all_choices_or_is_not_reproducible)
{
    struct finding finding = {.agreed = -1};
    finding_in_choices(&finding, 3, 3, NAN);
    cr_expect_eq(finding.verdict, CLAIM_CONFIRMED);
    finding_in_choices(&finding, 2, 3, 0.5);
    cr_expect_eq(finding.verdict, CLAIM_NOT_REPRODUCIBLE);
    cr_expect_str_eq(finding.ours, "0.5");
    finding_in_choices(&finding, 0, 3, NAN);
    cr_expect_eq(finding.verdict, CLAIM_NOT_REPRODUCIBLE, "none held");
}

Test(finding, search_that_reaches_the_numbers_confirms_them)
{
    struct finding finding = {.agreed = -1};
    finding_reaches(&finding, 0.9, 1);
    cr_expect_eq(finding.verdict, CLAIM_CONFIRMED);
    finding_reaches(&finding, 1.1, 1);
    cr_expect_eq(finding.verdict, CLAIM_NOT_REPRODUCIBLE);
    finding_reaches(&finding, INFINITY, 1);
    cr_expect_eq(finding.verdict, CLAIM_NOT_REPRODUCIBLE, "no start was found");
    finding_reaches(&finding, NAN, 1);
    cr_expect_eq(finding.verdict, CLAIM_NOT_REPRODUCIBLE);
}

Test(finding, our_number_has_the_digits_that_are_asked)
{
    struct finding finding = {.agreed = -1};
    finding_ours(&finding, 0.1 / 3, 4);
    cr_expect_str_eq(finding.ours, "0.03333");
    finding_ours(&finding, 2. / 3, 0);
    cr_expect_str_eq(finding.ours, "0.7");
    finding_ours(&finding, 2. / 3, 40);
    cr_expect_str_eq(finding.ours, "0.6666666666666666");
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
