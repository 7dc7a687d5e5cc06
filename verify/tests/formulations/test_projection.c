/*
 * test_projection.c - laws of both projections: what they must reach, what they must not
 * touch, which distance is least, and what columns are derivatives of.
 */
#include "projecting.h"
#include "sampling.h"

static struct pose p;
static struct random source;

static void begin(void)
{
    source = random_start();
}

TestSuite(projection, .init = begin);

/* --- what is projected -------------------------------------------------------------- */

/* Mechanisms of the catalogue, then random ones with and without velocity-level rows. The
   last of them takes four times as long as all others, and waits for make test-all. */
static int subjects(void)
{
    return in_test_all() ? 12 : 11;
}

static void subject(int k)
{
    static const double half_open[] = {-1.4, -1.1, 0.1, -2.2, 1.6, -0.9};
    static const struct { int n, rows, velocity_level; } random_shape[] = {
        {2, 1, 0}, {3, 1, 1}, {6, 4, 1}, {5, 0, 2}, {4, 4, 0}, {12, 7, 0}, {20, 8, 5},
        {40, 25, 3}, {60, 35, 5}};
    switch (k) {
    case 0: pose_of_case(&p, &source, "five-bar", 0, half_open);                  break;
    case 1: pose_of_case(&p, &source, "pendulum-wall", 0, (double[]){0.8, -0.6}); break;
    case 2: pose_of_case(&p, &source, "slack-rope", 1, (double[]){-0.6, -0.8});   break;
    default:
        pose_of_shape(&p, &source, random_shape[k - 3].n, random_shape[k - 3].rows,
                       random_shape[k - 3].velocity_level);
    }
    cr_assert_lt(relative(&p, p.constraints.Phi, true, p.q), rounding, "subject %d", k);
    cr_assert_lt(relative(&p, p.constraints.Phid, false, p.v), rounding);
}

static const struct projection *const both[] = {&projection_partition,
                                                &projection_mass_orthogonal};

/* For each projection and each subject, with programs and with pivots. */
static void for_all(void (*check)(const struct projection *projection, int k))
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < subjects(); k++) {
            subject(k);
            p.constraints.pivots = i >= 2;
            check(both[i % 2], k);
            pose_end(&p);
        }
}

/* --- states ------------------------------------------------------------------------- */

static void check_state(const struct projection *projection, int k)
{
    double q[MOST_N], v[MOST_N];
    void *work = project(projection, &p, &source, 1e-3, q, v);
    evaluate_pose(&p);
    double Phi = relative(&p, p.constraints.Phi, true, p.q);
    double Phid = relative(&p, p.constraints.Phid, false, p.v);
    cr_log_info("%s, subject %d: %.1e %.1e", projection->name, k, Phi, Phid);
    cr_expect_lt(Phi, 10 * DBL_EPSILON, "%s, subject %d: %g", projection->name, k, Phi);
    cr_expect_lt(Phid, 10 * DBL_EPSILON, "%s, subject %d: %g", projection->name, k, Phid);

    memcpy(q, p.q, sizeof q);
    memcpy(v, p.v, sizeof v);
    cr_expect_eq(projection->state(work, p.t, p.q, p.v, p.s), OK);
    cr_expect_lt(difference(p.n, p.q, q), rounding, "%s twice, subject %d: %g",
                 projection->name, k, difference(p.n, p.q, q));
    cr_expect_lt(difference(p.n, p.v, v), rounding, "%s twice, subject %d: %g",
                 projection->name, k, difference(p.n, p.v, v));
    projection->release(work);
}

Test(projection, states_reach_the_constraints_to_rounding_and_then_stay)
{
    for_all(check_state);
}

/* Marks what differs from x0; returns how many. */
static int changed(const double *x0, const double *x, bool *moves)
{
    int count = 0;
    for (int j = 0; j < p.n; j++)
        count += moves[j] = memcmp(&x0[j], &x[j], sizeof *x) != 0;
    return count;
}

Test(projection, partition_moves_dependent_coordinates_only_and_to_where_newton_goes)
{
    for (int k = 0; k < subjects(); k++) {
        double q0[MOST_N], v0[MOST_N], q[MOST_N], v[MOST_N];
        bool moves_q[MOST_N], moves_v[MOST_N];
        subject(k);
        void *work = project(&projection_partition, &p, &source, 1e-3, q0, v0);
        cr_expect_eq(changed(q0, p.q, moves_q), p.constraints.rows, "subject %d", k);
        cr_expect_eq(changed(v0, p.v, moves_v), p.m, "subject %d", k);
        memcpy(q, p.q, sizeof q);
        memcpy(v, p.v, sizeof v);
        memcpy(p.q, q0, sizeof q0);
        memcpy(p.v, v0, sizeof v0);
        make_consistent(&p, moves_q, moves_v);
        cr_expect_lt(difference(p.n, p.q, q), 10 * rounding, "subject %d, seed %llu", k,
                     source.seed);
        cr_expect_lt(difference(p.n, p.v, v), 10 * rounding, "subject %d, seed %llu", k,
                     source.seed);
        projection_partition.release(work);
        pose_end(&p);
    }
}

/* Largest part of M (x - x0) outside the range of Phi_q', against the terms of M x and
   M x0. */
static double not_orthogonal(bool positions_only, const double *x0, const double *x)
{
    const struct constraints *c = &p.constraints;
    double force[MOST_N], size = 0;
    evaluate_pose(&p);
    for (int i = 0; i < p.n; i++) {
        double momentum = 0;
        force[i] = 0;
        for (int j = 0; j < p.n; j++) {
            double M = constraints_M(c, i, j);
            force[i] += M * (x[j] - x0[j]);
            momentum += fabs(M) * fmax(fabs(x[j]), fabs(x0[j]));
        }
        size = fmax(size, momentum);
    }
    return outside(&p, positions_only, force) / size;
}

Test(projection, mass_orthogonal_displacements_are_forces_of_constraints)
{
    double q[MOST_N], v[MOST_N];
    for (int k = 0; k < subjects(); k++) {
        subject(k);
        projection_mass_orthogonal.release(
            project(&projection_mass_orthogonal, &p, &source, 1e-3, q, v));
        cr_expect_lt(not_orthogonal(true, q, p.q), rounding, "q, subject %d", k);
        cr_expect_lt(not_orthogonal(false, v, p.v), rounding, "v, subject %d", k);
        pose_end(&p);
    }

    /* The bar can be missed: another way onto the constraints. */
    subject(0);
    projection_partition.release(project(&projection_partition, &p, &source, 1e-3, q, v));
    cr_expect_gt(not_orthogonal(true, q, p.q), 1e-6);
    cr_expect_gt(not_orthogonal(false, v, p.v), 1e-6);
    pose_end(&p);
}

/* --- columns ------------------------------------------------------------------------ */

static void random_column(double *Q, double *V, double *S)
{
    for (int j = 0; j < p.n; j++) {
        Q[j] = random_between(&source, -1, 1);
        V[j] = random_between(&source, -1, 1);
    }
    for (int k = 0; k < p.model->ns; k++)
        S[k] = random_between(&source, -1, 1);
}

static void check_column_after(const struct projection *projection, int k, double size)
{
    struct constraints *c = &p.constraints;
    double q[MOST_N], v[MOST_N], Q[MOST_N], V[MOST_N], S[4], Q0[MOST_N], V0[MOST_N];
    void *work = project(projection, &p, &source, size, q, v);
    for (int parameter = 0; parameter < p.model->p; parameter++) {
        random_column(Q0, V0, S);
        memcpy(Q, Q0, sizeof Q);
        memcpy(V, V0, sizeof V);
        projection->column(work, parameter, Q, V, S);
        evaluate_pose(&p);
        constraints_along(c, 0, Q, V, S, parameter);
        cr_expect_lt(relative(&p, c->Phi_dot, true, Q), rounding, "%s, subject %d: %g",
                     projection->name, k, relative(&p, c->Phi_dot, true, Q));
        cr_expect_lt(relative(&p, c->Phid_dot, false, V), rounding, "%s, subject %d: %g",
                     projection->name, k, relative(&p, c->Phid_dot, false, V));
        if (projection == &projection_mass_orthogonal) {
            cr_expect_lt(not_orthogonal(true, Q0, Q), rounding, "Q, subject %d", k);
            cr_expect_lt(not_orthogonal(false, V0, V), rounding, "V, subject %d", k);
        }
    }
    projection->release(work);
}

/* After a perturbation that takes several steps, and one that takes a single one. */
static void check_column(const struct projection *projection, int k)
{
    check_column_after(projection, k, 1e-3);
    check_column_after(projection, k, 1e-9);
}

Test(projection, columns_satisfy_the_linearised_constraints)
{
    for_all(check_column);
}

/* The projected state for a neighbouring parameter, with coordinates, velocities and the
   auxiliary state moved along a column. What `work` has chosen stays chosen. */
static void neighbour(const struct projection *projection, void *work, int parameter,
                      double h, const double *Q, const double *V, const double *S,
                      double *q, double *v)
{
    double rho[MOST_P], s[4];
    memcpy(rho, p.rho, sizeof rho);
    memcpy(s, p.s, sizeof s);
    rho[parameter] += h;
    for (int k = 0; k < p.model->ns; k++)
        s[k] += h * S[k];
    for (int j = 0; j < p.n; j++) {
        q[j] = p.q[j] + h * Q[j];
        v[j] = p.v[j] + h * V[j];
    }
    constraints_set(&p.constraints, rho);
    cr_assert_eq(projection->state(work, p.t, q, v, s), OK);
    constraints_set(&p.constraints, p.rho);
}

/* --- by a program, and with pivots -------------------------------------------------- */

/* One perturbed state with a column, projected. */
struct projected {
    double q[MOST_N], v[MOST_N], Q[MOST_N], V[MOST_N], S[4];
};

static void project_both(const struct projection *projection, void *work, double size,
                         struct projected out[2])
{
    struct projected *one = &out[0];
    random_column(one->Q, one->V, one->S);
    for (int j = 0; j < p.n; j++) {
        one->q[j] = p.q[j] + random_between(&source, -size, size);
        one->v[j] = p.v[j] + random_between(&source, -size, size);
    }
    out[1] = out[0];
    for (int k = 0; k < 2; k++) {
        p.constraints.pivots = k == 1;
        cr_assert_eq(projection->state(work, p.t, out[k].q, out[k].v, p.s), OK);
        projection->column(work, 0, out[k].Q, out[k].V, out[k].S);
    }
}

/* Columns of any size are moved a long way. */
Test(projection, programs_agree_with_pivots)
{
    static struct projected out[2];
    for (int k = 0; k < 2 * subjects(); k++) {
        subject(k / 2);
        void *work = projection_work(both[k % 2], &p);
        for (double size = 1e-2; size > 1e-12; size /= 100) {
            project_both(both[k % 2], work, size, out);
            double worst = fmax(fmax(difference(p.n, out[0].q, out[1].q),
                                     difference(p.n, out[0].v, out[1].v)),
                                fmax(difference(p.n, out[0].Q, out[1].Q),
                                     difference(p.n, out[0].V, out[1].V)));
            cr_expect_lt(worst, 100 * rounding, "%s, subject %d: %g, seed %llu",
                         both[k % 2]->name, k / 2, worst, source.seed);
        }
        both[k % 2]->release(work);
        pose_end(&p);
    }
}

/* Projects a perturbed state, after the start of some arcs at any other states. */
static void project_after(int arcs, struct projected *state)
{
    const struct projection *projection = &projection_partition;
    void *work = projection->alloc(&p.constraints);
    for (int i = 0; i < arcs; i++) {
        double q[MOST_N];
        for (int j = 0; j < p.n; j++)
            q[j] = random_between(&source, -2, 2);
        projection->restart(work, p.t, q, p.v, p.s);
    }
    projection->renew(work);
    cr_assert_eq(projection->restart(work, p.t, p.q, p.v, p.s), OK);
    cr_assert_eq(projection->state(work, p.t, state->q, state->v, p.s), OK);
    projection->release(work);
}

/* However many choices of dependent coordinates there have been, a state is projected by
   the program that it would have without them, to the bit. */
Test(projection, states_do_not_depend_on_earlier_choices)
{
    static struct projected out[2];
    for (int k = 0; k < subjects(); k++) {
        subject(k);
        for (int j = 0; j < p.n; j++) {
            out[0].q[j] = p.q[j] + random_between(&source, -1e-3, 1e-3);
            out[0].v[j] = p.v[j] + random_between(&source, -1e-3, 1e-3);
        }
        out[1] = out[0];
        project_after(0, &out[0]);
        project_after(p.n < 20 ? 60 : 0, &out[1]);
        size_t size = (size_t)p.n * sizeof *out[0].q;
        cr_expect_eq(memcmp(out[0].q, out[1].q, size), 0, "subject %d, seed %llu", k,
                     source.seed);
        cr_expect_eq(memcmp(out[0].v, out[1].v, size), 0, "subject %d, seed %llu", k,
                     source.seed);
        pose_end(&p);
    }
}

/* --- columns as derivatives --------------------------------------------------------- */

/* Central differences of projected states, extrapolated from steps h and h/2. */
static void difference_quotient(const struct projection *projection, void *work,
                                int parameter, const double *Q, const double *V,
                                const double *S, double *Q_h, double *V_h)
{
    static const double h = 1e-4, weight[2] = {-1.0 / 3, 4.0 / 3};
    memset(Q_h, 0, (size_t)p.n * sizeof *Q_h);
    memset(V_h, 0, (size_t)p.n * sizeof *V_h);
    for (int k = 0; k < 2; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double q[MOST_N], v[MOST_N], step = sign * h / (1 + k);
            neighbour(projection, work, parameter, step, Q, V, S, q, v);
            for (int j = 0; j < p.n; j++) {
                Q_h[j] += weight[k] * q[j] / (2 * step);
                V_h[j] += weight[k] * v[j] / (2 * step);
            }
        }
}

/* At a point of the manifold a column is the derivative of the projection. (Elsewhere the
   metric and the directions of mass-orthogonal ones change with q, too.) */
static void check_derivative(const struct projection *projection, int k)
{
    double Q[MOST_N], V[MOST_N], S[4], Q_h[MOST_N], V_h[MOST_N];
    int parameter = random_below(&source, p.model->p);
    random_column(Q, V, S);
    void *work = projection_work(projection, &p);
    difference_quotient(projection, work, parameter, Q, V, S, Q_h, V_h);
    cr_assert_eq(projection->state(work, p.t, p.q, p.v, p.s), OK);
    projection->column(work, parameter, Q, V, S);
    projection->release(work);
    /* rounding / h, and h^4 times a derivative of the fifth order */
    double error = fmax(difference(p.n, Q_h, Q), difference(p.n, V_h, V));
    cr_expect_lt(error, 1e-8, "%s, subject %d: %g, seed %llu", projection->name, k, error,
                 source.seed);
}

Test(projection, columns_are_derivatives_of_projected_states)
{
    for_all(check_derivative);
}
