/*
 * residual.c - the rows that most residuals begin with, and the check of a residual
 * before it is compiled, for it may come from a plug-in.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formulation.h"

void residual_balance(const struct model *model, const struct mode *mode,
                      struct residual *residual)
{
    int n = model->n;
    for (int i = 0; i < n; i++) {
        formula Ma = {NULL, 0};
        for (int k = mode->M_entries.begin[i]; k < mode->M_entries.begin[i + 1]; k++) {
            int j = mode->M_entries.column[k];
            Ma = add(Ma, mul(mode->M[i][j], variable(model->tape, BLOCK_A, j)));
        }
        residual->R[i] = sub(add(Ma, mode->lambda_force[i]), mode->F[i]);
        residual->unknown[i] = (struct unknown){BLOCK_A, i};
    }
    for (int i = 0; i < mode->m; i++)
        residual->unknown[n + i] = (struct unknown){BLOCK_LAMBDA, i};
}

/* The number of components of a block of unknowns; 0: the block holds no unknowns. */
static int size_of(const struct model *model, const struct mode *mode,
                   enum residual_kind kind, int block)
{
    switch (block) {
    case BLOCK_A: return model->n;
    case BLOCK_LAMBDA: return mode->m;
    case BLOCK_QD: return kind == DAE ? model->n : 0;
    case BLOCK_SD: return kind == DAE ? model->ns : 0;
    case BLOCK_MU: return kind == DAE ? mode->m : 0;
    default: return 0;
    }
}

/* A fault of the unknowns, or NULL: every unknown is in its block, no unknown is there
   twice, all of a are there. */
static const char *wrong_unknowns(const struct model *model, const struct mode *mode,
                                  const struct residual *residual)
{
    int accelerations = 0, most = model->n + model->ns + mode->m;
    const char *fault = NULL;
    bool *seen = memory_new(BLOCKS * most, sizeof *seen);
    for (int i = 0; i < residual->rows && !fault; i++) {
        const struct unknown *u = &residual->unknown[i];
        if (u->index < 0 ||
            u->index >= size_of(model, mode, residual->kind, u->block))
            fault = "an unknown that the mode does not have";
        else if (seen[u->block * most + u->index])
            fault = "an unknown that is there twice";
        else
            seen[u->block * most + u->index] = true;
        accelerations += u->block == BLOCK_A;
    }
    free(seen);
    if (!fault && accelerations < model->n)
        fault = "fewer unknown accelerations than coordinates";
    return fault;
}

static const char *wrong(const struct formulation *formulation, const struct model *model,
                         const struct mode *mode, const struct residual *residual)
{
    if (residual->kind != formulation->kind)
        return "another kind than the formulation";
    if (residual->rows < 0 || (residual->rows > 0 && !(residual->R && residual->unknown)))
        return "no rows";
    for (int i = 0; i < residual->rows; i++)
        if (residual->R[i].tape && residual->R[i].tape != model->tape)
            return "a row that is no formula of this model";
    return wrong_unknowns(model, mode, residual);
}

struct residual *formulation_residual(const struct formulation *formulation,
                                      const struct model *model, const struct mode *mode,
                                      const char *const *value,
                                      struct diagnosis *diagnosis)
{
    struct diagnosis own = {.t = NAN};
    const char *filled[MOST_OPTIONS];
    struct residual *residual =
        formulation->residual(model, mode, options_filled(formulation, value, filled),
                              &own);
    const char *fault = residual ? wrong(formulation, model, mode, residual) : NULL;
    if (fault)
        diagnose(&own, BAD_INPUT, NAN, "formulation %s, mode %s: its residual has %s",
                 formulation->name, mode->name, fault);
    else if (!residual && own.status == OK)
        diagnose(&own, BAD_INPUT, NAN, "formulation %s, mode %s: no residual is given, "
                 "and no reason", formulation->name, mode->name);
    if (residual && !fault)
        return residual;
    residual_free(residual);
    if (diagnosis)
        *diagnosis = own;
    return NULL;
}
