/*
 * test_what_stages_see.c - the law of every method: what its stages see shows in the
 * estimate that control uses.
 *
 * A step depends linearly on a rate that depends on time alone. A rate that one stage
 * alone sees, or all stages at one time (a pulse at a node, narrower than the distance to
 * others), or all after a time (a switch between nodes) makes a change of the solution,
 * an error of about that size, and an estimate. An estimate that is zero there, or far
 * below the error, lets control accept at every tolerance what it cannot see.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dae_steps.h"
#include "solving.h"

#include "case.h"

/* Least part of an error that its estimate has, by any method and by the default. */
static const double pulse_law = 0.02, switch_law = 0.01;
static const double default_pulse_law = 0.1, default_switch_law = 0.03;

enum { DEPTH = DAE_MOST, MOST_CALLS = 2000 };

/* The rate, 1 where it is seen; x_0' is the rate, x_k' = x_(k - 1): so a stage without a
   weight in x_0 is seen by way of others. */
static struct {
    int call, at;               /* evaluations so far; the one that sees it, or -1: */
    double from, to;            /* the times that do */
    double time[MOST_CALLS];    /* [call] times of evaluations */
} seen;

static double rate_at(double t)
{
    int call = seen.call++;

    cr_assert_lt(call, MOST_CALLS);
    seen.time[call] = t;
    return seen.at >= 0 ? call == seen.at : t >= seen.from && t <= seen.to;
}

static void chain_residual(double t, const number *y, const number *w, const number *rho,
                           number *R, number *g)
{
    (void)y, (void)rho, (void)g;
    R[0] = w[0] - rate_at(t);
}

static void chain_motion(double t, const number *y, const number *rho, number *w)
{
    (void)y, (void)rho;
    w[0] = rate_at(t);
}

/* An evaluation of dae_rhs is one of chain_motion, and none of the residual. */
static void no_residual(double t, const number *y, const number *w, const number *rho,
                        number *R, number *g)
{
    (void)t, (void)y, (void)w, (void)rho, (void)g;
    R[0] = 0;
}

static int radau_stages = 3;

/* One step from 0 to 1, each component a group of its own. */
struct shown {
    double rise;                /* change of x_0 */
    double change, estimate;    /* largest of all changes; largest estimate */
    int calls;
};

static struct shown step_with(const struct integrator *method, int depth)
{
    static const int chain[DEPTH] = {-1, 0, 1, 2, 3, 4, 5, 6}, index1[DEPTH] = {0};
    static const double no_rho[DAE_COLUMNS];
    const struct dae_problem problem = {
        .name = "chain", .d = depth, .unknowns = 1, .rate = chain, .lost = index1,
        .residual = method->alloc ? no_residual : chain_residual,
        .motion = chain_motion};
    struct dae dae;
    double x[DAE_DIM] = {0}, dx[DAE_DIM], x_new[DAE_DIM], dx_new[DAE_DIM];
    double e0[DAE_DIM] = {0}, e1[DAE_DIM] = {0}, *const err[2] = {e0, e1};
    struct shown shown = {0};

    dae_init(&dae, &problem, 0, no_rho);
    void *work = dae_work(&dae, method);
    if (method->alloc_implicit)
        radau_use_stages(work, radau_stages);
    seen.call = 0;
    cr_assert_eq(dae_rhs(&dae, 0, x, dx), OK);
    cr_assert_eq(method->step(work, &dae.ode, 0, 1, x, dx, x_new, dx_new, err), OK);
    method->release(work);
    for (int k = 0; k < depth; k++) {
        const double norm[2] = {fabs(e0[k]), fabs(e1[k])};

        shown.change = fmax(shown.change, fabs(x_new[k]));
        shown.estimate = fmax(shown.estimate, control_combined(method, norm));
    }
    shown.rise = x_new[0];
    shown.calls = seen.call;
    return shown;
}

/* The least part of changes that shows, over the stages. */
static double least_of_stages(const struct integrator *method, int depth)
{
    double least = INFINITY;

    seen.at = 0;
    for (int k = 0, calls = step_with(method, depth).calls; k < calls; k++) {
        seen.at = k;
        struct shown shown = step_with(method, depth);
        if (shown.change > 1e-13)
            least = fmin(least, shown.estimate/shown.change);
    }
    return least;
}

/* Times of all evaluations of a step. */
static int times_of(const struct integrator *method, double *time)
{
    seen.at = -1, seen.from = seen.to = NAN;
    int calls = step_with(method, 1).calls;

    memcpy(time, seen.time, (size_t)calls*sizeof *time);
    return calls;
}

static double least_of_nodes(const struct integrator *method, int depth)
{
    double least = INFINITY, time[MOST_CALLS];

    for (int k = 0, calls = times_of(method, time); k < calls; k++) {
        seen.from = seen.to = time[k];
        struct shown shown = step_with(method, depth);
        if (shown.change > 1e-13)
            least = fmin(least, shown.estimate/shown.change);
    }
    return least;
}

/* A switch somewhere from one node to the next: the larger error of both. */
static double least_of_switches(const struct integrator *method)
{
    double least = INFINITY, time[MOST_CALLS];

    for (int k = 0, calls = times_of(method, time); k < calls; k++) {
        double next = INFINITY;

        for (int j = 0; j < calls; j++)
            if (time[j] > time[k])
                next = fmin(next, time[j]);
        if (!(next < INFINITY))
            continue;
        seen.from = next, seen.to = INFINITY;
        struct shown shown = step_with(method, 1);
        double error = fmax(fabs(shown.rise - 1 + time[k]), fabs(shown.rise - 1 + next));
        least = fmin(least, shown.estimate/error);
    }
    return least;
}

static bool judged(const struct integrator *method)
{
    return method->alloc || method->alloc_implicit;
}

static bool is_default(const struct integrator *method)
{
    return method == integrators[0] ||
           (method->pair && method->pair == integrators[0]->pair);
}

Test(what_stages_see, a_pulse_that_one_stage_alone_sees_shows_in_the_estimate)
{
    int asked = 0;

    for (int i = 0; integrators[i]; i++) {
        const struct integrator *method = integrators[i];
        double law = is_default(method) ? default_pulse_law : pulse_law;
        if (!method->alloc)
            continue;
        double alone = least_of_stages(method, 1);
        double others = least_of_stages(method, DEPTH);

        printf("%-10s %.3f of a stage's error, %.3f with others'\n", method->name, alone,
               others);
        cr_expect_geq(alone, law, "%s: %g", method->name, alone);
        cr_expect_geq(others, law, "%s: %g", method->name, others);
        asked++;
    }
    cr_expect_geq(asked, 8);
}

Test(what_stages_see, a_pulse_at_a_node_shows_at_both_ends_and_between_them)
{
    for (int i = 0; integrators[i]; i++) {
        const struct integrator *method = integrators[i];
        double law = is_default(method) ? default_pulse_law : pulse_law;
        int most = method->alloc_implicit ? 7 : 3;

        for (radau_stages = 3; judged(method) && radau_stages <= most;
             radau_stages += 2) {
            double alone = least_of_nodes(method, 1);
            double chain = least_of_nodes(method, DEPTH);

            printf("%-10s %.3f of a node's error, %.3f in a chain\n", method->name, alone,
                   chain);
            cr_expect_geq(alone, law, "%s: %g", method->name, alone);
            cr_expect_geq(chain, law, "%s: %g", method->name, chain);
        }
    }
}

Test(what_stages_see, a_switch_between_any_two_nodes_shows_in_the_estimate)
{
    for (int i = 0; integrators[i]; i++) {
        const struct integrator *method = integrators[i];
        double law = is_default(method) ? default_switch_law : switch_law;
        int most = method->alloc_implicit ? 7 : 3;

        for (radau_stages = 3; judged(method) && radau_stages <= most;
             radau_stages += 2) {
            double least = least_of_switches(method);

            printf("%-10s %.3f of a switch's error\n", method->name, least);
            cr_expect_geq(least, law, "%s: %g", method->name, least);
        }
    }
}

/* --- smooth pulses and switches ----------------------------------------------------- */

enum { PLACES = 50 };
static const double span = 4;

/* exp(-((t - at)/width)^2), or (1 + tanh((t - at)/width))/2 */
static struct smooth {
    double at, width;
    bool is_switch;
} smooth;

static void smooth_residual(double t, const number *y, const number *w, const number *rho,
                            number *R, number *g)
{
    (void)y, (void)rho, (void)g;
    double z = (t - smooth.at)/smooth.width;
    R[0] = w[0] - (smooth.is_switch ? (1 + tanh(z))/2 : exp(-z*z));
}

static void smooth_motion(double t, const number *y, const number *rho, number *w)
{
    number none = 0, R;

    smooth_residual(t, y, &none, rho, &R, NULL);
    w[0] = -R;
}

/* The integral from 0 to t. */
static double smooth_integral(double t)
{
    double z = (t - smooth.at)/smooth.width, z0 = -smooth.at/smooth.width;

    if (!smooth.is_switch)
        return smooth.width*sqrt(atan(1))*(erf(z) - erf(z0));
    /* log cosh z = |z| + log(1 + exp(-2|z|)) - log 2 */
    double rise = fabs(z) - fabs(z0) + log1p(exp(-2*fabs(z))) - log1p(exp(-2*fabs(z0)));
    return t/2 + smooth.width/2*rise;
}

/* Is a hundredth of the effect lost? The run ends and begins again at `stop`. */
static bool is_missed(const struct integrator *method, double rtol, double stop)
{
    static const int chain[] = {-1}, index1[] = {0}, group[] = {0, 1};
    static const double no_rho[DAE_COLUMNS];
    static const struct dae_problem problem = {
        .name = "pulse", .d = 1, .unknowns = 1, .rate = chain, .lost = index1,
        .residual = smooth_residual, .motion = smooth_motion};
    struct dae dae;
    double x[DAE_DIM] = {0};
    struct dae_run run = {.rtol = rtol, .atol = rtol/1000, .groups = 1, .begin = group,
                          .most_tries = 100000};

    dae_init(&dae, &problem, 0, no_rho);
    dae_integrate(&dae, method, 0, stop, x, &run);
    if (stop < span)
        dae_integrate(&dae, method, stop, span, x, &run);
    double want = smooth_integral(span);
    return fabs(x[0] - want) > 0.01*fmin(want, smooth.width);
}

/* How many of PLACES, at random or where a run ends and begins again, as it does at
   samples and events, are missed. */
static int count_missed(const struct integrator *method, double part, bool at_ends)
{
    unsigned seed = 5;
    int missed = 0;

    for (int k = 0; k < PLACES; k++) {
        smooth.at = span*(0.05 + 0.9*rand_r(&seed)/RAND_MAX);
        smooth.width = part*span;
        missed += is_missed(method, 1e-6, at_ends ? smooth.at : span);
    }
    return missed;
}

/* Widths are parts of the span, which is one step where the rate is zero. A pulse that is
   narrower than the distances between nodes is missed at most places: no estimate shows
   what no stage sees. Where steps end it is not, nor is a switch anywhere. */
Test(what_stages_see, smooth_pulses_and_switches_are_missed_between_stages_only)
{
    static const double part[] = {0.1, 0.0316, 0.01, 1e-3, 1e-4};

    for (int i = 0; integrators[i]; i++) {
        const struct integrator *method = integrators[i];
        if (!method->alloc || method->order < 8)
            continue;
        for (int k = 0; k < 5; k++) {
            smooth.is_switch = false;
            int between = count_missed(method, part[k], false);
            cr_expect_eq(count_missed(method, part[k], true), 0,
                         "%s: pulses of %g at ends",
                         method->name, part[k]);
            if (part[k] > 0.03)
                cr_expect_eq(between, 0, "%s: pulses of %g", method->name, part[k]);
            smooth.is_switch = true;
            cr_expect_eq(count_missed(method, part[k], true), 0,
                         "%s: switches of %g at ends", method->name, part[k]);
            cr_expect_eq(count_missed(method, part[k], false), 0, "%s: switches of %g",
                         method->name, part[k]);
            printf("%-10s pulses of %g: %d of %d missed at random places\n", method->name,
                   part[k], between, PLACES);
        }
    }
}

/* v' = exp(-1e4 (t - 2)^2), or a switch at 2, up to 4 */
static bool recorded_switch;

static void record_pushed(struct model *model)
{
    AUXILIARY(v);
    TIME(t);
    struct mode *run = model_mode(model, "run");
    run->f_s[0] = recorded_switch ? EQ((1.0 + tanh(1000.0*(t - 2.0)))/2.0)
                                  : EQ(exp(-1e4*(t - 2.0)*(t - 2.0)));
    model->s0[0] = EQ(0);
    model->t_end = EQ(4);
    (void)v;
}

/* Steps end at the sample in the middle of the pulse. */
Test(what_stages_see, a_run_does_not_lose_a_pulse_or_switch_at_a_sample)
{
    static const double want[] = {0.01*1.7724538509055160273, 2};

    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; integrators[i]; i++)
            for (double rtol = 1e-6; rtol > 1e-13; rtol /= 1000) {
                if (!judged(integrators[i]))
                    continue;
                struct solving s;
                recorded_switch = kind;
                solving_of_record(&s, "pushed", record_pushed, "ode");
                s.sample[0] = 2, s.sample[1] = 4;
                s.request.samples = 2;
                s.request.rtol = rtol, s.request.atol = rtol/1000;
                s.request.integrator = integrators[i];
                struct trajectory *trajectory = solve(&s);
                double v = trajectory->sample[trajectory->samples - 1].x[0];
                cr_expect_float_eq(v, want[kind], 1e4*rtol*want[kind], "%s, %g: %.15g",
                                   integrators[i]->name, rtol, v);
                trajectory_free(trajectory);
                solving_end(&s);
            }
}

/* The rule of trapezes with an estimate that has no share of its last stage. */
static enum status blind_step(void *work, const struct ode *ode, double t, double h,
                              const double *x, const double *dx, double *x_new,
                              double *dx_new, double *const *err)
{
    double middle[DAE_DIM];

    (void)work;
    ode->rhs(ode->context, t + h/2, x, middle);
    ode->rhs(ode->context, t + h, x, dx_new);
    for (int n = 0; n < ode->dim; n++) {
        x_new[n] = x[n] + h/2*(dx[n] + dx_new[n]);
        err[0][n] = h*(dx[n] - middle[n]);
    }
    return OK;
}

static void *no_work(int dim)
{
    static int nothing;

    (void)dim;
    return &nothing;
}

static void keep(void *work)
{
    (void)work;
}

Test(what_stages_see, a_method_that_is_blind_at_its_end_is_found)
{
    static const struct integrator blind = {
        .name = "blind", .order = 2, .errors = 1, .alloc = no_work, .release = keep,
        .step = blind_step};

    cr_expect_lt(least_of_stages(&blind, 1), 1e-300);
    cr_expect_lt(least_of_nodes(&blind, 1), 1e-300);
    cr_expect_lt(least_of_switches(&blind), 1e-300);
}
