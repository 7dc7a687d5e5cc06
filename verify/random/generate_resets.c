/*
 * generate_resets.c - resets of all kinds (generate.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "random/maker.h"

/* Adds a mode with the equations of the one before, to which the event leads; -1: there
   is no room. */
static int new_mode(struct maker *maker, int e)
{
    struct draw *draw = maker->draw;
    int like = draw->event[e].from, mode = draw->modes;
    if (mode == DRAW_MODES || draw->terms > DRAW_TERMS * 2 / 3)
        return -1;
    for (int k = 0, terms = draw->terms; k < terms; k++) {
        const struct term *term = &draw->term[k];
        if (term->place <= AT_G && term->owner == like)
            draw_add(draw, term->place, mode, term->i, term->j, "%s", term->text);
    }
    draw->modes++;
    maker->rows[mode] = maker->rows[like];
    memcpy(maker->pivot[mode], maker->pivot[like], sizeof maker->pivot[mode]);
    draw->event[e].to = mode;
    return mode;
}

/* The mode that the event leads back to, or a new one. */
static int any_mode(struct maker *maker, int e)
{
    if (maker_toss(maker, 0.6))
        new_mode(maker, e);
    return maker->draw->event[e].to;
}

static bool identity(struct maker *maker, int e)
{
    struct drawn_event *event = &maker->draw->event[e];
    if (any_mode(maker, e) == event->from && maker_toss(maker, 0.85))
        event->direction = EITHER;
    return true;
}

static bool mode_change(struct maker *maker, int e)
{
    int mode = new_mode(maker, e);
    if (mode >= 0)
        maker_force(maker, mode, maker_below(maker, maker->draw->n));
    return mode >= 0;
}

static bool mass_change(struct maker *maker, int e)
{
    int mode = new_mode(maker, e), i = maker_below(maker, maker->draw->n);
    struct text per = maker_per(maker, i), m;
    if (mode < 0)
        return false;
    m = maker_value(maker, maker->mass[i] * maker_between(maker, 0.2, 1));
    draw_add(maker->draw, AT_M, mode, i, i, "%s%s%s", m.is, per.is, per.is);
    return true;
}

/* Adds v+ of coordinate i. */
static void add_jump(struct maker *maker, int e, int i)
{
    struct draw *draw = maker->draw;
    const char *x = draw->coordinate[i];
    struct text b = maker_number(maker, 0.3, 0.9), V = maker_v(maker, i);
    struct text U = maker_v(maker, maker_below(maker, draw->n));
    struct text times = maker_times(maker, i);
    int which = maker_below(maker, 5);
    if (which == 0)
        draw_add(draw, AT_V_PLUS, e, i, 0, "-%s*v%s", b.is, x);
    else if (which == 1)
        draw_add(draw, AT_V_PLUS, e, i, 0, "-%s*v%s/(1.0 + %s*%s)", b.is, x, V.is, V.is);
    else
        draw_add(draw, AT_V_PLUS, e, i, 0, "v%s", x);
    if (which == 2)
        draw_add(draw, AT_V_PLUS, e, i, 0, "%s%s", b.is, times.is);
    else if (which == 3)
        draw_add(draw, AT_V_PLUS, e, i, 0, "%s*%s%s", b.is, U.is, times.is);
}

static bool velocity_jump(struct maker *maker, int e)
{
    struct draw *draw = maker->draw;
    int mode = any_mode(maker, e), some = maker_below(maker, draw->n);
    bool constrained = maker->rows[mode] > 0;
    for (int i = 0; i < draw->n; i++) {
        if (maker_is_dependent(maker, mode, i))
            continue;
        if (i == some || maker_toss(maker, 0.5))
            add_jump(maker, e, i);
        else if (constrained)
            draw_add(draw, AT_V_PLUS, e, i, 0, "v%s", draw->coordinate[i]);
    }
    if (constrained)
        draw->event[e].velocity = VELOCITY_CONSTRAINED;
    return draw_has(draw, AT_V_PLUS, e, -1);
}

/* Adds a contact row between independent coordinates, and the joints. */
static bool impulse(struct maker *maker, int e)
{
    struct draw *draw = maker->draw;
    int mode = any_mode(maker, e), i = maker_independent(maker, mode);
    int j = maker_independent(maker, mode);
    struct text b = maker_number(maker, 0.3, 0.9), E = maker_number(maker, 0.2, 0.8);
    struct text V = maker_v(maker, i);
    draw_add(draw, AT_PSI, e, 0, 0, "%s", maker_q(maker, i).is);
    if (i != j)
        draw_add(draw, AT_PSI, e, 0, 0, "-%s*%s", b.is, maker_q(maker, j).is);
    if (maker_toss(maker, 0.3))
        draw_add(draw, AT_E, e, 0, 0, "%s/(1.0 + %s*%s)", E.is, V.is, V.is);
    else
        draw_add(draw, AT_E, e, 0, 0, "%s", E.is);
    draw->event[e].velocity = VELOCITY_IMPULSIVE;
    draw->event[e].joints = maker->rows[mode] > 0;
    if (draw->nz > 0 && maker_toss(maker, 0.4))
        draw_add(draw, AT_COST, e, 0, 0, "b0/%.4e", maker->mass[i]);
    return true;
}

/* Adds a constraint row that holds at the event because a state keeps its value there. */
static bool add_constraint(struct maker *maker, int e)
{
    struct draw *draw = maker->draw;
    int mode = new_mode(maker, e), rows, d, i = 0;
    if (mode < 0 || draw->ns == DRAW_STATES || maker->rows[mode] >= draw->n - 1 ||
        maker->rows[mode] == DRAW_ROWS)
        return false;
    d = maker_independent(maker, mode);
    while (i < draw->n && (i == d || maker_is_dependent(maker, mode, i)))
        i++;
    if (i == draw->n)
        return false;
    struct text D = maker_q(maker, d), X = maker_q(maker, i);
    struct text b = maker_number(maker, 0.3, 0.9);
    char *latch = draw->state[draw->ns];
    draw_name(latch, 's', draw->ns);
    draw_add(draw, AT_S0, 0, draw->ns, 0, "0.0");
    rows = maker->rows[mode]++;
    maker->pivot[mode][rows] = d;
    draw_add(draw, AT_PHI, mode, rows, 0, "%s", D.is);
    draw_add(draw, AT_PHI, mode, rows, 0, "-%s*%s", b.is, X.is);
    draw_add(draw, AT_PHI, mode, rows, 0, "-%s", latch);
    draw_add(draw, AT_S_PLUS, e, draw->ns, 0, "%s", D.is);
    draw_add(draw, AT_S_PLUS, e, draw->ns, 0, "-%s*%s", b.is, X.is);
    draw->ns++;
    draw->event[e].velocity = VELOCITY_IMPULSIVE;
    draw->event[e].joints = true;
    return true;
}

/* Drops a constraint row, and with it its multiplier. */
static bool drop_constraint(struct maker *maker, int e)
{
    struct draw *draw = maker->draw;
    int mode = new_mode(maker, e), row;
    if (mode < 0 || maker->rows[mode] == 0)
        return false;
    row = --maker->rows[mode];
    for (int k = draw->terms - 1; k >= 0; k--) {
        const struct term *term = &draw->term[k];
        bool own = term->place <= AT_G && term->owner == mode;
        if (own && ((term->place == AT_PHI && term->i == row) ||
                    draw_mentions(term->text, draw_multiplier[row])))
            draw_remove_term(draw, k);
    }
    return true;
}

static bool constraint_change(struct maker *maker, int e)
{
    bool drop = maker->rows[maker->draw->event[e].from] > 0 && maker_toss(maker, 0.5);
    return drop ? drop_constraint(maker, e) : add_constraint(maker, e);
}

/* Swaps two coordinates, or moves one, where no constraint could be hurt. */
static bool relabel(struct maker *maker, int e)
{
    struct draw *draw = maker->draw;
    int mode = any_mode(maker, e), n = draw->n, i = maker_below(maker, n);
    int j = maker_below(maker, n);
    if (maker->rows[mode] > 0)
        return false;
    struct text X = maker_q(maker, i), Y = maker_q(maker, j);
    struct text of_x = maker_times(maker, i), of_y = maker_times(maker, j);
    if (i == j) {
        draw_add(draw, AT_Q_PLUS, e, i, 0, "%s", draw->coordinate[i]);
        draw_add(draw, AT_Q_PLUS, e, i, 0, "%s%s", maker_number(maker, 0.1, 0.5).is,
                 of_x.is);
        return true;
    }
    draw_add(draw, AT_Q_PLUS, e, i, 0, "%s%s", Y.is, of_x.is);
    draw_add(draw, AT_Q_PLUS, e, j, 0, "%s%s", X.is, of_y.is);
    draw_add(draw, AT_V_PLUS, e, i, 0, "%s%s", maker_v(maker, j).is, of_x.is);
    draw_add(draw, AT_V_PLUS, e, j, 0, "%s%s", maker_v(maker, i).is, of_y.is);
    return true;
}

/* The factor of a state in a linear row of a mode: "p2" of "-p2*s0"; false: the row does
   not have the state. */
static bool factor_in_row(const struct draw *draw, int mode, int row,
                          const char *state, struct text *factor)
{
    for (int k = 0; k < draw->terms; k++) {
        const struct term *term = &draw->term[k];
        if (term->place != AT_PHI || term->owner != mode || term->i != row ||
            !draw_mentions(term->text, state))
            continue;
        const char *star = strrchr(term->text, '*');
        if (star)
            snprintf(factor->is, sizeof factor->is, "%.*s",
                     (int)(star - term->text - 1), term->text + 1);
        else
            snprintf(factor->is, sizeof factor->is, "1.0");
        return true;
    }
    return false;
}

/* Adds s+ = s + D, and moves the coordinates of linear rows with s. */
static bool state_jump(struct maker *maker, int e)
{
    struct draw *draw = maker->draw;
    int mode = any_mode(maker, e);
    if (draw->ns == 0)
        return false;
    int k = maker_below(maker, draw->ns);
    const char *s = draw->state[k];
    struct text D = maker_number(maker, 0.2, 0.6), factor;
    bool moves = false, moved[DRAW_COORDINATES] = {false};
    for (int row = 0; row < maker->rows[mode]; row++) {
        int d = maker->pivot[mode][row];
        if (!factor_in_row(draw, mode, row, s, &factor))
            continue;
        if (!moved[d]) {
            draw_add(draw, AT_Q_PLUS, e, d, 0, "%s", draw->coordinate[d]);
            draw_add(draw, AT_Q_PLUS, e, d, 0, "%s*%s%s", factor.is, D.is,
                     maker_times(maker, d).is);
        }
        moved[d] = moves = true;
    }
    draw_add(draw, AT_S_PLUS, e, k, 0, "%s", s);
    draw_add(draw, AT_S_PLUS, e, k, 0, "%s", D.is);
    if (moves) {
        draw->event[e].velocity = VELOCITY_IMPULSIVE;
        draw->event[e].joints = true;
    } else if (maker_toss(maker, 0.4)) {
        draw_add(draw, AT_S_PLUS, e, k, 0, "0.3*%s",
                 maker_v(maker, maker_independent(maker, mode)).is);
    }
    return true;
}

static bool terminal(struct maker *maker, int e)
{
    return maker->draw->event[e].terminal = true;
}

bool maker_reset(struct maker *maker, int e)
{
    static const struct {
        enum kind kind;
        int weight;
        bool (*write)(struct maker *maker, int e);
    } reset[] = {
        {KIND_IDENTITY, 1, identity},           {KIND_MODE_CHANGE, 2, mode_change},
        {KIND_MASS_CHANGE, 2, mass_change},     {KIND_VELOCITY_JUMP, 4, velocity_jump},
        {KIND_IMPULSE, 3, impulse},             {KIND_RELABEL, 1, relabel},
        {KIND_CONSTRAINT_CHANGE, 3, constraint_change},
        {KIND_STATE_JUMP, 2, state_jump},       {KIND_TERMINAL, 1, terminal}};
    enum { RESETS = sizeof reset / sizeof *reset };
    int total = 0;
    for (int k = 0; k < RESETS; k++)
        total += maker->kinds >> reset[k].kind & 1 ? reset[k].weight : 0;
    if (total == 0)
        return true;            /* nothing jumps */
    int chosen = maker_below(maker, total);
    for (int k = 0; k < RESETS; k++) {
        if (!(maker->kinds >> reset[k].kind & 1))
            continue;
        if (chosen < reset[k].weight)
            return reset[k].write(maker, e);
        chosen -= reset[k].weight;
    }
    return false;
}
