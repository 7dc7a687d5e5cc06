/*
 * versus.c - periodic motions beside those of AUTO-07p (versus.h)
 */
#include "bvp/versus.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mechanisms/catalogue.h"
#include "workloads/workload.h"

const char *const versus_quantity_text[] = {
    "period", "states", "derivatives", "multipliers", "place", "place states",
    "place multipliers"};

const struct versus_problem versus_problems[] = {
#define VERSUS(...) {__VA_ARGS__},
#include "bvp/versus.def"
    {NULL, 0, NULL, 0}};

/* --- numbers ------------------------------------------------------------------------ */

static void vector_new(struct versus_vector *vector, int count)
{
    vector->count = count;
    vector->ours = memory_new(count, sizeof(double));
    vector->size = memory_new(count, sizeof(double));
    vector->condition = memory_new(count, sizeof(double));
    for (int i = 0; i < count; i++)
        vector->condition[i] = 1;
    for (int mesh = 0; mesh < VERSUS_MESHES; mesh++)
        vector->theirs[mesh] = memory_new(count, sizeof(double));
}

static void vector_clear(struct versus_vector *vector)
{
    free(vector->ours);
    free(vector->size);
    free(vector->condition);
    for (int mesh = 0; mesh < VERSUS_MESHES; mesh++)
        free(vector->theirs[mesh]);
}

/* coefficient [degree] of z^degree + coefficient[0] z^(degree - 1) + ..., whose roots are
   the multipliers that are not trivial, and 0. */
static void polynomial_of(const double complex *multiplier, const bool *trivial,
                          int count, int degree, double *coefficient)
{
    double complex *c = memory_new(degree + 1, sizeof *c);
    c[0] = 1;
    for (int i = 0, roots = 0; i < count; i++) {
        if (trivial[i] || roots == degree)
            continue;
        roots++;
        for (int k = roots; k > 0; k--)
            c[k] -= multiplier[i]*c[k - 1];
    }
    for (int k = 0; k < degree; k++)
        coefficient[k] = creal(c[k + 1]);
    free(c);
}

/* Coefficients of the characteristic polynomial of P [n][n] (Faddeev, LeVerrier). */
static void polynomial_of_matrix(const double *P, int n, double *coefficient)
{
    double *M = memory_new(2*n*n, sizeof *M), *PM = M + n*n;
    for (int k = 1; k <= n; k++) {
        double trace = 0;
        for (int i = 0; i < n; i++)
            M[i*n + i] += k > 1 ? coefficient[k - 2] : 1;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                PM[i*n + j] = 0;
                for (int l = 0; l < n; l++)
                    PM[i*n + j] += P[i*n + l]*M[l*n + j];
                trace += i == j ? PM[i*n + j] : 0;
            }
        coefficient[k - 1] = -trace/k;
        memory_copy(M, PM, n*n, sizeof *M);
    }
    free(M);
}

/* --- ours --------------------------------------------------------------------------- */

/* A component counts by its largest value at events and at nodes between them: at events
   that are its zeros it is rounding. */
static void take_sizes(struct versus *versus)
{
    const struct orbit *orbit = versus->orbit;
    int width = orbit->width;
    double *size = versus->quantity[VERSUS_STATES].size;
    double *along = versus->quantity[VERSUS_DERIVATIVES].size;
    double rho = fabs(versus->value[versus->parameter]);
    for (int i = 0; i < width; i++) {
        double own = 0, change = 0;
        for (int k = 0; k < orbit->events; k++) {
            own = fmax(own, fabs(orbit->event[k].after[i]));
            change = fmax(change, fabs(orbit->event[k].dafter[i]));
        }
        for (int k = 0; k < orbit->nodes; k++) {
            own = fmax(own, fabs(orbit->node[k].x[i]));
            change = fmax(change, fabs(orbit->node[k].dx[i]));
        }
        for (int k = 0; k < orbit->events; k++) {
            size[k*width + i] = own > 0 ? own : 1;
            along[1 + k*width + i] = change > 0 ? change : 1;
        }
    }
    along[0] = fmax(fabs(orbit->dperiod[0]), orbit->period/(rho > 0 ? rho : 1));
}

/* A polynomial counts by its largest coefficient, at least 1, which it begins with. */
static void size_polynomial(struct versus_vector *vector)
{
    double largest = 1;
    for (int i = 0; i < vector->count; i++)
        largest = fmax(largest, fabs(vector->ours[i]));
    for (int i = 0; i < vector->count; i++)
        vector->size[i] = largest;
}

static void take_ours(struct versus *versus)
{
    const struct orbit *orbit = versus->orbit;
    struct versus_vector *quantity = versus->quantity;
    int width = orbit->width, states = orbit->events*width;
    vector_new(&quantity[VERSUS_PERIOD], 1);
    vector_new(&quantity[VERSUS_STATES], states);
    vector_new(&quantity[VERSUS_DERIVATIVES], 1 + states);
    vector_new(&quantity[VERSUS_MULTIPLIERS], width);
    quantity[VERSUS_PERIOD].ours[0] = quantity[VERSUS_PERIOD].size[0] = orbit->period;
    quantity[VERSUS_DERIVATIVES].ours[0] = orbit->dperiod[0];
    for (int k = 0; k < orbit->events; k++) {
        memory_copy(quantity[VERSUS_STATES].ours + k*width, orbit->event[k].after, width,
                    sizeof(double));
        memory_copy(quantity[VERSUS_DERIVATIVES].ours + 1 + k*width,
                    orbit->event[k].dafter, width, sizeof(double));
    }
    take_sizes(versus);
    polynomial_of(orbit->multiplier, orbit->trivial, orbit->multipliers, width,
                  quantity[VERSUS_MULTIPLIERS].ours);
    size_polynomial(&quantity[VERSUS_MULTIPLIERS]);
}

const struct branch_point *versus_place(const struct versus *versus)
{
    const struct branch *branch = versus->branch;
    const struct branch_point *last = branch && branch->points > 0
                                          ? &branch->point[branch->points - 1] : NULL;
    return last && (last->kind == BRANCH_FOLD || last->kind == BRANCH_DOUBLING) ? last
                                                                               : NULL;
}

static void take_place(struct versus *versus)
{
    const struct branch_point *place = versus_place(versus);
    struct versus_vector *quantity = versus->quantity;
    int width = versus->orbit->width;
    if (!place)
        return;
    if (place->kind == BRANCH_FOLD) {
        vector_new(&quantity[VERSUS_PLACE], 1);
        quantity[VERSUS_PLACE].ours[0] = place->rho;
        quantity[VERSUS_PLACE].size[0] = fabs(place->rho);
    }
    struct versus_vector *states = &quantity[VERSUS_PLACE_STATES];
    vector_new(states, 1 + width);
    states->ours[0] = states->size[0] = place->period;
    for (int i = 0; i < width; i++) {
        states->ours[1 + i] = place->x[i];
        states->size[1 + i] = quantity[VERSUS_STATES].size[i];
    }
    if (place->kind == BRANCH_FOLD)
        return;
    vector_new(&quantity[VERSUS_PLACE_MULTIPLIERS], width);
    polynomial_of(place->multiplier, place->trivial, place->multipliers, width,
                  quantity[VERSUS_PLACE_MULTIPLIERS].ours);
    size_polynomial(&quantity[VERSUS_PLACE_MULTIPLIERS]);
}

static bool until_bifurcation(void *context, const struct branch *branch)
{
    (void)context;
    return branch->point[branch->points - 1].kind == BRANCH_REGULAR;
}

static enum status solve_ours(struct versus *versus, double rtol, int round)
{
    struct branch_request request = {
        .orbit.run = {.model = versus->model,
                      .formulation = workload_formulation(versus->model), .rtol = rtol,
                      .atol = rtol/1000, .parameters = 1,
                      .parameter = &versus->parameter, .value = versus->value,
                      .t_end = versus->problem->t_end},
        .to = versus->problem->to, .told = until_bifurcation};
    struct orbit *orbit = NULL;
    struct branch *branch = NULL;
    double begin = processor_time();
    enum status status = orbit_find(&request.orbit, &orbit, &versus->diagnosis);
    double middle = processor_time();
    if (status == OK)
        status = branch_follow(&request, &branch, &versus->diagnosis);
    versus->own_seconds[0][round] = middle - begin;
    versus->own_seconds[1][round] = processor_time() - middle;
    if (status != OK || round > 0) {
        orbit_free(orbit);
        branch_free(branch);
        return status;
    }
    versus->orbit = orbit;
    versus->branch = branch;
    take_ours(versus);
    take_place(versus);
    return OK;
}

/* --- theirs ------------------------------------------------------------------------- */

static double period_of(const struct bvp *bvp, const struct auto_solution *solution,
                        int c)
{
    double sum = 0;
    for (int k = 0; k < bvp->orbit->events; k++)
        sum += solution->parameter[bvp_duration(bvp, c, k)];
    return sum;
}

/* How far relative errors of the entries of P [n][n] move each number of the vector, by
   its size. A coefficient is linear in each entry. */
static void take_condition(double *P, int n, const double *coefficient,
                           struct versus_vector *vector)
{
    double *sum = memory_new(2*n, sizeof *sum), *without = sum + n;
    for (int i = 0; i < n*n; i++) {
        double entry = P[i];
        P[i] = 0;
        polynomial_of_matrix(P, n, without);
        P[i] = entry;
        for (int k = 0; k < n; k++)
            sum[k] += fabs(coefficient[k] - without[k]);
    }
    for (int k = 0; k < n; k++)
        vector->condition[k] = fmax(vector->condition[k], sum[k]/vector->size[k]);
    free(sum);
}

static void take_multipliers(const struct bvp *bvp, const struct auto_solution *solution,
                             int mesh, struct versus_vector *vector)
{
    int n = bvp->orbit->width, last = bvp->orbit->events - 1;
    double *P = memory_new(n*n, sizeof *P);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            P[i*n + j] = auto_solution_at(solution, true,
                                          bvp_before(bvp, 1 + j, last, i));
    polynomial_of_matrix(P, n, vector->theirs[mesh]);
    take_condition(P, n, vector->theirs[mesh], vector);
    free(P);
}

static void take_theirs(struct versus *versus, const struct bvp *bvp, int mesh,
                        const struct auto_solution *solution)
{
    struct versus_vector *quantity = versus->quantity;
    int width = bvp->orbit->width, by_rho = bvp_columns(bvp);
    double *derivative = quantity[VERSUS_DERIVATIVES].theirs[mesh];
    quantity[VERSUS_PERIOD].theirs[mesh][0] = period_of(bvp, solution, 0);
    derivative[0] = period_of(bvp, solution, by_rho);
    for (int k = 0; k < bvp->orbit->events; k++)
        for (int i = 0; i < width; i++) {
            quantity[VERSUS_STATES].theirs[mesh][k*width + i] =
                auto_solution_at(solution, false, bvp_after(bvp, 0, k, i));
            derivative[1 + k*width + i] =
                auto_solution_at(solution, false, bvp_after(bvp, by_rho, k, i));
        }
    take_multipliers(bvp, solution, mesh, &quantity[VERSUS_MULTIPLIERS]);
}

static void take_their_place(struct versus *versus, const struct bvp *bvp, int mesh,
                             const struct auto_solution *solution)
{
    struct versus_vector *quantity = versus->quantity;
    double *states = quantity[VERSUS_PLACE_STATES].theirs[mesh];
    int k = bvp->orbit->events - 1;
    while (k > 0 && bvp->orbit->event[k].event != versus->branch->event)
        k--;
    if (quantity[VERSUS_PLACE].count > 0)
        quantity[VERSUS_PLACE].theirs[mesh][0] = solution->parameter[BVP_RHO];
    states[0] = period_of(bvp, solution, 0);
    for (int i = 0; i < bvp->orbit->width; i++)
        states[1 + i] = auto_solution_at(solution, false, bvp_after(bvp, 0, k, i));
    if (quantity[VERSUS_PLACE_MULTIPLIERS].count > 0)
        take_multipliers(bvp, solution, mesh, &quantity[VERSUS_PLACE_MULTIPLIERS]);
}

/* To the bifurcation: the fold must be met before the parameter is `to`; at a period
   doubling AUTO is sent to the place that we have found. Columns are solved for there: at
   a fold, where the parameter does not determine the motion, there are none. */
static enum status follow_theirs(struct versus *versus, struct auto_run *run, int mesh)
{
    const struct branch_point *place = versus_place(versus);
    struct auto_solution solution = {.label = 0};
    struct diagnosis *diagnosis = &versus->diagnosis;
    int intervals = VERSUS_FIRST_MESH << mesh;
    bool fold = place->kind == BRANCH_FOLD;
    double to = fold ? versus->problem->to : place->rho;
    enum status status = auto_follow(run, intervals, to, &solution, diagnosis);
    if (status == OK && (solution.type == AUTO_FOLD) != fold)
        status = diagnose(diagnosis, NO_CONVERGENCE, NAN, "AUTO-07p: the branch has %s "
                          "fold where this program has %s", fold ? "no" : "a",
                          branch_kind_text[place->kind]);
    if (status == OK && !fold) {
        auto_solution_clear(&solution);
        status = auto_columns(run, intervals, &solution, diagnosis);
    }
    if (status == OK)
        take_their_place(versus, run->bvp, mesh, &solution);
    auto_solution_clear(&solution);
    return status;
}

static enum status solve_theirs(struct versus *versus, struct auto_run *run, int mesh,
                                int round)
{
    struct auto_solution solution = {.label = 0};
    int intervals = VERSUS_FIRST_MESH << mesh;
    double *seconds[2] = {&versus->seconds[mesh][0][round],
                          &versus->seconds[mesh][1][round]};
    run->last = 0;
    run->seconds = 0;
    enum status status = auto_solve(run, intervals, &solution, &versus->diagnosis);
    auto_solution_clear(&solution);
    if (status == OK)
        status = auto_columns(run, intervals, &solution, &versus->diagnosis);
    if (status == OK)
        take_theirs(versus, run->bvp, mesh, &solution);
    auto_solution_clear(&solution);
    *seconds[0] = run->seconds;
    if (status == OK && versus_place(versus))
        status = follow_theirs(versus, run, mesh);
    *seconds[1] = run->seconds - *seconds[0];
    return status;
}

/* --- all ---------------------------------------------------------------------------- */

static enum status take_case(struct versus *versus)
{
    versus->model = model_new(case_find(versus->problem->name), &versus->diagnosis);
    if (!versus->model)
        return versus->diagnosis.status;
    versus->value = memory_new(versus->model->p, sizeof *versus->value);
    versus->parameter = model_parameter_index(versus->model, versus->problem->parameter);
    return model_nominal_values(versus->model, versus->value, &versus->diagnosis);
}

void versus_open(struct versus *versus, const struct versus_problem *problem,
                 const struct versus_request *request)
{
    struct auto_run run = {.bvp = NULL};
    *versus = (struct versus){.problem = problem, .rounds = request->rounds};
    versus->status = take_case(versus);
    if (versus->status == OK)
        versus->status = solve_ours(versus, request->rtol, 0);
    const struct bvp bvp = {versus->model, versus->orbit, versus->value,
                            versus->parameter};
    if (versus->status == OK)
        versus->status = auto_open(&run, &bvp, request->timeout, &versus->diagnosis);
    for (int round = 0; round < request->rounds && versus->status == OK; round++) {
        versus->status = round > 0 ? solve_ours(versus, request->rtol, round) : OK;
        for (int mesh = 0; mesh < VERSUS_MESHES && versus->status == OK; mesh++)
            versus->status = solve_theirs(versus, &run, mesh, round);
    }
    auto_close(&run);
}

void versus_close(struct versus *versus)
{
    for (int k = 0; k < VERSUS_QUANTITIES; k++)
        vector_clear(&versus->quantity[k]);
    branch_free(versus->branch);
    orbit_free(versus->orbit);
    free(versus->value);
    model_free(versus->model);
}

/* A number that still changes by more between two meshes is not known to AUTO. */
static const double settled = 1e-6;

bool versus_agrees(const struct versus *versus, int quantity, int mesh,
                   double *difference, double *allowed)
{
    const struct versus_vector *vector = &versus->quantity[quantity];
    double worst = -INFINITY;
    bool agrees = true;
    *difference = 0;
    *allowed = NAN;
    for (int i = 0; i < vector->count; i++) {
        double theirs = vector->theirs[mesh][i], size = vector->size[i];
        double own = fabs(theirs - vector->ours[i])/size;
        double change = mesh > 0 ? fabs(theirs - vector->theirs[mesh - 1][i])/size : NAN;
        double least = auto_tolerance*vector->condition[i] + fmin(change, settled);
        *difference = fmax(*difference, own);
        if (own - least > worst) {
            worst = own - least;
            *allowed = least;
        }
        agrees = agrees && own <= least;
    }
    if (mesh == 0)
        *allowed = NAN;
    return mesh == 0 || agrees;
}

bool versus_holds(const struct versus *versus)
{
    bool holds = versus->status == OK;
    for (int k = 0; k < VERSUS_QUANTITIES && holds; k++)
        for (int mesh = 1; mesh < VERSUS_MESHES; mesh++) {
            double difference, allowed;
            holds = holds && versus_agrees(versus, k, mesh, &difference, &allowed);
        }
    return holds;
}
