/*
 * motion_series.c - Taylor series of the motion with the pivoting solver; see
 * motion_series.h.
 */
#include "motion_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "program/series.h"

struct motion_series {
    struct mode_system *ms;
    const struct model *model;
    struct series *series;          /* coefficients of ms->motion */
    int order;
    int moving;                     /* number of entries of R_u that change in time */
    struct moving {
        int row, column, output;
    } *entry;                       /* [moving] these entries */
    double *R_k;                    /* [unknowns] */
    double *u_dot;                  /* [order + 1][unknowns] along the last direction */
    double *unit;                   /* [p] scratch: a direction of rho */
    struct arena arena;             /* of all arrays */
};

void series_integrate(int n, int state, int k, const double *x, double *next)
{
    for (int i = 0; i < n; i++)
        next[i] = x[n + i] / (k + 1);
    for (int i = n; i < state; i++)
        next[i] /= k + 1;
}

/* Lists the moving entries of R_u from `begin` to `end`, which are those of a row. */
static void list_moving(struct motion_series *own, int row, int begin, int end)
{
    const struct mode_system *ms = own->ms;
    const struct entries *at = ms->linear->alloc_sparse ? &ms->entries : NULL;
    for (int k = begin; k < end; k++) {
        int output = ms->at.R_u + k, column = at ? at->column[k] : k - begin;
        if (!ms->motion->steady[ms->motion->output[output]])
            own->entry[own->moving++] = (struct moving){row, column, output};
    }
}

struct motion_series *motion_series_new(struct mode_system *ms, const struct model *model,
                                        int order)
{
    int rows = ms->unknowns, entries = ms->at.R_dot - ms->at.R_u;
    struct motion_series *own = memory_new(1, sizeof *own);
    *own = (struct motion_series){.ms = ms, .model = model, .order = order};
    own->series = series_new(ms->motion, order);
    own->entry = arena_new(&own->arena, entries, sizeof *own->entry);
    const int *begin = ms->linear->alloc_sparse ? ms->entries.begin : NULL;
    for (int i = 0; i < rows; i++)
        list_moving(own, i, begin ? begin[i] : i * rows,
                    begin ? begin[i + 1] : (i + 1) * rows);
    own->R_k = arena_new(&own->arena, rows, sizeof *own->R_k);
    own->u_dot = arena_new(&own->arena, (order + 1) * rows, sizeof *own->u_dot);
    own->unit = arena_new(&own->arena, model->p, sizeof *own->unit);
    series_init(own->series);
    return own;
}

void motion_series_free(struct motion_series *own)
{
    if (!own)
        return;
    series_free(own->series);
    arena_free(&own->arena);
    free(own);
}

static void load(struct motion_series *own, int block, int count, int k, const double *x)
{
    for (int i = 0; i < count; i++)
        series_load(own->series, block, i, k, x[i]);
}

void motion_series_set(struct motion_series *own, const double *rho)
{
    load(own, BLOCK_RHO, own->model->p, 0, rho);
    series_run(own->series, STAGE_RHO, 0);
}

/* --- values ------------------------------------------------------------------------- */

/* Finds coefficient k > 0 of the unknowns: R_k depends on them through R_u of the point
   alone, so one solve from zero is enough, after which R_k is zero to rounding. An
   iterated residual depends on them as mu, too, and takes some more solves. */
static void find_unknowns(struct motion_series *own, int k, double *a, double *lambda)
{
    enum { MOST = 30 };
    struct mode_system *ms = own->ms;
    int n = own->model->n, m = ms->mode->m;
    double change = INFINITY, last = INFINITY;
    if (k > 0) {
        memset(a, 0, (size_t)n * sizeof *a);
        memset(lambda, 0, (size_t)m * sizeof *lambda);
    }
    for (int pass = 0; pass < MOST; pass++) {
        load(own, BLOCK_A, n, k, a);
        load(own, BLOCK_LAMBDA, m, k, lambda);
        if (ms->iterated)
            load(own, BLOCK_MU, m, k, lambda);
        series_run(own->series, STAGE_UNKNOWN, k);
        bool done = !ms->iterated || !(change < last);
        if (k == 0 || (pass > 0 && done))
            return;
        last = change;
        for (int i = 0; i < ms->unknowns; i++)
            own->R_k[i] = series_output(own->series, ms->at.R + i, k);
        change = system_correct(ms, own->R_k, a, lambda);
    }
}

void motion_series_raise(struct motion_series *own, double t, int k, const double *x,
                         double *a, double *lambda)
{
    int n = own->model->n;
    load(own, BLOCK_T, 1, k, &(double){k == 0 ? t : k == 1});
    load(own, BLOCK_Q, n, k, x);
    load(own, BLOCK_V, n, k, x + n);
    load(own, BLOCK_S, own->model->ns, k, x + 2 * n);
    series_run(own->series, STAGE_STATE, k);
    find_unknowns(own, k, a, lambda);
}

static void give(const struct motion_series *own, int first, int count, int k, double *x)
{
    for (int i = 0; i < count; i++)
        x[i] = series_output(own->series, first + i, k);
}

void motion_series_rates(const struct motion_series *own, int k, double *rates)
{
    int ns = own->model->ns;
    give(own, own->ms->at.f_s, ns, k, rates);
    give(own, own->ms->at.g, own->model->nz, k, rates + ns);
}

/* --- along a direction -------------------------------------------------------------- */

/* Finds u'_k from R'_k and all lower orders of u'. */
static void find_direction(struct motion_series *own, int k, double *da, double *dlambda)
{
    struct mode_system *ms = own->ms;
    int rows = ms->unknowns;
    memset(da, 0, (size_t)own->model->n * sizeof *da);
    memset(dlambda, 0, (size_t)ms->mode->m * sizeof *dlambda);
    give(own, ms->at.R_dot, rows, k, own->R_k);
    for (int e = 0; e < own->moving; e++) {
        const struct moving *at = &own->entry[e];
        double sum = 0;
        for (int i = 1; i <= k; i++)
            sum += series_output(own->series, at->output, i) *
                   own->u_dot[(k - i) * rows + at->column];
        own->R_k[at->row] += sum;
    }
    system_correct(ms, own->R_k, da, dlambda);
    for (int i = 0; i < rows; i++) {
        const struct unknown *u = &ms->unknown[i];
        own->u_dot[k * rows + i] = (u->block == BLOCK_A ? da : dlambda)[u->index];
    }
}

void motion_series_raise_direction(struct motion_series *own, int k, const double *Y,
                                   int parameter, double *da, double *dlambda)
{
    int n = own->model->n;
    own->unit[parameter] = k == 0;
    load(own, TANGENT(BLOCK_T), 1, k, &(double){0});
    load(own, TANGENT(BLOCK_Q), n, k, Y);
    load(own, TANGENT(BLOCK_V), n, k, Y + n);
    load(own, TANGENT(BLOCK_S), own->model->ns, k, Y + 2 * n);
    if (k == 0)
        load(own, TANGENT(BLOCK_RHO), own->model->p, k, own->unit);
    own->unit[parameter] = 0;
    series_run(own->series, STAGE_DIRECTION, k);
    find_direction(own, k, da, dlambda);
    load(own, TANGENT(BLOCK_A), n, k, da);
    load(own, TANGENT(BLOCK_LAMBDA), own->ms->mode->m, k, dlambda);
    series_run(own->series, STAGE_DIRECTION_UNKNOWN, k);
}

void motion_series_direction_rates(const struct motion_series *own, int k, double *rates)
{
    int ns = own->model->ns;
    give(own, own->ms->at.f_s_dot, ns, k, rates);
    give(own, own->ms->at.g_dot, own->model->nz, k, rates + ns);
}

struct motion_series *system_motion_series(const struct system *system,
                                           struct mode_system *ms, int order)
{
    if (ms->series && ms->series->order < order) {
        motion_series_free(ms->series);
        ms->series = NULL;
    }
    if (!ms->series) {
        ms->series = motion_series_new(ms, system->model, order);
        ms->series_set = false;
    }
    if (!ms->series_set)
        motion_series_set(ms->series, system->rho);
    ms->series_set = true;
    return ms->series;
}
