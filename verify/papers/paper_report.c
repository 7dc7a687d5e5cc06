/*
 * paper_report.c - claims and the ledger of errata as tables (paper_report.h)
 */
#include "papers/paper_report.h"

#include <string.h>

#include "tables/text_table.h"

enum { WIDTH = 96, INDENT = 12 };

/* --- counting ----------------------------------------------------------------------- */

void paper_tally_add(struct paper_tally *tally, const struct paper *paper,
                     const struct studied *studied)
{
    for (int s = 0; paper->study[s]; s++) {
        const struct studied *one = &studied[s];
        tally->refused += one->status != OK;
        for (int k = 0; one->status == OK && k < claims_of(one->study); k++) {
            bool own = claim_is_own(&one->study->claim[k]);
            enum claim_verdict verdict = one->finding[k].verdict;
            tally->own += own;
            tally->own_held += own && verdict == CLAIM_CONFIRMED;
            tally->claims += !own;
            tally->claim[verdict] += !own;
        }
        for (int k = 0; one->status == OK && k < formulas_of(one->study); k++) {
            tally->formulas++;
            tally->formula[trial_outcome(&one->study->formula[k], &one->trial[k])]++;
        }
    }
}

void paper_tally_print(FILE *stream, const struct paper_tally *tally)
{
    fprintf(stream, "%d claim%s", tally->claims, tally->claims == 1 ? "" : "s");
    for (int k = 0, told = 0; k < CLAIM_VERDICTS; k++)
        if (tally->claim[k] > 0)
            fprintf(stream, "%s%d %s", told++ > 0 ? ", " : ": ", tally->claim[k],
                    claim_verdict_text[k]);
    if (tally->own > 0)
        fprintf(stream, "; %d check%s of ours, %d held", tally->own,
                tally->own == 1 ? "" : "s", tally->own_held);
    if (tally->formulas > 0)
        fprintf(stream, "; %d printed formula%s tried", tally->formulas,
                tally->formulas == 1 ? "" : "s");
    for (int k = 0, told = 0; k < TRIAL_OUTCOMES; k++)
        if (tally->formula[k] > 0)
            fprintf(stream, "%s%d %s", told++ > 0 ? ", " : ": ", tally->formula[k],
                    k == TRIAL_HOLDS && tally->formula[k] > 1 ? "hold"
                                                              : trial_outcome_text[k]);
    if (tally->refused > 0)
        fprintf(stream, "; %d stud%s refused", tally->refused,
                tally->refused == 1 ? "y" : "ies");
    fputs("\n", stream);
}

/* --- claims ------------------------------------------------------------------------- */

enum { WHERE, SAYS, PRINTED, OURS, DIGITS, VERDICT, COLUMNS };

/* The printed number with its unit. */
static void printed_text(const struct claim *claim, char *text, size_t size)
{
    bool unit = *claim->unit && *claim->printed;
    snprintf(text, size, "%s%s%s", claim->printed, unit ? " " : "",
             unit ? claim->unit : "");
}

/* The columns, as wide as the rows of the paper need. */
static void fit(struct text_column *column, const struct studied *studied, int studies)
{
    static const struct text_column least[COLUMNS] = {
        {"where", TEXT_LEFT, 0, 9},     {"claim", TEXT_LEFT, 2, 40},
        {"printed", TEXT_RIGHT, 2, 9},  {"ours", TEXT_RIGHT, 2, 10},
        {"sure digits", TEXT_RIGHT, 2, 11},   {"verdict", TEXT_LEFT, 2, 0}};
    memcpy(column, least, sizeof least);
    for (int s = 0; s < studies; s++)
        for (int k = 0; studied[s].status == OK && k < claims_of(studied[s].study); k++) {
            const struct claim *claim = &studied[s].study->claim[k];
            text_column_fit(&column[WHERE], claim->where);
            text_column_fit(&column[SAYS], claim->says);
            char printed[80];
            printed_text(claim, printed, sizeof printed);
            text_column_fit(&column[PRINTED], printed);
            text_column_fit(&column[OURS], studied[s].finding[k].ours);
        }
}

static enum colour colour_of(enum claim_verdict verdict)
{
    return verdict == CLAIM_CONFIRMED ? GREEN : verdict == CLAIM_REFUTED ? RED : PLAIN;
}

static void print_claim(FILE *stream, const struct text_column *column,
                        const struct claim *claim, const struct finding *finding)
{
    char verdict[60], printed[80];
    printed_text(claim, printed, sizeof printed);
    if (finding->verdict == CLAIM_CONFIRMED && finding->agreed > 0)
        snprintf(verdict, sizeof verdict, "confirmed to %d digit%s", finding->agreed,
                 finding->agreed == 1 ? "" : "s");
    else
        snprintf(verdict, sizeof verdict, "%s", claim_verdict_text[finding->verdict]);
    text_cell(stream, &column[WHERE], "%s", claim->where);
    text_cell(stream, &column[SAYS], "%s", claim->says);
    text_cell(stream, &column[PRINTED], "%s", printed);
    text_cell(stream, &column[OURS], "%s", finding->ours);
    text_cell_number(stream, &column[DIGITS], 1, finding->digits, "");
    text_cell_in(stream, &column[VERDICT], colour_of(finding->verdict), "%s", verdict);
    fputc('\n', stream);
    text_paragraph(stream, INDENT, WIDTH, finding->evidence);
}

static void print_claims(FILE *stream, const struct paper *paper,
                         const struct studied *studied)
{
    struct text_column column[COLUMNS];
    int studies = studies_of(paper);
    fit(column, studied, studies);
    text_heading(stream, column, COLUMNS);
    for (int s = 0; s < studies; s++)
        for (int k = 0; studied[s].status == OK && k < claims_of(studied[s].study); k++)
            print_claim(stream, column, &studied[s].study->claim[k],
                        &studied[s].finding[k]);
}

/* --- formulas ----------------------------------------------------------------------- */

static void print_version(FILE *stream, const char *word, const char *formula,
                          double digits)
{
    fprintf(stream, "    %-10s%s\n", word, formula);
    fprintf(stream, "%14s%.1f digits\n", "", digits);
}

static void print_formula(FILE *stream, const struct printed_formula *row,
                          const struct trial *trial)
{
    static const enum colour colour[TRIAL_OUTCOMES] = {[TRIAL_HOLDS] = GREEN,
                                                       [TRIAL_WRONG] = RED};
    enum trial_outcome outcome = trial_outcome(row, trial);
    fprintf(stream, "%-16s %s%s%s\n", row->where, colour_on(stream, colour[outcome]),
            trial_outcome_text[outcome], colour_off(stream));
    print_version(stream, "printed", row->printed, trial->printed);
    if (*row->corrected)
        print_version(stream, "correct", row->corrected, trial->corrected);
    text_paragraph(stream, 4, WIDTH + 8, trial->evidence);
    if (*trial->judge)
        fprintf(stream, "    judged by %s\n", trial->judge);
}

static void print_formulas(FILE *stream, const struct paper *paper,
                           const struct studied *studied)
{
    int printed = 0;
    for (int s = 0; paper->study[s]; s++)
        for (int k = 0; studied[s].status == OK && k < formulas_of(studied[s].study);
             k++) {
            if (printed++ == 0)
                fputs("\nprinted formulas, tried\n\n", stream);
            print_formula(stream, &studied[s].study->formula[k], &studied[s].trial[k]);
        }
}

/* --- a paper ------------------------------------------------------------------------ */

void paper_report(FILE *stream, const struct paper *paper, const struct studied *studied)
{
    struct paper_tally tally = {0};
    fprintf(stream, "%s%s: %s%s\n%s. %s.\n\n", colour_on(stream, BOLD), paper->name,
            paper->authors, colour_off(stream), paper->title, paper->journal);
    text_paragraph(stream, 0, WIDTH, paper->question);
    fputc('\n', stream);
    print_claims(stream, paper, studied);
    print_formulas(stream, paper, studied);
    for (int s = 0; paper->study[s]; s++)
        if (studied[s].status != OK)
            fprintf(stream, "\n%s: refused: %s\n", paper->study[s]->name,
                    studied[s].why);
    paper_tally_add(&tally, paper, studied);
    fprintf(stream, "\n%s: ", paper->name);
    paper_tally_print(stream, &tally);
}
