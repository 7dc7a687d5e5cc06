/*
 * request.c - the request of a command line: read, scheduled and judged (request.h).
 */
#include "commands/request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number_text.h"
#include "base/standard.h"
#include "base/suggest.h"
#include "commands/setup.h"
#include "faults/rules.h"
#include "foreign/foreign.h"
#include "jobs/isolated.h"
#include "jobs/unanswered.h"
#include "motion/cost.h"
#include "motion/direction.h"
#include "plugins/registry.h"
#include "tables/stream.h"
#include "verdict/row_status.h"

/* --- the command line --------------------------------------------------------------- */

static bool choose_oracles(const struct args *args, unsigned *chosen)
{
    const char *known[ORACLE_COUNT];
    const char *list = args_text(args, OPTION_ORACLE, NULL);
    char name[80], offer[300];
    *chosen = list ? 0 : ORACLES_ALL;
    while (list && next_in_list(&list, name, sizeof name)) {
        int k = oracle_find(name);
        if (k < 0) {
            int count = setup_names(OPTION_ORACLE, known, ORACLE_COUNT);
            offer_names(name, known, count, offer, sizeof offer);
            complain(args, "--oracle: no oracle %s; %s", name, offer);
            return false;
        }
        *chosen |= 1u << k;
    }
    return true;
}

bool request_read(struct request *request, const struct args *args)
{
    struct judge_settings *settings = &request->settings;
    long threads = processors(), precision = DEFAULT_MP_DIGITS;
    *request = (struct request){.args = args};
    settings->rtol = NAN;
    settings->digits = NAN;
    settings->timeout = 60;
    settings->json = args_has(args, OPTION_JSON_FILE);
    settings->thorough = args_has(args, OPTION_THOROUGH);
    if (!setup_formulation(args, &settings->only) ||
        !setup_integrator(args, &settings->integrator) ||
        !setup_reset(args, &settings->reset) ||
        !setup_rule(args, &settings->rule) || !choose_oracles(args, &settings->oracles) ||
        !args_rtol(args, &settings->rtol) ||
        !args_positive(args, OPTION_DIGITS, &settings->digits) ||
        !args_positive(args, OPTION_TIMEOUT, &settings->timeout) ||
        !args_count(args, OPTION_PRECISION, 30, 1000, &precision) ||
        !args_count(args, OPTION_JOBS, 1, 256, &threads) ||
        !(request->desc = setup_cases(args, &request->cases)))
        return false;
    settings->mp_digits = (int)precision;
    request->threads = (int)threads;
    if (args->option[OPTION_NAME].count > args->option[OPTION_SOLVER].count) {
        complain(args, "--name %s: there is no --solver that it is the name of",
                 args_text(args, OPTION_NAME, ""));
        return false;
    }
    if (!settings->only && args_has(args, OPTION_OPT)) {
        complain(args, "--opt belongs to a formulation; give --formulation, too");
        return false;
    }
    const struct integrator *integrator =
        settings->only ? integrator_chosen(settings->only, settings->integrator) : NULL;
    if (integrator && settings->only->kind == DAE && !integrator->alloc_implicit) {
        complain(args, "formulation %s is a DAE; integrator %s is explicit. Take %s",
                 settings->only->name, integrator->name,
                 integrator_default(settings->only)->name);
        return false;
    }
    if (settings->only && !setup_options(args, settings->only, request->option))
        return false;
    settings->option = settings->only ? request->option : NULL;
    return true;
}

/* --- planning ----------------------------------------------------------------------- */

/* A rule is judged where it applies to one event at least. */
static bool is_wanted(const struct request *request, const struct case_desc *desc)
{
    const struct jump_rule *rule = request->settings.rule;
    if (!rule)
        return true;
    char why[200] = "";
    struct model *model = model_new(desc, NULL);
    bool wanted = !model || isolated_rule_applies(rule, model,
                                                  request->settings.timeout, why,
                                                  sizeof why);
    if (!wanted && request->args->operands > 0)
        fprintf(standard_taken() ? stderr : stdout,
                "rule %s applies to no event of %s: %s\n", rule->name, desc->name,
                why);
    if (model)
        model_free(model);
    return wanted;
}

/* Schedules the programs of --solver, which are judged alone. */
static bool schedule_solvers(const struct request *request, struct job ***job, int *count)
{
    const struct args *args = request->args;
    struct diagnosis diagnosis = {.t = NAN};
    for (int k = 0; k < request->cases; k++)
        for (int i = 0; i < args->option[OPTION_SOLVER].count; i++) {
            bool named = i < args->option[OPTION_NAME].count;
            if (foreign_schedule(&request->settings, request->desc[k],
                                 args->option[OPTION_SOLVER].value[i],
                                 named ? args->option[OPTION_NAME].value[i] : NULL, job,
                                 count, &diagnosis) != OK) {
                complain_refusal(args, request->desc[k]->name, &diagnosis);
                return false;
            }
        }
    return true;
}

/* Complains that a named case has nothing to judge: the first formulation asked for does
   not apply. */
static void complain_no_solution(const struct request *request,
                                 const struct case_desc *desc)
{
    const struct judge_settings *settings = &request->settings;
    const struct formulation *formulation = settings->only ? settings->only
                                                           : formulations[0];
    struct model *model = model_new_with(desc, settings->reset, NULL);
    const char *why = "";
    if (!settings->only && settings->reset == RESET_CONTINUOUS)
        complain(request->args, "--reset continuous: no formulation has a motion of its "
                 "own on %s, or none of its events adds constraints", desc->name);
    else if (!formulation_applies(formulation, model, &why) ||
             !policy_applies(settings->reset, formulation, model, &why))
        complain(request->args, "formulation %s does not apply to %s: %s",
                 formulation->name, desc->name, why);
    model_free(model);
}

/* Do the options fit a named case? Options of which the formulation makes no equations
   are a wrong request, not a verdict; those of a plug-in's formulation are a row, since
   its code may crash. */
static bool options_fit(const struct request *request, const struct case_desc *desc)
{
    const struct judge_settings *settings = &request->settings;
    struct diagnosis diagnosis = {.t = NAN};
    const char *why;
    if (!settings->only || registry_owner(settings->only) || request->args->operands == 0)
        return true;
    struct model *model = model_new_with(desc, settings->reset, NULL);
    bool applies = model && formulation_applies(settings->only, model, &why);
    struct model *branch = applies ? model_branch(model) : NULL;
    for (int k = 0; applies && k < branch->modes && diagnosis.status == OK; k++)
        residual_free(formulation_residual(settings->only, branch, branch->mode[k],
                                           request->option, &diagnosis));
    model_branch_free(branch);
    model_free(model);
    if (!is_wrong_request(&diagnosis))
        return true;
    complain_refusal(request->args, desc->name, &diagnosis);
    return false;
}

/* Is the case malformed? Among several cases such a one falls short, and the others are
   judged. */
static bool is_malformed(const struct request *request, const struct case_desc *desc)
{
    struct model *model = model_new_with(desc, request->settings.reset, NULL);
    model_free(model);
    return !model;
}

static bool schedule(struct request *request)
{
    struct job ***job = &request->job;
    int *count = &request->jobs;
    if (args_has(request->args, OPTION_SOLVER))
        return schedule_solvers(request, job, count);
    for (int k = 0; k < request->cases; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        const struct case_desc *desc = request->desc[k];
        int before = *count;
        if (!is_wanted(request, desc))
            continue;
        if (request->cases > 1 && is_malformed(request, desc)) {
            schedule_malformed(&request->settings, desc, job, count);
            continue;
        }
        if (!options_fit(request, desc))
            return false;
        if (schedule_case(&request->settings, desc, job, count, &diagnosis) != OK) {
            complain_refusal(request->args, desc->name, &diagnosis);
            return false;
        }
        if (*count == before && request->args->operands > 0) {
            complain_no_solution(request, desc);
            return false;
        }
    }
    if (*count == 0) {
        complain(request->args, "nothing is left to judge: the formulation, the rule or "
                 "the reset policy applies to no case");
        return false;
    }
    return true;
}

/* --- settings ----------------------------------------------------------------------- */

static void append(char *text, int size, const char *separator, const char *more)
{
    int used = (int)strlen(text);
    snprintf(text + used, (size_t)(size - used), "%s%s", used ? separator : "", more);
}

/* Writes a setting; NAN, the default, is "". */
static void print_setting(char text[NUMBER_TEXT_ROOM], double number)
{
    text[0] = '\0';
    if (!isnan(number))
        number_text(text, number);
}

void request_settings_text(const struct request *request, struct settings_text *s)
{
    const struct judge_settings *settings = &request->settings;
    const struct args *args = request->args;
    *s = (struct settings_text){.rtol = ""};
    print_setting(s->rtol, settings->rtol);
    print_setting(s->digits, settings->digits);
    if (!settings->thorough)
        snprintf(s->seed, sizeof s->seed, "%d", DIRECTION_SEED);
    snprintf(s->precision, sizeof s->precision, "%d", settings->mp_digits);
    for (int k = 0; settings->oracles != ORACLES_ALL && k < ORACLE_COUNT; k++)
        if (settings->oracles & 1u << k)
            append(s->oracles, sizeof s->oracles, ",", oracles[k].name);
    for (int k = 0; k < args->option[OPTION_OPT].count; k++)
        append(s->options, sizeof s->options, " ", args->option[OPTION_OPT].value[k]);
    const char *const text[] = {
        "rtol", s->rtol, "integrator", settings->integrator ? settings->integrator->name
                                                            : "",
        "reset", reset_policy_text[settings->reset],
        "formulation", settings->only ? settings->only->name : "", "opt", s->options,
        "rule", settings->rule ? settings->rule->name : "", "oracle", s->oracles,
        "digits", s->digits, "precision", s->precision,
        "direction", settings->thorough ? "each" : "random", "seed", s->seed, NULL,
    };
    memcpy(s->text, text, sizeof text);
}

/* --- judging ------------------------------------------------------------------------ */

static int rows_in_all(const struct request *request)
{
    int all = 0;
    for (int k = 0; k < request->jobs; k++)
        all += request->rows[k]->count;
    return all;
}

/* Says beforehand how long it takes where that is minutes. */
static void tell_duration(const struct request *request)
{
    static const double minutes = 300;
    double all = 0;
    char text[40];
    const struct job *longest = request->job[0];
    for (int k = 0; k < request->jobs; k++) {
        const struct job *job = request->job[k];
        all += job->task.weight;
        longest = job->task.weight > longest->task.weight ? job : longest;
    }
    double seconds = fmax(all / request->threads, longest->task.weight);
    if (seconds < minutes)
        return;
    duration_text(seconds, text, sizeof text);
    complain(request->args, "this may take %s, by a rough estimate; longest: %s%s", text,
             longest->task.title,
             request->settings.only ? "" : "; --formulation F judges one alone");
}

bool request_judge(struct request *request, FILE *table)
{
    struct live live;
    if (!schedule(request))
        return false;
    struct task **task = memory_new(request->jobs, sizeof *task);
    request->rows = memory_new(request->jobs, sizeof *request->rows);
    for (int k = 0; k < request->jobs; k++) {
        task[k] = &request->job[k]->task;
        request->rows[k] = &request->job[k]->rows;
    }
    tell_duration(request);
    isolated_jobs(request->job, request->jobs, request->settings.rule,
                  request->settings.timeout);
    if (table)
        live_begin(&live, table, request->job, request->jobs,
                   args_has(request->args, OPTION_BRIEF));
    pool_run(request->args->command->name, task, request->jobs, request->threads);
    struct row **missing = memory_new(request->jobs, sizeof *missing);
    unanswered_rows(request->job, request->jobs, missing);
    for (int k = 0; table && k < request->jobs; k++)
        if (missing[k])
            live_row(&live, missing[k]);
    if (table)
        live_end(&live);
    free(missing);
    free(task);
    if (rows_in_all(request) > 0)
        return true;
    complain(request->args, "nothing was judged: no oracle that was asked for applies; "
             "leave out --oracle to have all of them");
    return false;
}

bool request_held(const struct request *request)
{
    struct tally tally = {0};
    for (int i = 0; i < request->jobs; i++)
        tally_add(&tally, request->rows[i]);
    return tally.failed == 0 && tally.passed > 0;
}

void request_clear(struct request *request)
{
    jobs_free(request->job, request->jobs);
    free(request->rows);
    free(request->desc);
}
