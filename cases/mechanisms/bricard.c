/*
 * bricard.c - Bricard's linkage (bricard, bricard-one-bar), overconstrained: five equal
 * bars and the ground in a closed loop of six revolute joints (IFToMM benchmark A04;
 * Gonzalez, Dopico, Lugris, Cuadrado 2006).
 *
 *     P0 (0,0,0)  P1 (1,0,0)  P2 (1,-1,0)  P3 (1,-1,1)  P4 (0,-1,1)  P5 (0,0,1)
 *     joint axes  y  z  x  y  z  x;  gravity -y;  from rest
 *
 * By Gruebler's count it cannot move: 5 bodies have 30 freedoms, 6 revolute joints
 * take 30 of them. It does, because of its dimensions: one constraint depends on the
 * others wherever it goes, 34 of the 35 rows (5 are |e| = 1) are independent. That
 * constraint can follow a parameter only if all bars change alike: L is admissible, as
 * are masses and gravity. bricard-one-bar has the length of one bar as parameter. With
 * any other value it cannot be assembled, there is no derivative, and the right answer is
 * to refuse.
 *
 * A bar is a uniform box of length L and square section b x b.
 */
#include <stdio.h>

#include "case.h"
#include "elements/joint.h"

enum { BARS = 5, JOINTS = BARS + 1 };

/* The bars, along the edges of a cube: each goes from P_k to P_(k+1) along one axis,
   in one direction; and the axis of each joint. */
static const struct { enum axis along; int direction; } bar[BARS] = {
    {AXIS_X, 1}, {AXIS_Y, -1}, {AXIS_Z, 1}, {AXIS_X, -1}, {AXIS_Y, 1}};
static const enum axis joint_axis[JOINTS] = {AXIS_Y, AXIS_Z, AXIS_X,
                                             AXIS_Y, AXIS_Z, AXIS_X};

struct bars {
    formula L[BARS];            /* lengths of the bars */
    formula base;               /* from P0 to P5 */
    formula m, b, J_along, J_across;    /* mass; side of the square section; moments of
                                           inertia along and across the bar */
    formula g[3];
};

/* The end of bar k in its own axes, which are parallel to those of space at the start.
   end = 1: the end that it goes to, -1: the end that it comes from. */
static void end_of_bar(const struct bars *bars, int k, int end, formula s[3])
{
    formula half = quotient(bars->L[k], integer(bars->m.tape, 2));
    for (int i = 0; i < 3; i++)
        s[i] = integer(bars->m.tape, 0);
    s[bar[k].along] = bar[k].direction * end > 0 ? half : negate(half);
}

/* Guesses a bar along its edge of the cube. */
static void guess(struct model *model, const struct body *body, int k, double P[3])
{
    formula centre[3], e[4];
    for (int i = 0; i < 3; i++) {
        char text[32];
        double half = i == (int)bar[k].along ? 0.5 * bar[k].direction : 0;
        snprintf(text, sizeof text, "%.1f", P[i] + half);
        centre[i] = constant(model->tape, text);
        P[i] += 2 * half;
    }
    for (int i = 0; i < 4; i++)
        e[i] = integer(model->tape, i == 0);
    body_guess(model, body, centre, e);
}

/* |r'|^2 */
static formula squared_rate(const struct model *model, const formula r[3])
{
    formula v[3];
    vector_rate(model, r, v);
    return vector_dot(v, v);
}

/* The energy of a bar without angular velocity and moments of inertia: twice the kinetic
   energy of a box is m |rate of the centre|^2 + m/12 sum |rate of an edge|^2 (Koenig).
   The edge along the bar goes from end to end, and each end carries half of the
   weight. */
static formula energy_of_bar(const struct model *model, const struct bars *bars, int k,
                             const struct frame *tail, const struct frame *head)
{
    formula two = integer(model->tape, 2), twelve = integer(model->tape, 12);
    formula along[3], both[3], side[3], squares = {NULL, 0};
    for (int i = 0; i < 3; i++)
        both[i] = add(head->at.r[i], tail->at.r[i]);
    vector_difference(head->at.r, tail->at.r, along);
    for (int axis = 0; axis < 3; axis++) {
        if (axis == (int)bar[k].along)
            continue;
        for (int i = 0; i < 3; i++)
            side[i] = mul(bars->b, tail->body->A[i][axis]);
        squares = add(squares, squared_rate(model, side));
    }
    squares = quotient(add(squares, squared_rate(model, along)), twelve);
    squares = add(squares, quotient(squared_rate(model, both), power(two, 2)));
    formula halves = sub(squares, vector_dot(bars->g, both));
    return quotient(mul(bars->m, halves), two);
}

static void write(struct model *model, const struct bars *bars)
{
    struct body body[BARS], ground = body_ground(model);
    for (int k = 0; k < BARS; k++) {
        char name[16];
        snprintf(name, sizeof name, "_%d", k + 1);
        body[k] = body_euler(model, name);
    }
    model_mode(model, "motion");
    formula s[3] = {{NULL, 0}};
    struct frame before = frame_on(&ground, s, joint_axis[0]);
    double P[3] = {0, 0, 0};
    for (int k = 0; k < BARS; k++) {
        formula J[3] = {bars->J_across, bars->J_across, bars->J_across};
        J[bar[k].along] = bars->J_along;
        body_inertia(model, &body[k], bars->m, J, bars->g);
        end_of_bar(bars, k, -1, s);
        struct frame tail = frame_on(&body[k], s, joint_axis[k]);
        joint_revolute(model, &before, &tail);
        end_of_bar(bars, k, 1, s);
        before = frame_on(&body[k], s, joint_axis[k + 1]);
        formula energy = energy_of_bar(model, bars, k, &tail, &before);
        model->energy = add(model->energy, energy);
        model_draw(model, tail.at.r, before.at.r);
        guess(model, &body[k], k, P);
    }
    const formula last[3] = {{NULL, 0}, {NULL, 0}, bars->base};
    struct frame end = frame_on(&ground, last, joint_axis[BARS]);
    joint_revolute(model, &before, &end);
}

/* The first bar turns about y; all starts at rest. */
static void start(struct model *model)
{
    int e2 = model_coordinate_index(model, "e2_1");
    model->q0[e2] = integer(model->tape, 0);
    model->v0[e2] = integer(model->tape, 0);
}

static void record(struct model *model)
{
    PARAMETERS(L, m, g, b);
    COSTS(height);
    NOMINAL(L, 1, "m", "length of every bar");
    NOMINAL(m, 1, "kg", "mass of a bar");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    FIXED(b, 0.1, "m", "side of the section of a bar");

    struct bars bars = {
        .base = EQ(L), .m = EQ(m), .b = EQ(b),
        .J_along = EQ(m*(b*b + b*b)/12), .J_across = EQ(m*(L*L + b*b)/12),
        .g = {EQ(0), EQ(-g), EQ(0)}};
    for (int k = 0; k < BARS; k++)
        bars.L[k] = EQ(L);
    write(model, &bars);
    model->g[0] = variable(model->tape, BLOCK_Q,
                           model_coordinate_index(model, "y_3"));
    start(model);
    model->t_end = EQ(0.15);
}

static void record_one_bar(struct model *model)
{
    PARAMETERS(L_1, L, m, g, b);
    NOMINAL(L_1, 1, "m", "length of the first bar");
    FIXED(L, 1, "m", "length of the others");
    FIXED(m, 1, "kg", "mass of a bar");
    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(b, 0.1, "m", "side of the section of a bar");

    struct bars bars = {
        .base = EQ(L), .m = EQ(m), .b = EQ(b),
        .J_along = EQ(m*(b*b + b*b)/12), .J_across = EQ(m*(L*L + b*b)/12),
        .g = {EQ(0), EQ(-g), EQ(0)}};
    for (int k = 0; k < BARS; k++)
        bars.L[k] = k == 0 ? EQ(L_1) : EQ(L);
    write(model, &bars);
    start(model);
    model->t_end = EQ(0.25);
}

#define A04 "IFToMM benchmark A04; Gonzalez, Dopico, Lugris, Cuadrado 2006"

CASE(bricard,
    .name = "bricard",
    .title = "Bricard's linkage: moves against Gruebler's count",
    .source = A04,
    .declared = "0.15 s of the benchmark's 10; multipliers of minimum norm",
    .classes = "constrained, redundant, spatial, benchmark",
    .record = record);

CASE(bricard_one_bar,
    .name = "bricard-one-bar",
    .title = "Bricard's linkage by the length of one bar: no derivative exists",
    .source = A04,
    .declared = "as bricard; to be refused",
    .classes = "refused, constrained, redundant, spatial",
    .record = record_one_bar);
