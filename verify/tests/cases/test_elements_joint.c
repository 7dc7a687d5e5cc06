/*
 * test_elements_joint.c - joints, drivers and friction between two rigid bodies in space,
 * against Newton and Euler, written out here, and against the energy.
 */
#include "linear/rank.h"
#include "poses.h"

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

typedef void check_of_pair(const struct solving *s, const struct trajectory *trajectory);

static void check_pair(enum joining kind, bool swapped, check_of_pair *check)
{
    struct solving s;
    pair.kind = kind;
    pair.swapped = swapped;
    struct trajectory *trajectory = run_of(&s, record_pair);
    check(&s, trajectory);
    trajectory_free(trajectory);
    solving_end(&s);
}

/* Every joint, with bodies described one way and the other. */
static void check_pairs(check_of_pair *check)
{
    for (int k = 0; k < JOININGS; k++)
        for (int swapped = 0; swapped < 2; swapped++) {
            pair.random.state += 1;
            check_pair((enum joining)k, swapped, check);
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

Test(elements_joint, joints_leave_the_freedoms_they_should_and_reactions_balance)
{
    pair.random = random_start();
    check_pairs(expect_both);
}

Test(elements_joint, a_driver_takes_one_freedom_and_its_reaction_is_what_drives)
{
    pair.random = random_start();
    pair.driven = true;
    for (int swapped = 0; swapped < 2; swapped++) {
        static const enum joining drivable[] = {REVOLUTE, CYLINDRICAL, PRISMATIC};
        for (int k = 0; k < 3; k++)
            check_pair(drivable[k], swapped, expect_both);
    }
}

Test(elements_joint, friction_takes_power_and_the_energy_falls_by_what_it_takes)
{
    pair.random = random_start();
    pair.friction = true;
    check_pairs(expect_loss);
}
