/*
 * test_orbit_walkers.c - periodic steps of walkers: printed values, digit by digit; one
 * walker by angles and in absolute coordinates, in formulations of each kind.
 */
#include "orbiting.h"

/* --- printed values ----------------------------------------------------------------- */

/* Decimals of the last place that a run in double can judge. */
static int decimals_of(const char *text)
{
    enum { MOST = 13 };
    const char *point = strchr(text, '.');
    int count = point ? (int)strlen(point + 1) : 0;
    return count < MOST ? count : MOST;
}

/* The number of decimals to which a printed number holds: as many of them as it is right
   in to one unit. */
static int holding(const char *text, double value)
{
    int d = decimals_of(text);
    while (d > 0 && fabs(strtod(text, NULL) - value) * pow(10, d) > 1)
        d--;
    return d;
}

/* A printed number, and the decimals of it that hold. */
struct printed { const char *name, *text; int holds; };

static void expect_printed(const struct printed *printed, double value)
{
    int got = holding(printed->text, value);
    cr_expect_eq(got, printed->holds, "%s: %s printed, %.15g found: %d decimals hold, "
                 "not %d", printed->name, printed->text, value, got, printed->holds);
}

/* th, th', phi, phi' after the strike; real and imaginary part of the first multiplier,
   real part of the second; the period. */
enum { TH, VTH, PHI, VPHI, FIRST, IMAGINARY, SECOND, PERIOD, KINDS };

static void expect_walk(const struct orbiting *o, const struct printed *printed)
{
    const struct orbit *orbit = o->orbit;
    const double *x = event_of(orbit, "strike")->after;
    const double value[KINDS] = {
        x[0], x[2], x[1], x[3], creal(multiplier_of(orbit, 0)),
        cimag(multiplier_of(orbit, 0)), creal(multiplier_of(orbit, 1)), orbit->period};
    for (int k = 0; k < KINDS; k++)
        if (printed[k].text)
            expect_printed(&printed[k], value[k]);
}

/* The step that begins near th0, w0. The foot passes the ground later in the short
   step. */
static void walk_from(struct orbiting *o, double th0, double w0, double phi_s)
{
    orbiting_of_case(o, "simplest-walker", "ode", 10);
    orbiting_set(o, "th0", th0);
    orbiting_set(o, "w0", w0);
    orbiting_set(o, "phi_s", phi_s);
    orbiting_find(o);
    cr_expect_eq(o->orbit->events, 2);
    cr_expect_eq(o->orbit->multipliers, 4);
}

/* The numbers that Garcia, Chatterjee, Ruina and Coleman print with their program of
   1998 for a slope of 0.009: angles to 1e-10 as they say, or nearly; their multipliers,
   from differences, hold to 2 or 3 decimals. */
Test(orbit_walkers, garcia_long_step)
{
    static const struct printed printed[KINDS] = {
        [TH] = {"th", "0.20031090049483", 10}, [VTH] = {"th'", "-0.19983247291764", 10},
        [FIRST] = {"multiplier", "-0.19120868949940", 2},
        [IMAGINARY] = {"its imaginary part", "0.55633363687106", 2}};
    struct orbiting o;
    walk_from(&o, 0.2003, -0.1998, -0.05);
    expect_walk(&o, printed);
    cr_expect_lt(cabs(multiplier_of(o.orbit, 0)), 1);
    orbiting_end(&o);
}

Test(orbit_walkers, garcia_short_step)
{
    static const struct printed printed[KINDS] = {
        [TH] = {"th", "0.19393736960624", 9}, [VTH] = {"th'", "-0.20386692731962", 9},
        [FIRST] = {"multiplier", "4.000", 2}, [SECOND] = {"the second", "0.459", 3}};
    struct orbiting o;
    walk_from(&o, 0.1939374, -0.2038669, -0.1);
    expect_walk(&o, printed);
    cr_expect_gt(cabs(multiplier_of(o.orbit, 0)), 4);
    orbiting_end(&o);
}

/* Bhounsule's program of 2013, at tolerances of 1e-13: all digits of the short step hold,
   10 decimals of the long one. */
Test(orbit_walkers, bhounsule_both_steps)
{
    static const struct printed of_long[KINDS] = {
        [TH] = {"th", "0.200310900563820", 10}, [VTH] = {"th'", "-0.199832473025474", 10},
        [PHI] = {"phi", "0.400621801127640", 10},
        [VPHI] = {"phi'", "-0.015822999949030", 12}, [PERIOD] = {"period", "3.882", 3}};
    static const struct printed of_short[KINDS] = {
        [TH] = {"th", "0.193937369810188", 13}, [VTH] = {"th'", "-0.203866927442012", 13},
        [PHI] = {"phi", "0.387874739620375", 13},
        [VPHI] = {"phi'", "-0.015144260853193", 13}, [PERIOD] = {"period", "3.096", 3}};
    struct orbiting o;
    walk_from(&o, 0.2003, -0.1998, -0.05);
    expect_walk(&o, of_long);
    orbiting_end(&o);
    walk_from(&o, 0.1939374, -0.2038669, -0.1);
    expect_walk(&o, of_short);
    orbiting_end(&o);
}

/* A printed number that is wrong is seen. */
Test(orbit_walkers, a_wrong_decimal_is_seen)
{
    cr_expect_eq(holding("0.2187", 0.21866880), 4);
    cr_expect_eq(holding("0.2197", 0.21866880), 2);
    cr_expect_eq(holding("4.000", 4.0038643), 2);
}

/* --- one walker, told in two ways --------------------------------------------------- */

static void walk(struct orbiting *o, const char *formulation)
{
    orbiting_of_case(o, "compass-gait", formulation, 12);
    orbiting_find(o);
}

/* A period in absolute coordinates is two steps, as the legs keep their names. */
static void walk_absolutely(struct orbiting *o, const char *formulation,
                            const char *alpha)
{
    static const char *const group[2][4] = {{"xh", "xl", "xr", "px"},
                                            {"yh", "yl", "yr", "py"}};
    static int drift[14];
    orbiting_of_case(o, "compass-gait-absolute", formulation, 12);
    const struct model *model = o->s.model;
    o->s.request.parameters = 1;
    o->s.parameter[0] = parameter_of(o, "slope");
    if (alpha)
        solving_option(&o->s, "alpha", alpha);
    for (int i = 0; i < 14; i++)
        drift[i] = -1;
    for (int g = 0; g < 2; g++)
        for (int k = 0; k < 4; k++)
            drift[k < 3 ? model_coordinate_index(model, group[g][k]) : 12 + g] = g;
    o->request.drift = drift;
    o->request.drifts = 2;
    orbiting_find(o);
}

Test(orbit_walkers, goswami_step)
{
    static const struct printed printed[] = {
        {"st", "-0.2187", 4}, {"sw", "0.3234", 4}, {"st'", "1.0918", 4},
        {"sw'", "0.3772", 4}};
    struct orbiting o;
    walk(&o, "ode");
    for (int i = 0; i < 4; i++)
        expect_printed(&printed[i], event_of(o.orbit, "strike")->after[i]);
    orbiting_end(&o);
}

Test(orbit_walkers, two_steps_have_squares_of_multipliers)
{
    static const char *const formulation[] = {"ode", "index1"};
    struct orbiting by_angles, o;
    walk(&by_angles, "ode");
    double slope = by_angles.s.value[parameter_of(&by_angles, "slope")];
    for (int f = 0; f < 2; f++) {
        walk_absolutely(&o, formulation[f], NULL);
        cr_expect_eq(o.orbit->families, 2, "it may be moved along the slope and across");
        cr_expect_lt(relative(o.orbit->period, 2 * by_angles.orbit->period, 1), 1e-12);
        cr_expect_lt(relative(o.orbit->dperiod[0], 2 * by_angles.orbit->dperiod[0], 1),
                     1e-9);
        cr_expect_float_eq(o.orbit->advance[1] / o.orbit->advance[0], -tan(slope), 1e-12);
        for (int k = 0; k < 3; k++) {
            double complex one = multiplier_of(by_angles.orbit, k);
            double nearest = INFINITY;
            for (int i = 0; i < 3; i++)
                nearest = fmin(nearest, cabs(multiplier_of(o.orbit, i) - one * one));
            cr_expect_lt(nearest, 1e-10, "%s: square %d is off by %.2g", formulation[f],
                         k, nearest);
        }
        orbiting_end(&o);
    }
    orbiting_end(&by_angles);
}

/* Periods of penalty formulations come near with order 1 in 1/alpha. */
Test(orbit_walkers, penalty_comes_near)
{
    static const char *const alpha[] = {"1e5", "1e6", "1e7"};
    double off[3];
    struct orbiting by_angles, o;
    walk(&by_angles, "ode");
    for (int k = 0; k < 3; k++) {
        walk_absolutely(&o, "penalty", alpha[k]);
        off[k] = fabs(o.orbit->period - 2 * by_angles.orbit->period);
        orbiting_end(&o);
    }
    for (int k = 0; k < 2; k++)
        cr_expect_float_eq(log10(off[k] / off[k + 1]), 1, 0.1, "%.3g after %.3g",
                           off[k + 1], off[k]);
    orbiting_end(&by_angles);
}

/* --- a closed loop of bars ---------------------------------------------------------- */

Test(orbit_walkers, five_bar_is_the_same_in_each_formulation)
{
    static const char *const formulation[] = {"ode", "index1", "baumgarte"};
    struct orbiting o[3];
    for (int f = 0; f < 3; f++) {
        orbiting_of_case(&o[f], "five-bar-forced", formulation[f], 0);
        const struct orbit *orbit = orbiting_find(&o[f]);
        const struct orbit_event *ground = event_of(orbit, "ground");
        const struct orbit_event *first = event_of(o[0].orbit, "ground");
        cr_expect_eq(orbit->multipliers, f < 2 ? 5 : orbit->multipliers);
        for (int k = 0; k < 4; k++)
            cr_expect_lt(cabs(multiplier_of(orbit, k) - multiplier_of(o[0].orbit, k)),
                         1e-9, "%s, multiplier %d", formulation[f], k);
        for (int i = 0; i < (1 + orbit->parameters) * orbit->width; i++)
            cr_expect_lt(relative(ground->after[i], first->after[i], 1), 1e-9,
                         "%s, number %d", formulation[f], i);
        for (int j = 0; j < orbit->parameters; j++)
            cr_expect_float_eq(orbit->dperiod[j],
                               o[f].s.parameter[j] == parameter_of(&o[f], "w")
                                   ? -2 * M_PI / 16 : 0, 1e-10);
    }
    for (int f = 0; f < 3; f++)
        orbiting_end(&o[f]);
}
