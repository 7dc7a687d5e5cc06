/*
 * test_radau_failures.c - what Newton and the error estimate make of rounding, and Newton
 * of matrices without an inverse; what ends a step of radau; what it does with memory.
 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "dae_pendulum.h"
#include "dae_steps.h"
#include "integrators/radau.h"
#include "sanitized.h"

static const int no_chain[] = { -1, -2 };
static const double a_rho[DAE_COLUMNS] = { 0.7, 1.3 };

/* --- Newton ------------------------------------------------------------------------- */

/* y' = -y^3, in a residual with the rounding of numbers of the size 1e8. */
static void noisy(double t, const number *y, const number *w, const number *rho,
                  number *R, number *g)
{
    (void)t, (void)g;
    R[0] = w[0] + rho[0]*((y[0]*y[0]*y[0] + 1e8) - 1e8);
}

static void noisy_motion(double t, const number *y, const number *rho, number *w)
{
    (void)t;
    w[0] = -rho[0]*y[0]*y[0]*y[0];
}

Test(radau_failures, rounding_inside_the_equations_does_not_keep_newton_from_ending)
{
    static const struct dae_problem problem = {
        .name = "noisy", .d = 1, .unknowns = 1, .rate = no_chain, .lost = lost_none,
        .residual = noisy, .motion = noisy_motion };
    struct dae dae;
    double x[3] = { 1, 0, 0 };

    dae_init(&dae, &problem, DAE_COLUMNS, a_rho);
    dae_fixed_steps(&dae, 0, 0.05, 40, x, NULL);
    /* y = 1/sqrt(1 + 2 a t); 40 steps of which each may round by 0.05*1e8 eps */
    cr_assert_lt(fabs(x[0] - 1/sqrt(1 + 4*a_rho[0])), 1e-7);
}

/* A pendulum of mass rho[0] in air of drag rho[1]: what the motion owes to the mass is
   the drag's, and no more than rounding without any. */
static void drag_forces(const number *y, const number *a, number lambda,
                        const number *rho, number *R)
{
    for (int i = 0; i < 2; i++)
        R[i] = rho[0]*(a[i] + 9.5*i) + y[i]*lambda + rho[1]*y[2 + i];
}

static void drag_ggl(double t, const number *y, const number *w, const number *rho,
                     number *R, number *z)
{
    pendulum_ggl(t, y, w, (const number[]){ 1, 9.5 }, R, z);
    drag_forces(y, w + 2, w[4], rho, R);
}

static void drag_ggl_motion(double t, const number *y, const number *rho, number *w)
{
    pendulum_ggl_motion(t, y, (const number[]){ 1, 9.5 }, w);
    for (int i = 0; i < 2; i++)
        w[2 + i] -= rho[1]/rho[0]*y[2 + i];
    w[4] *= rho[0];
}

static void drag_index1(double t, const number *y, const number *w, const number *rho,
                        number *R, number *z)
{
    pendulum_index1(t, y, w, (const number[]){ 1, 9.5 }, R, z);
    drag_forces(y, w, w[2], rho, R);
}

static void drag_index1_motion(double t, const number *y, const number *rho, number *w)
{
    number all[6];

    drag_ggl_motion(t, y, rho, all);
    memcpy(w, all + 2, 3*sizeof *w);
}

/* The blocks of the stages, which do for the motion, do for derivatives that are small or
   none, too: that they approach zero, or what their rounding leaves, is no reason for the
   matrix of all stages. */
Test(radau_failures, a_derivative_of_rounding_alone_is_found_by_the_blocks)
{
    static const struct dae_problem problem[] = {
        { .name = "drag, index 1", .d = PENDULUM_D, .quadratures = PENDULUM_Z,
          .unknowns = 3, .rate = pendulum_rate, .lost = lost_none,
          .residual = drag_index1, .motion = drag_index1_motion },
        { .name = "drag, ggl", .d = PENDULUM_D, .quadratures = PENDULUM_Z,
          .unknowns = 6, .rate = pendulum_ggl_rate, .lost = lost_none,
          .residual = drag_ggl, .motion = drag_ggl_motion } };
    static const double drag[] = { 0, 1e-13, 1e-10, 1e-7 };
    enum { STEPS = 40, LEAST = 3, MOST = 7 };

    for (int k = 0; k < 2*4*3; k++) {
        double x[DAE_DIM] = { 0 }, dx[DAE_DIM], e[DAE_DIM], *const err[] = { e };
        const double rho[DAE_COLUMNS] = { 2.5, drag[k % 4] }, h = 0.01;
        int stages = LEAST + 2*(k/8), direct = 0;
        struct dae dae;

        dae_init(&dae, &problem[k/4 % 2], DAE_COLUMNS, rho);
        x[0] = 0.6, x[1] = -0.8, x[2] = 0.4, x[3] = 0.3;
        struct radau *work = integrator_radau.alloc_implicit(&dae.equations);
        radau_use_stages(work, stages);
        cr_assert_eq(dae_rhs(&dae, 0, x, dx), OK);
        for (int i = 0; i < STEPS; i++) {
            cr_assert_eq(integrator_radau.step(work, &dae.ode, i*h, h, x, dx, x, dx, err),
                         OK);
            direct += work->direct;
        }
        cr_expect_eq(direct, 0, "%s, %d stages, drag %g: %d of %d", dae.problem->name,
                      stages, drag[k % 4], direct, STEPS);
        integrator_radau.release(work);
    }
}

/* --- the error estimate ------------------------------------------------------------- */

/* The largest error estimate of v, in all columns, of n steps h. */
static double estimate_of_v(double h, int n)
{
    double x[DAE_DIM], dx[DAE_DIM], e[DAE_DIM], *const err[] = { e }, largest = 0;
    struct dae dae;

    dae_init(&dae, &pendulum[INDEX3], DAE_COLUMNS, pendulum_rho);
    pendulum_start(pendulum_rho, x);
    void *work = integrator_radau.alloc_implicit(&dae.equations);
    cr_assert_eq(dae_rhs(&dae, 0, x, dx), OK);
    for (int i = 0; i < n; i++) {
        cr_assert_eq(integrator_radau.step(work, &dae.ode, i*h, h, x, dx, x, dx, err),
                     OK);
        for (int j = 0; j <= DAE_COLUMNS; j++)
            for (int l = 2; l < PENDULUM_D; l++)
                largest = fmax(largest, fabs(e[j*PENDULUM_STATE + l]));
    }
    integrator_radau.release(work);
    return largest;
}

/* Of the eps l in Phi the estimate has eps l/h: 1e-14 and more, after it is weighed by h
   over the time of the motion. The errors of these steps are h^5: 1e-19 and less. */
Test(radau_failures, what_rounding_makes_of_the_estimate_is_not_taken_for_an_error)
{
    for (double h = 1e-5; h > 1e-8; h /= 10) {
        double largest = estimate_of_v(h, 300);

        printf("h = %.0e: %.1e\n", h, largest);
        cr_assert_lt(largest, 1e-19, "h = %g: %g", h, largest);
    }
}

/* With an amplitude of 1e-4 l the tolerance of v is that much smaller than otherwise, and
   what rounding makes of v is not. */
Test(radau_failures, a_slow_motion_takes_no_more_steps_than_in_index_1)
{
    static const int q_and_v[] = { 0, 2, 4 };
    const double angle = 1e-4, l = pendulum_rho[0];
    struct dae_run run[PENDULUMS];
    double v[PENDULUMS];

    for (int which = 0; which < PENDULUMS; which++) {
        double x[DAE_DIM] = { l*sin(angle), -l*cos(angle) };
        struct dae dae;

        run[which] = (struct dae_run){ .rtol = 1e-11, .atol = 1e-17, .groups = 2,
                                       .begin = q_and_v, .most_tries = 20000 };
        dae_init(&dae, &pendulum[which], 0, pendulum_rho);
        dae_integrate(&dae, &integrator_radau, 0, 1.5, x, &run[which]);
        v[which] = x[2];
        printf("%-8s %ld steps, %ld refused: v %.15e\n", pendulum[which].name,
               run[which].steps, run[which].refused, v[which]);
    }
    cr_assert_eq(run[INDEX3].reached, run[INDEX1].reached);
    cr_assert_lt(run[INDEX3].steps + run[INDEX3].refused, run[INDEX1].steps);
    cr_assert_lt(fabs(v[INDEX3] - v[INDEX1]), 1e-9*angle);
}

/* In index 2 rounding leaves as much of the estimate in short steps as in long ones: by
   the estimate as it stands none would be short enough. */
Test(radau_failures, a_tolerance_of_rounding_does_not_end_in_steps_of_no_length)
{
    static const int q_and_v[] = { 0, 2, 4 };
    static const int posed[] = { INDEX2, GGL };

    for (int k = 0; k < 2; k++) {
        double x[DAE_DIM], lambda[1 + DAE_COLUMNS];
        double exact[1 + DAE_COLUMNS][PENDULUM_STATE];
        struct dae_run run = { .rtol = 5e-16, .atol = 1e-30, .groups = 2,
                               .begin = q_and_v, .most_tries = 20000, .aims = true };
        struct dae dae;

        dae_init(&dae, &pendulum[posed[k]], 0, pendulum_rho);
        pendulum_start(pendulum_rho, x);
        dae_integrate(&dae, &integrator_radau, 0, 1, x, &run);
        pendulum_exact(1, exact, lambda);
        printf("%s: %ld steps, %ld refused, v %.1e\n", pendulum[posed[k]].name, run.steps,
               run.refused, fabs(x[2] - exact[0][2]));
        cr_expect_eq(run.reached, 1, "%s: %g", pendulum[posed[k]].name, run.reached);
        cr_expect_lt(fabs(x[2] - exact[0][2]), 2e-14);
    }
}

/* --- singular matrices -------------------------------------------------------------- */

static void singular(double t, const number *y, const number *w, const number *rho,
                     number *R, number *g)
{
    (void)t, (void)g;
    R[0] = w[0] + w[1] + y[0]*rho[0];
    R[1] = 3*R[0] + 1;
}

Test(radau_failures, a_singular_matrix_ends_the_step)
{
    static const int rate[] = { -1, -1 };
    static const struct dae_problem problem = {
        .name = "singular", .d = 2, .unknowns = 2, .rate = rate,
        .lost = lost_none, .residual = singular, .motion = NULL };
    double x[DAE_DIM] = { 1, 2 }, dx[DAE_DIM] = { 0 }, e[DAE_DIM], *const err[] = { e };
    double x1[DAE_DIM];
    struct dae dae;

    dae_init(&dae, &problem, 0, a_rho);
    void *work = integrator_radau.alloc_implicit(&dae.equations);
    cr_assert_eq(integrator_radau.step(work, &dae.ode, 0, 1e-9, x, dx, x1, dx, err),
                 SINGULAR);
    integrator_radau.release(work);
}

/* Of Newton, of the tangents, of the quadratures. */
Test(radau_failures, a_residual_that_fails_ends_the_step_at_once_with_its_status)
{
    double x[DAE_DIM], dx[DAE_DIM], x1[DAE_DIM], e[DAE_DIM], *const err[] = { e };
    struct dae dae;
    long calls = 1;

    for (long k = 0; k <= calls; k++) {
        dae_init(&dae, &pendulum[INDEX3], DAE_COLUMNS, pendulum_rho);
        void *work = integrator_radau.alloc_implicit(&dae.equations);
        pendulum_start(pendulum_rho, x);
        cr_assert_eq(dae_rhs(&dae, 0, x, dx), OK);
        dae.calls = 0, dae.fail_at = k, dae.with = NOT_FINITE;
        cr_assert_eq(integrator_radau.step(work, &dae.ode, 0, 0.1, x, dx, x1, dx, err),
                     k ? NOT_FINITE : OK, "call %ld", k);
        cr_assert(k == 0 || dae.calls == k, "it goes on after a failure");
        calls = k ? calls : dae.calls;
        integrator_radau.release(work);
    }
    cr_assert_gt(calls, 9);
}

/* --- memory ------------------------------------------------------------------------- */

/* Index 3, 2, 3, .. from step to step, as when the modes of a mechanism change: their
   numbers of unknowns differ. */
Test(radau_failures, the_equations_may_change_between_steps)
{
    double x[DAE_DIM], dx[DAE_DIM], e[DAE_DIM], *const err[] = { e };
    double exact[1 + DAE_COLUMNS][PENDULUM_STATE], lambda[1 + DAE_COLUMNS];
    struct dae dae, mode[2];

    dae_init(&mode[0], &pendulum[GGL], DAE_COLUMNS, pendulum_rho);
    dae_init(&mode[1], &pendulum[INDEX3], DAE_COLUMNS, pendulum_rho);
    dae_init(&dae, &pendulum[GGL], DAE_COLUMNS, pendulum_rho);
    dae.equations = mode[0].equations;
    void *work = integrator_radau.alloc_implicit(&dae.equations);
    pendulum_start(pendulum_rho, x);
    for (int i = 0; i < 60; i++) {
        dae.problem = mode[i % 2].problem;
        dae.equations = mode[i % 2].equations;
        cr_assert_eq(dae_rhs(&dae, i/60.0, x, dx), OK);
        cr_assert_eq(integrator_radau.step(work, &dae.ode, i/60.0, 1/60.0, x, dx, x, dx,
                                           err), OK, "step %d", i);
    }
    integrator_radau.release(work);
    pendulum_exact(1, exact, lambda);
    for (int j = 0; j <= DAE_COLUMNS; j++)
        cr_assert_lt(dae_distance(2, x + j*PENDULUM_STATE, exact[j]), 1e-6);
}

/* The sanitizer has a malloc of its own, and is not asked. */
#if defined(__GLIBC__) && !SANITIZED

/* Allocations by the code of this program; GSL makes one of its own in every LU. */
static bool counting;
static int allocations;

static void count(void *caller)
{
    Dl_info from, here;

    if (counting && dladdr(caller, &from) && dladdr(&allocations, &here))
        allocations += from.dli_fbase == here.dli_fbase;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t items, size_t size);

void *malloc(size_t size)
{
    count(__builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size)
{
    count(__builtin_return_address(0));
    return __libc_calloc(items, size);
}

Test(radau_failures, no_step_but_the_first_allocates)
{
    double x[DAE_DIM], dx[DAE_DIM], e[DAE_DIM], *const err[] = { e };
    struct dae dae;

    dae_init(&dae, &pendulum[INDEX3], DAE_COLUMNS, pendulum_rho);
    counting = true;
    void *work = integrator_radau.alloc_implicit(&dae.equations);
    int made = 0;
    pendulum_start(pendulum_rho, x);
    cr_assert_eq(dae_rhs(&dae, 0, x, dx), OK);
    for (int i = 0; i < 20; i++) {
        cr_assert_eq(integrator_radau.step(work, &dae.ode, i/60.0, 1/60.0, x, dx, x, dx,
                                           err), OK);
        made = i == 0 ? allocations : made;
    }
    counting = false;
    cr_assert_gt(made, 0, "nothing is counted");
    cr_assert_eq(allocations, made);
    integrator_radau.release(work);
}

#endif
