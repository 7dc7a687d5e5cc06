/*
 * formulas.c - printed formulas of Mukharlyamov, Deressa 2014, tried
 */
#include "papers/mukharlyamov/trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/match.h"

/* One run of the modified equation by M and Q of some origin. */
struct motion_by {
    struct paper_run run;
    double gap;                         /* of the balance of energy, J */
};

struct formulas_study {
    struct arm_sheet *sheet;
    struct redundant redundant;
    struct arm_exact mp;                /* (16) = 0 in MPFR, to t = 0.3 */
    struct paper_run by_21, by_33, by_25, by_25_scaled, by_34, saddle;
    struct motion_by own, printed_M, printed_Q, printed;
};

/* --- runs --------------------------------------------------------------------------- */

/* T + V at a sample, by bars between points. */
static double energy_at(struct arm_sheet *sheet, const struct trajectory *trajectory,
                        int sample)
{
    double value[ARM_COSTS];
    arm_values_at(sheet, trajectory, &trajectory->sample[sample], value);
    return value[KINETIC] + value[POTENTIAL];
}

static void run_motion(struct arm_sheet *sheet, struct motion_by *own,
                       const struct arm_law *law)
{
    arm_run_init(&own->run, law, 100, 2.5);
    if (paper_run_go(&own->run) != OK)
        return;
    const struct trajectory *trajectory = own->run.trajectory;
    arm_sheet_like(sheet, &own->run);
    own->gap = fabs(energy_at(sheet, trajectory, trajectory->samples - 1) -
                    energy_at(sheet, trajectory, 0) - trajectory->psi[0]);
}

static void run_law(struct paper_run *run, const struct arm_law *law)
{
    arm_run_init(run, law, 3, 0.3);
    paper_run_go(run);
}

/* (34) from the start of the catalogue's arm, and the saddle point from there. */
static void run_saddle(struct formulas_study *own)
{
    static const char *const start[] = {"start_q1", "start_q2", "start_v1", "start_v2"};
    struct paper_run *run = &own->saddle;
    paper_run_init(run, "two-link-driven", "modified-lagrange", 3, "");
    paper_run_option(run, "alpha", arm_case[0].alpha);
    paper_run_option(run, "kd", arm_case[0].K_D);
    paper_run_option(run, "kp", arm_case[0].K_P);
    arm_run_init(&own->by_34, &arm_34, 3, 0.3);
    if (paper_run_go(run) != OK)
        return;
    for (int i = 0; i < 4; i++)
        paper_run_set(&own->by_34, start[i], run->trajectory->sample[0].x[i]);
    paper_run_set(&own->by_34, "x0", paper_value(run, "x0"));
    paper_run_go(&own->by_34);
}

/* All runs; NULL-terminated. */
static void all_runs(struct formulas_study *own, struct paper_run *run[11])
{
    struct paper_run *const list[] = {
        &own->by_21, &own->by_33, &own->by_25, &own->by_25_scaled, &own->by_34,
        &own->saddle, &own->own.run, &own->printed_M.run, &own->printed_Q.run,
        &own->printed.run, NULL};
    memcpy(run, list, sizeof list);
}

static enum status open_formulas(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct formulas_study *own = *study = memory_new(1, sizeof *own);
    struct paper_run *run[11];
    own->sheet = arm_sheet_new();
    redundant_try(&own->redundant);
    arm_exact_run(&own->mp, &arm_baumgarte.desc, 20, 300, 300);
    run_law(&own->by_21, &arm_21);
    run_law(&own->by_33, &arm_33);
    run_law(&own->by_25, &arm_25);
    run_law(&own->by_25_scaled, &arm_25_scaled);
    run_saddle(own);
    run_motion(own->sheet, &own->own, &arm_34);
    run_motion(own->sheet, &own->printed_M, &arm_34_printed_M);
    run_motion(own->sheet, &own->printed_Q, &arm_34_printed_Q);
    run_motion(own->sheet, &own->printed, &arm_34_printed);
    all_runs(own, run);
    for (int k = 0; run[k]; k++)
        if (run[k]->status != OK)
            return paper_run_why(run[k], why, size);
    return OK;
}

static void close_formulas(void *study)
{
    struct formulas_study *own = study;
    struct paper_run *run[11];
    all_runs(own, run);
    for (int k = 0; run[k]; k++)
        paper_run_clear(run[k]);
    arm_sheet_free(own->sheet);
    arm_exact_clear(&own->mp);
    free(own);
}

/* --- displays of the example -------------------------------------------------------- */

/* A display with the costs that are printed and those that are right. */
struct displayed {
    int printed, corrected, count;
    judge_display *judge;
};
enum { DISPLAY_23, DISPLAY_32, DISPLAY_JACOBIAN, DISPLAY_16, DISPLAY_XI, DISPLAY_M,
       DISPLAY_Q };
static const struct displayed displayed[] = {
    [DISPLAY_23] = {RATE_23, THETAD, 2, want_rate},
    [DISPLAY_32] = {THETADD, THETADD, 2, want_second_rate},
    [DISPLAY_JACOBIAN] = {JACOBIAN, JACOBIAN, 4, want_jacobian},
    [DISPLAY_16] = {STABILISED, STABILISED, 2, want_stabilised},
    [DISPLAY_XI] = {XI, XI, 2, want_Xi},
    [DISPLAY_M] = {PRINTED_M, OWN_M, 3, want_M},
    [DISPLAY_Q] = {PRINTED_Q, OWN_Q, 2, want_Q}};

static void try_display(const void *study, const struct printed_formula *row,
                        struct trial *trial)
{
    const struct formulas_study *own = study;
    const struct displayed *d = &displayed[row->subject];
    const bool energies = row->subject >= DISPLAY_M;
    struct paper_run nominal;
    arm_run_init(&nominal, &arm_34, 1, 1);
    arm_sheet_like(own->sheet, &nominal);
    paper_run_clear(&nominal);
    trial->printed = display_digits(own->sheet, d->printed, d->count, d->judge);
    trial->corrected = display_digits(own->sheet, d->corrected, d->count, d->judge);
    trial_judge(trial, energies ? "energies of bars between "
             "points, complex step" : "complex step in the constraints");
    trial_tell(trial, "Least digits of %d numbers at %d states.", d->count, STATES);
    if (row->subject == DISPLAY_23)
        trial_tell(trial, "Theta_t = (0, v) does not change; the display below (32) has "
                   "Theta_t. The dot may be one of the extracted text.");
    if (!energies)
        return;
    const struct motion_by *by = row->subject == DISPLAY_M ? &own->printed_M
                                                           : &own->printed_Q;
    const struct trajectory *a = own->own.run.trajectory, *b = by->run.trajectory;
    struct match apart = {0}, both = {0};
    for (int k = 0; k < a->samples; k++) {
        match_add(&apart, &b->sample[k].x[1], &a->sample[k].x[1], 1);
        match_add(&both, &own->printed.run.trajectory->sample[k].x[1],
                  &a->sample[k].x[1], 1);
    }
    trial_tell(trial, "In case 1 to 2.5 s with the printed %s alone q2 is up to %.3f rad "
               "away (with M and Q as printed %.3f), and energy and work balance to %.1e "
               "J; with the corrected ones to %.1e J.",
               row->subject == DISPLAY_M ? "M" : "Q", apart.error, both.error,
               by->gap, own->own.gap);
    if (row->subject == DISPLAY_Q)
        trial_tell(trial, "The direction of gravity is not printed; declared: -y.");
}

/* --- methods ------------------------------------------------------------------------ */

/* Digits of q and of v at the end. */
static double digits_of_motion(const struct paper_run *got, const struct paper_run *want)
{
    const double *a = paper_end(got->trajectory)->x, *b = paper_end(want->trajectory)->x;
    return fmin(array_digits(a, b, 2), array_digits(a + 2, b + 2, 2));
}

static double digits_of_exact(const struct paper_run *got, const struct arm_exact *exact)
{
    const double *a = paper_end(got->trajectory)->x, *b = arm_exact_last(exact)->q;
    return fmin(number_digits(a[0], b[0]), number_digits(a[1], b[1]));
}

static void try_33(const void *study, const struct printed_formula *row,
                   struct trial *trial)
{
    (void)row;
    const struct formulas_study *own = study;
    trial->printed = digits_of_exact(&own->by_33, &own->mp);
    trial->corrected = digits_of_exact(&own->by_21, &own->mp);
    trial_judge(trial, "MPFR, (16) = 0 solved for q''");
    trial_tell(trial, "At 0.3 s from the printed start q2 is %.4f rad as printed, %.4f "
               "rad with the transpose of (21), %.4f rad exactly.",
               own->by_33.trajectory->sample[3].x[1],
               own->by_21.trajectory->sample[3].x[1], arm_exact_last(&own->mp)->q[1]);
}

static void try_25(const void *study, const struct printed_formula *row,
                   struct trial *trial)
{
    (void)row;
    const struct formulas_study *own = study;
    struct paper_run at_printed;
    arm_run_init(&at_printed, &arm_34, 3, 0.3);
    if (paper_run_go(&at_printed) != OK)
        slip("mukharlyamov: %s", at_printed.diagnosis.place);
    trial->printed = digits_of_motion(&own->by_25, &at_printed);
    trial->corrected = digits_of_motion(&own->by_25_scaled, &at_printed);
    trial_judge(trial, "(30), run as (34)");
    trial_tell(trial, "Lagrange's equations of (25), with y = Theta, case 1, give "
               "q2 = %.4f rad at 0.3 s; (30) gives %.4f rad, and (25) with A K_P, A K_D "
               "%.4f rad.",
               own->by_25.trajectory->sample[3].x[1],
               at_printed.trajectory->sample[3].x[1],
               own->by_25_scaled.trajectory->sample[3].x[1]);
    paper_run_clear(&at_printed);
}

static void try_34(const void *study, const struct printed_formula *row,
                   struct trial *trial)
{
    (void)row;
    const struct formulas_study *own = study;
    trial->printed = trial->corrected = digits_of_motion(&own->by_34, &own->saddle);
    trial_judge(trial, "the saddle point in (q'', lambda)");
    trial_tell(trial, "Compared are q and q' of case 1 at 0.3 s, from a start on the "
               "constraints; the multipliers of the saddle point are (31).");
}

/* --- redundant constraints ---------------------------------------------------------- */

static void try_split(const void *study, const struct printed_formula *row,
                      struct trial *trial)
{
    (void)row;
    const struct redundant *own = &((const struct formulas_study *)study)->redundant;
    trial->printed = error_digits(own->part, 1);
    trial->corrected = own->zero;
    trial_judge(trial, "eigenvectors of A, in double");
    trial_tell(trial, "On five-bar-redundant, %d constraints of rank %d, M positive "
               "definite, (I - A+ A) u is %.2f of u and zero to %.1f digits, but (13), "
               "Phi_q' times it, is zero to %.1f digits, and (10) is M^-1 times (13).",
               own->m, own->rank, own->part, trial->printed, own->zero);
}

static void try_12(const void *study, const struct printed_formula *row,
                   struct trial *trial)
{
    (void)row;
    const struct redundant *own = &((const struct formulas_study *)study)->redundant;
    trial->printed = trial->corrected = own->force_digits;
    trial_judge(trial, "Q - M q'' of the motion in MPFR");
    trial_tell(trial, "On five-bar-redundant at 0.5 s, %d constraints of rank %d; A+ b "
               "are the multipliers of least norm to %.1f digits.", own->m, own->rank,
               own->lambda_digits);
}

static void try_I2(const void *study, const struct printed_formula *row,
                   struct trial *trial)
{
    (void)row;
    const struct formulas_study *own = study;
    const struct paper_run *run = &own->own.run;
    double m = paper_value(run, "m"), l = paper_value(run, "l"), M[3];
    struct arm_point point = trial_state(0);
    arm_sheet_like(own->sheet, run);
    want_M(own->sheet, &point, M);
    double want = M[2] - m * l * l / 16;
    trial->printed = number_digits(m * l * l / 12, want);
    trial->corrected = number_digits(m * l * l / 48, want);
    trial_judge(trial, "kinetic energy of a bar");
    trial_tell(trial, "I2 is %.4f kg m^2 by the formula, 0.208 kg m^2 by its printed "
               "value, %.4f kg m^2 by the energy of link 2.", m * l * l / 12, want);
}

/* --- a claim on the leading matrix -------------------------------------------------- */

/* The least eigenvalue of M + alpha J'J, M given by three numbers. */
static double least_of_sum(const double *M, const double *J, double alpha)
{
    double a = M[0] + alpha * (J[0] * J[0] + J[2] * J[2]);
    double b = M[1] + alpha * (J[0] * J[1] + J[2] * J[3]);
    double c = M[2] + alpha * (J[1] * J[1] + J[3] * J[3]);
    return (a + c - sqrt((a - c) * (a - c) + 4 * b * b)) / 2;
}

/* With the printed M at the stretched arm, and this I2. */
static double least_printed(const struct formulas_study *own, double I2)
{
    struct paper_run run;
    struct arm_point point = {.q = {M_PI - asin(1. / 3), 0}};
    double value[ARM_COSTS];
    arm_run_init(&run, &arm_34_printed_M, 1, 1);
    paper_run_set(&run, "I2", I2);
    arm_sheet_like(own->sheet, &run);
    paper_run_clear(&run);
    arm_values(own->sheet, &point, value);
    return least_of_sum(value + PRINTED_M, value + JACOBIAN, 10);
}

static void judge_definite(const void *study, const struct claim *claim,
                           struct finding *finding)
{
    (void)claim;
    const struct formulas_study *own = study;
    const struct trajectory *trajectory = own->own.run.trajectory;
    double least = INFINITY, value[ARM_COSTS];
    arm_sheet_like(own->sheet, &own->own.run);
    for (int k = 0; k < trajectory->samples; k++) {
        arm_values_at(own->sheet, trajectory, &trajectory->sample[k], value);
        least = fmin(least, least_of_sum(value + OWN_M, value + JACOBIAN, 10));
    }
    least = fmin(least, own->redundant.least_sum);
    finding_holds(finding, least > 0, least);
    finding_tell(finding, "Ours is the least eigenvalue along case 1, through the folded "
                 "arm, and of five-bar-redundant (M alone: %.3f). It needs a definite M: "
                 "with the printed M of the arm it is %.3f at the stretched arm by I2 = "
                 "0.208, and %.3f by the right I2 = 1/48.", own->redundant.least_M,
                 least_printed(own, 0.208), least_printed(own, 1. / 48));
}

/* --- tables ------------------------------------------------------------------------- */

static const struct claim claims[] = {
    {"Sec. 3.2", "M + Theta_q' A Theta_q is always positive definite", "", "kg m^2",
     judge_definite, 0},
    {0}};

static const struct printed_formula formulas[] = {
    {"Prop. 1, (13)", "constraints are ideal if and only if (I - A+ A) u = 0",
     "Theta_q' (I - A+ A) u = 0 for every u: no condition", try_split, 0},
    {"(12)", "Theta_q' A+ (Theta_q M^-1 Q - xi)", "", try_12, 0},
    {"(18)", "x' [K_P + e K_D, e I; e I, I] x/2 = |Theta' + e Theta|^2/2 + ...", "",
     lyapunov_try, 18},
    {"(19)", "V' = -x' [e K_P, 0; 0, K_D - e I] x", "", lyapunov_try, 19},
    {"(23), as extracted", "y' = Theta_q q' + d/dt Theta_t", "y' = Theta_q q' + Theta_t",
     try_display, DISPLAY_23},
    {"(25)-(28)", "V = V0 + y' K_P y/2, D = y'' K_D y'/2 give A (y'' + K_D y' + K_P y)",
     "V = V0 + y' A K_P y/2, D = y'' A K_D y'/2", try_25, 0},
    {"(30), (31), (34)", "(M + Theta_q' A Theta_q) q'' = Q - Theta_q' A (K_D Theta' + "
     "K_P Theta - xi)", "", try_34, 0},
    {"(32)", "Theta'' = Theta_q q'' - (q1'^2 l S1 + ..., q1'^2 l C1 + ...)", "",
     try_display, DISPLAY_32},
    {"Ex. 1", "Theta_q = (l C1 + l/2 C12, l/2 C12; -l S1 - l/2 S12, -l/2 S12)", "",
     try_display, DISPLAY_JACOBIAN},
    {"Ex. 1, (16)", "Theta'' + K_D Theta' + K_P Theta in its display", "", try_display,
     DISPLAY_16},
    {"Ex. 1, (20)", "Xi in its display", "", try_display, DISPLAY_XI},
    {"Ex. 1", "M = (m l^2/2 + I1 + I2, m l^2/4 C2 + I2; ., m l^2/16 + I2)",
     "M11 has m l^2 (25/16 + C2/2), M12 has m l^2 (C2/4 + 1/16)", try_display, DISPLAY_M},
    {"Ex. 1", "Q = (m l^2/4 q2' (q1' + q2' S2) - 2 m g l S1, -m l^2/4 S2 - m g l/4 S12)",
     "Q = (m l^2/4 S2 q2' (2 q1' + q2') - 2 m g l C1 - m g l/4 C12, -m l^2/4 S2 q1'^2 - "
     "m g l/4 C12)", try_display, DISPLAY_Q},
    {"Ex. 1", "I2 = m2 l^2/12", "I2 = m2 (l/2)^2/12", try_I2, 0},
    {"(33)", "(Theta_q M^-1 Theta_q)^-1", "(Theta_q M^-1 Theta_q')^-1, as in (21)",
     try_33, 0},
    {0}};

const struct study mukharlyamov_formulas = {
    .name = "mukharlyamov, formulas", .weight = 1, .open = open_formulas,
    .close = close_formulas, .claim = claims, .formula = formulas};
