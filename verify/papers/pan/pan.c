/*
 * pan.c - Pan, Ding, Wang 2004: a two-link arm in absolute coordinates, directly and by
 * adjoint equations; its printed numbers and its figures
 */
#include "papers/pan/arm.h"

#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "oracles/published.h"
#include "papers/match.h"
#include "papers/probe.h"

/* Samples of a curve; later positions drawn; panels and nodes of the quadrature. */
enum { POINTS = 440, STILLS = 5, PANELS = 88, NODES = 10 };

#define START "declared: rest at th1 = 60, th2 = -30 degrees (tip at (2, 0)), " \
    "9.81 m/s^2, no torques"

/* --- the printed numbers ------------------------------------------------------------ */

const char *const pan_printed[PAN_NUMBERS] = {PAN_PSI, PAN_PSI_L1, PAN_PSI_L2,
                                              PAN_PSI_M1, PAN_PSI_M2};

static double read_number(const char *text, double *unit)
{
    int digits, place;
    printed_digits(text, &digits, &place);
    *unit = pow(10, place);
    return strtod(text, NULL);
}

double pan_number(int k, double *unit)
{
    return read_number(pan_printed[k], unit);
}

double pan_sum(const double b[2], const char *const printed[2], double *rounding)
{
    double total = 0, unit;
    *rounding = 0;
    for (int k = 0; k < 2; k++) {
        total += b[k] * read_number(printed[k], &unit);
        *rounding += b[k] * unit / 2;
    }
    return total;
}

/* --- the study ---------------------------------------------------------------------- */

/* Sets b [PAN_BY]: l1, l2, m1, m2 of the run. */
static void take_b(const struct arm *arm, double *b)
{
    const struct paper_run *run = &arm->index1.run;
    for (int k = 0; k < PAN_BY; k++)
        b[k] = run->value[run->parameter[k]];
}

static enum status run_both(struct both_methods *both, const char *formulation)
{
    paper_run_init(&both->run, "two-link-absolute", formulation, POINTS,
                   "l1,l2,m1,m2,start1");
    paper_run_go(&both->run);
    return paper_run_back(&both->run, "reach", &both->back);
}

static void judge_both(struct both_methods *both, const double *want)
{
    const struct trajectory *run = both->run.trajectory;
    both->direct = array_digits(run->psi + 1, want + 1, PAN_BY);
    both->adjoint = array_digits(both->back->by_rho, want + 1, PAN_BY);
}

/* The sum of weights times |tip|^2 and its derivatives, over the samples of a run. */
static void integrate(const struct paper_run *run, const double *weight, double *integral)
{
    const struct columns *columns = &run->trajectory->columns;
    struct probe H;
    probe_init(&H, run->model, run->value, run->model->mode[0]->g, 1);
    for (int k = 0; k < run->request.samples; k++) {
        const struct run_point *point = &run->trajectory->sample[k + 1];
        double value, derivative;
        probe_at(&H, columns, point);
        for (int j = 0; j < PAN_BY; j++) {
            probe_by(&H, columns, point, j);
            probe_evaluate(&H, &value, &derivative);
            integral[1 + j] += weight[k] * derivative;
        }
        integral[0] += weight[k] * value;
    }
    probe_clear(&H);
}

/* Integrals over a motion with samples at the nodes of Gauss and Legendre, beside the
   differential equations (22), (24) of a run. */
static enum status run_quadrature(struct arm *arm, char *why, int size)
{
    struct paper_run run;
    double weight[PANELS * NODES], integral[PAN_NUMBERS] = {0};
    paper_run_init(&run, "two-link-absolute", "index1", PANELS * NODES,
                   "l1,l2,m1,m2");
    gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(NODES);
    double h = run.request.t_end / PANELS;
    for (int k = 0; k < PANELS; k++)
        for (int i = 0; i < NODES; i++)
            gsl_integration_glfixed_point(k * h, (k + 1) * h, (size_t)i,
                                          &run.sample[k * NODES + i],
                                          &weight[k * NODES + i], rule);
    gsl_integration_glfixed_table_free(rule);
    if (paper_run_go(&run) == OK) {
        integrate(&run, weight, integral);
        arm->quadrature = fmin(array_digits(arm->index1.run.trajectory->psi, integral, 1),
                               array_digits(arm->index1.run.trajectory->psi + 1,
                                          integral + 1, PAN_BY));
    }
    enum status status = run.status == OK ? OK : paper_run_why(&run, why, size);
    paper_run_clear(&run);
    return status;
}

/* mu' Y + Z + G at every sample of the sweep: by (24) it is the gradient at each. */
static double running_digits(const struct arm *arm)
{
    const struct gradient *back = arm->index1.back;
    const struct trajectory *run = arm->index1.run.trajectory;
    const struct columns *columns = &run->columns;
    double least = INFINITY;
    for (int k = 0; k < back->samples; k++) {
        double sum[PAN_BY];
        const double *x = run->sample[k + 1].x;
        for (int j = 0; j < PAN_BY; j++) {
            const double *Y = x + column(columns, GROUP_Q, 0, j);
            sum[j] = back->sample[k].G[j] + x[column(columns, GROUP_Z, 0, j)];
            for (int i = 0; i < 2 * columns->model->n; i++)
                sum[j] += back->sample[k].mu[i] * Y[i];
        }
        if (!isnan(sum[0]))
            least = fmin(least, array_digits(sum, arm->want + 1, PAN_BY));
    }
    return least;
}

static double sum_of_masses(const struct trajectory *run, const double *b)
{
    return b[2] * paper_psi(run, "reach", "m1") + b[3] * paper_psi(run, "reach", "m2");
}

static double tip_at_end(const struct paper_run *run)
{
    double tip;
    struct probe H;
    probe_init(&H, run->model, run->value, run->model->mode[0]->g, 1);
    probe_at(&H, &run->trajectory->columns,
             paper_end(run->trajectory));
    probe_evaluate(&H, &tip, NULL);
    probe_clear(&H);
    return tip;
}

static enum status judge_runs(struct arm *arm, char *why, int size)
{
    memory_copy(arm->want, arm->exact->psi, PAN_NUMBERS, sizeof *arm->want);
    judge_both(&arm->index1, arm->want);
    judge_both(&arm->implicit, arm->want);
    arm->running = running_digits(arm);
    arm->tip = tip_at_end(&arm->index1.run);
    return run_quadrature(arm, why, size);
}

static enum status open_arm(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct arm *arm = *study = memory_new(1, sizeof *arm);
    run_both(&arm->index1, "index1");
    run_both(&arm->implicit, "implicit");
    paper_run_complex(&arm->index1.run, &arm->exact);
    paper_run_init(&arm->drawn, "two-link-absolute", "index1", STILLS, "");
    paper_run_until(&arm->drawn, 0.5);
    paper_run_go(&arm->drawn);
    const struct paper_run *const run[] = {&arm->index1.run, &arm->implicit.run,
                                           &arm->drawn};
    for (int k = 0; k < 3; k++)
        if (run[k]->status != OK)
            return paper_run_why(run[k], why, size);
    return judge_runs(arm, why, size);
}

static void close_arm(void *study)
{
    struct arm *arm = study;
    trajectory_free(arm->exact);
    gradient_free(arm->index1.back);
    gradient_free(arm->implicit.back);
    paper_run_clear(&arm->index1.run);
    paper_run_clear(&arm->implicit.run);
    paper_run_clear(&arm->drawn);
    free(arm);
}

/* --- claims ------------------------------------------------------------------------- */

static void judge_number(const void *study, const struct claim *claim,
                         struct finding *finding)
{
    const struct arm *arm = study;
    const struct trajectory *run = arm->index1.run.trajectory;
    int k = claim->subject;
    finding_depends(finding, claim, run->psi[k],
                    array_digits(run->psi + k, arm->want + k, 1));
    if (k == 0)
        finding_tell(finding, "Missing: initial state, gravity, torques; " START ". For "
                     "starts that were sought see below.");
}

/* m1 psi_m1 + m2 psi_m2 of the printed numbers. */
static void judge_masses(const void *study, const struct claim *claim,
                         struct finding *finding)
{
    const struct arm *arm = study;
    double b[PAN_BY], rounding;
    (void)claim;
    take_b(arm, b);
    double sum = pan_sum(b + 2, pan_printed + 3, &rounding);
    finding_holds(finding, fabs(sum) <= rounding, sum);
    const struct trajectory *run = arm->index1.run.trajectory;
    finding_tell(finding, "The paper does not say which forces act. Ours is m1 psi_m1 + "
                 "m2 psi_m2. Gravity alone and a start that does not depend on the "
                 "masses imply zero, for every start and every g; rounding of the "
                 "printed digits explains %.2g. In our run the sum is %.1e. Zero is not "
                 "implied where a torque, a spring or a damper acts, or where the start "
                 "depends on the masses: from the declared start, a th1 that moves by "
                 "%.2g rad when both masses grow by a factor e would explain it.",
                 rounding, sum_of_masses(run, b),
                 sum / paper_psi(run, "reach", "start1"));
}

/* l1 psi_l1 + l2 psi_l2 = 5/2 psi - T/2 |tip(T)|^2, from rest at given angles. */
static void judge_lengths(const void *study, const struct claim *claim,
                          struct finding *finding)
{
    const struct arm *arm = study;
    const double *psi = arm->index1.run.trajectory->psi;
    double T = arm->index1.run.request.t_end, b[PAN_BY], rounding, unit;
    (void)claim;
    take_b(arm, b);
    double l1 = b[0], l2 = b[1], sum = pan_sum(b, pan_printed + 1, &rounding);
    double tip = (5 * pan_number(0, &unit) / 2 - sum) * 2 / T;
    double own = l1 * psi[1] + l2 * psi[2] - (5 * psi[0] / 2 - T / 2 * arm->tip);
    finding_holds(finding, pow(l1 - l2, 2) <= tip && tip <= pow(l1 + l2, 2), tip);
    finding_tell(finding, "From rest at given angles l1 psi_l1 + l2 psi_l2 = 5/2 psi - "
                 "T/2 |tip(T)|^2. In our run both sides differ by %.1e. The printed "
                 "numbers need |tip(T)|^2 = %.4f m^2; between %.3f and %.3f m^2 are in "
                 "reach, so lengths alone do not exclude such a start.", own, tip,
                 pow(l1 - l2, 2), pow(l1 + l2, 2));
}

static void judge_methods(const void *study, const struct claim *claim,
                          struct finding *finding)
{
    const struct arm *arm = study;
    const struct both_methods *both = claim->subject == 0 ? &arm->index1 : &arm->implicit;
    double digits = array_digits(both->back->by_rho, both->run.trajectory->psi + 1,
                                 PAN_BY);
    finding_holds(finding, digits >= PAN_DIGITS, NAN);
    finding->digits = digits;
    finding_tell(finding, "Formulation %s: %.1f digits of the direct gradient and %.1f "
                 "of the adjoint one agree with complex step.",
                 both->run.request.formulation->name, both->direct, both->adjoint);
}

static void judge_quadrature(const void *study, const struct claim *claim,
                             struct finding *finding)
{
    const struct arm *arm = study;
    (void)claim;
    finding_holds(finding, arm->quadrature >= PAN_DIGITS, NAN);
    finding->digits = arm->quadrature;
    finding_tell(finding, "Compared are psi and its gradient as differential equations, "
                 "beside Gauss quadrature with %d nodes over the motion.",
                 PANELS * NODES);
}

static const struct claim claims[] = {
    {"Sec. 5", "psi, the integral of |tip|^2 over 4.4 s", PAN_PSI, "m^2 s",
     judge_number, 0},
    {"Sec. 5", "its derivative by l1", PAN_PSI_L1, "m s", judge_number, 1},
    {"Sec. 5", "its derivative by l2", PAN_PSI_L2, "m s", judge_number, 2},
    {"Sec. 5", "its derivative by m1", PAN_PSI_M1, "m^2 s/kg", judge_number, 3},
    {"Sec. 5", "its derivative by m2", PAN_PSI_M2, "m^2 s/kg", judge_number, 4},
    {"ours", "the printed psi_m1, psi_m2 belong to an arm under gravity alone", "",
     "m^2 s", judge_masses, 0},
    {"ours", "the printed psi_l1, psi_l2 leave a start at rest possible", "", "m^2",
     judge_lengths, 0},
    {"Abstract", "the direct and the adjoint method agree", "", "", judge_methods, 0},
    {"(1)", "they agree on F(x', x, t, b) = 0 as it stands", "", "", judge_methods, 1},
    {"Sec. 4", "differential equations give the integrals", "", "", judge_quadrature, 0},
    {0}};

/* --- printed formulas --------------------------------------------------------------- */

static void try_running(const void *study, const struct printed_formula *row,
                        struct trial *trial)
{
    const struct arm *arm = study;
    (void)row;
    trial->printed = trial->corrected = arm->running;
    trial_judge(trial, "complex step");
    trial_tell(trial, "On two-link-absolute, index1, at each of %d times the integral up "
               "to there, with the weights of the state and its derivatives, makes the "
               "gradient; digits are the least.", arm->index1.back->samples);
}

static const struct printed_formula formulas[] = {
    {"(24)",
     "d/dt psi_b = H_b - lambda' F_b,  psi_b(t1) = G_b - xi' Phi_b - eta' Omega_b", "",
     try_running, 0},
    {0}};

/* --- the paper ---------------------------------------------------------------------- */

const struct study pan_arm_study = {
    .name = "pan, two-link arm", .weight = 1, .open = open_arm, .close = close_arm,
    .claim = claims, .formula = formulas, .figure = pan_figures};

extern const struct paper paper_pan;
const struct paper paper_pan = {
    .name = "pan",
    .authors = "Pan, Ding, Wang",
    .year = "2004",
    .title = "Design sensitivity analysis of multibody system dynamics described by "
             "implicit differential/algebraic equations",
    .journal = "Received 15 April 2004, in Chinese",
    .question = "An arm of two uniform rods in absolute coordinates swings for 4.4 s; a "
                "cost and its gradient are computed directly and by adjoint equations.",
    .study = (const struct study *const[]){&pan_arm_study, &pan_ends_study,
                                           &pan_search_study, NULL}};
