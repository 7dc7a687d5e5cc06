/*
 * refusing.h - the smallest models that must be refused, one for each reason.
 *
 * A point of mass one moves along a rail, y = 0, so that every formulation has something
 * to do; what happens is along x.
 */
#ifndef SALTUS_REFUSING_H
#define SALTUS_REFUSING_H

#include "case.h"

/* A mode on the rail under the force F. */
static inline struct mode *rail(struct model *model, const char *name, const char *F)
{
    struct mode *mode = model_mode(model, name);
    for (int i = 0; i < model->n; i++)
        model->M[i][i] = integer(model->tape, 1);
    model->F[0] = model_read(model, F, __FILE__, __LINE__);
    model_constraint(model, variable(model->tape, BLOCK_Q, 1));
    return mode;
}

/* From x0 with v0 to t_end; c is a parameter without a part in the motion. */
#define RAIL(F, X0, V0, T_END)                       \
    COORDINATES(x, y);                               \
    PARAMETERS(k, c);                                \
    NOMINAL(k, 1, "1", "scale of the start");        \
    NOMINAL(c, 1, "m", "a place");                   \
    struct mode *one = rail(model, "one", F);        \
    model->q0[0] = EQ((X0)*k);                       \
    model->v0[0] = EQ((V0)*k);                       \
    model->t_end = EQ(T_END);                        \
    (void)one;                                       \
    (void)c

/* x = (t - 1)^2 touches zero. */
static inline void record_grazing(struct model *model)
{
    RAIL("2", 1, -2, 3);
    model_event(model, "ground", one, one, EQ(x), FALLING)->v_plus[0] = EQ(-vx);
}

/* Falls from 5 under 10: on the ground at t = 1, 2, 2.5, ..., at rest at t = 3. */
static inline void record_zeno(struct model *model)
{
    RAIL("-10", 5, 0, 4);
    model_event(model, "ground", one, one, EQ(x), FALLING)->v_plus[0] = EQ(-vx/2);
}

/* Both at t = 1; what is last decides the velocity. */
static inline void record_simultaneous(struct model *model)
{
    RAIL("0", 0, 1, 2);
    model_event(model, "slow", one, one, EQ(x - c), RISING)->v_plus[0] = EQ(-vx/2);
    model_event(model, "fast", one, one, EQ(x*x - c), RISING)->v_plus[0] = EQ(-2*vx);
}

/* What is fast enough goes back; x arrives with just that speed. */
static inline void record_condition(struct model *model)
{
    RAIL("0", 0, 1, 2);
    struct event *wall = model_event(model, "wall", one, one, EQ(x - c), RISING);
    wall->v_plus[0] = EQ(-vx);
    event_require(wall, EQ(vx - c));
}

static inline void record_at_end(struct model *model)
{
    RAIL("0", 0, 1, 1);
    model_event(model, "wall", one, one, EQ(x - c), RISING)->v_plus[0] = EQ(-vx);
}

static inline void record_violated(struct model *model)
{
    RAIL("0", 2, 1, 1);
    model_event(model, "wall", one, one, EQ(x - c), RISING)->v_plus[0] = EQ(-vx);
}

/* The reset drives the motion back, and there it is sent on again. */
static inline void record_sliding(struct model *model)
{
    RAIL("0", 0, 1, 2);
    struct mode *two = rail(model, "two", "0");
    model_event(model, "wall", one, two, EQ(x - c), RISING)->v_plus[0] = EQ(-vx);
    model_event(model, "back", two, one, EQ(x - c), FALLING)->v_plus[0] = EQ(-vx);
}

/* The impact does not stop what it meets. */
static inline void record_penetration(struct model *model)
{
    RAIL("0", 0, 1, 2);
    model_event(model, "wall", one, one, EQ(x - c), RISING)->v_plus[0] = EQ(vx/2);
}

/* Two modes hand over to each other for ever, by guards of their own. */
static inline void record_chain(struct model *model)
{
    RAIL("0", 0, 1, 2);
    struct mode *two = rail(model, "two", "0");
    model_event(model, "there", one, two, EQ(x - c), RISING);
    model_event(model, "back", two, one, EQ(x*x - c*c), RISING);
}

/* No inertia along x. */
static inline void record_massless(struct model *model)
{
    RAIL("1", 0, 1, 1);
    model->M[0][0] = (formula){NULL, 0};
}

/* The rail pushes with N, and N pushes back: N is anything. */
static inline void record_singular(struct model *model)
{
    RAIL("0", 0, 1, 1);
    MULTIPLIERS(N);
    model->F[1] = EQ(N);
    (void)N;
}

/* The rail is stated twice. */
static inline void record_redundant(struct model *model)
{
    RAIL("0", 0, 1, 1);
    model_constraint(model, EQ(2*y));
}

static inline void record_inconsistent(struct model *model)
{
    RAIL("0", 0, 1, 1);
    model->q0[1] = EQ(1);
    model->v0[1] = EQ(0);
}

/* Two rails that are one for these values of the parameters only. */
static inline void record_inadmissible(struct model *model)
{
    RAIL("0", 0, 1, 1);
    model_constraint(model, EQ(y + c - 1));
}

static inline void record_noise(struct model *model)
{
    RAIL("0", 0, 1, 1);
    model_event(model, "noise", one, one, EQ(sin(10000000*x) + 1.5), EITHER);
}

/* atan2(vx, -1) jumps where the motion turns round, at t = 1. */
static inline void record_cut(struct model *model)
{
    RAIL("-2", 0, 2, 3);
    model_event(model, "never", one, one, EQ(x + atan2(vx, -c) + 100), EITHER);
}

/* Through x = 1 at t = 0.5. */
static inline void record_pole(struct model *model)
{
    RAIL("0", 0, 2, 1);
    model->F[1] = EQ(1/(x - c));
}

/* More than a double can hold; MPFR can. */
static inline void record_overflow(struct model *model)
{
    RAIL("0", 0, 1, 1);
    model->F[1] = EQ(exp(1000*c));
}

/* The force ends at x = 1. */
static inline void record_domain(struct model *model)
{
    RAIL("(1 - x)*sqrt(1 - x)", 0, 2, 1);
}

/* x'' = x'^2: v = 1/(1 - t) */
static inline void record_explosion(struct model *model)
{
    RAIL("vx*vx", 0, 1, 2);
}

static inline void record_oscillator(struct model *model)
{
    RAIL("-100*x", 0, 1, 10);
    model_event(model, "middle", one, one, EQ(x - c/100), EITHER);
}

/* x jumps to 1e-5 before the second guard: at a low tolerance that may be nothing. */
static inline void record_uncertain(struct model *model)
{
    RAIL("0", 0, 1, 2);
    struct mode *two = rail(model, "two", "0"), *three = rail(model, "three", "0");
    model_event(model, "first", one, two, EQ(x - c), RISING)->q_plus[0] =
        EQ(x + 99999*c/100000);
    model_event(model, "second", two, three, EQ(x - 2*c), RISING)->v_plus[0] = EQ(3*vx);
}

#undef RAIL

#endif
