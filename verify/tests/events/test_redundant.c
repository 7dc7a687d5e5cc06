/*
 * test_redundant.c - constraints that are dependent but agree change nothing at the
 * start. Where they do not agree, or not when a parameter changes, they are refused by
 * name.
 */
#include "redundant.h"

/* --- what agrees -------------------------------------------------------------------- */

Test(redundant, a_constraint_that_stands_there_twice_changes_nothing)
{
    expect_as_single(NO_WALL, "saltation");
}

/* Two masses on two rods; the third constraint is 2 Phi_1 - Phi_2. */
static bool third_row;
static int open_coordinates;

static void record_double_pendulum(struct model *model)
{
    COORDINATES(x1, y1, x2, y2);
    PARAMETERS(l, r, g);
    NOMINAL(l, 1, "m", "length of the first rod");
    NOMINAL(r, 0.7, "m", "length of the second");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    model_mode(model, "swing");
    for (int i = 0; i < 4; i++)
        model->M[i][i] = i < 2 ? EQ(1.3) : EQ(0.8);
    model->F[1] = EQ(-1.3*g);
    model->F[3] = EQ(-0.8*g);
    LET(Phi1, x1*x1 + y1*y1 - l*l);
    LET(Phi2, (x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - r*r);
    model->Phi[0] = EQ(Phi1);
    model->Phi[1] = EQ(Phi2);
    if (third_row)
        model->Phi[2] = EQ(2*Phi1 - Phi2);
    formula q0[] = {EQ(0.6*l), EQ(0.8*l - 0.1), EQ(0.6*l + 0.1), EQ(-1.4)};
    formula v0[] = {EQ(0.3), EQ(0.1), EQ(-0.2), EQ(0.4)};
    static const int order[] = {1, 3, 0, 2};
    for (int k = 0; k < 4; k++) {
        int i = order[k];
        model->q_guess[i] = i == 1 ? EQ(-0.9) : q0[i];
        if (k >= open_coordinates)
            model->q0[i] = q0[i];
        if (k >= open_coordinates)
            model->v0[i] = v0[i];
    }
    model->t_end = EQ(1);
}

/* Phi_3 = (2, -1) (Phi_1, Phi_2): with A = diag(a, a, a) it is the motion of two rows
   with C' A C = a [5 -2; -2 2]. */
Test(redundant, a_linear_combination_of_constraints_changes_nothing)
{
    open_coordinates = 2;
    third_row = false;
    struct trajectory *two = run_of(record_double_pendulum, "modified-lagrange",
                                    "5e4,-2e4,-2e4,2e4");
    struct solving plain = s;
    third_row = true;
    struct trajectory *three = run_of(record_double_pendulum, "modified-lagrange", "1e4");
    double start = difference(three, two, true), all = difference(three, two, false);
    printf("combination: start %.2g, run %.2g\n", start, all);
    cr_expect_lt(start, same_start);
    cr_expect_lt(all, same_run);
    trajectory_free(two);
    trajectory_free(three);
    solving_end(&plain);
    solving_end(&s);
}

/* A bar on three parallel cranks of one length, which move it in parallel: six
   constraints of rank five, but only where they hold. */
enum cranks { ALIKE, ODD, TWO };    /* ODD: the right one has a length of its own */
static enum cranks cranks;
static enum wall stop;              /* NO_WALL, REBOUND or IMPULSE */

static void record_parallel_cranks(struct model *model)
{
    COORDINATES(x1, y1, x2, y2, x3, y3);
    PARAMETERS(l, d, phi, omega, l3);
    NOMINAL(l, 1.1, "m", "length of the cranks");
    NOMINAL(d, 0.8, "m", "half the length of the bar");
    NOMINAL(phi, 0.9, "rad", "angle of the cranks at the start");
    NOMINAL(omega, 2, "rad/s", "their rate");
    NOMINAL(l3, 1.1, "m", "length of the odd crank");
    struct mode *motion = model_mode(model, "motion");
    for (int i = 0; i < 6; i++) {
        model->M[i][i] = i < 2 ? EQ(1) : i < 4 ? EQ(2.3) : EQ(0.7);
        model->F[i] = i % 2 ? mul(EQ(-9.81), model->M[i][i]) : EQ(0);
        model->q_guess[i] = i % 2 ? EQ(1) : i == 2 ? EQ(1.4) : EQ(2.2);
    }
    model->Phi[0] = EQ(x1*x1 + y1*y1 - l*l);
    model->Phi[1] = EQ((x2 - d)*(x2 - d) + y2*y2 - l*l);
    model->Phi[2] = EQ((x3 - x1)*(x3 - x1) + (y3 - y1)*(y3 - y1) - 4*d*d);
    model->Phi[3] = EQ(2*x2 - x1 - x3);
    model->Phi[4] = EQ(2*y2 - y1 - y3);
    LET(right, (x3 - 2*d)*(x3 - 2*d) + y3*y3);
    if (cranks != TWO)
        model->Phi[5] = cranks == ODD ? EQ(right - l3*l3) : EQ(right - l*l);
    model->q0[0] = EQ(l*cos(phi));
    model->v0[0] = EQ(-l*omega*sin(phi));
    model->t_end = EQ(0.7);
    if (stop == NO_WALL)
        return;
    struct event *event = model_event(model, "stop", motion, motion, EQ(x1 - 0.3),
                                      FALLING);
    if (stop == REBOUND) {
        event->v_plus[0] = EQ(-0.8*vx1);
        event_constrain_velocity(event);
    } else {
        event_impulse(event, EQ(x1), EQ(0.8));
        event_impulse_joints(event);
    }
}

/* Crank k ends at (l cos phi + k d, l sin phi): this, and its derivatives by l, d, phi
   and omega; d: the part that is multiplied by k. */
Test(redundant, constraints_may_be_dependent_only_where_they_hold)
{
    double l = 1.1, d = 0.8, phi = 0.9, omega = 2, c = cos(phi), h = sin(phi);
    const struct { double x, y, d, vx, vy; } want[] = {
        {l * c, l * h, d, -l * omega * h, l * omega * c},
        {c, h, 0, -omega * h, omega * c},
        {0, 0, 1, 0, 0},
        {-l * h, l * c, 0, -l * omega * c, -l * omega * h},
        {0, 0, 0, -l * h, l * c}};
    struct trajectory *trajectory = run_of(record_parallel_cranks, "modified-lagrange",
                                           "1e4");
    const struct columns *columns = &trajectory->columns;
    const double *x = trajectory->sample[0].x;
    for (int j = -1; j < 4; j++)
        for (int k = 0; k < 3; k++) {
            const double q[] = {want[j + 1].x + k * want[j + 1].d, want[j + 1].y};
            const double v[] = {want[j + 1].vx, want[j + 1].vy};
            for (int i = 0; i < 2; i++) {
                double own_q = x[column(columns, GROUP_Q, 2 * k + i, j)];
                double own_v = x[column(columns, GROUP_V, 2 * k + i, j)];
                cr_expect_float_eq(own_q, q[i], 1e-14, "q by %d: %.17g", j, own_q);
                cr_expect_float_eq(own_v, v[i], 1e-14, "v by %d: %.17g", j, own_v);
            }
        }
    trajectory_free(trajectory);
    solving_end(&s);
}

/* The exact motion is that of two cranks, through events as well. */
Test(redundant, a_third_crank_changes_nothing)
{
    for (stop = NO_WALL; stop <= IMPULSE; stop++) {
        cranks = TWO;
        struct trajectory *two = run_of(record_parallel_cranks, "index1", "refuse");
        struct solving plain = s;
        cranks = ALIKE;
        struct trajectory *three = run_of(record_parallel_cranks, "index1",
                                          "minimum-norm");
        double all = difference(three, two, false);
        printf("cranks, stop %d: %.2g\n", stop, all);
        cr_expect_lt(all, same_run);
        cr_expect_eq(two->events, stop == NO_WALL ? 0 : 1);
        trajectory_free(two);
        trajectory_free(three);
        solving_end(&plain);
        solving_end(&s);
    }
}

Test(redundant, one_of_three_parallel_cranks_cannot_change_its_length)
{
    cranks = ODD;
    begin(record_parallel_cranks, "modified-lagrange", "1e4");
    by("l3");
    expect_refusal(INADMISSIBLE, "constraint", "when l3 changes");
    by("l");
    expect_refusal(INADMISSIBLE, "constraint", "when l changes");
    by("d");
    trajectory_free(solve(&s));
    s.value[model_parameter_index(s.model, "l3")] = 1.2;
    expect_refusal(BAD_INPUT, "5 coordinates are left open", "rank 6 (6 rows)");
    solving_end(&s);
}

/* --- what does not ------------------------------------------------------------------ */

Test(redundant, two_lengths_that_are_one_have_no_derivative_by_either)
{
    chosen.second = OWN_LENGTH;
    begin(record_pendulum, "penalty", "5e4");
    by("l2");
    expect_refusal(INADMISSIBLE, "when l2 changes", "constraint 2");
    by("l");
    expect_refusal(INADMISSIBLE, "when l changes", "constraint 2");
    by("g");
    trajectory_free(solve(&s));
    solving_end(&s);
}

Test(redundant, constraints_that_contradict_each_other_are_unreachable)
{
    chosen.second = OWN_LENGTH;
    begin(record_pendulum, "penalty", "5e4");
    s.value[model_parameter_index(s.model, "l2")] = 1.01;
    expect_refusal(UNREACHABLE, "constraint 2", "0.0201");
    solving_end(&s);
}

Test(redundant, rates_that_contradict_each_other_at_the_start)
{
    chosen.second = DRIVEN_APART;
    chosen.driven_at_once = true;
    begin(record_pendulum, "penalty", "5e4");
    by("u");
    expect_refusal(INADMISSIBLE, "start", "the rate of constraint 2");
    s.value[model_parameter_index(s.model, "u")] = 0.1;
    expect_refusal(INCONSISTENT, "no velocities satisfy the rate of constraint", "0.1");
    solving_end(&s);
}

/* --- how many are left open --------------------------------------------------------- */

static void expect_miscounted(const char *what, const char *rank)
{
    begin(record_pendulum, "penalty", "5e4");
    expect_refusal(BAD_INPUT, what, rank);
    solving_end(&s);
}

Test(redundant, as_many_are_left_open_as_the_constraints_have_rank)
{
    chosen.second = SAME;
    chosen.open_x = true;
    expect_miscounted("2 coordinates are left open", "rank 1 (2 rows)");
    chosen.open_x = false;
    chosen.open_vx = true;
    expect_miscounted("2 velocities are left open", "rank 1 (2 rows)");
    chosen.second = ABSENT;
    expect_miscounted("2 velocities are left open", "rank 1 (1 rows)");

    static const char *const open[] = {[1] = "1 coordinates are left open",
                                       [3] = "3 coordinates are left open"};
    third_row = true;
    for (open_coordinates = 1; open_coordinates <= 3; open_coordinates += 2) {
        begin(record_double_pendulum, "modified-lagrange", "1e4");
        expect_refusal(BAD_INPUT, open[open_coordinates], "rank 2 (3 rows)");
        solving_end(&s);
    }
}
