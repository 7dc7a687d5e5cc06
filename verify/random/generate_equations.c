/*
 * generate_equations.c - masses, forces, constraints, states, costs, start and end.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random/maker.h"

/* --- sizes -------------------------------------------------------------------------- */

static void declare(struct maker *maker)
{
    struct draw *draw = maker->draw;
    static const double unit[] = {1e6, 1e3, 1e-3, 1e-6};
    bool wide = maker_chance(maker, KIND_UNITS, 0.3);
    draw->n = 1 + maker_below(maker, DRAW_COORDINATES);
    for (int i = 0; i < draw->n; i++) {
        draw_name(draw->coordinate[i], 'x', i);
        maker->mass[i] = wide ? pow(10, maker_between(maker, -3, 3))
                              : maker_between(maker, 0.5, 2);
        maker->unit[i] = maker_chance(maker, KIND_UNITS, 0.12);
        if (maker->unit[i]) {
            struct drawn_parameter *u = &draw->parameter[draw->p++];
            draw_name(u->name, 'u', i);
            snprintf(u->value, sizeof u->value, "%.0e", unit[maker_below(maker, 4)]);
            u->fixed = true;
        }
    }
    draw->modes = 1;
    draw->ns = maker->kinds >> KIND_STATE & 1 ? maker_below(maker, 3) : 0;
    for (int k = 0; k < draw->ns; k++)
        draw_name(draw->state[k], 's', k);
    if (maker_chance(maker, KIND_COST, 0.7))
        draw->nz = 1 + maker_below(maker, DRAW_COSTS);
    for (int k = 0; k < draw->nz; k++)
        draw_name(draw->cost[k], 'z', k);
}

/* --- constraints -------------------------------------------------------------------- */

static void add_to_row(struct maker *maker, int row, const char *sign, struct text factor,
                       struct text of)
{
    draw_add(maker->draw, AT_PHI, 0, row, 0, "%s%s*%s", sign, factor.is, of.is);
}

static void add_row(struct maker *maker, int row, int d)
{
    struct draw *draw = maker->draw;
    int i = maker_below(maker, d);          /* coordinates below d are independent */
    struct text D = maker_q(maker, d), X = maker_q(maker, i);
    struct text b = maker_number(maker, 0.2, 0.9), c = maker_number(maker, 0.1, 0.6);
    bool of_time = maker_chance(maker, KIND_TIME_CONSTRAINT, 0.25);
    bool of_state = draw->ns > 0 && maker_chance(maker, KIND_STATE_CONSTRAINT, 0.35);
    bool rate = maker_chance(maker, KIND_NONHOLONOMIC, 0.1);
    int which = maker_below(maker, 4);
    if (rate) {
        draw_add(draw, AT_PHI, 0, row, 1, "%s", maker_v(maker, d).is);
        draw_add(draw, AT_PHI, 0, row, 1, "-%s*%s*%s", b.is, X.is,
                 maker_v(maker, i).is);
        draw_add(draw, AT_PHI, 0, row, 1, "-%s", c.is);
        return;
    }
    if (which == 0 && !of_time && !of_state) {      /* a pendulum */
        struct text L = maker_number(maker, 1.1, 2);
        draw_add(draw, AT_PHI, 0, row, 0, "%s*%s", D.is, D.is);
        draw_add(draw, AT_PHI, 0, row, 0, "%s*%s", X.is, X.is);
        draw_add(draw, AT_PHI, 0, row, 0, "-%s*%s", L.is, L.is);
        draw_add(draw, AT_GUESS, 0, d, 0, "-%s%s", L.is, maker_times(maker, d).is);
        return;
    }
    draw_add(draw, AT_PHI, 0, row, 0, "%s", D.is);
    struct text form = which == 1 ? maker_text("sin(%s)", X.is) : X;
    add_to_row(maker, row, "-", b, form);
    if (which == 2)
        add_to_row(maker, row, "-", c, maker_q(maker, maker_below(maker, d)));
    if (of_time) {
        form = maker_text("sin(%s*t)", maker_number(maker, 1, 4).is);
        add_to_row(maker, row, "-", c, form);
    }
    if (of_state) {
        form = maker_text("%s", draw->state[maker_below(maker, draw->ns)]);
        add_to_row(maker, row, "-", c, form);
    }
    draw_add(draw, AT_PHI, 0, row, 0, "-%s", maker_number(maker, 0.1, 0.6).is);
}

/* Adds the double of a row. */
static void add_redundant(struct maker *maker, int row, int of)
{
    struct draw *draw = maker->draw;
    for (int k = 0, terms = draw->terms; k < terms; k++) {
        const struct term *term = &draw->term[k];
        if (term->place != AT_PHI || term->i != of)
            continue;
        bool minus = term->text[0] == '-';
        draw_add(draw, AT_PHI, 0, row, term->j, "%s2.0*%s", minus ? "-" : "",
                 term->text + minus);
    }
    maker->pivot[0][row] = maker->pivot[0][of];
}

static void constraints(struct maker *maker)
{
    struct draw *draw = maker->draw;
    int m = 0;
    if (draw->n > 1 && maker_chance(maker, KIND_CONSTRAINT, 0.65))
        m = 1 + maker_below(maker, draw->n - 1);
    for (int row = 0; row < m; row++) {
        maker->pivot[0][row] = draw->n - m + row;
        add_row(maker, row, draw->n - m + row);
    }
    maker->rows[0] = m;
    if (m > 0 && maker_chance(maker, KIND_REDUNDANT, 0.15)) {
        add_redundant(maker, m, maker_below(maker, m));
        maker->rows[0]++;
    }
}

/* --- masses and forces -------------------------------------------------------------- */

static void masses(struct maker *maker)
{
    struct draw *draw = maker->draw;
    for (int i = 0; i < draw->n; i++) {
        struct text m = maker_value(maker, maker->mass[i]), per = maker_per(maker, i);
        struct text X = maker_q(maker, maker_below(maker, draw->n));
        struct text b = maker_number(maker, 0.2, 0.8);
        draw_add(draw, AT_M, 0, i, i, "%s%s%s", m.is, per.is, per.is);
        bool varies = maker_chance(maker, KIND_MASS, 0.4);
        int which = maker_below(maker, draw->ns > 0 ? 4 : 3);
        if (varies && which == 0)
            draw_add(draw, AT_M, 0, i, i, "%s*%s*sin(%s)*sin(%s)%s%s", b.is, m.is, X.is,
                     X.is, per.is, per.is);
        else if (varies && which == 1)
            draw_add(draw, AT_M, 0, i, i, "%s*%s*sin(2.0*t)%s%s", b.is, m.is, per.is,
                     per.is);
        else if (varies && which == 2)
            draw_add(draw, AT_M, 0, i, i, "%s*%s/(1.0 + %s*%s)%s%s", b.is, m.is, X.is,
                     X.is, per.is, per.is);
        else if (varies)
            draw_add(draw, AT_M, 0, i, i, "%s*%s*s0*s0/(1.0 + s0*s0)%s%s", b.is, m.is,
                     per.is, per.is);
        for (int j = 0; j < i; j++)
            if (maker_chance(maker, KIND_MASS, 0.2))
                draw_add(draw, AT_M, 0, i, j, "%.4e%s%s",
                         0.05 * sqrt(maker->mass[i] * maker->mass[j]), per.is,
                         maker_per(maker, j).is);
    }
}

/* A force constant of a coordinate of this mass. */
static struct text constant_of(struct maker *maker, int i, double low, double high)
{
    double value = maker->mass[i] * maker_between(maker, low, high);
    double unit = pow(10, floor(log10(value)) - 2);
    return maker_value(maker, round(value / unit) * unit);
}

/* Adds a force between two coordinates, opposite on both. */
static void couple(struct maker *maker, int mode, int i)
{
    struct draw *draw = maker->draw;
    int j = maker_below(maker, draw->n);
    if (i == j)
        return;
    struct text k = constant_of(maker, maker->mass[i] < maker->mass[j] ? i : j, 1, 5);
    struct text X = maker_q(maker, i), Y = maker_q(maker, j);
    draw_add(draw, AT_F, mode, i, 0, "-%s*(%s - %s)%s", k.is, X.is, Y.is,
             maker_per(maker, i).is);
    draw_add(draw, AT_F, mode, j, 0, "-%s*(%s - %s)%s", k.is, Y.is, X.is,
             maker_per(maker, j).is);
}

void maker_force(struct maker *maker, int mode, int i)
{
    struct draw *draw = maker->draw;
    struct text X = maker_q(maker, i), V = maker_v(maker, i), per = maker_per(maker, i);
    int which = maker_below(maker, 8);
    struct text k = constant_of(maker, i, 0.3, 2);
    if (which == 0)
        draw_add(draw, AT_F, mode, i, 0, "%s*sin(%s*t)%s", k.is,
                 maker_number(maker, 1, 6).is, per.is);
    else if (which == 1)
        draw_add(draw, AT_F, mode, i, 0, "-%s*tanh(%s*%s)%s", k.is,
                 maker_number(maker, 1, 5).is, V.is, per.is);
    else if (which == 2)
        couple(maker, mode, i);
    else if (which == 3)
        draw_add(draw, AT_F, mode, i, 0, "-%s*%s*%s*%s%s", k.is, X.is, X.is, X.is,
                 per.is);
    else if (which == 4 && draw->ns > 0)
        draw_add(draw, AT_F, mode, i, 0, "%s*%s%s", k.is,
                 draw->state[maker_below(maker, draw->ns)], per.is);
    else if (which == 5 && maker->rows[mode] > 0 && !draw_is_redundant(draw))
        draw_add(draw, AT_F, mode, i, 0, "-0.1*%s*tanh(%s)%s",
                 draw_multiplier[maker_below(maker, maker->rows[mode])], V.is, per.is);
    else if (which == 6)
        draw_add(draw, AT_F, mode, i, 0, "%s*exp(-%s*%s)%s", k.is, X.is, X.is, per.is);
    else
        draw_add(draw, AT_F, mode, i, 0, "-%s*%s%s", k.is,
                 maker_q(maker, maker_below(maker, draw->n)).is, per.is);
}

static void forces(struct maker *maker)
{
    struct draw *draw = maker->draw;
    for (int i = 0; i < draw->n; i++) {
        struct text per = maker_per(maker, i);
        draw_add(draw, AT_F, 0, i, 0, "-%s*%s%s", constant_of(maker, i, 2, 30).is,
                 maker_q(maker, i).is, per.is);
        draw_add(draw, AT_F, 0, i, 0, "-%s*%s%s", constant_of(maker, i, 0.1, 0.8).is,
                 maker_v(maker, i).is, per.is);
        if (maker_toss(maker, 0.5))
            draw_add(draw, AT_F, 0, i, 0, "-%s%s", constant_of(maker, i, 5, 12).is,
                     per.is);
        while (maker_chance(maker, KIND_FORCE, 0.4))
            maker_force(maker, 0, i);
    }
}

/* --- states and costs --------------------------------------------------------------- */

static bool in_constraint(const struct draw *draw, int state)
{
    for (int k = 0; k < draw->terms; k++)
        if (draw->term[k].place == AT_PHI &&
            draw_mentions(draw->term[k].text, draw->state[state]))
            return true;
    return false;
}

static double largest_mass(const struct maker *maker)
{
    double largest = 0;
    for (int i = 0; i < maker->draw->n; i++)
        largest = fmax(largest, maker->mass[i]);
    return largest;
}

/* Adds auxiliary states; one that a constraint depends on may not move with a or
   lambda. */
static void states(struct maker *maker)
{
    struct draw *draw = maker->draw;
    for (int k = 0; k < draw->ns; k++) {
        int which = maker_below(maker, in_constraint(draw, k) ? 3 : 5);
        int i = maker_independent(maker, 0);
        const char *s = draw->state[k];
        draw_add(draw, AT_S0, 0, k, 0, "%s", maker_number(maker, 0.1, 0.9).is);
        if (which == 1)
            draw_add(draw, AT_F_S, 0, k, 0, "%s", maker_number(maker, 0.3, 2).is);
        if (which >= 2)
            draw_add(draw, AT_F_S, 0, k, 0, "-%s", s);
        if (which == 2)
            draw_add(draw, AT_F_S, 0, k, 0, "%s*%s", maker_number(maker, 0.1, 0.5).is,
                     maker_v(maker, i).is);
        else if (which == 3)
            draw_add(draw, AT_F_S, 0, k, 0, "%s*%s", maker_number(maker, 0.1, 0.5).is,
                     maker_a(maker, i).is);
        else if (which == 4 && maker->rows[0] > 0)
            draw_add(draw, AT_F_S, 0, k, 0, "l0/%.4e", 20 * largest_mass(maker));
        if (which == 4 && maker->rows[0] == 0)
            draw_add(draw, AT_F_S, 0, k, 0, "%s", maker_q(maker, i).is);
    }
}

static void costs(struct maker *maker)
{
    struct draw *draw = maker->draw;
    for (int k = 0; k < draw->nz; k++) {
        struct text X = maker_q(maker, maker_below(maker, draw->n));
        struct text V = maker_v(maker, maker_below(maker, draw->n));
        struct text A = maker_a(maker, maker_below(maker, draw->n));
        draw_add(draw, AT_G, 0, k, 0, "%s*%s", X.is,
                 maker_toss(maker, 0.5) ? X.is : V.is);
        if (maker_toss(maker, 0.3))
            draw_add(draw, AT_G, 0, k, 0, "0.01*%s*%s", A.is, A.is);
        if (maker->rows[0] > 0 && maker_toss(maker, 0.3))
            draw_add(draw, AT_G, 0, k, 0, "l0*l0/%.4e",
                     100 * pow(largest_mass(maker), 2));
        if (draw->ns > 0 && maker_toss(maker, 0.4))
            draw_add(draw, AT_G, 0, k, 0, "s0*cos(t)");
        if (maker_toss(maker, 0.5))
            draw_add(draw, AT_W, 0, k, 0, "%s*%s*%s",
                     maker_number(maker, 0.3, 1).is, X.is, V.is);
    }
}

/* --- start and end ------------------------------------------------------------------ */

static bool at_velocity_level(const struct draw *draw, int row)
{
    return draw->term[draw_find(draw, AT_PHI, 0, row)].j == 1;
}

static void ends(struct maker *maker)
{
    struct draw *draw = maker->draw;
    for (int i = 0; i < draw->n; i++) {
        struct text times = maker_times(maker, i);
        bool given = true, given_rate = true;
        for (int row = 0; row < maker->rows[0]; row++)
            if (maker->pivot[0][row] == i) {
                given_rate = false;
                given = given && at_velocity_level(draw, row);
            }
        if (given)
            draw_add(draw, AT_Q0, 0, i, 0, "%s%s", maker_number(maker, -1, 1).is,
                     times.is);
        if (given_rate)
            draw_add(draw, AT_V0, 0, i, 0, "%s%s", maker_number(maker, -2, 2).is,
                     times.is);
    }
    if (maker_chance(maker, KIND_ENDS, 0.2))
        draw_add(draw, AT_T0, 0, 0, 0, "%s", maker_number(maker, 0.1, 0.5).is);
    if (maker_chance(maker, KIND_ENDS, 0.3))
        draw_add(draw, AT_T_END, 0, 0, 0, "%s", maker_number(maker, 1.5, 3.5).is);
    else
        draw_add(draw, AT_T_END, 0, 0, 0, "%.2f", maker_between(maker, 1.5, 3.5));
}

void maker_equations(struct maker *maker)
{
    declare(maker);
    constraints(maker);
    masses(maker);
    forces(maker);
    states(maker);
    costs(maker);
    ends(maker);
}
