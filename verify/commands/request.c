/*
 * request.c - the command line of what is to be judged, and its judging (request.h).
 */
#include "commands/request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/standard.h"
#include "base/suggest.h"
#include "commands/setup.h"
#include "faults/rules.h"
#include "foreign/foreign.h"
#include "jobs/isolated.h"
#include "jobs/unanswered.h"
#include "mechanisms/catalogue.h"
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

static bool choose_cases(struct demand *demand)
{
    const struct args *args = demand->args;
    int count = args->operands;
    if (count == 0)
        while (catalogue[count])
            count++;
    demand->desc = calloc((size_t)count + 1, sizeof *demand->desc);
    if (!demand->desc)
        memory_exhausted();
    for (int k = 0; k < count; k++) {
        demand->desc[k] = args->operands ? setup_case(args, args->operand[k])
                                         : catalogue[k];
        if (!demand->desc[k])
            return false;
    }
    demand->cases = count;
    return true;
}

bool demand_read(struct demand *demand, const struct args *args)
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
        !args_rtol(args, &judging->rtol) ||
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
    const struct integrator *integrator =
        judging->only ? integrator_chosen(judging->only, judging->integrator) : NULL;
    if (integrator && judging->only->kind == DAE && !integrator->alloc_implicit) {
        complain(args, "formulation %s is a DAE; integrator %s is explicit. Take %s",
                 judging->only->name, integrator->name,
                 integrator_default(judging->only)->name);
        return false;
    }
    if (judging->only && !setup_options(args, judging->only, demand->option))
        return false;
    judging->option = judging->only ? demand->option : NULL;
    return true;
}

/* --- planning ----------------------------------------------------------------------- */

/* A rule is judged where it applies to an event at least. */
static bool is_wanted(const struct demand *demand, const struct case_desc *desc)
{
    const struct jump_rule *rule = demand->judging.rule;
    if (!rule)
        return true;
    char why[200] = "";
    struct model *model = model_new(desc, NULL);
    bool wanted = !model || apart_rule_applies(rule, model,
                                               demand->judging.timeout, why, sizeof why);
    if (!wanted && demand->args->operands > 0)
        fprintf(standard_taken() ? stderr : stdout,
                "rule %s applies to no event of %s: %s\n", rule->name, desc->name,
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

/* Options of which the formulation makes no equations of a case that was named are a
   wrong request, not a verdict. Of one from a plug-in that is a row: its code may
   crash. */
static bool options_fit(const struct demand *demand, const struct case_desc *desc)
{
    const struct judging *judging = &demand->judging;
    struct diagnosis diagnosis = {.t = NAN};
    const char *why;
    if (!judging->only || registry_owner(judging->only) || demand->args->operands == 0)
        return true;
    struct model *model = model_new_with(desc, judging->reset, NULL);
    bool applies = model && formulation_applies(judging->only, model, &why);
    struct model *branch = applies ? model_branch(model) : NULL;
    for (int k = 0; applies && k < branch->modes && diagnosis.status == OK; k++)
        residual_free(formulation_residual(judging->only, branch, branch->mode[k],
                                           demand->option, &diagnosis));
    model_branch_free(branch);
    model_free(model);
    if (!is_wrong_request(&diagnosis))
        return true;
    complain_refusal(demand->args, desc->name, &diagnosis);
    return false;
}

/* One of several cases that cannot be recorded falls short; the others are judged. */
static bool is_malformed(const struct demand *demand, const struct case_desc *desc)
{
    struct model *model = model_new_with(desc, demand->judging.reset, NULL);
    model_free(model);
    return !model;
}

static bool plan(struct demand *demand)
{
    struct piece ***piece = &demand->piece;
    int *count = &demand->pieces;
    if (args_has(demand->args, OPTION_SOLVER))
        return plan_solvers(demand, piece, count);
    for (int k = 0; k < demand->cases; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        const struct case_desc *desc = demand->desc[k];
        int before = *count;
        if (!is_wanted(demand, desc))
            continue;
        if (demand->cases > 1 && is_malformed(demand, desc)) {
            plan_malformed(&demand->judging, desc, piece, count);
            continue;
        }
        if (!options_fit(demand, desc))
            return false;
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

/* --- settings ----------------------------------------------------------------------- */

static void append(char *text, int size, const char *separator, const char *more)
{
    int used = (int)strlen(text);
    snprintf(text + used, (size_t)(size - used), "%s%s", used ? separator : "", more);
}

/* The shortest text that is this number; NAN, the default: "". */
static void number_text(double number, char *text, int size)
{
    text[0] = '\0';
    for (int digits = 15; digits <= 17 && !isnan(number); digits++) {
        snprintf(text, (size_t)size, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            return;
    }
}

void demand_settings(const struct demand *demand, struct settings *s)
{
    const struct judging *judging = &demand->judging;
    const struct args *args = demand->args;
    *s = (struct settings){.rtol = ""};
    number_text(judging->rtol, s->rtol, sizeof s->rtol);
    number_text(judging->digits, s->digits, sizeof s->digits);
    if (!judging->thorough)
        snprintf(s->seed, sizeof s->seed, "%d", DIRECTION_SEED);
    snprintf(s->precision, sizeof s->precision, "%d", judging->mp_digits);
    for (int k = 0; judging->oracles != ORACLES_ALL && k < ORACLE_COUNT; k++)
        if (judging->oracles & 1u << k)
            append(s->oracles, sizeof s->oracles, ",", oracles[k].name);
    for (int k = 0; k < args->option[OPTION_OPT].count; k++)
        append(s->options, sizeof s->options, " ", args->option[OPTION_OPT].value[k]);
    const char *const text[] = {
        "rtol", s->rtol, "integrator", judging->integrator ? judging->integrator->name
                                                           : "",
        "reset", reset_policy_text[judging->reset],
        "formulation", judging->only ? judging->only->name : "", "opt", s->options,
        "rule", judging->rule ? judging->rule->name : "", "oracle", s->oracles,
        "digits", s->digits, "precision", s->precision,
        "direction", judging->thorough ? "each" : "random", "seed", s->seed, NULL,
    };
    memcpy(s->text, text, sizeof text);
}

/* --- judging ------------------------------------------------------------------------ */

static int rows_in_all(const struct demand *demand)
{
    int all = 0;
    for (int k = 0; k < demand->pieces; k++)
        all += demand->rows[k]->count;
    return all;
}

bool demand_judge(struct demand *demand, FILE *table)
{
    struct live live;
    if (!plan(demand))
        return false;
    struct task **task = memory_new(demand->pieces, sizeof *task);
    demand->rows = memory_new(demand->pieces, sizeof *demand->rows);
    for (int k = 0; k < demand->pieces; k++) {
        task[k] = &demand->piece[k]->task;
        demand->rows[k] = &demand->piece[k]->rows;
    }
    apart_pieces(demand->piece, demand->pieces, demand->judging.rule,
                 demand->judging.timeout);
    if (table)
        live_begin(&live, table, demand->piece, demand->pieces);
    tasks_run(demand->args->command->name, task, demand->pieces, demand->jobs);
    struct row **missing = memory_new(demand->pieces, sizeof *missing);
    unanswered_rows(demand->piece, demand->pieces, missing);
    for (int k = 0; table && k < demand->pieces; k++)
        if (missing[k])
            live_row(&live, missing[k]);
    if (table)
        live_end(&live);
    free(missing);
    free(task);
    if (rows_in_all(demand) > 0)
        return true;
    complain(demand->args, "nothing was judged: no oracle that was asked for applies; "
             "leave out --oracle to have all of them");
    return false;
}

bool demand_held(const struct demand *demand)
{
    struct tally tally = {0};
    for (int i = 0; i < demand->pieces; i++)
        tally_add(&tally, demand->rows[i]);
    return tally.failed == 0 && tally.passed > 0;
}

void demand_clear(struct demand *demand)
{
    pieces_free(demand->piece, demand->pieces);
    free(demand->rows);
    free(demand->desc);
}
