/*
 * growth_chain.c - eight bars between springs, with 64 parameters.
 */
#include "growth/growth_chain.h"

#include <stdio.h>

#include "elements/point.h"

enum { BARS = 8 };

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

static void parameters(struct model *model)
{
    char name[20], all[BARS*OF_BAR*6] = "";
    size_t at = 0;
    for (int k = 0; k < BARS*OF_BAR; k++)
        at += (size_t)snprintf(all + at, sizeof all - at, "%s%s%d", k > 0 ? ", " : "",
                               of_bar[k%OF_BAR].letter, k/OF_BAR + 1);
    model_parameters(model, all);
    for (int k = 0; k < BARS*OF_BAR; k++) {
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

static void bar(struct model *model, int k, const struct point *from,
                const struct point *to)
{
    const formula gravity[3] = {[1] = constant(model->tape, "-9.81")};
    const formula force[3] = {of(model, "X", k), of(model, "Y", k)};
    struct point anchor = point_at(integer(model->tape, k), negate(of(model, "d", k)),
                                   (formula){NULL, 0});
    bar_uniform(model, of(model, "m", k), gravity, from, to);
    spring(model, of(model, "k", k), of(model, "l", k), &anchor, to);
    damper(model, of(model, "c", k), &anchor, to);
    force_at(model, force, to);
    distance_constraint(model, of(model, "L", k), from, to);
}

static void record(struct model *model)
{
    struct point joint[BARS + 1] = {0};
    char name[20];
    parameters(model);
    for (int k = 1; k <= BARS; k++) {
        snprintf(name, sizeof name, "%d", k);
        joint[k] = point_free(model, name, 2, NULL);
    }
    model_mode(model, "fall");
    for (int k = 1; k <= BARS; k++) {
        bar(model, k, &joint[k - 1], &joint[k]);
        model->q_guess[2*(k - 1)] = integer(model->tape, k);
        model->q0[2*k - 1] = model->v0[2*k - 1] = integer(model->tape, 0);
    }
    model->t_end = integer(model->tape, 1);
}

const struct case_desc growth_chain = {
    .name = "chain-on-springs",
    .title = "eight bars between springs, 64 parameters",
    .source = "this project, for growth in p",
    .record = record,
};
