/*
 * erk.c - steps of an explicit Runge-Kutta pair, and their dense output.
 */
#include "erk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dense_output.h"
#include "erk_work.h"

const struct erk_rows *erk_choose_rows(const struct pair *pair, bool lanes)
{
    (void)lanes;
#ifdef __x86_64__
    if (lanes && pair->avx512 && __builtin_cpu_supports("avx512f"))
        return pair->avx512;
    if (pair->avx2 && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("fma"))
        return pair->avx2;
#endif
    return pair->plain;
}

/* Slopes that are zero but for one show a coefficient of a row. */
struct unit_slopes {
    double zeros[PACK], one[PACK], h[LANES], *k[ERK_SLOPES];
};

static void unit_slopes_init(struct unit_slopes *unit)
{
    *unit = (struct unit_slopes){.one = {1}};
    for (int l = 0; l < LANES; l++)
        unit->h[l] = 1;
    for (int j = 0; j < ERK_SLOPES; j++)
        unit->k[j] = unit->zeros;
}

/* Coefficient j of a row. */
static double coefficient(erk_row *row, struct unit_slopes *unit, int j)
{
    double y[PACK];

    unit->k[j] = unit->one;
    row(1, unit->h, unit->zeros, unit->k, y);
    unit->k[j] = unit->zeros;
    return y[0];
}

void erk_coefficients(const struct pair *pair, double *a)
{
    struct unit_slopes unit;

    unit_slopes_init(&unit);
    for (int i = 1; i < pair->slopes; i++)
        for (int j = 0; j < i; j++)
            a[i*ERK_SLOPES + j] = coefficient(pair->plain->stage[i], &unit, j);
}

void erk_dense_weights(const struct pair *pair, double theta, double *b)
{
    struct unit_slopes unit;
    double term[ERK_TERMS], *c[ERK_TERMS];

    unit_slopes_init(&unit);
    for (int i = 0; i < ERK_TERMS; i++)
        c[i] = &term[i];
    for (int j = 0; j < pair->slopes; j++) {
        double rise = j < pair->end ? coefficient(pair->plain->stage[pair->end], &unit, j)
                                    : 0;
        double first = j == 0, last = j == pair->end;

        term[0] = 0;
        dense_output_ends(1, 1, &term[0], &first, &rise, &last, c);
        for (int i = 4; i < pair->terms; i++)
            term[i] = coefficient(pair->plain->dense[i], &unit, j);
        dense_output_value(pair->terms, c, theta, 0, 1, &b[j]);
    }
}

static double *row(struct arena *arena, int size)
{
    return arena_new(arena, size, sizeof(double));
}

void erk_arrays_init(struct erk_arrays *at, struct arena *arena, const struct pair *pair,
                     int size)
{
    at->c[0] = row(arena, 2*size);
    at->k[0] = at->c[0] + size;
    for (int i = 1; i < pair->terms; i++)
        at->c[i] = row(arena, size);
    at->x_new = row(arena, 2*size);
    for (int i = 1; i < pair->slopes; i++)
        at->k[i] = i == pair->end ? at->x_new + size : row(arena, size);
    for (int i = 0; i < pair->errors; i++)
        at->err[i] = row(arena, size);
    at->y[0] = row(arena, size);
    for (int i = 1; i < pair->slopes; i++)
        at->y[i] = at->y[0];
    for (int i = 0; i < STATES_INSIDE; i++)
        if (pair->inner[i] > 0)
            at->y[pair->inner[i]] = row(arena, size);
    at->change = row(arena, size);
}

void *erk_alloc(const struct pair *pair, int dim)
{
    struct erk_work *work = memory_new(1, sizeof *work);

    *work = (struct erk_work){.pair = pair, .rows = erk_choose_rows(pair, false),
                              .dim = dim, .packs = simd_packs(dim)};
    erk_arrays_init(&work->at, &work->arena, pair, work->packs*PACK);
    compensated_init(&work->carry, &work->arena, dim);
    return work;
}

void erk_release(void *memory)
{
    struct erk_work *work = memory;

    if (!work)
        return;
    erk_forget(work);
    arena_free(&work->arena);
    free(work);
}

/* Only lane and rounding errors are reset: a step writes all else before reading it. */
void erk_restart(void *memory)
{
    struct erk_work *work = memory;

    erk_forget(work);
    compensated_restart(&work->carry);
}

static inline enum status evaluate(struct erk_work *work, const struct ode *ode,
                                   int stage)
{
    double *y = work->at.y[stage];

    work->rows->stage[stage](work->packs, work->h, work->at.c[0], work->at.k, y);
    return ode->rhs(ode->context, work->t + work->pair->node[stage]*work->h[0], y,
                    work->at.k[stage]);
}

/* Makes the last stage, the end of the step, with the rounding errors of x added. */
static enum status arrive(struct erk_work *work, const struct ode *ode,
                          const double *lost, double *x_new)
{
    int end = work->pair->end;

    work->rows->stage[end](work->packs, work->h, lost, work->at.k, work->at.change);
    compensated_sum(&work->carry, work->at.c[0], work->at.change, work->at.x_new, x_new);
    return ode->rhs(ode->context, work->t + work->h[0], work->at.x_new, work->at.k[end]);
}

/* Error vectors err [dim]. Rows write whole packs, so vectors of another length get a
   copy. */
static void estimate(const struct erk_work *work, double *const *err)
{
    bool whole = work->dim % PACK == 0;
    double *spare = work->at.err[0];

    for (int e = 0; e < work->pair->errors; e++) {
        work->rows->error[e](work->packs, work->h, NULL, work->at.k,
                             whole ? err[e] : spare);
        if (!whole)
            memcpy(err[e], spare, (size_t)work->dim*sizeof *spare);
    }
}

enum status erk_step(void *memory, const struct ode *ode, double t, double h,
                     const double *x, const double *dx, double *x_new, double *dx_new,
                     double *const *err)
{
    struct erk_work *work = memory;
    size_t size = (size_t)work->dim*sizeof(double);
    bool known = ode->goes_on && !work->lanes;

    erk_leave_to_step(work, t);
    const double *lost = compensated_start(&work->carry, known, t, x, work->at.c[0],
                                           work->at.x_new);

    compensated_keep(&work->carry, x, &work->at.c[0], &work->at.x_new);
    work->t = t;
    for (int l = 0; l < LANES; l++)
        work->h[l] = h;
    memcpy(work->at.k[0], dx, size);
    enum status status = OK;
    for (int i = 1; i < work->pair->end && status == OK; i++)
        status = evaluate(work, ode, i);
    if (status == OK)
        status = arrive(work, ode, lost, x_new);
    if (status != OK)
        return status;
    estimate(work, err);
    /* The copy comes last: slopes just stored in narrow registers are slow to read in
       wide ones. */
    memcpy(dx_new, work->at.k[work->pair->end], size);
    return OK;
}

enum status erk_prepare(void *memory, const struct ode *ode)
{
    struct erk_work *work = memory;
    enum status status = OK;

    erk_fetch(work);
    for (int i = work->pair->end + 1; i < work->pair->slopes && status == OK; i++)
        status = evaluate(work, ode, i);
    if (status != OK)
        return status;
    dense_output_ends(work->dim, work->h[0], work->at.c[0], work->at.k[0], work->at.x_new,
                      work->at.k[work->pair->end], work->at.c);
    for (int i = 4; i < work->pair->terms; i++)
        work->rows->dense[i](work->packs, work->h, NULL, work->at.k, work->at.c[i]);
    return OK;
}

void erk_dense(const void *memory, double theta, int first, int count, double *x)
{
    const struct erk_work *work = memory;

    dense_output_value(work->pair->terms, work->at.c, theta, first, count, x);
}

double erk_stiffness(const void *memory)
{
    const struct erk_work *work = memory;
    const struct erk_arrays *at = &work->at;
    int end = work->pair->end;
    double rates = 0, states = 0;

    if (work->lanes)
        return erk_stiffness_in_lane(work);
    for (int n = 0; n < work->dim; n++) {
        double rate = at->k[end][n] - at->k[end - 1][n];
        double state = at->x_new[n] - at->y[end - 1][n];

        rates += rate*rate;
        states += state*state;
    }
    return erk_stiffness_of(work->h[0], rates, states);
}

const double *erk_inside(const void *memory, int i, double *theta)
{
    const struct erk_work *work = memory;
    int stage = work->pair->inner[i];

    *theta = work->pair->node[stage];
    return work->at.y[stage];
}
