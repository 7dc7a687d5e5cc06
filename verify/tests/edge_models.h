/*
 * edge_models.h - the smallest models that meet a branch cut, a pole or the end of a
 * domain, one for each place where a formula may stand.
 *
 * A point moves in space on the plane z = 0, so that every formulation has something to
 * do. In ORBIT x = 2 k cos t and y = k/4 cos t + sin t: y is zero at pi - atan(1/4) with
 * x < 0, and again with x > 0. In FLIGHT x = 2 t and y = t - 1/2.
 */
#ifndef SALTUS_EDGE_MODELS_H
#define SALTUS_EDGE_MODELS_H

#include "case.h"

/* When the orbit meets the cut of atan2(y, x). */
static const double meets_cut = 2.8966139904629290843;

static inline struct mode *in_plane(struct model *model, const char *name)
{
    struct mode *mode = model_mode(model, name);
    for (int i = 0; i < model->n; i++)
        model->M[i][i] = integer(model->tape, 1);
    model_constraint(model, variable(model->tape, BLOCK_Q, 2));
    return mode;
}

#define SPACE(T_END)                                \
    COORDINATES(x, y, z);                           \
    PARAMETERS(k, c);                               \
    AUXILIARY(s);                                   \
    COSTS(reach);                                   \
    TIME(t);                                        \
    NOMINAL(k, 1, "1", "scale");                    \
    NOMINAL(c, 1, "m", "a place");                  \
    struct mode *one = in_plane(model, "one");      \
    model->s0[0] = EQ(0*k);                         \
    model->t_end = EQ(T_END);                       \
    (void)one

#define ORBIT(T_END)                                \
    SPACE(T_END);                                   \
    model->F[0] = EQ(-k*x);                         \
    model->F[1] = EQ(-k*y);                         \
    model->q0[0] = EQ(2*k);                         \
    model->q0[1] = EQ(k/4);                         \
    model->v0[0] = EQ(0*k);                         \
    model->v0[1] = EQ(1)

#define FLIGHT(T_END)                               \
    SPACE(T_END);                                   \
    model->q0[0] = EQ(0*k);                         \
    model->q0[1] = EQ(-c/2);                        \
    model->v0[0] = EQ(2*k);                         \
    model->v0[1] = EQ(k)

/* --- atan2 on its cut --------------------------------------------------------------- */

static inline void record_cut_in_cost(struct model *model)
{
    ORBIT(7.5);
    model->g[0] = EQ(c*atan2(y, x));
}

static inline void record_cut_in_force(struct model *model)
{
    ORBIT(7.5);
    model->F[2] = EQ(c*atan2(y, x));
}

/* The force acts back on the motion, so that steps see the jump. */
static inline void record_cut_that_acts(struct model *model)
{
    FLIGHT(2);
    model->q0[0] = EQ(-4*k);
    model->F[0] = EQ(c*atan2(y, x));
}

static inline void record_cut_in_rate(struct model *model)
{
    ORBIT(7.5);
    model->f_s[0] = EQ(c*atan2(y, x) - s);
}

/* Its value jumps from pi to -pi, through zero. */
static inline void record_cut_in_guard(struct model *model)
{
    ORBIT(7.5);
    struct event *event = model_event(model, "turn", one, one, EQ(atan2(y, x)), FALLING);
    event->v_plus[0] = EQ(-vx);
}

/* y is zero at the event, x there less than zero. */
static inline void record_cut_in_reset(struct model *model)
{
    FLIGHT(1);
    struct event *event = model_event(model, "wall", one, one, EQ(x - c), EITHER);
    event->v_plus[0] = EQ(-vx*(2 + atan2(y, -x)));
}

static inline void record_cut_at_end(struct model *model)
{
    FLIGHT(0.5);
    model->w[0] = EQ(atan2(y, -x));
}

static inline void record_cut_of_parameters(struct model *model)
{
    FLIGHT(1);
    model->g[0] = EQ(x*atan2(c - k, -k));
}

/* y = (t - 1)^2 + lowest, with x < 0. */
static inline void parabola(struct model *model, const char *lowest)
{
    FLIGHT(2);
    model->F[1] = EQ(2);
    model->q0[0] = EQ(-9*k);
    model->q0[1] = add(EQ(k), model_read(model, lowest, __FILE__, __LINE__));
    model->v0[1] = EQ(-2*k);
    model->g[0] = EQ(atan2(y, x));
}

/* y comes back over the cut after a hundredth of a step. */
static inline void record_cut_there_and_back(struct model *model)
{
    parabola(model, "-0.0001");
}

static inline void record_cut_touched(struct model *model)
{
    parabola(model, "0");
}

static inline void record_cut_not_reached(struct model *model)
{
    parabola(model, "0.0001");
}

/* The lowest is c - 1, and x swings. */
static inline void record_cut_by_parameter(struct model *model)
{
    parabola(model, "c - 1");
    model->F[0] = model_read(model, "-400*(x + 8)", __FILE__, __LINE__);
}

/* y is zero all the time, and x becomes zero. */
static inline void record_cut_along_its_line(struct model *model)
{
    FLIGHT(1);
    model->q0[0] = EQ(c);
    model->q0[1] = EQ(0*k);
    model->v0[0] = EQ(-2*k);
    model->v0[1] = EQ(0*k);
    model->g[0] = EQ(atan2(y, x));
}

static inline void record_cut_of_nothing(struct model *model)
{
    FLIGHT(1);
    model->g[0] = EQ(atan2(0*y, c - x));
}

/* y comes to zero, and x with it as the square of y. */
static inline void record_cut_at_its_end(struct model *model)
{
    ORBIT(7.5);
    model->g[0] = EQ(c*atan2(y, x + sqrt(x*x + y*y)));
}

/* y is zero all the time, and x > 0. */
static inline void record_cut_never_left(struct model *model)
{
    record_cut_along_its_line(model);
    model->t_end = model_read(model, "0.49", __FILE__, __LINE__);
}

/* y is zero twice, with x > 0. */
static inline void record_cut_passed_by(struct model *model)
{
    ORBIT(7.5);
    model->F[0] = EQ(-k*(x - 4));
    model->g[0] = EQ(c*atan2(y, x));
}

/* --- poles -------------------------------------------------------------------------- */

static inline void record_pole_in_cost(struct model *model)
{
    FLIGHT(1);
    model->g[0] = EQ(1/(x - c));
}

static inline void record_pole_in_force(struct model *model)
{
    FLIGHT(1);
    model->F[1] = EQ(k/(x - c));
}

/* It changes sign without a root. */
static inline void record_pole_in_guard(struct model *model)
{
    FLIGHT(1);
    struct event *event = model_event(model, "wall", one, one, EQ(1/(x - c)), EITHER);
    event->v_plus[0] = EQ(-vx);
}

static inline void record_pole_in_reset(struct model *model)
{
    FLIGHT(1);
    struct event *event = model_event(model, "wall", one, one, EQ(x - c), EITHER);
    event->v_plus[0] = EQ(-vx/(x - c));
}

static inline void record_pole_of_tangent(struct model *model)
{
    FLIGHT(1);
    model->g[0] = EQ(tan(pi*x/2));
}

/* --- ends of domains ---------------------------------------------------------------- */

static inline void record_root_in_force(struct model *model)
{
    FLIGHT(1);
    model->F[1] = EQ(sqrt(c - x));
}

static inline void record_logarithm_in_rate(struct model *model)
{
    FLIGHT(1);
    model->f_s[0] = EQ(log(c - x));
}

static inline void record_arc_sine_in_cost(struct model *model)
{
    FLIGHT(1);
    model->g[0] = EQ(asin(x/c));
}

/* |x - c|, and a corner there. */
static inline void record_magnitude(struct model *model)
{
    FLIGHT(1);
    model->g[0] = EQ(sqrt((x - c)*(x - c)));
}

/* By the force of the plane, N = k (x - c). */
static inline void record_pole_of_multiplier(struct model *model)
{
    FLIGHT(1);
    MULTIPLIERS(N);
    model->F[2] = EQ(k*(x - c));
    model->g[0] = EQ(1/(N - c/2));
    (void)N;
}

#undef SPACE
#undef ORBIT
#undef FLIGHT

#endif
