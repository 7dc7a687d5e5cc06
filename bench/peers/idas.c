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
#include <stdlib.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "base/memory.h"
#include "peers/five_bar.h"
#include "peers/five_bar_dae.h"
#include "peers/ida.h"
#include "peers/peer.h"
#include "peers/sundials.h"

enum { PARAMETERS = DAE_PARAMETERS, PLAIN = DAE_UNKNOWNS*(1 + PARAMETERS) };

/* --- what the library calls --------------------------------------------------------- */

static int motion_residual(realtype t, N_Vector y, N_Vector yd, N_Vector r, void *unused)
{
    (void)t, (void)unused;
    five_bar_residual(ida_data(y), ida_data(yd), ida_data(r));
    return 0;
}

static int sensitivity_residual(int count, realtype t, N_Vector y, N_Vector yd,
                                N_Vector r, N_Vector *s, N_Vector *sd, N_Vector *rs,
                                void *unused, N_Vector work1, N_Vector work2,
                                N_Vector work3)
{
    (void)t, (void)r, (void)unused, (void)work1, (void)work2, (void)work3;
    for (int j = 0; j < count; j++)
        five_bar_residual_tangent(ida_data(y), ida_data(yd), ida_data(s[j]),
                                  ida_data(sd[j]), j, ida_data(rs[j]));
    return 0;
}

/* Residual of three blocks: values, derivatives by L01, by L02. */
static int plain_residual(realtype t, N_Vector y, N_Vector yd, N_Vector r, void *unused)
{
    (void)t, (void)unused;
    five_bar_residual(ida_data(y), ida_data(yd), ida_data(r));
    for (int j = 0, at = DAE_UNKNOWNS; j < PARAMETERS; j++, at += DAE_UNKNOWNS)
        five_bar_residual_tangent(ida_data(y), ida_data(yd), ida_data(y) + at,
                                  ida_data(yd) + at, j, ida_data(r) + at);
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
        five_bar_residual_tangent(ida_data(y), ida_data(yd), s, sd, -1,
                                  SUNDenseMatrix_Column(matrix, k));
        s[k] = sd[k] = 0;
    }
    return 0;
}

static int height(realtype t, N_Vector y, N_Vector yd, realtype *value, void *unused)
{
    (void)t, (void)yd, (void)unused;
    *value = five_bar_height(ida_data(y));
    return 0;
}

/* --- open and close ----------------------------------------------------------------- */

static void idas_close(void *work)
{
    ida_close(work);
    free(work);
}

static void *plain_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    (void)peer, (void)diagnosis;
    struct ida *ida = memory_new(1, sizeof *ida);
    ida_open(ida, PLAIN, DAE_UNKNOWNS, DAE_MU, plain_residual, NULL);
    return ida;
}

static void *staggered_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    (void)peer, (void)diagnosis;
    struct ida *ida = memory_new(1, sizeof *ida);
    ida_open(ida, DAE_UNKNOWNS, DAE_UNKNOWNS, DAE_MU, motion_residual, NULL);
    ida_sensitivities(ida, PARAMETERS, jacobian, sensitivity_residual);
    return ida;
}

/* --- a solution --------------------------------------------------------------------- */

struct state { double q[FIVE_BAR_VALUES], Q[12], v[FIVE_BAR_VALUES], V[12]; };

/* The arrays of the derivatives: behind the values, or vectors of their own. */
static void sensitivities(struct ida *ida, double *s[PARAMETERS], double *sd[PARAMETERS])
{
    for (int j = 0; j < PARAMETERS; j++) {
        int behind = (1 + j)*DAE_UNKNOWNS;
        s[j] = ida->s ? ida_data(ida->s[j]) : ida_data(ida->y) + behind;
        sd[j] = ida->sd ? ida_data(ida->sd[j]) : ida_data(ida->yd) + behind;
    }
}

static void restart(struct ida *ida, double t, double tolerance, const struct state *x)
{
    int fall = -1;
    double *s[PARAMETERS], *sd[PARAMETERS];
    sensitivities(ida, s, sd);
    five_bar_consistent(x->q, x->Q, x->v, x->V, ida_data(ida->y), ida_data(ida->yd), s,
                        sd);
    ida_restart(ida, t, five_bar_end, tolerance);
    ida_must(IDARootInit(ida->memory, 1, height));
    ida_must(IDASetRootDirection(ida->memory, &fall));
}

static enum status idas_solve(void *work, double tolerance, struct answer *answer,
                              struct diagnosis *diagnosis)
{
    struct ida *ida = work;
    struct state x;
    double t = 0, *s[PARAMETERS], *sd[PARAMETERS];
    sensitivities(ida, s, sd);
    five_bar_start(x.q, x.Q, x.v, x.V);
    restart(ida, 0, tolerance, &x);
    while (t < five_bar_end) {
        int flag = IDASolve(ida->memory, five_bar_end, &t, ida->y, ida->yd, IDA_NORMAL);
        if (flag < 0)
            return diagnose(diagnosis, NO_CONVERGENCE, t, "IDAS returned %d", flag);
        if (ida->s)
            ida_must(IDAGetSens(ida->memory, &t, ida->s));
        five_bar_state(ida_data(ida->y), s, x.q, x.Q, x.v, x.V);
        if (flag != IDA_ROOT_RETURN)
            continue;
        five_bar_impact(x.q, x.Q, x.v, x.V);
        restart(ida, t, tolerance, &x);
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
