/*
 * agreement.c - a bar measured by a hundredfold tolerance (agreement.h).
 */
#include "random/agreement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "quantity/scales.h"

/* factor: on the change that a hundredfold tolerance makes; shared: part of the largest
   change relative to the scale of each coordinate; least: the finer rtol, of which nobody
   asks for more. */
static const double factor = 10, shared = 0.1, least = 1e-10;

/* Digits that rounding leaves of a run in double; nothing that is drawn is as small as
   nothing, its square neither. */
static const double run_digits = 13, nothing = 1e-30;

enum { KEYS = 64, BYS = 32, KINDS_OF_KEY = 2 };

/* One quantity, "q.x0", and its derivatives in the units of its parameter: index 0 is the
   value, j > 0 a derivative. The largest change so far. */
struct history {
    enum quantity_kind kind;
    char of[QUANTITY_NAME];
    double change[BYS];
};

struct histories {
    int keys, bys;
    struct history key[KEYS];
    char by[BYS][QUANTITY_NAME];
    double relative[KINDS_OF_KEY][2];   /* largest change over scale: of state or
                                           unknowns, of value or derivative */
};

void solution_clear(struct solution *solution)
{
    results_free(solution->fine);
    results_free(solution->coarse);
    solution->fine = solution->coarse = NULL;
}

/* The history of a value, or of the value that a derivative belongs to. */
static struct history *find_key(struct histories *all, const struct quantity *quantity)
{
    for (int k = 0; k < all->keys; k++)
        if (all->key[k].kind == quantity->kind &&
            strcmp(all->key[k].of, quantity->of) == 0)
            return &all->key[k];
    struct history *key = &all->key[all->keys < KEYS - 1 ? all->keys++ : KEYS - 1];
    key->kind = quantity->kind;
    memcpy(key->of, quantity->of, sizeof key->of);
    return key;
}

static int find_by(struct histories *all, const char *name)
{
    if (!*name)
        return 0;
    for (int k = 1; k <= all->bys; k++)
        if (strcmp(all->by[k], name) == 0)
            return k;
    int k = all->bys < BYS - 1 ? ++all->bys : BYS - 1;
    snprintf(all->by[k], sizeof all->by[k], "%s", name);
    return k;
}

/* The entry of this name and point: both results have one order but for events that come
   before or after a sample by rounding. */
static const struct entry *find_entry(const struct results *results,
                                      const struct entry *like, int at)
{
    for (int k = 0; results && k < results->count; k++) {
        const struct entry *entry = &results->entry[(at + k) % results->count];
        if (strcmp(entry->name, like->name) == 0 && fabs(entry->t - like->t) < 1e-6)
            return entry;
    }
    return NULL;
}

static double value_of(const struct entry *entry)
{
    return entry ? mpfr_get_d(entry->value, MPFR_RNDN) : NAN;
}

static double change_of(const struct solution *solution, const struct entry *fine, int at)
{
    if (!fine)
        return 0;
    double change = value_of(fine) - value_of(find_entry(solution->coarse, fine, at));
    return isnan(change) ? 0 : fabs(change);
}

static bool of_unknowns(enum quantity_kind kind)
{
    return kind == QUANTITY_A || kind == QUANTITY_LAMBDA;
}

static double larger(double *largest, double value)
{
    if (value > *largest)
        *largest = value;
    return *largest;
}

/* Counts the largest change of accelerations and multipliers of a DAE from the start on.
   Steps at the start are equally short at all tolerances, so nothing changes there,
   though these follow with a low order and are as wrong as anywhere. */
static void anticipate(struct histories *all, const struct solution *solution)
{
    if (!solution->formulation || solution->formulation->kind != DAE || !solution->coarse)
        return;
    for (int k = 0; k < solution->fine->count; k++) {
        const struct entry *entry = &solution->fine->entry[k];
        const struct quantity quantity = quantity_parse(entry->name);
        struct history *key = find_key(all, &quantity);
        double rho = is_derivative(&quantity) ? entry->rho : 1;
        if (of_unknowns(quantity.kind))
            larger(&key->change[find_by(all, quantity.by)],
                   rho * change_of(solution, entry, k));
    }
}

/* The size of the parameter that a derivative is by; one of a value, and of a derivative
   along a direction, which has no parameter. */
static double rho_of(const struct entry *target, const struct entry *found)
{
    const struct quantity quantity = quantity_parse(target->name);
    double rho = fmax(target->rho, found ? found->rho : 0);
    return is_derivative(&quantity) && rho > 0 ? rho : 1;
}

/* What digits of each number of `want` count against, its noise (size.h), in the units of
   the parameter; to be freed. */
static double *scales(const struct results *want, const double *rho)
{
    double *out = memory_new(want->count, sizeof *out);
    struct scale *scale = scales_of(want, rho, nothing, run_digits);
    for (int k = 0; k < want->count; k++)
        out[k] = rho[k] * exp2(scale[k].size) * scale[k].condition;
    free(scale);
    return out;
}

/* Compares number k of `want` with its partner. */
static void compare(struct histories *all, const struct solution *got,
                    const struct solution *want, int k, const struct entry *found,
                    double rho, double scale, struct difference *difference)
{
    const struct entry *target = &want->fine->entry[k];
    const struct quantity quantity = quantity_parse(target->name);
    struct history *key = find_key(all, &quantity);
    int by = find_by(all, quantity.by);
    double x = value_of(found), y = value_of(target);
    if (isnan(x) && isnan(y) && found)
        return;
    double change = larger(&key->change[by],
                           rho * (change_of(got, found, k) + change_of(want, target, k)));
    double *relative = &all->relative[of_unknowns(quantity.kind)][by > 0];
    if (scale > 0)
        larger(relative, change / scale);
    double allowed = factor * fmax(change, shared * *relative * scale) + least * scale;
    double error = rho * fabs(x - y);
    difference->judged++;
    difference->weak += allowed > 1e-2 * scale;
    if (difference->found || error <= allowed || (scale == 0 && error < least))
        return;
    difference->found = true;
    snprintf(difference->name, sizeof difference->name, "%s", target->name);
    difference->t = target->t;
    difference->got = x;
    difference->want = y;
    difference->scale = scale / rho;
    difference->allowed = allowed / rho;
    difference->excess = allowed > 0 ? error / allowed : INFINITY;
}

struct difference solutions_differ(const struct solution *got,
                                   const struct solution *want)
{
    int count = want->fine->count;
    struct difference difference = {.found = false};
    struct histories all = {.keys = 0};
    const struct entry **partner = memory_new(count, sizeof *partner);
    double *rho = memory_new(count, sizeof *rho);
    for (int k = 0; k < count; k++) {
        partner[k] = find_entry(got->fine, &want->fine->entry[k], k);
        rho[k] = rho_of(&want->fine->entry[k], partner[k]);
    }
    double *scale = scales(want->fine, rho);
    anticipate(&all, got);
    anticipate(&all, want);
    for (int k = 0; k < count; k++)
        compare(&all, got, want, k, partner[k], rho[k], scale[k], &difference);
    free(partner);
    free(rho);
    free(scale);
    return difference;
}
