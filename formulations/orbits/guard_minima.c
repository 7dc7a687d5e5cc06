/*
 * guard_minima.c - guards on samples of an orbit, and on finer ones where they turn
 * (guard_minima.h)
 */
#include "orbits/guard_minima.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/program.h"

/* COARSE: samples of a segment; FINE: of the surroundings of a least value, four times as
   near to it each time. */
enum { COARSE = 64, FINE = 8, REFINEMENTS = 4 };
/* Parts of the largest |r|: one that is farther is not refined, one nearer is zero. */
static const double near = 0.3, zero = 1e-9;

/* The guard of an event and its conditions along a segment. */
struct watched {
    const struct orbit_segment *segment;
    const struct event *event;
    struct program *program;    /* r, conditions */
    double *w;
};

static void watch(struct watched *watched, const struct orbit_segment *segment, int index)
{
    const struct event *event = segment->model->event[index];
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    formula *output = memory_new(1 + event->conditions, sizeof *output);
    output[0] = event->guard;
    memory_copy(output + 1, event->condition, event->conditions, sizeof *output);
    *watched = (struct watched){segment, event,
                                program_seal(segment->model->tape, output,
                                             1 + event->conditions, stage), NULL};
    watched->w = memory_new(watched->program->slots, sizeof *watched->w);
    program_init(watched->program, watched->w);
    program_load(watched->program, BLOCK_RHO, segment->value, watched->w);
    free(output);
}

static void unwatch(struct watched *watched)
{
    program_free(watched->program);
    free(watched->w);
}

/* The segment once more, from its last start, at times since then. NULL: it fails. */
static struct trajectory *sampled(const struct shooting *s,
                                  const struct orbit_segment *segment, double *t,
                                  int samples)
{
    struct run_request run = s->request->run;
    struct diagnosis ignored = {.t = NAN};
    struct trajectory *found = NULL;
    run.model = segment->model;
    run.value = segment->value;
    run.parameters = 0;
    run.parameter = NULL;
    run.t_end = NAN;
    run.samples = samples;
    run.sample = t;
    run.beside = false;
    run.progress = NULL;
    enum status status = run_once(&run, &found, &ignored);
    if (status == OK)
        return found;
    trajectory_free(found);
    return NULL;
}

/* r at a point; NAN: in another mode, or a condition does not hold. */
static double guard_at(struct watched *watched, const struct trajectory *run,
                       const struct run_point *point)
{
    const struct program *program = watched->program;
    const struct model *model = watched->segment->model;
    double *w = watched->w;
    const double *x = point->x;
    if (point->mode->index != watched->event->from->index)
        return NAN;
    program_load(program, BLOCK_T, &point->t, w);
    program_load(program, BLOCK_Q, x + column(&run->columns, GROUP_Q, 0, -1), w);
    program_load(program, BLOCK_V, x + column(&run->columns, GROUP_V, 0, -1), w);
    program_load(program, BLOCK_S, x + column(&run->columns, GROUP_S, 0, -1), w);
    program_load(program, BLOCK_A, x + column(&run->columns, GROUP_A, 0, -1), w);
    if (model->m > 0)
        program_load(program, BLOCK_LAMBDA,
                     x + column(&run->columns, GROUP_LAMBDA, 0, -1), w);
    program_run(program, 1, w);
    for (int k = 1; k <= watched->event->conditions; k++)
        if (!(w[program->output[k]] > 0))
            return NAN;
    return w[program->output[0]];
}

/* Is r on the side from which the guard is watched? */
static bool is_before(const struct event *event, double r)
{
    return (event->direction == RISING && r < 0) ||
           (event->direction == FALLING && r > 0) || event->direction == EITHER;
}

static bool has_event(const struct trajectory *run, double from, double to)
{
    for (int k = 0; k < run->events; k++)
        if (run->event[k].after.t >= from && run->event[k].after.t <= to)
            return true;
    return false;
}

/* The least |r| inside of three samples in a row, by the parabola through them. */
static double turn_of(double a, double b, double c)
{
    double slope = (c - a) / 2, bend = a - 2 * b + c;
    return bend != 0 ? b - slope * slope / (2 * bend) : b;
}

/* The samples of a run between which |r| is least; -1: it nowhere turns back. `size` is
   raised to the largest |r|. */
static int find_turn(struct watched *watched, const struct trajectory *run, double *least,
                     double *size)
{
    int found = -1;
    for (int k = 0; k < run->samples; k++) {
        double r = guard_at(watched, run, &run->sample[k]);
        *size = fmax(*size, isnan(r) ? 0 : fabs(r));
        if (k == 0 || k + 1 == run->samples || !is_before(watched->event, r))
            continue;
        double a = guard_at(watched, run, &run->sample[k - 1]);
        double c = guard_at(watched, run, &run->sample[k + 1]);
        if (!(a * r > 0 && c * r > 0 && fabs(r) <= fabs(a) && fabs(r) <= fabs(c)) ||
            has_event(run, run->sample[k - 1].t, run->sample[k + 1].t))
            continue;
        double own = fabs(turn_of(a, r, c));
        if (own < *least) {
            *least = own;
            found = k;
        }
    }
    return found;
}

/* Looks again nearer to the sample around which |r| is least. */
static void refine(const struct shooting *s, struct watched *watched, double t, double h,
                   double *least)
{
    for (int level = 0; level < REFINEMENTS; level++, h /= FINE / 2) {
        double time[FINE + 1], size = 0, own = INFINITY;
        for (int k = 0; k <= FINE; k++)
            time[k] = t + h * (2.0 * k / FINE - 1);
        struct trajectory *run = sampled(s, watched->segment, time, FINE + 1);
        int found = run ? find_turn(watched, run, &own, &size) : -1;
        if (found >= 0) {
            t = run->sample[found].t;
            *least = own;
        }
        trajectory_free(run);
        if (found < 0)
            return;
    }
}

static void take_segment(const struct shooting *s, const struct orbit_segment *segment,
                         double length, double *least, double *size)
{
    double time[COARSE], begin = segment->value[segment->restart.first + RESTART_T0];
    for (int k = 0; k < COARSE; k++)
        time[k] = begin + length * (k + 1) / COARSE;
    struct trajectory *run = sampled(s, segment, time, COARSE);
    for (int e = 0; run && e < segment->model->events; e++) {
        struct watched watched;
        double own = INFINITY;
        watch(&watched, segment, e);
        int found = find_turn(&watched, run, &own, &size[e]);
        if (found >= 0 && own < near * size[e])
            refine(s, &watched, run->sample[found].t, length / COARSE, &own);
        least[e] = fmin(least[e], own);
        unwatch(&watched);
    }
    trajectory_free(run);
}

void guard_minima(const struct shooting *s, double *least)
{
    int events = s->request->run.model->events;
    double *size = memory_new(events, sizeof *size);
    for (int e = 0; e < events; e++)
        least[e] = INFINITY;
    for (int k = 0; k < s->nodes; k++)
        take_segment(s, &s->segment[k], s->part[k] * shooting_period(s), least, size);
    for (int e = 0; e < events; e++)
        if (least[e] <= zero * size[e])
            least[e] = INFINITY;
    free(size);
}
