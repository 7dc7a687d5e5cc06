/*
 * json.c - every mutant as JSON, with its outcome.
 */
#include <math.h>
#include <stdio.h>

#include "mutants/mutants.h"
#include "tables/json_parts.h"

static double two_decimals(double x)
{
    return round(100 * x) / 100;
}

/* --- seeded faults ------------------------------------------------------------------ */

static void add_finding(cJSON *by_oracle, const char *name, const struct finding *found)
{
    cJSON *item = cJSON_AddObjectToObject(by_oracle, name);
    cJSON_AddBoolToObject(item, "caught", found->caught);
    cJSON_AddNumberToObject(item, "spare", two_decimals(found->spare));
    cJSON_AddStringToObject(item, "worst", found->worst.name);
    cJSON_AddStringToObject(item, "first", found->first.name);
}

static void add_result(cJSON *cases, const struct case_desc *desc,
                       const struct seeded_result *result)
{
    static const char *const outcome[] = {"not tried", "no effect", "caught", "missed"};
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(cases, item);
    cJSON_AddStringToObject(item, "case", desc->name);
    cJSON_AddStringToObject(item, "outcome", outcome[result->outcome]);
    if (result->findings.refused) {
        char text[300];
        refusal_text(&result->findings.refusal, text, sizeof text);
        cJSON_AddStringToObject(item, "refusal", text);
        return;
    }
    cJSON *by_oracle = cJSON_AddObjectToObject(item, "oracles");
    for (int i = 0; i < MUTANT_JOB_ORACLES && result->oracle[i]; i++)
        add_finding(by_oracle, result->oracle[i], &result->findings.by[i]);
}

static void add_seeded(cJSON *list, const struct mutants *mutants, int k)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddNumberToObject(item, "number", seeded[k].number);
    cJSON_AddStringToObject(item, "fault", seeded[k].title);
    if (seeded[k].rule)
        cJSON_AddStringToObject(item, "rule", seeded[k].rule);
    cJSON *cases = cJSON_AddArrayToObject(item, "cases");
    for (int c = 0; c < mutants->cases; c++)
        if (mutants->seeded[c].result[k].outcome != OUTCOME_NONE)
            add_result(cases, mutants->seeded[c].desc, &mutants->seeded[c].result[k]);
}

/* --- generated ones ----------------------------------------------------------------- */

static void add_mutant(cJSON *list, const struct mutant *mutant)
{
    static const char *const fate[] = {"caught", "refused", "unread", "equivalent",
                                       "unfelt", "below the bars"};
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "program", mutant->program->what);
    cJSON_AddStringToObject(item, "of", mutant->program->of);
    cJSON_AddNumberToObject(item, "row", mutant->row + 1);
    cJSON_AddStringToObject(item, "mutation", mutation_text[mutant->mutation]);
    cJSON_AddStringToObject(item, "formula", mutant->text);
    cJSON_AddStringToObject(item, "fate", fate[mutant->fate]);
    if (mutant->fate == FATE_BELOW)
        cJSON_AddNumberToObject(item, "agreed", two_decimals(mutant->agreed));
}

static void add_generated(cJSON *list, const struct generated *generated)
{
    int caught, counted;
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    generated_score(generated, &caught, &counted);
    cJSON_AddStringToObject(item, "case", generated->population->case_name);
    cJSON_AddStringToObject(item, "formulation", generated->population->formulation);
    cJSON_AddNumberToObject(item, "caught", caught);
    cJSON_AddNumberToObject(item, "counted", counted);
    cJSON *mutants = cJSON_AddArrayToObject(item, "mutants");
    for (int k = 0; k < generated->mutants; k++)
        add_mutant(mutants, &generated->mutant[k]);
}

void mutants_json(FILE *stream, const struct mutants *mutants)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddBoolToObject(root, "held", mutants_held(mutants));
    cJSON_AddNumberToObject(root, "missing", mutants_missing(mutants));
    cJSON_AddNumberToObject(root, "every", mutants->every);
    cJSON *list = cJSON_AddArrayToObject(root, "seeded");
    for (int k = 0; k < seeded_count; k++)
        add_seeded(list, mutants, k);
    list = cJSON_AddArrayToObject(root, "generated");
    for (int k = 0; k < mutants->populations; k++)
        add_generated(list, &mutants->generated[k]);
    json_print(stream, root);
}
