/* guard_bounds.c - which guards vary faster than the motion (guard_bounds.h). */
#include "guard_bounds.h"

#include <stdlib.h>

#include "base/memory.h"

static bool moves(struct tape_row row)
{
    return row.op == OP_VARIABLE && row.a != BLOCK_RHO;
}

static bool of_unknowns(struct tape_row row)
{
    return row.op == OP_VARIABLE && (row.a == BLOCK_A || row.a == BLOCK_LAMBDA);
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
    formula *fast = memory_new(guards, sizeof *fast);
    *bounds = (struct guard_bounds){.guard = arena_new(arena, guards, sizeof(int))};
    for (int k = 0; k < guards; k++)
        if (is_fast(model->tape, event[k]->guard)) {
            bounds->guard[bounds->count] = k;
            fast[bounds->count++] = event[k]->guard;
        }
    formula_bounds_init(&bounds->of, arena, model, fast, bounds->count);
    free(fast);
}
