/*
 * test_rounding_floor.c - numbers that are zero, or stay behind, but for rounding, are no
 * reason for shorter steps: integrals of multipliers in index 2 and 3, states whose rates
 * contain them, and derivatives by a parameter as small as 1e-9.
 */
#include "solving.h"

#include "case.h"

/* A pendulum in a plane that turns it faster and faster: the pull does not depend on the
   angle th0 at which it begins, nor does what it adds up to. With `gathering` the pull
   makes the mass grow. */
static bool gathering;

static void record_turning(struct model *model)
{
    COORDINATES(x, y);
    AUXILIARY(s);
    PARAMETERS(L, m, th0, v0, w, c);
    MULTIPLIERS(pull);
    COSTS(sum, squares);
    NOMINAL(L, 0.5, "m", "length");
    NOMINAL(m, 2, "kg", "mass");
    NOMINAL(th0, 0.3, "rad", "angle at the start");
    NOMINAL(v0, 0.2, "m/s", "speed at the start");
    NOMINAL(w, 0.2, "N/m", "turning force");
    NOMINAL(c, 0.02, "1", "what is gathered");
    struct mode *mode = model_mode(model, "turning");
    model->M[0][0] = model->M[1][1] = gathering ? EQ(m + c*s) : EQ(m);
    model->Phi[0] = EQ((x*x + y*y - L*L)/2);
    model->F[0] = EQ(-w*y);
    model->F[1] = EQ(w*x);
    model->q0[0] = EQ(L*cos(th0));
    model->q_guess[1] = EQ(1);
    model->v0[0] = EQ(-v0*sin(th0));
    model->s0[0] = EQ(0.1*m);
    mode->f_s[0] = EQ(pull + ax);
    model->g[0] = EQ(pull);
    model->g[1] = EQ(pull*pull*w);
    model->t_end = EQ(1);
}

/* Digits of the integrals at the end, and of q, by those of index1. */
static void expect_digits(const char *formulation, double rtol, double of_q,
                          double of_integrals)
{
    struct solving s, exact;
    solving_of_record(&exact, "turning", record_turning, "index1");
    struct trajectory *want = solve(&exact);
    solving_of_model(&s, exact.model, formulation);
    s.request.rtol = rtol;
    s.request.atol = rtol / 1000;
    struct trajectory *got = solve(&s);
    const struct columns *columns = &got->columns;
    const double *a = got->sample[got->samples - 1].x;
    const double *b = want->sample[want->samples - 1].x;
    for (int j = -1; j < columns->p; j++) {
        double rho = j < 0 ? 1 : fmin(1, exact.value[s.parameter[j]]);
        for (int i = 0; i < 2; i++) {
            int q = column(columns, GROUP_Q, i, j), z = column(columns, GROUP_Z, i, j);
            double own = fabs(b[column(columns, GROUP_Z, i, -1)]);
            double size = fmax(fabs(b[z]), own / rho);
            cr_expect_leq(fabs(a[q] - b[q]), pow(10, -of_q) * fmax(0.5, fabs(b[q])),
                          "%s at %g: q %d, column %d: %g for %g", formulation, rtol, i, j,
                          a[q], b[q]);
            cr_expect_leq(fabs(a[z] - b[z]), pow(10, -of_integrals) * size,
                          "%s at %g: z %d, column %d: %g for %g", formulation, rtol, i, j,
                          a[z], b[z]);
        }
    }
    trajectory_free(got);
    trajectory_free(want);
    solving_end(&exact);
}

Test(rounding_floor, integrals_of_multipliers_go_on_where_a_derivative_is_zero)
{
    for (double rtol = 1e-11; rtol > 0.9e-14; rtol /= 10) {
        expect_digits("ggl", rtol, 10, 9);
        expect_digits("index3", rtol, 9, 6.5);
    }
}

/* s feeds back: it is integrated with v, and like v. */
Test(rounding_floor, states_that_multipliers_move_are_integrated_in_index_3)
{
    gathering = true;
    for (double rtol = 1e-6; rtol > 0.9e-12; rtol /= 100) {
        double digits = -log10(rtol);
        expect_digits("ggl", rtol, fmin(9, digits - 2), fmin(8, digits - 2.5));
        expect_digits("index3", rtol, fmin(8, 0.75 * digits - 1.5), 0.6 * digits - 1.5);
    }
}

/* A bead of 1e-9 kg on a sphere that also holds a mass on a spring of 1e9 N/m: nothing
   but its own weight depends on the mass of the bead, to twelve digits. */
static void record_light(struct model *model)
{
    COORDINATES(x, y, z);
    PARAMETERS(m, k, R, g, x0, M);
    NOMINAL(m, 1e-9, "kg", "mass of the bead");
    NOMINAL(k, 1e9, "N/m", "stiffness");
    NOMINAL(M, 1e3, "kg", "mass on the spring");
    NOMINAL(R, 1, "m", "radius");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(x0, 0.1, "m", "place at the start");
    model->M[0][0] = model->M[1][1] = EQ(m);
    model->M[2][2] = EQ(M);
    model->F[1] = EQ(-m*g);
    model->F[2] = EQ(-k*z);
    model->Phi[0] = EQ((x*x + y*y + z*z - R*R)/2);
    model->q0[0] = EQ(x0);
    model->q_guess[1] = EQ(-1);
    model->q0[2] = EQ(x0*x0);
    model->v0[0] = model->v0[2] = EQ(0);
    model->t_end = EQ(1/100.0);
}

Test(rounding_floor, complex_step_is_not_stopped_by_a_mass_of_a_nanogramme)
{
    static const char *const formulation[] = {"ode", "index1"};
    struct solving s;
    for (int k = 0; k < 2; k++) {
        solving_of_record(&s, "light", record_light, formulation[k]);
        s.request.max_steps = 4000;     /* the run takes about a hundred */
        char name[128];
        struct trajectory *got = solve(&s);
        double digits = digits_of_complex_step(&s, got, name, sizeof name);
        cr_expect_gt(digits, 11.5, "%s: %.2f digits of %s", formulation[k], digits, name);
        trajectory_free(got);
        solving_end(&s);
    }
}
