/*
 * event_algebra.c - first-order systems with resets in closed form (test models of
 * AMICI): event-algebra, event-bolus, event-chain. Every state between events is an
 * exponential or a polynomial, and all sensitivities can be written down.
 *
 * event-algebra   x' = 1;   at t = al x+ = x t, at t = be x+ = de x, at t = ga x+ = 2 x^2
 *
 * event-bolus     depot' = -k_a depot, blood' = k_a depot - k_e blood; when `blood` falls
 *                 to `low` a dose goes into the depot (a trigger by state and parameter).
 *                 At t = t_v two doses are given at once, a fixed one into the blood and
 *                 as much again as there is into the depot: two events at equal times for
 *                 all parameters. Their resets commute; modes put them in an order.
 *
 * event-chain     two tanks, x' = a, y' = b. A full x is emptied into y, which it just
 *                 fills up (y+ = y_full); a full y is emptied by the part d: at once when
 *                 x has filled it, or later, when it has filled by itself.
 */
#include "case.h"

static void record_algebra(struct model *model)
{
    PARAMETERS(al, be, ga, de, x0);
    AUXILIARY(x);
    COSTS(area);
    TIME(t);

    NOMINAL(al, 1.4, "1", "time of the first event");
    NOMINAL(be, 2.3, "1", "time of the second event");
    NOMINAL(ga, 2.9, "1", "time of the third event");
    NOMINAL(de, 0.4, "1", "factor at the second event");
    NOMINAL(x0, 0.25, "1", "initial state");

    struct mode *growth = model_mode(model, "growth");
    model->f_s[0] = EQ(1);
    model->g[0] = EQ(x);

    struct event *first = model_event(model, "alpha", growth, growth, EQ(t - al), EITHER);
    first->s_plus[0] = EQ(x*t);
    struct event *second = model_event(model, "beta", growth, growth, EQ(t - be), EITHER);
    second->s_plus[0] = EQ(x*de);
    struct event *third = model_event(model, "gamma", growth, growth, EQ(t - ga), EITHER);
    third->s_plus[0] = EQ(2*x*x);

    model->s0[0] = EQ(x0);
    model->t_end = EQ(4);
}

static void record_bolus(struct model *model)
{
    PARAMETERS(k_a, k_e, low, dose, t_v, blood_dose, depot0, blood0);
    AUXILIARY(depot, blood);
    COSTS(exposure, doses);
    TIME(t);

    NOMINAL(k_a, 1.4, "1/h", "rate of absorption");
    NOMINAL(k_e, 0.5, "1/h", "rate of elimination");
    NOMINAL(low, 0.3, "mg/l", "concentration at which a dose is given");
    NOMINAL(dose, 1.1, "mg/l", "that dose");
    NOMINAL(t_v, 5.5, "h", "time of the visit");
    NOMINAL(blood_dose, 0.6, "mg/l", "dose into the blood at the visit");
    NOMINAL(depot0, 1, "mg/l", "initial amount in the depot");
    FIXED(blood0, 0.45, "mg/l", "initial concentration in the blood");

    struct mode *home = model_mode(model, "home");
    struct mode *visit = NULL, *after = NULL;
    for (int i = 0; i < 3; i++) {
        model->f_s[0] = EQ(-k_a*depot);
        model->f_s[1] = EQ(k_a*depot - k_e*blood);
        model->g[0] = EQ(blood);
        if (i == 0)
            visit = model_mode(model, "visit");
        else if (i == 1)
            after = model_mode(model, "after");
    }

    struct mode *const days[] = {home, after};
    for (int i = 0; i < 2; i++) {
        struct event *bolus = model_event(model, i == 0 ? "bolus" : "bolus-after",
                                          days[i], days[i], EQ(blood - low), FALLING);
        bolus->s_plus[0] = EQ(depot + dose);
        bolus->cost[1] = EQ(dose);
    }
    struct event *into_blood = model_event(model, "into-blood", home, visit, EQ(t - t_v),
                                           RISING);
    into_blood->s_plus[1] = EQ(blood + blood_dose);
    into_blood->cost[1] = EQ(blood_dose);
    struct event *into_depot = model_event(model, "into-depot", visit, after,
                                           EQ(t - t_v), RISING);
    into_depot->s_plus[0] = EQ(2*depot);
    into_depot->cost[1] = EQ(depot);

    model->s0[0] = EQ(depot0);
    model->s0[1] = EQ(blood0);
    model->t_end = EQ(12);
}

static void record_chain(struct model *model)
{
    PARAMETERS(a, b, x_full, y_full, d, y0);
    AUXILIARY(x, y);
    COSTS(stored, spilt);

    NOMINAL(a, 0.7, "l/s", "flow into x");
    NOMINAL(b, 0.4, "1/s", "flow into y, for each litre in x and one more");
    NOMINAL(x_full, 1, "l", "volume of x");
    NOMINAL(y_full, 1.3, "l", "volume of y");
    NOMINAL(d, 0.5, "1", "part of y that is emptied");
    NOMINAL(y0, 0.5, "l", "initial content of y");

    struct mode *filling = model_mode(model, "filling");
    model->f_s[0] = EQ(a);
    model->f_s[1] = EQ(b*(1 + x));
    model->g[0] = EQ(x + y);

    struct event *pour = model_event(model, "pour", filling, filling, EQ(x - x_full),
                                     RISING);
    pour->s_plus[0] = EQ(0);
    pour->s_plus[1] = EQ(y_full);
    pour->cost[1] = EQ(x + y - y_full);
    struct event *spill = model_event(model, "spill", filling, filling, EQ(y - y_full),
                                      RISING);
    spill->s_plus[1] = EQ((1 - d)*y);
    spill->cost[1] = EQ(d*y);

    model->s0[0] = EQ(0);
    model->s0[1] = EQ(y0);
    model->t_end = EQ(5);
}

CASE(event_algebra,
    .name = "event-algebra",
    .title = "x' = 1 with three resets at times that are parameters",
    .source = "AMICI's analytic test models of events",
    .declared = "nominal values",
    .classes = "state-jump, time-dependent-guard, parameter-dependent-guard, "
               "first-order, unconstrained",
    .record = record_algebra);

CASE(event_bolus,
    .name = "event-bolus",
    .title = "doses at a level that is reached, and two at the same instant",
    .source = "textbook pharmacokinetics; AMICI's test models of events",
    .declared = "the model and all its values; events at equal times are put in order by "
                "modes",
    .classes = "state-jump, state-dependent-guard, time-dependent-guard, "
               "parameter-dependent-guard, first-order, unconstrained",
    .record = record_bolus);

CASE(event_chain,
    .name = "event-chain",
    .title = "two tanks: a reset that sets off another event at once",
    .source = "AMICI's test models of nested events",
    .declared = "the model and all its values",
    .classes = "state-jump, state-dependent-guard, parameter-dependent-guard, "
               "first-order, unconstrained",
    .record = record_chain);
