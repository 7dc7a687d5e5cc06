/*
 * scales.c - entries of results as numbers of a motion; see scales.h and size.h.
 */
#include "quantity/scales.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic/mp.h"
#include "base/memory.h"
#include "size.h"

struct followed {
    const char *history;
    int value;              /* index of the quantity that this is a derivative of; its own
                               if it is none */
};

struct kind {
    const char *group;
    int part; /* as in struct entry; -1: all parts */
};

struct measuring {
    const struct results *want;
    int quantities, kinds, kind_room;
    struct followed *quantity;
    struct kind *kind;
    int *of;                /* [want->count] index of the quantity of each entry */
    struct motion_quantity *described; /* [quantities] */
    struct motion_number *number;      /* [want->count] */
};

/* --- which entries belong together ------------------------------------------------ */

static int by_history(const void *a, const void *b)
{
    const struct entry *const *p = a, *const *q = b;
    int order = strcmp((*p)->history, (*q)->history);
    return order != 0 ? order : (*p > *q) - (*p < *q);
}

static int find_history(const void *key, const void *quantity)
{
    return strcmp(key, ((const struct followed *)quantity)->history);
}

static int quantity_find(const struct measuring *m, const char *history)
{
    const struct followed *found = bsearch(history, m->quantity, (size_t)m->quantities,
                                           sizeof *m->quantity, find_history);
    return found ? (int)(found - m->quantity) : -1;
}

static int kind_get(struct measuring *m, const char *group, int part)
{
    for (int k = 0; k < m->kinds; k++)
        if (m->kind[k].part == part && strcmp(m->kind[k].group, group) == 0)
            return k;
    m->kind = memory_grow(m->kind, &m->kind_room, m->kinds + 1, sizeof *m->kind);
    m->kind[m->kinds] = (struct kind){group, part};
    return m->kinds++;
}

static void collect_quantities(struct measuring *m)
{
    int count = m->want->count;
    const struct entry **sorted = memory_new(count, sizeof *sorted);
    for (int k = 0; k < count; k++)
        sorted[k] = &m->want->entry[k];
    qsort(sorted, (size_t)count, sizeof *sorted, by_history);
    for (int k = 0; k < count; k++) {
        if (k == 0 || strcmp(sorted[k]->history, sorted[k - 1]->history) != 0)
            m->quantity[m->quantities++] = (struct followed){
                .history = sorted[k]->history, .value = m->quantities - 1};
        m->of[sorted[k] - m->want->entry] = m->quantities - 1;
    }
    free(sorted);
}

/* The history of the value that a derivative's history belongs to; false: it is none of a
   derivative. */
static bool history_of_value(const char *history, char *value, size_t size)
{
    struct quantity quantity = quantity_parse(history);
    if (!is_derivative(&quantity))
        return false;
    quantity.by[0] = '\0';
    quantity_history(&quantity, value, size);
    return true;
}

/* A derivative of a value that is not there stands by itself. */
static void link_to_values(struct measuring *m)
{
    char value[sizeof m->want->entry->history];
    for (int k = 0; k < m->quantities; k++) {
        struct followed *quantity = &m->quantity[k];
        quantity->value = k;
        if (!history_of_value(quantity->history, value, sizeof value))
            continue;
        int found = quantity_find(m, value);
        if (found >= 0)
            quantity->value = found;
    }
}

/* --- entries as numbers ------------------------------------------------------------ */

static void describe(struct measuring *m, const double *rho)
{
    for (int i = 0; i < m->quantities; i++)
        m->described[i] = (struct motion_quantity){.value = m->quantity[i].value,
                                                   .rho = NAN};
    for (int k = 0; k < m->want->count; k++) {
        const struct entry *entry = &m->want->entry[k];
        struct motion_quantity *quantity = &m->described[m->of[k]];
        bool value = quantity->value == m->of[k];
        m->number[k] = (struct motion_number){
            m->of[k], entry->point,
            mpfr_number_p(entry->value) ? mp_log2(entry->value) : -INFINITY,
            value ? entry->terms : NAN, log2(entry->spread)};
        if (value) {
            quantity->group = kind_get(m, entry->group, -1);
            quantity->kind = kind_get(m, entry->group, entry->part);
        } else if (rho[k] > 0) {
            quantity->rho = log2(rho[k]);
        }
    }
}

static struct scale scale_of(const struct entry *entry, const struct size *size)
{
    double condition = size->noise > size->size ? exp2(size->noise - size->size) : 1;
    return (struct scale){size->size, fmax(condition, entry->condition)};
}

struct scale *scales_of(const struct results *want, const double *rho, double floor,
                        double digits)
{
    int count = want->count;
    struct scale *scale = memory_new(count, sizeof *scale);
    struct size *size = memory_new(count, sizeof *size);
    struct measuring m = {.want = want,
                          .quantity = memory_new(count, sizeof *m.quantity),
                          .of = memory_new(count, sizeof *m.of),
                          .described = memory_new(count, sizeof *m.described),
                          .number = memory_new(count, sizeof *m.number)};
    collect_quantities(&m);
    link_to_values(&m);
    describe(&m, rho);
    const struct sized_motion motion = {.numbers = count,
                                        .quantities = m.quantities,
                                        .kinds = m.kinds,
                                        .number = m.number,
                                        .quantity = m.described,
                                        .floor = log2(floor),
                                        .digits = digits};
    sizes_along(&motion, size);
    for (int k = 0; k < count; k++)
        scale[k] = scale_of(&want->entry[k], &size[k]);
    free(size);
    free(m.quantity);
    free(m.kind);
    free(m.of);
    free(m.described);
    free(m.number);
    return scale;
}
