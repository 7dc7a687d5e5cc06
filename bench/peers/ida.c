/*
 * ida.c - a solver of IDAS with a dense matrix (ida.h).
 */
#include "peers/ida.h"

#include <stdlib.h>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "base/memory.h"

enum { MOST_STEPS = 1000000 };

void ida_must(int flag)
{
    if (flag < 0)
        slip("IDAS returned %d", flag);
}

static void leave_out_multipliers(struct ida *ida, int dim, int block, int differential)
{
    for (int k = 0; k < dim; k++)
        ida_data(ida->differential)[k] = k%block < differential;
    ida_must(IDASetId(ida->memory, ida->differential));
    ida_must(IDASetSuppressAlg(ida->memory, SUNTRUE));
}

void ida_open(struct ida *ida, int dim, int block, int differential, IDAResFn residual,
              void *context)
{
    *ida = (struct ida){.parameters = 0};
    ida_must(SUNContext_Create(NULL, &ida->context));
    ida->memory = IDACreate(ida->context);
    ida->y = N_VNew_Serial(dim, ida->context);
    ida->yd = N_VNew_Serial(dim, ida->context);
    ida->differential = N_VNew_Serial(dim, ida->context);
    ida_must(IDAInit(ida->memory, residual, 0, ida->y, ida->yd));
    ida_must(IDASetUserData(ida->memory, context));
    ida_must(IDASStolerances(ida->memory, 1e-6, 1e-6));
    ida_must(IDASetMaxNumSteps(ida->memory, MOST_STEPS));
    ida_must(IDASetErrFile(ida->memory, NULL));
    leave_out_multipliers(ida, dim, block, differential);
    ida->matrix = SUNDenseMatrix(dim, dim, ida->context);
    ida->linear = SUNLinSol_Dense(ida->y, ida->matrix, ida->context);
    ida_must(IDASetLinearSolver(ida->memory, ida->linear, ida->matrix));
}

/* Tolerances of the sensitivities. */
static void sensitivity_tolerances(struct ida *ida, double tolerance)
{
    double *absolute = memory_new(ida->parameters, sizeof *absolute);
    for (int j = 0; j < ida->parameters; j++)
        absolute[j] = tolerance;
    ida_must(IDASensSStolerances(ida->memory, tolerance, absolute));
    free(absolute);
}

void ida_sensitivities(struct ida *ida, int parameters, IDALsJacFn jacobian,
                       IDASensResFn residual)
{
    ida_must(IDASetJacFn(ida->memory, jacobian));
    ida->parameters = parameters;
    if (parameters == 0)
        return;
    ida->s = N_VCloneVectorArray(parameters, ida->y);
    ida->sd = N_VCloneVectorArray(parameters, ida->y);
    ida_must(IDASensInit(ida->memory, parameters, IDA_STAGGERED, residual, ida->s,
                         ida->sd));
    sensitivity_tolerances(ida, 1e-6);
    ida_must(IDASetSensErrCon(ida->memory, SUNTRUE));
}

void ida_restart(struct ida *ida, double t, double end, double tolerance)
{
    ida_must(IDAReInit(ida->memory, t, ida->y, ida->yd));
    ida_must(IDASStolerances(ida->memory, tolerance, tolerance));
    if (ida->parameters > 0) {
        ida_must(IDASensReInit(ida->memory, IDA_STAGGERED, ida->s, ida->sd));
        sensitivity_tolerances(ida, tolerance);
    }
    ida_must(IDASetStopTime(ida->memory, end));
}

void ida_close(struct ida *ida)
{
    if (!ida->memory)
        return;
    IDAFree(&ida->memory);
    SUNLinSolFree(ida->linear);
    SUNMatDestroy(ida->matrix);
    if (ida->parameters > 0) {
        N_VDestroyVectorArray(ida->s, ida->parameters);
        N_VDestroyVectorArray(ida->sd, ida->parameters);
    }
    N_VDestroy(ida->differential);
    N_VDestroy(ida->yd);
    N_VDestroy(ida->y);
    SUNContext_Free(&ida->context);
}
