/*
 * order.c - topological order: rows in post-order from the formulas that reach them.
 *
 * The numbers of the rows never enter, so that programs and derivatives, which follow
 * from the order, do not depend on the order of recording.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "formula/tape.h"

/* Position of a row in the order, or -1. `place` needs no clearing: an entry counts
   only if the entry of the order that it points to agrees. */
static int position(const struct order *order, const int *place, int row)
{
    int i = place[row];
    return i >= 0 && i < order->count && order->entry[i].row == row ? i : -1;
}

static void append(struct order *order, const struct tape *tape, int *place, int row)
{
    struct tape_row r = tape->row[row];
    int operands = op_operands(r.op);
    order->entry = memory_grow(order->entry, &order->capacity, order->count + 1,
                               sizeof *order->entry);
    order->entry[order->count] = (struct order_entry){
        .row = row,
        .a = operands > 0 ? position(order, place, r.a) : -1,
        .b = operands > 1 ? position(order, place, r.b) : -1,
    };
    place[row] = order->count++;
}

/* Rows that wait for their operands. */
struct stack {
    int *row;
    int height, capacity;
};

static void push(struct stack *stack, int row)
{
    stack->row = memory_grow(stack->row, &stack->capacity, stack->height + 1,
                             sizeof *stack->row);
    stack->row[stack->height++] = row;
}

/* Depth-first search with an explicit stack: goes down to the first operand that has
   no place yet; a row whose operands all have one gets its own. A row could meet
   itself on the stack only in a cycle, and a tape has none. */
static void visit(struct order *order, const struct tape *tape, int *place,
                  struct stack *stack, int root)
{
    push(stack, root);
    while (stack->height > 0) {
        int row = stack->row[stack->height - 1];
        struct tape_row r = tape->row[row];
        int operands = op_operands(r.op);
        if (operands > 0 && position(order, place, r.a) < 0) {
            push(stack, r.a);
        } else if (operands > 1 && position(order, place, r.b) < 0) {
            push(stack, r.b);
        } else {
            append(order, tape, place, row);
            stack->height--;
        }
    }
}

void order_with(struct order *order, const struct tape *tape, const formula *f, int count,
                int *place)
{
    *order = (struct order){.root = memory_new(count, sizeof(int)), .roots = count};
    struct stack stack = {0};
    for (int i = 0; i < count; i++) {
        order->root[i] = -1;
        if (!f[i].tape)
            continue;
        if (f[i].tape != tape)
            slip("formulas of two tapes in one list");
        if (position(order, place, f[i].row) < 0)
            visit(order, tape, place, &stack, f[i].row);
        order->root[i] = position(order, place, f[i].row);
    }
    free(stack.row);
}

void order_from(struct order *order, const struct tape *tape, const formula *f, int count)
{
    int *place = memory_new(tape->rows, sizeof *place);
    order_with(order, tape, f, count, place);
    free(place);
}

void order_clear(struct order *order)
{
    free(order->entry);
    free(order->root);
    *order = (struct order){0};
}
