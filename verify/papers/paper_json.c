/*
 * paper_json.c - papers as JSON (paper_report.h)
 */
#include <math.h>

#include "papers/paper_report.h"
#include "tables/json_parts.h"

static void add_claims(cJSON *array, const struct studied *studied)
{
    for (int k = 0; studied->status == OK && k < claims_of(studied->study); k++) {
        const struct claim *claim = &studied->study->claim[k];
        const struct finding *finding = &studied->finding[k];
        cJSON *object = json_append(array);
        json_text(object, "where", claim->where);
        cJSON_AddBoolToObject(object, "own", claim_is_own(claim));
        json_text(object, "claim", claim->says);
        json_text(object, "printed", claim->printed);
        json_text(object, "unit", claim->unit);
        json_text(object, "ours", finding->ours);
        json_number(object, "digits", finding->digits);
        json_text(object, "verdict", claim_verdict_text[finding->verdict]);
        json_number(object, "agreed",
                    finding->agreed < 0 ? (double)NAN : finding->agreed);
        json_text(object, "evidence", finding->evidence);
    }
}

static void add_formulas(cJSON *array, const struct studied *studied)
{
    for (int k = 0; studied->status == OK && k < formulas_of(studied->study); k++) {
        const struct printed_formula *row = &studied->study->formula[k];
        const struct trial *trial = &studied->trial[k];
        cJSON *object = json_append(array);
        json_text(object, "where", row->where);
        json_text(object, "printed", row->printed);
        json_text(object, "corrected", row->corrected);
        json_number(object, "printed_digits", trial->printed);
        json_number(object, "corrected_digits", trial->corrected);
        json_text(object, "verdict", trial_outcome_text[trial_outcome(row, trial)]);
        json_text(object, "judge", trial->judge);
        json_text(object, "evidence", trial->evidence);
    }
}

static void add_figures(cJSON *array, const struct study *study)
{
    for (int k = 0; k < figures_of(study); k++) {
        cJSON *object = json_append(array);
        json_text(object, "name", study->figure[k].name);
        json_text(object, "where", study->figure[k].where);
        json_text(object, "title", study->figure[k].title);
        json_text(object, "alt", study->figure[k].alt);
    }
}

void paper_json(cJSON *array, const struct paper *paper, const struct studied *studied)
{
    cJSON *object = json_append(array);
    json_text(object, "name", paper->name);
    json_text(object, "authors", paper->authors);
    json_text(object, "year", paper->year);
    json_text(object, "title", paper->title);
    json_text(object, "journal", paper->journal);
    json_text(object, "question", paper->question);
    cJSON *claims = cJSON_AddArrayToObject(object, "claims");
    cJSON *formulas = cJSON_AddArrayToObject(object, "formulas");
    cJSON *figures = cJSON_AddArrayToObject(object, "figures");
    cJSON *refused = cJSON_AddArrayToObject(object, "refused");
    for (int s = 0; paper->study[s]; s++) {
        add_claims(claims, &studied[s]);
        add_formulas(formulas, &studied[s]);
        if (studied[s].status == OK)
            add_figures(figures, paper->study[s]);
        else
            json_text(json_append(refused), paper->study[s]->name, studied[s].why);
    }
}
