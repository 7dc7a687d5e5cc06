/*
 * slider_crank.c - the spatial slider-crank (Haug 1989, section 12.2); see
 * slider_crank.h.
 */
#include "slider_crank.h"

static formula half(formula a)
{
    return quotient(a, integer(a.tape, 2));
}

/* Guesses the mechanism with the crank up, at the benchmark's lengths: centres, and
   Euler parameters. */
static void guess(struct model *model, const struct slider_crank *mechanism)
{
    static const char *const centre[3][3] = {
        {"0", "0.1", "0.16"}, {"0.1", "0.05", "0.1"}, {"0.2", "0", "0"}};
    static const char *const e[3][4] = {
        {"1", "0", "0", "0"}, {"0.776", "0.48", "0.215", "-0.347"}, {"1", "0", "0", "0"}};
    const struct body *body[3] = {&mechanism->crank, &mechanism->rod, &mechanism->slider};
    for (int b = 0; b < 3; b++)
        body_guess_numbers(model, body[b], centre[b], e[b]);
}

static void join(struct model *model, const struct slider_crank_data *data,
                 struct slider_crank *s)
{
    const formula zero = integer(model->tape, 0), origin[3] = {zero, zero, zero};
    const formula up[3] = {zero, zero, half(data->L_crank)};
    const formula along[3] = {half(data->L_rod), zero, zero};
    const formula down[3] = {zero, zero, negate(up[2])};
    const formula back[3] = {negate(along[0]), zero, zero};
    struct frame pivot = frame_on(&s->ground, data->pivot, AXIS_X);
    struct frame foot = frame_on(&s->crank, down, AXIS_X);
    struct frame tip = frame_on(&s->crank, up, AXIS_X);
    struct frame head = frame_on(&s->rod, back, AXIS_Z);
    struct frame tail = frame_on(&s->rod, along, AXIS_Z);
    struct frame pin = frame_on(&s->slider, origin, AXIS_X);
    struct frame rail = frame_on(&s->ground, origin, AXIS_X);
    s->pivot = joint_revolute(model, &pivot, &foot);
    s->ball = joint_spherical(model, &tip, &head);
    s->cross = joint_universal(model, &tail, &pin);
    s->guide = joint_prismatic(model, &rail, &pin);
    model_draw(model, foot.at.r, tip.at.r);
    model_draw(model, head.at.r, tail.at.r);
}

void slider_crank(struct model *model, const struct slider_crank_data *data,
                  body_maker *make, const char *const suffix[3], struct slider_crank *s)
{
    s->ground = body_ground(model);
    s->crank = make(model, suffix[0]);
    s->rod = make(model, suffix[1]);
    s->slider = make(model, suffix[2]);
    model_mode(model, "motion");
    const struct body *body[3] = {&s->crank, &s->rod, &s->slider};
    for (int b = 0; b < 3; b++)
        body_inertia(model, body[b], data->m[b], data->J[b], data->g);
    join(model, data, s);
    model->energy = model_energy(model);
    guess(model, s);
}
