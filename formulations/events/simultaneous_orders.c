/*
 * simultaneous_orders.c - the orders of simultaneous events that were tried, and their
 * comparison; see simultaneous_orders.h.
 */
#include "events/simultaneous_orders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/tolerances.h"
#include "size.h"

/* --- orders tried ------------------------------------------------------------------- */

void orders_clear(struct together *together)
{
    for (int k = 0; k < together->orders; k++) {
        free(together->order[k].event);
        free(together->order[k].tau);
        free(together->order[k].after.x);
    }
    together->orders = 0;
}

void orders_add(struct together *together, const struct trajectory *out, int first,
                const struct diagnosis *refusal)
{
    int count = out->events - first, p = out->columns.p;
    together->order = memory_grow(together->order, &together->room, together->orders + 1,
                                  sizeof *together->order);
    struct order_tried *order = &together->order[together->orders++];
    *order = (struct order_tried){.events = count, .refusal = *refusal};
    order->event = memory_new(count, sizeof *order->event);
    order->tau = memory_new(count * p, sizeof *order->tau);
    for (int k = 0; k < count; k++) {
        order->event[k] = out->event[first + k].event;
        memory_copy(order->tau + k * p, out->event[first + k].tau, p, sizeof(double));
    }
    if (refusal->status != OK || count == 0)
        return;
    order->after = out->event[out->events - 1].after;
    order->after.x = memory_new(out->columns.count, sizeof(double));
    memory_copy(order->after.x, out->event[out->events - 1].after.x, out->columns.count,
                sizeof(double));
}

/* --- comparison --------------------------------------------------------------------- */

/* The name of an order, like "left, right"; an event may be there more than once. */
static void name_order(const struct order_tried *order, char *text, size_t size)
{
    size_t used = 0;
    for (int k = 0; k < order->events && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "",
                                 order->event[k]->name);
}

/* The quantity that differs most; `size` is the difference in units of its scale. */
struct gap {
    char name[100];
    double one, other, size;
};

/* Raises the gap to this difference; a value of -0 is reported as 0. */
static void note_gap(struct gap *gap, const char *name, double one, double other,
                     double scale)
{
    double size = fabs(one - other) / (scale > 0 ? scale : 1);
    if (isnan(one) && isnan(other))
        return;
    if (!(size <= gap->size)) {
        *gap = (struct gap){.one = one + 0.0, .other = other + 0.0, .size = size};
        snprintf(gap->name, sizeof gap->name, "%s", name);
    }
}

/* The largest entry of a group, in the columns of parameter j, after either order. */
static double group_size(const struct columns *columns, const struct order_tried *a,
                         const struct order_tried *b, enum column_group group, int j)
{
    int first = columns->begin[group] + (j + 1) * columns->width;
    int count = columns->begin[group + 1] - columns->begin[group];
    double size = 0;
    for (int c = first; c < first + count; c++)
        size = fmax(size, fmax(fabs(a->after.x[c]), fabs(b->after.x[c])));
    return size;
}

/* Rounding of a number that is made of all others of its group. */

/* The scale of number c of a point, of that group and parameter. A derivative need not be
   known better than the value over the parameter. */
static double scale_of(const struct columns *columns, const struct order_scale *by,
                       const struct order_tried *a, const struct order_tried *b, int c,
                       enum column_group group, int j)
{
    int value = c % columns->width;
    double group_of_values = group_size(columns, a, b, group, -1);
    double own = fmax(fabs(a->after.x[value]), fabs(b->after.x[value]));
    if (group < GROUP_A)            /* q, v, s come first */
        own = fmax(own, by->size[value]);
    double rho = j >= 0 && by->rho ? parameter_size(by->rho[columns->parameter[j]]) : 1;
    double size = fmax(own, order_rounding / by->tolerance * group_of_values) / rho;
    if (j < 0)
        return size;
    double derivative = fmax(fabs(a->after.x[c]), fabs(b->after.x[c]));
    return fmax(size, fmax(derivative, order_rounding / by->tolerance *
                                           group_size(columns, a, b, group, j)));
}

/* Compares two points: gap[0] is of values, gap[1] of derivatives. */
static void compare_points(const struct columns *columns, const struct order_scale *by,
                           const struct order_tried *a, const struct order_tried *b,
                           bool derivatives, struct gap gap[2])
{
    int count = derivatives ? columns->count : columns->width;
    for (int c = 0; c < count; c++) {
        enum column_group group;
        char name[80];
        int i, j;
        column_parts(columns, c, &group, &i, &j);
        column_name(columns, c, name, sizeof name);
        note_gap(&gap[j >= 0], name, a->after.x[c], b->after.x[c],
                 scale_of(columns, by, a, b, c, group, j));
    }
}

/* Compares the times of each event, the k-th of its name in one order and in the other.
   False is returned where the orders have other events. */
static bool compare_times(const struct columns *columns, const double *value, double t,
                          const struct order_tried *a, const struct order_tried *b,
                          bool derivatives, struct gap *gap)
{
    int p = derivatives ? columns->p : 0, found = 0;
    bool *used = memory_new(b->events, sizeof *used);
    for (int k = 0; k < a->events && a->events == b->events; k++) {
        int i = 0;
        while (i < b->events && (used[i] || b->event[i] != a->event[k]))
            i++;
        if (i == b->events)
            break;
        used[i] = true;
        found++;
        for (int j = 0; j < p; j++) {
            const char *by = column_parameter(columns, j);
            double one = a->tau[k * columns->p + j], other = b->tau[i * columns->p + j];
            double rho = value ? parameter_size(value[columns->parameter[j]]) : 1;
            char name[100];
            snprintf(name, sizeof name, "dt/d%.40s of %.40s", by, a->event[k]->name);
            note_gap(gap, name, one, other,
                     fmax(fmax(fabs(one), fabs(other)), fabs(t) / rho));
        }
    }
    free(used);
    return found == a->events && a->events == b->events;
}

/* Refuses two orders with different results: names a value that differs, and a
   derivative. */
static enum status refuse(const struct together *together, const struct order_tried *b,
                          const struct gap gap[2], struct diagnosis *diagnosis)
{
    const struct order_tried *a = &together->order[0];
    const struct order_tried *bad = a->after.x == NULL   ? a
                                    : b->after.x == NULL ? b
                                                         : NULL;
    char order[80], text[2][120] = {"", ""};
    for (int k = 0; k < 2; k++)
        if (gap[k].name[0])
            snprintf(text[k], sizeof text[k], "; %.60s is %.6g and %.6g", gap[k].name,
                     gap[k].one, gap[k].other);
    if (!bad)
        return diagnose(diagnosis, SIMULTANEOUS, together->t,
                        "guards %s fire together, and their order matters%s%s",
                        together->names, text[0], text[1]);
    if (bad->refusal.status == OK)
        return diagnose(diagnosis, SIMULTANEOUS, together->t,
                        "guards %s fire together, and their order matters: in one of "
                        "them no event happens", together->names);
    name_order(bad, order, sizeof order);
    return diagnose(diagnosis, SIMULTANEOUS, together->t,
                    "guards %s fire together, but in the order %s the motion does not go "
                    "on: %s: %.150s", together->names, order,
                    status_text(bad->refusal.status), bad->refusal.place);
}

enum status orders_compare(struct together *together, const struct columns *columns,
                           const struct order_scale *scale, bool derivatives,
                           struct diagnosis *diagnosis)
{
    const struct order_tried *a = &together->order[0];
    enum status status = OK;
    for (int k = 0; status == OK && k < together->orders; k++) {
        const struct order_tried *b = &together->order[k];
        struct gap gap[2] = {{.size = scale->tolerance}, {.size = scale->tolerance}};
        bool whole = a->after.x && b->after.x && a->after.mode == b->after.mode;
        if (whole) {
            compare_points(columns, scale, a, b, derivatives, gap);
            whole = compare_times(columns, scale->rho, together->t, a, b, derivatives,
                                  &gap[1]);
        }
        if (!whole || gap[0].name[0] || gap[1].name[0])
            status = refuse(together, b, gap, diagnosis);
    }
    together->agree = status == OK;
    return status;
}
