/*
 * test_units.c - in whatever units a mechanism is written, it is the same mechanism: its
 * numbers are the same in metres, micrometres and thousands of kilometres, in every
 * formulation, and where constraints are redundant.
 */
#include "case.h"
#include "columns.h"
#include "linear/units.h"
#include "solving.h"

TestSuite(units, .timeout = 120);

static bool twice;      /* the second row once more, doubled */

/* A cart on a curved rail, a follower on it, and a slide that both move. X and Y are how
   many units of x and of y are a metre. */
static void record_carts(struct model *model)
{
    COORDINATES(x, y, z);
    PARAMETERS(k, c, X, Y);
    NOMINAL(k, 7.3, "N/m", "stiffness");
    NOMINAL(c, 0.8, "1/m", "curvature of the rail");
    FIXED(X, 1, "1", "units of x in a metre");
    FIXED(Y, 1, "1", "units of y in a metre");

    model_mode(model, "carts");
    model->M[0][0] = EQ(1.3/X/X);
    model->M[1][1] = EQ(0.4/Y/Y);
    model->M[2][2] = EQ(2.1);
    model->M[2][0] = EQ(0.3/X);
    model->M[0][2] = EQ(0.3/X);
    model->F[0] = EQ(-k*(x/X)/X);
    model->F[1] = EQ(-9.81*0.4/Y);
    model->F[2] = EQ(-2.0*k*z);
    model->Phi[0] = EQ(y/Y - c*(x/X)*(x/X));
    model->Phi[1] = EQ(z - 0.3*(y/Y) - 0.2*(x/X));
    if (twice)
        model->Phi[2] = EQ(2.0*z - 0.6*(y/Y) - 0.4*(x/X));
    model->q0[0] = EQ(0.7*X);
    model->v0[0] = EQ(-0.4*X);
    model->t_end = EQ(1.0);
}

static struct trajectory *run_in_units(struct solving *s, const char *formulation,
                                       double X, double Y)
{
    solving_of_record(s, "carts", record_carts, formulation);
    s->value[2] = X;
    s->value[3] = Y;
    s->request.rtol = s->request.formulation->kind == DAE ? 1e-10 : 1e-12;
    s->request.atol = 0;
    if (twice && strcmp(formulation, "index1") == 0)
        solving_option(s, "redundant", "minimum-norm");
    return solve(s);
}

/* The unit of a column: of x or y in metres, else 1. */
static double unit_of(const struct columns *columns, int k, double X, double Y)
{
    enum column_group group;
    int i, j;
    column_parts(columns, k, &group, &i, &j);
    bool moves = group == GROUP_Q || group == GROUP_V || group == GROUP_A;
    return moves && i == 0 ? X : moves && i == 1 ? Y : 1;
}

static void expect_same(const char *formulation, double X, double Y, double digits)
{
    struct solving metres, other;
    struct trajectory *want = run_in_units(&metres, formulation, 1, 1);
    struct trajectory *got = run_in_units(&other, formulation, X, Y);
    const struct columns *columns = &want->columns;
    for (int k = 0; k < columns->count; k++) {
        double size = 0, error = 0, unit = unit_of(columns, k, X, Y);
        char name[80];
        for (int i = 0; i < want->samples; i++) {
            size = fmax(size, fabs(want->sample[i].x[k]));
            error = fmax(error, fabs(want->sample[i].x[k] - got->sample[i].x[k] / unit));
        }
        column_name(columns, k, name, sizeof name);
        cr_expect(error <= pow(10, -digits) * size, "%s%s, X %g, Y %g: %s off by %.1e of "
                  "%.1e", formulation, twice ? ", twice" : "", X, Y, name, error, size);
    }
    trajectory_free(want);
    trajectory_free(got);
    solving_end(&metres);
    solving_end(&other);
}

static void expect_same_in_all_units(const char *formulation, double digits)
{
    static const double units[][2] = {{1e6, 1}, {1, 1e6}, {1e-6, 1}, {1e6, 1e-6},
                                      {1e3, 1e9}};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        expect_same(formulation, units[k][0], units[k][1], digits);
}

Test(units, do_not_matter_in_any_formulation)
{
    static const char *const direct[] = {"ode", "index1", "baumgarte", "augmented"};
    for (int k = 0; k < 4; k++)
        expect_same_in_all_units(direct[k], 10);
    expect_same_in_all_units("ggl", 6);
    expect_same_in_all_units("index3", 4);      /* stage multipliers */
}

/* Multipliers of least norm and their derivatives, too: the norm is of multipliers
   alone. */
Test(units, do_not_matter_where_constraints_are_redundant)
{
    twice = true;
    expect_same_in_all_units("index1", 9);
    expect_same_in_all_units("baumgarte", 9);
    expect_same_in_all_units("augmented", 8);
}

/* --- units.h ------------------------------------------------------------------------ */

Test(units, are_powers_of_two_in_which_masses_are_about_one)
{
    for (double mass = 1e-30; mass < 1e30; mass *= 3.7) {
        double unit = unit_of_mass(mass), scaled = mass * unit * unit;
        cr_expect(scaled >= 0.5 && scaled < 2, "mass %g: %g", mass, scaled);
        int exponent;
        cr_expect_eq(frexp(unit, &exponent), 0.5);
    }
    cr_expect_eq(unit_of_mass(0), 0);
    cr_expect_eq(unit_of_mass(-1), 0);
    cr_expect_eq(unit_of_size(INFINITY), 0);
}

/* x + 1e6 y = 0 with masses 1 and 1e12: both weigh the same; z has no mass, and what
   rounding leaves of none is none. */
Test(units, of_what_has_no_mass_are_those_of_its_constraints)
{
    static const double least[] = {0, 1e-40};
    for (int k = 0; k < 2; k++) {
        double K[25] = {1, 0, 0, 1, 0,  0, 1e12, 0, 1e6, 1e-3,  0, 0, least[k], 0, 1e3,
                        1, 1e6, 0, 0, 0,  0, 1e-3, 1e3, 0, 0};
        double unit[5];
        units_of_saddle(3, 2, K, unit);
        cr_expect(unit[0] >= 0.5 && unit[0] <= 2);
        cr_expect(unit[1] * 1e6 >= 0.5 && unit[1] * 1e6 <= 2);
        cr_expect(unit[2] * 1e3 * unit[4] >= 0.25 && unit[2] * 1e3 * unit[4] <= 1);
        cr_expect(unit[3] * unit[0] >= 0.25 && unit[3] * unit[0] <= 1);
    }
}
