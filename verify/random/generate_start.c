/*
 * generate_start.c - rows of a start, Gamma(t, q, v, s, rho) = 0, in place of some of the
 * formulas that give it (maker.h).
 *
 * A component x = f(rho) becomes the root near f of a row that other components are part
 * of, so that the start is one system of equations.
 */
#include <stdio.h>
#include <string.h>

#include "random/maker.h"

/* A component of (q, v, s): where it is given and guessed, its name without unit, and its
   unit. */
struct component {
    enum place given, guess;
    int i;
    struct text is, per;
};

static struct component component_of(const struct maker *maker, int k)
{
    int n = maker->draw->n;
    if (k < n)
        return (struct component){AT_Q0, AT_GUESS, k, maker_q(maker, k),
                                  maker_per(maker, k)};
    if (k < 2 * n)
        return (struct component){AT_V0, AT_V_GUESS, k - n, maker_v(maker, k - n),
                                  maker_per(maker, k - n)};
    return (struct component){AT_S0, AT_S_GUESS, k - 2 * n,
                              maker_text("%s", maker->draw->state[k - 2 * n]),
                              maker_text("%s", "")};
}

/* x - f + .. sin(y) + .. x^3 = 0, x near f */
static void add_row(struct maker *maker, int row, const struct component *x,
                    const struct component *y, int term)
{
    struct draw *draw = maker->draw;
    char f[DRAW_TEXT];
    snprintf(f, sizeof f, "%s", draw->term[term].text);
    draw_remove_term(draw, term);
    draw_add(draw, x->guess, 0, x->i, 0, "%s", f);
    draw_add(draw, AT_GAMMA, 0, row, 0, "%s", x->is.is);
    draw_add(draw, AT_GAMMA, 0, row, 0, "-%s%s", f, x->per.is);
    draw_add(draw, AT_GAMMA, 0, row, 0, "%s*sin(%s)", maker_number(maker, 0.05, 0.3).is,
             y->is.is);
    if (maker_toss(maker, 0.5))
        draw_add(draw, AT_GAMMA, 0, row, 0, "0.05*%s*%s*%s", x->is.is, x->is.is,
                 x->is.is);
}

void maker_start_rows(struct maker *maker)
{
    struct draw *draw = maker->draw;
    int count = 2 * draw->n + draw->ns, rows = 0;
    if (!maker_chance(maker, KIND_START_ROWS, 0.25))
        return;
    int most = 1 + maker_below(maker, 3), first = maker_below(maker, count);
    for (int k = 0; k < count && rows < most; k++) {
        struct component x = component_of(maker, (first + k) % count);
        struct component y = component_of(maker, maker_below(maker, count));
        int term = draw_find(draw, x.given, 0, x.i);
        if (term >= 0)
            add_row(maker, rows++, &x, &y, term);
    }
}
