/*
 * idas.c - idas-*: workload W by IDAS of SUNDIALS for implicit equations: residual,
 * tangents and Jacobian written by hand (five_bar_dae.c), the library's root finding, and
 * a restart after each impact.
 *
 * The plain peer solves 48 equations, the Jacobian by differences; the other 16 equations
 * with staggered forward sensitivities and the Jacobian by hand. Sensitivities take part
 * in the error test. The file is compiled twice, for the library as Debian builds it and
 * with its source (REBUILT).
 *
 * The simultaneous corrector is not here. Its iteration leaves out the dependence of the
 * residuals of sensitivities on the state, takes their first change for divergence, and
 * gave up at nearly all tolerances.
 */
#include <idas/idas.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "base/memory.h"
#include "peers/five_bar.h"
#include "peers/five_bar_dae.h"
#include "peers/peer.h"
#include "peers/sundials.h"

enum { PARAMETERS = DAE_PARAMETERS, PLAIN = DAE_UNKNOWNS*(1 + PARAMETERS) };
enum { MOST_STEPS = 1000000 };

struct idas {
    SUNContext context;
    void *ida;
    N_Vector y, yd, differential;
    N_Vector *s, *sd;               /* [PARAMETERS] derivatives by L01 and L02; NULL:
                                       plain */
    SUNMatrix matrix;
    SUNLinearSolver linear;
};

static double *data(N_Vector x)
{
    return N_VGetArrayPointer(x);
}

/* --- what the library calls --------------------------------------------------------- */

static int motion_residual(realtype t, N_Vector y, N_Vector yd, N_Vector r, void *unused)
{
    (void)t, (void)unused;
    five_bar_residual(data(y), data(yd), data(r));
    return 0;
}

static int sensitivity_residual(int count, realtype t, N_Vector y, N_Vector yd,
                                N_Vector r, N_Vector *s, N_Vector *sd, N_Vector *rs,
                                void *unused, N_Vector work1, N_Vector work2,
                                N_Vector work3)
{
    (void)t, (void)r, (void)unused, (void)work1, (void)work2, (void)work3;
    for (int j = 0; j < count; j++)
        five_bar_residual_tangent(data(y), data(yd), data(s[j]), data(sd[j]), j,
                                  data(rs[j]));
    return 0;
}

/* Residual of three blocks: values, derivatives by L01, by L02. */
static int plain_residual(realtype t, N_Vector y, N_Vector yd, N_Vector r, void *unused)
{
    (void)t, (void)unused;
    five_bar_residual(data(y), data(yd), data(r));
    for (int j = 0, at = DAE_UNKNOWNS; j < PARAMETERS; j++, at += DAE_UNKNOWNS)
        five_bar_residual_tangent(data(y), data(yd), data(y) + at, data(yd) + at, j,
                                  data(r) + at);
    return 0;
}

/* The Jacobian r_y + c r_y', column by column. */
static int jacobian(realtype t, realtype c, N_Vector y, N_Vector yd, N_Vector r,
                    SUNMatrix matrix, void *unused, N_Vector work1, N_Vector work2,
                    N_Vector work3)
{
    double s[DAE_UNKNOWNS] = {0}, sd[DAE_UNKNOWNS] = {0};
    (void)t, (void)r, (void)unused, (void)work1, (void)work2, (void)work3;
    for (int k = 0; k < DAE_UNKNOWNS; k++) {
        s[k] = 1;
        sd[k] = c;
        five_bar_residual_tangent(data(y), data(yd), s, sd, -1,
                                  SUNDenseMatrix_Column(matrix, k));
        s[k] = sd[k] = 0;
    }
    return 0;
}

static int height(realtype t, N_Vector y, N_Vector yd, realtype *value, void *unused)
{
    (void)t, (void)yd, (void)unused;
    *value = five_bar_height(data(y));
    return 0;
}

/* --- open and close ----------------------------------------------------------------- */

static void idas_close(void *work)
{
    struct idas *i = work;
    IDAFree(&i->ida);
    SUNLinSolFree(i->linear);
    SUNMatDestroy(i->matrix);
    if (i->s) {
        N_VDestroyVectorArray(i->s, PARAMETERS);
        N_VDestroyVectorArray(i->sd, PARAMETERS);
    }
    N_VDestroy(i->differential);
    N_VDestroy(i->yd);
    N_VDestroy(i->y);
    SUNContext_Free(&i->context);
    free(i);
}

/* The library cannot refuse these calls; a refusal is an error of this file. */
static void must(int flag)
{
    if (flag < 0)
        slip("IDAS returned %d", flag);
}

/* Multipliers are not in the error test: their errors appear in v, which is. With them in
   the test a solution took up to ten times as long. */
static void leave_out_multipliers(struct idas *i, int dim)
{
    for (int k = 0; k < dim; k++)
        data(i->differential)[k] = k%DAE_UNKNOWNS < DAE_MU;
    must(IDASetId(i->ida, i->differential));
    must(IDASetSuppressAlg(i->ida, SUNTRUE));
}

static struct idas *create(int dim, IDAResFn residual)
{
    struct idas *i = memory_new(1, sizeof *i);
    must(SUNContext_Create(NULL, &i->context));
    i->ida = IDACreate(i->context);
    i->y = N_VNew_Serial(dim, i->context);
    i->yd = N_VNew_Serial(dim, i->context);
    i->differential = N_VNew_Serial(dim, i->context);
    must(IDAInit(i->ida, residual, 0, i->y, i->yd));
    must(IDASStolerances(i->ida, 1e-6, 1e-6));
    must(IDASetMaxNumSteps(i->ida, MOST_STEPS));
    must(IDASetErrFile(i->ida, NULL));
    leave_out_multipliers(i, dim);
    i->matrix = SUNDenseMatrix(dim, dim, i->context);
    i->linear = SUNLinSol_Dense(i->y, i->matrix, i->context);
    must(IDASetLinearSolver(i->ida, i->linear, i->matrix));
    return i;
}

static void *plain_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    (void)peer, (void)diagnosis;
    return create(PLAIN, plain_residual);
}

static void *staggered_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    (void)peer, (void)diagnosis;
    struct idas *i = create(DAE_UNKNOWNS, motion_residual);
    double abstol[PARAMETERS] = {1e-6, 1e-6};
    i->s = N_VCloneVectorArray(PARAMETERS, i->y);
    i->sd = N_VCloneVectorArray(PARAMETERS, i->y);
    must(IDASetJacFn(i->ida, jacobian));
    must(IDASensInit(i->ida, PARAMETERS, IDA_STAGGERED, sensitivity_residual, i->s,
                     i->sd));
    must(IDASensSStolerances(i->ida, 1e-6, abstol));
    must(IDASetSensErrCon(i->ida, SUNTRUE));
    return i;
}

/* --- a solution --------------------------------------------------------------------- */

struct state { double q[FIVE_BAR_VALUES], Q[12], v[FIVE_BAR_VALUES], V[12]; };

/* The arrays of the derivatives: behind the values, or vectors of their own. */
static void sensitivities(struct idas *i, double *s[PARAMETERS], double *sd[PARAMETERS])
{
    for (int j = 0; j < PARAMETERS; j++) {
        int behind = (1 + j)*DAE_UNKNOWNS;
        s[j] = i->s ? data(i->s[j]) : data(i->y) + behind;
        sd[j] = i->sd ? data(i->sd[j]) : data(i->yd) + behind;
    }
}

static void restart(struct idas *i, double t, double tolerance, const struct state *x)
{
    int fall = -1;
    double abstol[PARAMETERS] = {tolerance, tolerance};
    double *s[PARAMETERS], *sd[PARAMETERS];
    sensitivities(i, s, sd);
    five_bar_consistent(x->q, x->Q, x->v, x->V, data(i->y), data(i->yd), s, sd);
    must(IDAReInit(i->ida, t, i->y, i->yd));
    must(IDASStolerances(i->ida, tolerance, tolerance));
    if (i->s) {
        must(IDASensReInit(i->ida, IDA_STAGGERED, i->s, i->sd));
        must(IDASensSStolerances(i->ida, tolerance, abstol));
    }
    must(IDASetStopTime(i->ida, five_bar_end));
    must(IDARootInit(i->ida, 1, height));
    must(IDASetRootDirection(i->ida, &fall));
}

static enum status idas_solve(void *work, double tolerance, struct answer *answer,
                              struct diagnosis *diagnosis)
{
    struct idas *i = work;
    struct state x;
    double t = 0, *s[PARAMETERS], *sd[PARAMETERS];
    sensitivities(i, s, sd);
    five_bar_start(x.q, x.Q, x.v, x.V);
    restart(i, 0, tolerance, &x);
    while (t < five_bar_end) {
        int flag = IDASolve(i->ida, five_bar_end, &t, i->y, i->yd, IDA_NORMAL);
        if (flag < 0)
            return diagnose(diagnosis, NO_CONVERGENCE, t, "IDAS returned %d", flag);
        if (i->s)
            must(IDAGetSens(i->ida, &t, i->s));
        five_bar_state(data(i->y), s, x.q, x.Q, x.v, x.V);
        if (flag != IDA_ROOT_RETURN)
            continue;
        five_bar_impact(x.q, x.Q, x.v, x.V);
        restart(i, t, tolerance, &x);
    }
    *answer = five_bar_answer(x.q, x.Q, x.v);
    return OK;
}

/* --- peers -------------------------------------------------------------------------- */

#define IDAS_PEER(id, text, about, opener)                                             \
    SUNDIALS_PEER(id, "IDAS", text, about, opener, idas_solve, idas_close)

IDAS_PEER(idas_plain, "idas-plain", "IDAS, index 1, 48 plain equations, BDF", plain_open);
IDAS_PEER(idas_staggered, "idas-staggered",
          "IDAS, index 1, forward sensitivities, staggered, BDF", staggered_open);
