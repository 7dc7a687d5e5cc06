/*
 * cvodes.c - cvodes-*: workload W by CVODES of SUNDIALS, with the right-hand side written
 * by hand (five_bar.c), the library's root finding, and a restart after each impact.
 *
 * The plain peers solve 36 equations by Adams' methods (functional iteration) and by BDF
 * (Newton, dense). The others solve 12 equations with forward sensitivities, staggered
 * and simultaneous, by Adams' methods. Sensitivities take part in the error test. The
 * file is compiled twice where the source package is at hand: for the library as Debian
 * builds it, and with its source (REBUILT).
 */
#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "base/memory.h"
#include "peers/five_bar.h"
#include "peers/peer.h"
#include "peers/sundials.h"

enum { PARAMETERS = 2, VALUES = 6, POSITIONS = 18, PLAIN = FIVE_BAR_COMPONENTS };
enum { MOTION = 2*VALUES, MOST_STEPS = 1000000 };

struct cvodes {
    SUNContext context;
    void *cvode;
    bool forward;                   /* forward sensitivities */
    int corrector;                  /* CV_STAGGERED or CV_SIMULTANEOUS, if forward */
    N_Vector y, *s;                 /* s [PARAMETERS]: dy/drho_j, if forward */
    SUNNonlinearSolver iteration, iteration_of_s;
    SUNMatrix matrix;
    SUNLinearSolver linear;
};

/* --- what the library calls --------------------------------------------------------- */

/* Rates of y = (q [6], Q [12], v [6], V [12]). */
static int plain_rates(realtype t, N_Vector y_, N_Vector dy_, void *unused)
{
    const double *y = N_VGetArrayPointer(y_);
    double *dy = N_VGetArrayPointer(dy_), a[FIVE_BAR_VALUES];
    (void)t, (void)unused;
    memcpy(dy, y + POSITIONS, POSITIONS*sizeof *dy);
    five_bar_accelerations(y, y + VALUES, y + POSITIONS, y + POSITIONS + VALUES, a,
                           dy + POSITIONS + VALUES);
    memcpy(dy + POSITIONS, a, VALUES*sizeof *a);
    return 0;
}

/* Rates of y = (q [6], v [6]). */
static int motion_rates(realtype t, N_Vector y_, N_Vector dy_, void *unused)
{
    const double *y = N_VGetArrayPointer(y_);
    double *dy = N_VGetArrayPointer(dy_), a[FIVE_BAR_VALUES];
    (void)t, (void)unused;
    five_bar_motion(y, y + VALUES, a);
    memcpy(dy, y + VALUES, VALUES*sizeof *dy);
    memcpy(dy + VALUES, a, VALUES*sizeof *a);
    return 0;
}

/* lanes of five_bar.h = components first.. of one vector for each parameter. */
static void to_lanes(N_Vector *s, int first, double *lanes)
{
    for (int j = 0; j < PARAMETERS; j++)
        for (int i = 0; i < VALUES; i++)
            lanes[i/2*4 + 2*j + i%2] = N_VGetArrayPointer(s[j])[first + i];
}

/* Copies lanes of five_bar.h to one vector for each parameter. */
static void from_lanes(const double *lanes, N_Vector *s, int first)
{
    for (int j = 0; j < PARAMETERS; j++)
        for (int i = 0; i < VALUES; i++)
            N_VGetArrayPointer(s[j])[first + i] = lanes[i/2*4 + 2*j + i%2];
}

static int sensitivity_rates(int count, realtype t, N_Vector y_, N_Vector dy, N_Vector *s,
                             N_Vector *ds, void *unused, N_Vector work1, N_Vector work2)
{
    const double *y = N_VGetArrayPointer(y_);
    double Q[2*VALUES], V[2*VALUES], a[FIVE_BAR_VALUES], A[2*VALUES];
    (void)count, (void)t, (void)dy, (void)unused, (void)work1, (void)work2;
    to_lanes(s, 0, Q);
    to_lanes(s, VALUES, V);
    five_bar_accelerations(y, Q, y + VALUES, V, a, A);
    from_lanes(V, ds, 0);
    from_lanes(A, ds, VALUES);
    return 0;
}

static int height(realtype t, N_Vector y, realtype *value, void *unused)
{
    (void)t, (void)unused;
    *value = N_VGetArrayPointer(y)[FIVE_BAR_Y2] - five_bar_ground;
    return 0;
}

/* --- the state ---------------------------------------------------------------------- */

struct state { double q[FIVE_BAR_VALUES], Q[12], v[FIVE_BAR_VALUES], V[12]; };

static void get_state(struct cvodes *c, struct state *state)
{
    const double *y = N_VGetArrayPointer(c->y);
    const double *v = y + (c->forward ? VALUES : POSITIONS);
    memset(state, 0, sizeof *state);
    memcpy(state->q, y, VALUES*sizeof *y);
    memcpy(state->v, v, VALUES*sizeof *y);
    if (c->forward) {
        to_lanes(c->s, 0, state->Q);
        to_lanes(c->s, VALUES, state->V);
    } else {
        memcpy(state->Q, y + VALUES, sizeof state->Q);
        memcpy(state->V, v + VALUES, sizeof state->V);
    }
}

static void set_state(struct cvodes *c, const struct state *state)
{
    double *y = N_VGetArrayPointer(c->y), *v = y + (c->forward ? VALUES : POSITIONS);
    memcpy(y, state->q, VALUES*sizeof *y);
    memcpy(v, state->v, VALUES*sizeof *y);
    if (c->forward) {
        from_lanes(state->Q, c->s, 0);
        from_lanes(state->V, c->s, VALUES);
    } else {
        memcpy(y + VALUES, state->Q, sizeof state->Q);
        memcpy(v + VALUES, state->V, sizeof state->V);
    }
}

/* --- open and close ----------------------------------------------------------------- */

static void cvodes_close(void *work)
{
    struct cvodes *c = work;
    CVodeFree(&c->cvode);
    SUNNonlinSolFree(c->iteration);
    SUNNonlinSolFree(c->iteration_of_s);
    SUNLinSolFree(c->linear);
    SUNMatDestroy(c->matrix);
    if (c->s)
        N_VDestroyVectorArray(c->s, PARAMETERS);
    N_VDestroy(c->y);
    SUNContext_Free(&c->context);
    free(c);
}

/* The library cannot refuse these calls; a refusal is an error of this file. */
static void must(int flag)
{
    if (flag < 0)
        slip("CVODES returned %d", flag);
}

static struct cvodes *create(int method, int dim, CVRhsFn rates)
{
    struct cvodes *c = memory_new(1, sizeof *c);
    must(SUNContext_Create(NULL, &c->context));
    c->cvode = CVodeCreate(method, c->context);
    c->y = N_VNew_Serial(dim, c->context);
    must(CVodeInit(c->cvode, rates, 0, c->y));
    must(CVodeSStolerances(c->cvode, 1e-6, 1e-6));
    must(CVodeSetMaxNumSteps(c->cvode, MOST_STEPS));
    must(CVodeSetErrFile(c->cvode, NULL));
    if (method == CV_BDF) {
        c->matrix = SUNDenseMatrix(dim, dim, c->context);
        c->linear = SUNLinSol_Dense(c->y, c->matrix, c->context);
        must(CVodeSetLinearSolver(c->cvode, c->linear, c->matrix));
    } else {
        c->iteration = SUNNonlinSol_FixedPoint(c->y, 0, c->context);
        must(CVodeSetNonlinearSolver(c->cvode, c->iteration));
    }
    return c;
}

static void *adams_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    (void)peer, (void)diagnosis;
    return create(CV_ADAMS, PLAIN, plain_rates);
}

static void *bdf_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    (void)peer, (void)diagnosis;
    return create(CV_BDF, PLAIN, plain_rates);
}

static struct cvodes *create_forward(int corrector)
{
    struct cvodes *c = create(CV_ADAMS, MOTION, motion_rates);
    double abstol[PARAMETERS] = {1e-6, 1e-6};
    c->forward = true;
    c->corrector = corrector;
    c->s = N_VCloneVectorArray(PARAMETERS, c->y);
    must(CVodeSensInit(c->cvode, PARAMETERS, corrector, sensitivity_rates, c->s));
    must(CVodeSensSStolerances(c->cvode, 1e-6, abstol));
    must(CVodeSetSensErrCon(c->cvode, SUNTRUE));
    int count = corrector == CV_SIMULTANEOUS ? PARAMETERS + 1 : PARAMETERS;
    c->iteration_of_s = SUNNonlinSol_FixedPointSens(count, c->y, 0, c->context);
    must(corrector == CV_SIMULTANEOUS
         ? CVodeSetNonlinearSolverSensSim(c->cvode, c->iteration_of_s)
         : CVodeSetNonlinearSolverSensStg(c->cvode, c->iteration_of_s));
    return c;
}

static void *staggered_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    (void)peer, (void)diagnosis;
    return create_forward(CV_STAGGERED);
}

static void *simultaneous_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    (void)peer, (void)diagnosis;
    return create_forward(CV_SIMULTANEOUS);
}

/* --- a solution --------------------------------------------------------------------- */

static void restart(struct cvodes *c, double t, double tolerance)
{
    int fall = -1;
    double abstol[PARAMETERS] = {tolerance, tolerance};
    must(CVodeReInit(c->cvode, t, c->y));
    must(CVodeSStolerances(c->cvode, tolerance, tolerance));
    if (c->forward) {
        must(CVodeSensReInit(c->cvode, c->corrector, c->s));
        must(CVodeSensSStolerances(c->cvode, tolerance, abstol));
    }
    must(CVodeSetStopTime(c->cvode, five_bar_end));
    must(CVodeRootInit(c->cvode, 1, height));
    must(CVodeSetRootDirection(c->cvode, &fall));
}

static enum status cvodes_solve(void *work, double tolerance, struct answer *answer,
                                struct diagnosis *diagnosis)
{
    struct cvodes *c = work;
    struct state state;
    double t = 0;
    five_bar_start(state.q, state.Q, state.v, state.V);
    set_state(c, &state);
    restart(c, 0, tolerance);
    while (t < five_bar_end) {
        int flag = CVode(c->cvode, five_bar_end, c->y, &t, CV_NORMAL);
        if (flag < 0)
            return diagnose(diagnosis, NO_CONVERGENCE, t, "CVODES returned %d", flag);
        if (c->forward)
            must(CVodeGetSens(c->cvode, &t, c->s));
        get_state(c, &state);
        if (flag != CV_ROOT_RETURN)
            continue;
        five_bar_impact(state.q, state.Q, state.v, state.V);
        set_state(c, &state);
        restart(c, t, tolerance);
    }
    *answer = five_bar_answer(state.q, state.Q, state.v);
    return OK;
}

/* --- peers -------------------------------------------------------------------------- */

#define CVODES_PEER(id, text, about, opener)                                             \
    SUNDIALS_PEER(id, "CVODES", text, about, opener, cvodes_solve, cvodes_close)

CVODES_PEER(cvodes_adams, "cvodes-adams",
            "CVODES, 36 plain equations, Adams", adams_open);
CVODES_PEER(cvodes_bdf, "cvodes-bdf", "CVODES, 36 plain equations, BDF", bdf_open);
CVODES_PEER(cvodes_staggered, "cvodes-staggered",
            "CVODES, forward sensitivities, staggered, Adams", staggered_open);
CVODES_PEER(cvodes_simultaneous, "cvodes-simultaneous",
            "CVODES, forward sensitivities, simultaneous, Adams", simultaneous_open);
