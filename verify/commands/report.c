/*
 * report.c - `saltus report`: all parts as one page.
 */
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "commands/setup.h"
#include "jobs/pool.h"

/* --- what is asked ------------------------------------------------------------------ */

static bool choose_parts(const struct args *args, struct report *report)
{
    const char *list = args_text(args, OPTION_PARTS, NULL);
    char name[80], offer[300];
    for (int id = 0; id < PARTS; id++)
        report->wanted[id] = !list;
    while (list && next_in_list(&list, name, sizeof name)) {
        int id = 0;
        const char *known[PARTS];
        while (id < PARTS && strcmp(parts[id].name, name) != 0)
            id++;
        if (id < PARTS) {
            report->wanted[id] = true;
            continue;
        }
        for (int k = 0; k < PARTS; k++)
            known[k] = parts[k].name;
        offer_names(name, known, PARTS, offer, sizeof offer);
        complain(args, "--parts: no part %s; %s", name, offer);
        return false;
    }
    return true;
}

static bool choose_cases(const struct args *args, struct report *report)
{
    const struct case_desc *const *desc = setup_cases(args, &report->cases);
    report->desc = desc;
    report->all_cases = args->operands == 0;
    for (int k = 0; desc && k < report->cases; k++)
        for (int i = 0; i < k; i++)
            if (desc[i] == desc[k]) {
                complain(args, "%s is named twice; once is enough", desc[k]->name);
                return false;
            }
    return desc != NULL;
}

static bool read_request(const struct args *args, struct report *report)
{
    const char *folder = args_text(args, OPTION_FOLDER, NULL);
    char error[400];
    long threads = processors();
    if (!folder) {
        complain(args, "where to? -o DIR is the folder of the page");
        return false;
    }
    if (!args_count(args, OPTION_JOBS, 1, 256, &threads) || !choose_parts(args, report) ||
        !choose_cases(args, report))
        return false;
    if (strlen(folder) >= sizeof report->folder) {
        complain(args, "-o: %s", strerror(ENAMETOOLONG));
        return false;
    }
    snprintf(report->folder, sizeof report->folder, "%s", folder);
    report->threads = (int)threads;
    report->restart = args_has(args, OPTION_RESTART);
    if (report_folder(report, error, sizeof error))
        return true;
    complain(args, "-o %s", error);
    return false;
}

/* --- the command -------------------------------------------------------------------- */

static enum exit_status make_report(const struct args *args)
{
    struct report report = {0};
    enum exit_status status = EXIT_USAGE;
    char error[800];
    if (read_request(args, &report)) {
        report_gather(&report);
        bool good = report_page(&report, error, sizeof error);
        if (good)
            printf("%s/index.html\n", report.folder);
        if (good && args_has(args, OPTION_PDF)) {
            good = report_pdf(&report, error, sizeof error);
            if (good)
                printf("%s/report.pdf\n", report.folder);
        }
        if (!good)
            complain(args, "%s", error);
        status = !good ? EXIT_USAGE : report_all_held(&report) ? EXIT_HELD : EXIT_SHORT;
    }
    report_clear(&report);
    free((void *)report.desc);
    return status;
}

static const enum option_id options[] = {OPTION_FOLDER, OPTION_PARTS, OPTION_PDF,
                                         OPTION_RESTART, OPTION_JOBS, OPTIONS};

extern const struct command command_report;
const struct command command_report = {
    .name = "report",
    .synopsis = "[CASE...] -o DIR [OPTION...]",
    .summary = "One page of everything: mechanisms, digits, faults, papers, times",
    .text =
        "Writes DIR/index.html, which needs no network: the verdict in one sentence,\n"
        "all mechanisms with their motions, the matrix of digits, judges, faults made\n"
        "on purpose, printed formulas, papers, time against true error. Each part is\n"
        "the output of another command and stays in DIR/data; a report that was\n"
        "interrupted goes on with the parts that are there, unless this command is\n"
        "newer. A part that is missing is said on the page, and by exit status 1. All\n"
        "of it takes about a quarter of an hour on two cores.\n\n"
        "Parts: catalogue, verify, matrix, mutants, papers, bench. --pdf needs\n"
        "chromium.\n\n"
        "  saltus report -o report/\n"
        "  saltus report five-bar rope-catch -o report/ --parts catalogue,matrix\n",
    .option = options,
    .most = -1,
    .writes = true,
    .run = make_report,
};
