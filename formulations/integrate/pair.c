/*
 * pair.c - a step of an explicit Runge-Kutta pair, and its continuous extension.
 */
#include "pair.h"

#include <stdlib.h>
#include <string.h>

#include "carry.h"
#include "extension.h"

struct pair_work {
    const struct pair *pair;
    const struct pair_rows *rows;
    int dim, packs;
    double t, h;                    /* the last step, which the extension continues */
    double *k[PAIR_SLOPES];         /* k_0 = f(t, x), k_end = f(t + h, x_new) */
    double *c[PAIR_TERMS];          /* the extension; c_0 is x */
    double *x_new;
    double *change;                 /* x_new - x */
    double *err[PAIR_ERRORS];
    double *y[PAIR_SLOPES];         /* arguments of the stages; all but inner ones share one */
    struct carry carry;
};

static const struct pair_rows *choose_rows(const struct pair *pair)
{
#ifdef __x86_64__
    if (pair->avx2 && __builtin_cpu_supports("avx2"))
        return pair->avx2;
#endif
    return pair->plain;
}

/* One block for all arrays, each of them whole packs, padded with zeros. */
void *pair_alloc(const struct pair *pair, int dim)
{
    enum { ROWS = PAIR_SLOPES + PAIR_TERMS + 2 + PAIR_ERRORS + 1 + PAIR_INNER };
    size_t packs = ((size_t)dim + PACK - 1)/PACK, size = packs*PACK;
    size_t header = (sizeof(struct pair_work) + 63)/64*64;
    size_t bytes = (header + ROWS*size*sizeof(double) + 63)/64*64;
    struct pair_work *work = aligned_alloc(64, bytes);

    if (!work)
        return NULL;
    memset(work, 0, bytes);
    *work = (struct pair_work){ .pair = pair, .rows = choose_rows(pair), .dim = dim,
                                .packs = (int)packs };
    double *row = (double *)(void *)((char *)work + header);
    for (int i = 0; i < PAIR_SLOPES; i++, row += size)
        work->k[i] = row;
    for (int i = 0; i < PAIR_TERMS; i++, row += size)
        work->c[i] = row;
    for (int i = 0; i < PAIR_ERRORS; i++, row += size)
        work->err[i] = row;
    for (int i = 0; i < PAIR_SLOPES; i++)
        work->y[i] = row;
    for (int i = 0; i < PAIR_INNER; i++)
        if (pair->inner[i] > 0)
            work->y[pair->inner[i]] = row += size;
    work->x_new = row + size;
    work->change = row + 2*size;
    carry_init(&work->carry, dim);
    return work;
}

void pair_release(void *memory)
{
    struct pair_work *work = memory;

    if (work)
        carry_clear(&work->carry);
    free(work);
}

static enum status evaluate(struct pair_work *work, const struct ode *ode, int stage)
{
    double *y = work->y[stage];

    work->rows->stage[stage](work->packs, work->h, work->c[0], work->k, y);
    return ode->rhs(ode->context, work->t + work->pair->node[stage]*work->h, y,
                    work->k[stage]);
}

/* The last stage is the end of the step. */
static enum status arrive(struct pair_work *work, const struct ode *ode,
                          const double *lost)
{
    int end = work->pair->end;

    work->rows->stage[end](work->packs, work->h, lost, work->k, work->change);
    carry_sum(&work->carry, work->c[0], work->change, work->x_new);
    return ode->rhs(ode->context, work->t + work->h, work->x_new, work->k[end]);
}

enum status pair_step(void *memory, const struct ode *ode, double t, double h,
                      const double *x, const double *dx, double *x_new, double *dx_new,
                      double *const *err)
{
    struct pair_work *work = memory;
    size_t size = (size_t)work->dim*sizeof(double);
    const double *lost = carry_start(&work->carry, t, x, work->c[0], work->x_new);

    work->t = t;
    work->h = h;
    memcpy(work->c[0], x, size);
    memcpy(work->k[0], dx, size);
    enum status status = OK;
    for (int i = 1; i < work->pair->end && status == OK; i++)
        status = evaluate(work, ode, i);
    if (status == OK)
        status = arrive(work, ode, lost);
    if (status != OK)
        return status;
    memcpy(x_new, work->x_new, size);
    memcpy(dx_new, work->k[work->pair->end], size);
    for (int e = 0; e < work->pair->errors; e++) {
        work->rows->error[e](work->packs, h, NULL, work->k, work->err[e]);
        memcpy(err[e], work->err[e], size);
    }
    return OK;
}

enum status pair_prepare(void *memory, const struct ode *ode)
{
    struct pair_work *work = memory;

    for (int i = work->pair->end + 1; i < work->pair->slopes; i++) {
        enum status status = evaluate(work, ode, i);

        if (status != OK)
            return status;
    }
    extension_ends(work->dim, work->h, work->c[0], work->k[0], work->x_new,
                   work->k[work->pair->end], work->c);
    for (int i = 4; i < PAIR_TERMS; i++)
        work->rows->dense[i](work->packs, work->h, NULL, work->k, work->c[i]);
    return OK;
}

void pair_dense(const void *memory, double theta, int first, int count, double *x)
{
    const struct pair_work *work = memory;

    extension_value(PAIR_TERMS, work->c, theta, first, count, x);
}

const double *pair_inside(const void *memory, int i, double *theta)
{
    const struct pair_work *work = memory;
    int stage = work->pair->inner[i];

    *theta = work->pair->node[stage];
    return work->y[stage];
}
