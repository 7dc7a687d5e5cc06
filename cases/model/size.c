/*
 * size.c - sizes of the numbers of a motion, followed along it (size.h).
 */
#include "size.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* A value below this part of its noise is small by accident (it may pass zero wherever it
   was looked at), and says nothing of the growth of errors; the size of its kind does. */
static const double accident = 1e-3;
/* The digits of an oracle end in rounding of this many units in the last place. */
static const double loose_digits = 1.5;

double parameter_size(double rho)
{
    return rho != 0 ? fabs(rho) : 1;
}

double parameter_size_log2(double log2_rho)
{
    return log2_rho > -INFINITY ? log2_rho : 0;
}

double size_sum(double a, double b)
{
    double most = fmax(a, b), least = fmin(a, b);
    return least > -INFINITY && most < INFINITY ? most + log2(1 + exp2(least - most))
                                                : most;
}

bool size_is_rounding(double size, double whole, double digits)
{
    return size == -INFINITY || size <= whole - (digits - loose_digits) * log2(10);
}

/* --- quantities up to a point ------------------------------------------------------- */

/* A quantity up to the point that was reached. */
struct followed_quantity {
    double size, noise, terms; /* largest up to here, noise above the floor; of a value:
                                  terms NAN, not known */
    double last;               /* the size that it has in the end */
    int latest;                /* number of the value whose noise is being summed; -1:
                                   none */
};

struct followed_kind {
    double size, noise;         /* largest up to here, noise above the floor */
};

struct following {
    const struct sized_motion *motion;
    struct followed_quantity *quantity;
    struct followed_kind *kind;
    double *noise; /* [numbers] of the numbers that are values */
};

static bool is_value(const struct following *f, int quantity)
{
    return f->motion->quantity[quantity].value == quantity;
}

static void raise_to(double *largest, double value)
{
    *largest = fmax(*largest, value);
}

/* Sums the noise of each value from the derivatives at its point. An oracle that knows
   the noise has set it (spread). */
static void sum_noise(struct following *f)
{
    const struct sized_motion *motion = f->motion;
    for (int k = 0; k < motion->numbers; k++) {
        const struct motion_number *number = &motion->number[k], *of;
        const struct motion_quantity *quantity = &motion->quantity[number->quantity];
        struct followed_quantity *value = &f->quantity[quantity->value];
        if (is_value(f, number->quantity)) {
            f->noise[k] = size_sum(number->x, number->spread);
            value->latest = k;
            continue;
        }
        if (value->latest < 0)
            continue;
        of = &motion->number[value->latest];
        if (of->spread == -INFINITY && of->point == number->point &&
            !isnan(quantity->rho))
            f->noise[value->latest] = size_sum(f->noise[value->latest],
                                               quantity->rho + number->x);
    }
}

static void reach(struct following *f, int k)
{
    const struct motion_number *number = &f->motion->number[k];
    const struct motion_quantity *quantity = &f->motion->quantity[number->quantity];
    struct followed_quantity *own = &f->quantity[number->quantity];
    raise_to(&own->size, number->x);
    if (!is_value(f, number->quantity))
        return;
    raise_to(&own->noise, f->noise[k]);
    raise_to(&own->terms, number->terms);
    for (int i = 0; i < 2; i++) {
        struct followed_kind *kind = &f->kind[i == 0 ? quantity->kind : quantity->group];
        raise_to(&kind->size, own->size);
        raise_to(&kind->noise, own->noise);
    }
}

/* --- the size of a number ----------------------------------------------------------- */

/* With what was never asked for. */
static double with_floor(const struct following *f, double noise)
{
    return size_sum(noise, f->motion->floor);
}

/* How much larger than their size errors of the data have made values; one where the size
   is rounding, which says nothing of that. */
static double growth_of(const struct following *f, double size, double noise)
{
    return size_is_rounding(size, noise, f->motion->digits) ? 0
                                                            : with_floor(f, noise) - size;
}

/* How much the errors of a value have grown beyond it. */
static double growth(const struct following *f, int value)
{
    const struct followed_quantity *own = &f->quantity[value];
    const struct motion_quantity *of = &f->motion->quantity[value];
    const struct followed_kind *kind = &f->kind[isnan(own->terms) ? of->group : of->kind];
    double most = growth_of(f, kind->size, kind->noise);
    if (size_is_rounding(own->size, own->noise, f->motion->digits))
        return most;
    return fmin(with_floor(f, own->noise) - own->size, fmax(most, -log2(accident)));
}

/* The size of a number whose own magnitude, and that of its kind, is rounding of its
   terms or nothing at all. */
static double size_of_zero(const struct following *f, int quantity, double rho)
{
    const struct followed_quantity *own = &f->quantity[quantity];
    const struct motion_quantity *described = &f->motion->quantity[quantity];
    const struct followed_quantity *value = &f->quantity[described->value];
    double later = own->last;
    if (!is_value(f, quantity))
        raise_to(&later, value->last - rho);
    if (!size_is_rounding(later, value->terms - rho, f->motion->digits))
        return later;
    if (value->terms > -INFINITY)
        return value->terms - rho;
    const struct followed_kind *kind =
        &f->kind[f->motion->quantity[described->value].group];
    return with_floor(f, kind->noise) - rho;
}

static struct size size_at(const struct following *f, int k)
{
    const struct sized_motion *motion = f->motion;
    const struct motion_number *number = &motion->number[k];
    const struct motion_quantity *quantity = &motion->quantity[number->quantity];
    const struct motion_quantity *of = &motion->quantity[quantity->value];
    const struct followed_quantity *own = &f->quantity[number->quantity];
    const struct followed_quantity *value = &f->quantity[quantity->value];
    bool known = !isnan(value->terms), derived = !is_value(f, number->quantity);
    double rho = derived && !isnan(quantity->rho) ? quantity->rho : 0;
    double of_kind = known ? f->kind[of->kind].noise - rho
                           : with_floor(f, f->kind[of->group].noise) - rho;
    double value_noise = with_floor(f, value->noise);
    double terms = known ? value->terms - rho : -INFINITY;
    if (size_is_rounding(own->size, fmax(of_kind, terms), motion->digits)) {
        double size = size_is_rounding(of_kind, terms, motion->digits)
                          ? size_of_zero(f, number->quantity, rho)
                          : of_kind;
        size = fmax(fmax(own->size, size), motion->floor - rho);
        return (struct size){size, size};
    }
    double noise = own->size;
    if (!derived)
        noise = value_noise;
    else if (number->spread > -INFINITY)
        noise = size_sum(size_sum(own->size, number->spread), motion->floor);
    else if (!isnan(quantity->rho))
        noise = fmax(value_noise - rho,
                     fmax(own->size + growth(f, quantity->value), motion->floor));
    return (struct size){own->size, fmax(own->size, noise)};
}

/* --- along the motion --------------------------------------------------------------- */

static void start_following(struct following *f, const struct sized_motion *motion)
{
    *f = (struct following){
        .motion = motion,
        .quantity = memory_new(motion->quantities, sizeof *f->quantity),
        .kind = memory_new(motion->kinds, sizeof *f->kind),
        .noise = memory_new(motion->numbers, sizeof *f->noise)};
    for (int i = 0; i < motion->quantities; i++)
        f->quantity[i] = (struct followed_quantity){-INFINITY, -INFINITY, NAN, -INFINITY,
                                                    -1};
    for (int i = 0; i < motion->kinds; i++)
        f->kind[i] = (struct followed_kind){-INFINITY, -INFINITY};
    for (int k = 0; k < motion->numbers; k++)
        raise_to(&f->quantity[motion->number[k].quantity].last, motion->number[k].x);
    sum_noise(f);
}

/* What has no size up to here takes the noise that its column group comes to have. */
static void take_later(const struct following *f, int k, struct size *size)
{
    const struct motion_quantity *quantity =
        &f->motion->quantity[f->motion->number[k].quantity];
    const struct motion_quantity *of = &f->motion->quantity[quantity->value];
    bool derived = !is_value(f, f->motion->number[k].quantity);
    double rho = derived && !isnan(quantity->rho) ? quantity->rho : 0;
    size->size = size->noise = with_floor(f, f->kind[of->group].noise) - rho;
}

void sizes_along(const struct sized_motion *motion, struct size *size)
{
    struct following f;
    start_following(&f, motion);
    for (int k = 0, end; k < motion->numbers; k = end) {
        int point = motion->number[k].point;
        for (end = k; end < motion->numbers && motion->number[end].point == point; end++)
            reach(&f, end);
        for (int i = k; i < end; i++)
            size[i] = size_at(&f, i);
    }
    for (int k = 0; k < motion->numbers; k++)
        if (size[k].size == -INFINITY)
            take_later(&f, k, &size[k]);
    free(f.quantity);
    free(f.kind);
    free(f.noise);
}
