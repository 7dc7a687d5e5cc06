/*
 * cvodes_adjoint.c - cvodes-adjoint: the gradient of the cost of any case without events
 * by the adjoint module of CVODES of SUNDIALS, with C generated from the formulas of the
 * case (gradient_equations.h).
 *
 * Adams' methods with functional iteration both ways; checkpoints, with steps between
 * them interpolated by polynomials of the order of the method; the gradient is a backward
 * quadrature that takes part in the error test. Absolute tolerances are a part of the
 * magnitude of each component, which a user would have to know: of the gradient that of
 * the workload, of all others the largest on a first way there and back, which is not
 * timed. With one absolute tolerance for all the errors were ten thousand times as large.
 * The file is compiled twice (sundials.h).
 */
#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "base/memory.h"
#include "peers/gradient_equations.h"
#include "peers/sundials.h"

enum { MOST_STEPS = 1000000, BETWEEN_CHECKPOINTS = 1000 };

/* A vector of the library, with the magnitudes of its components and their absolute
   tolerances. */
struct part {
    N_Vector x, size, allowed;
};

struct cvodes_adjoint {
    struct gradient_equations *equations;
    int unknowns, states, parameters;
    SUNContext context;
    void *cvode;
    int back;                       /* index of the backward problem; -1: there is none
                                       yet */
    struct part y, mu, G;           /* [unknowns] [states] [parameters] */
    bool sized;                     /* magnitudes are known */
    double *weights;                /* [unknowns] mu, and the weights of the costs */
    double *by_y, *by_rho;          /* [states] [parameters] scratch */
    SUNNonlinearSolver iteration, iteration_back;
};

static double *data(N_Vector x)
{
    return N_VGetArrayPointer(x);
}

/* The library cannot refuse these calls; a refusal is an error of this file. */
static void must(int flag)
{
    if (flag < 0)
        slip("CVODES returned %d", flag);
}

/* --- magnitudes --------------------------------------------------------------------- */

/* Magnitude of all components on the first way, which is small enough not to matter. */
static const double unknown_size = 1e-12;

static void part_open(struct part *part, int count, SUNContext context)
{
    part->x = N_VNew_Serial(count, context);
    part->size = N_VClone(part->x);
    part->allowed = N_VClone(part->x);
    N_VConst(0, part->size);
}

static void part_close(const struct part *part)
{
    N_VDestroy(part->x);
    N_VDestroy(part->size);
    N_VDestroy(part->allowed);
}

static void note_size(N_Vector x, const struct part *part)
{
    for (long i = 0; i < N_VGetLength(x); i++)
        data(part->size)[i] = fmax(data(part->size)[i], fabs(data(x)[i]));
}

/* The absolute tolerances; a component that stays zero is as large as the others. */
static N_Vector allowed(const struct cvodes_adjoint *c, const struct part *part,
                        double tolerance)
{
    double most = c->sized ? N_VMaxNorm(part->size) : unknown_size;
    for (long i = 0; i < N_VGetLength(part->x); i++) {
        double size = c->sized ? data(part->size)[i] : 0;
        data(part->allowed)[i] = tolerance*(size > 0 ? size : most);
    }
    return part->allowed;
}

/* --- what the library calls --------------------------------------------------------- */

static int rates(realtype t, N_Vector y, N_Vector dy, void *context)
{
    const struct cvodes_adjoint *c = context;
    if (!c->sized)
        note_size(y, &c->y);
    return gradient_rates(c->equations, t, data(y), data(dy)) == OK ? 0 : 1;
}

static int pull_back(struct cvodes_adjoint *c, double t, N_Vector y, N_Vector mu)
{
    memory_copy(c->weights, data(mu), c->states, sizeof *c->weights);
    return gradient_pullback(c->equations, t, data(y), c->weights, c->by_y,
                             c->by_rho) == OK ? 0 : 1;
}

static int rates_back(realtype t, N_Vector y, N_Vector mu, N_Vector dmu, void *context)
{
    struct cvodes_adjoint *c = context;
    int flag = pull_back(c, t, y, mu);
    if (!c->sized)
        note_size(mu, &c->mu);
    for (int i = 0; i < c->states; i++)
        data(dmu)[i] = -c->by_y[i];
    return flag;
}

static int quadrature_back(realtype t, N_Vector y, N_Vector mu, N_Vector dG,
                           void *context)
{
    struct cvodes_adjoint *c = context;
    int flag = pull_back(c, t, y, mu);
    for (int j = 0; j < c->parameters; j++)
        data(dG)[j] = -c->by_rho[j];
    return flag;
}

/* --- make and close ----------------------------------------------------------------- */

static void adjoint_close(void *work)
{
    struct cvodes_adjoint *c = work;
    if (c->cvode) {
        CVodeFree(&c->cvode);
        SUNNonlinSolFree(c->iteration);
        if (c->iteration_back)
            SUNNonlinSolFree(c->iteration_back);
        part_close(&c->y);
        part_close(&c->mu);
        part_close(&c->G);
        SUNContext_Free(&c->context);
    }
    if (c->equations)
        gradient_equations_free(c->equations);
    free(c->weights);
    free(c);
}

static void create(struct cvodes_adjoint *c)
{
    must(SUNContext_Create(NULL, &c->context));
    c->cvode = CVodeCreate(CV_ADAMS, c->context);
    part_open(&c->y, c->unknowns, c->context);
    part_open(&c->mu, c->states, c->context);
    part_open(&c->G, c->parameters, c->context);
    c->back = -1;
    must(CVodeInit(c->cvode, rates, 0, c->y.x));
    must(CVodeSetUserData(c->cvode, c));
    must(CVodeSStolerances(c->cvode, 1e-6, 1e-6));
    must(CVodeSetMaxNumSteps(c->cvode, MOST_STEPS));
    must(CVodeSetErrFile(c->cvode, NULL));
    c->iteration = SUNNonlinSol_FixedPoint(c->y.x, 0, c->context);
    must(CVodeSetNonlinearSolver(c->cvode, c->iteration));
    must(CVodeAdjInit(c->cvode, BETWEEN_CHECKPOINTS, CV_POLYNOMIAL));
}

/* --- a solution --------------------------------------------------------------------- */

/* The backward problem is made where the first one begins. */
static void begin_back(struct cvodes_adjoint *c, double t, double tolerance)
{
    if (c->back < 0) {
        must(CVodeCreateB(c->cvode, CV_ADAMS, &c->back));
        must(CVodeInitB(c->cvode, c->back, rates_back, t, c->mu.x));
        must(CVodeSetUserDataB(c->cvode, c->back, c));
        must(CVodeSetMaxNumStepsB(c->cvode, c->back, MOST_STEPS));
        c->iteration_back = SUNNonlinSol_FixedPoint(c->mu.x, 0, c->context);
        must(CVodeSetNonlinearSolverB(c->cvode, c->back, c->iteration_back));
        must(CVodeQuadInitB(c->cvode, c->back, quadrature_back, c->G.x));
        must(CVodeSetQuadErrConB(c->cvode, c->back, SUNTRUE));
    } else {
        must(CVodeReInitB(c->cvode, c->back, t, c->mu.x));
        must(CVodeQuadReInitB(c->cvode, c->back, c->G.x));
    }
    must(CVodeSVtolerancesB(c->cvode, c->back, tolerance,
                            allowed(c, &c->mu, tolerance)));
    must(CVodeQuadSVtolerancesB(c->cvode, c->back, tolerance,
                                allowed(c, &c->G, tolerance)));
}

static enum status adjoint_solve(void *work, double tolerance, struct answer *answer,
                                 struct diagnosis *diagnosis)
{
    struct cvodes_adjoint *c = work;
    double t0, t_end, t;
    int checkpoints;
    enum status status = gradient_start(c->equations, data(c->y.x), &t0, &t_end);
    if (status != OK)
        return status;
    must(CVodeReInit(c->cvode, t0, c->y.x));
    must(CVodeAdjReInit(c->cvode));
    must(CVodeSVtolerances(c->cvode, tolerance, allowed(c, &c->y, tolerance)));
    must(CVodeSetStopTime(c->cvode, t_end));
    int flag = CVodeF(c->cvode, t_end, c->y.x, &t, CV_NORMAL, &checkpoints);
    if (flag < 0)
        return diagnose(diagnosis, NO_CONVERGENCE, t, "CVodeF returned %d", flag);
    status = gradient_end(c->equations, t_end, data(c->y.x), c->weights, data(c->G.x));
    if (status != OK)
        return status;
    memory_copy(data(c->mu.x), c->weights, c->states, sizeof *c->weights);
    begin_back(c, t_end, tolerance);
    flag = CVodeB(c->cvode, t0, CV_NORMAL);
    if (flag < 0)
        return diagnose(diagnosis, NO_CONVERGENCE, t0, "CVodeB returned %d", flag);
    must(CVodeGetB(c->cvode, c->back, &t, c->mu.x));
    must(CVodeGetQuadB(c->cvode, c->back, &t, c->G.x));
    memory_copy(c->weights, data(c->mu.x), c->states, sizeof *c->weights);
    gradient_answer(c->equations, c->weights, data(c->G.x), answer);
    return OK;
}

/* --- open --------------------------------------------------------------------------- */

static enum status find_sizes(struct cvodes_adjoint *c, const struct workload *workload,
                              struct diagnosis *diagnosis)
{
    struct answer answer;
    enum status status = adjoint_solve(c, 1e-6, &answer, diagnosis);
    memory_copy(data(c->G.size), workload->scale, c->parameters, sizeof(double));
    c->sized = true;
    return status;
}

static void *adjoint_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    struct cvodes_adjoint *c = memory_new(1, sizeof *c);
    c->equations = gradient_equations_new(peer, diagnosis);
    if (c->equations && gradient_events(c->equations) > 0)
        diagnose(diagnosis, NOT_APPLICABLE, NAN, "%s has events, across which CVODES "
                 "does not go back", peer->workload->name);
    if (!c->equations || gradient_events(c->equations) > 0) {
        adjoint_close(c);
        return NULL;
    }
    c->unknowns = gradient_unknowns(c->equations);
    c->states = gradient_states(c->equations);
    c->parameters = gradient_parameters(c->equations);
    c->weights = memory_new(c->unknowns + c->states + c->parameters,
                            sizeof *c->weights);
    c->by_y = c->weights + c->unknowns;
    c->by_rho = c->by_y + c->states;
    create(c);
    if (find_sizes(c, peer->workload, diagnosis) == OK)
        return c;
    adjoint_close(c);
    return NULL;
}

SUNDIALS_PEER(cvodes_adjoint, "CVODES", "cvodes-adjoint",
              "CVODES backwards, explicit equations by generated C, Adams",
              adjoint_open, adjoint_solve, adjoint_close);
