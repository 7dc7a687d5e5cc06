/*
 * workload.c - the named workloads, and workloads of any case with certified values.
 */
#include "workloads/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "file/model_file.h"
#include "mechanisms/catalogue.h"
#include "motion/reference_motion.h"
#include "quantity/quantity.h"
#include "run.h"

/* --- the workloads ------------------------------------------------------------------ */

static const struct workload five_bar = {
    .name = "five-bar",
    .title = "Workload W: five-bar, penalty alpha = 1e5, xi = 1, omega = 10; 5 s, three "
             "impacts; derivatives by L01, L02.",
    .parameter = {"L01", "L02"},
    .answers = ANSWERS,
    .answer = (const char *const[]){"q.y2", "v.y2", "dq.y2/dL01"},
    .t_end = 5,
    .usual = (const char *const[]){"penalty/rk87", "penalty/verner98", "penalty/dop853",
                                   "penalty/rk87/run", NULL},
};

/* The paper has alpha = 1000 over 1 s. Certified values are for alpha = 1e5, which makes
   a step no dearer, and for 0.2 s. The penalty formulation of the paper is the n x n
   form. */
static const char *const both_forms[] = {
    "index1", "penalty", "penalty:solve=normal", NULL
};
static const char claim[] =
    "Verulkar, Sandu, Dopico, Sandu, section 4: \"the penalty formulation was found to "
    "be 26%\nfaster\" (ratio 0.74), sensitivities 0.5 % off, friction in all joints, "
    "alpha = 1000, 1 s.";

static const struct workload slider_crank = {
    .name = "slider-crank-spatial",
    .title = "Spatial slider-crank without friction, Euler parameters: 21 coordinates, "
             "20 constraints; 0.2 s; derivative by the length of the crank.",
    .parameter = {"L_crank"},
    .answers = ANSWERS,
    .answer = (const char *const[]){"q.x_rod", "v.x_rod", "dq.x_rod/dL_crank"},
    .t_end = 0.199951171875,
    .usual = both_forms,
    .claim = claim,
};

static const struct workload slider_crank_friction = {
    .name = "slider-crank-friction",
    .title = "Spatial slider-crank with friction in all joints, Euler parameters: 21 "
             "coordinates, 20 constraints; 0.2 s; derivative by the length of the crank.",
    .parameter = {"L_crank"},
    .answers = ANSWERS,
    .answer = (const char *const[]){"q.x_rod", "v.x_rod", "dq.x_rod/dL_crank"},
    .t_end = 0.199951171875,
    .usual = both_forms,
    .claim = claim,
};

const struct workload *const workloads[] = {
    &five_bar, &slider_crank, &slider_crank_friction, NULL,
};

const struct workload *workload_find(const char *name)
{
    for (int k = 0; workloads[k]; k++)
        if (strcmp(workloads[k]->name, name) == 0)
            return workloads[k];
    return NULL;
}

/* --- what they are in the model ----------------------------------------------------- */

struct model *workload_model(const struct workload *workload, struct diagnosis *diagnosis)
{
    return model_new(workload->desc ? workload->desc : case_find(workload->name),
                     diagnosis);
}

int workload_parameters(const struct workload *workload, const struct model *model,
                        int parameter[WORKLOAD_PARAMETERS])
{
    int count = 0;
    for (int k = 0; k < WORKLOAD_PARAMETERS && workload->parameter[k]; k++) {
        parameter[count] = model_parameter_index(model, workload->parameter[k]);
        if (parameter[count++] < 0)
            slip("%s has no parameter %s", workload->name, workload->parameter[k]);
    }
    return count;
}

static int index_of(const struct columns *columns, const char *wanted)
{
    int c = quantity_column(columns, wanted);
    if (c < 0)
        slip("there is no column %s", wanted);
    return c;
}

void workload_columns(const struct workload *workload, const struct columns *columns,
                      int *column)
{
    for (int k = 0; k < workload->answers; k++)
        column[k] = index_of(columns, workload->answer[k]);
}

double workload_gradient(const struct mp_trajectory *trajectory, int j)
{
    int costs = trajectory->columns.model->nz;
    return mpfr_get_d(trajectory->psi[(1 + j)*costs + WORKLOAD_COST], MPFR_RNDN);
}

/* --- a workload of any case --------------------------------------------------------- */

/* A workload with its texts and numbers. */
struct made {
    struct workload workload;       /* first */
    char name[MOST_ANSWERS][96];
    const char *answer[MOST_ANSWERS];
    double scale[MOST_ANSWERS];
    int by[MOST_ANSWERS];
    char title[200];                /* of a gradient */
};

const struct formulation *workload_formulation(const struct model *model)
{
    const struct formulation *index1 = formulation_find("index1");
    const char *why;
    return formulation_applies(index1, model, &why) ? index1 : formulation_find("ode");
}

static double largest(const struct mp_trajectory *t, int column)
{
    double most = 0;
    for (int k = 0; k < t->samples; k++)
        most = fmax(most, fabs(mpfr_get_d(t->sample[k].x[column], MPFR_RNDN)));
    for (int e = 0; e < t->events; e++) {
        most = fmax(most, fabs(mpfr_get_d(t->event[e].before.x[column], MPFR_RNDN)));
        most = fmax(most, fabs(mpfr_get_d(t->event[e].after.x[column], MPFR_RNDN)));
    }
    return most;
}

static bool is_state(enum column_group group)
{
    return group == GROUP_Q || group == GROUP_V || group == GROUP_S;
}

/* Magnitude, relative to the largest, below which a state is zero. Certified values have
   at least thirty digits, and zeros have errors in the last of these. */
static const double zero = 1e-20;

static void take_answers(struct made *made, const struct mp_trajectory *t)
{
    struct workload *workload = &made->workload;
    double most = 0;
    for (int c = 0; c < t->columns.count; c++)
        most = fmax(most, largest(t, c));
    for (int c = 0; c < t->columns.count && workload->answers < MOST_ANSWERS; c++) {
        enum column_group group;
        int i, j, k = workload->answers;
        column_parts(&t->columns, c, &group, &i, &j);
        made->scale[k] = largest(t, c);
        if (!is_state(group) || j >= WORKLOAD_PARAMETERS || !(made->scale[k] > zero*most))
            continue;
        column_name(&t->columns, c, made->name[k], sizeof made->name[k]);
        made->answer[k] = made->name[k];
        workload->answers++;
    }
    for (int j = 0; j < t->columns.p && j < WORKLOAD_PARAMETERS; j++)
        workload->parameter[j] = column_parameter(&t->columns, j);
    workload->answer = made->answer;
    workload->scale = made->scale;
    workload->t_end = mpfr_get_d(t->sample[t->samples - 1].t, MPFR_RNDN);
}

static enum status read_exact(const struct model *model,
                              struct certificate **certificate,
                              struct diagnosis *diagnosis)
{
    const struct formulation *formulation = workload_formulation(model);
    const char *option[MAX_OPTIONS];
    struct reference_motion own;
    char path[600];
    options_nominal(formulation, option);
    enum status status = reference_motion_of(formulation, model, option, &own, diagnosis);
    if (status == OK && !certified_path(model, &own.truth, path, sizeof path))
        return diagnose(diagnosis, BAD_INPUT, NAN, "no certified values; saltus certify "
                        "%s makes them", case_word(model->desc));
    if (status == OK)
        status = certificate_read(path, model, certificate, diagnosis);
    if (status == OK && (*certificate)->refusal.status != OK)
        status = diagnose(diagnosis, (*certificate)->refusal.status, NAN, "%.200s",
                          (*certificate)->refusal.place);
    return status;
}

/* Takes the answers of a motion from its certified values. */
typedef void taking(struct made *made, const struct model *model,
                    const struct mp_trajectory *t);

static void take_states(struct made *made, const struct model *model,
                        const struct mp_trajectory *t)
{
    (void)model;
    take_answers(made, t);
    for (int j = 0; j < WORKLOAD_PARAMETERS && made->workload.parameter[j]; j++)
        made->workload.parameter[j] = memory_text(made->workload.parameter[j],
                                                  strlen(made->workload.parameter[j]));
}

/* The derivative by a parameter that is zero counts as it is. */
static double size_of_parameter(const struct model *model, int parameter)
{
    double *value = memory_new(model->p, sizeof *value);
    struct diagnosis diagnosis;
    bool known = model_nominal_values(model, value, &diagnosis) == OK;
    double size = known ? fabs(value[parameter]) : 0;
    free(value);
    return size > 0 ? size : 1;
}

static void take_gradient(struct made *made, const struct model *model,
                          const struct mp_trajectory *t)
{
    struct workload *workload = &made->workload;
    double most = 0;
    workload->by = t->columns.p < MOST_ANSWERS ? t->columns.p : MOST_ANSWERS;
    workload->answers = workload->by;
    for (int j = 0; j < workload->by; j++) {
        made->by[j] = t->parameter[j];
        made->scale[j] = 1/size_of_parameter(model, made->by[j]);
        snprintf(made->name[j], sizeof made->name[j], "dpsi.%s/d%s",
                 model->cost[WORKLOAD_COST], column_parameter(&t->columns, j));
        made->answer[j] = made->name[j];
        most = fmax(most, fabs(workload_gradient(t, j))/made->scale[j]);
    }
    for (int j = 0; j < workload->by; j++)
        made->scale[j] *= most;
    snprintf(made->title, sizeof made->title, "Gradient of the cost %s of %s by %d "
             "parameters.", model->cost[WORKLOAD_COST], workload->name, workload->by);
    workload->title = made->title;
    workload->t_end = NAN;
    workload->by_parameter = made->by;
    workload->answer = made->answer;
    workload->scale = made->scale;
}

static struct workload *made_workload(const struct case_desc *desc, taking *take,
                                      struct diagnosis *diagnosis)
{
    struct made *made = memory_new(1, sizeof *made);
    struct certificate *certificate = NULL;
    struct model *model = model_new(desc, diagnosis);
    made->workload = (struct workload){.name = desc->name, .title = desc->title,
                                        .desc = desc};
    bool good = model && read_exact(model, &certificate, diagnosis) == OK;
    if (good && take == take_gradient && model->nz == 0)
        good = diagnose(diagnosis, NOT_APPLICABLE, NAN, "%s has no cost",
                        desc->name) == OK;
    if (good)
        take(made, model, certificate->trajectory);
    certificate_free(certificate);
    model_free(model);
    if (good)
        return &made->workload;
    workload_free(&made->workload);
    return NULL;
}

struct workload *workload_of_case(const struct case_desc *desc,
                                  struct diagnosis *diagnosis)
{
    return made_workload(desc, take_states, diagnosis);
}

struct workload *workload_of_gradient(const struct case_desc *desc,
                                      struct diagnosis *diagnosis)
{
    return made_workload(desc, take_gradient, diagnosis);
}

void workload_free(struct workload *workload)
{
    struct made *made = (struct made *)workload;
    for (int j = 0; made && j < WORKLOAD_PARAMETERS; j++)
        free((char *)made->workload.parameter[j]);
    free(made);
}
