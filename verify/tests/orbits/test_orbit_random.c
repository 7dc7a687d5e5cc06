/*
 * test_orbit_random.c - forced impact oscillators drawn at random: areas of phase space
 * shrink by exp(-c t/m) and by e^2 at an impact (Liouville), so that the product of the
 * multipliers is known, whatever the force of the spring is.
 */
#include "case.h"

#include "base/splitmix.h"
#include "orbiting.h"

/* A spring with a cubic part, a wall on each side, the phase of the drive as a state. */
static void record_between_walls(struct model *model)
{
    COORDINATES(x);
    AUXILIARY(phase);
    PARAMETERS(m, c, k, k3, A, w, right, left, e);
    NOMINAL(m, 1, "kg", "mass");
    NOMINAL(c, 0.2, "N s/m", "damping");
    NOMINAL(k, 1, "N/m", "stiffness");
    NOMINAL(k3, 0.1, "N/m^3", "cubic part");
    NOMINAL(A, 1, "N", "amplitude of the drive");
    NOMINAL(w, 1, "rad/s", "frequency of the drive");
    NOMINAL(right, 1, "m", "wall");
    NOMINAL(left, -2, "m", "wall");
    NOMINAL(e, 0.8, "1", "coefficient of restitution of both walls");
    struct mode *smooth = model_mode(model, "smooth");
    model->M[0][0] = EQ(m);
    model->F[0] = EQ(A*cos(phase) - c*vx - k*x - k3*x*x*x);
    model->f_s[0] = EQ(w);
    struct event *impact = model_event(model, "right", smooth, smooth, EQ(x - right),
                                       RISING);
    impact->v_plus[0] = EQ(-e*vx);
    struct event *other = model_event(model, "left", smooth, smooth, EQ(x - left),
                                      FALLING);
    other->v_plus[0] = EQ(-e*vx);
    struct event *wrap = model_event(model, "phase", smooth, smooth, EQ(phase - 2*pi),
                                     RISING);
    wrap->s_plus[0] = EQ(phase - 2*pi);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(0);
    model->s0[0] = EQ(0);
    model->t_end = EQ(200);
}

static const struct { const char *name; double least, most; } range[] = {
    {"m", 0.7, 1.5}, {"c", 0.05, 0.4}, {"k", 0.5, 1.5}, {"k3", 0, 0.4}, {"A", 0.5, 2},
    {"w", 0.6, 1.6}, {"right", 0.4, 1.2}, {"left", -2, -0.6}, {"e", 0.3, 0.9}};

static void draw(struct orbiting *o, uint64_t seed)
{
    uint64_t stream = splitmix64(seed);
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        orbiting_set(o, range[i].name, range[i].least + (range[i].most - range[i].least) *
                                           splitmix64_unit(splitmix64_next(&stream)));
}

static int impacts_of(const struct orbit *orbit)
{
    int impacts = 0;
    for (int e = 0; e < orbit->events; e++)
        impacts += strcmp(orbit->event[e].event->name, "phase") != 0;
    return impacts;
}

/* The product in logarithms, as small as it may be. Multipliers that are small are known
   to rounding of the largest only. */
static void expect_liouville(const struct orbiting *o, uint64_t seed)
{
    const struct orbit *orbit = o->orbit;
    int impacts = impacts_of(orbit);
    double e = o->s.value[parameter_of(o, "e")], c = o->s.value[parameter_of(o, "c")];
    double m = o->s.value[parameter_of(o, "m")], w = o->s.value[parameter_of(o, "w")];
    double want = 2 * impacts * log(e) - c * orbit->period / m;
    double complex product = product_of(orbit);
    double noise = 1e-11 * fmax(1, pow(cabs(multiplier_of(orbit, 0)), 2)) / exp(want);
    cr_expect_eq(orbit->multipliers, 3);
    cr_expect_lt(fabs(log(cabs(product)) - want), fmax(1e-8, noise), "seed %llu: %d "
                 "impacts: product %.12g, not %.12g", (unsigned long long)seed, impacts,
                 cabs(product), exp(want));
    cr_expect_float_eq(remainder(orbit->period, 2 * M_PI / w), 0, 1e-9);
    cr_expect_lt(orbit->step[orbit->steps - 1].residual, 1e-9);
}

Test(orbit_random, areas_shrink_as_liouville_says)
{
    const uint64_t first = 5000;
    int count = getenv("SALTUS_SLOW") ? 400 : 40, found = 0, most = 0;
    for (int k = 0; k < count; k++) {
        struct orbiting o;
        orbiting_of_record(&o, "walls", record_between_walls, 0);
        o.s.request.rtol = 1e-11;
        o.s.request.parameters = 1;
        draw(&o, first + (uint64_t)k);
        enum status status = orbiting_try(&o);
        if (status == OK) {
            expect_liouville(&o, first + (uint64_t)k);
            found++;
            most = impacts_of(o.orbit) > most ? impacts_of(o.orbit) : most;
        } else {
            cr_log_info("seed %llu: %s: %s", (unsigned long long)first + (unsigned)k,
                        status_text(status), o.s.diagnosis.place);
            cr_expect(o.s.diagnosis.place[0], "seed %llu: refused without a reason",
                      (unsigned long long)first + (unsigned)k);
        }
        orbiting_end(&o);
    }
    cr_log_info("seeds from %llu: %d of %d, up to %d impacts", (unsigned long long)first,
                found, count, most);
    cr_expect_geq(4 * found, 3 * count, "%d of %d", found, count);
}
