/*
 * latch_redundant.c - a closed loop that an event closes and another opens, in a
 * mechanism with a redundant constraint (latch-redundant).
 *
 *        1 ------------- 2           1-2 is a platform of length d on two cranks A1, B2
 *       /               /  \         of length l; 2-3 is a hook of length h that swings
 *      A               B    3        freely. The constraints of both cranks are stated
 *                                    once more, together.
 *
 *     open    -- close -->  closed   point 3 comes to the distance r of the pin P: it is
 *                                    caught by a rod of that length, a constraint more,
 *                                    by an inelastic impulse through all bars (Corner
 *                                    et al. 2019 (82))
 *     closed  -- open --->  freed    the pull in the rod reaches its limit: the rod
 *                                    breaks, nothing jumps; the guard is a multiplier
 *
 * Multipliers and impulses have minimum norm; the multiplier of the rod is determined
 * without that, for its row does not depend on the others. A third crank in the middle
 * would be redundant, too, but only where the constraints hold: a penalty motion is off
 * them by 1/alpha, and the rows of an impulse are not dependent there.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x1, y1, x2, y2, x3, y3);
    PARAMETERS(l, d, h, r, limit, m_hook, x_p, y_p, g, m_crank, m_platform, th0, ph0,
               v0);
    MULTIPLIERS(lambda1, lambda2, lambda3, lambda4, lambda5, pull);
    COSTS(way, held);

    NOMINAL(l, 1, "m", "length of the cranks");
    NOMINAL(d, 1.5, "m", "length of the platform, and distance of the pivots A and B");
    NOMINAL(h, 0.75, "m", "length of the hook");
    NOMINAL(r, 0.5, "m", "length of the rod at the pin");
    NOMINAL(limit, 6, "N", "pull at which the rod breaks");
    NOMINAL(m_hook, 0.8, "kg", "mass at the end of the hook");
    NOMINAL(x_p, 2.25, "m", "place of the pin");
    NOMINAL(y_p, -1.5, "m", "place of the pin");
    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(m_crank, 0.5, "kg", "mass of each crank, a uniform bar");
    FIXED(m_platform, 2, "kg", "mass of the platform, a uniform bar");
    FIXED(th0, 0.7, "rad", "initial angle of the cranks, to the left of hanging down");
    FIXED(ph0, 0.3, "rad", "initial angle of the hook, to the right of hanging down");
    FIXED(v0, 0.4, "m/s", "initial horizontal velocity of the platform");

    enum { OPEN, CLOSED, FREED, MODES };
    static const char *const name[MODES] = {"open", "closed", "freed"};
    struct mode *mode[MODES];
    LET(crank1, (x1*x1 + y1*y1 - l*l)/2);
    LET(crank2, ((x2 - d)*(x2 - d) + y2*y2 - l*l)/2);
    LET(rod, ((x3 - x_p)*(x3 - x_p) + (y3 - y_p)*(y3 - y_p) - r*r)/2);
    for (int k = 0; k < MODES; k++) {
        mode[k] = model_mode(model, name[k]);
        for (int i = 0; i < 2; i++) {
            model->M[i][i] = EQ((m_crank + m_platform)/3);
            model->M[i][2 + i] = EQ(m_platform/6);
            model->M[2 + i][2 + i] = EQ((m_crank + m_platform)/3);
            model->M[4 + i][4 + i] = EQ(m_hook);
        }
        model->F[1] = EQ(-(m_crank + m_platform)*g/2);
        model->F[3] = EQ(-(m_crank + m_platform)*g/2);
        model->F[5] = EQ(-m_hook*g);

        model->Phi[0] = EQ(crank1);
        model->Phi[1] = EQ(crank2);
        model->Phi[2] = EQ(((x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - d*d)/2);
        model->Phi[3] = EQ(crank1 + l*crank2);
        model->Phi[4] = EQ(((x3 - x2)*(x3 - x2) + (y3 - y2)*(y3 - y2) - h*h)/2);
        model->g[0] = EQ(vx3*vx3 + vy3*vy3);
        if (k == CLOSED) {
            model->Phi[5] = EQ(rod);
            model->g[1] = EQ(pull*r);
        }
    }

    /* Energy bar by bar: a uniform bar has the kinetic energy m/6 (v_i^2 + v_i v_j +
       v_j^2). */
    LET(swings, vx1*vx1 + vy1*vy1 + vx2*vx2 + vy2*vy2);
    model->energy = EQ(m_crank*swings/6 + m_platform*(swings + vx1*vx2 + vy1*vy2)/6 +
                       m_hook*(vx3*vx3 + vy3*vy3)/2 +
                       (m_crank + m_platform)*g*(y1 + y2)/2 + m_hook*g*y3);

    struct event *close = model_event(model, "close", mode[OPEN], mode[CLOSED], EQ(rod),
                                      FALLING);
    event_impulse_joints(close);
    model_event(model, "open", mode[CLOSED], mode[FREED], EQ(pull*r - limit), RISING);

    model->q0[0] = EQ(-l*sin(th0));
    model->q_guess[1] = EQ(-0.75);
    model->q_guess[2] = EQ(0.75);
    model->q_guess[3] = EQ(-0.75);
    model->q0[4] = EQ(d - l*sin(th0) + h*sin(ph0));
    model->q_guess[5] = EQ(-1.5);
    model->v0[0] = EQ(v0);
    model->v0[4] = EQ(v0);
    model->t_end = EQ(2);

    DRAW_LINE(0, 0, x1, y1);
    DRAW_LINE(x1, y1, x2, y2);
    DRAW_LINE(x2, y2, d, 0);
    DRAW_LINE(x2, y2, x3, y3);
    DRAW_POINT(x_p, y_p);
}

CASE(latch_redundant,
    .name = "latch-redundant",
    .title = "a loop that closes by an impulse and opens by its pull",
    .source = "made for this catalogue",
    .declared = "the mechanism and all its values; constraint 4 depends on 1 and 2; "
                "multipliers and impulses of minimum norm",
    .classes = "impulse, velocity-jump, constraint-change, identity-reset, "
               "state-dependent-guard, parameter-dependent-guard, multiplier-guard, "
               "constrained, redundant",
    .record = record);
