/*
 * formulas.c - printed derivatives of Dankowicz's notes, (15)-(26), tried (dankowicz.h)
 */
#include <math.h>
#include <string.h>

#include "papers/dankowicz/dankowicz.h"
#include "papers/finding.h"

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
    trial_judge(trial, judge);
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
            trial_tell(trial, "Case %s: %.1f digits.", dankowicz_name(study, k),
                       corrected);
        else
            trial_tell(trial, "Case %s: %.1f digits as printed, %.1f corrected.",
                       dankowicz_name(study, k), printed, corrected);
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
        if (least < DK_SURE / 2)
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
    int q_c = zero_problem_parameter(zero, "q_c");
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
    int k = i * solved->zero.parameters + zero_problem_parameter(&solved->zero, by);
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
    int q_c = zero_problem_parameter(zero, "q_c");
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

const struct printed_formula dankowicz_formulas[] = {
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
