/*
 * peer.c - a step of an explicit two-step peer method, and its continuous extension.
 */
#include "peer.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/exchange.h"
#include "base/largest.h"
#include "compensated_sum.h"
#include "dense_output.h"
#include "simd/lanes.h"

struct peer_work {
    const struct peer *peer;
    const struct erk_rows *rows;
    const struct slope_loops *past;
    int dim, packs;
    void *start;                    /* work space of the method of one step */
    enum { NONE, STARTED, MADE } last;  /* how the last step was made */
    bool prepared;                  /* the extension of a start has been */
    bool looked_back;               /* k has what a start leaves for the next step */
    bool arrived;                   /* the last step did not end by a failure */
    double t, h[LANES];             /* the last step; h in every lane */
    double before;                  /* length of the one with the slopes `old`; 0: none */
    double *old[PAST];
    double *k[PEER_SLOPES];
    double *first;                  /* k_0, unless it is the last of the old ones */
    double *c[ERK_TERMS];          /* the extension; c_0 is x */
    double *y[PEER_STAGES];         /* their arguments; all but inner ones share one */
    double *x_new, *change;         /* x_new - x */
    double *err;
    struct compensated_sum carry;
};

/* --- memory ------------------------------------------------------------------------- */

enum { ARRAYS = PAST + PEER_SLOPES + ERK_TERMS + 4 + STATES_INSIDE };

static void lay_out(struct peer_work *work, double *row, size_t size)
{
    const int *inner = work->peer->pair->inner;

    for (int i = 0; i < PAST; i++, row += size)
        work->old[i] = row;
    for (int i = 0; i < PEER_SLOPES; i++, row += size)
        work->k[i] = row;
    work->first = work->k[0];
    for (int i = 0; i < ERK_TERMS; i++, row += size)
        work->c[i] = row;
    for (int i = 0; i < PEER_STAGES; i++)
        work->y[i] = row;
    for (int i = 0; i < STATES_INSIDE; i++)
        work->y[inner[i]] = row += size;
    work->x_new = row + size;
    work->change = row + 2*size;
    work->err = row + 3*size;
}

/* One block for all arrays, each of them whole packs, padded with zeros. */
void *peer_alloc(const struct peer *peer, int dim)
{
    int packs = simd_packs(dim);
    double *row;
    struct peer_work *work = simd_alloc(sizeof *work, ARRAYS, dim, &row);

    if (!work)
        return NULL;
    *work = (struct peer_work){.peer = peer,
                               .dim = dim,
                               .packs = packs,
                               .rows = erk_choose_rows(peer->pair, false),
                               .past = slope_loops(true),
                               .start = peer->start->alloc(dim)};
    if (!work->start) {
        free(work);
        return NULL;
    }
    lay_out(work, row, (size_t)packs*PACK);
    compensated_init(&work->carry, dim);
    return work;
}

void peer_release(void *memory)
{
    struct peer_work *work = memory;

    if (!work)
        return;
    work->peer->start->release(work->start);
    compensated_clear(&work->carry);
    free(work);
}

void peer_interrupt(void *memory)
{
    struct peer_work *work = memory;

    work->last = NONE;
    work->before = 0;
}

/* All else is written before it is read. */
void peer_restart(void *memory)
{
    struct peer_work *work = memory;

    peer_interrupt(work);
    compensated_restart(&work->carry);
    work->peer->start->restart(work->start);
}

/* --- the step before ---------------------------------------------------------------- */

/* Is x, by compensated_start, where the last step ended, but for a projection?
   That moves by errors of a step, of which there are thousands in a change. */
static bool is_end(struct peer_work *work, double t, const double *x)
{
    static const double moved = 1e-3;
    double end = work->t + work->h[0], off = 0;

    if (!work->arrived || fabs(t - end) > 2*DBL_EPSILON*larger(fabs(t), fabs(work->t)))
        return false;
    if (work->carry.same && !work->carry.again)
        return true;
    for (int n = 0; n < work->dim; n++)
        off = larger(off, fabs(x[n] - work->x_new[n]));
    for (int n = 0; n < work->dim; n++)
        work->change[n] = work->x_new[n] - work->c[0][n];
    return off <= moved*largest(work->change, work->dim);
}

/* The slopes that a step by the method of one step would have had. Some are evaluated for
   that, where sums of old slopes will be. */
static enum status look_back(struct peer_work *work, const struct ode *ode)
{
    const struct peer *peer = work->peer;
    int last = work->prepared ? 0 : peer->start_last;   /* all are there, or none */
    int first = peer->start_last + 1;
    double *const *of_start, *k[PEER_START_SLOPES];
    enum status status = erk_slopes(work->start, ode, last, &of_start);

    memcpy(k, of_start, (size_t)first*sizeof *k);
    for (int i = 0; i < peer->start_more && status == OK; i++) {
        int stage = PEER_STAGES + 1 + i;
        double *y = work->y[0];

        k[first + i] = work->k[PEER_PAST + i];
        work->rows->stage[stage](work->packs, work->h, work->c[0], k, y);
        status = ode->rhs(ode->context, work->t + peer->pair->node[stage]*work->h[0], y,
                          k[first + i]);
    }
    for (int i = 1; i < PEER_STAGES && status == OK; i++)
        work->rows->slope[i](work->packs, NULL, NULL, k, work->k[i]);
    return status;
}

/* The errors are differences of its slopes. */
enum status peer_errors_of_first(void *memory, const struct ode *ode, double *const *err)
{
    struct peer_work *work = memory;
    enum status status = look_back(work, ode);

    work->looked_back = status == OK;
    if (status == OK)
        erk_errors(work->peer->pair, work->rows, work->dim, work->h, work->k, work->err,
                   err);
    return status;
}

/* The last step was accepted: its slopes are the old ones. */
static enum status go_on(struct peer_work *work, const struct ode *ode)
{
    bool look = work->last == STARTED && !work->looked_back;
    enum status status = look ? look_back(work, ode) : OK;

    if (status != OK) {
        peer_interrupt(work);
        return status;
    }
    for (int i = 0; i < PAST; i++)
        exchange(&work->old[i], &work->k[1 + i]);
    work->before = work->h[0];
    return OK;
}

static bool may_follow(const struct peer *peer, double h, double before)
{
    return fabs(before) > 0 && h/before > 0 && h/before <= peer->growth;
}

/* Finds out what the step of h from (t, x) follows: the last one, or what that followed
   if it is tried again, or nothing; and sets k_0, which the last one ended with. */
static enum status connect(struct peer_work *work, const struct ode *ode, double t,
                           double h, const double *x, const double *dx)
{
    bool same = work->carry.same && work->last != NONE;
    enum status status = OK;

    if (same && work->carry.again)
        return OK;
    if (work->last != NONE && is_end(work, t, x) &&
        (work->last == MADE || may_follow(work->peer, h, work->h[0])))
        status = go_on(work, ode);
    else
        peer_interrupt(work);
    if (work->before > 0 && same) {
        work->k[0] = work->old[PAST - 1];
    } else {
        work->k[0] = work->first;
        memcpy(work->first, dx, (size_t)work->dim*sizeof *dx);
    }
    return status;
}

/* --- the step ----------------------------------------------------------------------- */

static enum status make_start(struct peer_work *work, const struct ode *ode,
                              double *x_new, double *const *err)
{
    size_t size = (size_t)work->dim*sizeof *x_new;
    enum status status = work->peer->start->step(work->start, ode, work->t, work->h[0],
                                                 work->c[0], work->k[0], work->x_new,
                                                 work->k[PEER_STAGES], err);

    work->last = STARTED;
    work->prepared = work->looked_back = false;
    memset(work->carry.lost_new, 0, size);
    if (status == OK)
        memcpy(x_new, work->x_new, size);
    return status;
}

static enum status make_step(struct peer_work *work, const struct ode *ode,
                             const double *lost, double *x_new)
{
    _Alignas(64) double a[PAST][PAST];
    const double *node = work->peer->pair->node, *h = work->h;
    enum status status = OK;

    work->last = MADE;
    work->past->coefficients(*work->peer->past, *h/work->before - 1, a);
    work->past->sums(work->packs, a, work->old, work->k + PEER_PAST);
    for (int i = 1; i < PEER_STAGES && status == OK; i++) {
        work->rows->stage[i](work->packs, h, work->c[0], work->k, work->y[i]);
        status = ode->rhs(ode->context, work->t + node[i]**h, work->y[i], work->k[i]);
    }
    if (status != OK)
        return status;
    work->rows->stage[PEER_STAGES](work->packs, h, lost, work->k, work->change);
    compensated_sum(&work->carry, work->c[0], work->change, work->x_new, x_new);
    return ode->rhs(ode->context, work->t + *h, work->x_new, work->k[PEER_STAGES]);
}

enum status peer_step(void *memory, const struct ode *ode, double t, double h,
                      const double *x, const double *dx, double *x_new, double *dx_new,
                      double *const *err)
{
    struct peer_work *work = memory;
    size_t size = (size_t)work->dim*sizeof(double);
    const double *lost = compensated_start(&work->carry, ode->goes_on, t, x, work->c[0],
                                           work->x_new);
    enum status status = connect(work, ode, t, h, x, dx);

    compensated_keep(&work->carry, x, &work->c[0], &work->x_new);
    if (status != OK)
        return status;
    work->t = t;
    for (int l = 0; l < LANES; l++)
        work->h[l] = h;
    work->arrived = false;
    if (may_follow(work->peer, h, work->before))
        status = make_step(work, ode, lost, x_new);
    else
        status = make_start(work, ode, x_new, err);
    if (status != OK)
        return status;
    work->arrived = true;
    if (work->last == MADE)
        erk_errors(work->peer->pair, work->rows, work->dim, work->h, work->k, work->err,
                   err);
    /* Last: read in wide registers, what has just been stored in narrow ones waits. */
    memcpy(dx_new, work->k[PEER_STAGES], size);
    return OK;
}

/* --- the extension ------------------------------------------------------------------ */

enum status peer_prepare(void *memory, const struct ode *ode)
{
    struct peer_work *work = memory;
    const struct pair *pair = work->peer->pair;

    if (work->last == STARTED) {
        enum status status = work->peer->start->prepare(work->start, ode);

        work->prepared = status == OK;
        return status;
    }
    dense_output_ends(work->dim, work->h[0], work->c[0], work->k[0], work->x_new,
                      work->k[PEER_STAGES], work->c);
    for (int n = 0; n < work->dim; n++)
        work->k[PEER_MEAN][n] = work->c[1][n]/work->h[0];
    for (int i = 4; i < pair->terms; i++)
        work->rows->dense[i](work->packs, work->h, NULL, work->k, work->c[i]);
    return OK;
}

void peer_dense(const void *memory, double theta, int first, int count, double *x)
{
    const struct peer_work *work = memory;

    if (work->last == STARTED)
        work->peer->start->dense(work->start, theta, first, count, x);
    else
        dense_output_value(work->peer->pair->terms, work->c, theta, first, count, x);
}

const double *peer_inside(const void *memory, int i, double *theta)
{
    const struct peer_work *work = memory;
    int stage = work->peer->pair->inner[i];

    if (work->last == STARTED)
        return work->peer->start->inside(work->start, i, theta);
    *theta = work->peer->pair->node[stage];
    return work->y[stage];
}
