/*
 * verify.c - `saltus verify`: every case in every formulation against every oracle.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "commands/outfile.h"
#include "commands/setup.h"
#include "weights.h"
#include "judge.h"
#include "foreign/foreign.h"
#include "matrix.h"
#include "nearest.h"
#include "plugins/apart.h"
#include "report/report.h"
#include "rules.h"
#include "study.h"

/* What the command line asks for. */
struct demand {
    const struct args *args;
    struct judging judging;
    const struct jump_rule *rule;   /* as named; judging.rule is it where it applies */
    const char *option[MAX_OPTIONS];
    int jobs, cases;
    const struct case_desc **desc;
};

/* --- the command line --------------------------------------------------------------- */

static bool choose_oracles(const struct args *args, unsigned *oracles)
{
    const char *list = args_text(args, OPTION_ORACLE, NULL);
    char name[80], offer[300];
    *oracles = list ? 0 : ORACLES_ALL;
    while (list && next_in_list(&list, name, sizeof name)) {
        int k = 0;
        while (oracle_names[k] && strcmp(oracle_names[k], name) != 0)
            k++;
        if (!oracle_names[k]) {
            offer_names(name, oracle_names, -1, offer, sizeof offer);
            complain(args, "--oracle: no oracle %s; %s", name, offer);
            return false;
        }
        *oracles |= 1u << k;
    }
    return true;
}

static bool choose_cases(struct demand *demand)
{
    const struct args *args = demand->args;
    int count = args->operands;
    if (count == 0)
        while (catalogue[count])
            count++;
    demand->desc = calloc((size_t)count + 1, sizeof *demand->desc);
    if (!demand->desc)
        abort();
    for (int k = 0; k < count; k++) {
        demand->desc[k] = args->operands ? setup_case(args, args->operand[k])
                                         : catalogue[k];
        if (!demand->desc[k])
            return false;
    }
    demand->cases = count;
    return true;
}

static bool read_demand(struct demand *demand, const struct args *args)
{
    struct judging *judging = &demand->judging;
    long jobs = processors(), precision = DEFAULT_MP_DIGITS;
    *demand = (struct demand){.args = args};
    judging->rtol = NAN;
    judging->digits = NAN;
    judging->timeout = 60;
    judging->json = args_has(args, OPTION_JSON_FILE);
    judging->thorough = args_has(args, OPTION_THOROUGH);
    if (!setup_formulation(args, &judging->only) ||
        !setup_integrator(args, &judging->integrator) ||
        !setup_reset(args, &judging->reset) ||
        !setup_rule(args, &judging->rule) || !choose_oracles(args, &judging->oracles) ||
        !args_positive(args, OPTION_RTOL, &judging->rtol) ||
        !args_positive(args, OPTION_DIGITS, &judging->digits) ||
        !args_positive(args, OPTION_TIMEOUT, &judging->timeout) ||
        !args_count(args, OPTION_PRECISION, 30, 1000, &precision) ||
        !args_count(args, OPTION_JOBS, 1, 256, &jobs) || !choose_cases(demand))
        return false;
    judging->mp_digits = (int)precision;
    demand->jobs = (int)jobs;
    if (!judging->only && args_has(args, OPTION_OPT)) {
        complain(args, "--opt belongs to a formulation; give --formulation, too");
        return false;
    }
    if (judging->only && !setup_options(args, judging->only, demand->option))
        return false;
    demand->rule = judging->rule;
    if (demand->rule)
        judging->rule = rule_where_it_applies(demand->rule);
    judging->option = judging->only ? demand->option : NULL;
    return true;
}

/* --- planning ----------------------------------------------------------------------- */

/* A rule is judged where it applies to an event at least. */
static bool is_wanted(const struct demand *demand, const struct case_desc *desc)
{
    if (!demand->rule)
        return true;
    char why[200] = "";
    struct model *model = model_new(desc, NULL);
    bool wanted = !model || apart_rule_applies(demand->rule, model,
                                               demand->judging.timeout, why, sizeof why);
    if (!wanted && demand->args->operands > 0)
        printf("rule %s applies to no event of %s: %s\n", demand->rule->name, desc->name,
               why);
    if (model)
        model_free(model);
    return wanted;
}

/* Of --solver: the programs are judged, and they alone. */
static bool plan_solvers(const struct demand *demand, struct piece ***piece, int *count)
{
    const struct args *args = demand->args;
    struct diagnosis diagnosis = {.t = NAN};
    for (int k = 0; k < demand->cases; k++)
        for (int i = 0; i < args->option[OPTION_SOLVER].count; i++)
            if (foreign_plan(&demand->judging, demand->desc[k],
                             args->option[OPTION_SOLVER].value[i], piece, count,
                             &diagnosis) != OK) {
                complain_refusal(args, demand->desc[k]->name, &diagnosis);
                return false;
            }
    return true;
}

/* A case that was named has nothing to judge: why the first formulation asked for does
   not apply. */
static void complain_no_solution(const struct demand *demand,
                                 const struct case_desc *desc)
{
    const struct judging *judging = &demand->judging;
    const struct formulation *formulation = judging->only ? judging->only
                                                          : formulations[0];
    struct model *model = model_new_with(desc, judging->reset, NULL);
    const char *why = "";
    if (!judging->only && judging->reset == RESET_CONTINUOUS)
        complain(demand->args, "--reset continuous: no formulation has a motion of its "
                 "own on %s, or none of its events adds constraints", desc->name);
    else if (!formulation_applies(formulation, model, &why) ||
             !policy_applies(judging->reset, formulation, model, &why))
        complain(demand->args, "formulation %s does not apply to %s: %s",
                 formulation->name, desc->name, why);
    model_free(model);
}

static bool plan(const struct demand *demand, struct piece ***piece, int *count)
{
    if (args_has(demand->args, OPTION_SOLVER))
        return plan_solvers(demand, piece, count);
    for (int k = 0; k < demand->cases; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        const struct case_desc *desc = demand->desc[k];
        int before = *count;
        if (!is_wanted(demand, desc))
            continue;
        if (plan_case(&demand->judging, desc, piece, count, &diagnosis) != OK) {
            complain_refusal(demand->args, desc->name, &diagnosis);
            return false;
        }
        if (*count == before && demand->args->operands > 0) {
            complain_no_solution(demand, desc);
            return false;
        }
    }
    if (*count == 0) {
        complain(demand->args, "nothing is left to judge: the formulation, the rule or "
                 "the reset policy applies to no case");
        return false;
    }
    return true;
}

/* --- results ------------------------------------------------------------------------ */

static bool write_json(const struct demand *demand, const struct rows *const *rows,
                       int count)
{
    const char *path = args_text(demand->args, OPTION_JSON_FILE, NULL);
    const struct judging *judging = &demand->judging;
    char rtol[40] = "", digits[40] = "", precision[40], seed[40];
    if (!isnan(judging->rtol))
        snprintf(rtol, sizeof rtol, "%.17g", judging->rtol);
    snprintf(precision, sizeof precision, "%d", judging->mp_digits);
    snprintf(seed, sizeof seed, "%d", DIRECTION_SEED);
    if (!isnan(judging->digits))
        snprintf(digits, sizeof digits, "%.17g", judging->digits);
    const char *const settings[] = {
        "rtol", rtol, "integrator", judging->integrator ? judging->integrator->name : "",
        "reset", reset_policy_text[judging->reset],
        "formulation", judging->only ? judging->only->name : "",
        "rule", judging->rule ? judging->rule->name : "", "digits", digits,
        "precision", precision, "direction", judging->thorough ? "each" : "random",
        "seed", judging->thorough ? "" : seed, NULL,
    };
    struct outfile file = {0};
    bool good = outfile_open(&file, path);
    if (good)
        report_json(file.stream, settings, rows, count);
    good = good && outfile_finish(&file) && outfile_publish(&file);
    outfile_discard(&file);
    if (!good)
        complain(demand->args, "%s: cannot be written: %s", path, file.error);
    return good;
}

static bool all_rows_held(const struct rows *const *rows, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++)
            if (row_fell_short(&rows[i]->row[k]))
                return false;
    return true;
}

static int rows_in_all(const struct rows *const *rows, int count)
{
    int all = 0;
    for (int i = 0; i < count; i++)
        all += rows[i]->count;
    return all;
}

static enum exit_status report(const struct demand *demand, struct piece *const *piece,
                               int count)
{
    const struct rows **rows = calloc((size_t)count + 1, sizeof *rows);
    if (!rows)
        abort();
    for (int k = 0; k < count; k++)
        rows[k] = &piece[k]->rows;
    if (rows_in_all(rows, count) == 0) {
        complain(demand->args, "nothing was judged: no oracle that was asked for applies; "
                 "leave out --oracle to have all of them");
        free(rows);
        return EXIT_USAGE;
    }
    report_introduction(stdout, rows, count, demand->judging.thorough);
    report_table(stdout, rows, count);
    if (demand->judging.rule)
        report_rule(stdout, demand->judging.rule->name, rows, count);
    else
        report_shortfalls(stdout, rows, count);
    report_summary(stdout, rows, count);
    enum exit_status status = all_rows_held(rows, count) ? EXIT_HELD : EXIT_SHORT;
    if (demand->judging.json && !write_json(demand, rows, count))
        status = EXIT_USAGE;
    free(rows);
    return status;
}

/* --- the command -------------------------------------------------------------------- */

static enum exit_status judge_all(const struct demand *demand)
{
    struct piece **piece = NULL;
    int count = 0;
    enum exit_status status = EXIT_USAGE;
    if (plan(demand, &piece, &count)) {
        struct task **task = calloc((size_t)count, sizeof(struct task *));
        if (!task)
            abort();
        for (int k = 0; k < count; k++)
            task[k] = &piece[k]->task;
        apart_pieces(piece, count, demand->rule, demand->judging.timeout);
        tasks_run("verify", task, count, demand->jobs);
        free(task);
        status = report(demand, piece, count);
    }
    pieces_free(piece, count);
    return status;
}

typedef enum exit_status study_function(const struct args *args,
                                        const struct judging *judging,
                                        const struct case_desc *const *desc, int cases,
                                        int jobs);

static study_function *find_study(const char *name)
{
    return strcmp(name, "alpha") == 0   ? study_alpha
           : strcmp(name, "order") == 0 ? study_order : NULL;
}

/* What cannot be asked for together. */
static bool options_agree(const struct args *args)
{
    static const struct {
        enum option_id one, other;
        const char *why;
    } apart[] = {
        {OPTION_STUDY, OPTION_JSON_FILE, "--json does not go with --study: its table is "
                                         "what there is"},
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
        {OPTION_SOLVER, OPTION_MATRIX, "--matrix is of formulations; for a --solver leave "
                                       "it out"},
    };
    const char *study = args_text(args, OPTION_STUDY, "alpha");
    if (!find_study(study)) {
        complain(args, "--study: no study %s; known: alpha, order", study);
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
    struct demand demand;
    char error[200];
    const char *json = args_text(args, OPTION_JSON_FILE, NULL);
    const char *study = args_text(args, OPTION_STUDY, NULL);
    bool matrix = args_has(args, OPTION_MATRIX);
    enum exit_status status = EXIT_USAGE;
    bool good = read_demand(&demand, args) && options_agree(args);
    if (good && json && !outfile_possible(json, error, sizeof error)) {
        complain(args, "%s: cannot be written: %s", json, error);
        good = false;
    }
    if (good)
        status = study    ? find_study(study)(args, &demand.judging, demand.desc,
                                              demand.cases, demand.jobs)
                 : matrix ? verify_matrix(args, &demand.judging, demand.desc,
                                          demand.cases, demand.jobs)
                          : judge_all(&demand);
    free(demand.desc);
    return status;
}

static const enum option_id options[] = {
    OPTION_FORMULATION, OPTION_OPT, OPTION_INTEGRATOR, OPTION_RULE, OPTION_ORACLE,
    OPTION_RESET, OPTION_THOROUGH, OPTION_PLUGIN, OPTION_SOLVER, OPTION_TIMEOUT, OPTION_STUDY,
    OPTION_MATRIX, OPTION_RTOL, OPTION_DIGITS, OPTION_PRECISION, OPTION_JOBS,
    OPTION_JSON_FILE, OPTIONS,
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
        "Your own: --plugin loads formulations, integrators and jump rules from a shared\n"
        "object (formulations/README.md). --solver judges a program in any language, by\n"
        "certified values and closed forms, to 6 digits unless --digits says else:\n"
        "`saltus problem CASE` is what it reads and says how to answer. Both run in\n"
        "processes of their own; what crashes, hangs or is no answer costs its row.\n\n"
        "  saltus verify bouncing-ball\n"
        "  saltus verify five-bar --rule corner-94-printed\n"
        "  saltus verify five-bar --study alpha\n"
        "  saltus verify --matrix\n"
        "  saltus verify five-bar --plugin ./mine.so --formulation mine\n"
        "  saltus verify five-bar --solver 'python3 mine.py'\n",
    .option = options,
    .least = 0,
    .most = -1,
    .run = verify,
};
