/*
 * baumgarte.c - the data of the example and the generalised Baumgarte method
 * near the folded arm (Mukharlyamov, Deressa 2014, section 4, I)
 */
#include "papers/mukharlyamov/mukharlyamov.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mechanisms/catalogue.h"
#include "papers/match.h"

#define PRINTED_FAILURE "4.067105"      /* s */

/* A parameter of the runs from the printed start. */
static double printed_parameter(const struct baumgarte_study *own, const char *name)
{
    return paper_value(&own->printed, name);
}

static double printed_folded(const struct baumgarte_study *own)
{
    return arm_folded(own->printed.model, own->printed.value);
}

/* --- runs --------------------------------------------------------------------------- */

/* Starts that are printed alike: the angles moved within half a unit of their last
   place. */
static void run_rounded(struct baumgarte_study *own)
{
    const double *nominal = own->printed.value;
    int q1 = model_parameter_index(own->printed.model, "start_q1");
    for (int k = 0; k < ROUNDED * ROUNDED; k++) {
        struct paper_run run;
        arm_run_init(&run, &arm_baumgarte, 2, 1);
        paper_run_set(&run, "start_q1",
                      nominal[q1] + 0.2e-6 * (k / ROUNDED - ROUNDED / 2));
        paper_run_set(&run, "start_q2",
                      nominal[q1 + 1] + 0.2e-6 * (k % ROUNDED - ROUNDED / 2));
        paper_run_tolerance(&run, 1e-10);
        own->ends[k] = paper_run_go(&run) == OK ? NAN : run.diagnosis.t;
        paper_run_clear(&run);
    }
}

/* The speed that folds the arm at the printed time, and what comes of it. */
static void run_slow(struct baumgarte_study *own)
{
    own->v_folded = printed_folded(own) * printed_parameter(own, "v") /
                    strtod(PRINTED_FAILURE, NULL);
    arm_exact_run_at(&own->slow, &arm_baumgarte.desc, 60, 6000, 6000, own->v_folded);
}

/* The arm of the catalogue starts on its constraints. */
static void run_consistent(struct baumgarte_study *own)
{
    own->consistent_finest = 0;
    for (int k = TOLERANCES - 1; k >= 0; k--) {
        struct paper_run run;
        paper_run_init(&run, "two-link-driven-singular", "baumgarte", 2, "");
        paper_run_option(&run, "kd", arm_case[0].K_D);
        paper_run_option(&run, "kp", arm_case[0].K_P);
        paper_run_tolerance(&run, pow(10, -4 - k));
        bool refused = paper_run_go(&run) != OK;
        own->consistent_refused += refused;
        if (refused && own->consistent_refused == TOLERANCES - k)
            own->consistent_finest = run.request.rtol;
        paper_run_clear(&run);
    }
}

static enum status open_baumgarte(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct baumgarte_study *own = *study = memory_new(1, sizeof *own);
    own->sheet = arm_sheet_new();
    arm_exact_run(&own->exact, case_find("two-link-driven-singular"), 20, 5, 2850);
    if (own->exact.status != OK) {
        snprintf(why, (size_t)size, "the exact motion: %s", own->exact.diagnosis.place);
        return own->exact.status;
    }
    /* Its refusal is a result. */
    arm_run_init(&own->printed, &arm_baumgarte, 1000, 0.5);
    paper_run_go(&own->printed);
    arm_exact_run(&own->mp[0], &arm_baumgarte.desc, 30, 1000, 1000);
    arm_exact_run(&own->mp[1], &arm_baumgarte.desc, 50, 1000, 1000);
    run_rounded(own);
    run_slow(own);
    run_consistent(own);
    return OK;
}

static void close_baumgarte(void *study)
{
    struct baumgarte_study *own = study;
    arm_sheet_free(own->sheet);
    arm_exact_clear(&own->exact);
    arm_exact_clear(&own->slow);
    if (own->printed.model)
        paper_run_clear(&own->printed);
    for (int k = 0; k < 2; k++)
        arm_exact_clear(&own->mp[k]);
    free(own);
}

/* --- data of the example ------------------------------------------------------------ */

/* The printed start as a point; values of the sheet there. */
static void at_start(const struct baumgarte_study *own, double value[ARM_COSTS])
{
    const double *rho = own->printed.value;
    int q1 = model_parameter_index(own->printed.model, "start_q1");
    struct arm_point point = {.q = {rho[q1], rho[q1 + 1]},
                              .v = {rho[q1 + 2], rho[q1 + 3]}};
    arm_sheet_like(own->sheet, &own->printed);
    arm_values(own->sheet, &point, value);
}

/* A parameter of the arm of the catalogue. */
static double exact_parameter(const struct baumgarte_study *own, const char *name)
{
    return arm_parameter(own->exact.model, own->exact.value, name);
}

static void judge_x0(const void *study, const struct claim *claim,
                     struct finding *finding)
{
    const struct baumgarte_study *own = study;
    double value[ARM_COSTS];
    at_start(own, value);
    double x0 = value[THETA + 1] + printed_parameter(own, "x0");
    double rounded = exact_parameter(own, "x0");
    finding_number(finding, claim, x0, number_digits(x0, rounded));
    finding_tell(finding, "Ours is l cos q1 + (l/2) cos(q1 + q2) at the printed angles; "
                 "at the angles of q1 = 80 degrees with the tip on the line it is %.9f "
                 "m. The start as printed violates Theta1 by %.1e m, Theta2 by %.1e m.",
                 rounded, value[THETA], value[THETA + 1]);
}

/* The rates are v times what they are for v = 1. */
static void judge_rate(const void *study, const struct claim *claim,
                       struct finding *finding)
{
    const struct baumgarte_study *own = study;
    double value[ARM_COSTS];
    at_start(own, value);
    const double *J = value + JACOBIAN;
    double det = J[0] * J[3] - J[1] * J[2], v = exact_parameter(own, "v");
    const double unit[2] = {J[1] / det, -J[0] / det};
    const double printed = strtod(claim->printed, NULL);
    const int i = claim->subject;
    double rate = own->exact.sample[0].v[i];
    finding_depends(finding, claim, rate, number_digits(rate, unit[i] * v));
    finding_tell(finding, "The speed v is not printed; declared: %g m/s. This rate alone "
                 "would need v = %.7f m/s. With both printed rates and v = %g the "
                 "velocity constraints are %.1e and %.1e m/s.", v, printed / unit[i], v,
                 value[THETAD], value[THETAD + 1]);
}

/* The inertia of link 2 (subject 1) by the energies of bars: M22 less m (l/4)^2; of link
   1, by I = m_1 l^2/12. */
static void judge_inertia(const void *study, const struct claim *claim,
                          struct finding *finding)
{
    const struct baumgarte_study *own = study;
    double l = printed_parameter(own, "l"), m = printed_parameter(own, "m");
    double value[ARM_COSTS];
    at_start(own, value);
    if (claim->subject == 0) {
        finding_number(finding, claim, 2 * m * l * l / 12, NAN);
        return;
    }
    double I2 = value[OWN_M + 2] - m * l * l / 16;
    finding_number(finding, claim, I2, NAN);
    finding_tell(finding, "Ours is that of a uniform link of length l/2 = %g m and mass "
                 "%g kg; the formula that is printed beside it, m2 l^2/12, gives %.4f kg "
                 "m^2.", l / 2, m, m * l * l / 12);
}

/* The least singular value of a 2 x 2 matrix. */
static double least_singular_value(const double *J)
{
    double trace = J[0] * J[0] + J[1] * J[1] + J[2] * J[2] + J[3] * J[3];
    double det = J[0] * J[3] - J[1] * J[2];
    return fabs(det) / sqrt((trace + sqrt(fmax(0, trace * trace - 4 * det * det))) / 2);
}

static double singular_at(struct arm_sheet *sheet, double q1, double q2)
{
    struct arm_point point = {.q = {q1, q2}};
    double value[ARM_COSTS];
    arm_values(sheet, &point, value);
    return least_singular_value(value + JACOBIAN);
}

static void judge_singular(const void *study, const struct claim *claim,
                           struct finding *finding)
{
    (void)claim;
    const struct baumgarte_study *own = study;
    double folded = singular_at(own->sheet, M_PI / 2, M_PI);
    double stretched = singular_at(own->sheet, M_PI - asin(1. / 3), 0);
    finding_holds(finding, folded < 1e-15, folded);
    finding_tell(finding, "Ours is the least singular value of Theta_q there, at t = "
                 "x0/v = %.6f s. The arm has another singular configuration on its line, "
                 "stretched, q2 = 0 (%.1e): the tip can go no farther after t = (x0 + "
                 "sqrt 2 l)/v = %.6f s.", arm_folded(own->exact.model, own->exact.value),
                 stretched, arm_stretched(own->exact.model, own->exact.value));
}

/* --- the method --------------------------------------------------------------------- */

/* Least and largest end of the runs whose starts are printed alike; returns how many
   ended. */
static int range_of_ends(const struct baumgarte_study *own, double range[2])
{
    int ended = 0;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int k = 0; k < ROUNDED * ROUNDED; k++) {
        ended += !isnan(own->ends[k]);
        range[0] = fmin(range[0], own->ends[k]);
        range[1] = fmax(range[1], own->ends[k]);
    }
    return ended;
}

static void judge_failure(const void *study, const struct claim *claim,
                          struct finding *finding)
{
    const struct baumgarte_study *own = study;
    double range[2], Thetad2 = own->v_folded - printed_parameter(own, "v");
    int ended = range_of_ends(own, range);
    finding_depends(finding, claim, own->mp[1].diagnosis.t,
                    number_digits(own->printed.diagnosis.t, own->mp[1].diagnosis.t));
    finding_tell(finding, "The speed v is not printed; with the v = %g m/s of the "
                 "printed rates the accelerations have a pole here (MPFR: %s); %d of %d "
                 "starts printed alike end from %.6f to %.6f s. A failure at %.6f s "
                 "would take v = %.7f m/s, with Theta2' = %.3f m/s at the start. With %g "
                 "m/s the tip is out of reach from %.6f s on.",
                 printed_parameter(own, "v"), status_text(own->mp[1].status), ended,
                 ROUNDED * ROUNDED, range[0], range[1], own->slow.diagnosis.t,
                 own->v_folded, Thetad2, printed_parameter(own, "v"),
                 arm_stretched(own->printed.model, own->printed.value));
}

static void judge_near(const void *study, const struct claim *claim,
                       struct finding *finding)
{
    (void)claim;
    const struct baumgarte_study *own = study;
    double range[2];
    int ended = range_of_ends(own, range);
    bool all = ended == ROUNDED * ROUNDED && own->mp[0].status != OK &&
               own->mp[1].status != OK;
    finding_holds(finding, all && own->consistent_finest > 0, NAN);
    finding_tell(finding, "Runs from starts printed alike: %d of %d end within %.1e "
                 "s of the folded arm, x0/v = %.6f s. From a start on the constraints "
                 "the exact motion goes on, but %d of %d tolerances 1e-4 to 1e-13 are "
                 "refused for loss of rank, all from %.0e down; the others step over it.",
                 ended, ROUNDED * ROUNDED,
                 fmax(fabs(range[0] - printed_folded(own)),
                      fabs(range[1] - printed_folded(own))),
                 printed_folded(own), own->consistent_refused, TOLERANCES,
                 own->consistent_finest);
}

/* Residuals at t = 0.4 with equal or unequal gains, from a start with an angle moved. */
static void leave(const struct baumgarte_study *own, bool equal, double left[2],
                  double first[2])
{
    struct paper_run run;
    double value[ARM_COSTS];
    arm_run_init(&run, &arm_baumgarte, 4, 0.4);
    paper_run_set(&run, "start_q1", 1.39);
    if (equal) {
        paper_run_set(&run, "r", 20);
        paper_run_set(&run, "s", 100);
    }
    if (paper_run_go(&run) != OK)
        slip("mukharlyamov: %s", run.diagnosis.place);
    arm_sheet_like(own->sheet, &run);
    for (int end = 0; end < 2; end++) {
        int k = end ? run.trajectory->samples - 1 : 0;
        arm_values_at(own->sheet, run.trajectory, &run.trajectory->sample[k], value);
        for (int i = 0; i < 2; i++)
            (end ? left : first)[i] = fabs(value[THETA + i]);
    }
    paper_run_clear(&run);
}

/* Subject 0: equal parameters leave violations; 1: unequal ones reduce all. */
static void judge_gains(const void *study, const struct claim *claim,
                        struct finding *finding)
{
    const struct baumgarte_study *own = study;
    double equal[2], unequal[2], first[2];
    leave(own, true, equal, first);
    leave(own, false, unequal, first);
    double *left = claim->subject ? unequal : equal;
    bool reduced = left[0] < first[0] && left[1] < first[1];
    finding_holds(finding, claim->subject ? reduced : !reduced,
                  fmax(left[0] / first[0], left[1] / first[1]));
    if (claim->subject == 0)
        finding_tell(finding, "By equal gains every violation obeys one stable equation, "
                     "(15) = 0, so that none is left.");
    finding_tell(finding, "With q1 moved to 1.39 rad at the start, violations %.2e, %.2e "
                 "m become %.2e, %.2e by equal gains 20, 100 and %.2e, %.2e by the "
                 "printed ones, until t = 0.4 s. Ours is the larger part left by %s "
                 "gains.", first[0], first[1], equal[0], equal[1], unequal[0], unequal[1],
                 claim->subject ? "the printed" : "equal");
}

static const struct claim claims[] = {
    {"Ex. 1", "x0, from the printed angles", "0.295953", "m", judge_x0, 0},
    {"Ex. 1", "rate of link 1 that satisfies the velocity constraints", "0.358620",
     "rad/s", judge_rate, 0},
    {"Ex. 1", "rate of link 2 that satisfies them", "-0.867745", "rad/s", judge_rate, 1},
    {"Ex. 1", "I1, inertia of link 1", "0.167", "kg m^2", judge_inertia, 0},
    {"Ex. 1", "I2, inertia of link 2", "0.208", "kg m^2", judge_inertia, 1},
    {"Ex. 1", "Theta_q is singular at q1 = pi/2, q2 = pi", "", "", judge_singular, 0},
    {"Fig. 2", "the run by the generalised Baumgarte method fails at this time",
     PRINTED_FAILURE, "s", judge_failure, 0},
    {"Ex. 1", "the generalised Baumgarte method cannot run near the singular point", "",
     "", judge_near, 0},
    {"Sec. 3.1", "equal correction parameters may leave some violations", "", "",
     judge_gains, 0},
    {"Sec. 3.1", "different correction parameters reduce all violations", "", "",
     judge_gains, 1},
    {0}};

static const struct figure figures[] = {
    {"mukharlyamov-fig-1", "Fig. 1", "the arm at seven times, its tip on y = l/2",
     "Two links, first folded back at the top, then more and more stretched to the left "
     "until they are in line; the tip moves along a horizontal line.", 0, 62,
     mukharlyamov_draw_arm},
    {"mukharlyamov-fig-2", "Fig. 2",
     "generalised Baumgarte method, angles and residuals until the run ends",
     "Above, two angles that follow the exact motion until the folded arm, where they "
     "end; the exact angles go on. Below, two residuals that fall by less than two "
     "decades until then, in a logarithmic scale.", 0, 92, mukharlyamov_draw_baumgarte},
    {0}};

const struct study mukharlyamov_baumgarte = {
    .name = "mukharlyamov, Baumgarte", .weight = 1, .open = open_baumgarte,
    .close = close_baumgarte, .claim = claims, .figure = figures};
