/*
 * test_proof_units.c - units of time and length decide nothing: the same motion stated in
 * others, from 1e-9 to 1e9, has the same balls up to these factors.
 */
#include "cases/model_texts.h"
#include "proving.h"
#include "sampling.h"

TestSuite(proof_units, .timeout = 600);

/* Powers of ten by which lengths and times are larger, and what follows for numbers. */
struct units {
    int length, time;
};

static int exponent(struct units u, enum column_group group, int parameter)
{
    int own = group == GROUP_Q ? u.length
            : group == GROUP_V ? u.length - u.time
            : group == GROUP_A ? u.length - 2 * u.time : -2 * u.time;
    return parameter < 0 ? own : own - (u.length - 2 * u.time);
}

/* A ball that bounces, and a pendulum that hits a stop with a part of its velocity. Both
   depend on gravity g. */
static const char *const ball =
    "parameters: {g: {nominal: 9.81e%d}}\ncoordinates: [y]\nmodes:\n"
    "  m: {M: {y: {y: 1}}, F: {y: -g}}\n"
    "events:\n  b: {guard: y, direction: falling, reset: {vy_plus: -0.8*vy}}\n"
    "initial: {state: {y: 1e%d, vy: 0}}\nend: 1.2e%d\n";
static const char *const pendulum =
    "parameters: {g: {nominal: 9.81e%d}}\ncoordinates: [x, y]\nmodes:\n"
    "  m: {M: {x: {x: 1}, y: {y: 1}}, F: {y: -g}, Phi: [\"(x*x + y*y - 1e%d)/2\"]}\n"
    "events:\n  b: {guard: x, direction: falling, reset: {vx_plus: -0.8*vx, "
    "vy_plus: -0.8*vy}}\n"
    "initial: {state: {x: 0.6e%d, y: -0.8e%d, vx: 0, vy: 0}}\nend: 1e%d\n";

/* The motion in these units; one sample, at 9/10. */
struct in_units {
    struct proving p;
    struct proof *proof;
    char sample[40];
    const char *samples[1];
};

static void prove_in(struct in_units *m, bool constrained, struct units u)
{
    char text[600];
    struct diagnosis diagnosis;
    int g = u.length - 2 * u.time;
    if (constrained)
        snprintf(text, sizeof text, pendulum, g, 2 * u.length, u.length, u.length,
                 u.time);
    else
        snprintf(text, sizeof text, ball, g, u.length, u.time);
    struct model *model = model_of_text(text, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    referring_of_model(&m->p.of, model, 0);
    snprintf(m->sample, sizeof m->sample, "0.9e%d", u.time);
    m->samples[0] = m->sample;
    m->p.of.request.samples = 1;
    m->p.of.request.sample = m->samples;
    enum status status = prove(&m->p.of.request, 12, &m->proof, &m->p.of.diagnosis);
    cr_assert_eq(status, OK, "lengths 1e%d, times 1e%d: %s: %s", u.length, u.time,
                 status_text(status), m->p.of.diagnosis.place);
}

static void end(struct in_units *m)
{
    proof_free(m->proof);
    proving_end(&m->p);
}

/* Is x, 10^power times smaller, where `want` is? */
static void expect_scaled(const arb_t x, int power, const arb_t want, struct units u,
                          const char *name)
{
    arb_t ten;
    arb_init(ten);
    arb_set_ui(ten, 10);
    arb_pow_ui(ten, ten, (ulong)(power < 0 ? -power : power), 400);
    if (power < 0)
        arb_mul(ten, x, ten, 400);
    else
        arb_div(ten, x, ten, 400);
    cr_expect(arb_overlaps(ten, want), "lengths 1e%d, times 1e%d: %s", u.length, u.time,
              name);
    arb_clear(ten);
}

static void expect_point(const struct columns *columns, const struct enclosed_point *x,
                         const struct enclosed_point *want, struct units u)
{
    char name[100];
    expect_scaled(x->t, u.time, want->t, u, "t");
    for (int c = 0; c < columns->count; c++) {
        enum column_group group;
        int i, j;
        column_parts(columns, c, &group, &i, &j);
        column_name(columns, c, name, sizeof name);
        if (column_present(columns, c, x->mode))
            expect_scaled(x->x + c, exponent(u, group, j), want->x + c, u, name);
    }
}

/* Digits may differ by a few: a run in MPFR takes other steps. */
static void expect_same(bool constrained, struct units u)
{
    enum { FEW = 12 };
    struct in_units one, other;
    prove_in(&one, constrained, (struct units){0, 0});
    prove_in(&other, constrained, u);
    const struct enclosed_motion *a = other.proof->motion, *b = one.proof->motion;
    cr_assert_eq(a->events, b->events, "lengths 1e%d, times 1e%d: %d events, not %d",
                 u.length, u.time, a->events, b->events);
    cr_expect_gt(b->events, 0);
    for (int k = 0; k < a->events; k++) {
        expect_point(&a->columns, &a->event[k].before, &b->event[k].before, u);
        expect_point(&a->columns, &a->event[k].after, &b->event[k].after, u);
    }
    expect_point(&a->columns, &a->sample[0], &b->sample[0], u);
    cr_expect(fabs(one.proof->digits - other.proof->digits) < FEW,
              "lengths 1e%d, times 1e%d: %.1f digits, not %.1f", u.length, u.time,
              other.proof->digits, one.proof->digits);
    end(&one);
    end(&other);
}

Test(proof_units, of_time_and_length_decide_nothing)
{
    static const int power[] = {-9, -3, 3, 9};
    for (int i = 0; i < 4; i++) {
        struct units apart[] = {{power[i], 0}, {0, power[i]}};
        struct units both[] = {{power[i], -power[i]}, {power[i], power[i]}};
        for (int k = 0; k < 2; k++) {
            expect_same(false, apart[k]);
            expect_same(false, both[k]);
            expect_same(true, apart[k]);
            if (in_test_all())
                expect_same(true, both[k]);
        }
    }
}
