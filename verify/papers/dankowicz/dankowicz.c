/*
 * dankowicz.c - Dankowicz, multiple shooting notes: a hybrid oscillator, the zero problem
 * of its periodic motion, and the derivatives of that motion
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "papers/dankowicz/dankowicz.h"
#include "papers/finding.h"

/* --- claims ------------------------------------------------------------------------- */

/* Two routes that are right agree on so many digits. */
static const double sure = 12;

static const char *name_of(const struct dankowicz_study *study, int system)
{
    return study->system[system].zero.run.model->desc->name;
}

static int parameter_number(const struct zero_problem *zero, const char *name)
{
    int j = 0;
    while (strcmp(zero->run.model->parameter[zero->run.parameter[j]].name, name) != 0)
        j++;
    return j;
}

/* The value of a parameter. */
static double value_of(const struct zero_problem *zero, const char *name)
{
    return zero->run.value[model_parameter_index(zero->run.model, name)];
}

/* Says which values have been declared. */
static void tell_values(struct finding *finding, const struct zero_problem *zero)
{
    finding_tell(finding, "No values are printed; declared: those of the COCO demo hspo, "
                 "k = %g, c = %g, A = %g, w = %g, q_c = %g, e = %g, m = %g.",
                 value_of(zero, "k"), value_of(zero, "c"), value_of(zero, "A"),
                 value_of(zero, "w"), value_of(zero, "q_c"), value_of(zero, "e"),
                 value_of(zero, "m"));
}

static void judge_events(const void *own, const struct claim *claim,
                         struct finding *finding)
{
    (void)claim;
    const struct dankowicz_study *study = own;
    const struct event_count *count = &study->count;
    finding_holds(finding, count->digits >= sure - 2 && count->rate > 0, count->events);
    finding->digits = count->digits;
    finding_tell(finding, "%d events in %g s from near rest, %d by a closed form in "
                 "ball arithmetic: %d impacts and %d of the phase, h falling at %d of "
                 "both; %d turnings, h rising at %d; least |h_x f| %.3g.", count->events,
                 count->run.request.t_end, count->closed_events, count->impacts,
                 count->phases, count->falling, count->turnings, count->rising,
                 count->rate);
    tell_values(finding, &study->system[DK_OSCILLATOR].zero);
}

static void judge_jumps(const void *own, const struct claim *claim,
                        struct finding *finding)
{
    (void)claim;
    const struct event_count *count = &((const struct dankowicz_study *)own)->count;
    finding_holds(finding, count->jump < 1e-14, count->jump);
    finding_tell(finding, "Largest difference of a state after an event and g of the "
                 "state before it, over %d events.", count->events);
}

static void judge_index(const void *own, const struct claim *claim,
                        struct finding *finding)
{
    const struct event_count *count = &((const struct dankowicz_study *)own)->count;
    finding_holds(finding, count->kinds == strtol(claim->printed, NULL, 10),
                  count->kinds);
    finding_tell(finding, "Pairs of mode and event in a run with %d events.",
                 count->events);
}

static double last_of(const struct newton_history *history)
{
    return history->residual[history->points - 1];
}

static void judge_solution(const void *own, const struct claim *claim,
                           struct finding *finding)
{
    (void)claim;
    const struct dankowicz_study *study = own;
    const struct solved_problem *solved = &study->system[DK_OSCILLATOR];
    const struct zero_problem *zero = &solved->zero;
    double want[DK_WIDTH];
    const double *x = zero->x + zero_problem_node(zero, "impact") * zero->width;
    for (int c = 0; c < zero->width; c++)
        want[c] = creal(study->closed[c]);
    double digits = digits_of_columns(x, want, 1, zero->width, DK_WIDTH);
    double residual = last_of(&solved->newton);
    finding_holds(finding, residual < 1e-13 && digits >= sure, residual);
    finding->digits = digits;
    finding_tell(finding, "Largest |F| of %d segments, one impact in a period of %.10g "
                 "s; after the impact x' = %.12g m/s at phase %.12g, by a closed form "
                 "%.12g and %.12g.", zero->segments, zero->orbit->period, x[1], x[2],
                 want[1], want[2]);
    tell_values(finding, zero);
}

static void judge_ends(const void *own, const struct claim *claim,
                       struct finding *finding)
{
    (void)claim;
    const struct dankowicz_study *study = own;
    double most = 0;
    int ends = 0;
    for (int k = 0; k < DK_SYSTEMS; k++)
        for (int i = 0; i < study->system[k].zero.segments; i++, ends++)
            most = fmax(most, fabs(study->system[k].zero.terminal[i].h));
    finding_holds(finding, most < 1e-13, most);
    finding_tell(finding, "Largest |h| at the ends of %d segments of %s and %s. Both "
                 "equations are the same one.", ends, name_of(study, DK_OSCILLATOR),
                 name_of(study, DK_WHEEL));
}

/* The order of convergence from the last three residuals above rounding. */
static double order_of(const struct newton_history *history)
{
    int k = history->points - 1;
    while (k > 2 && history->residual[k] < 1e-12)
        k--;
    const double *r = history->residual + k;
    return log(r[0] / r[-1]) / log(r[-1] / r[-2]);
}

/* An order above 1.8 is told from that of a secant method, 1.62. */
static void judge_newton(const void *own, const struct claim *claim,
                         struct finding *finding)
{
    (void)claim;
    const struct dankowicz_study *study = own;
    const struct newton_history *newton[DK_SYSTEMS];
    double least = INFINITY;
    for (int k = 0; k < DK_SYSTEMS; k++) {
        newton[k] = &study->system[k].newton;
        least = fmin(least, order_of(newton[k]));
    }
    finding_holds(finding, least > 1.8, least);
    finding_tell(finding, "Order from the last three residuals above rounding: %.3g in "
                 "%d steps for %s, from return %d of a run, %.3g in %d steps for %s.",
                 order_of(newton[0]), newton[0]->points - 1,
                 name_of(study, DK_OSCILLATOR), study->system[0].returns,
                 order_of(newton[1]), newton[1]->points - 1, name_of(study, DK_WHEEL));
    for (int k = 0; k < DK_SYSTEMS; k++) {
        const struct newton_history *other = &study->system[k].fixed_time;
        finding_tell(finding, "%s|F| of %s goes from %.2g to %.2g in %d steps%s.",
                     k == 0 ? "Without the projection of (23) " : "", name_of(study, k),
                     other->residual[0], last_of(other), other->points - 1,
                     other->status == OK ? "" : ", then a segment is refused");
    }
}

static void judge_product(const void *own, const struct claim *claim,
                          struct finding *finding)
{
    (void)claim;
    const struct dankowicz_study *study = own;
    const struct solved_problem *solved = &study->system[DK_OSCILLATOR];
    const struct zero_problem *zero = &solved->zero;
    double complex mu[DK_WIDTH];
    double e = value_of(zero, "e");
    double want = e * e * exp(-2 * M_PI * value_of(zero, "c") /
                              (value_of(zero, "m") * value_of(zero, "w")));
    zero_problem_multipliers(zero, solved->corrected, mu);
    double got = creal(mu[0] * mu[1]);
    finding->digits = digits_of_columns(&got, &want, 1, 1, 1);
    finding_holds(finding, finding->digits >= sure, got);
    finding_tell(finding, "Multipliers of Lambda_3 Lambda_2 Lambda_1: %.12g +- %.6gi, "
                 "and %.1g, which the projection makes zero.", creal(mu[0]),
                 fabs(cimag(mu[0])), cabs(mu[2]));
}

/* The largest |A X_A + q_c X_qc - X| over the nodes; the phase has 0 for X. */
static double off_scaling(const struct zero_problem *zero, const double *x_p)
{
    int A = parameter_number(zero, "A"), q_c = parameter_number(zero, "q_c");
    double most = 0;
    for (int i = 0; i < zero->unknowns; i++) {
        const double *own = x_p + i * zero->parameters;
        bool length = i % zero->width < 2;
        most = fmax(most, fabs(value_of(zero, "A") * own[A] +
                               value_of(zero, "q_c") * own[q_c] -
                               (length ? zero->x[i] : 0)));
    }
    return most;
}

static void judge_scaling(const void *own, const struct claim *claim,
                          struct finding *finding)
{
    (void)claim;
    const struct dankowicz_study *study = own;
    const struct solved_problem *solved = &study->system[DK_OSCILLATOR];
    double off = off_scaling(&solved->zero, solved->x_p);
    finding_holds(finding, off < 1e-12, off);
    finding_tell(finding, "Largest gap over the nodes of the periodic motion, by F_x and "
                 "the corrected F_p; by (24) as printed it is %.3g.",
                 off_scaling(&solved->zero, solved->x_p_printed));
}

static const struct claim claims[] = {
    {"(3)-(5)", "integration ends where an event surface is reached transversally", "",
     "", judge_events, 0},
    {"(6)-(8)", "the state jumps by g of the event", "", "", judge_jumps, 0},
    {"(9)-(11)", "the index vector takes one of three values", "3", "", judge_index, 0},
    {"(12)", "F = 0 has a solution, a motion with one impact a period", "", "",
     judge_solution, 0},
    {"(13), (19)", "segments end where h = 0", "", "", judge_ends, 0},
    {"(22), (23)", "F_x is the Jacobian: Newton's method is quadratic", "", "",
     judge_newton, 0},
    {"own", "product of the multipliers is e^2 exp(-2 pi c/(m w))", "", "", judge_product,
     0},
    {"own", "scaling: A X_A + q_c X_qc = X", "", "", judge_scaling, 0},
    {0}};

/* --- printed formulas --------------------------------------------------------------- */

enum block_quantity { OF_PHI_X, OF_PHI_P, OF_T_X, OF_T_P, OF_F_X, OF_F_P };

/* Digits of a quantity of one segment. */
static double digits_of_blocks(const struct zero_problem *zero, const struct blocks *got,
                               const struct blocks *want, enum block_quantity quantity)
{
    int width = zero->width, p = zero->parameters;
    switch (quantity) {
    case OF_PHI_X:
        return digits_of_columns(&got->Phi_x[0][0], &want->Phi_x[0][0], width, width,
                                 DK_WIDTH);
    case OF_PHI_P:
        return digits_of_columns(&got->Phi_p[0][0], &want->Phi_p[0][0], width, p,
                                 DK_PARAMETERS);
    case OF_T_X:
        return digits_of_columns(got->t_x, want->t_x, 1, width, DK_WIDTH);
    case OF_T_P:
        return digits_of_columns(got->t_p, want->t_p, 1, p, DK_PARAMETERS);
    case OF_F_X:
        return digits_of_columns(&got->Lambda[0][0], &want->Lambda[0][0], width, width,
                                 DK_WIDTH);
    case OF_F_P:
        break;
    }
    return digits_of_columns(&got->F_p[0][0], &want->F_p[0][0], width, p, DK_PARAMETERS);
}

/* The fewest digits over the segments. */
static double digits_of(const struct zero_problem *zero, const struct blocks *got,
                        const struct blocks *want, enum block_quantity quantity)
{
    double least = 16;
    for (int i = 0; i < zero->segments; i++)
        least = fmin(least, digits_of_blocks(zero, &got[i], &want[i], quantity));
    return least;
}

static void begin_trial(struct trial *trial, const char *judge)
{
    snprintf(trial->judge, sizeof trial->judge, "%s", judge);
    trial->printed = trial->corrected = 16;
}

/* A formula that the two systems try. */
static void attempt(const void *own, const struct printed_formula *row,
                    struct trial *trial)
{
    const struct dankowicz_study *study = own;
    enum block_quantity quantity = (enum block_quantity)row->subject;
    begin_trial(trial, "complex step of each segment");
    for (int k = 0; k < DK_SYSTEMS; k++) {
        const struct solved_problem *solved = &study->system[k];
        double printed = digits_of(&solved->zero, solved->printed, solved->exact,
                                   quantity);
        double corrected = digits_of(&solved->zero, solved->corrected, solved->exact,
                                     quantity);
        trial->printed = fmin(trial->printed, printed);
        trial->corrected = fmin(trial->corrected, corrected);
        if (printed == corrected)
            trial_tell(trial, "%s: %.1f digits.", name_of(study, k), corrected);
        else
            trial_tell(trial, "%s: %.1f digits as printed, %.1f corrected.",
                       name_of(study, k), printed, corrected);
    }
}

/* Names the parameters by which the printed F_p is off. */
static void tell_wrong_columns(struct trial *trial, const struct solved_problem *solved)
{
    const struct zero_problem *zero = &solved->zero;
    char names[80] = "";
    for (int j = 0; j < zero->parameters; j++) {
        double least = 16;
        for (int i = 0; i < zero->segments; i++)
            least = fmin(least, digits_of_columns(&solved->printed[i].F_p[0][j],
                                                  &solved->exact[i].F_p[0][j],
                                                  zero->width, 1, DK_PARAMETERS));
        if (least < sure / 2)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     *names ? ", " : "",
                     zero->run.model->parameter[zero->run.parameter[j]].name);
    }
    trial_tell(trial, "F_p is off by %s alone for %s.", *names ? names : "none",
               zero->run.model->desc->name);
}

static void attempt_t_p(const void *own, const struct printed_formula *row,
                        struct trial *trial)
{
    const struct dankowicz_study *study = own;
    const struct solved_problem *solved = &study->system[DK_OSCILLATOR];
    const struct zero_problem *zero = &solved->zero;
    int impact = (zero_problem_node(zero, "impact") + zero->segments - 1) %
                 zero->segments;
    int q_c = parameter_number(zero, "q_c");
    attempt(own, row, trial);
    trial_tell(trial, "Time of the impact by q_c: printed %.6g s/m, corrected %.6g s/m, "
               "complex step %.6g s/m.", solved->printed[impact].t_p[q_c],
               solved->corrected[impact].t_p[q_c], solved->exact[impact].t_p[q_c]);
    for (int k = 0; k < DK_SYSTEMS; k++)
        tell_wrong_columns(trial, &study->system[k]);
}

/* The printed and the corrected derivative of component i of the solution. */
static void tell_solution(struct trial *trial, const struct solved_problem *solved, int i,
                          const char *component, const char *by)
{
    int k = i * solved->zero.parameters + parameter_number(&solved->zero, by);
    trial_tell(trial, "On the periodic motion of %s d%s/d%s after the event is %.6g as "
               "printed, %.6g corrected.", solved->zero.run.model->desc->name, component,
               by, solved->x_p_printed[k], solved->x_p[k]);
}

static void attempt_F_p(const void *own, const struct printed_formula *row,
                        struct trial *trial)
{
    const struct dankowicz_study *study = own;
    const struct solved_problem *solved = &study->system[DK_OSCILLATOR];
    const struct zero_problem *zero = &solved->zero;
    int node = zero_problem_node(zero, "impact") * zero->width, p = zero->parameters;
    int q_c = parameter_number(zero, "q_c");
    double sum = 0;
    for (int k = q_c; k < zero->unknowns * p; k += p)
        sum = fmax(sum, fabs(solved->x_p_printed[k] + solved->x_p[k]));
    attempt(own, row, trial);
    tell_solution(trial, solved, node + 2, "phase", "q_c");
    trial_tell(trial, "A closed form gives %.6g; over all nodes the sum of both is at "
               "most %.1g.", study->closed_p[2][q_c], sum);
    tell_solution(trial, &study->system[DK_WHEEL], 1, "vth", "alpha");
    trial_tell(trial, "The corrected derivatives after the impact by %d parameters have "
               "%.1f digits of the closed form; the jump rule minus-r-rho gives the "
               "printed F_p to %.1f.", p,
               digits_of_columns(solved->x_p + node * p, &study->closed_p[0][0],
                                 zero->width, p, DK_PARAMETERS),
               digits_of(zero, solved->rule, solved->printed, OF_F_P));
}

/* (25), (26): a fixed time, then an end at an event. */
static void attempt_continuous(const void *own, const struct printed_formula *row,
                               struct trial *trial)
{
    const struct dankowicz_study *study = own;
    const struct zero_problem *zero = &study->drive.zero;
    enum block_quantity quantity = (enum block_quantity)row->subject;
    struct blocks fixed;
    blocks_by_formulas(&zero->segment[0], &zero->terminal[0], DK_FIXED_TIME, &fixed);
    begin_trial(trial, "complex step");
    trial->printed = trial->corrected =
        digits_of_blocks(zero, &study->fixed, &study->fixed_exact, quantity);
    trial_tell(trial, "The vector field (2) without events over the fixed time %.8g s; "
               "where the period ends at the event of the phase instead, %.1f digits, "
               "and %s has %.1f.", zero->terminal[0].t,
               digits_of_blocks(zero, &fixed, study->drive.exact, quantity),
               quantity == OF_F_X ? "(23)" : "the corrected (24)",
               digits_of_blocks(zero, study->drive.corrected, study->drive.exact,
                                quantity));
    if (quantity == OF_F_X)
        trial_tell(trial, "With the phase as a state Id - Phi_x is singular at the "
                   "periodic motion: its smallest singular value is %.1g, that of Id + "
                   "Lambda %.3g.", zero_problem_sigma(zero, &fixed),
                   zero_problem_sigma(zero, study->drive.corrected));
}

static const struct printed_formula formulas[] = {
    {"(15), (16)", "Phi_x' = f_x Phi_x, Phi_x(0) = Id", "", attempt, OF_PHI_X},
    {"(17), (18)", "Phi_p' = f_x Phi_p + f_p, Phi_p(0) = 0", "", attempt, OF_PHI_P},
    {"(20)", "t_x = -h_x Phi_x/(h_x f)", "", attempt, OF_T_X},
    {"(21)", "t_p = -(h_x Phi_p - h_p)/(h_x f)", "t_p = -(h_x Phi_p + h_p)/(h_x f)",
     attempt_t_p, OF_T_P},
    {"(22), (23)", "Lambda = -g_x (Id - f h_x/(h_x f)) Phi_x", "", attempt, OF_F_X},
    {"(24)", "F_p = -g_x (Id - f h_x/(h_x f)) Phi_p - g_x f h_p/(h_x f) - g_p",
     "F_p = -g_x (Id - f h_x/(h_x f)) Phi_p + g_x f h_p/(h_x f) - g_p", attempt_F_p,
     OF_F_P},
    {"(25)", "F_x = Id - Phi_x", "", attempt_continuous, OF_F_X},
    {"(26)", "F_p = -Phi_p", "", attempt_continuous, OF_F_P},
    {0}};

/* --- the paper ---------------------------------------------------------------------- */

static const struct study zero_problem = {
    .name = "dankowicz, zero problem", .weight = 1, .open = dankowicz_open,
    .close = dankowicz_close, .claim = claims, .formula = formulas,
    .figure = dankowicz_figures};

extern const struct paper paper_dankowicz;
const struct paper paper_dankowicz = {
    .name = "dankowicz",
    .authors = "Dankowicz",
    .year = "undated",
    .title = "Hybrid dynamical systems, multiple shooting notes",
    .journal = "Slides, University of Illinois at Urbana-Champaign",
    .question = "A driven oscillator hits a wall; its periodic motion is the zero of a "
                "multiple shooting problem with one segment for each event, whose "
                "Jacobians by states and parameters are given.",
    .study = (const struct study *const[]){&zero_problem, &dankowicz_branches, NULL}};
