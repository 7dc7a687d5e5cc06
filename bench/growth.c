#include "growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "formula/memory.h"
#include "measure.h"
#include "truths.h"

/* Parameters: of a mechanism with events, and of one with many parameters. */
static const char *const of_p[] = {"five-bar", "andrews", NULL};
/* Coordinates: of these families all members of the catalogue. */
static const char *const of_n[] = {"four-bar-", "pendulum-chain-", NULL};

/* --- one point ---------------------------------------------------------------------- */

/* A whole run of the case, differentiated by its first p parameters. */
static bool open_point(struct point *point, const char *case_name, int p, double rtol)
{
    struct diagnosis *diagnosis = &point->diagnosis;
    *point = (struct point){.case_name = case_name, .repeats = 1};
    diagnosis->t = NAN;
    point->model = model_new(case_find(case_name), diagnosis);
    if (!point->model)
        return false;
    p = p < point->model->p ? p : point->model->p;
    point->value = memory_new(point->model->p, sizeof *point->value);
    point->parameter = memory_new(p, sizeof *point->parameter);
    for (int k = 0; k < p; k++)
        point->parameter[k] = k;
    point->request = (struct run_request){
        .model = point->model, .option = point->option,
        .formulation = formulation_default(point->model), .parameters = p,
        .parameter = point->parameter, .value = point->value, .rtol = rtol,
        .atol = rtol/1000, .t_end = NAN, .without_costs = true, .code = CODE_ALWAYS,
    };
    options_nominal(point->request.formulation, point->option);
    return nominal_values(point->model, point->value, diagnosis) == OK;
}

static void close_point(struct point *point)
{
    model_free(point->model);
    free(point->parameter);
    free(point->value);
}

static double time_of(struct point *point)
{
    double start = processor_time();
    for (int k = 0; k < point->repeats; k++) {
        struct trajectory *trajectory = NULL;
        point->status = run(&point->request, &trajectory, &point->diagnosis);
        if (trajectory)
            point->evaluations = trajectory->evaluations;
        trajectory_free(trajectory);
    }
    return (processor_time() - start)/point->repeats;
}

/* --- all of them -------------------------------------------------------------------- */

static int add_p(struct point *point, double rtol)
{
    int points = 0;
    for (int c = 0; of_p[c]; c++)
        for (int p = 0, last = -1; points < MOST_POINTS; p = p < 1 ? 1 : 2*p) {
            if (!open_point(&point[points], of_p[c], p, rtol))
                break;
            point[points].size = point[points].request.parameters;
            if (point[points].size == last) {
                close_point(&point[points]);
                break;
            }
            last = point[points++].size;
        }
    return points;
}

static bool of_family(const char *name, const char *family)
{
    size_t length = strlen(family);
    return strncmp(name, family, length) == 0 && name[length] >= '0' &&
           name[length] <= '9';
}

static int add_n(struct point *point, double rtol)
{
    int points = 0;
    for (int f = 0; of_n[f]; f++)
        for (int k = 0; catalogue[k] && points < MOST_POINTS; k++) {
            if (!of_family(catalogue[k]->name, of_n[f]))
                continue;
            bool good = open_point(&point[points], catalogue[k]->name, 2, rtol);
            point[points].size = good ? point[points].model->n : 0;
            points++;
        }
    return points;
}

bool growth_known(const char *what)
{
    return strcmp(what, "p") == 0 || strcmp(what, "n") == 0;
}

int growth_measure(const char *what, double rtol, int rounds, struct point *point)
{
    int points = *what == 'p' ? add_p(point, rtol) : add_n(point, rtol);
    for (int k = 0; k < points; k++)
        if (point[k].model) {
            double seconds = fmax(1e-9, time_of(&point[k]));
            point[k].repeats = (int)fmax(1, ceil(0.01/seconds));
        }
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < points; k++)
            if (point[k].model && point[k].status == OK)
                point[k].seconds[round] = time_of(&point[k]);
    return points;
}

void growth_print(FILE *out, const char *what, int rounds, struct point *point,
                  int points)
{
    double first = NAN;
    fprintf(out, "Whole runs at their default formulation; time of the processor, median "
            "of %d interleaved rounds.\n\n"
            "%-22s %5s  time [ms]  to the first  evaluations  [us] each\n",
            rounds, "case", what);
    for (int k = 0; k < points; k++) {
        struct point *at = &point[k];
        if (k == 0 || strcmp(at->case_name, point[k - 1].case_name) != 0)
            first = NAN;
        fprintf(out, "%-22s %5d", at->case_name, at->size);
        if (!at->model || at->status != OK) {
            fprintf(out, "  %s\n", at->diagnosis.place);
            continue;
        }
        double seconds = median(at->seconds, rounds);
        first = isnan(first) ? seconds : first;
        fprintf(out, "  %9.3f  %12.2f  %11ld  %9.3f\n", 1e3*seconds, seconds/first,
                at->evaluations, 1e6*seconds/(double)at->evaluations);
    }
    for (int k = 0; k < points; k++)
        close_point(&point[k]);
}
