/*
 * verulkar.c - Verulkar, Sandu, Dopico, Sandu (extended abstract, no year): a spatial
 * slider-crank with friction, by penalty and by index-1
 *
 * The friction of the paper's joints and the initial speed are not printed. The case
 * slider-crank-friction declares them; its motion and the error of the penalty
 * formulation depend on friction, which is varied.
 */
#include "papers/verulkar/verulkar.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "papers/finding.h"
#include "papers/match.h"

enum { POINTS = 200 };

/* --- choices ------------------------------------------------------------------------ */

const struct friction_choice friction_choice[FRICTIONS] = {
    [DECLARED] = {0.3, 0.2, 0.01}, [FRICTIONLESS] = {0, 0, 0.01},
    {0.3, 0.2, 0.001}, {0.3, 0.2, 0.1},
    {0.15, 0.1, 0.001}, {0.15, 0.1, 0.01}, {0.15, 0.1, 0.1},
    {0.6, 0.4, 0.001}, {0.6, 0.4, 0.01}, {0.6, 0.4, 0.1}};

const struct penalty_choice penalty_choice[PENALTIES] = {
    {"1e2", "1", "10"}, [PRINTED] = {"1e3", "1", "10"}, {"1e4", "1", "10"},
    {"1e5", "1", "10"}, {"1e6", "1", "10"}, {"1e7", "1", "10"},
    {"1e3", "1", "1"}, {"1e3", "1", "100"}, {"1e3", "0.5", "10"}, {"1e3", "2", "10"}};

double verulkar_power(double x)
{
    return isnan(x) ? NAN : pow(10, ceil(log10(fmax(x, 1e-14))));
}

/* --- the error of a run ------------------------------------------------------------- */

static double value_at(const struct trajectory *trajectory, int point, int column)
{
    return trajectory->sample[point].x[column];
}

static void add_coordinate(struct rmse *rmse, const struct trajectory *soft,
                           const struct trajectory *exact, int column, const char *name)
{
    double error = 0, square = 0, least = INFINITY, most = -INFINITY;
    for (int k = 0; k < exact->samples; k++) {
        double want = value_at(exact, k, column);
        error += pow(value_at(soft, k, column) - want, 2);
        square += want * want;
        least = fmin(least, want);
        most = fmax(most, want);
    }
    const double size[NORMS] = {[BY_RMS] = sqrt(square / exact->samples),
                                [BY_RANGE] = most - least,
                                [BY_LARGEST] = fmax(most, -least)};
    for (int norm = 0; norm < NORMS; norm++) {
        double relative = sqrt(error / exact->samples) / size[norm];
        if (relative > rmse->relative[norm]) {
            rmse->relative[norm] = relative;
            rmse->worst[norm] = name;
        }
    }
}

static struct rmse rmse_of(const struct trajectory *soft, const struct trajectory *exact)
{
    static const char *const axis[] = {"x", "y", "z"};
    struct rmse rmse = {.worst = {"-", "-", "-"}};
    char name[40];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "dq.%s_rod/dL_crank", axis[i]);
        add_coordinate(&rmse, soft, exact, paper_column(exact, name), axis[i]);
    }
    return rmse;
}

/* The largest difference of the multipliers over the largest multiplier. */
static double multiplier_gap(const struct trajectory *soft,
                             const struct trajectory *exact)
{
    struct match match = {0};
    match_add_columns(&match, soft, exact, GROUP_LAMBDA, false);
    return match_relative(&match);
}

/* The largest distance of the slider from where the angle of the crank puts it
   (mechanisms/slider_crank_spatial.c). */
static double slider_gap(const struct paper_run *run, const struct trajectory *trajectory)
{
    double L = paper_value(run, "L_crank"), L_rod = paper_value(run, "L_rod"),
           y_pivot = paper_value(run, "y_pivot"), z_pivot = paper_value(run, "z_pivot"),
           gap = 0;
    int e0 = paper_column(trajectory, "q.e0_crank"),
        e1 = paper_column(trajectory, "q.e1_crank"),
        x = paper_column(trajectory, "q.x_slider");
    for (int k = 0; k < trajectory->samples; k++) {
        double phi = 2 * atan2(value_at(trajectory, k, e1), value_at(trajectory, k, e0)),
               y = y_pivot - L * sin(phi), z = z_pivot + L * cos(phi);
        gap = fmax(gap, fabs(value_at(trajectory, k, x) - sqrt(L_rod * L_rod - y * y -
                                                               z * z)));
    }
    return gap;
}

/* --- the study ---------------------------------------------------------------------- */

static enum status set_up(struct paper_run *run, const char *formulation)
{
    enum status status = paper_run_init(run, "slider-crank-friction", formulation, POINTS,
                                        "L_crank");
    paper_run_until(run, 1);
    paper_run_tolerance(run, 1e-10);
    return status;
}

static void set_penalty(struct paper_run *run, const struct penalty_choice *choice)
{
    paper_run_option(run, "alpha", choice->alpha);
    paper_run_option(run, "xi", choice->xi);
    paper_run_option(run, "omega", choice->omega);
}

static void set_friction(struct paper_run *run, const struct friction_choice *choice)
{
    paper_run_set(run, "mu_s", choice->mu_s);
    paper_run_set(run, "mu_d", choice->mu_d);
    paper_run_set(run, "v_t", choice->v_t);
}

/* Runs the first `count` choices of friction. */
static enum status run_frictions(struct paper_run *run, int count,
                                 struct trajectory **out)
{
    if (run->status != OK)
        return run->status;
    struct runner *runner = runner_new(&run->request, &run->diagnosis);
    if (!runner)
        return run->status = run->diagnosis.status;
    for (int k = 0; k < count && run->status == OK; k++) {
        set_friction(run, &friction_choice[k]);
        run->status = runner_run(runner, run->value, &out[k], &run->diagnosis);
    }
    runner_free(runner);
    return run->status;
}

/* Keeps the errors of one choice of the penalty, with friction, and of the decades of
   alpha without. */
static void keep_errors(struct rod *rod, int k, struct trajectory *const *soft)
{
    rod->by_penalty[k] = rmse_of(soft[DECLARED], rod->exact[DECLARED]);
    if (k < DECADES) {
        rod->frictionless[k] = rmse_of(soft[FRICTIONLESS], rod->exact[FRICTIONLESS]);
        rod->multiplier_gap[k] = multiplier_gap(soft[DECLARED], rod->exact[DECLARED]);
    }
}

static enum status run_penalty(struct rod *rod, int k, char *why, int size)
{
    struct paper_run run;
    struct trajectory *soft[2] = {NULL};
    set_up(&run, "penalty");
    set_penalty(&run, &penalty_choice[k]);
    enum status status = run_frictions(&run, k < DECADES ? 2 : 1, soft);
    if (status == OK)
        keep_errors(rod, k, soft);
    else
        paper_run_why(&run, why, size);
    trajectory_free(soft[0]);
    trajectory_free(soft[1]);
    paper_run_clear(&run);
    return status;
}

/* The digits that complex step gives the RMSE of the printed choice. */
static void judge_digits(struct rod *rod)
{
    struct trajectory *exact = NULL, *soft = NULL;
    set_friction(&rod->index1, &friction_choice[DECLARED]);
    set_friction(&rod->penalty, &friction_choice[DECLARED]);
    paper_run_complex(&rod->index1, &exact);
    paper_run_complex(&rod->penalty, &soft);
    if (exact && soft) {
        double own = rod->by_friction[DECLARED].relative[BY_RMS],
               want = rmse_of(soft, exact).relative[BY_RMS];
        rod->digits = number_digits(own, want);
    }
    trajectory_free(exact);
    trajectory_free(soft);
}

static enum status open_rod(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct rod *rod = *study = memory_new(1, sizeof *rod);
    set_up(&rod->index1, "index1");
    set_up(&rod->penalty, "penalty");
    set_penalty(&rod->penalty, &penalty_choice[PRINTED]);
    run_frictions(&rod->index1, FRICTIONS, rod->exact);
    run_frictions(&rod->penalty, FRICTIONS, rod->soft);
    for (int k = 0; k < FRICTIONS && rod->exact[k] && rod->soft[k]; k++)
        rod->by_friction[k] = rmse_of(rod->soft[k], rod->exact[k]);
    if (rod->index1.status == OK && rod->penalty.status == OK)
        judge_digits(rod);
    if (rod->index1.status != OK)
        return paper_run_why(&rod->index1, why, size);
    if (rod->penalty.status != OK)
        return paper_run_why(&rod->penalty, why, size);
    enum status status = OK;
    keep_errors(rod, PRINTED, rod->soft);
    for (int k = 0; k < PENALTIES && status == OK; k++)
        if (k != PRINTED)
            status = run_penalty(rod, k, why, size);
    return status;
}

static void close_rod(void *study)
{
    struct rod *rod = study;
    for (int k = 0; k < FRICTIONS; k++) {
        trajectory_free(rod->exact[k]);
        trajectory_free(rod->soft[k]);
    }
    paper_run_clear(&rod->index1);
    paper_run_clear(&rod->penalty);
    free(rod);
}

/* --- claims ------------------------------------------------------------------------- */

/* Choices of friction for which the error is within the bound, for each size of the
   sensitivity, and the largest error of all. */
static double count_choices(const struct rod *rod, double bound, int within[NORMS])
{
    double worst = 0;
    for (int norm = 0; norm < NORMS; norm++) {
        within[norm] = 0;
        for (int k = 0; k < FRICTIONS; k++) {
            double percent = 100 * rod->by_friction[k].relative[norm];
            within[norm] += percent <= bound;
            worst = fmax(worst, percent);
        }
    }
    return worst;
}

static void judge_rmse(const void *study, const struct claim *claim,
                       struct finding *finding)
{
    const struct rod *rod = study;
    const struct rmse *own = &rod->by_friction[DECLARED];
    const struct friction_choice *friction = &friction_choice[DECLARED];
    int within[NORMS];
    double worst = count_choices(rod, strtod(claim->printed, NULL), within);
    finding_at_most_depends(finding, claim, 100 * own->relative[BY_RMS], worst);
    finding->digits = rod->digits;
    finding_tell(finding, "Relative to the RMS of the sensitivity (ours), to its range, "
                 "to its largest value: %.3g, %.3g, %.3g %%, in %s, %s, %s; which is "
                 "meant is not printed.", 100 * own->relative[BY_RMS],
                 100 * own->relative[BY_RANGE], 100 * own->relative[BY_LARGEST],
                 own->worst[BY_RMS], own->worst[BY_RANGE], own->worst[BY_LARGEST]);
    finding_tell(finding, "Friction, radii, initial speed are not printed; declared: "
                 "mu_s %g, mu_d %g, v_t %g m/s. Among %d choices (mu times 0, 1/2, 1, 2; "
                 "v_t times 1/10, 1, 10) %d, %d, %d are within %s %%; without friction "
                 "it is %.3g, %.3g, %.3g %%.", friction->mu_s, friction->mu_d,
                 friction->v_t, FRICTIONS, within[BY_RMS], within[BY_RANGE],
                 within[BY_LARGEST], claim->printed,
                 100 * rod->by_friction[FRICTIONLESS].relative[BY_RMS],
                 100 * rod->by_friction[FRICTIONLESS].relative[BY_RANGE],
                 100 * rod->by_friction[FRICTIONLESS].relative[BY_LARGEST]);
}

static void judge_constraints(const void *study, const struct claim *claim,
                              struct finding *finding)
{
    (void)claim;
    const struct rod *rod = study;
    const struct trajectory *soft = rod->soft[DECLARED], *exact = rod->exact[DECLARED];
    bool apart = soft->worst_Phi > 1e3 * exact->worst_Phi &&
                 soft->worst_Phid > 1e3 * exact->worst_Phid;
    finding_holds(finding, apart, soft->worst_Phi);
    finding_tell(finding, "Ours is the largest |Phi| at the ends of steps by penalty; "
                 "the largest |Phid| is %.3g; by index-1 they are below %.0e and %.0e. "
                 "The slider is off its place by the angle of the crank, x(phi), by %.3g "
                 "m; by index-1 by less than %.0e m.", soft->worst_Phid,
                 verulkar_power(exact->worst_Phi), verulkar_power(exact->worst_Phid),
                 slider_gap(&rod->penalty, soft),
                 verulkar_power(slider_gap(&rod->index1, exact)));
}

/* The observed order in 1/alpha between the printed alpha and the last decade. */
static double order_of(double first, double last)
{
    return observed_order(first, last, pow(10, DECADES - 1 - PRINTED));
}

static void judge_accuracy(const void *study, const struct claim *claim,
                           struct finding *finding)
{
    (void)claim;
    const struct rod *rod = study;
    double with[PENALTIES], none[DECADES];
    for (int k = 0; k < PENALTIES; k++)
        with[k] = 100 * rod->by_penalty[k].relative[BY_RMS];
    for (int k = 0; k < DECADES; k++)
        none[k] = 100 * rod->frictionless[k].relative[BY_RMS];
    double order = order_of(with[PRINTED], with[DECADES - 1]),
           order_none = order_of(none[PRINTED], none[DECADES - 1]);
    finding_holds(finding, order > 0.5 && order_none > 0.5, with[DECADES - 1]);
    finding_tell(finding, "RMSE of the sensitivities over their RMS, at alpha = %s and "
                 "%s (ours): %.3g and %.3g %%, order %.2f in 1/alpha; without friction "
                 "%.3g and %.3g %%, order %.2f.", penalty_choice[PRINTED].alpha,
                 penalty_choice[DECADES - 1].alpha, with[PRINTED], with[DECADES - 1],
                 order, none[PRINTED], none[DECADES - 1], order_none);
    finding_tell(finding, "At alpha = %s: %.3g, %.3g, %.3g %% for omega = 1, 10, 100 "
                 "1/s; %.3g, %.3g, %.3g %% for xi = 1/2, 1, 2.",
                 penalty_choice[PRINTED].alpha, with[DECADES], with[PRINTED],
                 with[DECADES + 1], with[DECADES + 2], with[PRINTED], with[DECADES + 3]);
}

static void judge_multipliers(const void *study, const struct claim *claim,
                              struct finding *finding)
{
    (void)claim;
    const struct rod *rod = study;
    double first = rod->multiplier_gap[PRINTED], last = rod->multiplier_gap[DECADES - 1],
           order = order_of(first, last);
    finding_holds(finding, fabs(order - 1) < 0.1, order);
    finding_tell(finding, "Ours is the observed order in 1/alpha at which lambda* comes "
                 "near the multipliers of index-1: the difference is %.2g of the largest "
                 "of them at alpha = %s, %.2g at alpha = %s.", first,
                 penalty_choice[PRINTED].alpha, last, penalty_choice[DECADES - 1].alpha);
}

static const struct claim claims[] = {
    {"Sec. 2", "neither the constraints nor their derivatives are satisfied exactly", "",
     "", judge_constraints, 0},
    {"Sec. 2", "reasonable accuracy by a right choice of alpha, omega, xi", "", "%",
     judge_accuracy, 0},
    {"(4)", "lambda* approximates the multipliers", "", "", judge_multipliers, 0},
    {"Sec. 4", "largest RMSE of the sensitivities against index-1, over 1 s", "0.5", "%",
     judge_rmse, 0},
    {0}};

const struct study verulkar_rod = {
    .name = "verulkar, penalty against index-1", .weight = 13, .open = open_rod,
    .close = close_rod, .claim = claims, .figure = verulkar_rod_figures};

extern const struct paper paper_verulkar;
const struct paper paper_verulkar = {
    .name = "verulkar",
    .authors = "Verulkar, Sandu, Dopico, Sandu",
    .year = "undated",
    .title = "Direct sensitivity analysis of spatial multibody systems with friction "
             "using penalty formulation",
    .journal = "Extended abstract",
    .question = "A slider-crank in space with friction in its joints is run for 1 s by a "
                "penalty formulation and by the index-1 equations, with the derivatives "
                "by the length of its crank.",
    .study = (const struct study *const[]){&verulkar_limits, &verulkar_rod,
                                           &verulkar_cost, &verulkar_equations, NULL}};
