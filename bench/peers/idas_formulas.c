/*
 * idas_formulas.c - idas-formulas: any workload without events by IDAS of SUNDIALS, with
 * equations, Jacobian and tangents as C generated from the formulas of the case
 * (formula_dae.h).
 *
 * BDF of variable order with staggered forward sensitivities, and dense matrices.
 * Sensitivities take part in the error test. The file is compiled twice (sundials.h).
 */
#include <stdlib.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "base/memory.h"
#include "peers/formula_dae.h"
#include "peers/ida.h"
#include "peers/peer.h"
#include "peers/sundials.h"

struct idas_formulas {
    const struct workload *workload;
    struct formula_dae *dae;
    struct ida ida;
    double *s[WORKLOAD_PARAMETERS], *sd[WORKLOAD_PARAMETERS];   /* numbers of the vectors
                                       of ida */
};

/* --- what the library calls --------------------------------------------------------- */

static int motion_residual(realtype t, N_Vector y, N_Vector yd, N_Vector r, void *context)
{
    struct idas_formulas *i = context;
    formula_dae_residual(i->dae, t, ida_data(y), ida_data(yd), ida_data(r));
    return 0;
}

static int sensitivity_residual(int count, realtype t, N_Vector y, N_Vector yd,
                                N_Vector r, N_Vector *s, N_Vector *sd, N_Vector *rs,
                                void *context, N_Vector work1, N_Vector work2,
                                N_Vector work3)
{
    struct idas_formulas *i = context;
    (void)r, (void)work1, (void)work2, (void)work3;
    formula_dae_point(i->dae, t, ida_data(y), ida_data(yd));
    for (int j = 0; j < count; j++)
        formula_dae_tangent(i->dae, j, ida_data(s[j]), ida_data(sd[j]), ida_data(rs[j]));
    return 0;
}

/* The library has set the matrix to zero. */
static int jacobian(realtype t, realtype c, N_Vector y, N_Vector yd, N_Vector r,
                    SUNMatrix matrix, void *context, N_Vector work1, N_Vector work2,
                    N_Vector work3)
{
    struct idas_formulas *i = context;
    (void)r, (void)work1, (void)work2, (void)work3;
    formula_dae_jacobian(i->dae, t, c, ida_data(y), ida_data(yd),
                         SUNDenseMatrix_Cols(matrix));
    return 0;
}

/* --- the peer ----------------------------------------------------------------------- */

static void formulas_close(void *work)
{
    struct idas_formulas *i = work;
    ida_close(&i->ida);
    if (i->dae)
        formula_dae_free(i->dae);
    free(i);
}

static void *formulas_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    struct idas_formulas *i = memory_new(1, sizeof *i);
    i->workload = peer->workload;
    i->dae = formula_dae_new(peer->workload, diagnosis);
    if (!i->dae) {
        formulas_close(i);
        return NULL;
    }
    int unknowns = formula_dae_unknowns(i->dae);
    int parameters = formula_dae_parameters(i->dae);
    ida_open(&i->ida, unknowns, unknowns, formula_dae_differential(i->dae),
             motion_residual, i);
    ida_sensitivities(&i->ida, parameters, jacobian, sensitivity_residual);
    for (int j = 0; j < parameters; j++) {
        i->s[j] = ida_data(i->ida.s[j]);
        i->sd[j] = ida_data(i->ida.sd[j]);
    }
    return i;
}

/* Residuals of the motion and of its derivatives. */
static long evaluations(const struct idas_formulas *i)
{
    long motion = 0, sensitivities = 0;
    ida_must(IDAGetNumResEvals(i->ida.memory, &motion));
    if (i->ida.parameters > 0)
        ida_must(IDAGetSensNumResEvals(i->ida.memory, &sensitivities));
    return motion + sensitivities;
}

static enum status formulas_solve(void *work, double tolerance, struct answer *answer,
                                  struct diagnosis *diagnosis)
{
    struct idas_formulas *i = work;
    struct ida *ida = &i->ida;
    double end = i->workload->t_end, *y = ida_data(ida->y);
    double t = formula_dae_start(i->dae, y, ida_data(ida->yd), i->s, i->sd);
    ida_restart(ida, t, end, tolerance);
    int flag = IDASolve(ida->memory, end, &t, ida->y, ida->yd, IDA_NORMAL);
    if (flag < 0)
        return diagnose(diagnosis, NO_CONVERGENCE, t, "IDAS returned %d", flag);
    if (ida->parameters > 0)
        ida_must(IDAGetSens(ida->memory, &t, ida->s));
    formula_dae_answer(i->dae, y, i->s, answer);
    answer->evaluations = evaluations(i);
    answer->compiled = formula_dae_compiled(i->dae) ? answer->evaluations : 0;
    return OK;
}

SUNDIALS_PEER(idas_formulas, "IDAS", "idas-formulas",
              "IDAS, index 1 by generated C, forward sensitivities, staggered, BDF",
              formulas_open, formulas_solve, formulas_close);
