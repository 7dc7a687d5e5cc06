/*
 * test_spatial_mechanisms.c - mechanisms in space against what is known of them without
 * their equations of motion: where a closed loop puts the slider, and a balance of
 * energy.
 */
#include "solving.h"

#include <complex.h>
#undef I

/* --- the crank says where the slider is --------------------------------------------- */

/* The coordinates that hold the crank, and sin and cos of its angle from them. */
struct crank {
    const char *name[2];
    void (*angle)(const double complex q[2], double complex *sine,
                  double complex *cosine);
};

static void from_euler(const double complex q[2], double complex *sine,
                       double complex *cosine)
{
    *sine = 2 * q[0] * q[1];
    *cosine = q[0] * q[0] - q[1] * q[1];
}

static void from_direction(const double complex q[2], double complex *sine,
                           double complex *cosine)
{
    *sine = -q[0];
    *cosine = q[1];
}

/* x^2 + (y_pivot - L_crank sin phi)^2 + (z_pivot + L_crank cos phi)^2 = L_rod^2 */
static double complex slider(const struct crank *crank, const double complex q[2],
                             double complex L_crank)
{
    double complex sine, cosine;
    crank->angle(q, &sine, &cosine);
    double complex y = 0.1 - L_crank * sine, z = 0.12 + L_crank * cosine;
    return csqrt(0.09 - y * y - z * z);
}

static double of(const struct trajectory *t, const struct run_point *at,
                 const struct model *model, enum column_group group, const char *name,
                 int j)
{
    return at->x[column(&t->columns, group, model_coordinate_index(model, name), j)];
}

/* What moves the slider: time (j = -1), or parameter j of the run. Its place, then how
   fast it moves; the imaginary part of an analytic function is its derivative. */
static void compare(const struct solving *s, const struct trajectory *t,
                    const struct run_point *at, const struct crank *crank,
                    const char *x, int j)
{
    static const double tiny = 1e-30;
    const struct model *model = s->model;
    enum column_group group = j < 0 ? GROUP_V : GROUP_Q;
    double complex q[2], L_crank = 0.08;
    for (int k = 0; k < 2; k++)
        q[k] = of(t, at, model, GROUP_Q, crank->name[k], -1) +
               tiny * of(t, at, model, group, crank->name[k], j) * _Complex_I;
    if (j >= 0 && s->parameter[j] == model_parameter_index(model, "L_crank"))
        L_crank += tiny * _Complex_I;
    double complex want = slider(crank, q, L_crank);
    cr_expect_float_eq(of(t, at, model, GROUP_Q, x, -1), creal(want), 3e-13);
    double rate = cimag(want) / tiny;
    cr_expect_float_eq(of(t, at, model, group, x, j), rate, 3e-12 * fmax(1, fabs(rate)),
                       "%s, t = %g, by %d: %.17g instead of %.17g", model->desc->name,
                       at->t, j, of(t, at, model, group, x, j), rate);
}

static void crank_and_slider(const char *name, const struct crank *crank, const char *x,
                             double t_end)
{
    struct solving s;
    solving_of_case(&s, name, "index1");
    s.request.t_end = t_end;
    for (int k = 0; k < TEST_SAMPLES; k++)
        s.sample[k] = t_end * (k + 1) / TEST_SAMPLES;
    struct trajectory *t = solve(&s);
    for (int k = 0; k < t->samples; k++)
        for (int j = -1; j < s.request.parameters; j++)
            compare(&s, t, &t->sample[k], crank, x, j);
    trajectory_free(t);
    solving_end(&s);
}

/* 1 s is more than a turn. */
Test(spatial, the_crank_says_where_the_slider_is_and_how_it_follows_parameters)
{
    static const struct crank euler = {{"e0_crank", "e1_crank"}, from_euler};
    static const struct crank natural = {{"ky1", "kz1"}, from_direction};
    crank_and_slider("slider-crank-spatial", &euler, "x_slider", 1);
    crank_and_slider("slider-crank-spatial-natural", &natural, "x3", 0.3);
}

/* With the crank up x = 0.2 and x^2 + 0.1^2 + (0.12 + L)^2 = 0.3^2, so dx/dL = -1; and
   x x' = 0.1 L omega, so x' = 0.24. */
Test(spatial, the_slider_starts_where_a_triangle_puts_it)
{
    struct solving s;
    solving_of_case(&s, "slider-crank-spatial", "index1");
    s.request.samples = 0;
    struct trajectory *t = solve(&s);
    const struct run_point *start = &t->sample[0];
    cr_expect_float_eq(of(t, start, s.model, GROUP_Q, "x_slider", -1), 0.2, 1e-15);
    cr_expect_float_eq(of(t, start, s.model, GROUP_V, "x_slider", -1), 0.24, 1e-15);
    cr_expect_float_eq(of(t, start, s.model, GROUP_Q, "x_slider", 0), -1, 1e-14);
    trajectory_free(t);
    solving_end(&s);
}
