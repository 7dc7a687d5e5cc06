/*
 * four_bar_reduced.c - the motion of four-bar-N in minimal coordinates
 * (four-bar-reduced-N): the angle th of the cranks alone, as long as all cranks stay
 * parallel.
 *
 * It is exact: the N + 1 cranks turn about their ends, m L^2/3 each, and the N couplers
 * move with the tips without turning.
 *
 *     T = ((N+1)/3 + N) m L^2 th'^2 / 2        V = ((N+1)/2 + N) m g L sin th
 *
 * Nothing is singular here. The tips start with the speed u: th' = -u/L.
 */
#include "case.h"
#include "elements/lagrange.h"

static formula ratio(struct model *model, int a, int b)
{
    return quotient(integer(model->tape, a), integer(model->tape, b));
}

static void record(struct model *model)
{
    int N = model->desc->size;
    COORDINATES(th);
    PARAMETERS(L, m, g, u);
    COSTS(height);
    NOMINAL(L, 1, "m", "length of every bar");
    FIXED(m, 1, "kg", "mass of every bar");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    FIXED(u, 1, "m/s", "speed of the tips at the start");

    model_mode(model, "motion");
    model_kinetic(model, mul(ratio(model, 4*N + 1, 6), EQ(m*L*L*vth*vth)));
    model_potential(model, mul(ratio(model, 3*N + 1, 2), EQ(m*g*L*sin(th))));
    model->g[0] = EQ(L*sin(th));
    for (int k = 0; k <= N && N < 10; k++) {
        formula x = mul(integer(model->tape, k), EQ(L)), zero = {NULL, 0};
        model_draw(model, (formula[3]){x, zero, zero},
                   (formula[3]){add(x, EQ(L*cos(th))), EQ(L*sin(th)), zero});
    }

    /* Bar by bar: the centre of a crank has half the velocity of its tip, about which the
       crank turns; a coupler has the velocity of the tips and does not turn. */
    LET(vx, -L*sin(th)*vth);
    LET(vy, L*cos(th)*vth);
    LET(tip, m*(vx*vx + vy*vy)/2);
    LET(turning, m*L*L/12*vth*vth/2);
    LET(weight, m*g*L*sin(th));
    model->energy = add(mul(integer(model->tape, N + 1), EQ(tip/4 + turning + weight/2)),
                        mul(integer(model->tape, N), EQ(tip + weight)));

    model->q0[0] = EQ(pi/2);
    model->v0[0] = EQ(-u/L);
    model->t_end = integer(model->tape, N < 40 ? 10 : 20);
}

CASE(four_bar_reduced_2,
    .name = "four-bar-reduced-2",
    .title = "the parallelograms of four-bar-2 by one angle",
    .source = "derived: cranks that stay parallel",
    .classes = "unconstrained",
    .family = "four-bar-reduced",
    .size = 2,
    .record = record);

CASE(four_bar_reduced_40,
    .name = "four-bar-reduced-40",
    .title = "the parallelograms of four-bar-40 by one angle",
    .source = "derived: cranks that stay parallel",
    .classes = "unconstrained",
    .size = 40,
    .record = record);
