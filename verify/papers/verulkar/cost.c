/*
 * cost.c - Verulkar, Sandu, Dopico, Sandu: the cost of the penalty formulation,
 * of index-1, and of finite differences
 *
 * Times are of a machine, and the paper's is not printed: operations are counted. A
 * right-hand side evaluates the formulas of the residual, of its derivatives by the
 * unknowns, which the friction contains, and with sensitivities of its other derivatives;
 * it makes one factorisation and solves for the accelerations, and with sensitivities for
 * their derivative by one parameter, all by dense matrices:
 *
 *     index-1    n + m unknowns, LU                 2/3 (n + m)^3 + 2 (n + m)^2 each
 *     penalty    M + Phi_q' alpha Phi_q made, then  m n + 2 m n^2
 *                n unknowns, LU                     2/3 n^3 + (2 n^2 + 4 m n) each
 *
 * The friction makes both matrices unsymmetric. Without friction Cholesky's factors would
 * do for the second, with half of the operations.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "papers/finding.h"
#include "papers/match.h"
#include "papers/verulkar/verulkar.h"
#include "program/program.h"

enum { INDEX1, PENALTY, FORMULATIONS };
static const char *const formulation[FORMULATIONS] = {"index1", "penalty"};

/* Tolerances of the runs with sensitivities; those of finite differences; their steps,
   relative to the length of the crank. */
static const double tolerance[] = {1e-6, 1e-9};
static const double finer[] = {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13};
static const double step[] = {3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5};
enum {
    TOLERANCES = sizeof tolerance / sizeof tolerance[0],
    FINER = sizeof finer / sizeof finer[0],
    STEPS = sizeof step / sizeof step[0]
};

/* Central differences: digits of the derivatives, and operations of both runs. */
struct difference {
    double digits, operations;
};

struct cost {
    int n, m;
    double formulas[FORMULATIONS];      /* operations of the residual and derivatives */
    double plain;                       /* likewise of index-1 without sensitivities */
    long sides[FORMULATIONS][TOLERANCES];   /* right-hand sides of 1 s */
    double digits[TOLERANCES];          /* of the derivatives by index-1 */
    struct difference difference[FINER][STEPS];
};

/* Operations of factors and solutions. */
static double saddle(double N, int solutions)
{
    return 2 * pow(N, 3) / 3 + solutions * 2 * pow(N, 2);
}

/* `factor`: n^3 times this are the operations of the factorisation. */
static double normal(double n, double m, double factor)
{
    return m * n + 2 * m * n * n + factor * pow(n, 3) + 2 * (2 * n * n + 4 * m * n);
}

static double solving(const struct cost *cost, int which)
{
    return which == INDEX1 ? saddle(cost->n + cost->m, 2)
                           : normal(cost->n, cost->m, 2.0 / 3);
}

/* Operations of a run with sensitivities. */
static double operations(const struct cost *cost, int which, int k)
{
    return (double)cost->sides[which][k] * (cost->formulas[which] + solving(cost, which));
}

static double ratio(const struct cost *cost, int k)
{
    return operations(cost, PENALTY, k) / operations(cost, INDEX1, k);
}

/* --- formulas ----------------------------------------------------------------------- */

/* Operations of a residual and of its derivatives by unknowns; with `all` by the state
   and L_crank, too. */
static int operations_of(const struct model *model, const struct residual *residual,
                         bool all)
{
    int n = model->n, m = model->m, rows = residual->rows, count = rows;
    const int block[] = {BLOCK_A, BLOCK_LAMBDA, BLOCK_Q, BLOCK_V};
    const int size[] = {n, m, n, n};
    formula *out = memory_new(rows * (3 * n + m + 2), sizeof *out),
            *by_rho = memory_new(model->p, sizeof *by_rho);
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    memory_copy(out, residual->R, rows, sizeof *out);
    for (int b = 0; b < (all ? 4 : 2); count += rows * size[b], b++)
        jacobian(residual->R, rows, block[b], size[b], out + count);
    for (int i = 0; all && i < rows; i++) {
        gradient(residual->R[i], BLOCK_RHO, model->p, by_rho);
        out[count++] = by_rho[model_parameter_index(model, "L_crank")];
    }
    struct program *program = program_seal(model->tape, out, count, stage);
    int total = program_operations(program);
    program_free(program);
    free(by_rho);
    free(out);
    return total;
}

static enum status count_formulas(struct cost *cost, struct paper_run *run, int which)
{
    struct model *branch = model_branch(run->model);
    struct residual *residual = formulation_residual(run->request.formulation, branch,
                                                     branch->start, run->option,
                                                     &run->diagnosis);
    if (residual) {
        cost->n = branch->n;
        cost->m = branch->start->m;
        cost->formulas[which] = operations_of(branch, residual, true);
        if (which == INDEX1)
            cost->plain = operations_of(branch, residual, false);
        residual_free(residual);
    } else {
        run->status = run->diagnosis.status;
    }
    model_branch_free(branch);
    return run->status;
}

/* --- runs --------------------------------------------------------------------------- */

static void set_up(struct paper_run *run, int which, const char *sens)
{
    paper_run_init(run, "slider-crank-friction", formulation[which], 10, sens);
    paper_run_until(run, 1);
    if (which == PENALTY) {
        paper_run_option(run, "alpha", "1e3");
        paper_run_option(run, "solve", "normal");
    }
}

/* Digits of dq/dL_crank, numbers of `got` beside those of the truth: the largest error at
   a sample over the largest value. */
static double digits_of(const struct trajectory *truth, const double *got)
{
    const struct columns *columns = &truth->columns;
    int n = columns->model->n;
    struct match match = {0};
    for (int k = 0; k < truth->samples; k++)
        match_add(&match, got + k * n, truth->sample[k].x + columns->width, n);
    return match_digits(&match);
}

/* Copies columns `first` to first + n - 1 of all samples. */
static void copy_columns(const struct trajectory *trajectory, int first, double *out)
{
    int n = trajectory->columns.model->n;
    for (int k = 0; k < trajectory->samples; k++)
        memory_copy(out + k * n, trajectory->sample[k].x + first, n, sizeof *out);
}

static enum status run_direct(struct cost *cost, int which,
                              const struct trajectory *truth, char *why, int size)
{
    struct paper_run run;
    set_up(&run, which, "L_crank");
    if (run.status == OK)
        count_formulas(cost, &run, which);
    for (int k = 0; k < TOLERANCES && run.status == OK; k++) {
        paper_run_tolerance(&run, tolerance[k]);
        if (paper_run_go(&run) == OK) {
            int samples = run.trajectory->samples;
            double *got = memory_new(samples * cost->n, sizeof *got);
            cost->sides[which][k] = run.trajectory->evaluations;
            copy_columns(run.trajectory, run.trajectory->columns.width, got);
            if (which == INDEX1)
                cost->digits[k] = digits_of(truth, got);
            free(got);
        }
        trajectory_free(run.trajectory);
        run.trajectory = NULL;
    }
    enum status status = run.status;
    if (status != OK)
        paper_run_why(&run, why, size);
    paper_run_clear(&run);
    return status;
}

/* One central difference, at crank length L with step h. */
static enum status difference(struct cost *cost, struct runner *runner,
                              struct paper_run *run, double L, double h,
                              const struct trajectory *truth, struct difference *out)
{
    int count = truth->samples * cost->n;
    double *q[2] = {memory_new(count, sizeof *q[0]), memory_new(count, sizeof *q[0])};
    long sides = 0;
    for (int side = 0; side < 2 && run->status == OK; side++) {
        struct trajectory *trajectory = NULL;
        paper_run_set(run, "L_crank", side ? L - h : L + h);
        run->status = runner_run(runner, run->value, &trajectory, &run->diagnosis);
        if (run->status == OK) {
            copy_columns(trajectory, 0, q[side]);
            sides += trajectory->evaluations;
        }
        trajectory_free(trajectory);
    }
    for (int i = 0; i < count; i++)
        q[0][i] = (q[0][i] - q[1][i]) / (2 * h);
    out->digits = digits_of(truth, q[0]);
    out->operations = (double)sides * (cost->plain + saddle(cost->n + cost->m, 1));
    free(q[0]);
    free(q[1]);
    return run->status;
}

static enum status run_differences(struct cost *cost, const struct trajectory *truth,
                                   char *why, int size)
{
    struct paper_run run;
    set_up(&run, INDEX1, "");
    struct runner *runner = run.status == OK ? runner_new(&run.request, &run.diagnosis)
                                             : NULL;
    if (!runner && run.status == OK)
        run.status = run.diagnosis.status;
    double L = runner ? paper_value(&run, "L_crank") : NAN;
    for (int i = 0; i < FINER && run.status == OK; i++) {
        runner_tolerances(runner, finer[i], finer[i] / 1000);
        for (int j = 0; j < STEPS && run.status == OK; j++)
            difference(cost, runner, &run, L, step[j] * L, truth,
                       &cost->difference[i][j]);
    }
    enum status status = run.status;
    if (status != OK)
        paper_run_why(&run, why, size);
    if (runner)
        runner_free(runner);
    paper_run_clear(&run);
    return status;
}

/* --- the study ---------------------------------------------------------------------- */

static enum status open_cost(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct cost *cost = *study = memory_new(1, sizeof *cost);
    struct paper_run run;
    struct trajectory *truth;
    set_up(&run, INDEX1, "L_crank");
    enum status status = paper_run_complex(&run, &truth);
    if (status != OK)
        paper_run_why(&run, why, size);
    for (int which = 0; which < FORMULATIONS && status == OK; which++)
        status = run_direct(cost, which, truth, why, size);
    if (status == OK)
        status = run_differences(cost, truth, why, size);
    trajectory_free(truth);
    paper_run_clear(&run);
    return status;
}

static void close_cost(void *study)
{
    free(study);
}

/* --- claims ------------------------------------------------------------------------- */

/* Operations of a right-hand side by penalty over those by index-1. */
static double each(const struct cost *cost)
{
    return (cost->formulas[PENALTY] + solving(cost, PENALTY)) /
           (cost->formulas[INDEX1] + solving(cost, INDEX1));
}

static void judge_faster(const void *study, const struct claim *claim,
                         struct finding *finding)
{
    (void)claim;
    const struct cost *cost = study;
    finding_holds(finding, each(cost) < 1 && ratio(cost, 0) < 1 && ratio(cost, 1) < 1,
                  each(cost));
    finding_tell(finding, "Ours are the operations of a right-hand side by penalty over "
                 "those by index-1. Formulas and derivatives: %.0f and %.0f; dense "
                 "linear solutions: %.0f (n = %d) and %.0f (n + m = %d).",
                 cost->formulas[PENALTY], cost->formulas[INDEX1], solving(cost, PENALTY),
                 cost->n, solving(cost, INDEX1), cost->n + cost->m);
    finding_tell(finding, "Runs of 1 s have %ld and %ld right-hand sides at rtol %.0e, "
                 "%ld and %ld at %.0e: %.3g and %.3g of the operations.",
                 cost->sides[PENALTY][0], cost->sides[INDEX1][0], tolerance[0],
                 cost->sides[PENALTY][1], cost->sides[INDEX1][1], tolerance[1],
                 ratio(cost, 0), ratio(cost, 1));
}

static void judge_how_much(const void *study, const struct claim *claim,
                           struct finding *finding)
{
    const struct cost *cost = study;
    double cholesky = (cost->formulas[PENALTY] + normal(cost->n, cost->m, 1.0 / 3)) /
                      (cost->formulas[INDEX1] + solving(cost, INDEX1));
    finding_depends(finding, claim, 100 * (1 - each(cost)), NAN);
    finding_tell(finding, "Machine, integrator, tolerance and code are not printed. Ours "
                 "are the operations saved in a right-hand side; in runs of 1 s %.3g %% "
                 "at rtol %.0e, %.3g %% at %.0e. Saved in formulas alone: %.3g %%; if "
                 "Cholesky's factors did, without friction: %.3g %%. Times: saltus bench "
                 "--workload slider-crank-friction.", 100 * (1 - ratio(cost, 0)),
                 tolerance[0], 100 * (1 - ratio(cost, 1)), tolerance[1],
                 100 * (1 - cost->formulas[PENALTY] / cost->formulas[INDEX1]),
                 100 * (1 - cholesky));
}

/* The cheapest difference with so many digits; NULL: none has. */
static const struct difference *cheapest(const struct cost *cost, double digits)
{
    const struct difference *best = NULL;
    for (int i = 0; i < FINER; i++)
        for (int j = 0; j < STEPS; j++) {
            const struct difference *one = &cost->difference[i][j];
            if (one->digits >= digits && (!best || one->operations < best->operations))
                best = one;
        }
    return best;
}

static void judge_differences(const void *study, const struct claim *claim,
                              struct finding *finding)
{
    (void)claim;
    const struct cost *cost = study;
    double dearer[TOLERANCES];
    for (int k = 0; k < TOLERANCES; k++) {
        const struct difference *best = cheapest(cost, cost->digits[k]);
        dearer[k] = best ? operations(cost, INDEX1, k) / best->operations : 0;
    }
    finding_holds(finding, dearer[0] < 1 && dearer[1] < 1, dearer[0]);
    finding_tell(finding, "Ours are the operations by direct differentiation at rtol "
                 "%.0e over those of the cheapest central difference with no fewer "
                 "digits of dq/dL_crank (%.1f, complex step), of %d tolerances and %d "
                 "steps; %.3g at %.0e (%.1f digits; 0: no difference has as many). One "
                 "parameter, index-1.", tolerance[0], cost->digits[0], FINER, STEPS,
                 dearer[1], tolerance[1], cost->digits[1]);
}

static const struct claim claims[] = {
    {"Sec. 1", "sensitivities are cheaper than by differences of equal accuracy", "", "",
     judge_differences, 0},
    {"Sec. 4", "the computation by penalty is faster than by index-1", "", "",
     judge_faster, 0},
    {"Sec. 4", "how much faster", "26", "%", judge_how_much, 0},
    {0}};

const struct study verulkar_cost = {
    .name = "verulkar, operations", .weight = 7, .open = open_cost, .close = close_cost,
    .claim = claims};
