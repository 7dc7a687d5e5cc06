/*
 * regress.c - `saltus regress`: the digits of every verdict kept for one build, and
 * compared with another.
 */
#include "commands/regress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/standard.h"
#include "commands/ci.h"
#include "commands/setup.h"
#include "mechanisms/catalogue.h"
#include "options/file_print.h"
#include "tables/report.h"

/* --- what is compared --------------------------------------------------------------- */

static const char *setting_of(const struct table *table, const char *name)
{
    for (int k = 0; k < table->settings; k++)
        if (strcmp(table->setting[2 * k], name) == 0)
            return table->setting[2 * k + 1];
    return "";
}

/* Complains of a setting: digits can only be compared where both tables have one
   request. */
static bool complain_setting(const struct regress *r, const char *name, const char *old,
                             const char *now)
{
    static const char *const fixed[][2] = {
        {"direction", "--thorough must be given to both or to none"},
        {"seed", "another random direction is built in now; save the table again"},
    };
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
        if (strcmp(name, fixed[k][0]) == 0) {
            complain(r->args, "%s was made with %s %s, not %s: %s", r->against, name, old,
                     now, fixed[k][1]);
            return false;
        }
    if (old[0])
        complain(r->args, "%s was made with %s %s, not %s; give --%s '%s'", r->against,
                 name, old, now[0] ? now : "the default", name, old);
    else
        complain(r->args, "%s was made with the default of %s, not %s; leave out --%s",
                 r->against, name, now, name);
    return false;
}

/* One formulation may be compared with a table of all of them. */
static bool same_settings(const struct regress *r)
{
    for (const char *const *text = r->settings.text; *text; text += 2) {
        const char *old = setting_of(&r->before, text[0]);
        bool part = strcmp(text[0], "formulation") == 0 && old[0] == '\0';
        if (!part && strcmp(old, text[1]) != 0)
            return complain_setting(r, text[0], old, text[1]);
    }
    return true;
}

static bool has_case(const struct table *table, const char *name)
{
    for (int k = 0; k < table->rows.count; k++)
        if (strcmp(table->rows.row[k].case_name, name) == 0)
            return true;
    return false;
}

/* Are the cases those of the table? Cases that are named must be in it; without names
   they are the table's that still exist: rows of the others vanish. */
static bool same_cases(struct regress *r)
{
    struct request *request = r->request;
    int kept = 0;
    for (int k = 0; k < r->args->operands; k++)
        if (!has_case(&r->before, request->desc[k]->name)) {
            complain(r->args, "%s has no row of %s; leave it out, or save a table with "
                     "it", r->against, request->desc[k]->name);
            return false;
        }
    if (r->args->operands > 0 || r->before.cases == 0)
        return true;
    free(request->desc);
    request->desc = memory_new(r->before.cases + 1, sizeof *request->desc);
    for (int k = 0; k < r->before.cases; k++)
        if ((request->desc[kept] = case_find(r->before.case_name[k])))
            kept++;
    request->cases = kept;
    if (kept == 0)
        complain(r->args, "%s: there is no case %s any more, nor any other of it; save a "
                 "table again", r->against, r->before.case_name[0]);
    return kept > 0;
}

static bool read_before(struct regress *r)
{
    char error[600];
    if (!r->against)
        return true;
    if (table_read(r->against, &r->before, error, sizeof error)) {
        if (r->before.old_names)
            complain(r->args, "warning: %s has names from before 0.2, such as held, now "
                     "PASS, and jump.K.x, now after.K.x; save the table again",
                     r->against);
        if (isnan(r->tolerance))
            r->tolerance = regress_tolerance(&r->before);
        return same_settings(r) && same_cases(r);
    }
    complain(r->args, "%s", error);
    return false;
}

/* --- saving ------------------------------------------------------------------------- */

/* The names of the cases asked for; none: the whole catalogue. */
static const char **asked_cases(const struct regress *r)
{
    const struct request *request = r->request;
    bool all = r->args->operands == 0 && r->before.cases == 0;
    const char **name = memory_new(request->cases + 1, sizeof *name);
    for (int k = 0; k < request->cases && !all; k++)
        name[k] = request->desc[k]->name;
    return name;
}

static void print_table(FILE *stream, const void *context)
{
    const struct regress *r = context;
    const struct request *request = r->request;
    const char **name = asked_cases(r);
    table_write(stream, r->settings.text, name, request->rows, request->jobs);
    free(name);
}

/* --- comparing ---------------------------------------------------------------------- */

static void compare(struct regress *r)
{
    const struct judge_settings *settings = &r->request->settings;
    const char **name = asked_cases(r);
    const struct regress_scope scope = {
        .cases = r->args->operands > 0 ? name : NULL,
        .formulation = settings->only ? settings->only->name : NULL,
    };
    regress_compare(&r->before.rows, r->request->rows, r->request->jobs, &scope,
                    r->tolerance, &r->regression);
    free(name);
}

/* --- the command -------------------------------------------------------------------- */

static bool read_options(struct regress *r)
{
    const struct args *args = r->args;
    r->save = args_text(args, OPTION_SAVE, NULL);
    r->against = args_text(args, OPTION_AGAINST, NULL);
    r->tolerance = NAN;
    if (!args_number(args, OPTION_TOLERANCE, &r->tolerance))
        return false;
    if (r->tolerance < 0.0) {
        complain(args, "--tolerance: %g digits is less than none; give 0 or more",
                 r->tolerance);
        return false;
    }
    return file_possible(args, r->save);
}

bool regress_read(struct regress *r, const struct args *args, struct request *request)
{
    *r = (struct regress){.args = args, .request = request};
    if (!read_options(r))
        return false;
    request_settings_text(request, &r->settings);
    return read_before(r);
}

void regress_clear(struct regress *r)
{
    regression_clear(&r->regression);
    table_clear(&r->before);
}

/* Writes the checks of the comparison, or, where nothing was compared, of the verdicts
   themselves. */
static bool write_checks(const struct regress *r)
{
    struct checks checks = {.title = "saltus regress"};
    if (r->against)
        checks_of_comparison(&checks, &r->regression, r->request->rows,
                             r->request->jobs);
    else
        checks_of_rows(&checks, r->request->rows, r->request->jobs);
    bool good = ci_write(r->args, &checks);
    checks_clear(&checks);
    return good;
}

enum exit_status regress_end(struct regress *r, bool alone)
{
    if (r->save && !file_print(r->args, r->save, print_table, r))
        return EXIT_USAGE;
    if (r->against)
        compare(r);
    if (!alone && r->save)
        report_saved(stdout, r->save, r->request->rows, r->request->jobs);
    if (!alone && r->against)
        report_regress(stdout, &r->regression, r->against, &r->before, r->tolerance,
                       args_has(r->args, OPTION_BRIEF));
    if (r->against && r->regression.rows == 0) {
        complain(r->args, "no row was compared with %s", r->against);
        return EXIT_SHORT;
    }
    return regression_held(&r->regression) ? EXIT_HELD : EXIT_SHORT;
}

static enum exit_status judge_and_tell(struct regress *r)
{
    if (!request_judge(r->request, NULL))
        return EXIT_USAGE;
    enum exit_status status = regress_end(r, standard_taken());
    if (status != EXIT_USAGE && ci_wanted(r->args) && !write_checks(r))
        return EXIT_USAGE;
    return status;
}

static enum exit_status regress(const struct args *args)
{
    struct request request;
    struct regress r = {0};
    enum exit_status status = EXIT_USAGE;
    bool good = request_read(&request, args);
    if (good && !args_has(args, OPTION_SAVE) && !args_has(args, OPTION_AGAINST)) {
        complain(args, "nothing to do; give --save FILE, --against FILE, or both");
        good = false;
    }
    if (good && ci_possible(args) && regress_read(&r, args, &request))
        status = judge_and_tell(&r);
    regress_clear(&r);
    request_clear(&request);
    return status;
}

static const enum option_id options[] = {
    OPTION_SAVE, OPTION_AGAINST, OPTION_TOLERANCE, OPTION_FORMULATION, OPTION_OPT,
    OPTION_INTEGRATOR, OPTION_RULE, OPTION_ORACLE, OPTION_RESET, OPTION_THOROUGH,
    OPTION_PLUGIN, OPTION_SOLVER, OPTION_NAME, OPTION_TIMEOUT, OPTION_RTOL, OPTION_DIGITS,
    OPTION_PRECISION, OPTION_JOBS, OPTION_BRIEF, OPTION_JUNIT, OPTION_TAP, OPTIONS,
};

extern const struct command command_regress;
const struct command command_regress = {
    .name = "regress",
    .synopsis = "--save FILE | --against FILE [CASE...] [OPTION...]",
    .summary = "Keep the digits of every verdict; say what another build makes worse",
    .text =
        "Judges as `saltus verify` does. --save writes what became of every row, how\n"
        "its digits are distributed, and the fewest digits of every kind of quantity in\n"
        "it: JSON with a row or a kind a line, the same bytes from the same build.\n"
        "--against compares with such a table, saved by another build with the same\n"
        "options; it may be for fewer cases, or one formulation. Both: compared, and\n"
        "kept.\n\n"
        "Worse, and exit status 1: a row that no longer holds, or has no numbers any\n"
        "more, a refusal for another reason, a kind that has lost more than --tolerance\n"
        "digits (the kinds of a row on average: 0.4 of it), fewer numbers, a row or\n"
        "kind that vanished. --save alone compares nothing: 0. Without --tolerance 0.3\n"
        "digits may be lost, or 1.5 where the table was made with another arithmetic:\n"
        "the elementary functions of another processor or library take up to 1.3 from\n"
        "the fewest digits of a kind.\n\n"
        "  saltus regress --save before.json\n"
        "  saltus regress --against before.json\n"
        "  saltus regress --against before.json five-bar -f index3 --tolerance 0\n",
    .option = options,
    .least = 0,
    .most = -1,
    .run = regress,
};
