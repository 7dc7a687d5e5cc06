/*
 * check.c - `saltus check CASE FILE.csv`: an answer that is there already, judged by
 * certified values; nothing is solved again.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/printable.h"
#include "commands/setup.h"
#include "foreign/csv.h"
#include "foreign/foreign.h"
#include "options/file_print.h"
#include "problem/problem.h"
#include "quantity/quantity.h"
#include "tables/report.h"

/* The request of the command line, and everything that is made for it. */
struct check {
    const struct args *args;
    const char *samples, *events;       /* paths; events NULL: none */
    const char *option[MAX_OPTIONS];
    struct reference_motion own;
    enum reset_policy reset;
    long points;
    struct question question;
    struct foreign *foreign;
    struct rows rows;
    char path[1000];                    /* file of the events that was found */
};

/* The name of a file in messages. */
static const char *source_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* --- the files ---------------------------------------------------------------------- */

/* The file x.events.csv beside x.csv, which `saltus run -o` writes; NULL if there is
   none. */
static const char *events_beside(struct check *check)
{
    const char *path = check->samples;
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".csv") == 0)
        length -= 4;
    int used = snprintf(check->path, sizeof check->path, "%.*s.events.csv", (int)length,
                        path);
    bool there = used < (int)sizeof check->path && access(check->path, F_OK) == 0;
    return there ? check->path : NULL;
}

static enum status read_events(struct check *check, struct diagnosis *diagnosis)
{
    char *text;
    size_t length;
    bool named = check->args->operands > 2;
    check->events = named ? check->args->operand[2]
                    : check->foreign->has_events ? NULL : events_beside(check);
    if (!check->events)
        return OK;
    if (check->foreign->has_events)
        return diagnose(diagnosis, BAD_INPUT, NAN, "%.100s has events of its own, behind "
                        "its line \"# events\"; leave out %.100s",
                        source_of(check->samples), check->events);
    enum status status = csv_load(check->events, &text, &length, diagnosis);
    if (status == OK)
        status = foreign_read_events(check->foreign, source_of(check->events), text,
                                     length, diagnosis);
    free(text);
    return status;
}

static enum status read_answer(struct check *check, struct diagnosis *diagnosis)
{
    char *text;
    size_t length;
    enum status status = csv_load(check->samples, &text, &length, diagnosis);
    if (status == OK)
        status = foreign_read(source_of(check->samples), text, length,
                              &check->question, &check->foreign, diagnosis);
    free(text);
    return status == OK ? read_events(check, diagnosis) : status;
}

/* --- the report --------------------------------------------------------------------- */

/* Prints the next name of a list, in lines of the width of the page. */
static void list_name(int *column, const char *before, const char *name,
                      const char *after)
{
    int length = (int)(strlen(name) + strlen(after)) + 1;
    if (*column == 0)
        *column = printf("%s", before);
    else if (*column + length > 88)
        *column = printf("\n   ") - 1;
    *column += printf(" %s%s", name, after);
}

static void list_absent(const struct foreign *foreign)
{
    const struct columns *columns = foreign->columns;
    int column = 0;
    for (int c = 0; c < columns->count; c++)
        if (!foreign->given[c])
            list_name(&column, "not given:", foreign->name[c], "");
    for (int j = 0; foreign->has_events && j < columns->p; j++) {
        char name[80];
        const struct quantity quantity =
            quantity_of_time(0, column_parameter(columns, j));
        quantity_print(&quantity, name, sizeof name);
        if (!foreign->tau_given[j])
            list_name(&column, "not given:", name, "");
    }
    for (int c = 0; foreign->has_events && c < columns->count; c++)
        if (!foreign->event_given[c])
            list_name(&column, "not given:", foreign->name[c], " (events)");
    if (!foreign->has_events)
        list_name(&column, "not given:", "events", "");
    if (column > 0)
        putchar('\n');
}

static void introduce(const struct check *check)
{
    const struct foreign *foreign = check->foreign;
    const char *events = check->events ? source_of(check->events) : "";
    printf("%s: ", check->question.model->desc->name);
    print_printable(stdout, source_of(check->samples));
    fputs(*events ? ", " : "", stdout);
    print_printable(stdout, events);
    printf(", %d samples, %d events", foreign->samples, foreign->events);
    if (foreign->passed_over > 0)
        printf("; %ld lines at other times are not judged", foreign->passed_over);
    if (foreign->ignored > 0)
        printf("; %d column%s that %s not known %s ignored", foreign->ignored,
               foreign->ignored == 1 ? "" : "s", foreign->ignored == 1 ? "is" : "are",
               foreign->ignored == 1 ? "is" : "are");
    printf("\ndigits = -log10 |got - want| / scale; scale = the largest |want| of that "
           "quantity so\nfar; bar: %.4g digits\n", check->rows.digits);
    list_absent(foreign);
}

/* Prints the numbers by the first judge; the table below has the verdict of another one,
   and --json its numbers. */
static void print_numbers(const struct check *check)
{
    const struct foreign *foreign = check->foreign;
    const char **name = memory_new(foreign->events, sizeof *name);
    for (int k = 0; k < foreign->events; k++)
        name[k] = foreign->event[k].name;
    int first = 0;
    while (check->rows.row[first].kind != ROW_JUDGED)
        first++;
    printf("\njudged by: %s\n", check->rows.row[first].oracle);
    report_answer(stdout, &check->rows.row[first], name, foreign->events);
    free(name);
}

static void print_json(FILE *stream, const void *context)
{
    const struct check *check = context;
    const struct rows *rows = &check->rows;
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", rows->digits);
    const char *const settings[] = {
        "samples", source_of(check->samples),
        "events", check->events ? source_of(check->events) : "",
        "formulation", args_text(check->args, OPTION_FORMULATION, ""),
        "reset", reset_policy_text[check->reset], "digits", digits, NULL,
    };
    report_json(stream, settings, &rows, 1);
}

/* Was something judged? Not where a refusal is certified, where there are no certified
   values, or none that can be read. */
static bool is_judged(const struct check *check, enum exit_status *end)
{
    const struct rows *rows = &check->rows;
    const char *name = check->question.model->desc->name;
    long numbers = 0;
    for (int k = 0; k < rows->count; k++) {
        numbers += rows->row[k].kind == ROW_JUDGED;
        if (rows->row[k].kind != ROW_REFUSED)
            continue;
        *end = complain_refusal(check->args, name, &rows->row[k].refusal);
        return false;
    }
    if (numbers == 0)
        *end = complain(check->args, "%s: %s", name,
                        rows->count > 0 ? rows->row[0].note : "nothing to judge it by");
    return numbers > 0;
}

static enum exit_status report(const struct check *check)
{
    const struct rows *rows = &check->rows;
    enum exit_status end;
    if (!is_judged(check, &end))
        return end;
    bool brief = args_has(check->args, OPTION_BRIEF);
    if (!brief) {
        introduce(check);
        print_numbers(check);
        putchar('\n');
    }
    report_table(stdout, &rows, 1, brief);
    if (!brief)
        report_shortfalls(stdout, &rows, 1);
    bool held = report_summary(stdout, &rows, 1);
    const char *json = args_text(check->args, OPTION_JSON_FILE, NULL);
    if (json && !file_print(check->args, json, print_json, check))
        return EXIT_USAGE;
    return held ? EXIT_HELD : EXIT_SHORT;
}

/* --- the command -------------------------------------------------------------------- */

static bool read_request(struct check *check)
{
    const struct args *args = check->args;
    struct model *model = setup_model(args, args->operand[0]);
    bool good = model && setup_motion(args, model, check->option, &check->own) &&
                setup_reset(args, &check->reset) &&
                args_positive(args, OPTION_DIGITS, &check->rows.digits) &&
                args_count(args, OPTION_POINTS, 1, 10000000, &check->points);
    model_free(model);
    for (int k = 1; k < args->operands && good; k++) {
        const char *file = args->operand[k];
        good = args_keep_input(args, OPTION_JSON_FILE,
                               strcmp(file, "-") == 0 ? "/proc/self/fd/0" : file);
    }
    if (good && events_beside(check))
        good = args_keep_input(args, OPTION_JSON_FILE, check->path);
    return good && file_possible(args, args_text(args, OPTION_JSON_FILE, NULL));
}

/* "x.csv" of "out/x.csv" */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static enum exit_status judge(struct check *check)
{
    struct diagnosis diagnosis = {.t = NAN};
    const struct case_desc *desc = setup_case(check->args, check->args->operand[0]);
    enum status status = question_open(&check->question, desc, check->reset,
                                       &check->own.truth, (int)check->points,
                                       check->points > 0 ? ROWS_EXACT : ROWS_AMONG,
                                       &diagnosis);
    if (status != OK)
        return complain_refusal(check->args, desc->name, &diagnosis);
    if (read_answer(check, &diagnosis) != OK)
        return complain(check->args, "%s", diagnosis.place);
    char name[64];
    printable_text(base_name(source_of(check->samples)), name, sizeof name);
    setup_formulation(check->args, &check->question.formulation);
    check->question.option = check->option;
    foreign_judge(&check->rows, &check->question, check->foreign,
                  name, ORACLES_ALL);
    return report(check);
}

static enum exit_status check_answer(const struct args *args)
{
    struct check check = {
        .args = args, .samples = args->operand[1],
        .rows = {.digits = foreign_bar, .keep = true},
    };
    enum exit_status end = read_request(&check) ? judge(&check) : EXIT_USAGE;
    foreign_free(check.foreign);
    question_close(&check.question);
    rows_clear(&check.rows);
    return end;
}

static const enum option_id options[] = {
    OPTION_FORMULATION, OPTION_OPT, OPTION_RESET, OPTION_POINTS, OPTION_DIGITS,
    OPTION_BRIEF, OPTION_JSON_FILE, OPTIONS,
};

extern const struct command command_check;
const struct command command_check = {
    .name = "check",
    .synopsis = "CASE FILE.csv [EVENTS.csv] [OPTION...]",
    .summary = "Judge the CSV of any solver by the certified values",
    .text =
        "FILE.csv has the columns that `saltus problem CASE` names, in any order; some\n"
        "may be missing, others are ignored. It needs a line for each of `samples`;\n"
        "those at other times are not judged: --points N asks for exactly those of\n"
        "`saltus problem --points N`. Events follow behind a line \"# events\", or in a\n"
        "second file: x.events.csv beside x.csv is found. FILE - is standard input.\n"
        "--formulation, --opt and --reset say which motion, as in `saltus problem`.\n\n"
        "Every number is judged to 6 digits (--digits), event by event. Exit status: 0\n"
        "all held, 1 a number fell short, 2 a file is not as it should be, 3 it is\n"
        "certified that there is no answer.\n\n"
        "  saltus run five-bar --points 9 -o x.csv && saltus check five-bar x.csv\n"
        "  my-solver < five-bar.json | saltus check five-bar -\n",
    .option = options,
    .least = 2,
    .most = 3,
    .run = check_answer,
};
