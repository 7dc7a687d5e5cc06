/*
 * pendulum_chain.c - a chain of N uniform bars, let go in line and horizontal, for
 * scaling in n and m: pendulum-chain-N in natural coordinates of the joints, N
 * constraints on 2N coordinates, and pendulum-chain-angles-N by the angles of the bars
 * against the x axis.
 *
 *     (0,0) --- joint 1 --- joint 2 --- ... --- joint N
 *
 * All bars share m and L. The equations of both are written by the same elements.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "case.h"
#include "elements/point.h"

static void parameters(struct model *model)
{
    PARAMETERS(L, m, g);
    COSTS(height);
    NOMINAL(L, 1, "m", "length of every bar");
    NOMINAL(m, 1, "kg", "mass of every bar");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
}

/* Adds bars from joint 0, at the origin, to joint N, and their energy against hanging
   at rest. */
static void bars(struct model *model, const struct point *joint, int N)
{
    DECLARE_(m) DECLARE_(g) DECLARE_(L)
    const formula gravity[3] = {[1] = EQ(-g)};
    for (int k = 1; k <= N; k++)
        bar_uniform(model, EQ(m), gravity, &joint[k - 1], &joint[k]);
    model->energy = add(model_energy(model),
                        mul(integer(model->tape, N * N), EQ(m*g*L/2)));
    model->g[0] = joint[N].r[1];
    model->t_end = integer(model->tape, 2);
}

/* States that joint k of the twin is L (cos th1 + ... + cos thk, sin th1 + ... + sin
   thk). */
static void equalities(struct model *model, const struct point *joint, int N)
{
    DECLARE_(L)
    char text[60];
    formula x = {NULL, 0}, y = {NULL, 0};
    for (int k = 1; k <= N; k++) {
        formula th = variable(model->tape, BLOCK_TWIN, k - 1);
        x = add(x, mul(EQ(L), apply(OP_COS, th)));
        y = add(y, mul(EQ(L), apply(OP_SIN, th)));
        snprintf(text, sizeof text, "x of joint %d", k);
        model_equal(model, text, joint[k].r[0], x);
        snprintf(text, sizeof text, "y of joint %d", k);
        model_equal(model, text, joint[k].r[1], y);
    }
}

/* Writes "th1, th2, ..., thN"; to be freed. */
static char *angles(int N)
{
    char *names = memory_new(16 * N + 1, sizeof *names);
    for (int k = 1, at = 0; k <= N; k++)
        at += snprintf(names + at, 16, "%sth%d", k > 1 ? ", " : "", k);
    return names;
}

static void record(struct model *model)
{
    DECLARE_(L)
    int N = model->desc->size;
    char name[40], *twin = angles(N);
    struct point *joint = memory_new(N + 1, sizeof *joint);
    parameters(model);
    for (int k = 1; k <= N; k++) {
        snprintf(name, sizeof name, "%d", k);
        joint[k] = point_free(model, name, 2, NULL);
    }
    model_mode(model, "fall");
    bars(model, joint, N);
    for (int k = 1; k <= N; k++) {
        distance_constraint(model, EQ(L), &joint[k - 1], &joint[k]);
        model->q_guess[2 * (k - 1)] = integer(model->tape, k);
        model->q0[2 * k - 1] = integer(model->tape, 0);
        model->v0[2 * k - 1] = integer(model->tape, 0);
    }
    snprintf(name, sizeof name, "pendulum-chain-angles-%d", N);
    model_twin(model, name, twin);
    equalities(model, joint, N);
    free(joint);
    free(twin);
}

static void record_angles(struct model *model)
{
    DECLARE_(L)
    int N = model->desc->size;
    char *names = angles(N);
    struct point *joint = memory_new(N + 1, sizeof *joint);
    parameters(model);
    model_coordinates(model, names);
    for (int k = 1; k <= N; k++) {
        formula th = variable(model->tape, BLOCK_Q, k - 1);
        joint[k].r[0] = add(joint[k - 1].r[0], mul(EQ(L), apply(OP_COS, th)));
        joint[k].r[1] = add(joint[k - 1].r[1], mul(EQ(L), apply(OP_SIN, th)));
        model->q0[k - 1] = model->v0[k - 1] = integer(model->tape, 0);
    }
    model_mode(model, "fall");
    bars(model, joint, N);
    free(joint);
    free(names);
}

CASE(pendulum_chain_4,
    .name = "pendulum-chain-4",
    .title = "four bars hung one from the other, in natural coordinates",
    .source = "textbook; a family for scaling in n and m",
    .declared = "nominal values and start",
    .classes = "constrained, benchmark",
    .family = "pendulum-chain",
    .size = 4,
    .record = record);

CASE(pendulum_chain_angles_4,
    .name = "pendulum-chain-angles-4",
    .title = "the bars of pendulum-chain-4 by their angles",
    .source = "textbook; a family for scaling in n",
    .declared = "nominal values and start",
    .classes = "unconstrained",
    .family = "pendulum-chain-angles",
    .size = 4,
    .record = record_angles);
