/*
 * stick_slip_impact.c - stick, slip and impact (stick-slip-impact; COCO demo, Dankowicz,
 * Schilder 2013): an electrically driven cantilever on a block that sticks to the ground
 * or slides on it, and is hit by the cantilever.
 *
 *     f = V^2 sin^2 phi/(1 - y)^2 - c y' - y          phi' = w
 *
 *     stick  y'' = f                the block rests
 *     slip   y'' = n + 6 f/5        s' = -n - f/5 for the velocity s of the block
 *
 *     collision  y = 1/2 rising, stick -> slip: s+ = (1 + e) y'/6, y'+ = -e y'
 *     rest       s = 0 falling, slip -> stick: y and y' go on, s+ = 0
 *     phase      phi = pi/2 rising: phi+ = phi - pi
 *     turning    y' = 0 in stick: nothing jumps
 *
 * The states of the modes are (y, y', phi) and (s, y, y', phi): of different dimension. A
 * model has the same states in all its modes; so s is there in stick, too, constant and
 * zero. All of it is written as a first-order system, as the source does.
 */
#include "case.h"

static void record(struct model *model)
{
    PARAMETERS(V, c, n, w, e, y_c, y0, u0, phi0);
    AUXILIARY(s, y, u, phi);
    COSTS(travel, work, swing);

    NOMINAL(V, 0.59, "1", "amplitude of the voltage");
    NOMINAL(c, 0.04, "1", "damping");
    NOMINAL(n, 3.17, "1", "friction of the sliding block");
    NOMINAL(w, 0.92, "1", "frequency of the voltage");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    NOMINAL(y_c, 0.5, "1", "where the cantilever hits the block");
    FIXED(y0, 0.2, "1", "initial position");
    FIXED(u0, 0.4, "1", "initial velocity");
    FIXED(phi0, 0.8, "rad", "initial phase");

    LET(pull, V*sin(phi)/(1 - y));
    LET(f, pull*pull - c*u - y);
    struct mode *stick = model_mode(model, "stick");
    model->f_s[1] = EQ(u);
    model->f_s[2] = EQ(f);
    model->f_s[3] = EQ(w);
    model->g[1] = EQ(pull*pull*u);
    model->g[2] = EQ(y*y);
    struct mode *slip = model_mode(model, "slip");
    model->f_s[0] = EQ(-n - f/5);
    model->f_s[1] = EQ(u);
    model->f_s[2] = EQ(n + 6*f/5);
    model->f_s[3] = EQ(w);
    model->g[0] = EQ(s);
    model->g[1] = EQ(pull*pull*u);
    model->g[2] = EQ(y*y);

    struct event *collision = model_event(model, "collision", stick, slip, EQ(y - y_c),
                                          RISING);
    collision->s_plus[0] = EQ((1 + e)*u/6);
    collision->s_plus[2] = EQ(-e*u);
    struct event *rest = model_event(model, "rest", slip, stick, EQ(s), FALLING);
    rest->s_plus[0] = EQ(0);
    struct mode *const both[] = {stick, slip};
    for (int i = 0; i < 2; i++) {
        struct event *wrap = model_event(model, i == 0 ? "phase" : "phase-slip", both[i],
                                         both[i], EQ(phi - pi/2), RISING);
        wrap->s_plus[3] = EQ(phi - pi);
        event_balance(wrap, "phase mirrored", EQ(phi_plus), EQ(-phi));
        event_balance(wrap, "square of the voltage", EQ(sin(phi_plus)*sin(phi_plus)),
                      EQ(sin(phi)*sin(phi)));
    }
    model_event(model, "turning", stick, stick, EQ(u), EITHER);

    /* The cantilever has mass 1 and the velocity s + u. The block is five times as heavy,
       and friction on it is n times its mass. */
    LET(block, 5);
    LET(reduced, block/(1 + block));
    LET(kinetic, (block*s*s + (s + u)*(s + u))/2);
    LET(kinetic_plus, (block*s_plus*s_plus + (s_plus + u_plus)*(s_plus + u_plus))/2);
    LET(momentum, block*s + (s + u));
    LET(momentum_plus, block*s_plus + (s_plus + u_plus));
    LET(voltage, V*sin(phi));
    LET(attracts, voltage*voltage/((1 - y)*(1 - y)));
    model->energy = EQ(kinetic + y*y/2);
    stick->power = EQ(attracts*u - c*u*u);
    slip->power = EQ(attracts*u - c*u*u - block*n*s);
    event_balance(collision, "momentum", EQ(momentum_plus), EQ(momentum));
    event_balance(collision, "approach by separation", EQ(-u/u_plus), EQ(1/e));
    event_balance(collision, "energy lost", EQ(kinetic - kinetic_plus),
                  EQ((1 - e*e)*reduced*u*u/2));
    event_balance(rest, "momentum", EQ(momentum_plus), EQ(momentum));
    event_balance(rest, "energy", EQ(kinetic_plus), EQ(kinetic));

    model->s0[0] = EQ(0);
    model->s0[1] = EQ(y0);
    model->s0[2] = EQ(u0);
    model->s0[3] = EQ(phi0);
    model->t_end = EQ(12);
}

CASE(stick_slip_impact,
    .name = "stick-slip-impact",
    .title = "cantilever on a block that sticks, slides and is hit by it",
    .source = "COCO demo stickslip (Dankowicz, Schilder 2013)",
    .declared = "start; s is kept, constant and zero, while the block sticks; the phase "
                "is wrapped in both modes; costs",
    .classes = "state-jump, force-change, state-dependent-guard, "
               "parameter-dependent-guard, first-order, unconstrained, friction",
    .record = record);
