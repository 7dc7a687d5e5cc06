/*
 * compass_gait_absolute.c - the compass-gait walker in absolute coordinates
 * (compass-gait-absolute), where a step changes the constraints and not the names of the
 * legs.
 *
 *     (xh, yh)  hip        (xl, yl), (xr, yr)  masses of the left and the right leg
 *
 * Each leg keeps the length b between its mass and the hip, and the foot that stands
 * stays on its anchor (px, py). A foot is on the line from the hip through the mass, a
 * beyond it, so all constraints are polynomials. There are four modes: either foot
 * stands, and the other is behind or in front, where strikes count (compass-gait says
 * why).
 *
 * At the strike the foot that swung is held where it is: the anchor is a latched value
 * with a sensitivity of its own, the constraint changes feet, and the velocities follow
 * from the impulse of the constraints of the new mode, Corner, Sandu, Sandu 2019, (82).
 * Nothing of the derivation in compass-gait is used; motion and events are the same.
 */
#include "case.h"

enum { LEFT, RIGHT };

static void record(struct model *model)
{
    COORDINATES(xh, yh, xl, yl, xr, yr);
    AUXILIARY(px, py);
    PARAMETERS(slope, m, m_H, a, b, st0, vst0, vsw0, ahead, g);
    COSTS(swing);
    TWIN("compass-gait", st, sw);

    NOMINAL(slope, 3*pi/180, "rad", "slope");
    NOMINAL(m, 5, "kg", "mass of a leg");
    NOMINAL(m_H, 10, "kg", "mass of the hip");
    NOMINAL(a, 0.5, "m", "from the foot to the mass of a leg");
    NOMINAL(b, 0.5, "m", "from there to the hip");
    NOMINAL(st0, -0.2187, "rad", "initial angle of the standing leg");
    NOMINAL(vst0, 1.0918, "rad/s", "initial rate of the standing leg");
    NOMINAL(vsw0, 0.3772, "rad/s", "initial rate of the swinging leg");
    FIXED(ahead, 0.2, "rad", "angle between the legs from which strikes count");
    FIXED(g, 9.8, "m/s^2", "gravity");

    /* Legs, from mass to hip; feet; angular velocities, positive forwards. */
    LET(ulx, xh - xl);
    LET(uly, yh - yl);
    LET(urx, xh - xr);
    LET(ury, yh - yr);
    LET(flx, xl - a/b*ulx);
    LET(fly, yl - a/b*uly);
    LET(frx, xr - a/b*urx);
    LET(fry, yr - a/b*ury);
    LET(wl, ((vxh - vxl)*uly - (vyh - vyl)*ulx)/(b*b));
    LET(wr, ((vxh - vxr)*ury - (vyh - vyr)*urx)/(b*b));
    LET(sine, (ulx*ury - uly*urx)/(b*b));       /* sine of the angle of left from right */
    const formula foot[2][2] = {{EQ(flx), EQ(fly)}, {EQ(frx), EQ(fry)}};
    const formula off[2][2] = {{EQ(flx - px), EQ(fly - py)},
                               {EQ(frx - px), EQ(fry - py)}};
    const formula height[2] = {
        EQ((flx - px)*sin(slope) + (fly - py)*cos(slope)),
        EQ((frx - px)*sin(slope) + (fry - py)*cos(slope)),
    };
    const formula passed[2] = {EQ(sine - sin(ahead)), EQ(-sine - sin(ahead))};

    struct mode *behind[2], *in_front[2];
    for (int k = 0; k < 4; k++) {
        int standing = k / 2;
        const char *const name[] = {"left-behind", "left-in-front", "right-behind",
                                    "right-in-front"};
        struct mode *mode = model_mode(model, name[k]);
        (k % 2 == 0 ? behind : in_front)[standing] = mode;
        for (int i = 0; i < 6; i++)
            model->M[i][i] = i < 2 ? EQ(m_H) : EQ(m);
        model->F[1] = EQ(-m_H*g);
        model->F[3] = EQ(-m*g);
        model->F[5] = EQ(-m*g);
        model->Phi[0] = EQ((ulx*ulx + uly*uly - b*b)/2);
        model->Phi[1] = EQ((urx*urx + ury*ury - b*b)/2);
        model->Phi[2] = off[standing][0];
        model->Phi[3] = off[standing][1];
        model->g[0] = EQ((wl - wr)*(wl - wr));
    }
    model->energy = EQ(m_H*(vxh*vxh + vyh*vyh)/2 + m*(vxl*vxl + vyl*vyl)/2
                       + m*(vxr*vxr + vyr*vyr)/2 + g*(m_H*yh + m*(yl + yr)));

    for (int standing = LEFT; standing <= RIGHT; standing++) {
        int swinging = RIGHT - standing;
        model_event(model, standing == LEFT ? "right-passes" : "left-passes",
                    behind[standing], in_front[standing], passed[standing], RISING);
        struct event *strike = model_event(
            model, standing == LEFT ? "right-strikes" : "left-strikes",
            in_front[standing], behind[swinging], height[swinging], FALLING);
        event_impulse_joints(strike);
        strike->s_plus[0] = foot[swinging][0];
        strike->s_plus[1] = foot[swinging][1];
    }

    /* The left foot stands at the origin; coordinates that the constraints leave open
       are given. */
    LET(sw0, 2*slope - st0);
    model->q0[0] = EQ((a + b)*sin(st0));
    model->q0[4] = EQ((a + b)*sin(st0) - b*sin(sw0));
    model->q_guess[1] = EQ(1);
    model->q_guess[3] = EQ(0.5);
    model->q_guess[5] = EQ(0.5);
    model->v0[0] = EQ((a + b)*cos(st0)*vst0);
    model->v0[4] = EQ((a + b)*cos(st0)*vst0 - b*cos(sw0)*vsw0);
    model->t_end = EQ(2.75);

    DRAW_LINE(flx, fly, xh, yh);
    DRAW_LINE(frx, fry, xh, yh);
    EQUAL("cosine of the angle between the legs", (ulx*urx + uly*ury)/(b*b),
          cos(st - sw));
    EQUAL("sine of the sum of their angles", (ulx*ury + uly*urx)/(b*b), sin(st + sw));
}

CASE(compass_gait_absolute,
    .name = "compass-gait-absolute",
    .title = "compass-like biped in absolute coordinates: the foot that stands changes",
    .source = "Goswami, Thuilot, Espiau 1996: masses, lengths, periodic motion at a "
              "slope of 3 degrees",
    .declared = "as compass-gait",
    .classes = "impulse, constraint-change, identity-reset, state-dependent-guard, "
               "parameter-dependent-guard, constrained, walking",
    .record = record);
