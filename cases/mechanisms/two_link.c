/*
 * two_link.c - the planar two-link arm of Pan, Ding, Wang 2004: two-link,
 * two-link-absolute.
 *
 * Two uniform bars, pinned at the origin and to each other, fall from rest under gravity.
 * two-link-absolute is the paper's description: centre and angle of each bar, four
 * constraints. two-link has the two angles alone, and its energies come from bars between
 * points. The cost is the squared distance of the tip from the origin.
 *
 * The paper prints neither the initial state nor gravity or torques. Declared is rest
 * with the tip at (2, 0), for which the cost is near the printed one. About the
 * derivatives two things can be known. Under gravity alone, from a start that does not
 * depend on the masses, the motion depends on their ratio only; and from rest at given
 * angles, lengths scaled by c and times by sqrt(c) give a motion again:
 *
 *     m1 psi_m1 + m2 psi_m2 = 0
 *     l1 psi_l1 + l2 psi_l2 = 5/2 psi - T/2 |tip(T)|^2
 *
 * verify/tests/events/test_two_link.c tests both, and shows that the printed
 * derivatives miss the first by more than their rounding.
 */
#include "case.h"
#include "elements/planar.h"

#define PAN "Pan, Ding, Wang 2004, section 5"
#define NO_START "initial state, gravity and torques are not printed; no start at rest " \
    "was found that gives these numbers"
#define NO_BALANCE "m1 psi_m1 + m2 psi_m2 = 0 under gravity alone; printed: -0.0039"

static void record_absolute(struct model *model)
{
    PARAMETERS(l1, l2, m1, m2, g, start1, start2);
    TWIN("two-link", phi1, phi2);
    COSTS(reach);
    NOMINAL(l1, 1, "m", "length of bar 1");
    NOMINAL(l2, sqrt(3), "m", "length of bar 2");
    NOMINAL(m1, 1, "kg", "mass of bar 1");
    NOMINAL(m2, 2, "kg", "mass of bar 2");
    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(start1, 60*pi/180, "rad", "initial angle of bar 1");
    FIXED(start2, -30*pi/180, "rad", "initial angle of bar 2");

    struct planar bar1 = planar_body(model, "1"), bar2 = planar_body(model, "2");
    const formula gravity[3] = {EQ(0), EQ(-g)}, none = EQ(0);
    struct point pin = point_at(none, none, none);
    struct point tail1 = planar_point(&bar1, EQ(-l1/2), none);
    struct point head1 = planar_point(&bar1, EQ(l1/2), none);
    struct point tail2 = planar_point(&bar2, EQ(-l2/2), none);
    struct point tip = planar_point(&bar2, EQ(l2/2), none);

    model_mode(model, "swing");
    planar_inertia(model, EQ(m1), EQ(m1*l1*l1/12), gravity, &bar1);
    planar_inertia(model, EQ(m2), EQ(m2*l2*l2/12), gravity, &bar2);
    planar_revolute(model, &pin, &tail1);
    planar_revolute(model, &head1, &tail2);
    model_draw(model, tail1.r, head1.r);
    model_draw(model, tail2.r, tip.r);
    model->g[0] = vector_dot(tip.r, tip.r);
    model->energy = model_energy(model);

    model->q0[2] = EQ(start1);
    model->q0[5] = EQ(start2);
    model->v0[2] = EQ(0);
    model->v0[5] = EQ(0);
    model->t_end = EQ(4.4);

    model_equal(model, "angle of bar 1", bar1.angle, EQ(phi1));
    model_equal(model, "angle of bar 2", bar2.angle, EQ(phi2));
    model_equal(model, "y of the tip", tip.r[1], EQ(l1*sin(phi1) + l2*sin(phi2)));
    DISPUTED("psi.reach", "17.2747", PAN, NO_START);
    DISPUTED("dpsi.reach/dl1", "17.2184", PAN, NO_START);
    DISPUTED("dpsi.reach/dl2", "11.2866", PAN, NO_START);
    DISPUTED("dpsi.reach/dm1", "0.4683", PAN, NO_BALANCE);
    DISPUTED("dpsi.reach/dm2", "-0.2361", PAN, NO_BALANCE);
}

static void record(struct model *model)
{
    COORDINATES(phi1, phi2);
    PARAMETERS(l1, l2, m1, m2, g, start1, start2);
    COSTS(reach);
    NOMINAL(l1, 1, "m", "length of bar 1");
    NOMINAL(l2, sqrt(3), "m", "length of bar 2");
    NOMINAL(m1, 1, "kg", "mass of bar 1");
    NOMINAL(m2, 2, "kg", "mass of bar 2");
    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(start1, 60*pi/180, "rad", "initial angle of bar 1");
    FIXED(start2, -30*pi/180, "rad", "initial angle of bar 2");

    LET(x1, l1*cos(phi1));
    LET(y1, l1*sin(phi1));
    const formula gravity[3] = {EQ(0), EQ(-g)}, none = EQ(0);
    struct point pin = point_at(none, none, none);
    struct point head1 = point_at(EQ(x1), EQ(y1), none);
    struct point tip = point_at(EQ(x1 + l2*cos(phi2)), EQ(y1 + l2*sin(phi2)), none);

    model_mode(model, "swing");
    bar_uniform(model, EQ(m1), gravity, &pin, &head1);
    bar_uniform(model, EQ(m2), gravity, &head1, &tip);
    model->g[0] = vector_dot(tip.r, tip.r);
    model->energy = model_energy(model);

    model->q0[0] = EQ(start1);
    model->q0[1] = EQ(start2);
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(0);
    model->t_end = EQ(4.4);
}

CASE(two_link,
    .name = "two-link",
    .title = "two-link arm falling from rest, in its angles",
    .source = "Pan, Ding, Wang 2004, section 5",
    .declared = "start at rest with the tip at (2, 0); gravity 9.81, no torques; minimal "
                "coordinates",
    .classes = "unconstrained",
    .record = record);

CASE(two_link_absolute,
    .name = "two-link-absolute",
    .title = "two-link arm falling from rest, in absolute coordinates",
    .source = "Pan, Ding, Wang 2004, section 5",
    .declared = "start at rest with the tip at (2, 0); gravity 9.81, no torques",
    .classes = "constrained",
    .record = record_absolute);
