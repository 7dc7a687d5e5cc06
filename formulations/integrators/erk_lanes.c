/*
 * erk_lanes.c - a step of an explicit Runge-Kutta pair in SIMD lanes.
 */
#include "erk_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/exchange.h"
#include "base/memory.h"
#include "erk_work.h"
#include "simd/lane_loops.h"

struct erk_lanes {
    const struct pair *pair;
    const struct erk_rows *rows;
    const struct lane_loops *loops;
    int dim, packs;                     /* components; packs of all lanes */
    double t[LANES], h[LANES];          /* start and length of the last step; t NAN: the
                                           run in the lane has made none */
    double stiffness[LANES];            /* |h lambda| of that step, if `measured` */
    bool measured;
    struct erk_arrays at;               /* arrays [dim][LANES] */
    double *lost, *lost_new;            /* [dim][LANES] rounding errors of the state at
                                           its start and its end */
    double *times;                      /* [end + 1][LANES] times of stages */
    struct erk_work *owner[LANES];      /* work space of the run in the lane, or NULL */
    struct arena arena;                 /* memory of all arrays */
};

struct erk_lanes *erk_lanes_new(const struct pair *pair, int dim)
{
    int size = dim*LANES;
    struct erk_lanes *lanes = memory_new(1, sizeof *lanes);

    *lanes = (struct erk_lanes){.pair = pair,
                                .rows = erk_choose_rows(pair, true),
                                .loops = lane_loops(),
                                .dim = dim,
                                .packs = dim * LANES / PACK};
    struct arena *arena = &lanes->arena;
    erk_arrays_init(&lanes->at, arena, pair, size);
    lanes->lost = arena_new(arena, size, sizeof *lanes->lost);
    lanes->lost_new = arena_new(arena, size, sizeof *lanes->lost_new);
    lanes->times = arena_new(arena, (pair->end + 1)*LANES, sizeof *lanes->times);
    return lanes;
}

/* --- between a lane and the work space of its run ----------------------------------- */

static void fetch_start(struct erk_work *work)
{
    const struct erk_lanes *lanes = work->lanes;

    lane_take(lanes->dim, lanes->at.c[0], work->lane, work->at.c[0]);
    lane_take(lanes->dim, lanes->lost, work->lane, work->carry.lost);
}

static void fetch_end(struct erk_work *work)
{
    const struct erk_lanes *lanes = work->lanes;

    lane_take(lanes->dim, lanes->at.x_new, work->lane, work->at.x_new);
    lane_take(lanes->dim, lanes->lost_new, work->lane, work->carry.lost_new);
}

void erk_fetch(struct erk_work *work)
{
    const struct erk_lanes *lanes = work->lanes;
    int lane = work->lane;

    if (!lanes || work->fetched)
        return;
    work->fetched = true;
    fetch_start(work);
    fetch_end(work);
    work->t = work->carry.t = lanes->t[lane];
    for (int l = 0; l < LANES; l++)
        work->h[l] = lanes->h[lane];
    for (int i = 0; i <= work->pair->end; i++)
        lane_take(lanes->dim, lanes->at.k[i], lane, work->at.k[i]);
}

void erk_forget(struct erk_work *work)
{
    if (work->lanes)
        work->lanes->owner[work->lane] = NULL;
    work->lanes = NULL;
}

static void leave(struct erk_work *work)
{
    erk_fetch(work);
    erk_forget(work);
}

void erk_leave_to_step(struct erk_work *work, double t)
{
    if (work->lanes && !work->fetched) {
        work->carry.t = work->lanes->t[work->lane];
        if (t == work->carry.t)
            fetch_start(work);
        else
            fetch_end(work);
    }
    erk_forget(work);
}

void erk_lanes_clear(struct erk_lanes *lanes, int lane)
{
    if (lanes->owner[lane])
        leave(lanes->owner[lane]);
}

void erk_lanes_free(struct erk_lanes *lanes)
{
    if (!lanes)
        return;
    for (int l = 0; l < LANES; l++)
        erk_lanes_clear(lanes, l);
    arena_free(&lanes->arena);
    free(lanes);
}

void erk_lanes_put(struct erk_lanes *lanes, int lane, void *memory, double t,
                   const double *x, const double *dx)
{
    struct erk_work *work = memory;

    erk_leave_to_step(work, t);
    erk_lanes_clear(lanes, lane);
    const double *lost = compensated_start(&work->carry, false, t, x, work->at.c[0],
                                           work->at.x_new);
    lane_put(lanes->dim, x, lane, lanes->at.x_new);
    lane_put(lanes->dim, dx, lane, lanes->at.k[lanes->pair->end]);
    lane_put(lanes->dim, lost, lane, lanes->lost_new);
    lanes->owner[lane] = work;
    lanes->t[lane] = NAN;
    work->lanes = lanes;
    work->lane = lane;
    work->fetched = false;
}

bool erk_lanes_has(const struct erk_lanes *lanes, const void *memory)
{
    const struct erk_work *work = memory;

    return work->lanes == lanes;
}

/* --- the step ----------------------------------------------------------------------- */

/* The end of the last step becomes the start of the next in lanes that go on; in a lane
   that tries its step again everything stays. */
static void go_on(struct erk_lanes *lanes, const double *t, const double *h)
{
    struct erk_arrays *at = &lanes->at;
    struct { double **here, **there; } const part[] = {
        { &at->c[0], &at->x_new }, { &at->k[0], &at->k[lanes->pair->end] },
        { &lanes->lost, &lanes->lost_new } };
    double moves[LANES];
    bool all = true;

    for (int l = 0; l < LANES; l++) {
        moves[l] = t[l] != lanes->t[l];
        all = all && (moves[l] > 0 || !lanes->owner[l]);
        if (lanes->owner[l])
            lanes->owner[l]->fetched = false;
    }
    for (size_t i = 0; i < sizeof part/sizeof *part; i++)
        if (all)
            exchange(part[i].here, part[i].there);
        else
            lanes->loops->move(lanes->dim, moves, *part[i].here, *part[i].there);
    memcpy(lanes->t, t, sizeof lanes->t);
    memcpy(lanes->h, h, sizeof lanes->h);
    lanes->measured = false;
}

static void evaluate(struct erk_lanes *lanes, const struct ode_lanes *ode, int stage)
{
    double *y = lanes->at.y[stage];

    lanes->rows->stage[stage](lanes->packs, lanes->h, lanes->at.c[0], lanes->at.k, y);
    ode->rhs(ode->context, lanes->times + stage*LANES, y, lanes->at.k[stage]);
}

static void arrive(struct erk_lanes *lanes, const struct ode_lanes *ode)
{
    struct erk_arrays *at = &lanes->at;
    int end = lanes->pair->end;

    lanes->rows->stage[end](lanes->packs, lanes->h, lanes->lost, at->k, at->change);
    lanes->loops->sum(lanes->dim, at->c[0], at->change, at->x_new,
                      lanes->lost_new);
    ode->rhs(ode->context, lanes->times + end*LANES, at->x_new, at->k[end]);
}

void erk_lanes_step(struct erk_lanes *lanes, const struct ode_lanes *ode, const double *t,
                    const double *h)
{
    go_on(lanes, t, h);
    lanes->loops->times(lanes->pair->end + 1, lanes->pair->node, t, h, lanes->times);
    for (int i = 1; i < lanes->pair->end; i++)
        evaluate(lanes, ode, i);
    arrive(lanes, ode);
    for (int e = 0; e < lanes->pair->errors; e++)
        lanes->rows->error[e](lanes->packs, h, NULL, lanes->at.k, lanes->at.err[e]);
}

static void measure_stiffness(struct erk_lanes *lanes)
{
    const struct erk_arrays *at = &lanes->at;
    int end = lanes->pair->end;
    double rates[LANES], states[LANES];

    lanes->loops->distance(lanes->dim, at->k[end], at->k[end - 1], rates);
    lanes->loops->distance(lanes->dim, at->x_new, at->y[end - 1], states);
    for (int l = 0; l < LANES; l++)
        lanes->stiffness[l] = erk_stiffness_of(lanes->h[l], rates[l], states[l]);
}

/* All lanes are judged by the values at once; runs that are then judged alone ask
   again. */
const double *erk_lanes_stiffness(struct erk_lanes *lanes)
{
    if (!lanes->measured)
        measure_stiffness(lanes);
    lanes->measured = true;
    return lanes->stiffness;
}

double erk_stiffness_in_lane(const struct erk_work *work)
{
    return erk_lanes_stiffness(work->lanes)[work->lane];
}

const double *erk_lanes_end(const struct erk_lanes *lanes)
{
    return lanes->at.x_new;
}

double *const *erk_lanes_errors(const struct erk_lanes *lanes)
{
    return lanes->at.err;
}

const double *erk_lanes_inside(const struct erk_lanes *lanes, int i, double *theta)
{
    int stage = lanes->pair->inner[i];

    *theta = lanes->pair->node[stage];
    return lanes->at.y[stage];
}

void erk_lanes_take_start(const struct erk_lanes *lanes, int lane, double *x, double *dx)
{
    lane_take(lanes->dim, lanes->at.c[0], lane, x);
    lane_take(lanes->dim, lanes->at.k[0], lane, dx);
}

void erk_lanes_take_end(const struct erk_lanes *lanes, int lane, double *x, double *dx)
{
    lane_take(lanes->dim, lanes->at.x_new, lane, x);
    lane_take(lanes->dim, lanes->at.k[lanes->pair->end], lane, dx);
}

void erk_lanes_take_inside(const struct erk_lanes *lanes, int lane)
{
    const struct erk_work *work = lanes->owner[lane];

    for (int i = 0; i < STATES_INSIDE; i++) {
        int stage = lanes->pair->inner[i];

        lane_take(lanes->dim, lanes->at.y[stage], lane, work->at.y[stage]);
    }
}
