/*
 * test_event_location.c - the time of an event where Newton's method has no easy way:
 * what does not converge is no grazing.
 */
#include "solving.h"

#include <string.h>

#include "case.h"

static struct solving s;
static const char *guard_text, *force_text;
static double start;

static void record_guard(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0);
    NOMINAL(v0, 1, "m/s", "speed");
    struct mode *motion = model_mode(model, "motion"), *after;
    model->M[0][0] = EQ(1);
    model->F[0] = model_read(model, force_text, __FILE__, __LINE__);
    after = model_mode(model, "after");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(0*x);
    char text[40];
    snprintf(text, sizeof text, "%.17g", start);
    model->q0[0] = constant(model->tape, text);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(20);
    model_event(model, "wall", motion, after,
                model_read(model, guard_text, __FILE__, __LINE__), RISING);
}

static enum status status_of(const char *guard, const char *force, double from,
                             double rtol, const char *integrator, double *t)
{
    struct trajectory *trajectory = NULL;
    guard_text = guard;
    force_text = force;
    start = from;
    solving_of_record(&s, "guard", record_guard, "ode");
    s.request.samples = 0;
    s.request.rtol = rtol;
    s.request.atol = rtol / 1000;
    s.request.integrator = integrator_find(integrator);
    enum status status = run(&s.request, &trajectory, &s.diagnosis);
    *t = trajectory && trajectory->events > 0 ? trajectory->event[0].before.t : NAN;
    trajectory_free(trajectory);
    return status;
}

/* The guard is zero at x = 3, and e^300 or so where a long step ends. */
Test(locate, what_a_guard_grows_to_after_its_root_does_not_hide_it)
{
    static const char *const method[] = {"dop853", "gsl-rkck", "gsl-rk8pd"};
    static const char *const force[] = {"0*x", "-vx*vx*vx/10", "-x/100 + vx/10"};
    for (size_t m = 0; m < sizeof method / sizeof *method; m++)
        for (size_t f = 0; f < sizeof force / sizeof *force; f++)
            for (int k = 2; k < 13; k += 2) {
                double t;
                enum status status = status_of("exp(30*(x - 3)) - 1", force[f], 0,
                                               pow(10, -k), method[m], &t);
                cr_expect_eq(status, OK, "%s, %s, 1e-%d: %s: %s", method[m], force[f], k,
                             status_text(status), s.diagnosis.place);
                if (f == 0)
                    cr_expect_float_eq(t, 3, 1e-12, "%s, 1e-%d: %.15g", method[m], k, t);
                solving_end(&s);
            }
}

/* Slow where it is zero, fast before and after. */
Test(locate, a_slow_crossing_after_fast_steps_is_found)
{
    for (int k = 8; k < 13; k += 2) {
        double t;
        enum status status = status_of("(x-3)*(x-3)*(x-3) + (x-3)/1000000", "sin(30*x)",
                                       0, pow(10, -k), "dop853", &t);
        cr_expect_eq(status, OK, "1e-%d: %s: %s", k, status_text(status),
                     s.diagnosis.place);
        solving_end(&s);
    }
}

/* A wave of a slope of 200 rides on the guard: Newton's method finds a root of it, of
   many, or is lost; but nothing there is a touch. */
Test(locate, what_does_not_converge_is_no_touch)
{
    for (int k = 2; k < 13; k++) {
        double t;
        enum status status = status_of("x - 9 + sin(4000000000*x)/20000000", "0*x", 0,
                                       pow(10, -k), "dop853", &t);
        cr_expect_eq(status, NO_CONVERGENCE, "1e-%d: %s: %s", k, status_text(status),
                     s.diagnosis.place);
        solving_end(&s);
    }
}
