/*
 * branch_json.c - branches of periodic motions as one JSON object (branch_report.h)
 */
#include "orbits/branch_report.h"
#include "tables/json_parts.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

static void add_point(cJSON *list, const struct branch_point *point)
{
    cJSON *object = json_append(list);
    json_text(object, "kind", branch_kind_text[point->kind]);
    json_exact(object, "rho", point->rho);
    json_exact(object, "period", point->period);
    if (point->kind != BRANCH_REGULAR)
        json_number(object, "error", point->error);
    if (point->why) {
        json_exact_row(object, "between", point->between, 2);
        json_text(object, "why", point->why);
    }
    cJSON_AddNumberToObject(object, "outside", branch_report_outside(point));
    json_number(object, "rate", point->rate);
    cJSON_AddNumberToObject(object, "steps", point->steps);
    cJSON *multipliers = cJSON_AddArrayToObject(object, "multipliers");
    for (int i = 0; i < point->multipliers; i++) {
        cJSON *own = json_append(multipliers);
        json_exact(own, "re", creal(point->multiplier[i]));
        json_exact(own, "im", cimag(point->multiplier[i]));
        cJSON_AddBoolToObject(own, "trivial", point->trivial[i]);
    }
    cJSON *returns = cJSON_AddArrayToObject(object, "returns");
    for (int r = 0; r < point->returns; r++)
        json_exact_row(returns, NULL, point->x + r * point->width, point->width);
}

void branch_report_json(FILE *stream, const struct branch_report *report)
{
    const struct run_request *run = &report->request->orbit.run;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "saltus", SALTUS_VERSION);
    cJSON_AddStringToObject(root, "case", run->model->desc->name);
    cJSON_AddStringToObject(root, "formulation", run->formulation->name);
    cJSON_AddStringToObject(root, "parameter",
                            run->model->parameter[run->parameter[0]].name);
    json_exact(root, "rtol", run->rtol);
    cJSON_AddNumberToObject(root, "rounds", report->branch->rounds);
    cJSON *branches = cJSON_AddArrayToObject(root, "branches");
    for (const struct branch *branch = report->branch; branch; branch = branch->next) {
        cJSON *object = json_append(branches);
        cJSON_AddNumberToObject(object, "periods", 1 << branch->doubled);
        cJSON_AddStringToObject(object, "end", branch_report_end(branch));
        if (branch->ahead)
            json_text(object, "event", branch->ahead->name);
        if (branch->end == BRANCH_STUCK)
            json_diagnosis(object, &branch->why);
        cJSON *points = cJSON_AddArrayToObject(object, "points");
        for (int k = 0; k < branch->points; k++)
            add_point(points, &branch->point[k]);
    }
    json_print(stream, root);
}
