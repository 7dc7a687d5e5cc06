/*
 * clutch.c - a friction clutch (clutch), a mode-dependent constraint: two discs, one
 * driven, that slip on each other or turn as one.
 *
 *     slip    J1 a'' = T sin(w t) - f S side       J2 b'' = f S side - d b'
 *     locked  the same without f S side, and r = 0: the multiplier is the torque that
 *             passes from disc 1 to disc 2
 *
 *     lock    slip -> locked  r' = 0, if the torque that keeps it so is less than S
 *     over    slip -> slip    r' = 0, if not: the discs slip on the other way round
 *     ahead, behind   locked -> slip  the torque reaches S, or -S
 *
 * Coordinates are b and the angle r = a - b, which counts anew from where the discs lock,
 * so that the constraint holds there; r' is zero at the guard, and exactly so after the
 * event. Both events of the slipping clutch share a guard;
 * conditions tell them apart.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(r, b);
    PARAMETERS(J1, J2, d, f, S, T, w, w0);
    MULTIPLIERS(torque);
    AUXILIARY(side);
    COSTS(heat);
    TIME(t);

    NOMINAL(J1, 1, "kg m^2", "inertia of the driven disc");
    NOMINAL(J2, 1.5, "kg m^2", "inertia of the other");
    NOMINAL(d, 0.4, "N m s", "damping of the other");
    NOMINAL(f, 0.85, "1", "torque while they slip, as a part of S");
    NOMINAL(S, 1.3, "N m", "torque up to which they stick");
    NOMINAL(T, 3, "N m", "amplitude of the drive");
    NOMINAL(w, 1.1, "1/s", "its frequency");
    NOMINAL(w0, 2.2, "1/s", "speed of the driven disc at the start");

    struct mode *slip = model_mode(model, "slip");
    model->M[0][0] = model->M[0][1] = EQ(J1);
    model->M[1][1] = EQ(J1 + J2);
    model->F[0] = EQ(T*sin(w*t) - f*S*side);
    model->F[1] = EQ(T*sin(w*t) - d*vb);
    model->g[0] = EQ(f*S*side*vr);
    struct mode *locked = model_mode(model, "locked");
    model->M[0][0] = model->M[0][1] = EQ(J1);
    model->M[1][1] = EQ(J1 + J2);
    model->F[0] = EQ(T*sin(w*t));
    model->F[1] = EQ(T*sin(w*t) - d*vb);
    model->Phi[0] = EQ(r);

    LET(passes, (J2*T*sin(w*t) + J1*d*vb)/(J1 + J2));
    struct event *lock = model_event(model, "lock", slip, locked, EQ(vr), EITHER);
    event_require(lock, EQ(S - passes));
    event_require(lock, EQ(S + passes));
    lock->q_plus[0] = EQ(0*r);
    lock->v_plus[0] = EQ(0*vr);
    struct event *over = model_event(model, "over", slip, slip, EQ(vr), EITHER);
    over->s_plus[0] = EQ(-side);
    struct event *ahead = model_event(model, "ahead", locked, slip, EQ(torque - S),
                                      RISING);
    ahead->s_plus[0] = EQ(1 + 0*side);
    struct event *behind = model_event(model, "behind", locked, slip, EQ(torque + S),
                                       FALLING);
    behind->s_plus[0] = EQ(-1 + 0*side);

    /* The drive acts on the speed of disc 1, the damper on that of disc 2, friction on
       the slip between them; locked, friction does no work. */
    LET(driven, vr + vb);
    model->energy = EQ(J1*driven*driven/2 + J2*vb*vb/2);
    slip->power = EQ(T*sin(w*t)*driven - d*vb*vb - f*S*side*vr);
    locked->power = EQ(T*sin(w*t)*driven - d*vb*vb);
    event_balance(lock, "angular momentum", EQ(J1*(vr_plus + vb_plus) + J2*vb_plus),
                  EQ(J1*driven + J2*vb));
    event_balance(lock, "energy of two discs in one", EQ(J1*driven*driven + J2*vb*vb),
                  EQ((J1 + J2)*vb_plus*vb_plus));
    event_balance(lock, "angle of both discs", EQ(r_plus + b_plus), EQ(b));
    /* Friction is against the slip that the acceleration at r' = 0 begins, and keeps the
       sense of the torque that passed while the discs stuck. */
    event_balance(over, "side of the slip to come", EQ(side_plus), EQ(ar/sqrt(ar*ar)));
    event_balance(ahead, "sense of the torque", EQ(S*side_plus), EQ(torque));
    event_balance(behind, "sense of the torque", EQ(S*side_plus), EQ(torque));

    model->q0[0] = EQ(0);
    model->q0[1] = EQ(0);
    model->v0[0] = EQ(w0);
    model->v0[1] = EQ(0);
    model->s0[0] = EQ(1);
    model->t_end = EQ(12);

    DRAW_LINE(0, 0, cos(r + b), sin(r + b));
    DRAW_LINE(3, 0, 3 + cos(b), sin(b));
}

CASE(clutch,
    .name = "clutch",
    .title = "two discs that lock if friction holds them, and else slip on",
    .source = "textbook",
    .declared = "the model and all its values",
    .classes = "velocity-jump, position-jump, force-change, constraint-change, "
               "velocity-dependent-guard, parameter-dependent-guard, multiplier-guard, "
               "conditional, constrained",
    .record = record);
