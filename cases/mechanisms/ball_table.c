/*
 * ball_table.c - a ball on a sinusoidally vibrating table (Holmes 1982): ball-table,
 * ball-table-long, ball-table-spring.
 *
 *     y'' = -g        y = A sin(w t) falling:  y'+ = u - e (y' - u),  u = A w cos(w t)
 *
 * Between impacts the motion is a polynomial, which any series or step follows as far as
 * it likes; the guard is not a polynomial. Its series has to be looked at for itself:
 * over a step of a second the table goes up and down three times.
 *
 * In ball-table the ball bounces all the time; each time the digits of its motion become
 * fewer (Holmes's map is chaotic there), so the run is short. ball-table-long goes on for
 * half a minute. The motion exists, and MPFR has it; but errors have grown by 1e16 before
 * the end, and a double must say so (no-digits) instead of printing a motion that is made
 * of its own rounding, and derivatives of 1e20. In ball-table-spring a spring pulls the
 * ball to 2 m until it is let go at 0.5 s; it falls, and is thrown up by half of its
 * speed. Then nothing is watched any more, for a minute: the impact is a hundredth of the
 * only flight that a solver has to look at.
 */
#include "case.h"

static void write(struct model *model, bool half_a_minute)
{
    COORDINATES(y);
    PARAMETERS(g, A, w, e, h0, T);
    TIME(t);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(A, 0.05, "m", "amplitude of the table");
    NOMINAL(w, 20, "rad/s", "frequency of the table");
    NOMINAL(e, 0.95, "1", "coefficient of restitution");
    NOMINAL(h0, 1, "m", "initial height");
    if (half_a_minute)
        FIXED(T, 30, "s", "end of the run");
    else
        FIXED(T, 4.8, "s", "end of the run");

    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    model->energy = EQ(vy*vy/2 + g*y);

    LET(u, A*w*cos(w*t));
    struct event *hit = model_event(model, "hit", flight, flight, EQ(y - A*sin(w*t)),
                                    FALLING);
    hit->v_plus[0] = EQ(u - e*(vy - u));

    event_balance(hit, "approach by separation", EQ((u - vy)/(vy_plus - u)), EQ(1/e));

    model->q0[0] = EQ(h0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(T);

    DRAW_POINT(0, y);
    DRAW_LINE(-0.1, A*sin(w*t), 0.1, A*sin(w*t));
}

static void record(struct model *model)
{
    write(model, false);
}

static void record_long(struct model *model)
{
    write(model, true);
}

static void record_spring(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, A, w, k, e, h0, t1, T);
    TIME(t);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(A, 0.05, "m", "amplitude of the table");
    NOMINAL(w, 20, "rad/s", "frequency of the table");
    NOMINAL(k, 9.5, "1/s^2", "stiffness of the spring over the mass");
    NOMINAL(e, 0.5, "1", "of the speed that the ball is thrown up with");
    NOMINAL(h0, 2, "m", "initial height, where the spring has its natural length");
    NOMINAL(t1, 0.5, "s", "when the spring lets go");
    FIXED(T, 64, "s", "end of the run");

    struct mode *held = model_mode(model, "held");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g - k*(y - h0));
    struct mode *fall = model_mode(model, "fall");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    struct mode *gone = model_mode(model, "gone");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);

    model_event(model, "release", held, fall, EQ(t - t1), EITHER);
    struct event *hit = model_event(model, "hit", fall, gone, EQ(y - A*sin(w*t)),
                                    FALLING);
    hit->v_plus[0] = EQ(-e*vy);

    /* The energy leaves out the spring, which one mode only has. */
    model->energy = EQ(vy*vy/2 + g*y);
    held->power = EQ(k*(h0 - y)*vy);
    event_balance(hit, "speed before by after", EQ(-vy/vy_plus), EQ(1/e));
    event_balance(hit, "energy lost", EQ((vy*vy - vy_plus*vy_plus)/2),
                  EQ((1 - e)*(1 + e)*vy*vy/2));

    model->q0[0] = EQ(h0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(T);

    DRAW_POINT(0, y);
    DRAW_LINE(-0.1, A*sin(w*t), 0.1, A*sin(w*t));
}

CASE(ball_table,
    .name = "ball-table",
    .title = "a ball bounces on a table that shakes faster than it flies",
    .source = "after Holmes, The dynamics of repeated impacts with a sinusoidally "
              "vibrating table, J. Sound Vib. 84 (1982)",
    .declared = "nominal values, the flight without his approximation, and a run that "
                "ends before chaos has taken the digits",
    .classes = "velocity-jump, state-dependent-guard, time-dependent-guard, "
               "parameter-dependent-guard, unconstrained",
    .record = record);

CASE(ball_table_long,
    .name = "ball-table-long",
    .title = "the same for half a minute: chaos leaves no digit in double",
    .source = "after Holmes, The dynamics of repeated impacts with a sinusoidally "
              "vibrating table, J. Sound Vib. 84 (1982)",
    .declared = "nominal values; a double is to refuse it",
    .classes = "torture, refused, velocity-jump, state-dependent-guard, "
               "time-dependent-guard, parameter-dependent-guard, unconstrained",
    .record = record_long);

CASE(ball_table_spring,
    .name = "ball-table-spring",
    .title = "a ball is let go above a table that shakes, hits it once and flies away",
    .source = "found by attack: certified without its impact, as long as steps were not "
              "limited by guards",
    .declared = "all its values",
    .classes = "identity-reset, force-change, velocity-jump, state-dependent-guard, "
               "time-dependent-guard, parameter-dependent-guard, unconstrained",
    .record = record_spring);
