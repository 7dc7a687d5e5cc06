/*
 * compass_gait.c - the compass-gait walker (Goswami, Thuilot, Espiau 1996) in minimal
 * coordinates.
 *
 * Two legs with masses and a hip walk down a slope, without knees, feet or motor. Angles
 * are from the vertical, positive forwards; st is the leg that stands, sw the one that
 * swings; a is from foot to mass of a leg, b from there to the hip, l = a + b.
 *
 * Standing foot at the origin:
 *
 *     hip   l (sin st, cos st)         mass of the standing leg   a (sin st, cos st)
 *     mass of the swinging leg         hip - b (sin sw, cos sw)
 *
 * and the equations are those of Lagrange. At the strike the swinging foot meets the
 * slope in front, st + sw = 2 slope, and stays there; the other leaves at once. The legs
 * change names. The impulse of the new foot has no moment about it, the one through the
 * hip none about the hip: so the angular momentum of all about the new foot, and that of
 * the leg that stood about the hip, go on. With C = cos(st - sw)
 *
 *     (m_H l^2 + m a^2 + m l (l - b C)) st'+ + m b (b - l C) sw'+
 *                                = (m_H l^2 + 2 m a l) C st' - m a b (st' + sw')
 *     b sw'+ - l C st'+  = -a st'
 *
 * which is solved for st'+, sw'+ below. In the middle of the step the swinging foot is
 * below the slope for a while, as that of a leg without a knee must be. So strikes count
 * only after the swinging leg is ahead by the angle `ahead`: two modes with an event
 * between them at which nothing jumps; no later result depends on that angle.
 */
#include "case.h"
#include "elements/lagrange.h"

static void record(struct model *model)
{
    COORDINATES(st, sw);
    PARAMETERS(slope, m, m_H, a, b, st0, vst0, vsw0, ahead, g);
    COSTS(swing);

    NOMINAL(slope, 3*pi/180, "rad", "slope");
    NOMINAL(m, 5, "kg", "mass of a leg");
    NOMINAL(m_H, 10, "kg", "mass of the hip");
    NOMINAL(a, 0.5, "m", "from the foot to the mass of a leg");
    NOMINAL(b, 0.5, "m", "from there to the hip");
    NOMINAL(st0, -0.2187, "rad", "initial angle of the standing leg");
    NOMINAL(vst0, 1.0918, "rad/s", "initial rate of the standing leg");
    NOMINAL(vsw0, 0.3772, "rad/s", "initial rate of the swinging leg");
    NOMINAL(ahead, 0.2, "rad", "angle between the legs from which strikes count");
    FIXED(g, 9.8, "m/s^2", "gravity");

    LET(l, a + b);
    LET(C, cos(st - sw));
    struct mode *behind = model_mode(model, "behind");
    struct mode *in_front = NULL;
    for (int i = 0; i < 2; i++) {
        model_kinetic(model, EQ((m*a*a + m_H*l*l)*vst*vst/2));
        model_kinetic(model, EQ(m*(l*l*vst*vst + b*b*vsw*vsw - 2*l*b*C*vst*vsw)/2));
        model_potential(model, EQ(g*(m*a + m_H*l + m*l)*cos(st) - g*m*b*cos(sw)));
        model->g[0] = EQ((vsw - vst)*(vsw - vst));
        if (i == 0)
            in_front = model_mode(model, "in-front");
    }
    model->energy = model_energy(model);

    model_event(model, "legs-pass", behind, in_front, EQ(st - sw - ahead), RISING);
    struct event *strike = model_event(model, "strike", in_front, behind,
                                       EQ(st + sw - 2*slope), RISING);
    LET(S, sin(st - sw));
    LET(moment, (m_H*l*l + m*a*l)*C*vst - m*a*b*vsw);
    LET(rate, moment/(m_H*l*l + m*a*a + m*l*l*S*S));
    strike->q_plus[0] = EQ(sw);
    strike->q_plus[1] = EQ(st);
    strike->v_plus[0] = EQ(rate);
    strike->v_plus[1] = EQ((l*C*rate - a*vst)/b);

    model->q0[0] = EQ(st0);
    model->q0[1] = EQ(2*slope - st0);
    model->v0[0] = EQ(vst0);
    model->v0[1] = EQ(vsw0);
    model->t_end = EQ(2.75);

    DRAW_LINE(0, 0, l*sin(st), l*cos(st));
    DRAW_LINE(l*sin(st), l*cos(st), l*(sin(st) - sin(sw)), l*(cos(st) - cos(sw)));

    PUBLISHED("after.6.q.st", "-0.2187", "Goswami et al. 1996, periodic step");
    PUBLISHED("after.6.q.sw", "0.3234", "Goswami et al. 1996, periodic step");
    PUBLISHED("after.6.v.st", "1.0918", "Goswami et al. 1996, periodic step");
    PUBLISHED("after.6.v.sw", "0.3772", "Goswami et al. 1996, periodic step");
}

CASE(compass_gait,
    .name = "compass-gait",
    .title = "compass-like biped walking down a slope, in its two angles",
    .source = "Goswami, Thuilot, Espiau 1996: masses, lengths, periodic motion at a "
              "slope of 3 degrees",
    .declared = "`ahead`, from which strikes count; the swinging foot starts on the "
                "slope; the cost",
    .classes = "velocity-jump, position-jump, state-dependent-guard, "
               "parameter-dependent-guard, unconstrained, walking",
    .record = record);
