/* survey.c - work-precision measurement of integrators over the catalogue. */
#include "survey/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mechanisms/catalogue.h"
#include "tables/table.h"
#include "tables/text_table.h"

const double survey_error[SURVEY_ERRORS] = {1e-6, 1e-9, 1e-12};

/* --- measuring ---------------------------------------------------------------------- */

static int surveyed(const struct case_desc **desc)
{
    int count = 0;
    for (int k = 0; catalogue[k]; k++) {
        const char *classes = catalogue[k]->classes ? catalogue[k]->classes : "";
        if (case_is_refused(catalogue[k]) || strstr(classes, "torture"))
            continue;
        if (desc)
            desc[count] = catalogue[k];
        count++;
    }
    return count;
}

static int name_peers(const struct survey *survey, const struct workload *workload,
                      const struct formulation *formulation, struct peer *made,
                      const struct peer **peer)
{
    int peers = 0;
    for (int i = 0; i < survey->integrators; i++) {
        char name[200];
        snprintf(name, sizeof name, "%s/%s", formulation->name,
                 survey->integrator[i]->name);
        peers += peers_named(workload, name, made + peers, peer + peers, 1);
    }
    return peers;
}

static void read_cells(const struct measuring *how, const struct ladder *ladder,
                       int peers, struct survey_line *line)
{
    for (int i = 0; i < peers; i++)
        for (int e = 0; e < SURVEY_ERRORS; e++) {
            struct survey_cell *cell = &line->cell[i][e];
            struct at_error at = at_error(how, &ladder[i], &ladder[0], survey_error[e]);
            *cell = (struct survey_cell){at.microseconds, at.ratio, at.doubt};
        }
}

static bool measure_case(const struct measuring *how, const struct survey *survey,
                         const struct case_desc *desc, struct survey_line *line,
                         struct survey_gap *gap)
{
    struct diagnosis diagnosis = {.t = NAN, .place = "no state of it moves"};
    struct peer *made = memory_new(MOST_SURVEYED, sizeof *made);
    const struct peer *peer[MOST_SURVEYED];
    struct ladder *ladder = memory_new(MOST_SURVEYED, sizeof *ladder);
    struct workload *workload = workload_of_case(desc, &diagnosis);
    struct model *model = workload ? workload_model(workload, &diagnosis) : NULL;
    bool good = model != NULL && workload->answers > 0;
    if (good) {
        const struct formulation *formulation = workload_formulation(model);
        int peers = name_peers(survey, workload, formulation, made, peer);
        good = peers == survey->integrators;
        if (good) {
            measure(how, peers, peer, ladder);
            *line = (struct survey_line){.name = desc->name,
                                         .formulation = formulation->name};
            read_cells(how, ladder, peers, line);
        }
    }
    model_free(model);
    workload_free(workload);
    free(ladder);
    free(made);
    *gap = (struct survey_gap){.name = desc->name};
    snprintf(gap->why, sizeof gap->why, "%.250s", diagnosis.place);
    return good;
}

void survey_measure(const struct measuring *how, struct survey *survey)
{
    struct measuring each = *how;
    int cases = surveyed(NULL);
    const struct case_desc **desc = memory_new(cases, sizeof *desc);
    surveyed(desc);
    each.progress = NULL;
    survey->line = memory_new(cases, sizeof *survey->line);
    survey->gap = memory_new(cases + 1, sizeof *survey->gap);
    for (int k = 0; k < cases; k++) {
        if (how->progress)
            how->progress(desc[k]->name, (double)k/cases);
        if (measure_case(&each, survey, desc[k], &survey->line[survey->lines],
                         &survey->gap[survey->gaps]))
            survey->lines++;
        else
            survey->gaps++;
    }
    if (how->progress)
        how->progress(NULL, 1);
    free(desc);
}

/* --- what it comes to --------------------------------------------------------------- */

static int width_of(const struct survey *survey, int i)
{
    int width = (int)strlen(survey->integrator[i]->name) + 2;
    return width < 8 ? 8 : width;
}

static void print_head(FILE *out, const struct measuring *how,
                       const struct survey *survey, int width)
{
    fprintf(out, "\n%-*s%-8s", width, "at error", "");
    for (int e = 0; e < SURVEY_ERRORS; e++) {
        int rest = 0;
        for (int i = 1; i < survey->integrators; i++)
            rest += width_of(survey, i) + 4;
        fprintf(out, "%11.0e%*s", survey_error[e], rest, "");
    }
    fprintf(out, "\n%-*s%-8s", width, "case", "by");
    for (int e = 0; e < SURVEY_ERRORS; e++) {
        fprintf(out, "%11s", how->counts ? "number" : "[us]");
        for (int i = 1; i < survey->integrators; i++)
            fprintf(out, "%*s%4s", width_of(survey, i), survey->integrator[i]->name,
                    "+-%");
    }
    fputc('\n', out);
}

static void print_line(FILE *out, const struct survey *survey,
                       const struct survey_line *line, int width)
{
    fprintf(out, "%-*s%-8s", width, line->name, line->formulation);
    for (int e = 0; e < SURVEY_ERRORS; e++) {
        text_number(out, 11, 1, line->cell[0][e].microseconds, "-");
        for (int i = 1; i < survey->integrators; i++) {
            text_number(out, width_of(survey, i), 2, line->cell[i][e].ratio, "-");
            text_number(out, 4, 0, line->cell[i][e].doubt, "-");
        }
    }
    fputc('\n', out);
}

/* Prints mean, median and extremes of the ratios over the cases in which both integrators
   reach the error. */
static void print_mean(FILE *out, const struct survey *survey, int i, int e)
{
    double *ratio = memory_new(survey->lines + 1, sizeof *ratio), sum = 0;
    int count = 0, faster = 0;
    for (int k = 0; k < survey->lines; k++) {
        double r = survey->line[k].cell[i][e].ratio;
        if (isnan(r))
            continue;
        ratio[count++] = r;
        sum += log(r);
        faster += r < 1;
    }
    double middle = median(ratio, count);
    if (count > 0)
        fprintf(out, "%-14s %5.0e  %4d cases  %6.2f  %6.2f  %6.2f  %6.2f  %4d\n",
                survey->integrator[i]->name, survey_error[e], count, exp(sum/count),
                middle, ratio[0], ratio[count - 1], faster);
    free(ratio);
}

void survey_print(FILE *out, const struct measuring *how, const struct survey *survey)
{
    int width = 10;
    for (int k = 0; k < survey->lines; k++)
        if ((int)strlen(survey->line[k].name) + 2 > width)
            width = (int)strlen(survey->line[k].name) + 2;
    char what[80] = "Number of right-hand sides";
    if (!how->counts)
        snprintf(what, sizeof what, "Time of the processor, prepared, median of %d "
                 "interleaved rounds", how->rounds);
    fprintf(out, "Every case with certified values: its motion and the derivatives by "
            "its first two parameters.\nError: the largest of all states at the end, "
            "each by its largest magnitude.\n%s,\nby %s; of the others the ratio to "
            "it, and what scatter lets that be off.\n-: no rungs on both sides of the "
            "error.\n", what, survey->integrator[0]->name);
    for (int k = 0; k < survey->gaps; k++)
        fprintf(out, "%s%s is not measured: %s\n", k == 0 ? "\n" : "",
                survey->gap[k].name, survey->gap[k].why);
    if (survey->lines == 0) {
        fputs("\nNothing was measured.\n", out);
        return;
    }
    print_head(out, how, survey, width);
    for (int k = 0; k < survey->lines; k++)
        print_line(out, survey, &survey->line[k], width);
    fprintf(out, "\nratio to %-10s at          geometric  median   least    most  "
            "faster\n", survey->integrator[0]->name);
    for (int i = 1; i < survey->integrators; i++)
        for (int e = 0; e < SURVEY_ERRORS; e++)
            print_mean(out, survey, i, e);
}

void survey_csv(FILE *out, const struct survey *survey)
{
    fputs("case,formulation,integrator,error,microseconds,ratio,ratio_percent\n", out);
    for (int k = 0; k < survey->lines; k++)
        for (int i = 0; i < survey->integrators; i++)
            for (int e = 0; e < SURVEY_ERRORS; e++) {
                const struct survey_cell *cell = &survey->line[k].cell[i][e];
                fprintf(out, "%s,%s,%s,%.0e", survey->line[k].name,
                        survey->line[k].formulation, survey->integrator[i]->name,
                        survey_error[e]);
                if (isnan(cell->microseconds))
                    fputs(",,,\n", out);
                else if (isnan(cell->ratio))
                    fprintf(out, ",%.4g,,\n", cell->microseconds);
                else
                    fprintf(out, ",%.4g,%.4g,%.2g\n", cell->microseconds, cell->ratio,
                            cell->doubt);
            }
}
