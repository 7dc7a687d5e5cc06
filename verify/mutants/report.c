/*
 * report.c - the tables of `saltus mutants`.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mutants/mutants.h"
#include "mutants/second_judge.h"
#include "oracles/oracle.h"
#include "tables/report.h"

/* --- seeded faults ------------------------------------------------------------------ */

static void print_verdict(FILE *stream, bool held, const char *yes, const char *no)
{
    fprintf(stream, "%s%s%s", colour_on(stream, held ? GREEN : RED), held ? yes : no,
            colour_off(stream));
}

enum seeded_place {
    SEEDED_NUMBER, SEEDED_TITLE, SEEDED_CAUGHT, SEEDED_CERTIFIED, SEEDED_COMPLEX_STEP,
    SEEDED_CLOSED_FORM, SEEDED_IDENTITY, SEEDED_DIFFERENCES, SEEDED_REFUSED,
    SEEDED_COLUMNS
};
static const struct text_column seeded_column[SEEDED_COLUMNS] = {
    {"no", TEXT_RIGHT, 0, 3}, {"fault", TEXT_LEFT, 2, 58}, {"caught", TEXT_RIGHT, 0, 8},
    {"certified", TEXT_RIGHT, 1, 13}, {"complex-step", TEXT_RIGHT, 0, 13},
    {"closed-form", TEXT_RIGHT, 0, 13}, {"identity", TEXT_RIGHT, 0, 13},
    {"differences", TEXT_RIGHT, 0, 13}, {"refused", TEXT_RIGHT, 0, 8}};

/* "31  11.0": cases the oracle has seen the fault in, most digits below the bar. */
static void print_oracle(FILE *stream, const struct seeded_sum *sum, const char *name)
{
    static const struct text_column cases = {"", TEXT_RIGHT, 0, 7};
    static const struct text_column spare = {"", TEXT_RIGHT, 1, 5};
    for (int i = 0; i < MUTANT_JOB_ORACLES; i++)
        if (sum->by[i].name && strcmp(sum->by[i].name, name) == 0 && sum->by[i].caught) {
            text_cell(stream, &cases, "%d", sum->by[i].caught);
            text_cell(stream, &spare, "%.1f", sum->by[i].spare);
            return;
        }
    text_cell(stream, &cases, "-");
    text_cell(stream, &spare, "-");
}

/* The finding of the oracle that misses the most digits. */
static const struct finding *plainest(const struct findings *findings)
{
    const struct finding *best = &findings->by[0];
    for (int i = 1; i < MUTANT_JOB_ORACLES; i++) {
        const struct finding *other = &findings->by[i];
        if (other->caught && (!best->caught || other->spare > best->spare))
            best = other;
    }
    return best;
}

/* Prints the first number that fell short where the most digits are missing. */
static void print_place(FILE *stream, const struct seeded_sum *sum)
{
    char place[160];
    if (!sum->best)
        return;
    const struct findings *findings = &sum->best_result->findings;
    const struct verdict *first = &plainest(findings)->first;
    if (findings->refused) {
        refusal_text(&findings->refusal, place, sizeof place);
        place[strcspn(place, ":")] = '\0';
    } else if (first->name[0] == '\0') {
        snprintf(place, sizeof place, "another number of events");
    } else {
        verdict_place(first, place, sizeof place);
    }
    fprintf(stream, "     %s%s: %s%s\n", colour_on(stream, FAINT), sum->best->name, place,
            colour_off(stream));
}

static void print_seeded(FILE *stream, const struct mutants *mutants, int k)
{
    static const struct text_column caught = {"", TEXT_RIGHT, 0, 9};
    struct seeded_sum sum;
    seeded_sum(mutants, k, &sum);
    text_cell(stream, &seeded_column[SEEDED_NUMBER], "%d", seeded[k].number);
    text_cell(stream, &seeded_column[SEEDED_TITLE], "%.58s", seeded[k].title);
    if (sum.felt == 0) {
        fputc(' ', stream);
        print_verdict(stream, !mutants->whole,
                      sum.tried > 0 ? "changes nothing here" : "not tried here",
                      "NO CASE FEELS IT");
        fputc('\n', stream);
        return;
    }
    text_cell(stream, &caught, "%d of %d", sum.caught, sum.felt);
    print_oracle(stream, &sum, "certified");
    print_oracle(stream, &sum, "complex-step");
    print_oracle(stream, &sum, "closed-form");
    print_oracle(stream, &sum, oracles[PLACE_ADJOINT_IDENTITY].name);
    print_oracle(stream, &sum, second_judge_name);
    text_cell(stream, &seeded_column[SEEDED_REFUSED], "%d", sum.refused);
    fputs("  ", stream);
    print_verdict(stream, seeded_held(mutants, &sum), "caught", "MISSED");
    fputc('\n', stream);
    print_place(stream, &sum);
}

static void report_seeded(FILE *stream, const struct mutants *mutants)
{
    int caught = 0, apply = 0, skipped = 0;
    fprintf(stream,
            "Seeded faults: bugs that solvers have had, each in every case. `caught`:\n"
            "in how many of the cases in which it changes a number by more than its\n"
            "bar; then for each oracle in how many it was seen, and by how many digits\n"
            "the worst number was below its bar where that is most; `refused`: the\n"
            "wrong run itself ended with a refusal. `identity` is adjoint-identity, for\n"
            "a wrong sweep backwards beside a right run, of which the others see the\n"
            "gradient. `differences`, of first derivatives in MPFR at moved parameters,\n"
            "judge wrong second derivatives beside a right run and gradient: w' d2psi w\n"
            "of each cost along one direction w, on cases whose right ones they hold.\n"
            "Below it the case and the first wrong number.\n\n");
    text_heading(stream, seeded_column, SEEDED_COLUMNS);
    for (int k = 0; k < seeded_count; k++) {
        struct seeded_sum sum;
        seeded_sum(mutants, k, &sum);
        print_seeded(stream, mutants, k);
        bool applies = sum.felt > 0 || mutants->whole;
        apply += applies;
        caught += applies && seeded_held(mutants, &sum);
    }
    for (int c = 0; c < mutants->cases; c++)
        skipped += mutants->seeded[c].skipped;
    fprintf(stream, "\nseeded faults: %d of %d caught; on %d cases", caught, apply,
            mutants->cases - skipped);
    if (skipped > 0)
        fprintf(stream, ", %d have no certified numbers", skipped);
    fputs(".\n", stream);
}

/* Prints everything that should have been judged, and could not be. */
static void report_missing(FILE *stream, const struct mutants *mutants)
{
    int verdict = 0;
    for (int c = 0; c < mutants->cases; c++)
        verdict += !mutants->seeded[c].skipped;
    if (verdict > 0 && mutants_missing(mutants) == 0)
        return;
    fprintf(stream, "\n%sNOT JUDGED%s:\n", colour_on(stream, RED), colour_off(stream));
    for (int c = 0; c < mutants->cases; c++)
        if (mutants->seeded[c].missing || verdict == 0)
            fprintf(stream, "  %s: %s\n", mutants->seeded[c].desc->name,
                    mutants->seeded[c].why.place);
    for (int k = 0; k < mutants->populations; k++)
        if (mutants->generated[k].programs < 0)
            fprintf(stream, "  derivatives of %s: %s\n",
                    mutants->generated[k].population->case_name,
                    mutants->generated[k].why.place);
}

/* --- generated ones ----------------------------------------------------------------- */

static int with_fate(const struct generated *generated, enum fate fate)
{
    int count = 0;
    for (int k = 0; k < generated->mutants; k++)
        count += generated->mutant[k].fate == fate;
    return count;
}

/* Was another mutation of the same row caught? */
static bool seen_otherwise(const struct generated *generated, const struct mutant *mutant)
{
    for (int k = 0; k < generated->mutants; k++) {
        const struct mutant *other = &generated->mutant[k];
        if (other->program == mutant->program && other->row == mutant->row &&
            other->fate == FATE_CAUGHT)
            return true;
    }
    return false;
}

static void print_survivor(FILE *stream, const struct generated *generated,
                           const struct mutant *mutant)
{
    fprintf(stream, "  %s: %s%s%s, row %d %s: %s\n      ",
            generated->population->case_name, mutant->program->what,
            mutant->program->of[0] ? " of " : "", mutant->program->of, mutant->row + 1,
            mutation_text[mutant->mutation], mutant->text);
    if (mutant->fate == FATE_UNFELT)
        fputs("read, and no number is another: what it adds is zero on this motion, or "
              "goes\n      where nothing is reported, as derivatives of impulses\n",
              stream);
    else if (seen_otherwise(generated, mutant))
        fprintf(stream, "too faint: %.1f digits are still right; wrong otherwise, the "
                "row is caught\n", mutant->agreed);
    else
        fprintf(stream, "below the bars: %.1f digits are still right\n", mutant->agreed);
}

static void report_survivors(FILE *stream, const struct mutants *mutants)
{
    bool first = true;
    for (int k = 0; k < mutants->populations; k++) {
        const struct generated *generated = &mutants->generated[k];
        for (int i = 0; i < generated->mutants; i++) {
            enum fate fate = generated->mutant[i].fate;
            if (fate != FATE_UNFELT && fate != FATE_BELOW)
                continue;
            if (first)
                fputs("\nsurvivors:\n", stream);
            first = false;
            print_survivor(stream, generated, &generated->mutant[i]);
        }
    }
}

static void report_generated(FILE *stream, const struct mutants *mutants)
{
    static const struct text_column heading[] = {
        {"case", TEXT_LEFT, 0, 20}, {"solved by", TEXT_LEFT, 1, 9},
        {"programs", TEXT_RIGHT, 1, 8}, {"rows", TEXT_RIGHT, 1, 6},
        {"mutants", TEXT_RIGHT, 1, 8}, {"unread", TEXT_RIGHT, 1, 8},
        {"same", TEXT_RIGHT, 1, 8}, {"refused", TEXT_RIGHT, 1, 8},
        {"caught", TEXT_RIGHT, 1, 6}, {"survivors", TEXT_RIGHT, 1, 10}};
    int all_caught = 0, all_counted = 0;
    if (mutants->populations == 0)
        return;
    fputs("\nGenerated faults: every row of every derivative program dropped, negated,\n"
          "multiplied by 1 + 1e-6; judged by certified values. Not counted: `unread`,\n"
          "rows that no number of the run comes of (it is the same to the bit with the\n"
          "row not a number, but for checks); `same`, mutants that are the same\n"
          "function in every direction asked for, but for a factor of an equation whose\n"
          "right side is zero.\n\n", stream);
    if (mutants->every > 1)
        fprintf(stream, "A sample: one in %d.\n\n", mutants->every);
    text_heading(stream, heading, sizeof heading / sizeof *heading);
    for (int k = 0; k < mutants->populations; k++) {
        const struct generated *generated = &mutants->generated[k];
        int caught, counted;
        generated_score(generated, &caught, &counted);
        all_caught += caught;
        all_counted += counted;
        const int number[] = {
            generated->programs, generated->rows, generated->mutants,
            with_fate(generated, FATE_UNREAD), with_fate(generated, FATE_EQUIVALENT),
            with_fate(generated, FATE_REFUSED), with_fate(generated, FATE_CAUGHT),
            counted - caught};
        text_cell(stream, &heading[0], "%s", generated->population->case_name);
        text_cell(stream, &heading[1], "%s", generated->population->formulation);
        for (size_t i = 0; i < sizeof number / sizeof *number; i++)
            text_cell(stream, &heading[2 + i], "%d", number[i]);
        fputc('\n', stream);
    }
    report_survivors(stream, mutants);
    fprintf(stream, "\ngenerated faults: %d of %d caught, mutation score %.2f %% (bar "
            "%.0f %%).\n", all_caught, all_counted,
            all_counted > 0 ? 100.0 * all_caught / all_counted : 0.0,
            100 * mutants_bar);
}

/* --- faint ones --------------------------------------------------------------------- */

static const int faint_oracle[] = {PLACE_CERTIFIED, PLACE_COMPLEX_STEP,
                                   PLACE_CLOSED_FORM};
enum { FAINT_ORACLES = sizeof faint_oracle / sizeof *faint_oracle };

static int seen_by(const struct generated_task *task, unsigned bit)
{
    int seen = 0;
    for (int k = 0; k < task->mutants; k++)
        seen += (task->mutant[k].seen & bit) != 0;
    return seen;
}

/* The smallest x at which any row is seen; 0: none. */
static double smallest(const struct mutants *mutants, unsigned bit)
{
    double least = 0;
    for (int k = 0; k < mutants->faints; k++)
        for (int x = 6; x <= FAINTEST; x++) {
            double factor = mutants->faint[k].task[x].factor;
            bool seen = seen_by(&mutants->faint[k].task[x], bit) > 0;
            if (seen && (least == 0 || factor < least))
                least = factor;
        }
    return least;
}

static void report_faint(FILE *stream, const struct mutants *mutants)
{
    if (mutants->faints == 0)
        return;
    fputs("\nFaint faults: rows of derivatives multiplied by 1 + x; how many of them are "
          "seen.\n\n", stream);
    struct text_column column[2 + FAINT_ORACLES] = {
        {"case", TEXT_LEFT, 0, 20}, {"x", TEXT_RIGHT, 1, 6}};
    for (int i = 0; i < FAINT_ORACLES; i++)
        column[2 + i] = (struct text_column){oracles[faint_oracle[i]].name, TEXT_RIGHT, 1,
                                             13};
    text_heading(stream, column, 2 + FAINT_ORACLES);
    for (int k = 0; k < mutants->faints; k++)
        for (int x = 6; x <= FAINTEST; x++) {
            const struct generated_task *task = &mutants->faint[k].task[x];
            text_cell(stream, &column[0], "%s", mutants->faint[k].case_name);
            text_cell(stream, &column[1], "%.0e", task->factor);
            for (int i = 0; i < FAINT_ORACLES; i++)
                if (faint_oracle[i] == PLACE_CLOSED_FORM &&
                    !closed_form_find(mutants->faint[k].case_name))
                    text_cell(stream, &column[2 + i], "-");
                else
                    text_cell(stream, &column[2 + i], "%d of %2d",
                              seen_by(task, 1u << faint_oracle[i]), task->mutants);
            fputc('\n', stream);
        }
    fputs("\nsmallest relative fault seen:", stream);
    for (int i = 0; i < FAINT_ORACLES; i++) {
        double least = smallest(mutants, 1u << faint_oracle[i]);
        if (least > 0)
            fprintf(stream, "%s %s %.0e", i > 0 ? "," : "",
                    oracles[faint_oracle[i]].name, least);
    }
    fputs(".\n", stream);
}

void mutants_report(FILE *stream, const struct mutants *mutants)
{
    report_seeded(stream, mutants);
    report_generated(stream, mutants);
    report_faint(stream, mutants);
    if (!mutants_judged(mutants))
        fputs("\nNothing could be judged, which falls short: without certified values "
              "(saltus certify) no fault is seen.\n", stream);
    report_missing(stream, mutants);
}
