/*
 * curve_report.c - curves of bifurcations for people and as JSON (curve_report.h)
 */
#include "orbits/curve_report.h"

#include "tables/json_parts.h"
#include "tables/text_table.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

static const struct run_request *run_of(const struct curve_report *report)
{
    return &report->request->branch.orbit.run;
}

static const struct parameter *parameter_of(const struct curve_report *report,
                                            bool second)
{
    const struct run_request *run = run_of(report);
    return &run->model->parameter[second ? report->request->second : run->parameter[0]];
}

void curve_report_table(FILE *stream, const struct curve_report *report)
{
    const struct text_column column[] = {
        {"", TEXT_LEFT, 0, 15},
        {parameter_of(report, true)->name, TEXT_RIGHT, 2, 19},
        {parameter_of(report, false)->name, TEXT_RIGHT, 2, 22},
        {"located to", TEXT_RIGHT, 2, 10}, {"period", TEXT_RIGHT, 2, 22}};
    const struct curve *curve = report->curve;
    text_heading(stream, column, 5);
    for (int k = 0; k < curve->points; k++) {
        const struct curve_point *point = &curve->point[k];
        text_cell(stream, &column[0], "%s", branch_kind_text[point->kind]);
        text_cell_exact(stream, &column[1], point->second);
        text_cell_exact(stream, &column[2], point->first);
        text_cell(stream, &column[3], "%.1e", point->error);
        text_cell_exact(stream, &column[4], point->period);
        fputc('\n', stream);
    }
    if (curve->why.status != OK)
        fprintf(stream, "\nends before %s = %.10g: %s, %s\n",
                parameter_of(report, true)->name, report->request->second_to,
                status_text(curve->why.status), curve->why.place);
}

void curve_report_json(FILE *stream, const struct curve_report *report)
{
    const struct run_request *run = run_of(report);
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "saltus", SALTUS_VERSION);
    cJSON_AddStringToObject(root, "case", run->model->desc->name);
    cJSON_AddStringToObject(root, "formulation", run->formulation->name);
    cJSON_AddStringToObject(root, "first", parameter_of(report, false)->name);
    cJSON_AddStringToObject(root, "second", parameter_of(report, true)->name);
    json_exact(root, "rtol", run->rtol);
    cJSON *points = cJSON_AddArrayToObject(root, "points");
    for (int k = 0; k < report->curve->points; k++) {
        const struct curve_point *point = &report->curve->point[k];
        cJSON *object = json_append(points);
        cJSON_AddStringToObject(object, "kind", branch_kind_text[point->kind]);
        json_exact(object, "first", point->first);
        json_exact(object, "second", point->second);
        json_number(object, "error", point->error);
        json_exact(object, "period", point->period);
    }
    if (report->curve->why.status != OK)
        json_diagnosis(root, &report->curve->why);
    json_print(stream, root);
}

void curve_report_plot(FILE *gnuplot, const struct curve_report *report)
{
    const struct parameter *first = parameter_of(report, false);
    const struct parameter *second = parameter_of(report, true);
    fputs("$curve << END\n", gnuplot);
    for (int k = 0; k < report->curve->points; k++)
        fprintf(gnuplot, "%.15g %.15g\n", report->curve->point[k].second,
                report->curve->point[k].first);
    fprintf(gnuplot, "END\nset title '%s: %s' noenhanced\n",
            run_of(report)->model->desc->name,
            branch_kind_text[report->curve->point[0].kind]);
    fprintf(gnuplot, "set xlabel '%s [%s]' noenhanced\nset ylabel '%s [%s]' noenhanced\n",
            second->name, second->unit ? second->unit : "1", first->name,
            first->unit ? first->unit : "1");
    fputs("unset key\nplot $curve with linespoints lt 1 pt 7\n", gnuplot);
}
