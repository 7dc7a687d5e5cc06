/*
 * sheet.c - displayed formulas of the arm of Mukharlyamov, Deressa 2014, evaluated
 * (mukharlyamov.h)
 */
#include "papers/mukharlyamov/mukharlyamov.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "papers/probe.h"

struct arm_sheet {
    struct model *model;
    double *value;              /* [model->p] parameters */
    struct probe probe;         /* the costs of the model */
};

static void set_nominal(struct arm_sheet *sheet)
{
    struct diagnosis diagnosis;
    if (model_nominal_values(sheet->model, sheet->value, &diagnosis) != OK)
        slip("mukharlyamov: %s", diagnosis.place);
}

struct arm_sheet *arm_sheet_new(void)
{
    struct diagnosis diagnosis;
    struct arm_sheet *sheet = memory_new(1, sizeof *sheet);
    sheet->model = model_new(&arm_display.desc, &diagnosis);
    if (!sheet->model)
        slip("mukharlyamov: %s", diagnosis.place);
    sheet->value = memory_new(sheet->model->p, sizeof *sheet->value);
    set_nominal(sheet);
    probe_init(&sheet->probe, sheet->model, sheet->value, sheet->model->mode[0]->g,
               ARM_COSTS);
    return sheet;
}

void arm_sheet_free(struct arm_sheet *sheet)
{
    probe_clear(&sheet->probe);
    free(sheet->value);
    model_free(sheet->model);
    free(sheet);
}

void arm_sheet_like(struct arm_sheet *sheet, const struct paper_run *run)
{
    set_nominal(sheet);
    for (int j = 0; j < sheet->model->p; j++) {
        int own = model_parameter_index(run->model, sheet->model->parameter[j].name);
        if (own >= 0)
            sheet->value[j] = run->value[own];
    }
}

/* --- at a point --------------------------------------------------------------------- */

static void move_to(struct arm_sheet *sheet, const struct arm_point *point)
{
    struct probe *probe = &sheet->probe;
    probe->value[BLOCK_T] = &point->t;
    probe->value[BLOCK_Q] = point->q;
    probe->value[BLOCK_V] = point->v;
    probe->value[BLOCK_A] = point->a;
    probe_still(probe);
}

void arm_values(struct arm_sheet *sheet, const struct arm_point *point,
                double value[ARM_COSTS])
{
    move_to(sheet, point);
    probe_evaluate(&sheet->probe, value, NULL);
}

void arm_rates(struct arm_sheet *sheet, const struct arm_point *point,
               double rate[ARM_COSTS])
{
    move_to(sheet, point);
    probe_by_time(&sheet->probe);
    probe_evaluate(&sheet->probe, NULL, rate);
}

void arm_along(struct arm_sheet *sheet, const struct arm_point *point, const double dq[2],
               double value[ARM_COSTS], double derivative[ARM_COSTS])
{
    move_to(sheet, point);
    sheet->probe.along[BLOCK_Q] = dq;
    probe_evaluate(&sheet->probe, value, derivative);
}

/* --- at points of a trajectory ------------------------------------------------------ */

void arm_values_at(struct arm_sheet *sheet, const struct trajectory *trajectory,
                   const struct run_point *point, double value[ARM_COSTS])
{
    probe_at(&sheet->probe, &trajectory->columns, point);
    probe_evaluate(&sheet->probe, value, NULL);
}

double arm_residual(struct arm_sheet *sheet, const struct trajectory *trajectory, int i,
                    double begin, double end)
{
    double most = 0, value[ARM_COSTS];
    for (int k = 0; k < trajectory->samples; k++) {
        const struct run_point *point = &trajectory->sample[k];
        if (point->t < begin || point->t > end)
            continue;
        arm_values_at(sheet, trajectory, point, value);
        for (int j = 0; j < 2; j++)
            if (i < 0 || i == j)
                most = fmax(most, fabs(value[THETA + j]));
    }
    return most;
}
