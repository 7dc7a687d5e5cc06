/* formula_bounds.c - interval bounds on boxes of states (formula_bounds.h). */
#include "formula_bounds.h"

#include <math.h>

void formula_bounds_init(struct formula_bounds *bounds, struct arena *arena,
                         const struct model *model, const formula *f, int count)
{
    int dim = 2 * model->n + model->ns;
    *bounds = (struct formula_bounds){
        .tape = model->tape, .n = model->n, .ns = model->ns, .p = model->p};
    order_from(&bounds->order, model->tape, f, count);
    bounds->row = arena_new(arena, bounds->order.count, sizeof *bounds->row);
    bounds_constants(model->tape, &bounds->order, bounds->row);
    bounds->rho = arena_new(arena, model->p, sizeof *bounds->rho);
    bounds->box = (struct state_box){.x = arena_new(arena, dim, sizeof(struct bounds)),
                                     .dim = dim};
}

void formula_bounds_clear(struct formula_bounds *bounds)
{
    order_clear(&bounds->order);
}

void formula_bounds_set(struct formula_bounds *bounds, const double *rho)
{
    for (int j = 0; j < bounds->p; j++)
        bounds->rho[j] = (struct bounds){rho[j], rho[j]};
}

bool keeps_polynomials(struct tape_row row, bool a_moves, bool b_moves)
{
    switch (row.op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_NEG: return true;
    case OP_DIV: return !b_moves;
    case OP_POWI: return row.b > 0 || !a_moves;
    default: return !a_moves && !b_moves;
    }
}

/* --- boxes -------------------------------------------------------------------------- */

static void reach(struct bounds *to, double x)
{
    to->low = x < to->low ? x : to->low;
    to->high = x > to->high ? x : to->high;
}

static void widen(struct bounds *bounds, double part)
{
    double more = part * (bounds->high - bounds->low);
    bounds->low -= more;
    bounds->high += more;
}

void state_box_begin(struct state_box *box)
{
    static const struct bounds nothing = {INFINITY, -INFINITY};
    box->t = nothing;
    for (int i = 0; i < box->dim; i++)
        box->x[i] = nothing;
}

void state_box_add(struct state_box *box, double t, const double *x)
{
    reach(&box->t, t);
    for (int i = 0; i < box->dim; i++)
        reach(&box->x[i], x[i]);
}

void state_box_widen(struct state_box *box, double part)
{
    for (int i = 0; i < box->dim; i++)
        widen(&box->x[i], part);
}

void formula_bounds_evaluate(struct formula_bounds *bounds)
{
    struct bounds *x = bounds->box.x;
    const struct bounds *const block[BLOCKS] = {[BLOCK_T] = &bounds->box.t,
                                                [BLOCK_RHO] = bounds->rho,
                                                [BLOCK_Q] = x,
                                                [BLOCK_V] = x + bounds->n,
                                                [BLOCK_S] = x + 2 * bounds->n};
    bounds_at(bounds->tape, &bounds->order, block, bounds->row);
}
