/*
 * test_elements_body.c - rigid bodies in space, in Euler parameters and in direction
 * vectors, joints and friction between them. Everything is held against Newton and Euler,
 * written out here, or against conservation laws.
 */
/* A point of a mechanism here, a point of a trajectory in run.h. */
#define point place_of
#include "elements/friction.h"
#undef point

#include <gsl/gsl_linalg.h>

#include "case.h"
#include "linear/rank.h"
#include "observing.h"
#include "random_formulas.h"

typedef struct body body_maker(struct model *model, const char *name);

#define READ(text) model_read(model, text, __FILE__, __LINE__)

static formula number_of(struct model *model, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", x);
    return constant(model->tape, text);
}

/* --- poses, in double --------------------------------------------------------------- */

/* Where a body is, how it stands (columns of R: its axes), and how it moves. */
struct pose {
    double r[3], R[3][3], v[3], omega[3];
};

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void rotation(const double e[4], double R[3][3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        R[i][i] = 1 - 2 * (e[1 + j] * e[1 + j] + e[1 + k] * e[1 + k]);
        R[i][j] = 2 * (e[1 + i] * e[1 + j] - e[0] * e[1 + k]);
        R[j][i] = 2 * (e[1 + i] * e[1 + j] + e[0] * e[1 + k]);
    }
}

/* |e| = 1 with e_0 well away from zero */
static void random_e(struct random *random, double e[4])
{
    double size = 0;
    for (int k = 0; k < 4; k++) {
        e[k] = k == 0 ? 1 : random_between(random, -0.7, 0.7);
        size += e[k] * e[k];
    }
    for (int k = 0; k < 4; k++)
        e[k] /= sqrt(size);
}

static void random_vector(struct random *random, double size, double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = random_between(random, -size, size);
}

/* Euler parameters of R, e_0 > 0. */
static void e_of(double R[3][3], double e[4])
{
    e[0] = sqrt(1 + R[0][0] + R[1][1] + R[2][2]) / 2;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        e[1 + i] = (R[k][j] - R[j][k]) / (4 * e[0]);
    }
}

/* The start of a body, all of it given: e' = E'omega/2, or A_k' = omega x A_k. */
static void give(struct model *model, const struct body *body, struct pose *pose)
{
    double q[12], v[12], e[4];
    e_of(pose->R, e);
    memcpy(q, pose->r, sizeof pose->r);
    memcpy(v, pose->v, sizeof pose->v);
    const double *w = pose->omega;
    double rate[4] = {(-e[1] * w[0] - e[2] * w[1] - e[3] * w[2]) / 2,
                      (e[0] * w[0] + e[3] * w[1] - e[2] * w[2]) / 2,
                      (-e[3] * w[0] + e[0] * w[1] + e[1] * w[2]) / 2,
                      (e[2] * w[0] - e[1] * w[1] + e[0] * w[2]) / 2};
    if (body->turning == 4) {
        memcpy(q + 3, e, sizeof e);
        memcpy(v + 3, rate, sizeof rate);
    }
    for (int k = 0; k < 3 && body->turning == 9; k++) {
        double axis[3] = {pose->R[0][k], pose->R[1][k], pose->R[2][k]};
        memcpy(q + 3 + 3 * k, axis, sizeof axis);
        cross(w, axis, v + 3 + 3 * k);
    }
    for (int i = 0; i < 3 + body->turning; i++) {
        model->q0[body->first + i] = number_of(model, q[i]);
        model->v0[body->first + i] = number_of(model, v[i]);
    }
}

/* --- what is observed --------------------------------------------------------------- */

enum { MOST_SEEN = 64 };
static struct {
    formula f[MOST_SEEN];
    int count;
} seen;

static void see(formula f)
{
    cr_assert_lt(seen.count, MOST_SEEN);
    seen.f[seen.count++] = f;
}

static void see_all(const formula *f, int count)
{
    for (int i = 0; i < count; i++)
        see(f[i]);
}

static struct trajectory *run_of(struct solving *s, void (*record)(struct model *))
{
    static struct case_desc desc;
    struct diagnosis diagnosis = {.t = NAN};
    desc = (struct case_desc){.name = "bodies", .record = record};
    seen.count = 0;
    struct model *model = model_new(&desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    solving_of_model(s, model, "index1");
    return solve(s);
}

/* --- a free body -------------------------------------------------------------------- */

static body_maker *make;

/* J omega in space */
static void angular_momentum(const struct body *body, const formula J[3], formula out[3])
{
    formula L[3];
    for (int k = 0; k < 3; k++)
        L[k] = mul(J[k], body->omega[k]);
    body_direction(body, L, out);
}

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
    body_maker *const makers[2] = {body_euler, body_natural};
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
    body_maker *const makers[2] = {body_euler, body_natural};
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

/* --- pairs of bodies ---------------------------------------------------------------- */

enum joining { SPHERICAL, UNIVERSAL, REVOLUTE, CYLINDRICAL, PRISMATIC, JOININGS };
static const struct {
    const char *name;
    struct joint (*join)(struct model *, const struct frame *, const struct frame *);
    formula (*rub)(struct model *, const struct joint *, const struct friction *);
    int freedoms;
    bool turns, spins, slides;      /* about z of a; about z of b; along z of a */
} joining[JOININGS] = {
    {"spherical", joint_spherical, friction_spherical, 3, true, true, false},
    {"universal", joint_universal, friction_universal, 2, true, true, false},
    {"revolute", joint_revolute, friction_revolute, 1, true, false, false},
    {"cylindrical", joint_cylindrical, friction_cylindrical, 2, true, false, true},
    {"prismatic", joint_prismatic, friction_prismatic, 1, false, false, true},
};

static struct {
    enum joining kind;
    bool swapped;           /* a in Euler parameters and b in direction vectors */
    bool friction, driven;
    struct random random;
} pair;

static const double m[2] = {1.4, 0.8}, J[2][3] = {{0.2, 0.3, 0.35}, {0.1, 0.06, 0.08}};

/* About which point of its own each body is joined, from its centre. */
static const double arm[2][3] = {{0.3, -0.2, 0.5}, {-0.4, 0.1, 0.2}};

static void turn_about_z(double angle, double R[3][3])
{
    const double e[4] = {cos(angle / 2), 0, 0, sin(angle / 2)};
    rotation(e, R);
}

static void product(double A[3][3], double B[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            out[i][k] = 0;
            for (int j = 0; j < 3; j++)
                out[i][k] += A[i][j] * B[j][k];
        }
}

static void image(double A[3][3], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = A[i][0] * x[0] + A[i][1] * x[1] + A[i][2] * x[2];
}

/* How b stands in a: turned about z, for two axes bent by a right angle, turned again. */
struct relative {
    double turn, turn_rate, spin, spin_rate, slide, slide_rate;
};

static void stand(const struct pose *a, const struct relative *to, struct pose *b)
{
    static const double bend[4] = {0.70710678118654752, 0.70710678118654752, 0, 0};
    double first[3][3], second[3][3], B[3][3], turned[3][3], bent[3][3];
    struct pose from = *a;
    turn_about_z(to->turn, first);
    product(from.R, first, turned);
    memcpy(b->R, turned, sizeof turned);
    if (joining[pair.kind].spins) {
        rotation(bend, B);
        turn_about_z(to->spin, second);
        product(turned, B, bent);
        product(bent, second, b->R);
    }
    double out[3], in[3], along[3], lever[3], swing[3];
    image(from.R, arm[0], out);
    image(b->R, arm[1], in);
    for (int i = 0; i < 3; i++) {
        b->omega[i] = a->omega[i] + to->turn_rate * a->R[i][2] +
                      to->spin_rate * b->R[i][2];
        along[i] = to->slide * a->R[i][2];
        lever[i] = out[i] + along[i];
        b->r[i] = a->r[i] + lever[i] - in[i];
    }
    cross(a->omega, lever, swing);
    cross(b->omega, in, out);
    for (int i = 0; i < 3; i++)
        b->v[i] = a->v[i] + swing[i] + to->slide_rate * a->R[i][2] - out[i];
}

static void random_poses(struct random *random, struct pose pose[2],
                         struct relative *relative)
{
    double e[4];
    random_e(random, e);
    rotation(e, pose[0].R);
    random_vector(random, 1, pose[0].r);
    random_vector(random, 1, pose[0].v);
    random_vector(random, 2, pose[0].omega);
    *relative = (struct relative){0};
    if (joining[pair.kind].turns) {
        relative->turn = random_between(random, -1, 1);
        relative->turn_rate = random_between(random, -2, 2);
    }
    if (joining[pair.kind].spins) {
        relative->spin = random_between(random, -0.5, 0.5);
        relative->spin_rate = random_between(random, -2, 2);
    }
    if (joining[pair.kind].slides) {
        relative->slide = random_between(random, -1, 1);
        relative->slide_rate = random_between(random, -1, 1);
    }
    stand(&pose[0], relative, &pose[1]);
}

/* Newton and Euler of a body on which force and torque act at a place: what is left. */
static void see_balance(struct model *model, const struct body *body, int k,
                        const formula g[3], const struct place_of *at,
                        const formula force[3], const formula torque[3], int sign)
{
    formula v[3], a[3], L[3], rate[3], lever[3], moment[3], inertia[3];
    vector_rate(model, body->centre.r, v);
    vector_rate(model, v, a);
    for (int i = 0; i < 3; i++)
        inertia[i] = number_of(model, J[k][i]);
    angular_momentum(body, inertia, L);
    vector_rate(model, L, rate);
    vector_difference(at->r, body->centre.r, lever);
    vector_cross(lever, force, moment);
    formula mass = number_of(model, m[k]), s = integer(model->tape, sign);
    for (int i = 0; i < 3; i++)
        see(sub(mul(mass, sub(a[i], g[i])), mul(s, force[i])));
    for (int i = 0; i < 3; i++)
        see(sub(rate[i], mul(s, add(torque[i], moment[i]))));
}

static struct joint drive(struct model *model, const struct frame *a,
                          const struct frame *b, const struct relative *relative)
{
    formula t = variable(model->tape, BLOCK_T, 0);
    if (pair.kind == PRISMATIC)
        return joint_driven_distance(model, a, b,
                                     add(number_of(model, relative->slide),
                                         mul(number_of(model, relative->slide_rate), t)));
    return joint_driven_angle(model, a, b,
                              add(number_of(model, relative->turn),
                                  mul(number_of(model, relative->turn_rate), t)));
}

static void see_reactions(struct model *model, const struct body body[2],
                          const struct joint *joint, const struct joint *driver,
                          const formula g[3])
{
    formula force[3], torque[3], more[3], twist[3];
    joint_reaction(model, joint, force, torque);
    if (driver) {
        joint_reaction(model, driver, more, twist);
        for (int i = 0; i < 3; i++) {
            force[i] = add(force[i], more[i]);
            torque[i] = add(torque[i], twist[i]);
        }
    }
    for (int k = 0; k < 2; k++)
        see_balance(model, &body[k], k, g, &joint->b.at, force, torque, k == 0 ? -1 : 1);
}

/* Observed: Newton and Euler for both bodies [12], or, with friction, energy and loss. */
static void record_pair(struct model *model)
{
    struct pose pose[2];
    struct relative relative;
    body_maker *const makers[2] = {body_euler, body_natural};
    struct body body[2] = {makers[!pair.swapped](model, "1"),
                           makers[pair.swapped](model, "2")};
    const formula none = {NULL, 0};
    const formula g[3] = {none, none, constant(model->tape, "-9.81")};
    model_costs(model, "loss");
    struct frame frame[2];
    for (int k = 0; k < 2; k++) {
        formula inertia[3], s[3];
        for (int i = 0; i < 3; i++) {
            inertia[i] = number_of(model, J[k][i]);
            s[i] = number_of(model, arm[k][i]);
        }
        body_inertia(model, &body[k], number_of(model, m[k]), inertia, g);
        frame[k] = frame_on(&body[k], s, AXIS_Z);
    }
    random_poses(&pair.random, pose, &relative);
    for (int k = 0; k < 2; k++)
        give(model, &body[k], &pose[k]);
    struct joint joint = joining[pair.kind].join(model, &frame[0], &frame[1]), driver;
    model->t_end = constant(model->tape, "0.4");
    if (pair.driven)
        driver = drive(model, &frame[0], &frame[1], &relative);
    if (!pair.friction) {
        see_reactions(model, body, &joint, pair.driven ? &driver : NULL, g);
        return;
    }
    const struct friction friction = {
        .mu_s = number_of(model, 0.3), .mu_d = number_of(model, 0.2),
        .v_t = number_of(model, 0.1), .radius = number_of(model, 0.05),
        .arm = number_of(model, 0.5), .N_0 = number_of(model, 0.01),
        .v_0 = number_of(model, 1e-3), .sigma = number_of(model, 0.5),
        .N_t = number_of(model, 10)};
    model->g[0] = joining[pair.kind].rub(model, &joint, &friction);
    see(model_energy(model));
    see(model->g[0]);
}

/* Every joint, with bodies described one way and the other. */
static void each_pair(void (*check)(const struct solving *s, const struct trajectory *t))
{
    for (int k = 0; k < JOININGS; k++)
        for (int swapped = 0; swapped < 2; swapped++) {
            struct solving s;
            pair.kind = (enum joining)k;
            pair.swapped = swapped;
            pair.random.state += 1;
            struct trajectory *trajectory = run_of(&s, record_pair);
            check(&s, trajectory);
            trajectory_free(trajectory);
            solving_end(&s);
        }
}

static void expect_freedoms(const struct solving *s, const struct trajectory *trajectory)
{
    const struct mode *mode = s->model->mode[0];
    int n = s->model->n, rows = mode->m, driven = pair.driven ? 1 : 0;
    double *Phi_q = memory_new(rows * n, sizeof *Phi_q);
    struct rank_qr qr;
    rank_qr_init(&qr, rows, n);
    for (int sample = 0; sample < trajectory->samples; sample++) {
        observe(s, trajectory, sample, -1, mode->Phi_q, rows * n, Phi_q);
        rank_qr_factor(&qr, Phi_q, n, 1);
        cr_expect(qr.decided);
        cr_expect_eq(n - qr.rank - 6, joining[pair.kind].freedoms - driven,
                     "%s joint, seed %llu: rank %d of %d rows, %d coordinates",
                     joining[pair.kind].name, pair.random.seed, qr.rank, rows, n);
        cr_expect_eq(qr.rank, rows, "%s joint: the rows are independent",
                     joining[pair.kind].name);
    }
    rank_qr_clear(&qr);
    free(Phi_q);
}

/* Forces here are of order 10; 1e-11 is what index 1 leaves of accelerations. */
static void expect_balance(const struct solving *s, const struct trajectory *trajectory)
{
    for (int sample = 0; sample < trajectory->samples; sample++) {
        double left[12];
        observe(s, trajectory, sample, -1, seen.f, 12, left);
        for (int i = 0; i < 12; i++)
            cr_expect(fabs(left[i]) < 1e-10, "%s joint, seed %llu: equation %d of Newton "
                      "and Euler is off by %.3g", joining[pair.kind].name,
                      pair.random.seed, i, left[i]);
    }
}

static void expect_both(const struct solving *s, const struct trajectory *trajectory)
{
    expect_freedoms(s, trajectory);
    expect_balance(s, trajectory);
}

static void expect_loss(const struct solving *s, const struct trajectory *trajectory)
{
    int loss = column(&trajectory->columns, GROUP_Z, 0, -1);
    double first[2], now[2];
    observe(s, trajectory, 0, -1, seen.f, 2, first);
    for (int sample = 0; sample < trajectory->samples; sample++) {
        observe(s, trajectory, sample, -1, seen.f, 2, now);
        double taken = trajectory->sample[sample].x[loss];
        cr_expect_gt(now[1], 0, "%s joint: friction takes power",
                     joining[pair.kind].name);
        cr_expect(fabs(now[0] + taken - first[0] -
                       trajectory->sample[0].x[loss]) < 1e-10,
                  "%s joint, seed %llu: the energy falls by %.17g, friction takes %.17g",
                  joining[pair.kind].name, pair.random.seed, first[0] - now[0], taken);
    }
    /* far more than the tolerance above */
    cr_expect_gt(trajectory->sample[trajectory->samples - 1].x[loss], 1e-6);
}

Test(elements_body, joints_leave_the_freedoms_they_should_and_reactions_balance)
{
    pair.random = random_start();
    each_pair(expect_both);
}

Test(elements_body, a_driver_takes_one_freedom_and_its_reaction_is_what_drives)
{
    pair.random = random_start();
    pair.driven = true;
    for (int swapped = 0; swapped < 2; swapped++) {
        static const enum joining drivable[] = {REVOLUTE, CYLINDRICAL, PRISMATIC};
        for (int k = 0; k < 3; k++) {
            struct solving s;
            pair.kind = drivable[k];
            pair.swapped = swapped;
            struct trajectory *trajectory = run_of(&s, record_pair);
            expect_both(&s, trajectory);
            trajectory_free(trajectory);
            solving_end(&s);
        }
    }
}

Test(elements_body, friction_takes_power_and_the_energy_falls_by_what_it_takes)
{
    pair.random = random_start();
    pair.friction = true;
    each_pair(expect_loss);
}
