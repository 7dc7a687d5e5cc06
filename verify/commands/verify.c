/*
 * verify.c - `saltus verify`: every case in every formulation against every oracle.
 */
#include <stdio.h>
#include <string.h>

#include "base/standard.h"
#include "commands/ci.h"
#include "commands/regress.h"
#include "commands/unit_notes.h"
#include "events/jump.h"
#include "options/file_print.h"
#include "studies/matrix.h"
#include "studies/study.h"
#include "tables/report.h"

/* --- results ------------------------------------------------------------------------ */

/* The contents of the file of --json. */
struct contents {
    const struct request *request;
    const char *study;          /* NULL: the verdicts are written */
    const cJSON *found;         /* findings of the study */
};

static void print_json(FILE *stream, const void *context)
{
    const struct contents *contents = context;
    const struct request *request = contents->request;
    struct settings_text settings;
    request_settings_text(request, &settings);
    if (contents->study)
        report_study_json(stream, settings.text, contents->study, contents->found);
    else
        report_json(stream, settings.text, request->rows, request->jobs);
}

/* Writes the verdicts, or the findings of a study. */
static bool write_json(const struct request *request, const char *study,
                       const cJSON *found)
{
    const struct contents contents = {request, study, found};
    return file_print(request->args, args_text(request->args, OPTION_JSON_FILE, NULL),
                      print_json, &contents);
}

/* Prints everything that stands below the table, which is printed already. */
static void print_below_table(const struct request *request)
{
    const struct rows *const *rows = request->rows;
    int count = request->jobs;
    bool brief = args_has(request->args, OPTION_BRIEF);
    if (request->settings.rule && !brief)
        report_rule(stdout, request->settings.rule->name, rows, count);
    else if (!brief)
        report_shortfalls(stdout, rows, count);
    if (args_has(request->args, OPTION_STATISTICS))
        report_statistics(stdout, rows, count);
    report_summary(stdout, rows, count);
}

static bool write_checks(const struct request *request)
{
    struct checks checks = {.title = "saltus verify"};
    checks_of_rows(&checks, request->rows, request->jobs);
    bool good = ci_write(request->args, &checks);
    checks_clear(&checks);
    return good;
}

/* Judges the request; --save and --against take its verdicts, like `saltus regress`. */
static enum exit_status judge_all(struct request *request, struct regress *regress)
{
    bool alone = standard_taken();
    enum exit_status compared = EXIT_HELD;
    if (!request_judge(request, alone ? NULL : stdout))
        return EXIT_USAGE;
    if (!alone)
        print_below_table(request);
    if ((request->settings.json && !write_json(request, NULL, NULL)) ||
        (ci_wanted(request->args) && !write_checks(request)))
        return EXIT_USAGE;
    if (regress->save || regress->against)
        compared = regress_end(regress, alone);
    return compared != EXIT_HELD ? compared
           : request_held(request) ? EXIT_HELD : EXIT_SHORT;
}

/* --- the command -------------------------------------------------------------------- */

typedef enum exit_status study_function(const struct args *args,
                                        const struct judge_settings *settings,
                                        const struct case_desc *const *desc, int cases,
                                        int threads, cJSON *found);

static study_function *find_study(const char *name)
{
    return strcmp(name, "alpha") == 0   ? study_alpha
           : strcmp(name, "order") == 0 ? study_order
           : strcmp(name, "steps") == 0 ? study_steps : NULL;
}

static enum exit_status do_study(const struct request *request, const char *study)
{
    cJSON *found = cJSON_CreateArray();
    enum exit_status status = find_study(study)(request->args, &request->settings,
                                                request->desc, request->cases,
                                                request->threads, found);
    if (status != EXIT_USAGE && request->settings.json &&
        !write_json(request, study, found))
        status = EXIT_USAGE;
    cJSON_Delete(found);
    return status;
}

/* Complains of options that cannot be given together. */
static bool options_agree(const struct args *args)
{
    static const struct {
        enum option_id one, other;
        const char *why;
    } apart[] = {
        {OPTION_STUDY, OPTION_JUNIT, "--junit is of rows, and --study has none"},
        {OPTION_STUDY, OPTION_TAP, "--tap is of rows, and --study has none"},
        {OPTION_STUDY, OPTION_STATISTICS, "--statistics are of rows, and --study has "
                                          "none"},
        {OPTION_MATRIX, OPTION_JUNIT, "--junit is of rows, and --matrix has none"},
        {OPTION_MATRIX, OPTION_TAP, "--tap is of rows, and --matrix has none"},
        {OPTION_MATRIX, OPTION_STATISTICS, "--statistics are of rows, and --matrix has "
                                           "none"},
        {OPTION_STUDY, OPTION_BRIEF, "--brief is of rows, and --study has none"},
        {OPTION_MATRIX, OPTION_BRIEF, "--brief is of rows, and --matrix has none"},
        {OPTION_STUDY, OPTION_SAVE, "--save is of rows, and --study has none"},
        {OPTION_STUDY, OPTION_AGAINST, "--against is of rows, and --study has none"},
        {OPTION_MATRIX, OPTION_SAVE, "--save is of rows, and --matrix has none"},
        {OPTION_MATRIX, OPTION_AGAINST, "--against is of rows, and --matrix has none"},
        {OPTION_STUDY, OPTION_RESET, "--study looks at both reset policies; leave out "
                                     "--reset"},
        {OPTION_STUDY, OPTION_MATRIX, "--study and --matrix are two tables; ask for one"},
        {OPTION_MATRIX, OPTION_FORMULATION, "--matrix is of all formulations; leave out "
                                            "--formulation"},
        {OPTION_MATRIX, OPTION_RULE, "--matrix is of formulations; for a rule leave it "
                                     "out"},
        {OPTION_MATRIX, OPTION_ORACLE, "--matrix has one oracle, the certified values; "
                                       "leave out --oracle"},
        {OPTION_SOLVER, OPTION_RULE, "--rule is of saltus, not of a --solver; ask for "
                                     "one of them"},
        {OPTION_SOLVER, OPTION_STUDY, "--study is of saltus, not of a --solver; ask for "
                                      "one of them"},
        {OPTION_SOLVER, OPTION_MATRIX, "--matrix is of formulations; for a --solver "
                                       "leave it out"},
    };
    const char *study = args_text(args, OPTION_STUDY, "alpha");
    if (!find_study(study)) {
        complain(args, "--study: no study %s; known: alpha, order, steps", study);
        return false;
    }
    for (size_t k = 0; k < sizeof apart / sizeof apart[0]; k++)
        if (args_has(args, apart[k].one) && args_has(args, apart[k].other)) {
            complain(args, "%s", apart[k].why);
            return false;
        }
    return true;
}

static enum exit_status verify(const struct args *args)
{
    struct request request;
    struct regress regress = {0};
    const char *study = args_text(args, OPTION_STUDY, NULL);
    bool matrix = args_has(args, OPTION_MATRIX);
    enum exit_status status = EXIT_USAGE;
    bool good = request_read(&request, args) && options_agree(args) &&
                ci_possible(args) &&
                file_possible(args, args_text(args, OPTION_JSON_FILE, NULL)) &&
                regress_read(&regress, args, &request);
    for (int k = 0; good && k < request.cases; k++)
        unit_notes_warn(args, request.desc[k]);
    if (good)
        status = study    ? do_study(&request, study)
                 : matrix ? verify_matrix(args, &request.settings, request.desc,
                                          request.cases, request.threads)
                          : judge_all(&request, &regress);
    regress_clear(&regress);
    request_clear(&request);
    return status;
}

static const enum option_id options[] = {
    OPTION_FORMULATION, OPTION_OPT, OPTION_INTEGRATOR, OPTION_RULE, OPTION_ORACLE,
    OPTION_RESET, OPTION_THOROUGH, OPTION_PLUGIN, OPTION_SOLVER, OPTION_NAME,
    OPTION_TIMEOUT, OPTION_STUDY, OPTION_MATRIX, OPTION_STATISTICS, OPTION_RTOL,
    OPTION_DIGITS, OPTION_PRECISION, OPTION_JOBS, OPTION_BRIEF, OPTION_JSON_FILE,
    OPTION_JUNIT, OPTION_TAP, OPTION_SAVE, OPTION_AGAINST, OPTION_TOLERANCE, OPTIONS,
};

extern const struct command command_verify;
const struct command command_verify = {
    .name = "verify",
    .synopsis = "[CASE...] [OPTION...]",
    .summary = "Judge every formulation, sensitivity and event jump; the main job",
    .text =
        "Judges: complex step through events, certified values, closed forms, the case\n"
        "compiled as plain quadruple-precision C (native), another case with the same\n"
        "motion (twin), printed numbers (published), and, for the truth itself, MPFR\n"
        "differences of whole trajectories: along one random direction in the space of\n"
        "parameters, at events and the end; --thorough: by each parameter, everywhere,\n"
        "and what would take too long. Where a refusal is certified, the refusal is\n"
        "right. Penalty formulations are judged by the penalty motion; the row 'exact\n"
        "motion' is the gap between the two.\n\n"
        "Your own: --plugin loads formulations, integrators and jump rules from a\n"
        "shared object (formulations/README.md). --solver judges a program in any\n"
        "language, by certified values and closed forms, to 6 digits unless --digits\n"
        "says else: `saltus problem CASE` is what it reads and says how to answer. Both\n"
        "run in processes of their own; what crashes, hangs or is no answer costs its\n"
        "row.\n\n"
        "--save and --against keep and compare the digits, as `saltus regress` does.\n\n"
        "  saltus verify bouncing-ball\n"
        "  saltus verify five-bar --rule corner-94-printed\n"
        "  saltus verify five-bar --study alpha\n"
        "  saltus verify five-bar --study steps\n"
        "  saltus verify --matrix\n"
        "  saltus verify five-bar --plugin ./mine.so --formulation mine\n"
        "  saltus verify five-bar --solver 'python3 mine.py'\n",
    .option = options,
    .least = 0,
    .most = -1,
    .run = verify,
};
