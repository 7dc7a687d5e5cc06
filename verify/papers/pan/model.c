/*
 * model.c - the arm of Pan, Ding, Wang 2004 with an implicit start (2) and an
 * implicit end (3)
 */
#include "model/case.h"

#include "elements/planar.h"
#include "papers/pan/pan.h"

static void record(struct model *model)
{
    PARAMETERS(l1, l2, m1, m2, g, out, line);
    TIME(t);
    COSTS(reach, delay, effort);
    NOMINAL(l1, 1, "m", "length of bar 1");
    NOMINAL(l2, sqrt(3), "m", "length of bar 2");
    NOMINAL(m1, 1, "kg", "mass of bar 1");
    NOMINAL(m2, 2, "kg", "mass of bar 2");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(out, 2, "m", "initial distance of the tip from the pin");
    NOMINAL(line, -0.5, "m", "x of the tip where the run ends");

    struct planar bar1 = planar_body(model, "1"), bar2 = planar_body(model, "2");
    const formula gravity[3] = {EQ(0), EQ(-g)}, none = EQ(0);
    struct point pin = point_at(none, none, none);
    struct point tail1 = planar_point(&bar1, EQ(-l1/2), none);
    struct point head1 = planar_point(&bar1, EQ(l1/2), none);
    struct point tail2 = planar_point(&bar2, EQ(-l2/2), none);
    struct point tip = planar_point(&bar2, EQ(l2/2), none);

    struct mode *swing = model_mode(model, "swing");
    planar_inertia(model, EQ(m1), EQ(m1*l1*l1/12), gravity, &bar1);
    planar_inertia(model, EQ(m2), EQ(m2*l2*l2/12), gravity, &bar2);
    planar_revolute(model, &pin, &tail1);
    planar_revolute(model, &head1, &tail2);
    const formula squared = vector_dot(tip.r, tip.r);
    const formula turn = variable(model->tape, BLOCK_A, 2);
    model->g[0] = squared;
    model->w[1] = mul(EQ(t), squared);
    model->g[2] = mul(turn, turn);
    model->t_end = EQ(4.4);
    model_start_row(model, sub(tip.r[0], EQ(out)));
    model_start_row(model, tip.r[1]);
    model_start_row(model, variable(model->tape, BLOCK_V, 2));
    model_start_row(model, variable(model->tape, BLOCK_V, 5));
    model->q_guess[0] = EQ(0.25);
    model->q_guess[1] = EQ(0.43);
    model->q_guess[2] = EQ(1);
    model->q_guess[3] = EQ(1.25);
    model->q_guess[4] = EQ(0.43);
    model->q_guess[5] = EQ(-0.5);
    model_event(model, "line", swing, swing, sub(tip.r[0], EQ(line)), FALLING)->terminal =
        true;
}

const struct case_desc pan_ends = {
    .name = "two-link-ends", .title = "two-link arm with an implicit start and end",
    .source = "Pan, Ding, Wang 2004, section 5", .classes = "", .record = record};
