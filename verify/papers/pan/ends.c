/*
 * ends.c - Pan, Ding, Wang 2004, (2)-(19): implicit starts and implicit ends,
 * directly and by adjoint equations; the printed formulas tried on both
 */
#include "papers/pan/pan.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "events/jump.h"
#include "papers/match.h"
#include "papers/pan/index3.h"
#include "papers/probe.h"

enum { MOST_BY = 8, MOST_COSTS = 3 };

/* --- the sign of eta ---------------------------------------------------------------- */

/* (17) as it is printed has + eta' Omegad, so that its factor of t_b vanishes for the
   eta of (18a) with the other sign. eta is what dt_e of a terminal event is weighed by in
   a sweep backwards: turning dt_e turns eta, in (18b) and in (19). */
static enum status turned_tau(const struct jump *jump, int parameter,
                              const struct jump_column *before, double *tau)
{
    enum status status = saltation_tau(jump, parameter, before, tau);
    *tau = -*tau;
    return status;
}

static const struct jump_rule printed_17 = {
    .name = "pan-17-printed", .title = "eta' Omegad added", .source = "(17)",
    .tau = turned_tau, .apply = saltation_apply};

/* --- the study ---------------------------------------------------------------------- */

/* A case with an end that moves: gradients of all its costs, and the formulas. */
struct moving {
    struct paper_run run;
    struct trajectory *exact;               /* by complex step */
    double want[MOST_COSTS][MOST_BY];       /* gradients by complex step */
    double direct[MOST_COSTS], adjoint[MOST_COSTS], printed[MOST_COSTS];    /* digits */
};

struct ends {
    struct moving index1, implicit, stone;
    double start, tau;          /* digits of (9) and of (10) */
    double in_5, in_11;         /* digits of the gradients by (5) and (11) */
    double tau_l1;              /* t_b by l1 */
    struct pan_index3 index3;
};

static int parameters_of(const struct moving *moving)
{
    return moving->run.request.parameters;
}

/* A gradient of cost k of a trajectory, by all parameters: out [parameters]. */
static void take_gradient(const struct trajectory *run, int k, double *out)
{
    int nz = run->columns.model->nz;
    for (int j = 0; j < run->columns.p; j++)
        out[j] = run->psi[(1 + j) * nz + k];
}

/* Digits of the gradient of cost k by adjoint equations, by the rule of the request. */
static double adjoint_digits(struct moving *moving, int k)
{
    struct gradient *back;
    const char *cost = moving->run.model->cost[k];
    if (paper_run_back(&moving->run, cost, &back) != OK)
        return NAN;
    double digits = array_digits(back->by_rho, moving->want[k], parameters_of(moving));
    gradient_free(back);
    return digits;
}

static enum status run_moving(struct moving *moving, char *why, int size)
{
    struct paper_run *run = &moving->run;
    paper_run_go(run);
    paper_run_complex(run, &moving->exact);
    for (int k = 0; run->status == OK && k < run->model->nz; k++) {
        double own[MOST_BY];
        take_gradient(moving->exact, k, moving->want[k]);
        take_gradient(run->trajectory, k, own);
        moving->direct[k] = array_digits(own, moving->want[k], parameters_of(moving));
        moving->adjoint[k] = adjoint_digits(moving, k);
        run->request.rule = &printed_17;
        moving->printed[k] = adjoint_digits(moving, k);
        run->request.rule = NULL;
    }
    return run->status == OK ? OK : paper_run_why(run, why, size);
}

static void clear_moving(struct moving *moving)
{
    trajectory_free(moving->exact);
    paper_run_clear(&moving->run);
}

/* --- (5), (9), (10), (11) ----------------------------------------------------------- */

/* The derivatives of q and v at the start, beside those by complex step. */
static double start_digits(const struct moving *moving)
{
    const struct columns *columns = &moving->exact->columns;
    double least = INFINITY;
    for (int j = 0; j < columns->p; j++) {
        int first = column(columns, GROUP_Q, 0, j);
        const double *want = moving->exact->sample[0].x + first;
        if (largest_size(want, 2 * columns->model->n) > 0)
            least = fmin(least, array_digits(moving->run.trajectory->sample[0].x + first,
                                           want, 2 * columns->model->n));
    }
    return least;
}

/* Omega, then G and H of every cost. */
static void open_end(struct probe *end, const struct trajectory *run)
{
    const struct model *model = run->columns.model;
    formula f[1 + 2 * MOST_COSTS];
    f[0] = model->event[0]->guard;
    memory_copy(f + 1, model->w, model->nz, sizeof *f);
    memory_copy(f + 1 + model->nz, model->mode[0]->g, model->nz, sizeof *f);
    probe_init(end, model, run->value, f, 1 + 2 * model->nz);
    probe_at(end, &run->columns, &run->event[0].before);
}

/* Evaluates (10), (5) and (11) at the end of the run, from derivatives of Omega, G and H
   and from x_b, and judges them by complex step. */
static void try_end(struct ends *ends)
{
    const struct moving *moving = &ends->index1;
    const struct trajectory *run = moving->run.trajectory;
    const struct event_record *line = &run->event[0];
    int nz = run->columns.model->nz, p = run->columns.p;
    double tau[MOST_BY], by_5[MOST_COSTS][MOST_BY], by_11[MOST_COSTS][MOST_BY];
    double value[1 + 2 * MOST_COSTS], d[1 + 2 * MOST_COSTS], rate[MOST_COSTS];
    struct probe end;
    open_end(&end, run);
    probe_by_time(&end);
    probe_evaluate(&end, value, d);
    double Omegad = d[0];
    for (int k = 0; k < nz; k++)        /* Gd + H */
        rate[k] = d[1 + k] + value[1 + nz + k];
    for (int j = 0; j < p; j++) {
        probe_by(&end, &run->columns, &line->before, j);
        probe_evaluate(&end, NULL, d);
        double Omega_b = d[0];
        tau[j] = -Omega_b / Omegad;
        for (int k = 0; k < nz; k++) {
            double G_b = d[1 + k];
            double integral = line->before.x[column(&run->columns, GROUP_Z, k, j)];
            by_5[k][j] = rate[k] * tau[j] + G_b + integral;
            by_11[k][j] = G_b - rate[k] * Omega_b / Omegad + integral;
        }
    }
    probe_clear(&end);
    ends->tau_l1 = tau[0];
    ends->tau = array_digits(tau, moving->exact->event[0].tau, p);
    ends->in_5 = ends->in_11 = INFINITY;
    for (int k = 0; k < nz; k++) {
        ends->in_5 = fmin(ends->in_5, array_digits(by_5[k], moving->want[k], p));
        ends->in_11 = fmin(ends->in_11, array_digits(by_11[k], moving->want[k], p));
    }
}

/* --- opened and closed -------------------------------------------------------------- */

static enum status open_ends(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct ends *ends = *study = memory_new(1, sizeof *ends);
    paper_run_of(&ends->index1.run, &pan_ends, "index1", 20, NULL);
    paper_run_of(&ends->implicit.run, &pan_ends, "implicit", 20, NULL);
    paper_run_init(&ends->stone.run, "stone-throw", "ode", 1, NULL);
    struct moving *const all[] = {&ends->index1, &ends->implicit, &ends->stone};
    for (int k = 0; k < 3; k++) {
        enum status status = run_moving(all[k], why, size);
        if (status != OK)
            return status;
    }
    ends->start = start_digits(&ends->index1);
    try_end(ends);
    pan_index3_try(&ends->index3, ends->index1.run.trajectory);
    return OK;
}

static void close_ends(void *study)
{
    struct ends *ends = study;
    clear_moving(&ends->index1);
    clear_moving(&ends->implicit);
    clear_moving(&ends->stone);
    free(ends);
}

/* --- claims ------------------------------------------------------------------------- */

static void judge_ends(const void *study, const struct claim *claim,
                       struct finding *finding)
{
    const struct ends *ends = study;
    const struct moving *moving = claim->subject == 0 ? &ends->index1 : &ends->implicit;
    const struct trajectory *run = moving->run.trajectory;
    int nz = run->columns.model->nz;
    double digits = fmin(least_of(moving->direct, nz), least_of(moving->adjoint, nz));
    finding_holds(finding, digits >= PAN_DIGITS, NAN);
    finding->digits = digits;
    finding_tell(finding, "Formulation %s. All of (q, v) starts from rows: the tip at "
                 "rest at a given place; the run ends at %.6f s where the tip passes a "
                 "vertical line. Gradients of three costs by %d parameters: that of the "
                 "paper, t |tip|^2 at the end, the integral of th1''^2; direct %.1f, "
                 "%.1f, %.1f digits, adjoint %.1f, %.1f, %.1f, by complex step.",
                 moving->run.request.formulation->name, run->event[0].before.t,
                 parameters_of(moving), moving->direct[0], moving->direct[1],
                 moving->direct[2], moving->adjoint[0], moving->adjoint[1],
                 moving->adjoint[2]);
}

static const struct claim claims[] = {
    {"(2), (3)", "both methods take an implicit start and end", "", "", judge_ends, 0},
    {"(1)-(3)", "and on F(x', x, t, b) = 0 as it stands", "", "", judge_ends, 1},
    {0}};

/* --- printed formulas --------------------------------------------------------------- */

enum { ROW_START, ROW_TAU, ROW_5, ROW_11, ROW_SWEEP };

/* Tells the digits of the quantity that the formula of a row computes. */
static void try_row(const void *study, const struct printed_formula *row,
                    struct trial *trial)
{
    static const char *const quantity[] = {
        "derivatives of (q, v) at the start", "t_b of the end",
        "gradients of three costs", "gradients of three costs",
        "gradients of three costs"};
    const struct ends *ends = study;
    const double digits[] = {ends->start, ends->tau, ends->in_5, ends->in_11,
                             least_of(ends->index1.adjoint, MOST_COSTS)};
    trial->printed = trial->corrected = digits[row->subject];
    trial_judge(trial, "complex step");
    trial_tell(trial, "Arm with implicit start and end, index1: %s, by %d parameters.",
               quantity[row->subject], parameters_of(&ends->index1));
    if (row->subject == ROW_TAU)
        trial_tell(trial, "By l1 it is %.6f s/m.", ends->tau_l1);
}

static void try_17(const void *study, const struct printed_formula *row,
                   struct trial *trial)
{
    const struct ends *ends = study;
    const struct moving *arm = &ends->index1, *stone = &ends->stone;
    (void)row;
    trial->printed = fmin(least_of(arm->printed, MOST_COSTS),
                          least_of(stone->printed, MOST_COSTS));
    trial->corrected = fmin(least_of(arm->adjoint, MOST_COSTS),
                            least_of(stone->adjoint, MOST_COSTS));
    trial_judge(trial, "complex step");
    trial_tell(trial, "The sweep backwards with eta of either sign. Arm with an implicit "
               "end, costs reach, delay, effort: %.1f, %.1f, %.1f digits with the "
               "printed sign, %.1f, %.1f, %.1f with the other. Case stone-throw, costs "
               "pace, blow, heat: %.1f, %.1f, %.1f and %.1f, %.1f, %.1f. Formula (18a) "
               "has the right sign.", arm->printed[0], arm->printed[1], arm->printed[2],
               arm->adjoint[0], arm->adjoint[1], arm->adjoint[2], stone->printed[0],
               stone->printed[1], stone->printed[2], stone->adjoint[0], stone->adjoint[1],
               stone->adjoint[2]);
}

static void try_18b(const void *study, const struct printed_formula *row,
                    struct trial *trial)
{
    const struct ends *ends = study;
    (void)row;
    pan_index3_tell(&ends->index3, trial);
}

static const struct printed_formula formulas[] = {
    {"(5)",
     "psi_b = (Gd + H) t_b + G_x x_b + G_b + int (H_xd xd_b + H_x x_b + H_b) dt", "",
     try_row, ROW_5},
    {"(9)", "x1_b = -Phi_x^-1 Phi_b", "", try_row, ROW_START},
    {"(10)", "t_b = -(Omega_x / Omegad) x_b - Omega_b / Omegad", "", try_row, ROW_TAU},
    {"(11)", "psi_b = [G_x - (Gd + H) Omega_x / Omegad] x_b + [G_b - (Gd + H) Omega_b / "
     "Omegad] + int ...", "", try_row, ROW_11},
    {"(17)", "(Gd + H + eta' Omegad) t_b", "(Gd + H - eta' Omegad) t_b", try_17, 0},
    {"(18), (19)", "Omegad eta = Gd + H, F_xd' lambda = ..., psi_b = G_b - xi' Phi_b - "
     "eta' Omega_b + int (H_b - lambda' F_b) dt", "", try_row, ROW_SWEEP},
    {"(18b), index 3", "F_xd' lambda = G_x' - Omega_x' eta",
     "F_xd' lambda = G_x' - Omega_x' eta - Phi_x' kappa,  G_b - kappa' Phi_b",
     try_18b, 0},
    {0}};

const struct study pan_ends_study = {
    .name = "pan, implicit ends", .weight = 1, .open = open_ends, .close = close_ends,
    .claim = claims, .formula = formulas};
