/*
 * chain.c - bars hung one from the other between springs, eight parameters each.
 */
#include "workloads/chain.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "elements/point.h"

/* The parameters of each bar. An anchor is below the joint at the end of its bar. */
static const struct { const char *letter, *value, *unit, *meaning; } of_bar[] = {
    {"L", "1", "m", "length of a bar"},
    {"m", "1", "kg", "its mass"},
    {"k", "20", "N/m", "stiffness of the spring at its end"},
    {"l", "1.5", "m", "natural length of the spring"},
    {"c", "0.5", "N s/m", "damper beside the spring"},
    {"d", "2", "m", "depth of the anchor"},
    {"X", "1", "N", "force on its end, to the right"},
    {"Y", "2", "N", "force on its end, upwards"},
};
enum { OF_BAR = sizeof of_bar/sizeof *of_bar };

/* Number of parameters. */
static int count(const struct model *model)
{
    return model->desc->size*OF_BAR;
}

static void parameters(struct model *model)
{
    int room = count(model)*6;
    char name[20], *all = memory_new(room + 1, sizeof *all);
    for (int k = 0, at = 0; k < count(model); k++)
        at += snprintf(all + at, (size_t)(room - at), "%s%s%d", k > 0 ? ", " : "",
                       of_bar[k%OF_BAR].letter, k/OF_BAR + 1);
    model_parameters(model, all);
    free(all);
    for (int k = 0; k < count(model); k++) {
        snprintf(name, sizeof name, "%s%d", of_bar[k%OF_BAR].letter, k/OF_BAR + 1);
        model_nominal(model, name, of_bar[k%OF_BAR].value, of_bar[k%OF_BAR].unit,
                      of_bar[k%OF_BAR].meaning, false, __FILE__, __LINE__);
    }
}

static formula of(struct model *model, const char *letter, int bar)
{
    char name[20];
    snprintf(name, sizeof name, "%s%d", letter, bar);
    return model_read(model, name, __FILE__, __LINE__);
}

/* The forces X, Y act on the end if the bar is pushed. */
static void bar(struct model *model, int k, const struct point *from,
                const struct point *to, bool pushed)
{
    const formula gravity[3] = {[1] = constant(model->tape, "-9.81")};
    const formula force[3] = {of(model, "X", k), of(model, "Y", k)};
    struct point anchor = point_at(integer(model->tape, k), negate(of(model, "d", k)),
                                   (formula){NULL, 0});
    bar_uniform(model, of(model, "m", k), gravity, from, to);
    spring(model, of(model, "k", k), of(model, "l", k), &anchor, to);
    damper(model, of(model, "c", k), &anchor, to);
    if (pushed)
        force_at(model, force, to);
    distance_constraint(model, of(model, "L", k), from, to);
}

/* A mode of the whole chain. */
static struct mode *bars(struct model *model, const char *name,
                         const struct point *joint, bool pushed)
{
    struct mode *mode = model_mode(model, name);
    for (int k = 1; k <= model->desc->size; k++)
        bar(model, k, &joint[k - 1], &joint[k], pushed);
    return mode;
}

/* Declares the joints, from the one that is held on; to be freed. */
static struct point *joints(struct model *model)
{
    int bars = model->desc->size;
    struct point *joint = memory_new(bars + 1, sizeof *joint);
    char name[20];
    for (int k = 1; k <= bars; k++) {
        snprintf(name, sizeof name, "%d", k);
        joint[k] = point_free(model, name, 2, NULL);
    }
    return joint;
}

/* At rest in a line, for a second. */
static void start(struct model *model)
{
    for (int k = 1; k <= model->desc->size; k++) {
        model->q_guess[2*(k - 1)] = integer(model->tape, k);
        model->q0[2*k - 1] = model->v0[2*k - 1] = integer(model->tape, 0);
    }
    model->t_end = integer(model->tape, 1);
}

static void record(struct model *model)
{
    parameters(model);
    struct point *joint = joints(model);
    bars(model, "fall", joint, true);
    start(model);
    free(joint);
}

/* The costs: the height of the end over time, squared, and where the end is at last. */
static void costs(struct model *model, const struct point *end)
{
    model->g[0] = mul(end->r[1], end->r[1]);
    model->w[0] = end->r[0];
}

static formula above(struct model *model, const struct point *joint, const char *height)
{
    return sub(joint->r[1], constant(model->tape, height));
}

/* The plate breaks, and leaves the end half of its velocity: E is negative. */
static void record_through_plate(struct model *model)
{
    int size = model->desc->size;
    parameters(model);
    model_costs(model, "height");
    struct point *joint = joints(model), *end = &joint[size];
    struct mode *pushed = bars(model, "pushed", joint, true);
    costs(model, end);
    struct mode *let_go = bars(model, "let-go", joint, false);
    costs(model, end);
    struct mode *through = bars(model, "through", joint, false);
    costs(model, end);
    model_event(model, "release", pushed, let_go,
                above(model, &joint[(size + 1)/2], "-0.3"), FALLING);
    struct event *plate = model_event(model, "plate", let_go, through,
                                      above(model, end, "-0.8"), FALLING);
    event_impulse(plate, end->r[1], constant(model->tape, "-0.5"));
    event_impulse_joints(plate);
    start(model);
    free(joint);
}

const struct case_desc chain_on_springs = {
    .name = "chain-on-springs",
    .title = "eight bars between springs, 64 parameters",
    .source = "this project, for growth in p",
    .size = 8,
    .record = record,
};

const struct case_desc chain_through_plate = {
    .name = "chain-through-plate",
    .title = "25 bars between springs, let go, falling through a plate, 200 parameters",
    .source = "this project, for gradients by many parameters",
    .size = 25,
    .record = record_through_plate,
};
