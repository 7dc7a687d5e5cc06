/*
 * test_two_link.c - arms of two links: exact identities between derivatives, two
 * descriptions of one motion, and a motion that is known by inverse kinematics.
 */
#include <complex.h>
#undef I

#include "elements/lagrange.h"
#include "random_formulas.h"
#include "referring.h"
#include "solving.h"

/* --- gravity alone ------------------------------------------------------------------ */

/* psi and its derivatives by l1, l2, m1, m2, as the case declares them; |tip(T)|^2 */
struct gradient {
    double psi, l1, l2, m1, m2, tip;
};

static struct gradient gradient_of(const char *name, const char *formulation)
{
    struct solving s;
    solving_of_case(&s, name, formulation);
    struct trajectory *t = solve(&s);
    const double *end = t->sample[t->samples - 1].x, *psi = t->psi;
    bool absolute = s.model->n == 6;
    double th1 = end[column(&t->columns, GROUP_Q, absolute ? 2 : 0, -1)];
    double th2 = end[column(&t->columns, GROUP_Q, absolute ? 5 : 1, -1)];
    struct gradient g = {psi[0], psi[1], psi[2], psi[3], psi[4], 0};
    g.tip = 1 + 3 + 2 * sqrt(3) * cos(th1 - th2);
    trajectory_free(t);
    solving_end(&s);
    return g;
}

/* Derivatives are of size 20; rtol 1e-13 over 4.4 s of free swinging leaves 1e-10. */
Test(two_link, masses_and_lengths_obey_their_scaling)
{
    static const char *const run[][2] = {
        {"two-link", "ode"}, {"two-link-absolute", "index1"},
        {"two-link-absolute", "ode"}, {"two-link-absolute", "augmented"},
    };
    for (int k = 0; k < 4; k++) {
        struct gradient g = gradient_of(run[k][0], run[k][1]);
        cr_expect_float_eq(g.psi, 17.27278, 1e-5);
        cr_expect_float_eq(1 * g.m1 + 2 * g.m2, 0, 1e-9, "%s", run[k][1]);
        cr_expect_float_eq(1 * g.l1 + sqrt(3) * g.l2, 2.5 * g.psi - 2.2 * g.tip, 1e-9,
                           "%s", run[k][1]);
        cr_expect(fabs(g.m1) > 0.1 && fabs(g.l2) > 0.1, "the sums are not of zeros");
    }
}

/* m1 psi_m1 + m2 psi_m2 in MPFR; and what is printed misses it by more than rounding. */
Test(two_link, masses_obey_their_scaling_to_30_digits)
{
    struct referring r;
    referring_of_case(&r, case_find("two-link"), 30);
    struct mp_trajectory *t = refer(&r);
    mpfr_t one, two, zero;
    mpfr_inits2(160, one, two, zero, (mpfr_ptr)0);
    mpfr_set_si(one, 1, MPFR_RNDN);
    mpfr_set_si(two, 2, MPFR_RNDN);
    mpfr_set_si(zero, 0, MPFR_RNDN);
    mpfr_srcptr factor[][2] = {{one, t->psi[1 + by_name(&r, "m1")]},
                               {two, t->psi[1 + by_name(&r, "m2")]}};
    double digits = digits_of_sum(zero, 2, factor);
    cr_expect_geq(digits, 30, "%.1f digits", digits);
    mpfr_clears(one, two, zero, (mpfr_ptr)0);
    mp_trajectory_free(t);
    referring_end(&r);

    double rounding = 0.5e-4 * (1 + 2);
    cr_expect_gt(fabs(1 * 0.4683 + 2 * -0.2361), rounding, "Pan, Ding, Wang 2004");
}

/* rtol = 1e-13; the motion spreads differences by a factor of ten, derivatives more. */
Test(two_link, absolute_and_minimal_coordinates_agree)
{
    struct solving a, b;
    solving_of_case(&a, "two-link-absolute", "index1");
    solving_of_case(&b, "two-link", "ode");
    struct trajectory *x = solve(&a), *y = solve(&b);
    for (int sample = 0; sample < x->samples; sample++)
        for (int i = 0; i < 2; i++)
            for (int j = -1; j < x->columns.p; j++)
                for (enum column_group group = GROUP_Q; group <= GROUP_V; group++) {
                    double got = x->sample[sample].x[column(&x->columns, group, 3 * i + 2,
                                                            j)];
                    double want = y->sample[sample].x[column(&y->columns, group, i, j)];
                    cr_expect(fabs(got - want) < 1e-11 * fmax(10, fabs(want)),
                              "angle %d, derivative %d: %.15g, %.15g", i + 1, j, got,
                              want);
                }
    trajectory_free(x);
    trajectory_free(y);
    solving_end(&a);
    solving_end(&b);
}

/* --- a led tip ---------------------------------------------------------------------- */

/* Elbow and shoulder of the arm whose tip is at (x0 - v t, l/2), the elbow changing sides
   where the arm is folded. rho = (l, m, v, x0). */
static void inverse_kinematics(double t, const double complex *rho, double complex *q)
{
    double complex l = rho[0], x = rho[3] - rho[2] * t, half = x / (l * sqrt(2));
    q[1] = M_PI + 2 * casin(half);
    double complex sine = -2 * half * csqrt(1 - half * half);
    q[0] = M_PI / 2 - catan(2 * x / l) - catan(sine / (1 + 2 * half * half));
}

/* The angles by closed form, their derivatives by complex step through it. The arm ends
   0.16 rad from its singular position, which costs a digit. */
Test(two_link, a_led_tip_needs_the_angles_of_inverse_kinematics)
{
    static const char *const formulation[] = {"index1", "ode", "baumgarte", "augmented"};
    for (int f = 0; f < 4; f++) {
        struct solving s;
        solving_of_case(&s, "two-link-driven", formulation[f]);
        struct trajectory *t = solve(&s);
        cr_assert_eq(t->columns.p, 4);
        for (int sample = 0; sample < t->samples; sample++)
            for (int j = -1; j < 4; j++) {
                double complex rho[4], q[2];
                for (int i = 0; i < 4; i++)
                    rho[i] = s.value[i];
                if (j >= 0)
                    rho[j] = s.value[j] + 1e-30 * _Complex_I;
                inverse_kinematics(t->sample[sample].t, rho, q);
                for (int i = 0; i < 2; i++) {
                    double want = j < 0 ? creal(q[i]) : cimag(q[i]) / 1e-30;
                    double got = t->sample[sample].x[column(&t->columns, GROUP_Q, i, j)];
                    cr_expect(fabs(got - want) < 1e-11 * fmax(1, fabs(want)),
                              "%s, q%d by %d at %g: %.15g, %.15g", formulation[f], i + 1,
                              j, t->sample[sample].t, got, want);
                }
            }
        trajectory_free(t);
        solving_end(&s);
    }
}

/* Beyond the folded arm, where two motions cross, the exact motion is the smooth one. */
Test(two_link, the_exact_motion_passes_the_folded_arm)
{
    struct referring r;
    referring_of_case(&r, case_find("two-link-driven-singular"), 20);
    static const char *const sample[] = {"0.25", "1"};
    r.request.parameters = 0;
    r.request.samples = 2;
    r.request.sample = sample;
    struct mp_trajectory *t = refer(&r);
    double x0 = cos(80 * M_PI / 180) + sqrt(1 - pow(1 - 2 * sin(80 * M_PI / 180), 2)) / 2;
    const double complex rho[] = {1, 1, 0.6, x0};
    for (int k = 1; k <= 2; k++) {
        const struct mp_point *point = &t->sample[t->samples - k];
        double complex q[2];
        inverse_kinematics(k == 1 ? 1 : 0.25, rho, q);
        for (int i = 0; i < 2; i++)
            cr_expect_float_eq(mpfr_get_d(number_at(t, point, GROUP_Q, i, -1),
                                          MPFR_RNDN), creal(q[i]), 1e-14);
    }
    mp_trajectory_free(t);
    referring_end(&r);
}

/* With the options of the paper, (K_D, K_P, alpha) of its three cases. Constraints that
   yield let the arm through; what is left of them does not vanish with time. */
Test(two_link, modified_lagrange_passes_the_folded_arm)
{
    static const char *const option[][3] = {
        {"10", "20,10", "100,25"}, {"3", "20,10", "100,250"}, {"50", "20,10", "10,2500"},
    };
    for (int k = 0; k < 3; k++) {
        struct solving s;
        solving_of_case(&s, "two-link-driven-singular", "modified-lagrange");
        for (int i = 0; i < 3; i++)
            s.option[i] = option[k][i];
        struct trajectory *t = solve(&s);
        cr_expect_eq(t->sample[t->samples - 1].t, 1);
        cr_expect_gt(t->worst_Phi, 1e-3, "asymptotically stable it is not");
        trajectory_free(t);
        solving_end(&s);
    }
}

/* --- M and F ------------------------------------------------------------------------ */

/* Velocities of the centres, and their heights. */
static void record_by_energies(struct model *model)
{
    model_coordinates(model, "q1, q2");
    model_parameters(model, "l, m, v, x0, g");
    static const char *const text[] = {
        "m*l*l*vq1*vq1*(2/4.0 + 2/12.0)/2",
        "m*l*l*(vq1*vq1 + cos(q2)/2*vq1*(vq1 + vq2) + (vq1 + vq2)*(vq1 + vq2)/16)/2",
        "m*l*l/48*(vq1 + vq2)*(vq1 + vq2)/2",
        "m*g*(2*l/2*sin(q1) + l*sin(q1) + l/4*sin(q1 + q2))",
    };
    for (int j = 0; j < model->p; j++)
        model_nominal(model, model->parameter[j].name, "1", "1", "", false, __FILE__,
                      __LINE__);
    for (int k = 0; k < 3; k++)
        model_kinetic(model, model_read(model, text[k], __FILE__, __LINE__));
    model_potential(model, model_read(model, text[3], __FILE__, __LINE__));
}

/* M by rows, then F, at q, v and rho [5] */
static void equations_at(const struct case_desc *desc, const double *x, double *value)
{
    struct diagnosis diagnosis;
    struct model *model = model_new(desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    const struct mode *mode = model->mode[0];
    const formula f[] = {mode->M[0][0], mode->M[0][1], mode->M[1][0], mode->M[1][1],
                         mode->F[0], mode->F[1]};
    unsigned char stage[BLOCK_LIMIT] = {[BLOCK_Q] = 1, [BLOCK_V] = 1, [BLOCK_RHO] = 1};
    struct program *program = program_seal(model->tape, f, 6, stage);
    double *w = calloc((size_t)program->slots, sizeof *w);
    program_init(program, w);
    program_load(program, BLOCK_Q, x, w);
    program_load(program, BLOCK_V, x + 2, w);
    program_load(program, BLOCK_RHO, x + 4, w);
    program_run(program, 1, w);
    for (int i = 0; i < 6; i++)
        value[i] = w[program->output[i]];
    free(w);
    program_free(program);
    model_free(model);
}

/* The matrices of the paper are not those of its figure; those of the case are. */
Test(two_link, M_and_F_of_the_led_arm_follow_from_its_energies)
{
    static const struct case_desc by_energies = {.name = "by-energies",
                                                 .record = record_by_energies};
    struct random random = random_start();
    for (int round = 0; round < 20; round++) {
        double x[9], got[6], want[6];
        for (int i = 0; i < 9; i++)
            x[i] = i < 4 ? random_between(&random, -3, 3) : random_between(&random, 1, 3);
        equations_at(case_find("two-link-driven"), x, got);
        equations_at(&by_energies, x, want);
        for (int i = 0; i < 6; i++)
            cr_expect(fabs(got[i] - want[i]) < 1e-13 * fmax(100, fabs(want[i])),
                      "entry %d: %.15g, not %.15g, seed %llu", i, got[i], want[i],
                      random.seed);
    }
}
