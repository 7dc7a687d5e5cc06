/*
 * remarks.c - remarks on a row beside its verdicts, appended (remarks.h).
 */
#include "verdict/remarks.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "quantity/quantity.h"

void remark_add(struct row *row, enum remark_kind kind, int at, double value,
                const char *text)
{
    row->remark = memory_grow(row->remark, &row->remark_room, row->remarks + 1,
                              sizeof *row->remark);
    struct remark *remark = &row->remark[row->remarks++];
    *remark = (struct remark){.kind = kind, .at = at, .value = value};
    snprintf(remark->text, sizeof remark->text, "%s", text);
}

static void add_number(struct row *row, enum remark_kind kind,
                       const struct quantity *quantity, double value)
{
    char name[QUANTITY_NAME];
    quantity_print(quantity, name, sizeof name);
    remark_add(row, kind, 0, value, name);
}

/* Adds one order: its events and their times by each parameter, and the point after them,
   whose derivatives are one-sided. */
static void add_order(struct row *row, const struct columns *columns,
                      const struct order_tried *order)
{
    remark_add(row, REMARK_ORDER, 0, NAN, "");
    for (int k = 0; k < order->events; k++) {
        remark_add(row, REMARK_EVENT, 0, NAN, order->event[k]->name);
        for (int j = 0; j < columns->p; j++) {
            const struct quantity quantity =
                quantity_of_time(0, column_parameter(columns, j));
            add_number(row, REMARK_TAU, &quantity, order->tau[k * columns->p + j]);
        }
    }
    if (!order->after.x) {
        remark_add(row, REMARK_REFUSED, 0, NAN, status_text(order->refusal.status));
        return;
    }
    remark_add(row, REMARK_AFTER, 0, NAN, "");
    for (int c = 0; c < columns->count; c++) {
        const struct quantity quantity = quantity_of_column(columns, c);
        if (column_present(columns, c, order->after.mode))
            add_number(row, REMARK_NUMBER, &quantity, order->after.x[c]);
    }
}

void remark_together(struct row *row, const struct columns *columns,
                     const struct together *together)
{
    remark_add(row, REMARK_TOGETHER, together->agree, together->t, together->names);
    for (int k = 0; k < together->orders; k++)
        add_order(row, columns, &together->order[k]);
}
