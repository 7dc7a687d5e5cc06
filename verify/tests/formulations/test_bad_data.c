/* Data that no mechanism can have is refused at the start: with the case, the formula,
   its value, and what to do. */
#include <math.h>
#include <string.h>

#include "case.h"
#include "solving.h"

/* A pendulum of mass m on a rope of length l above the ground y = y_g, and a free mass
   beside it. */
static void record(struct model *model)
{
    COORDINATES(x, y, z);
    PARAMETERS(m, m_free, l, y_g, g);
    NOMINAL(m, 1, "kg", "mass of the bob");
    NOMINAL(m_free, 2, "kg", "free mass");
    NOMINAL(l, 1, "m", "length");
    NOMINAL(y_g, -2, "m", "height of the ground");
    NOMINAL(g, 10, "m/s^2", "gravity");
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = model->M[1][1] = EQ(m);
    model->M[2][2] = EQ(m_free*1);
    model->F[1] = EQ(-m*g);
    model->Phi[0] = EQ(x*x + y*y - l*l);
    struct event *ground = model_event(model, "ground", swing, swing, EQ(y - y_g),
                                       FALLING);
    ground->terminal = true;
    model->q0[0] = EQ(0.5);
    model->q_guess[1] = EQ(-1);
    model->q0[2] = EQ(0);
    model->v0[0] = model->v0[2] = EQ(0);
    model->t_end = EQ(0.25);
}
CASE(test_bad, .name = "test-bad", .record = record);

/* The run with one parameter changed is refused, and the message has all of `words`. */
static void expect_refused(const char *parameter, double value, enum status status,
                           const char *const *words)
{
    struct solving s;
    solving_of_desc(&s, &case_test_bad, "index1");
    s.value[model_parameter_index(s.model, parameter)] = value;
    refuse(&s, status);
    for (int k = 0; words[k]; k++)
        cr_expect_not_null(strstr(s.diagnosis.place, words[k]), "no \"%s\" in: %s",
                           words[k], s.diagnosis.place);
    solving_end(&s);
}
#define WORDS(...) (const char *const[]){__VA_ARGS__, NULL}

Test(bad_data, the_case_itself_runs)
{
    struct solving s;
    solving_of_desc(&s, &case_test_bad, "index1");
    trajectory_free(solve(&s));
    solving_end(&s);
}

Test(bad_data, a_negative_mass_is_not_positive_definite)
{
    expect_refused("m", -1, NOT_SPD, WORDS("test-bad", "swing", "= m is -1", "Change"));
    expect_refused("m_free", -2, NOT_SPD, WORDS("test-bad", "M[z][z]", "m_free", "-2"));
}

Test(bad_data, a_mass_that_is_missing_is_not_positive_definite)
{
    expect_refused("m", 0, NOT_SPD, WORDS("test-bad", "= m is 0"));
    expect_refused("m_free", 0, NOT_SPD, WORDS("M[z][z]", "is 0"));
}

Test(bad_data, a_mass_that_is_small_is_a_mass)
{
    struct solving s;
    solving_of_desc(&s, &case_test_bad, "index1");
    s.value[1] = 1e-12;
    trajectory_free(solve(&s));
    solving_end(&s);
}

Test(bad_data, a_rope_too_short_cannot_be_assembled)
{
    expect_refused("l", 0.25, UNREACHABLE,
                   WORDS("test-bad", "x*x + y*y - l*l = 0", "0.1", "q_guess"));
}

Test(bad_data, a_start_below_the_ground_is_violated)
{
    expect_refused("y_g", -0.5, GUARD_VIOLATED,
                   WORDS("test-bad", "ground", "y - y_g is -0.36", "other side"));
}

Test(bad_data, a_parameter_that_is_no_number_is_not_finite)
{
    expect_refused("m", NAN, NOT_FINITE, WORDS("test-bad", "m", "nan"));
}

/* Every formulation that has options, with none and with nominal texts. */
Test(bad_data, options_that_are_null_are_nominal)
{
    static const char *const one_null[MOST_OPTIONS] = {NULL};
    struct solving s;
    for (int k = 0; formulations[k]; k++) {
        const struct formulation *formulation = formulations[k];
        const char *name = formulation->name, *why;
        solving_of_case(&s, "pendulum-wall", name);
        if (formulation->options && formulation_applies(formulation, s.model, &why)) {
            s.request.rtol = 1e-6;
            s.request.atol = 1e-9;
            struct trajectory *want = solve(&s), *got[2];
            s.request.option = NULL;
            got[0] = solve(&s);
            s.request.option = one_null;
            got[1] = solve(&s);
            int last = want->samples - 1;
            for (int i = 0; i < 2; i++) {
                cr_expect_eq(memcmp(got[i]->sample[last].x, want->sample[last].x,
                                    (size_t)want->columns.width * sizeof(double)), 0,
                             "%s", name);
                trajectory_free(got[i]);
            }
            trajectory_free(want);
        }
        solving_end(&s);
    }
}
