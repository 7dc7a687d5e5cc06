/*
 * study_alpha_table.c - observed orders in alpha, and their verdicts.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "studies/study_alpha.h"
#include "tables/json_parts.h"
#include "tables/report.h"
#include "verdict/row_status.h"

static const double order_least = 0.95, order_most = 1.05;

static const struct text_column title_column = {"", TEXT_LEFT, 2, 24};
static const struct text_column run_column = {"", TEXT_RIGHT, 2, 9};
static const struct text_column order_column = {"", TEXT_RIGHT, 2, 6};
static const struct text_column oracle_column = {"", TEXT_RIGHT, 2, 14};

static double observed_order(const struct alpha_run *at, int i)
{
    return log(at[0].size[i] / at[1].size[i]) /
           log(atof(at[1].alpha) / atof(at[0].alpha));
}

/* Orders are judged where the impulse makes v fit the new constraints. With v+ = v- they
   are a finding: Phid decays at a rate that does not know alpha, so the gap stays. */
static bool print_orders(const struct alpha_run *run, int i, cJSON *item)
{
    bool held = true, stays = true, judged = run->reset != RESET_CONTINUOUS;
    double size[STEPS], order[STEPS - 1];
    text_cell(stdout, &title_column, "%s", alpha_measured[i].title);
    for (int k = 0; k < STEPS; k++)
        text_cell(stdout, &run_column, "%.3e", size[k] = run[k].size[i]);
    for (int k = 0; k + 1 < STEPS; k++) {
        order[k] = observed_order(&run[k], i);
        held = held && order[k] >= order_least && order[k] <= order_most;
        stays = stays && fabs(order[k]) <= order_most - 1;
        text_cell(stdout, &order_column, "%.3f",
                  round(order[k] * 1000) / 1000 + 0.0);     /* never -0.000 */
    }
    cJSON_AddStringToObject(item, "name", alpha_measured[i].title);
    json_numbers(item, "size", size, STEPS);
    json_numbers(item, "orders", order, STEPS - 1);
    if (judged)
        cJSON_AddBoolToObject(item, "held", held);
    else
        printf("  %s\n", stays ? "stays" : held ? "falls" : "-");
    return !judged || report_held(stdout, held);
}

static bool print_errors(const struct alpha_run *run, cJSON *item)
{
    bool held = true;
    double digits[STEPS];
    text_cell(stdout, &title_column, "numerical error, digits");
    for (int k = 0; k < STEPS; k++) {
        const struct row *row = &run[k].rows.row[0];
        held = held && row->held;
        digits[k] = row->kind == ROW_REFUSED ? NAN : row->worst.digits;
        text_cell(stdout, &run_column, "%.2f", told_digits(digits[k]));
    }
    json_numbers(item, "digits", digits, STEPS);
    text_cell(stdout, &oracle_column, "by complex step");
    return report_held(stdout, held);
}

/* The alphas, and the first refusal at one of them, if there is any. */
static const struct alpha_run *describe(const struct alpha_run *run, cJSON *item)
{
    double alpha[STEPS];
    cJSON_AddStringToObject(item, "case", run->desc->name);
    cJSON_AddStringToObject(item, "formulation", run->formulation->name);
    cJSON_AddStringToObject(item, "reset", reset_policy_text[run->reset]);
    for (int k = 0; k < STEPS; k++)
        alpha[k] = atof(run[k].alpha);
    json_numbers(item, "alpha", alpha, STEPS);
    for (int k = 0; k < STEPS; k++)
        if (run[k].status != OK) {
            json_diagnosis(item, &run[k].diagnosis);
            return &run[k];
        }
    return NULL;
}

bool alpha_print(const struct alpha_run *run, cJSON *item)
{
    bool held = true;
    const struct alpha_run *refused = describe(run, item);
    bool continuous = run->reset == RESET_CONTINUOUS;
    char title[160], why[600];
    snprintf(title, sizeof title, "%.50s, %.40s%s", run->desc->name,
             run->formulation->name,
             continuous ? ", v+ = v- where constraints are added" : "");
    printf("\n%s%s%s\n", colour_on(stdout, BOLD), title, colour_off(stdout));
    text_cell(stdout, &title_column, "alpha");
    for (int k = 0; k < STEPS; k++)
        text_cell(stdout, &run_column, "%.3g", atof(run[k].alpha));
    if (continuous)
        printf("  orders, not judged\n");
    else
        printf("  orders, to be %.2f .. %.2f\n", order_least, order_most);
    if (refused) {
        refusal_text(&refused->diagnosis, why, sizeof why);
        printf("  %s at alpha = %s: %s\n", refused->no_motion ? "no motion" : "refused",
               refused->alpha, why);
        return refused->no_motion;
    }
    cJSON *list = cJSON_AddArrayToObject(item, "measured");
    for (int i = 0; i < MEASURED; i++)
        held = print_orders(run, i, json_append(list)) && held;
    return print_errors(run, item) && held;
}
