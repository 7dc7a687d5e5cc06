/*
 * random_points.h - random formulas of points in the plane, of x and y alike, for the
 * laws of test_superword.c.
 */
#ifndef SALTUS_RANDOM_POINTS_H
#define SALTUS_RANDOM_POINTS_H

#include "formula/diff.h"
#include "random_formulas.h"

enum { POINTS = 3, COORDINATES = 2 * POINTS, PARAMETERS = 2, STEPS = 30, LONG = 400,
       MOST_COLUMNS = 2, CHECKS = 2, OUTPUTS = 2 * COORDINATES + CHECKS,
       STATE = 2 * COORDINATES, INPUTS = 4 * COORDINATES + 2 * PARAMETERS,
       NUMBERS = STATE * (1 + MOST_COLUMNS) };

/* --- formulas of points ------------------------------------------------------------- */

/* A formula, and its size if every term counted with its magnitude (test_collect.c). */
struct item {
    formula f;
    double size;
};

struct vector {
    struct item x[2];
};

struct mix {
    struct random random;
    struct tape *tape;
    struct vector vector[2 * POINTS + LONG];
    struct item scalar[PARAMETERS + LONG];
    int vectors, scalars;
    bool broken;            /* now and then x and y differ */
};

static struct item total(struct item a, struct item b, bool minus)
{
    return (struct item){minus ? sub(a.f, b.f) : add(a.f, b.f), a.size + b.size};
}

static struct item product(struct item a, struct item b)
{
    return (struct item){mul(a.f, b.f), a.size * b.size};
}

static struct item dot_product(struct vector a, struct vector b)
{
    return total(product(a.x[0], b.x[0]), product(a.x[1], b.x[1]), false);
}

static struct item any_scalar(struct mix *m)
{
    return m->scalar[random_below(&m->random, m->scalars)];
}

static struct vector any_vector(struct mix *m)
{
    return m->vector[random_below(&m->random, m->vectors)];
}

/* At most 1 in magnitude. */
static struct item inverse(struct mix *m, struct item s)
{
    formula one = integer(m->tape, 1);
    return (struct item){quotient(one, apply(OP_SQRT, add(one, mul(s.f, s.f)))),
                         1 + s.size};
}

/* Functions of libm, of one number and of two, and a power; no more than 2. */
static struct item bounded(struct mix *m, struct item s)
{
    formula beyond_one = add(integer(m->tape, 1), mul(s.f, s.f)), f;
    switch (random_below(&m->random, 3)) {
    case 0:
        f = apply(OP_SIN, s.f);
        break;
    case 1:
        f = apply2(OP_ATAN2, s.f, beyond_one);
        break;
    default:
        f = power(beyond_one, -3);
        break;
    }
    return (struct item){f, 3 * (1 + s.size)};
}

static struct item new_scalar(struct mix *m)
{
    switch (random_below(&m->random, 7)) {
    case 0:
        return total(any_scalar(m), any_scalar(m), random_below(&m->random, 2));
    case 1:
        return product(any_scalar(m), any_scalar(m));
    case 2:
        return inverse(m, any_scalar(m));
    case 3:
        return bounded(m, any_scalar(m));
    default:
        return dot_product(any_vector(m), any_vector(m));
    }
}

static struct vector new_vector(struct mix *m)
{
    struct vector a = any_vector(m), b = any_vector(m), r = a;
    struct item s = any_scalar(m), rho = m->scalar[0];
    int kind = random_below(&m->random, m->broken ? 10 : 8);
    for (int l = 0; l < 2; l++) {
        if (kind < 3)
            r.x[l] = total(a.x[l], b.x[l], kind == 0);
        else if (kind < 6)
            r.x[l] = product(s, a.x[l]);
        else if (kind == 6)
            r.x[l] = l == 1 ? total(a.x[l], rho, true) : a.x[l];
        else if (kind == 7)
            r.x[l] = (struct item){negate(a.x[l].f), a.x[l].size};
        else
            r.x[l] = kind == 8 ? a.x[!l] : total(b.x[l], product(s, a.x[!l]), l);
    }
    return r;
}

static void begin(struct mix *m, struct random *random)
{
    *m = (struct mix){.random = {random->seed, random_bits(random)}, .tape = tape_new()};
    m->broken = random_below(random, 2);
    for (int k = 0; k < 2 * POINTS; k++)
        for (int l = 0; l < 2; l++) {
            int block = k < POINTS ? BLOCK_Q : BLOCK_V;
            formula f = variable(m->tape, block, 2 * (k % POINTS) + l);
            m->vector[k].x[l] = (struct item){f, 1};
        }
    m->vectors = 2 * POINTS;
    for (int k = 0; k < PARAMETERS; k++)
        m->scalar[m->scalars++] = (struct item){variable(m->tape, BLOCK_RHO, k), 1};
}

static void grow(struct mix *m, int steps)
{
    for (int step = 0; step < steps; step++) {
        if (random_below(&m->random, 2)) {
            struct item s = new_scalar(m);
            if (s.size < 1e4)
                m->scalar[m->scalars++] = s;
        } else {
            struct vector a = new_vector(m);
            if (a.x[0].size < 1e4 && a.x[1].size < 1e4)
                m->vector[m->vectors++] = a;
        }
    }
}

/* Of all vectors some, so that nothing is in vain. */
static struct item total_of(struct mix *m, int point, int l)
{
    struct item all = m->vector[point].x[l];
    for (int k = point + POINTS; k < m->vectors; k += POINTS)
        all = total(all, m->vector[k].x[l], false);
    return all;
}

/* Vectors, their derivatives, and the last scalars. */
static void take(struct mix *m, formula *f, double *size)
{
    static const bool moves[BLOCKS] = {
        [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_RHO] = true};
    for (int k = 0; k < COORDINATES; k++) {
        struct item item = total_of(m, k / 2, k % 2);
        f[k] = item.f;
        size[k] = item.size;
    }
    tangent(m->tape, f, COORDINATES, moves, 1, f + COORDINATES);
    for (int k = 0; k < CHECKS; k++) {
        f[2 * COORDINATES + k] = m->scalar[m->scalars - 1 - k].f;
        size[COORDINATES + k] = m->scalar[m->scalars - 1 - k].size;
    }
}

static struct program *seal(struct mix *m, const formula *f)
{
    const unsigned char stage[BLOCK_LIMIT] = {
        [BLOCK_RHO] = 1, [BLOCK_Q] = 2, [BLOCK_V] = 2, [TANGENT(BLOCK_Q)] = 3,
        [TANGENT(BLOCK_V)] = 3, [TANGENT(BLOCK_RHO)] = 3};
    return program_seal(m->tape, f, OUTPUTS, stage);
}

#endif
