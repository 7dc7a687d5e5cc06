/*
 * test_elements_body.c - a free rigid body in space, in Euler parameters and in direction
 * vectors, against conservation laws.
 */
#include <gsl/gsl_linalg.h>

#include "bodies.h"

#define READ(text) model_read(model, text, __FILE__, __LINE__)

static body_maker *make;

/* Tumbling about its middle axis; its spin and moments of inertia are parameters.
   Observed are its angular momentum, its axes and its centre. */
static void record_free(struct model *model)
{
    static const char *const value[] = {"1.3", "0.2", "0.3", "0.35", "9.81", "0.1", "3"};
    model_parameters(model, "m, J1, J2, J3, g, w1, w2");
    for (int j = 0; j < model->p; j++)
        model_nominal(model, model->parameter[j].name, value[j], "1", "", false, __FILE__,
                      __LINE__);
    struct body body = make(model, "");
    const formula J[3] = {READ("J1"), READ("J2"), READ("J3")};
    const formula g[3] = {{NULL, 0}, {NULL, 0}, READ("-g")};
    body_inertia(model, &body, READ("m"), J, g);

    /* Axes those of space; given is what turns them, the rest is left to |e| = 1 or to
       orthonormality. */
    static const struct { const char *name, *rate; } given[2][3] = {
        {{"e1", "w1/2"}, {"e2", "w2/2"}, {"e3", "0"}},
        {{"jz", "w1"}, {"kx", "w2"}, {"iy", "0"}}};
    const formula one = integer(model->tape, 1), zero = integer(model->tape, 0);
    body_guess(model, &body, (formula[3]){zero, zero, zero},
               (formula[4]){one, zero, zero, zero});
    for (int k = 0; k < 3; k++) {
        int turned = model_coordinate_index(model, given[make == body_natural][k].name);
        model->q0[k] = zero;
        model->v0[k] = number_of(model, 0.5 * k);
        model->q0[turned] = zero;
        model->v0[turned] = READ(given[make == body_natural][k].rate);
    }
    model->t_end = READ("2");

    formula L[3];
    angular_momentum(&body, J, L);
    see_all(L, 3);
    for (int i = 0; i < 3; i++)
        see_all(body.A[i], 3);
    see_all(body.centre.r, 3);
}

static void expect_near(double got, double want, double scale, double tolerance,
                        const char *what, int j)
{
    cr_expect(fabs(got - want) <= tolerance * fmax(1, scale),
              "%s by %d: %.17g, not %.17g", what, j, got, want);
}

Test(elements_body, the_angular_momentum_of_a_free_body_and_its_derivatives_stay)
{
    for (int k = 0; k < 2; k++) {
        struct solving s;
        double first[3], L[3];
        make = makers[k];
        struct trajectory *trajectory = run_of(&s, record_free);
        for (int j = -1; j < trajectory->columns.p; j++) {
            observe(&s, trajectory, 0, j, seen.f, 3, first);
            for (int sample = 1; sample < trajectory->samples; sample++) {
                observe(&s, trajectory, sample, j, seen.f, 3, L);
                for (int i = 0; i < 3; i++)
                    expect_near(L[i], first[i], 1, 1e-11, "L", j);
            }
        }
        trajectory_free(trajectory);
        solving_end(&s);
    }
}

/* Index 1, rtol 1e-13: the motion has 13 digits, derivatives grow with its
   instability. */
Test(elements_body, both_descriptions_of_a_free_body_move_alike_and_so_do_derivatives)
{
    struct solving s[2];
    struct trajectory *trajectory[2];
    formula f[2][MOST_SEEN];
    for (int k = 0; k < 2; k++) {
        make = makers[k];
        trajectory[k] = run_of(&s[k], record_free);
        memcpy(f[k], seen.f, sizeof seen.f);
    }
    for (int j = -1; j < trajectory[0]->columns.p; j++)
        for (int sample = 0; sample < trajectory[0]->samples; sample++) {
            double x[2][MOST_SEEN], scale = 0;
            for (int k = 0; k < 2; k++)
                observe(&s[k], trajectory[k], sample, j, f[k], seen.count, x[k]);
            for (int i = 0; i < seen.count; i++)
                scale = fmax(scale, fabs(x[1][i]));
            for (int i = 0; i < seen.count; i++)
                expect_near(x[0][i], x[1][i], scale, 1e-12, "observation", j);
        }
    for (int k = 0; k < 2; k++) {
        trajectory_free(trajectory[k]);
        solving_end(&s[k]);
    }
}

/* omega'J omega/2 alone would have M e = 0. */
Test(elements_body, the_mass_matrix_in_euler_parameters_is_positive_definite)
{
    struct solving s;
    make = body_euler;
    struct trajectory *trajectory = run_of(&s, record_free);
    for (int sample = 0; sample < trajectory->samples; sample++) {
        double M[49];
        gsl_matrix_view view = gsl_matrix_view_array(M, 7, 7);
        gsl_vector *eigenvalue = gsl_vector_alloc(7);
        gsl_matrix *V = gsl_matrix_alloc(7, 7);
        for (int i = 0; i < 7; i++)
            observe(&s, trajectory, sample, -1, s.model->mode[0]->M[i], 7, M + 7 * i);
        gsl_linalg_SV_decomp_jacobi(&view.matrix, V, eigenvalue);
        /* along e: 4 (tr(J)/2) = 1.7; across, 4 J_k; the mass is 1.3 */
        cr_expect_float_eq(gsl_vector_get(eigenvalue, 6), 0.8, 1e-12);
        cr_expect_float_eq(gsl_vector_get(eigenvalue, 0), 1.7, 1e-12);
        gsl_vector_free(eigenvalue);
        gsl_matrix_free(V);
    }
    trajectory_free(trajectory);
    solving_end(&s);
}
