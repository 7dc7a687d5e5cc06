/*
 * orbit_angle.c - a branch cut and a pole on an orbit, to be refused: orbit-angle,
 * orbit-range.
 *
 * A point on a spring goes round an ellipse, and the angle at which it is seen from the
 * middle is measured by atan2.
 *
 *     x'' = -w x      y'' = -w y      x0 = 2 w   y0 = w/4   x'0 = 0   y'0 = 1
 *
 * At w = 1 the point is at y = 0 with x < 0 at t = pi - atan(1/4): there atan2(y, x)
 * jumps from pi to -pi. In orbit-angle the angle is a cost. Its integral has a
 * derivative, but not the one that follows from the derivative of the integrand: the
 * contribution of the jump, 2 pi c dt/dw, is missing there. So the run ends where the
 * formula ceases to be analytic.
 *
 * In orbit-range a gate is to open where the slope of the line of sight from x = -1
 * changes its sign, y/(x + 1) = 0; it does so at the pole x = -1, too, where nothing is
 * zero.
 */
#include "case.h"

static void orbit(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(w, c);
    COSTS(angle);

    NOMINAL(w, 1, "1/s^2", "stiffness over mass; and the scale of the start");
    NOMINAL(c, 0.5, "1", "weight of the angle");

    struct mode *motion = model_mode(model, "motion");
    for (int i = 0; i < 2; i++)
        model->M[i][i] = EQ(1);
    model->F[0] = EQ(-w*x);
    model->F[1] = EQ(-w*y);
    model->energy = EQ((vx*vx + vy*vy + w*(x*x + y*y))/2);

    model->q0[0] = EQ(2*w);
    model->q0[1] = EQ(w/4);
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(1);
    model->t_end = EQ(7.5);

    DRAW_LINE(0, 0, x, y);
    (void)motion;
}

static void record_angle(struct model *model)
{
    double x = 0, y = 0, c = 0;
    orbit(model);
    model->g[0] = EQ(c*atan2(y, x));
}

static void record_range(struct model *model)
{
    double x = 0, y = 0, vy = 0;
    orbit(model);
    model->g[0] = EQ(x*y);
    struct event *gate = model_event(model, "gate", model->mode[0], model->mode[0],
                                     EQ(y/(x + 1)), FALLING);
    gate->v_plus[1] = EQ(-vy);
}

CASE(orbit_angle,
    .name = "orbit-angle",
    .title = "an angle by atan2 meets its branch cut: to be refused",
    .source = "textbook",
    .declared = "all; to be refused",
    .classes = "torture, refused, unconstrained",
    .record = record_angle);

CASE(orbit_range,
    .name = "orbit-range",
    .title = "a guard with a pole, where its sign changes without a root: to be refused",
    .source = "textbook",
    .declared = "all; to be refused",
    .classes = "torture, refused, velocity-jump, state-dependent-guard, unconstrained",
    .record = record_range);
