/*
 * scales.c - sizes and condition numbers, from the numbers of an oracle (scales.h).
 */
#include "quantity/scales.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A value below this part of its noise is small by accident (it may pass zero wherever it
   was looked at), and says nothing of the growth of errors; the size of its kind does. */
static const double accident = 1e-3;
/* The digits of an oracle end in rounding of this many units in the last place. */
static const double loose_digits = 1.5;

struct followed {
    const char *history;
    int value;              /* index of the quantity that this is a derivative of; its own
                               if it is none */
    int kind;               /* index of the kind of the value: those that share a unit, as
                               far as is known */
    int latest;             /* entry of the value whose noise is being summed; -1: none */
    double size, noise;     /* largest size and noise up to the point that was reached */
};

struct kind {
    const char *group;
    double size, noise;
};

struct measuring {
    const struct results *want;
    const double *rho;
    double floor;
    int quantities, kinds, kind_room;
    struct followed *quantity;
    struct kind *kind;
    int *of;                /* [want->count] index of the quantity of each entry */
    double *noise;          /* [want->count] noise of the entries that are values */
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

static int kind_get(struct measuring *m, const char *group)
{
    for (int k = 0; k < m->kinds; k++)
        if (strcmp(m->kind[k].group, group) == 0)
            return k;
    m->kind = memory_grow(m->kind, &m->kind_room, m->kinds + 1, sizeof *m->kind);
    m->kind[m->kinds] = (struct kind){.group = group};
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
                .history = sorted[k]->history, .value = m->quantities - 1, .latest = -1};
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
    for (int k = 0; k < m->want->count; k++) {
        struct followed *quantity = &m->quantity[m->of[k]];
        if (quantity->value == m->of[k])
            quantity->kind = kind_get(m, m->want->entry[k].group);
    }
}

/* --- sizes and noise -------------------------------------------------------------- */

static double magnitude(const struct entry *entry)
{
    return mpfr_number_p(entry->value) ? fabs(mpfr_get_d(entry->value, MPFR_RNDN)) : 0;
}

static bool is_value(const struct measuring *m, int entry)
{
    return m->quantity[m->of[entry]].value == m->of[entry];
}

/* Sums the noise of each value: derivatives stand after their value, on the same side of
   the same event. An oracle that knows the noise has set it (struct entry: spread). */
static void sum_noise(struct measuring *m)
{
    for (int k = 0; k < m->want->count; k++) {
        const struct entry *entry = &m->want->entry[k];
        struct followed *quantity = &m->quantity[m->of[k]];
        struct followed *value = &m->quantity[quantity->value];
        double size = magnitude(entry);
        if (is_value(m, k)) {
            m->noise[k] = size + entry->spread + m->floor;
            value->latest = k;
        } else if (value->latest >= 0 && m->want->entry[value->latest].spread == 0 &&
                   m->want->entry[value->latest].point == entry->point) {
            m->noise[value->latest] += m->rho[k] * size;
        }
    }
}

static void raise_to(double *largest, double value)
{
    *largest = fmax(*largest, value);
}

static void reach(struct measuring *m, int k)
{
    struct followed *quantity = &m->quantity[m->of[k]];
    raise_to(&quantity->size, magnitude(&m->want->entry[k]));
    if (!is_value(m, k))
        return;
    raise_to(&quantity->noise, m->noise[k]);
    raise_to(&m->kind[quantity->kind].size, quantity->size);
    raise_to(&m->kind[quantity->kind].noise, quantity->noise);
}

/* How much the errors of a value have grown beyond it. */
static double growth(const struct measuring *m, const struct followed *value)
{
    const struct kind *kind = &m->kind[value->kind];
    double most = kind->size > 0 ? kind->noise / kind->size : 1;
    if (!(value->size > 0))
        return most;
    return fmin(value->noise / value->size, fmax(most, 1 / accident));
}

/* The noise of the values that share the unit of entry k, or of its value if the entry is
   a derivative, up to the point that was reached. A parameter that is zero, or whose size
   is not known, is taken as one of its units. */
static double noise_of_kind(const struct measuring *m, int k)
{
    double rho = is_value(m, k) || !(m->rho[k] > 0) ? 1 : m->rho[k];
    int value = m->quantity[m->of[k]].value;
    return m->kind[m->quantity[value].kind].noise / rho;
}

static struct scale scale_of(const struct measuring *m, int k, double digits)
{
    const struct entry *entry = &m->want->entry[k];
    const struct followed *quantity = &m->quantity[m->of[k]];
    const struct followed *value = &m->quantity[quantity->value];
    double rho = is_value(m, k) ? 1 : m->rho[k], size = quantity->size, noise = size;
    double of_kind = noise_of_kind(m, k);
    if (size <= of_kind * pow(10, loose_digits - digits))
        return (struct scale){fmax(size, of_kind), 1};
    if (is_value(m, k))
        noise = quantity->noise;
    else if (entry->spread > 0)
        noise = size + entry->spread + m->floor;
    else if (rho > 0)
        noise = fmax(value->noise / rho, fmax(size * growth(m, value), m->floor));
    double condition = fmax(1, size > 0 ? noise / size : 1);
    return (struct scale){size, fmax(condition, entry->condition)};
}

struct scale *scales_of(const struct results *want, const double *rho, double floor,
                        double digits)
{
    int count = want->count;
    struct scale *scale = memory_new(count, sizeof *scale);
    struct measuring m = {
        .want = want, .rho = rho, .floor = floor,
        .quantity = memory_new(count, sizeof *m.quantity),
        .of = memory_new(count, sizeof *m.of),
        .noise = memory_new(count, sizeof *m.noise)};
    collect_quantities(&m);
    link_to_values(&m);
    sum_noise(&m);
    for (int k = 0, end; k < count; k = end) {
        int point = want->entry[k].point;
        for (end = k; end < count && want->entry[end].point == point; end++)
            reach(&m, end);
        for (int i = k; i < end; i++)
            scale[i] = scale_of(&m, i, digits);
    }
    /* a kind without noise up to here takes the noise that will be */
    for (int k = 0; k < count; k++)
        if (scale[k].size <= 0)
            scale[k].size = noise_of_kind(&m, k);
    free(m.quantity);
    free(m.kind);
    free(m.of);
    free(m.noise);
    return scale;
}
