/*
 * fault.c - fault injection: wrong derivatives in programs that are sealed (fault.h).
 */
#include "program/fault.h"

#include "base/memory.h"
#include "formula/tape.h"

void tape_set_fault(struct tape *tape, const struct fault *fault)
{
    tape->fault = fault;
}

void fault_alter(struct tape *tape, const char *what, const char *of, formula *f,
                 int count)
{
    const struct fault *fault = tape->fault;
    if (fault)
        fault->alter(fault->context, tape, what, of, f, count);
}

struct program *program_seal_derivatives(struct tape *tape, formula *f, int count,
                                         int values, const unsigned char *stage,
                                         const char *what, const char *of)
{
    fault_alter(tape, what, of, f + values, count - values);
    return program_seal(tape, f, count, stage);
}

int rows_reached(const struct tape *tape, const formula *f, int count, int **row)
{
    struct order order;
    int reached = 0;
    order_from(&order, tape, f, count);
    *row = memory_new(order.count, sizeof **row);
    for (int k = 0; k < order.count; k++)
        if (order.entry[k].row != 0)
            (*row)[reached++] = order.entry[k].row;
    order_clear(&order);
    return reached;
}
