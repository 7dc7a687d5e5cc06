/*
 * motion.c - equations of motion, constraints and their tangent linear models as
 * Corner, Sandu, Sandu 2019 print them: (14), (51c), (52), (56), (63)
 * (formulas.h).
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "linear/dense_lu.h"
#include "oracles/oracle.h"
#include "papers/corner/formulas.h"

/* --- the tangent linear model, (14), (56), (63) ------------------------------------- */

/* Formulas: M a [n], F - Phi_q' lambda [n], Phidd [m], M [n*n], Phi_q [m*n]. */
struct equations {
    int n, m, outputs;
    struct model *branch;
    struct probe probe;
    double *value, *derivative;
    double *K;                  /* [(n+m)^2] */
    struct dense_lu lu;
};

static void equations_init(struct equations *equations, const struct tried *tried)
{
    const struct model *model = tried->run.model;
    int n = model->n, m = model->mode[0]->m, outputs = 2 * n + m + n * n + m * n;
    *equations = (struct equations){
        .n = n, .m = m, .outputs = outputs, .branch = model_branch(model),
        .value = memory_new(outputs, sizeof(double)),
        .derivative = memory_new(outputs, sizeof(double)),
        .K = memory_new((n + m) * (n + m), sizeof(double))};
    dense_lu_init(&equations->lu, n + m);
    const struct mode *mode = equations->branch->mode[0];
    formula *f = memory_new(outputs, sizeof *f);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            formula a = variable(equations->branch->tape, BLOCK_A, k);
            f[i] = add(f[i], mul(mode->M[i][k], a));
            f[2 * n + m + i * n + k] = mode->M[i][k];
        }
        f[n + i] = sub(mode->F[i], m > 0 ? mode->lambda_force[i] : (formula){NULL, 0});
    }
    memory_copy(f + 2 * n, mode->Phidd, m, sizeof *f);
    memory_copy(f + 2 * n + m + n * n, mode->Phi_q, m * n, sizeof *f);
    probe_init(&equations->probe, equations->branch, tried->run.value, f, outputs);
    free(f);
}

static void equations_clear(struct equations *equations)
{
    dense_lu_clear(&equations->lu);
    probe_clear(&equations->probe);
    free(equations->K);
    model_branch_free(equations->branch);
    free(equations->value);
    free(equations->derivative);
}

/* x [n + m]: V' and Lambda by parameter j at a point: the matrix of (54), and on the
   right the derivatives of its rows at fixed v' and lambda. */
static void solve_63(struct equations *equations, const struct columns *columns,
                     const struct run_point *point, int j, double *x)
{
    int n = equations->n, m = equations->m, size = n + m;
    double *K = equations->K, *value = equations->value;
    const double *d = equations->derivative;
    probe_at(&equations->probe, columns, point);
    probe_by(&equations->probe, columns, point, j);
    equations->probe.along[BLOCK_A] = equations->probe.along[BLOCK_LAMBDA] = NULL;
    probe_evaluate(&equations->probe, value, equations->derivative);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            K[i * size + k] = value[2 * n + m + i * n + k];
        for (int k = 0; k < m; k++)
            K[i * size + n + k] = K[(n + k) * size + i] =
                value[2 * n + m + n * n + k * n + i];
        x[i] = d[n + i] - d[i];
    }
    for (int k = 0; k < m; k++)
        x[n + k] = -d[2 * n + k];
    if (!dense_lu_matrix(&equations->lu, K))
        slip("corner (63): singular");
    dense_lu_solve(&equations->lu, x);
}

/* The tangent linear model along a motion beside the derivatives of the motion. */
static void try_tlm(const struct tried *tried, const char *numbers, struct trial *trial)
{
    const struct trajectory *exact = tried->exact;
    const struct columns *columns = &exact->columns;
    struct equations equations;
    struct least least = {INFINITY, ""};
    char worst[100];
    equations_init(&equations, tried);
    int n = equations.n, m = equations.m;
    double *x = memory_new(n + m, sizeof *x);
    for (int j = 0; j < columns->p; j++) {
        struct match a = {0}, lambda = {0};
        for (int k = 1; k < exact->samples; k++) {
            const struct run_point *point = &exact->sample[k];
            solve_63(&equations, columns, point, j, x);
            match_add(&a, x, point->x + column(columns, GROUP_A, 0, j), n);
            match_add(&lambda, x + n, point->x + column(columns, GROUP_LAMBDA, 0, j), m);
        }
        least_add(&least, match_digits(&a), "V' by %s", column_parameter(columns, j));
        if (m > 0)
            least_add(&least, match_digits(&lambda), "Lambda by %s",
                      column_parameter(columns, j));
    }
    free(x);
    equations_clear(&equations);
    trial->printed = least.digits;
    trial->corrected = paper_digits_like(tried->run.trajectory, exact, numbers, worst,
                                         sizeof worst);
    trial_judge(trial, "complex step of the motion");
    trial_tell(trial, "Case %s in %s, by all parameters: fewest digits %.1f (%s); the "
               "solver has %.1f.", tried->run.model->desc->name,
               tried->run.request.formulation->name, least.digits, least.where,
               trial->corrected);
}

void try_14(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    (void)row;
    try_tlm(&ledger->motion[ARM], "da.", trial);
}

void try_56(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    (void)row;
    try_tlm(&ledger->motion[CAR], "dlambda.", trial);
}

/* --- (51c) -------------------------------------------------------------------------- */

static formula coordinates_alone(void *tape, int block, int index)
{
    return block == BLOCK_Q ? variable(tape, BLOCK_V, index) : (formula){NULL, 0};
}

/* Phidd of a mode of the branch as (51c) has it. */
static void take_one_Phi_tq(const struct model *branch, const struct mode *mode)
{
    formula *Phi_t = memory_new(2 * mode->m, sizeof *Phi_t), *Phi_tq_v = Phi_t + mode->m;
    ledger_Phi_t(branch, mode, Phi_t);
    tangent_along(Phi_t, mode->m, coordinates_alone, branch->tape, Phi_tq_v);
    for (int i = 0; i < mode->m; i++)
        mode->Phidd[i] = sub(mode->Phidd[i], Phi_tq_v[i]);
    free(Phi_t);
}

void try_51c(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    const struct tried *tried = &ledger->motion[CAR];
    struct run_request request = tried->run.request;
    struct trajectory *trajectory;
    char worst[100] = "", other[100];
    struct model *branch = model_branch(tried->run.model);
    (void)row;
    take_one_Phi_tq(branch, branch->mode[0]);
    request.model = branch;
    trial_judge(trial, "complex step");
    trial->corrected = paper_digits_like(tried->run.trajectory, tried->exact, "q.", other,
                                         sizeof other);
    if (run_once(&request, &trajectory, NULL) == OK) {
        trial->printed = paper_digits_like(trajectory, tried->exact, "q.", worst,
                                           sizeof worst);
        trial_tell(trial, "With one Phi_tq v, positions of car-axis in index1 have %.1f "
                   "digits (%s), and |Phi| grows to %.2g; with two they have %.1f "
                   "digits, and |Phi| grows to %.1e.", trial->printed,
                   worst, trajectory->worst_Phi, trial->corrected,
                   tried->run.trajectory->worst_Phi);
    } else
        trial_tell(trial, "With one Phi_tq v, car-axis in index1 is refused.");
    trajectory_free(trajectory);
    model_branch_free(branch);
}

/* --- (52) --------------------------------------------------------------------------- */

/* The residual of index1 with the sign of (52): M a - Phi_q' lambda - F. */
static struct residual *residual_52(const struct model *model, const struct mode *mode,
                                    const char *const *value,
                                    struct diagnosis *diagnosis)
{
    struct residual *residual =
        formulation_find("index1")->residual(model, mode, value, diagnosis);
    formula two = integer(model->tape, 2);
    for (int i = 0; residual && i < model->n; i++)
        residual->R[i] = sub(residual->R[i], mul(two, mode->lambda_force[i]));
    return residual;
}

/* Adds both sides of the tangent linear model of Definition 11, which is that of F -
   Phi_q' lambda, along a motion. */
static struct match sides_of_tlm(const struct tried *tried,
                                 const struct trajectory *exact)
{
    struct match match = {0};
    struct equations equations;
    equations_init(&equations, tried);
    for (int j = 0; j < exact->columns.p; j++)
        for (int k = 1; k < exact->samples; k++) {
            probe_at(&equations.probe, &exact->columns, &exact->sample[k]);
            probe_by(&equations.probe, &exact->columns, &exact->sample[k], j);
            probe_evaluate(&equations.probe, NULL, equations.derivative);
            match_add(&match, equations.derivative + equations.n, equations.derivative,
                      equations.n);
        }
    equations_clear(&equations);
    return match;
}

void try_52(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    const struct tried *tried = &ledger->motion[CAR];
    struct formulation printed = *tried->run.request.formulation;
    struct run_request request = tried->run.request;
    struct trajectory *exact;
    (void)row;
    printed.name = "index1-52";
    printed.residual = residual_52;
    request.formulation = &printed;
    if (complex_step_run(&request, &exact, NULL) != OK)
        slip("corner (52): no run");
    struct match wrong = sides_of_tlm(tried, exact);
    struct match right = sides_of_tlm(tried, tried->exact);
    const int lambda = exact->columns.begin[GROUP_LAMBDA];
    const double *by_52 = paper_end(exact)->x + lambda;
    const double *by_54 = paper_end(tried->exact)->x + lambda;
    trial->printed = match_digits(&wrong);
    trial->corrected = match_digits(&right);
    trial_judge(trial, "complex step of the motion by (52), and by (54)");
    trial_tell(trial, "At the end of car-axis lambda1 is %.6g by (52), %.6g by (54). The "
               "tangent linear model of (52) that the paper prints next (Definition 11) "
               "is violated by up to %.3g by the motion of (52), by %.1e by that of F - "
               "Phi_q' lambda; the largest M V' + ... is %.3g. The sign of lambda is a "
               "convention, but (54), (56) and (64d) have that of F - Phi_q' lambda.",
               by_52[0], by_54[0], wrong.error, right.error, right.size);
    trajectory_free(exact);
}
