/*
 * test_orbit_branch.c - branches of periodic motions in a parameter: their bifurcations
 * where they are known, and what ends them.
 */
#include "case.h"
#include "orbiting.h"
#include "orbits/closed_impact_orbit.h"
#include "orbits/curve.h"

static struct branch *followed(struct orbiting *o, const char *parameter, double to,
                               int doublings)
{
    static int index;
    struct branch *branch = NULL;
    index = parameter_of(o, parameter);
    struct branch_request request = {.orbit = o->request, .to = to,
                                     .doublings = doublings};
    request.orbit.run = o->s.request;
    request.orbit.run.samples = 0;
    request.orbit.run.parameters = 1;
    request.orbit.run.parameter = &index;
    enum status status = branch_follow(&request, &branch, &o->s.diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), o->s.diagnosis.place);
    return branch;
}

/* A driven oscillator that swings below a wall: its amplitude is A/|k - w^2 + i c w| at
   A cos(phase), and it grazes the wall where that is d. */
static void record_below_a_wall(struct model *model)
{
    COORDINATES(x);
    AUXILIARY(phase);
    PARAMETERS(A, w, c, k, d, e);
    NOMINAL(A, 0.3, "m/s^2", "drive");
    NOMINAL(w, 0.7, "rad/s", "frequency");
    NOMINAL(c, 0.4, "1/s", "damping");
    NOMINAL(k, 1, "1/s^2", "stiffness");
    NOMINAL(d, 1, "m", "wall");
    NOMINAL(e, 0.8, "1", "restitution");
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(A*cos(phase) - c*vx - k*x);
    model->f_s[0] = EQ(w);
    struct event *wall = model_event(model, "wall", swing, swing, EQ(x - d), RISING);
    wall->v_plus[0] = EQ(-e*vx);
    struct event *wrap = model_event(model, "phase", swing, swing, EQ(phase - 2*pi),
                                     RISING);
    wrap->s_plus[0] = EQ(phase - 2*pi);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(0);
    model->s0[0] = EQ(0);
    model->t_end = EQ(150);
}

Test(orbit_branch, ends_where_an_event_grazes_that_it_does_not_have)
{
    static const double c[] = {0.4, 0.3, 0.6}, w[] = {0.7, 1.1, 0.5};
    for (int i = 0; i < 3; i++) {
        struct orbiting o;
        orbiting_of_record(&o, "below", record_below_a_wall, 0);
        o.s.request.rtol = 1e-11;
        orbiting_set(&o, "c", c[i]);
        orbiting_set(&o, "w", w[i]);
        double A = hypot(1 - w[i] * w[i], c[i] * w[i]);
        orbiting_set(&o, "A", 0.3 * A);
        struct branch *branch = followed(&o, "A", 2 * A, 0);
        const struct branch_point *end = &branch->point[branch->points - 1];
        cr_expect_eq(branch->end, BRANCH_AT_GRAZING, "w = %g: end %d, %s", w[i],
                     (int)branch->end, branch->why.place);
        cr_assert_eq(end->kind, BRANCH_GRAZING);
        cr_assert_not_null(branch->ahead);
        cr_expect_str_eq(branch->ahead->name, "wall");
        cr_expect_float_eq(end->rho, A, 1e-8 * A, "w = %g: %.12g, not %.12g", w[i],
                           end->rho, A);
        branch_free(branch);
        orbiting_end(&o);
    }
}

/* The first bifurcation of this kind; NULL: there is none. */
static const struct branch_point *bifurcation(const struct branch *branch,
                                              enum branch_kind kind)
{
    for (int k = 0; k < branch->points; k++)
        if (branch->point[k].kind == kind)
            return &branch->point[k];
    return NULL;
}

Test(orbit_branch, of_the_impact_oscillator_ends_where_it_grazes)
{
    static const double w[] = {1, 0.9, 1.2};
    for (int i = 0; i < 3; i++) {
        struct orbiting o;
        orbiting_of_case(&o, "impact-oscillator", "ode", 200);
        o.s.request.rtol = 1e-11;
        orbiting_set(&o, "w", w[i]);
        double A = closed_impact_grazing(o.s.model, o.s.value);
        orbiting_set(&o, "A", 4 * A);
        struct branch *branch = followed(&o, "A", A / 100, 0);
        const struct branch_point *end = &branch->point[branch->points - 1];
        cr_expect_eq(branch->end, BRANCH_AT_GRAZING, "w = %g: end %d, %s", w[i],
                     (int)branch->end, branch->why.place);
        cr_expect_eq(end->kind, BRANCH_GRAZING);
        cr_expect_float_eq(end->rho, A, 1e-8 * A, "w = %g: %.12g, not %.12g", w[i],
                           end->rho, A);
        cr_expect_leq(fabs(end->rho - A), fmax(end->error, 1e-11), "w = %g: error %g",
                      w[i], end->error);
        branch_free(branch);
        orbiting_end(&o);
    }
}

/* There the derivative of the orbit by the parameter is not finite, and a multiplier is
   1: the fold is where two orbits of one parameter meet. */
Test(orbit_branch, turns_at_a_fold)
{
    struct orbiting o;
    orbiting_of_case(&o, "impact-oscillator", "ode", 200);
    struct branch *branch = followed(&o, "A", 0.05, 0);
    const struct branch_point *fold = bifurcation(branch, BRANCH_FOLD);
    cr_assert_not_null(fold);
    double nearest = INFINITY, least = INFINITY;
    for (int i = 0; i < fold->multipliers; i++)
        if (!fold->trivial[i])
            nearest = fmin(nearest, cabs(fold->multiplier[i] - 1));
    for (int k = 0; k + 1 < branch->points; k++)
        least = fmin(least, branch->point[k].rho);
    cr_expect_leq(nearest, 1e-6, "%g", nearest);
    cr_expect_eq(least, fold->rho, "the parameter has its least value there");
    double A = closed_impact_fold(o.s.model, o.s.value);
    cr_expect_float_eq(fold->rho, A, 1e-13, "%.15g, not %.15g", fold->rho, A);
    branch_free(branch);
    orbiting_end(&o);
}

/* Distances of period doublings fall by 4.669 in the end (Feigenbaum 1978). */
Test(orbit_branch, doubles_the_period_of_a_walker)
{
    struct orbiting o;
    double slope[4];
    int count = 0;
    orbiting_of_case(&o, "compass-gait", "ode", 20);
    o.s.request.rtol = 1e-11;
    struct branch *all = followed(&o, "slope", 0.1, 3);
    for (const struct branch *branch = all; branch && count < 4; branch = branch->next) {
        const struct branch_point *point = bifurcation(branch, BRANCH_DOUBLING);
        cr_assert_not_null(point, "branch %d", branch->doubled);
        slope[count++] = point->rho;
        cr_expect_eq(point->returns, 1 << branch->doubled);
    }
    cr_assert_eq(count, 4);
    cr_expect_float_eq(slope[0], 0.0766356315757, 1e-11, "%.14g", slope[0]);
    double first = (slope[1] - slope[0]) / (slope[2] - slope[1]);
    double second = (slope[2] - slope[1]) / (slope[3] - slope[2]);
    cr_expect_float_eq(first, 5.32, 0.01, "%g", first);
    cr_expect_float_eq(second, 4.669, 0.02, "%g", second);
    branch_free(all);
    orbiting_end(&o);
}

/* Every point is the orbit that is found from a run at its parameter, where it is
   stable. */
Test(orbit_branch, has_the_orbits_of_runs)
{
    struct orbiting o, single;
    orbiting_of_case(&o, "impact-oscillator", "ode", 200);
    orbiting_of_case(&single, "impact-oscillator", "ode", 400);
    single.s.request.parameters = 0;
    struct branch *branch = followed(&o, "A", 0.3, 0);
    for (int k = 0; k < branch->points; k += 4) {
        const struct branch_point *point = &branch->point[k];
        orbiting_set(&single, "A", point->rho);
        const struct orbit *orbit = orbiting_find(&single);
        cr_expect_float_eq(orbit->period, point->period, 1e-10);
        double complex other = multiplier_of(orbit, 0);
        int i = 0;
        while (point->trivial[i])
            i++;
        cr_expect_leq(fabs(cabs(other) - cabs(point->multiplier[i])), 1e-8, "A = %g",
                      point->rho);
    }
    cr_expect_eq(branch->end, BRANCH_AT_RANGE);
    cr_expect_float_eq(branch->point[branch->points - 1].rho, 0.3, 1e-14);
    branch_free(branch);
    orbiting_end(&o);
    orbiting_end(&single);
}

/* A point of the plane that is drawn to (1, 0), and each second turned around it and
   stretched by rho e: its multipliers are rho exp(+- i angle). */
static void turned(struct model *model)
{
    AUXILIARY(x, y, clock);
    PARAMETERS(rho, angle);
    NOMINAL(rho, 0.9, "1", "stretch");
    NOMINAL(angle, 1, "rad", "turn");
    struct mode *mode = model_mode(model, "rest");
    model->f_s[0] = EQ(1 - x);
    model->f_s[1] = EQ(-y);
    model->f_s[2] = EQ(1);
    struct event *tick = model_event(model, "tick", mode, mode, EQ(clock - 1), RISING);
    tick->s_plus[0] = EQ(1 + rho*exp(1)*(cos(angle)*(x - 1) - sin(angle)*y));
    tick->s_plus[1] = EQ(rho*exp(1)*(sin(angle)*(x - 1) + cos(angle)*y));
    tick->s_plus[2] = EQ(clock - 1);
    model->s0[0] = EQ(1.2);
    model->s0[1] = EQ(0.1);
    model->s0[2] = EQ(0*rho);
    model->t_end = EQ(60);
}

Test(orbit_branch, finds_a_torus_where_a_pair_leaves_the_circle)
{
    struct orbiting o;
    orbiting_of_record(&o, "turned", turned, 0);
    struct branch *branch = followed(&o, "rho", 1.3, 0);
    const struct branch_point *torus = bifurcation(branch, BRANCH_TORUS);
    cr_assert_not_null(torus);
    cr_expect_float_eq(torus->rho, 1, 1e-9, "%.12g", torus->rho);
    cr_expect_null(bifurcation(branch, BRANCH_FOLD));
    cr_expect_null(bifurcation(branch, BRANCH_DOUBLING));
    branch_free(branch);
    orbiting_end(&o);
}

/* Orbits that impact twice are beyond: the branch is kept to the last good point. */
Test(orbit_branch, keeps_what_it_has_where_it_ends)
{
    struct orbiting o;
    orbiting_of_case(&o, "impact-oscillator", "ode", 200);
    o.s.request.rtol = 1e-10;
    struct branch *branch = followed(&o, "w", 0.5, 0);
    cr_expect_eq(branch->end, BRANCH_STUCK);
    cr_expect_neq(branch->why.status, OK);
    cr_expect_gt(branch->points, 10);
    cr_expect_lt(branch->point[branch->points - 1].rho, 0.91);
    branch_free(branch);
    orbiting_end(&o);
}

/* A ball between walls, v -> c + e f |v| over a period: where c = 0 and e f = 1 any v is
   an orbit, so that the branch in f is vertical, and in e, and what the parameter does
   along it is rounding. */
static void record_box(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(L, c, e, f);
    NOMINAL(L, 2, "m", "distance of the walls");
    NOMINAL(c, 0, "m/s", "drive of the left wall");
    NOMINAL(e, 0.5, "1", "restitution on the right");
    NOMINAL(f, 2, "1", "restitution on the left");
    struct mode *fly = model_mode(model, "fly");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(0);
    struct event *left = model_event(model, "left", fly, fly, EQ(x), FALLING);
    left->v_plus[0] = EQ(c - f*vx);
    struct event *right = model_event(model, "right", fly, fly, EQ(x - L), RISING);
    right->v_plus[0] = EQ(-e*vx);
    model->q0[0] = EQ(0.3);
    model->v0[0] = EQ(1);
    model->t_end = EQ(30);
}

Test(orbit_branch, has_no_bifurcations_of_rounding_where_it_is_vertical)
{
    static const char *const parameter[] = {"e", "f", "c"};
    static const double to[] = {0.7, 3, 0.5};
    for (int k = 0; k < 3; k++) {
        struct orbiting o;
        orbiting_of_record(&o, "box", record_box, 0);
        double at = o.s.value[parameter_of(&o, parameter[k])];
        struct branch *branch = followed(&o, parameter[k], to[k], 0);
        cr_expect_gt(branch->points, 20, "%s: %d points, %s", parameter[k],
                     branch->points, branch->why.place);
        for (int i = 0; i < branch->points; i++) {
            cr_expect_eq(branch->point[i].kind, BRANCH_REGULAR, "%s: a %s", parameter[k],
                         branch_kind_text[branch->point[i].kind]);
            cr_expect_float_eq(branch->point[i].rho, at, 1e-12, "%s", parameter[k]);
        }
        cr_expect_neq(branch->end, BRANCH_AT_RANGE, "%s", parameter[k]);
        branch_free(branch);
        orbiting_end(&o);
    }
}

/* --- curves ------------------------------------------------------------------------- */

static struct curve *curve_of(struct orbiting *o, enum branch_kind kind, double to,
                              double second_to)
{
    static int first;
    struct curve *curve = NULL;
    first = parameter_of(o, "A");
    struct curve_request request = {.branch = {.orbit = o->request, .to = to},
                                    .kind = kind, .second = parameter_of(o, "w"),
                                    .second_to = second_to, .points = 6};
    request.branch.orbit.run = o->s.request;
    request.branch.orbit.run.samples = 0;
    request.branch.orbit.run.parameters = 1;
    request.branch.orbit.run.parameter = &first;
    enum status status = curve_follow(&request, &curve, &o->s.diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), o->s.diagnosis.place);
    return curve;
}

Test(orbit_branch, of_grazing_is_a_curve_in_two_parameters)
{
    struct orbiting o;
    orbiting_of_case(&o, "impact-oscillator", "ode", 200);
    o.s.request.rtol = 1e-11;
    struct curve *curve = curve_of(&o, BRANCH_GRAZING, 0.01, 1.2);
    cr_assert_eq(curve->points, 6, "%d: %s", curve->points, curve->why.place);
    for (int k = 0; k < curve->points; k++) {
        const struct curve_point *point = &curve->point[k];
        orbiting_set(&o, "w", point->second);
        double A = closed_impact_grazing(o.s.model, o.s.value);
        cr_expect_float_eq(point->first, A, 1e-8 * A, "w = %g: %.12g, not %.12g",
                           point->second, point->first, A);
    }
    cr_expect_float_eq(curve->point[5].second, 1.2, 1e-14);
    curve_free(curve);
    orbiting_end(&o);
}

/* The fold on the branch at the last value is the point of the curve of folds. */
Test(orbit_branch, of_folds_is_a_curve_in_two_parameters)
{
    struct orbiting o;
    orbiting_of_case(&o, "impact-oscillator", "ode", 200);
    struct curve *curve = curve_of(&o, BRANCH_FOLD, 0.01, 1.1);
    cr_assert_eq(curve->points, 6, "%d: %s", curve->points, curve->why.place);
    orbiting_set(&o, "w", 1.1);
    struct branch *branch = followed(&o, "A", 0.01, 0);
    const struct branch_point *fold = bifurcation(branch, BRANCH_FOLD);
    cr_assert_not_null(fold);
    cr_expect_float_eq(curve->point[5].first, fold->rho, 1e-11);
    branch_free(branch);
    curve_free(curve);
    orbiting_end(&o);
}

/* There is no torus on the way: the curve has no point, and says so. */
Test(orbit_branch, without_the_bifurcation_is_no_curve)
{
    struct orbiting o;
    int first;
    struct curve *curve = NULL;
    orbiting_of_case(&o, "impact-oscillator", "ode", 200);
    first = parameter_of(&o, "A");
    struct curve_request request = {.branch = {.orbit = o.request, .to = 0.5},
                                    .kind = BRANCH_TORUS, .second = parameter_of(&o, "w"),
                                    .second_to = 1.1, .points = 3};
    request.branch.orbit.run = o.s.request;
    request.branch.orbit.run.samples = 0;
    request.branch.orbit.run.parameters = 1;
    request.branch.orbit.run.parameter = &first;
    cr_expect_eq(curve_follow(&request, &curve, &o.s.diagnosis), NO_ORBIT);
    cr_expect_null(curve);
    cr_expect_not_null(strstr(o.s.diagnosis.place, "no such bifurcation"), "%s",
                       o.s.diagnosis.place);
    orbiting_end(&o);
}
