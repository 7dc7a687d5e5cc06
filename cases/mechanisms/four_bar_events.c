/*
 * four_bar_events.c - a parallelogram of bars that goes through its singular positions
 * between events of every kind (four-bar-events; geometry of IFToMM benchmark A02).
 *
 *              o             the bead, on a rod that stands on the middle of the coupler
 *        1 ----+---- 2       A = (0, 0), B = (C, 0) fixed; cranks A1 and B2 of length L,
 *       /           /        coupler 12 of length C; uniform bars
 *      A           B
 *
 * Whenever the cranks are horizontal all bars are in line: there the constraints are
 * dependent, and the mechanism could go on as an antiparallelogram; the motion that is
 * smooth goes on as a parallelogram. In line, the bars cannot carry a force across
 * themselves from one crank to the other: everything that acts here acts on both alike,
 * otherwise the forces in the bars would be infinite there. For the same reason both
 * cranks share a length, and the coupler has the distance of the pivots: no derivative
 * exists by one of them alone.
 *
 *     loaded   -- switch-on -->  driven     t = t_on: motors turn both cranks
 *     driven   -- drop ------->  empty      the coupler falls below h_drop: the load on
 *                                           it is let go with the velocity it has
 *     empty    -- land ------->  carrying   the bead, until then free along its rod,
 *                                           meets the coupler and stays: one constraint
 *                                           more, an impulse through all bars
 *     carrying -- stop ------->  carrying   the coupler rises to a bumper at h_stop: an
 *                                           impulse with restitution e, back the way it
 *                                           came
 *
 * The singular positions are passed with motors, with the bead, and after the stop once
 * more; all events are away from them.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x1, y1, x2, y2, x3, y3);
    PARAMETERS(L, C, t_on, torque, load, h_drop, h_stop, e, m_bead, h_bead, spin,
               m_bar, g);
    COSTS(way, heat);
    TIME(t);

    NOMINAL(L, 1, "m", "length of the cranks");
    NOMINAL(t_on, 0.2, "s", "time at which the motor is switched on");
    NOMINAL(torque, -4, "N m", "of the motor on each crank");
    NOMINAL(load, 0.5, "kg", "load on the coupler, a half at each end");
    NOMINAL(h_drop, -0.4, "m", "height at which the load is dropped");
    NOMINAL(h_stop, 0.7, "m", "height of the bumper");
    NOMINAL(e, 0.6, "1", "coefficient of restitution of the bumper");
    NOMINAL(m_bead, 0.4, "kg", "mass of the bead");
    NOMINAL(h_bead, 1.8, "m", "initial height of the bead, falling from rest");
    NOMINAL(spin, 3, "rad/s", "initial rate of the cranks, clockwise, upright");
    FIXED(C, 1, "m", "length of the coupler, and distance of the pivots");
    FIXED(m_bar, 1, "kg", "mass of each bar");
    FIXED(g, 9.81, "m/s^2", "gravity");

    LET(middle_x, (x1 + x2)/2);
    LET(middle_y, (y1 + y2)/2);

    enum { LOADED, DRIVEN, EMPTY, CARRYING, MODES };
    static const char *const name[MODES] = {"loaded", "driven", "empty", "carrying"};
    struct mode *mode[MODES];
    for (int i = 0; i < MODES; i++) {
        mode[i] = model_mode(model, name[i]);
        for (int d = 0; d < 2; d++) {
            model->M[d][d] = i < EMPTY ? EQ(2*m_bar/3 + load/2) : EQ(2*m_bar/3);
            model->M[d][2 + d] = EQ(m_bar/6);
            model->M[2 + d][2 + d] = i < EMPTY ? EQ(2*m_bar/3 + load/2) : EQ(2*m_bar/3);
            model->M[4 + d][4 + d] = EQ(m_bead);
        }
        if (i != LOADED) {
            model->F[0] = EQ(-torque*y1/(L*L));
            model->F[2] = EQ(-torque*y2/(L*L));
        }
        model->F[1] = i == LOADED   ? EQ(-(m_bar + load/2)*g)
                      : i == DRIVEN ? EQ(-(m_bar + load/2)*g + torque*x1/(L*L))
                                    : EQ(-m_bar*g + torque*x1/(L*L));
        model->F[3] = i == LOADED   ? EQ(-(m_bar + load/2)*g)
                      : i == DRIVEN ? EQ(-(m_bar + load/2)*g + torque*(x2 - C)/(L*L))
                                    : EQ(-m_bar*g + torque*(x2 - C)/(L*L));
        model->F[5] = EQ(-m_bead*g);

        model->Phi[0] = EQ(x1*x1 + y1*y1 - L*L);
        model->Phi[1] = EQ((x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - C*C);
        model->Phi[2] = EQ((x2 - C)*(x2 - C) + y2*y2 - L*L);
        model->Phi[3] = EQ(x3 - middle_x);
        if (i == CARRYING)
            model->Phi[4] = EQ(y3 - middle_y);
        model->g[0] = EQ(vx1*vx1 + vy1*vy1);
    }

    model_event(model, "switch-on", mode[LOADED], mode[DRIVEN], EQ(t - t_on), RISING);
    model_event(model, "drop", mode[DRIVEN], mode[EMPTY], EQ(middle_y - h_drop), FALLING);
    struct event *land = model_event(model, "land", mode[EMPTY], mode[CARRYING],
                                     EQ(y3 - middle_y), FALLING);
    event_impulse_joints(land);
    land->cost[1] = EQ(m_bead*(vy3 - vy1)*(vy3 - vy1)/2);
    struct event *stop = model_event(model, "stop", mode[CARRYING], mode[CARRYING],
                                     EQ(middle_y - h_stop), RISING);
    event_impulse(stop, EQ(middle_y - h_stop), EQ(e));
    event_impulse_joints(stop);

    /* The energy is that of bars between points and of the bead. Each half of the load is
       a body outside, which holds a crank back by its weight and inertia. */
    LET(v11, vx1*vx1 + vy1*vy1);
    LET(v12, vx1*vx2 + vy1*vy2);
    LET(v22, vx2*vx2 + vy2*vy2);
    model->energy = EQ(m_bar*(v11 + (v11 + v12 + v22) + v22)/6
                       + m_bead*(vx3*vx3 + vy3*vy3)/2
                       + g*(m_bar*(y1/2 + middle_y + y2/2) + m_bead*y3));
    LET(motors, torque*((x1*vy1 - y1*vx1) + ((x2 - C)*vy2 - y2*vx2))/(L*L));
    LET(held, -load/2*(ax1*vx1 + (ay1 + g)*vy1 + ax2*vx2 + (ay2 + g)*vy2));
    mode[LOADED]->power = EQ(held);
    mode[DRIVEN]->power = EQ(motors + held);
    mode[EMPTY]->power = EQ(motors);
    mode[CARRYING]->power = EQ(motors);

    /* After both impacts the bars move as a parallelogram with the bead on its coupler.
       Coupler and cranks have the momentum of m_turning at the tip of one crank, and the
       impulse between bead and coupler cancels in the sum of moments. */
    struct event *const impact[] = {land, stop};
    for (int k = 0; k < 2; k++) {
        event_balance(impact[k], "crank A1 keeps its length", EQ(x1*vx1_plus),
                      EQ(-y1*vy1_plus));
        event_balance(impact[k], "crank B2 keeps its length", EQ((x2 - C)*vx2_plus),
                      EQ(-y2*vy2_plus));
        event_balance(impact[k], "coupler keeps its length", EQ(vx1_plus), EQ(vx2_plus));
        event_balance(impact[k], "bead on its rod", EQ(vx3_plus),
                      EQ((vx1_plus + vx2_plus)/2));
        event_balance(impact[k], "bead on the coupler", EQ(vy3_plus),
                      EQ((vy1_plus + vy2_plus)/2));
    }
    LET(m_turning, m_bar/3 + m_bar + m_bar/3);
    event_balance(land, "angular momentum",
                  EQ(m_turning*(x1*vy1_plus - y1*vx1_plus)
                     + m_bead*(x1*vy3_plus - y1*vx3_plus)),
                  EQ(m_turning*(x1*vy1 - y1*vx1) + m_bead*(x1*vy3 - y1*vx3)));
    event_balance(stop, "approach by separation",
                  EQ(-(vy1 + vy2)/(vy1_plus + vy2_plus)), EQ(1/e));

    model->q0[0] = EQ(0);
    model->q_guess[1] = EQ(1);
    model->q_guess[2] = EQ(1);
    model->q_guess[3] = EQ(1);
    model->q_guess[4] = EQ(0.5);
    model->q0[5] = EQ(h_bead);
    model->v0[0] = EQ(spin*L);
    model->v0[5] = EQ(0);
    model->t_end = EQ(1.5);

    DRAW_LINE(0, 0, x1, y1);
    DRAW_LINE(x1, y1, x2, y2);
    DRAW_LINE(x2, y2, C, 0);
    DRAW_POINT(x3, y3);
}

CASE(four_bar_events,
    .name = "four-bar-events",
    .title = "parallelogram through singular positions between events of every kind",
    .source = "geometry of IFToMM benchmark A02, one cell",
    .declared = "the events and their values; the motion stays a parallelogram",
    .classes = "velocity-jump, impulse, force-change, mass-change, "
               "constraint-change, identity-reset, time-dependent-guard, "
               "parameter-dependent-guard, state-dependent-guard, constrained, singular",
    .record = record);
