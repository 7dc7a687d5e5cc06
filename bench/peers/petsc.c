/*
 * petsc.c - petsc-adjoint: the gradient of the cost of any case by TSAdjoint of PETSc
 * (Zhang, Constantinescu, Smith 2022), with C generated from the formulas of the case
 * (gradient_equations.h).
 *
 * Dormand-Prince 5(4) with the library's step control, dense Jacobians, all steps in
 * memory. The library locates events, and calls the user at each event on the way back,
 * too. It carries the adjoint over the event as it is: petsc-adjoint changes the mode
 * there and no more. The weights of petsc-adjoint-jump jump, by a formula that a user
 * would have to derive; here this program has it.
 *
 * Parameters are unknowns whose rates are zero. TSSetRHSJacobianP() is not used: for a
 * stage without weight in the solution, as stage 2 of this method, TSAdjointStep_RK() of
 * version 3.18 adds another stage to the gradient once more.
 */
#include <petscts.h>

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "peers/gradient_equations.h"

enum { MOST_EVENTS = 1000, MOST_STEPS = 1000000 };

struct petsc {
    struct gradient_equations *equations;
    bool jumps;                     /* the user's part at an event on the way back */
    int states, unknowns, parameters, dim;  /* dim: unknowns and parameters */
    TS ts;
    Vec y, mu;                      /* [dim]; mu ends with the gradient by parameters */
    Mat jacobian;                   /* [dim][dim] */
    double *unit, *by_y, *by_rho;   /* [unknowns] [states] [parameters] scratch */
    double *before;                 /* [MOST_EVENTS][unknowns] states before events */
    int happened;                   /* number of events of the run */
    double t_end;
    enum status status;             /* of the equations */
};

/* The library is told of refusals of the equations; its own are errors of this file. */
static void must(PetscErrorCode code)
{
    if (code)
        slip("PETSc returned %d", (int)code);
}

static PetscErrorCode told(struct petsc *p, enum status status)
{
    p->status = status;
    return status == OK ? 0 : PETSC_ERR_CONV_FAILED;
}

/* --- what the library calls --------------------------------------------------------- */

static PetscErrorCode rates(TS ts, PetscReal t, Vec y, Vec dy, void *context)
{
    struct petsc *p = context;
    const double *from;
    double *to;
    (void)ts;
    must(VecGetArrayRead(y, &from));
    must(VecGetArray(dy, &to));
    enum status status = gradient_rates(p->equations, t, from, to);
    for (int j = p->unknowns; j < p->dim; j++)
        to[j] = 0;
    must(VecRestoreArrayRead(y, &from));
    must(VecRestoreArray(dy, &to));
    return told(p, status);
}

/* Row i of the Jacobian is the unit weight i pulled back. */
static PetscErrorCode fill_jacobian(TS ts, PetscReal t, Vec y, Mat A, Mat B,
                                    void *context)
{
    struct petsc *p = context;
    const double *from;
    double *entry;
    enum status status = OK;
    (void)ts, (void)B;
    must(VecGetArrayRead(y, &from));
    must(MatDenseGetArray(A, &entry));
    for (int i = 0; i < p->unknowns && status == OK; i++) {
        p->unit[i] = 1;
        status = gradient_pullback(p->equations, t, from, p->unit, p->by_y, p->by_rho);
        p->unit[i] = 0;
        for (int k = 0; k < p->states; k++)
            entry[k*p->dim + i] = p->by_y[k];
        for (int j = 0; j < p->parameters; j++)
            entry[(p->unknowns + j)*p->dim + i] = p->by_rho[j];
    }
    must(MatDenseRestoreArray(A, &entry));
    must(VecRestoreArrayRead(y, &from));
    must(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    must(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    return told(p, status);
}

static PetscErrorCode guards(TS ts, PetscReal t, Vec y, PetscScalar *r, void *context)
{
    struct petsc *p = context;
    const double *from;
    (void)ts;
    must(VecGetArrayRead(y, &from));
    enum status status = gradient_guards(p->equations, t, from, r);
    must(VecRestoreArrayRead(y, &from));
    return told(p, status);
}

/* The state counts as changed, so that the first stage of the next step is not the last
   one of the mode before. */
static enum status event_forwards(struct petsc *p, int k, double t, Vec y)
{
    double *state;
    if (p->happened == MOST_EVENTS)
        return TOO_MANY_EVENTS;
    must(VecGetArray(y, &state));
    memory_copy(p->before + p->happened++*p->unknowns, state, p->unknowns,
                sizeof *state);
    enum status status = gradient_event(p->equations, k, t, state);
    must(VecRestoreArray(y, &state));
    return status;
}

static enum status event_back(struct petsc *p, int k, double t)
{
    double *mu;
    const double *before = p->before + --p->happened*p->unknowns;
    enum status status = OK;
    if (!p->jumps) {
        gradient_leave_event(p->equations, k);
        return OK;
    }
    must(VecGetArray(p->mu, &mu));
    status = gradient_event_back(p->equations, k, t, before, mu, mu + p->unknowns);
    must(VecRestoreArray(p->mu, &mu));
    return status;
}

static PetscErrorCode event(TS ts, PetscInt count, PetscInt *index, PetscReal t, Vec y,
                            PetscBool forwards, void *context)
{
    struct petsc *p = context;
    enum status status = OK;
    (void)ts;
    for (int k = 0; k < count && status == OK; k++)
        status = forwards ? event_forwards(p, index[k], t, y)
                          : event_back(p, index[count - 1 - k], t);
    return told(p, status);
}

/* --- open and close ----------------------------------------------------------------- */

static void petsc_close(void *work)
{
    struct petsc *p = work;
    if (p->ts) {
        must(TSDestroy(&p->ts));
        must(VecDestroy(&p->y));
        must(VecDestroy(&p->mu));
        must(MatDestroy(&p->jacobian));
    }
    if (p->equations)
        gradient_equations_free(p->equations);
    free(p->unit);
    free(p->before);
    free(p);
}

static void finish(void)
{
    PetscFinalize();
}

/* The library starts once a process, and leaves signals and messages to the program. */
static void start_library(void)
{
    PetscBool started;
    must(PetscInitialized(&started));
    if (started)
        return;
    must(PetscOptionsSetValue(NULL, "-no_signal_handler", NULL));
    must(PetscInitializeNoArguments());
    must(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    atexit(finish);
}

static void add_events(struct petsc *p)
{
    PetscInt direction[MOST_ANSWERS];
    PetscBool terminal[MOST_ANSWERS] = {PETSC_FALSE};
    int events = gradient_events(p->equations);
    for (int k = 0; k < events; k++)
        direction[k] = gradient_event_direction(p->equations, k);
    if (events > 0)
        must(TSSetEventHandler(p->ts, events, direction, terminal, guards, event, p));
}

static void create(struct petsc *p)
{
    must(TSCreate(PETSC_COMM_SELF, &p->ts));
    must(TSSetProblemType(p->ts, TS_NONLINEAR));
    must(TSSetType(p->ts, TSRK));
    must(TSRKSetType(p->ts, TSRK5DP));
    must(VecCreateSeq(PETSC_COMM_SELF, p->dim, &p->y));
    must(VecDuplicate(p->y, &p->mu));
    must(MatCreateSeqDense(PETSC_COMM_SELF, p->dim, p->dim, NULL, &p->jacobian));
    must(TSSetRHSFunction(p->ts, NULL, rates, p));
    must(TSSetRHSJacobian(p->ts, p->jacobian, p->jacobian, fill_jacobian, p));
    must(TSSetMaxSteps(p->ts, MOST_STEPS));
    must(TSSetExactFinalTime(p->ts, TS_EXACTFINALTIME_MATCHSTEP));
    must(TSSetSaveTrajectory(p->ts));
    must(TSSetCostGradients(p->ts, 1, &p->mu, NULL));
    add_events(p);
}

static void *open_with(const struct peer *peer, bool jumps, struct diagnosis *diagnosis)
{
    struct petsc *p = memory_new(1, sizeof *p);
    p->equations = gradient_equations_new(peer, diagnosis);
    p->jumps = jumps;
    if (!p->equations) {
        petsc_close(p);
        return NULL;
    }
    p->states = gradient_states(p->equations);
    p->unknowns = gradient_unknowns(p->equations);
    p->parameters = gradient_parameters(p->equations);
    p->dim = p->unknowns + p->parameters;
    p->unit = memory_new(p->unknowns + p->states + p->parameters, sizeof *p->unit);
    p->by_y = p->unit + p->unknowns;
    p->by_rho = p->by_y + p->states;
    p->before = memory_new(MOST_EVENTS*p->unknowns, sizeof *p->before);
    start_library();
    create(p);
    return p;
}

static void *petsc_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    return open_with(peer, false, diagnosis);
}

static void *petsc_open_jumps(const struct peer *peer, struct diagnosis *diagnosis)
{
    return open_with(peer, true, diagnosis);
}

/* --- a solution --------------------------------------------------------------------- */

/* A library's failure is that of the equations, or NO_CONVERGENCE. */
static enum status failed(const struct petsc *p, const char *what, PetscErrorCode code,
                          struct diagnosis *diagnosis)
{
    enum status status = p->status == OK ? NO_CONVERGENCE : p->status;
    return diagnose(diagnosis, status, NAN, "%s returned %d", what, (int)code);
}

/* A trajectory that is reset is another one, which writes files. */
static void renew_trajectory(struct petsc *p)
{
    TSTrajectory trajectory;
    must(TSResetTrajectory(p->ts));
    must(TSGetTrajectory(p->ts, &trajectory));
    must(TSTrajectorySetType(trajectory, p->ts, TSTRAJECTORYMEMORY));
    must(TSTrajectorySetSolutionOnly(trajectory, PETSC_FALSE));
}

static enum status forwards(struct petsc *p, double tolerance,
                            struct diagnosis *diagnosis)
{
    double *y, t0;
    must(VecGetArray(p->y, &y));
    enum status status = gradient_start(p->equations, y, &t0, &p->t_end);
    for (int j = p->unknowns; j < p->dim; j++)
        y[j] = 0;
    must(VecRestoreArray(p->y, &y));
    if (status != OK)
        return status;
    p->happened = 0;
    renew_trajectory(p);
    must(TSSetTime(p->ts, t0));
    must(TSSetMaxTime(p->ts, p->t_end));
    must(TSSetStepNumber(p->ts, 0));
    must(TSSetTimeStep(p->ts, 1e-3*(p->t_end - t0)));
    must(TSSetTolerances(p->ts, tolerance, NULL, tolerance, NULL));
    if (gradient_events(p->equations) > 0)
        must(TSSetEventTolerances(p->ts, tolerance, NULL));
    must(TSRestartStep(p->ts));
    PetscErrorCode code = TSSolve(p->ts, p->y);
    return code ? failed(p, "TSSolve", code, diagnosis) : OK;
}

static enum status petsc_solve(void *work, double tolerance, struct answer *answer,
                               struct diagnosis *diagnosis)
{
    struct petsc *p = work;
    const double *y;
    double *mu;
    enum status status = forwards(p, tolerance, diagnosis);
    if (status != OK)
        return status;
    must(VecSet(p->mu, 0));
    must(VecGetArrayRead(p->y, &y));
    must(VecGetArray(p->mu, &mu));
    status = gradient_end(p->equations, p->t_end, y, mu, mu + p->unknowns);
    must(VecRestoreArray(p->mu, &mu));
    must(VecRestoreArrayRead(p->y, &y));
    if (status != OK)
        return status;
    PetscErrorCode code = TSAdjointSolve(p->ts);
    if (code)
        return failed(p, "TSAdjointSolve", code, diagnosis);
    must(VecGetArray(p->mu, &mu));
    gradient_answer(p->equations, mu, mu + p->unknowns, answer);
    must(VecRestoreArray(p->mu, &mu));
    return OK;
}

/* --- peers -------------------------------------------------------------------------- */

#define TEXT(x) #x
#define VERSION(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

#define PETSC_PEER(id, text, about, opener)                                              \
    extern const struct peer peer_##id;                                                  \
    const struct peer peer_##id = {                                                      \
        .name = text, .title = about, .loosest = 1e-4,                                   \
        .build = "PETSc " VERSION(PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR,              \
                                  PETSC_VERSION_SUBMINOR) " as Debian builds it",        \
        .open = opener, .solve = petsc_solve, .close = petsc_close,                      \
    }

PETSC_PEER(petsc_adjoint, "petsc-adjoint",
           "PETSc TSAdjoint, Dormand-Prince 5, events by TSSetEventHandler", petsc_open);
PETSC_PEER(petsc_adjoint_jump, "petsc-adjoint-jump",
           "the same; the jump of the adjoint at an event is given to it",
           petsc_open_jumps);
