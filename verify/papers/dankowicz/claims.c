/*
 * claims.c - statements of Dankowicz's notes on the zero problem and its solution, judged
 * (dankowicz.h)
 */
#include <math.h>

#include "papers/dankowicz/dankowicz.h"
#include "papers/finding.h"

/* Says which values have been declared. */
static void tell_values(struct finding *finding, const struct zero_problem *zero)
{
    static const char *const name[] = {"k", "c", "A", "w", "q_c", "e", "m"};
    finding_tell(finding, "No values are printed; those of the COCO demo hspo are "
                 "declared:");
    for (int j = 0; j < 7; j++)
        finding_tell(finding, "%s = %g%s", name[j], paper_value(&zero->run, name[j]),
                     j < 6 ? "," : ".");
}

static void judge_events(const void *own, const struct claim *claim,
                         struct finding *finding)
{
    (void)claim;
    const struct dankowicz_study *study = own;
    const struct event_count *count = &study->count;
    finding_holds(finding, count->digits >= DK_SURE - 2 && count->rate > 0,
                  count->events);
    finding->digits = count->digits;
    finding_tell(finding, "In %g s from near rest there are %d events, %d by a closed "
                 "form in ball arithmetic: %d impacts and %d of the phase, h falling at "
                 "%d of both; %d turnings, h rising at %d; the least |h_x f| is %.3g.",
                 count->run.request.t_end, count->events, count->closed_events,
                 count->impacts, count->phases, count->falling, count->turnings,
                 count->rising, count->rate);
    tell_values(finding, &study->system[DK_OSCILLATOR].zero);
}

static void judge_jumps(const void *own, const struct claim *claim,
                        struct finding *finding)
{
    (void)claim;
    const struct event_count *count = &((const struct dankowicz_study *)own)->count;
    finding_holds(finding, count->jump < 1e-14, count->jump);
    finding_tell(finding, "Ours is the largest difference of a state after an event and "
                 "g of the state before it, over %d events.", count->events);
}

static void judge_index(const void *own, const struct claim *claim,
                        struct finding *finding)
{
    const struct event_count *count = &((const struct dankowicz_study *)own)->count;
    finding_count(finding, claim, count->kinds);
    finding_tell(finding, "Ours are the pairs of mode and event in a run with %d events.",
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
    finding_holds(finding, residual < 1e-13 && digits >= DK_SURE, residual);
    finding->digits = digits;
    finding_tell(finding, "Ours is the largest |F| of %d segments, one impact in a "
                 "period of %.10g s; after the impact x' = %.12g m/s at phase %.12g, by "
                 "a closed form %.12g and %.12g.", zero->segments, zero->orbit->period,
                 x[1], x[2], want[1], want[2]);
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
    finding_tell(finding, "Ours is the largest |h| at the ends of %d segments of %s and "
                 "%s. Both equations are one.", ends,
                 dankowicz_name(study, DK_OSCILLATOR), dankowicz_name(study, DK_WHEEL));
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
                 dankowicz_name(study, DK_OSCILLATOR), study->system[0].returns,
                 order_of(newton[1]), newton[1]->points - 1,
                 dankowicz_name(study, DK_WHEEL));
    for (int k = 0; k < DK_SYSTEMS; k++) {
        const struct newton_history *other = &study->system[k].fixed_time;
        finding_tell(finding, "Without the projection of (23) |F| of %s goes from %.2g "
                     "to %.2g in %d steps%s.", dankowicz_name(study, k),
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
    const struct paper_run *run = &zero->run;
    double e = paper_value(run, "e");
    double want = e * e * exp(-2 * M_PI * paper_value(run, "c") /
                              (paper_value(run, "m") * paper_value(run, "w")));
    zero_problem_multipliers(zero, solved->corrected, mu);
    double got = creal(mu[0] * mu[1]);
    finding->digits = digits_of_columns(&got, &want, 1, 1, 1);
    finding_holds(finding, finding->digits >= DK_SURE, got);
    finding_tell(finding, "Multipliers of Lambda_3 Lambda_2 Lambda_1: %.12g +- %.6gi, "
                 "and %.1g, which the projection makes zero.", creal(mu[0]),
                 fabs(cimag(mu[0])), cabs(mu[2]));
}

/* The largest |A X_A + q_c X_qc - X| over the nodes; the phase has 0 for X. */
static double off_scaling(const struct zero_problem *zero, const double *x_p)
{
    int A = zero_problem_parameter(zero, "A"), q_c = zero_problem_parameter(zero, "q_c");
    double most = 0;
    for (int i = 0; i < zero->unknowns; i++) {
        const double *own = x_p + i * zero->parameters;
        bool length = i % zero->width < 2;
        most = fmax(most, fabs(paper_value(&zero->run, "A") * own[A] +
                               paper_value(&zero->run, "q_c") * own[q_c] -
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
    finding_tell(finding, "Ours is the largest gap over the nodes of the periodic "
                 "motion, by F_x and the corrected F_p; by (24) as printed it is %.3g.",
                 off_scaling(&solved->zero, solved->x_p_printed));
}

const struct claim dankowicz_claims[] = {
    {"(3)-(5)", "integration ends where an event surface is reached transversally", "",
     "", judge_events, 0},
    {"(6)-(8)", "the state jumps by g of the event", "", "", judge_jumps, 0},
    {"(9)-(11)", "the index vector takes one of three values", "3", "", judge_index, 0},
    {"(12)", "F = 0 has a solution, a motion with one impact a period", "", "",
     judge_solution, 0},
    {"(13), (19)", "segments end where h = 0", "", "", judge_ends, 0},
    {"(22), (23)", "F_x is the Jacobian: Newton's method is quadratic", "", "",
     judge_newton, 0},
    {"ours", "product of the multipliers is e^2 exp(-2 pi c/(m w))", "", "",
     judge_product, 0},
    {"ours", "scaling: A X_A + q_c X_qc = X", "", "", judge_scaling, 0},
    {0}};
