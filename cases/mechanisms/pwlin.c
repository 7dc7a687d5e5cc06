/*
 * pwlin.c - a planar piecewise-smooth system (pwlin; COCO demo, Dankowicz, Schilder
 * 2013): different vector fields left and right of a line.
 *
 * The states are x1 and x2, of first order, with R^2 = x1^2 + x2^2:
 *
 *     left   x1' = (1 - R) x1 - x2                 x2' = x1 + (1 - R) x2
 *     right  x1' = al (be - R) x1 - (ga + be - R) x2
 *            x2' = al (be - R) x2 + (ga + be - R) x1
 *
 * The line is x1 = x_s, nothing jumps there. It is x1 = 0 at the nominal value; then in
 * polar form both halves integrate exactly,
 *
 *     left   R' = R (1 - R)       angle' = 1
 *     right  R' = al R (be - R)   angle' = ga + be - R
 *
 * so that the periodic motion and its multiplier have closed forms. A model without
 * coordinates: n = 0.
 */
#include "case.h"

static void record(struct model *model)
{
    PARAMETERS(al, be, ga, x_s, x10, x20);
    AUXILIARY(x1, x2);
    COSTS(radius, swept);

    NOMINAL(al, 1, "1", "rate of growth on the right");
    NOMINAL(be, 2, "1", "radius to which motion on the right tends");
    NOMINAL(ga, 1.5, "1", "rate of rotation at that radius");
    NOMINAL(x_s, 0, "1", "place of the line");
    NOMINAL(x10, -0.5, "1", "initial state");
    NOMINAL(x20, 0.5, "1", "initial state");

    LET(R, sqrt(x1*x1 + x2*x2));
    struct mode *left = model_mode(model, "left");
    model->f_s[0] = EQ((1 - R)*x1 - x2);
    model->f_s[1] = EQ(x1 + (1 - R)*x2);
    model->g[0] = EQ(R);
    model->g[1] = EQ(R*R);
    struct mode *right = model_mode(model, "right");
    LET(growth, al*(be - R));
    LET(turn, ga + be - R);
    model->f_s[0] = EQ(growth*x1 - turn*x2);
    model->f_s[1] = EQ(growth*x2 + turn*x1);
    model->g[0] = EQ(R);
    model->g[1] = EQ(R*R*turn);

    model_event(model, "to-right", left, right, EQ(x1 - x_s), RISING);
    model_event(model, "to-left", right, left, EQ(x1 - x_s), FALLING);

    model->s0[0] = EQ(x10);
    model->s0[1] = EQ(x20);
    model->t_end = EQ(10);
}

CASE(pwlin,
    .name = "pwlin",
    .title = "first-order system with a line at which the vector field changes",
    .source = "COCO demo pwlin (Dankowicz, Schilder 2013)",
    .declared = "start off the periodic motion; the line may be moved; costs: twice the "
                "area swept on the right, where the angle turns at another rate",
    .classes = "force-change, identity-reset, state-dependent-guard, "
               "parameter-dependent-guard, first-order, unconstrained",
    .record = record);
