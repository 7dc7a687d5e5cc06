#include "workload.h"

#include <string.h>

#include "catalogue.h"
#include "formula/memory.h"

/* --- the workloads ------------------------------------------------------------------ */

static const struct workload five_bar = {
    .name = "five-bar",
    .title = "Workload W: five-bar, penalty alpha = 1e5, xi = 1, omega = 10; 5 s, three "
             "impacts; derivatives by L01, L02.",
    .parameter = {"L01", "L02"},
    .answer = {"q.y2", "v.y2", "dq.y2/dL01"},
    .t_end = 5,
    .usual = (const char *const[]){"penalty/peer8", "penalty/rk86", "penalty/rk87",
                                   "penalty/dop853", "penalty/rk87/run", NULL},
};

/* The paper has alpha = 1000 over 1 s; certified are 1e5, which makes a step no dearer,
   and 0.2 s. Its penalty formulation is the n x n form. */
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
    .answer = {"q.x_rod", "v.x_rod", "dq.x_rod/dL_crank"},
    .t_end = 0.199951171875,
    .usual = both_forms,
    .claim = claim,
};

static const struct workload slider_crank_friction = {
    .name = "slider-crank-friction",
    .title = "Spatial slider-crank with friction in all joints, Euler parameters: 21 "
             "coordinates, 20 constraints; 0.2 s; derivative by the length of the crank.",
    .parameter = {"L_crank"},
    .answer = {"q.x_rod", "v.x_rod", "dq.x_rod/dL_crank"},
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
    return model_new(case_find(workload->name), diagnosis);
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
    char name[96];
    for (int k = 0; k < columns->count; k++) {
        column_name(columns, k, name, sizeof name);
        if (strcmp(name, wanted) == 0)
            return k;
    }
    slip("there is no column %s", wanted);
}

void workload_columns(const struct workload *workload, const struct columns *columns,
                      int column[ANSWERS])
{
    for (int k = 0; k < ANSWERS; k++)
        column[k] = index_of(columns, workload->answer[k]);
}
