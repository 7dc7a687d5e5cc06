/* guard_bounds.c - interval bounds of guards on boxes of states (guard_bounds.h). */
#include "guard_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* --- which are fast ----------------------------------------------------------------- */

static bool moves(struct tape_row row)
{
    return row.op == OP_VARIABLE && row.a != BLOCK_RHO;
}

static bool of_unknowns(struct tape_row row)
{
    return row.op == OP_VARIABLE && (row.a == BLOCK_A || row.a == BLOCK_LAMBDA);
}

/* True if a row is a polynomial of the variables of the motion whenever its operands
   are. */
static bool keeps_polynomials(struct tape_row row, bool a_moves, bool b_moves)
{
    switch (row.op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: return true;
    case OP_DIV:  return !b_moves;
    case OP_POWI: return row.b > 0 || !a_moves;
    default:      return !a_moves && !b_moves;
    }
}

static bool is_fast(const struct tape *tape, formula guard)
{
    struct order order;
    order_from(&order, tape, &guard, 1);
    bool *moving = memory_new(order.count, sizeof *moving);
    bool fast = false, unknowns = false;
    for (int i = 0; i < order.count; i++) {
        struct order_entry entry = order.entry[i];
        struct tape_row row = tape->row[entry.row];
        bool a = entry.a >= 0 && moving[entry.a], b = entry.b >= 0 && moving[entry.b];
        moving[i] = moves(row) || a || b;
        fast = fast || !keeps_polynomials(row, a, b);
        unknowns = unknowns || of_unknowns(row);
    }
    free(moving);
    order_clear(&order);
    return fast && !unknowns;
}

void guard_bounds_init(struct guard_bounds *bounds, struct arena *arena,
                       const struct model *model, const struct event *const *event,
                       int guards)
{
    int dim = 2 * model->n + model->ns;
    formula *fast = memory_new(guards, sizeof *fast);
    *bounds = (struct guard_bounds){.tape = model->tape, .n = model->n, .ns = model->ns,
                                    .p = model->p};
    bounds->guard = arena_new(arena, guards, sizeof *bounds->guard);
    for (int k = 0; k < guards; k++)
        if (is_fast(model->tape, event[k]->guard)) {
            bounds->guard[bounds->count] = k;
            fast[bounds->count++] = event[k]->guard;
        }
    order_from(&bounds->order, model->tape, fast, bounds->count);
    bounds->row = arena_new(arena, bounds->order.count, sizeof *bounds->row);
    bounds_constants(model->tape, &bounds->order, bounds->row);
    bounds->rho = arena_new(arena, model->p, sizeof *bounds->rho);
    bounds->box = (struct state_box){.x = arena_new(arena, dim, sizeof(struct bounds)),
                                     .dim = dim};
    free(fast);
}

void guard_bounds_clear(struct guard_bounds *bounds)
{
    order_clear(&bounds->order);
}

void guard_bounds_set(struct guard_bounds *bounds, const double *rho)
{
    for (int j = 0; j < bounds->p; j++)
        bounds->rho[j] = (struct bounds){rho[j], rho[j]};
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

void guard_bounds_evaluate(struct guard_bounds *bounds)
{
    struct bounds *x = bounds->box.x;
    const struct bounds *const block[BLOCKS] = {
        [BLOCK_T] = &bounds->box.t, [BLOCK_RHO] = bounds->rho, [BLOCK_Q] = x,
        [BLOCK_V] = x + bounds->n, [BLOCK_S] = x + 2 * bounds->n};
    bounds_at(bounds->tape, &bounds->order, block, bounds->row);
}
