/*
 * test_free_flight.c - in free flight an integrator sees no error and takes steps as long
 * as the run: guards that vary much faster are seen by every one, at every tolerance.
 */
#include "plugins/registry.h"
#include "solving.h"

/* The number of events and the time of the last one. */
struct flight {
    const char *name, *parameter;       /* another value of one parameter, or NULL */
    double value, t_end;
    int events;
    double last, tolerance;     /* of its time, in units of rtol */
    double enough;              /* the loosest rtol that tells how it goes on; 0: any */
};

static void fly(const struct flight *flight, const struct integrator *integrator,
                double rtol)
{
    struct solving s;
    solving_of_case(&s, flight->name, "ode");
    s.request.integrator = integrator;
    s.request.rtol = rtol;
    s.request.atol = rtol / 1000;
    s.request.parameters = 0;
    s.request.t_end = flight->t_end;
    if (flight->parameter)
        s.value[model_parameter_index(s.model, flight->parameter)] = flight->value;
    s.sample[0] = flight->t_end;
    s.request.samples = 1;
    if (flight->enough > 0 && rtol > flight->enough) {
        refuse(&s, PRECISION);
        solving_end(&s);
        return;
    }
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, flight->events, "%s to %g s, %s at %g: %d events, not %d",
                 flight->name, flight->t_end, integrator->name, rtol, t->events,
                 flight->events);
    double off = fabs(t->event[t->events - 1].before.t - flight->last);
    cr_expect_lt(off, flight->tolerance * rtol + 1e-10, "%s, %s at %g: off by %.3g",
                 flight->name, integrator->name, rtol, off);
    trajectory_free(t);
    solving_end(&s);
}

/* The last times are those that are certified (test_reference_watch.c). At rtol 1e-6 a
   place 1e5 m away is known to metres, and the disk is half a metre wide. */
Test(free_flight, every_integrator_sees_guards_that_are_faster_than_the_motion)
{
    static const struct flight flight[] = {
        {"ball-table", NULL, 0, 6, 6, 4.96069263755, 1e3, 0},
        {"ball-table", "h0", 500, 30, 2, 29.5386955003, 1e3, 0},
        {"ball-table-spring", NULL, 0, 64, 2, 0.722453899959756989, 10, 0},
        {"ball-table-spring", NULL, 0, 1000, 2, 0.722453899959756989, 10, 0},
        {"straight-flight", NULL, 0, 12, 1, 4.78349364905389034, 10, 0},
        {"straight-flight", "x0", -1000, 600, 1, 499.78349364905389, 10, 0},
        {"straight-flight", "x0", -1e5, 6e4, 1, 49999.78349364905389, 10, 1e-9},
    };
    static const double rtol[] = {1e-6, 1e-9, 1e-12};
    for (int i = 0; integrators[i]; i++)
        for (int k = 0; k < 21; k++) {
            bool low_order = strcmp(integrators[i]->name, "gsl-rk2") == 0 ||
                             strcmp(integrators[i]->name, "gsl-rk4") == 0;
            if (!(low_order && rtol[k % 3] < 1e-6))     /* their steps are too many */
                fly(&flight[k / 3], integrators[i], rtol[k % 3]);
        }
}
