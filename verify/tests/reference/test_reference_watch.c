/*
 * test_reference_watch.c - guards that vary faster than the motion, or have singular
 * points that it has not: steps of the reference end where their series do, and what is
 * certified is held by a run with other steps.
 */
#include "arithmetic/disk.h"
#include "case.h"
#include "certificates/certificate.h"
#include "equations/plan_parts.h"
#include "events/mp_run.h"
#include "reading.h"
#include "referring.h"

static struct referring r;

static struct certificate *certified(void)
{
    struct certificate *c = NULL;
    enum status status = certify(&r.request, 20, 2, &c, &r.diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), r.diagnosis.place);
    cr_assert_eq(c->refusal.status, OK, "%s: %s", status_text(c->refusal.status),
                 c->refusal.place);
    return c;
}

static double digits_of(mpfr_srcptr x, const char *want)
{
    mpfr_t t;
    mpfr_init2(t, 256);
    mpfr_set_str(t, want, 10, MPFR_RNDN);
    double digits = mp_digits(x, t, NULL);
    mpfr_clear(t);
    return digits;
}

/* --- free flight -------------------------------------------------------------------- */

/* The end does not matter: 48 s, where another error of the series made up other events;
   a minute, in which the table goes up and down 190 times. */
Test(reference_watch, an_impact_on_a_shaking_table_is_not_missed_in_a_long_fall)
{
    static const char *const end[] = {"1", "48", "64", "200"};
    for (int k = 0; k < 4; k++) {
        referring_of_case(&r, case_find("ball-table-spring"), 20);
        r.request.t_end = end[k];
        struct certificate *c = certified();
        cr_assert_eq(c->trajectory->events, 2, "to %s s: %d events", end[k],
                     c->trajectory->events);
        double digits = digits_of(c->trajectory->event[1].before.t,
                                  "0.72245389995975698885681752");
        cr_expect_gt(digits, 25, "to %s s: %.1f digits", end[k], digits);
        certificate_free(c);
        referring_end(&r);
    }
}

/* Refused, before, as grazing, as violated at the start and for want of precision. */
Test(reference_watch, a_ball_that_bounces_on_a_shaking_table_is_not_refused)
{
    static const struct { const char *end; int events; } run[] = {{"3", 4}, {"6", 6},
                                                                  {"12", 14},
                                                                  {"18", 19}};
    for (int k = 0; k < 4; k++) {
        referring_of_case(&r, case_find("ball-table"), 20);
        r.request.t_end = run[k].end;
        struct certificate *c = certified();
        cr_expect_eq(c->trajectory->events, run[k].events, "to %s s: %d events",
                     run[k].end, c->trajectory->events);
        certificate_free(c);
        referring_end(&r);
    }
}

/* (x0 + v t)^2 + b^2 = R^2 */
Test(reference_watch, a_disk_is_hit_where_the_circle_is)
{
    referring_of_case(&r, case_find("straight-flight"), 20);
    struct certificate *c = certified();
    cr_assert_eq(c->trajectory->events, 1);
    double digits = digits_of(c->trajectory->event[0].before.t,
                              "4.78349364905389033830906920731177");
    cr_expect_gt(digits, 25, "%.1f", digits);
    certificate_free(c);
    referring_end(&r);
}

/* --- guards of all kinds ------------------------------------------------------------ */

/* A particle at x = -1 + t, to t = 60, and a guard that it passes. */
enum kind { WAVE, AT_POLE, STEP, DIP, TRIPLE, NARROW };
static enum kind kind;

static void record(struct model *model)
{
    COORDINATES(x, z);
    TIME(t);
    formula guard = {NULL, 0};
    struct mode *before = model_mode(model, "before");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[1] = EQ(t);                    /* z = t^3/6 */
    model->q0[0] = EQ(-1);
    model->v0[0] = EQ(1);
    model->t_end = EQ(60);
    switch (kind) {
    case WAVE:   guard = EQ(sin(20*t) - 2 + t/16); break;
    case AT_POLE:   guard = EQ(1/(x - 70) + 1/20.0); break;
    case STEP:   guard = EQ(tanh(50*(x - 30)) - 0.5); break;
    case DIP:    guard = EQ(1 - 2*exp(-pow(3*(x - 30), 2))); break;
    case TRIPLE: guard = EQ(sin(z) - 0.999); break;
    case NARROW: guard = EQ(1 - 2e-6/(1e-6 + pow(x - 30.1, 2))); break;
    }
    struct mode *after = model_mode(model, "after");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model_event(model, "pass", before, after, guard, EITHER);
}
CASE(test_pass, .name = "test-pass", .record = record);

/* The first time at which the guard is zero, by bisection in double of what is written
   here once more. */
static double value_at(double t)
{
    double x = t - 1;
    switch (kind) {
    case WAVE:   return sin(20 * t) - 2 + t / 16;
    case AT_POLE:   return 1 / (x - 70) + 0.05;
    case STEP:   return tanh(50 * (x - 30)) - 0.5;
    case DIP:    return 1 - 2 * exp(-9 * (x - 30) * (x - 30));
    case TRIPLE: return sin(t * t * t / 6) - 0.999;
    case NARROW: return 1 - 2e-6 / (1e-6 + (x - 30.1) * (x - 30.1));
    }
    return NAN;
}

static double first_zero(void)
{
    double t = 0, step = 1e-5;
    while (t < 60 && value_at(t) * value_at(t + step) > 0)
        t += step;
    double end = t + step;
    for (int i = 0; i < 60; i++) {
        double middle = (t + end) / 2;
        *(value_at(t) * value_at(middle) > 0 ? &t : &end) = middle;
    }
    return t;
}

Test(reference_watch, no_guard_is_passed_unseen)
{
    for (kind = WAVE; kind <= NARROW; kind++) {
        static const int digits[] = {12, 20, 69};
        for (int k = 0; k < 3; k++) {
            referring_of_case(&r, &case_test_pass, digits[k]);
            struct mp_trajectory *t = refer(&r);
            double want = first_zero();
            cr_assert_eq(t->events, 1, "guard %d: no event with %d digits", kind,
                         digits[k]);
            double got = mpfr_get_d(t->event[0].before.t, MPFR_RNDN);
            cr_expect_float_eq(got, want, 1e-9, "guard %d, %d digits: %.12g, not %.12g",
                               kind, digits[k], got, want);
            mp_trajectory_free(t);
            referring_end(&r);
        }
    }
}

/* --- equations of motion ------------------------------------------------------------ */

/* A particle is pushed back with 5 N when it comes to x = 30, and returns with its speed.
   A metre before that the push is 2e-17 N, at the start 1e-520 N. */
static void record_push(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(f);
    NOMINAL(f, 5, "N", "largest force");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-f*(1 + tanh(20*(x - 30)))/2);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(1);
    model->t_end = EQ(59);
}
CASE(test_push, .name = "test-push", .record = record_push);

Test(reference_watch, a_force_is_felt_that_does_not_show_in_the_series)
{
    static const char *const sample = "58";
    for (int strict = 0; strict <= 1; strict++) {
        referring_of_case(&r, &case_test_push, 20);
        r.request.samples = 1;
        r.request.sample = &sample;
        r.request.strict = strict;
        struct mp_trajectory *t = refer(&r);
        double digits = digits_of(number_at(t, &t->sample[0], GROUP_V, 0, -1), "-1");
        cr_expect_gt(digits, 15, "strict %d: %.1f", strict, digits);
        mp_trajectory_free(t);
        referring_end(&r);
    }
}

/* x'' = -x + A w/cosh(w (t - T))^2: a pulse of the width 1e-5 at t = 4.3, 1e-370000 of
   its height where the run begins. */
static const char *amplitude;

static void record_pulse(struct model *model)
{
    COORDINATES(x);
    TIME(t);
    PARAMETERS(A, T);
    model_nominal(model, "A", amplitude, "", "impulse of the pulse", false, __FILE__,
                  __LINE__);
    NOMINAL(T, 4.3, "", "its time");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-x + A*1e5*(1 - pow(tanh(1e5*(t - T)), 2)));
    model->q0[0] = EQ(1);
    model->t_end = EQ(10);
}
CASE(test_pulse, .name = "test-pulse", .record = record_pulse);

static void expect_at_end(const struct mp_trajectory *t, int parameter, const char *want,
                          double bar, const char *how)
{
    double digits = digits_of(number_at(t, &t->sample[0], GROUP_Q, 0, parameter), want);
    cr_expect_gt(digits, bar, "A = %s, %s, derivative %d: %.1f digits", amplitude, how,
                 parameter, digits);
}

/* Convolution of the pulse with sin(t), by quadrature (mpmath, 70 digits): what a run
   says of itself, and what differences of runs without derivatives say. Where A is zero,
   the derivative alone has the pulse. */
Test(reference_watch, a_pulse_is_felt_by_values_and_by_derivatives)
{
    static const char *const end = "10";
    static const struct {
        const char *A, *x, *by_A, *by_T;
    } want[] = {
        {"1", "-1.940442614226435904257886230788625600683312450083287606",
         "-1.101371085149983451999022282964560766163382284950119060",
         "-1.669425569609666990709659935824405115849582254110533023"},
        {"0", "-0.839071529076452452258863947824064834519930165133168547",
         "-1.101371085149983451999022282964560766163382284950119060", "0"},
    };
    for (int k = 0; k < 2; k++)
        for (int digits = 20; digits <= 40; digits += 20) {
            amplitude = want[k].A;
            referring_of_case(&r, &case_test_pulse, digits);
            r.request.samples = 1;
            r.request.sample = &end;
            struct mp_trajectory *t = refer(&r), *d = refer_difference(&r, false);
            expect_at_end(t, -1, want[k].x, digits - 2, "along the motion");
            expect_at_end(t, 0, want[k].by_A, digits - 2, "along the motion");
            expect_at_end(t, 1, want[k].by_T, digits - 2, "along the motion");
            expect_at_end(d, -1, want[k].x, digits / 3.0, "by differences");
            expect_at_end(d, 0, want[k].by_A, digits / 3.0, "by differences");
            mp_trajectory_free(t);
            mp_trajectory_free(d);
            referring_end(&r);
        }
}

/* --- the run with other steps ------------------------------------------------------- */

Test(reference_watch, a_strict_run_has_other_steps_and_the_same_numbers)
{
    referring_of_case(&r, case_find("ball-table"), 30);
    struct mp_trajectory *a = refer(&r);
    r.request.strict = true;
    struct mp_trajectory *b = refer(&r);
    char where[100];
    cr_expect_gt(b->steps, a->steps);
    double digits = digits_of_routes(a, b, where, sizeof where);
    cr_expect_gt(digits, 20, "%.1f: %s", digits, where);
    mp_trajectory_free(a);
    mp_trajectory_free(b);
    referring_end(&r);
}

/* As if the series of the guard, or its formula, were wrong by little: it is 2^-40 of the
   table's amplitude higher in the programs that the formula is compared by. */
Test(reference_watch, a_series_that_is_not_the_guard_ends_a_strict_run)
{
    referring_of_case(&r, case_find("ball-table"), 30);
    struct plan *plan = plan_new(r.model, &r.request.truth, false, &r.diagnosis);
    cr_assert_not_null(plan);
    struct event_plan *hit = &plan->event[0];
    formula off = constant(plan->model->tape, "5e-14");
    formula wrong = add(hit->event->guard, off);
    program_free(hit->guard);
    hit->guard = plan_seal(plan->model, &wrong, 1, true);
    r.request.parameters = 0;
    for (int strict = 0; strict <= 1; strict++) {
        struct mp_trajectory *t;
        r.request.strict = strict;
        enum status status = run_trajectory(plan, &r.request, NULL, &t, NULL,
                                            &r.diagnosis);
        cr_expect_eq(status, strict ? PRECISION : OK, "%s", status_text(status));
        mp_trajectory_free(t);
    }
    cr_expect(strstr(r.diagnosis.place, "by its series"), "%s", r.diagnosis.place);
    plan_free(plan);
    referring_end(&r);
}

static enum status confirm(const struct mp_trajectory *t)
{
    struct value_sizes *sizes;
    enum status status = value_sizes_of_request(&r.request, t, 20, &sizes, &r.diagnosis);
    if (status == OK)
        status = certify_confirm(&r.request, 20, t, sizes, NULL, &r.diagnosis);
    value_sizes_free(sizes);
    return status;
}

static void not_confirmed(const struct mp_trajectory *t, const char *word)
{
    cr_expect_eq(confirm(t), PRECISION);
    cr_expect(strstr(r.diagnosis.place, word), "%s", r.diagnosis.place);
}

/* An event less, an event at another time, another value: what two runs with the same
   error would have in common. */
Test(reference_watch, what_another_run_does_not_have_is_not_certified)
{
    referring_of_case(&r, case_find("ball-table-spring"), 40);
    const char *const sample = "3";
    r.request.samples = 1;
    r.request.sample = &sample;
    struct mp_trajectory *t = refer(&r);
    cr_expect_eq(confirm(t), OK, "%s", r.diagnosis.place);
    t->events--;
    not_confirmed(t, "event 2 is none, but hit");
    t->events++;
    mpfr_ptr time = t->event[1].before.t;
    mpfr_nextabove(time);
    mpfr_mul_d(time, time, 1 + 1e-15, MPFR_RNDN);
    not_confirmed(t, "event 2, hit");
    mpfr_div_d(time, time, 1 + 1e-15, MPFR_RNDN);
    mpfr_mul_d(t->sample[0].x[0], t->sample[0].x[0], 1 + 1e-15, MPFR_RNDN);
    not_confirmed(t, "digits of the values");
    mp_trajectory_free(t);
    referring_end(&r);
}

/* --- disks -------------------------------------------------------------------------- */

/* Far from zero, where the factors of an exponential underflow and overflow. */
Test(reference_watch, a_disk_of_a_small_exponential_is_bounded)
{
    begin_reading();
    names_bind(names, "x", variable(tape, BLOCK_Q, 0));
    unsigned char stage[BLOCK_LIMIT] = {[BLOCK_Q] = 1};
    formula g = reads("1 - tanh(x)*tanh(x)");
    struct program *program = program_seal(tape, &g, 1, stage);
    struct disk *w = calloc((size_t)program->slots, sizeof *w);
    bool *needed = calloc((size_t)program->slots, sizeof *needed);
    memset(needed, 1, (size_t)program->slots);
    disk_constants(program, w);
    w[program->input[0].slot] = disk_number(-4e5);
    w[program->input[0].slot].r = 3e5;
    disk_run(program, needed, w);
    cr_expect_lt(w[program->output[0]].r, 1e-9);
    free(w);
    free(needed);
    program_free(program);
    end_reading();
}

/* One function after the other of x in a disk: all values at points of its circle are in
   the disk that comes out, or that is unbounded. */
Test(reference_watch, disks_contain_what_they_enclose)
{
    static const char *const text[] = {
        "x*x - x", "1/(x + 3)", "pow(x, -3)", "sqrt(x + 2)", "exp(x)", "log(x + 2)",
        "sin(x)", "cos(x)", "tan(x)", "asin(x/3)", "acos(x/3)", "atan(x)", "atan2(x, 2)",
        "sinh(x)", "cosh(x)", "tanh(x)", "tanh(9*x)", "pow(x + 3, 1.5)", "-x/7"};
    static const double centre[] = {0.7, -0.4, 0.1, 1.3}, radius[] = {0.03, 0.2, 0.6};
    begin_reading();
    names_bind(names, "x", variable(tape, BLOCK_Q, 0));
    int bounded = 0;
    for (size_t f = 0; f < sizeof text / sizeof *text; f++) {
        unsigned char stage[BLOCK_LIMIT] = {[BLOCK_Q] = 1};
        formula g = reads(text[f]);
        struct program *program = program_seal(tape, &g, 1, stage);
        struct disk *w = calloc((size_t)program->slots, sizeof *w);
        double complex *z = calloc((size_t)program->slots, sizeof *z);
        bool *needed = calloc((size_t)program->slots, sizeof *needed);
        memset(needed, 1, (size_t)program->slots);
        for (int trial = 0; trial < 12; trial++) {
            double c = centre[trial % 4], rho = radius[trial / 4];
            disk_constants(program, w);
            w[program->input[0].slot] = disk_number(c);
            w[program->input[0].slot].r = rho;
            disk_run(program, needed, w);
            struct disk out = w[program->output[0]];
            bounded += isfinite(out.r);
            for (int k = 0; k < 16 && isfinite(out.r); k++) {
                double complex at = c + rho * cexp(k * M_PI / 8 * _Complex_I);
                program_init_complex(program, z);
                program_load_complex(program, BLOCK_Q, &at, z);
                program_run_complex(program, 1, z);
                double off = cabs(z[program->output[0]] - out.c);
                cr_assert(off <= out.r * (1 + 1e-12) + 1e-14,
                          "%s around %g by %g: %g, %g", text[f], c, rho, off, out.r);
            }
        }
        free(w);
        free(z);
        free(needed);
        program_free(program);
    }
    cr_expect_gt(bounded, 150, "%d of 228 are bounded", bounded);
    end_reading();
}
