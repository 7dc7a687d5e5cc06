/*
 * dimension_equations.c - exact Gaussian elimination with rational coefficients, one
 * equation at a time (dimension_equations.h).
 *
 * An equation is solved for its highest unknown. Solutions contain lower unknowns only,
 * so that one pass from the highest term down puts in all that is known.
 */
#include "units/dimension_equations.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void equations_begin(struct equations *equations)
{
    *equations = (struct equations){.unknowns = 0};
}

void equations_clear(struct equations *equations)
{
    arena_free(&equations->arena);
    free(equations->solved);
    free(equations->solution);
    free(equations->sum);
    *equations = (struct equations){.unknowns = 0};
}

int equations_unknown(struct equations *equations)
{
    int more = equations->unknowns + 1;
    equations->solved = memory_grow(equations->solved, &equations->room, more,
                                    sizeof *equations->solved);
    equations->solution = memory_grow(equations->solution, &equations->solution_room,
                                      more, sizeof *equations->solution);
    return equations->unknowns++;
}

struct form form_known(const struct dimension *known)
{
    return (struct form){.known = *known};
}

/* --- sums --------------------------------------------------------------------------- */

/* Adds [unknown]^times to the sum. */
static void add_term(struct equations *equations, int unknown, struct rational times)
{
    int at = equations->sums;
    while (at > 0 && equations->sum[at - 1].unknown >= unknown)
        at--;
    if (at < equations->sums && equations->sum[at].unknown == unknown) {
        equations->sum[at].times = rational_add(equations->sum[at].times, times);
        return;
    }
    equations->sum = memory_grow(equations->sum, &equations->sum_room,
                                 equations->sums + 1, sizeof *equations->sum);
    memmove(equations->sum + at + 1, equations->sum + at,
            (size_t)(equations->sums - at) * sizeof *equations->sum);
    equations->sum[at] = (struct form_term){unknown, times};
    equations->sums++;
}

static void add_form(struct equations *equations, const struct form *form,
                     struct rational times)
{
    equations->known = dimension_combine(&equations->known, rational_of(1, 1),
                                         &form->known, times);
    for (int k = 0; k < form->count; k++)
        add_term(equations, form->term[k].unknown,
                 rational_mul(form->term[k].times, times));
}

/* Puts in what is known. A solution has lower unknowns than its own, which stand before
   the term that goes; terms behind it are done. */
static void put_in_solutions(struct equations *equations)
{
    for (int below = equations->sums; below > 0;) {
        int behind = equations->sums - below;
        struct form_term term = equations->sum[below - 1];
        if (rational_is_zero(term.times) || equations->solved[term.unknown]) {
            memmove(equations->sum + below - 1, equations->sum + below,
                    (size_t)behind * sizeof *equations->sum);
            equations->sums--;
            if (!rational_is_zero(term.times))
                add_form(equations, &equations->solution[term.unknown], term.times);
            below = equations->sums - behind;
        } else {
            below--;
        }
    }
}

/* a^x b^y as the sum, with what is known. */
static void add_up(struct equations *equations, const struct form *a, struct rational x,
                   const struct form *b, struct rational y)
{
    equations->known = dimension_one();
    equations->sums = 0;
    add_form(equations, a, x);
    if (b)
        add_form(equations, b, y);
    put_in_solutions(equations);
}

/* The first `count` terms of the sum, and its known dimension. */
static struct form kept(struct equations *equations, int count)
{
    struct form form = {.known = equations->known, .count = count};
    if (count > 0) {
        struct form_term *term = arena_new(&equations->arena, count, sizeof *term);
        memcpy(term, equations->sum, (size_t)count * sizeof *term);
        form.term = term;
    }
    return form;
}

struct form form_of(struct equations *equations, int unknown)
{
    equations->known = dimension_one();
    equations->sums = 0;
    add_term(equations, unknown, rational_of(1, 1));
    put_in_solutions(equations);
    return kept(equations, equations->sums);
}

struct form form_combine(struct equations *equations, const struct form *a,
                         struct rational x, const struct form *b, struct rational y)
{
    add_up(equations, a, x, b, y);
    return kept(equations, equations->sums);
}

struct form form_now(struct equations *equations, const struct form *form)
{
    return form_combine(equations, form, rational_of(1, 1), NULL, rational_of(0, 1));
}

/* --- equations ---------------------------------------------------------------------- */

static bool is_lost(const struct equations *equations)
{
    for (int k = 0; k < equations->sums; k++)
        if (equations->sum[k].times.den == 0)
            return true;
    return dimension_is_lost(&equations->known);
}

bool equations_equal(struct equations *equations, const struct form *a,
                     const struct form *b)
{
    add_up(equations, a, rational_of(1, 1), b, rational_of(-1, 1));
    if (is_lost(equations))
        return true;
    if (equations->sums == 0)
        return dimension_is_one(&equations->known);
    int last = equations->sums - 1;
    struct form_term pivot = equations->sum[last];
    struct rational scale = rational_div(rational_of(-1, 1), pivot.times);
    struct form rest = kept(equations, last);
    equations->solution[pivot.unknown] = form_combine(equations, &rest, scale, NULL,
                                                      rational_of(0, 1));
    equations->solved[pivot.unknown] = true;
    return true;
}
