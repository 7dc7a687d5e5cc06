/*
 * history.c - the course of a run, with checkpoints (Griewank 1992; Griewank, Walther
 * 2000); see history.h.
 */
#include "events/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void history_init(struct history *history, int state, size_t bytes)
{
    enum { LEAST = 2 };
    size_t each = (state > 0 ? (size_t)state : 1) * sizeof(double);
    *history = (struct history){.state = state, .most = (long)(bytes / each)};
    if (history->most < LEAST)
        history->most = LEAST;
    history_clear(history);
}

static void free_arcs(struct history *history)
{
    for (int k = 0; k < history->arcs; k++) {
        free(history->arc[k].x);
        free(history->arc[k].x_end);
    }
    history->arcs = 0;
}

void history_clear(struct history *history)
{
    free_arcs(history);
    history->steps = history->repeated = 0;
    history->checkpoints = 0;
    history->stride = 1;
    history->stride = 1;
    history->placeds = 0;
    history->extended = 0;
}

void history_free(struct history *history)
{
    free_arcs(history);
    for (int k = 0; k < history->checkpoint_room; k++)
        free(history->checkpoint[k].x);
    free(history->checkpoint);
    free(history->arc);
    free(history->t);
    for (int k = 0; k < history->choices; k++)
        free(history->choice[k].index);
    free(history->choice);
    free(history->used);
    free(history->placed);
    free(history->scratch);
}

/* --- forwards ----------------------------------------------------------------------- */

static double *copy(const struct history *history, const double *x)
{
    double *kept = memory_new(history->state, sizeof *kept);
    memory_copy(kept, x, history->state, sizeof *kept);
    return kept;
}

/* Appends a checkpoint; its memory may be there from one that has been dropped. */
static void push(struct history *history, long step, const double *x)
{
    history->checkpoint = memory_grow(history->checkpoint, &history->checkpoint_room,
                                      history->checkpoints + 1,
                                      sizeof *history->checkpoint);
    struct checkpoint *at = &history->checkpoint[history->checkpoints++];
    at->step = step;
    if (!at->x)
        at->x = memory_new(history->state, sizeof *at->x);
    memory_copy(at->x, x, history->state, sizeof *x);
}

/* Drops every checkpoint whose step is no multiple of twice the stride. */
static void thin(struct history *history)
{
    int left = 0;
    history->stride *= 2;
    for (int k = 0; k < history->checkpoints; k++) {
        struct checkpoint *at = &history->checkpoint[k];
        if (at->step % history->stride != 0)
            continue;
        struct checkpoint kept = *at;
        *at = history->checkpoint[left];
        history->checkpoint[left++] = kept;
    }
    history->checkpoints = left;
}

void history_begin_arc(struct history *history, int mode, double t, const double *x)
{
    history->arc = memory_grow(history->arc, &history->arc_room, history->arcs + 1,
                               sizeof *history->arc);
    history->arc[history->arcs++] = (struct history_arc){
        .mode = mode, .t = t, .x = copy(history, x), .first = history->steps,
        .end = history->steps};
}

/* Half of the checkpoints are left for the way back, unless all states fit. */
void history_step(struct history *history, double t, const double *x)
{
    history->t = memory_grow(history->t, &history->step_room, (int)history->steps + 1,
                             sizeof *history->t);
    long step = history->steps++, most = history->most;
    history->t[step] = t;
    if (step % history->stride != 0)
        return;
    push(history, step, x);
    while (history->checkpoints >= (history->stride == 1 ? most : (most + 1) / 2))
        thin(history);
}

void history_placed(struct history *history)
{
    history->placed = memory_grow(history->placed, &history->placed_room,
                                  history->placeds + 1, sizeof *history->placed);
    history->placed[history->placeds++] = history->steps - 1;
}

static bool is_placed(const struct history *history, long step)
{
    for (int k = history->placeds - 1; k >= 0 && history->placed[k] >= step; k--)
        if (history->placed[k] == step)
            return true;
    return false;
}

/* The number of a choice, which is kept unless it is known. */
static int find_choice(struct history *history, const int *index, int count)
{
    for (int k = 0; k < history->choices; k++) {
        const struct history_choice *known = &history->choice[k];
        if (known->count == count &&
            (count == 0 ||
             memcmp(known->index, index, (size_t)count * sizeof *index) == 0))
            return k;
    }
    history->choice = memory_grow(history->choice, &history->choice_room,
                                  history->choices + 1, sizeof *history->choice);
    struct history_choice *kept = &history->choice[history->choices];
    *kept = (struct history_choice){count, memory_new(count, sizeof *index)};
    memory_copy(kept->index, index, count, sizeof *index);
    return history->choices++;
}

void history_choice(struct history *history, const int *index, int count)
{
    history->used = memory_grow(history->used, &history->used_room, (int)history->steps,
                                sizeof *history->used);
    history->used[history->steps - 1] = find_choice(history, index, count);
}

void history_end_arc(struct history *history, const double *x, int event, int events)
{
    struct history_arc *arc = &history->arc[history->arcs - 1];
    arc->x_end = copy(history, x);
    arc->end = history->steps;
    arc->event = event;
    arc->events = events;
    arc->extended = history->extended;
    history->extended = 0;
}

/* --- backwards ---------------------------------------------------------------------- */

/* The number of steps that s checkpoints, and the state where the steps begin, can take
   back with r repetitions: (s + r)!/(s! r!); limited. */
static double reach(long s, long r)
{
    static const double enough = 1e15;
    double steps = 1;
    for (long k = 1; k <= (s < r ? s : r) && steps < enough; k++)
        steps = steps * (double)((s > r ? s : r) + k) / (double)k;
    return steps;
}

/* The number of steps up to the next checkpoint, on a way of n > 1 steps with s > 0
   checkpoints: as few as leave the rest to s - 1 of them. */
static long to_next(long n, long s)
{
    long r = 1;
    while (reach(s, r) < (double)n)
        r++;
    double rest = reach(s - 1, r);
    return rest < (double)(n - 1) ? n - (long)rest : 1;
}

/* The way back through one arc. */
struct way {
    struct history *history;
    const struct history_arc *arc;
    history_make *make;
    void *context;
    double *x, *x_new;          /* [state] the state in hand, and the next one */
};

static struct history_step step_from(const struct way *way, long step, const double *x)
{
    const struct history *history = way->history;
    const struct history_arc *arc = way->arc;
    double t = step > arc->first ? history->t[step - 1] : arc->t;
    double h = history->t[step] - t;
    bool extended = step == arc->end - 1 && arc->extended > 0;
    const int *choice = history->choices > 0 ? history->choice[history->used[step]].index
                                             : NULL;
    return (struct history_step){.t = t, .h = h, .length = extended ? arc->extended : h,
                                 .placed = is_placed(history, step), .choice = choice,
                                 .x = x};
}

/* Drops checkpoints from this step on, and those of later arcs. Returns the step that the
   last state known begins, which is put into way->x. */
static long last_known(struct way *way, long step)
{
    struct history *history = way->history;
    const struct history_arc *arc = way->arc;
    while (history->checkpoints > 0 &&
           history->checkpoint[history->checkpoints - 1].step >= step)
        history->checkpoints--;
    const struct checkpoint *last = &history->checkpoint[history->checkpoints - 1];
    bool inside = history->checkpoints > 0 && last->step >= arc->first;
    memory_copy(way->x, inside ? last->x : arc->x, history->state, sizeof(double));
    return inside ? last->step + 1 : arc->first;
}

/* Makes steps again from way->x, up to the beginning of `step`, and sets checkpoints. */
static enum status come_to(struct way *way, long from, long step)
{
    struct history *history = way->history;
    enum status status = OK;
    while (from < step && status == OK) {
        long spare = history->most - history->checkpoints;
        long until = spare > 0 ? from + to_next(step + 1 - from, spare) : step;
        for (; from < until && status == OK; from++) {
            struct history_step made = step_from(way, from, way->x);
            double *x = way->x;
            status = way->make(way->context, &made, way->x_new);
            way->x = way->x_new;
            way->x_new = x;
            history->repeated++;
        }
        if (status == OK && spare > 0)
            push(history, from - 1, way->x);
    }
    return status;
}

enum status history_steps_back(struct history *history, const struct history_arc *arc,
                               history_make *make, history_visit *visit, void *context)
{
    double *states = memory_new(2 * history->state, sizeof *states);
    struct way way = {.history = history, .arc = arc, .make = make, .context = context,
                      .x = states, .x_new = states + history->state};
    enum status status = OK;
    for (long step = arc->end - 1; step >= arc->first && status == OK; step--) {
        long known = last_known(&way, step);
        status = come_to(&way, known, step);
        struct history_step visited = step_from(&way, step, way.x);
        if (status == OK)
            status = visit(context, &visited);
    }
    free(states);
    return status;
}
