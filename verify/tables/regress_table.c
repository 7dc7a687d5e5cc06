/*
 * regress_table.c - the findings of `saltus regress`, for people.
 */
#include "tables/regress.h"

#include <string.h>

#include "base/printable.h"
#include "tables/report.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

void report_saved(FILE *stream, const char *path, const struct rows *const *rows,
                  int count)
{
    struct tally tally = {0};
    int kinds = 0;
    for (int i = 0; i < count; i++) {
        tally_add(&tally, rows[i]);
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            kinds += row_status(row)->numbers ? row->kinds : 0;
        }
    }
    print_printable(stream, path);
    fprintf(stream, ": %d kinds of quantity; ", kinds);
    report_tally(stream, &tally);
}

static void print_findings(FILE *stream, const struct regression *c, bool fails)
{
    char text[2400];
    for (int k = 0; k < c->findings; k++) {
        const struct finding *finding = &c->finding[k];
        const struct change_info *info = &change_info[finding->change];
        if (info->fails != fails)
            continue;
        finding_text(finding, text, sizeof text);
        fprintf(stream, "%s%-20s%s  ", colour_on(stream, fails ? RED : FAINT),
                info->name, colour_off(stream));
        print_printable(stream, text);
        fputc('\n', stream);
    }
}

/* Prints the counts of one sort of change: "3 worse, 1 vanished". */
static void print_counts(FILE *stream, const struct regression *c, bool fails)
{
    const char *separator = "";
    for (int k = 0; k < CHANGES; k++) {
        if (change_info[k].fails != fails || c->of[k] == 0)
            continue;
        fprintf(stream, "%s%d %s", separator, c->of[k], change_info[k].name);
        separator = ", ";
    }
}

static int count_changes(const struct regression *c, bool fails)
{
    int sum = 0;
    for (int k = 0; k < CHANGES; k++)
        sum += change_info[k].fails == fails ? c->of[k] : 0;
    return sum;
}

void report_regress(FILE *stream, const struct regression *c, const char *path,
                    const struct table *before, double tolerance, bool brief)
{
    bool held = regression_held(c);
    print_findings(stream, c, true);
    if (!brief)
        print_findings(stream, c, false);
    fprintf(stream, "%s%d rows, %d kinds of quantity compared with ",
            colour_on(stream, held ? GREEN : RED), c->rows, c->kinds);
    print_printable(stream, path);
    fputs(": ", stream);
    if (held)
        fprintf(stream, "nothing is worse by more than %g digits", tolerance);
    print_counts(stream, c, true);
    if (count_changes(c, false) > 0)
        fputs("; ", stream);
    print_counts(stream, c, false);
    fprintf(stream, ".%s\n", colour_off(stream));
    if (brief)
        return;
    if (strcmp(before->version, SALTUS_VERSION) != 0 ||
        strcmp(before->compiler, __VERSION__) != 0) {
        fputs("That table is of saltus ", stream);
        print_printable(stream, before->version);
        fputs(", compiled by ", stream);
        print_printable(stream, before->compiler);
        fprintf(stream, "; this is %s, %s.\n", SALTUS_VERSION, __VERSION__);
    }
    if (!table_same_arithmetic(before))
        fputs("That table was made with another arithmetic: elementary functions of "
              "another processor or library.\n", stream);
}
