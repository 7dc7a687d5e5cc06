/*
 * four_bar.h - for tests: N four-bar cells side by side, N + 1 cranks of length L on pins
 * at x = 0, 1, ..., N and N couplers of length C between their tips, uniform bars of 1 kg
 * in natural coordinates (IFToMM A02; n = 2 N + 2, m = 2 N + 1). Where the cranks are
 * horizontal all bars are in line: the constraints are dependent there.
 */
#ifndef SALTUS_FOUR_BAR_H
#define SALTUS_FOUR_BAR_H

#include <stdio.h>
#include <string.h>

#include "case.h"

/* What is chosen before the model is made. */
static struct {
    int cells;
    bool horizontal;            /* the start; else vertical */
    const char *spin[4];        /* velocities of the tips, across their cranks */
    bool own;                   /* the first coupler has a length of its own, "C1" */
} four_bar;

static inline formula four_bar_q(const struct model *model, int i)
{
    return variable(model->tape, BLOCK_Q, i);
}

static inline formula four_bar_square(formula x)
{
    return mul(x, x);
}

/* A bar between tips i and j (j = -1: the pin of crank i) */
static inline void four_bar_mass(struct model *model, int i, int j)
{
    formula g = variable(model->tape, BLOCK_RHO, 2), m = variable(model->tape, BLOCK_RHO,
                                                                 j < 0 ? 4 : 5);
    formula third = quotient(m, integer(model->tape, 3));
    formula sixth = quotient(m, integer(model->tape, 6));
    formula half = quotient(m, integer(model->tape, 2));
    int tip[] = {i, j};
    for (int k = 0; k < (j < 0 ? 1 : 2); k++) {
        for (int c = 0; c < 2; c++) {
            int at = 2 * tip[k] + c;
            model->M[at][at] = add(model->M[at][at], third);
        }
        int y = 2 * tip[k] + 1;
        model->F[y] = sub(model->F[y], mul(half, g));
    }
    for (int c = 0; j >= 0 && c < 2; c++)
        model->M[2 * i + c][2 * j + c] = model->M[2 * j + c][2 * i + c] = sixth;
}

static inline void four_bar_start(struct model *model, int tip)
{
    formula L = variable(model->tape, BLOCK_RHO, 0), zero = integer(model->tape, 0);
    formula pin = integer(model->tape, tip);
    int x = 2 * tip, y = x + 1;
    if (four_bar.horizontal) {
        model->q0[x] = add(pin, L);
        model->q0[y] = zero;
        model->v0[x] = zero;
        model->v0[y] = constant(model->tape, four_bar.spin[tip]);
        return;
    }
    model->q_guess[x] = pin;
    model->q_guess[y] = L;
    if (tip > 0)
        return;
    model->q0[x] = pin;
    model->v0[x] = integer(model->tape, 1);
}

static inline void record_four_bar(struct model *model)
{
    int tips = four_bar.cells + 1;
    char names[2000] = "";
    for (int i = 0; i < tips; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%sx%d, y%d",
                 i > 0 ? ", " : "", i, i);
    model_coordinates(model, names);
    PARAMETERS(L, C, g, C1, mass, load);
    NOMINAL(L, 1, "m", "length of the cranks");
    NOMINAL(C, 1, "m", "length of the couplers");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(C1, 1, "m", "length of the first coupler");
    for (int i = 0; i < tips; i++) {
        formula x = sub(four_bar_q(model, 2 * i), integer(model->tape, i));
        formula y = four_bar_q(model, 2 * i + 1);
        four_bar_mass(model, i, -1);
        model_constraint(model, sub(add(four_bar_square(x), four_bar_square(y)),
                                    EQ(L*L)));
        four_bar_start(model, i);
    }
    for (int i = 0; i + 1 < tips; i++) {
        formula x = sub(four_bar_q(model, 2 * i + 2), four_bar_q(model, 2 * i));
        formula y = sub(four_bar_q(model, 2 * i + 3), four_bar_q(model, 2 * i + 1));
        four_bar_mass(model, i, i + 1);
        model_constraint(model, sub(add(four_bar_square(x), four_bar_square(y)),
                                    four_bar.own && i == 0 ? EQ(C1*C1) : EQ(C*C)));
    }
    NOMINAL(mass, 1, "kg", "mass of each crank");
    NOMINAL(load, 1, "kg", "mass of each coupler");
    model->t_end = EQ(1);
}
static const struct case_desc case_test_four_bar = {.name = "test-four-bar",
                                                    .record = record_four_bar};

#endif
