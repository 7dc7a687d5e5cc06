/*
 * grazing_end.c - Neville's extrapolation to a transversality of zero (grazing_end.h)
 */
#include "orbits/grazing_end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "orbits/neville.h"

/* An event with less than this part of its largest transversality is near grazing. */
static const double near = 0.3;
/* One with less than this part is so near that the rest is extrapolated. */
static const double there = 1e-4;
/* Points of a polynomial have at most this part of the transversality of the one
   before. */
static const double apart = 0.7;

void grazing_end_rates(const struct shooting *s, double *rate)
{
    for (int k = 0, e = 0; k < s->nodes; k++)
        for (int i = 0; i < s->segment[k].run->events; i++)
            rate[e++] = fabs(s->segment[k].run->event[i].rate);
}

/* The least measure by the largest that the event has had, with the event and its
   measure. */
static double least_of(const struct grazing_end *end, const double *measure, int *event,
                       double *own)
{
    double least = 1;
    *event = -1;
    for (int e = 0; e < end->events; e++)
        if (measure[e] < least * end->largest[e]) {
            least = measure[e] / end->largest[e];
            *event = e;
            *own = measure[e];
        }
    return least;
}

double grazing_end_least(const struct grazing_end *end, const double *measure)
{
    int event;
    double own;
    return least_of(end, measure, &event, &own);
}

static void note_largest(struct grazing_end *end, const double *measure, int events)
{
    if (!end->largest) {
        end->events = events;
        end->largest = memory_new(end->events, sizeof *end->largest);
    }
    for (int e = 0; e < end->events; e++)
        if (isfinite(measure[e]))
            end->largest[e] = fmax(end->largest[e], measure[e]);
}

static void push(struct grazing_end *end, double rate, const struct shooting *s)
{
    if (end->points > 0 && rate > end->rate[end->points - 1])
        end->points = 0;
    if (end->points > 0 && rate > apart * end->rate[end->points - 1])
        return;
    if (end->points == NEVILLE_POINTS) {
        double *const row[] = {end->rate, end->rho, end->period};
        for (int r = 0; r < 3; r++)
            memmove(row[r], row[r] + 1, (NEVILLE_POINTS - 1) * sizeof **row);
        end->points--;
    }
    end->rate[end->points] = rate;
    end->rho[end->points] = s->u[s->unknowns - 1];
    end->period[end->points++] = shooting_period(s);
}

void grazing_end_note(struct grazing_end *end, const double *measure, int events,
                      const struct shooting *s, double arc)
{
    int event;
    double rate = 0;
    note_largest(end, measure, events);
    if (least_of(end, measure, &event, &rate) > near) {
        end->grazing = -1;
        end->points = 0;
        return;
    }
    if (event != end->grazing) {
        end->points = 0;
        end->last = rate;
    }
    end->fall = (end->last - rate) / arc;
    end->grazing = event;
    end->last = rate;
    push(end, rate, s);
}

double grazing_end_step(const struct grazing_end *end, double most)
{
    return end->points > 0 && end->fall > 0 ? fmin(most, 0.5 * end->last / end->fall)
                                            : most;
}

bool grazing_end_is_there(const struct grazing_end *end)
{
    return end->points >= 3 && end->last <= there * end->largest[end->grazing];
}

bool grazing_end_extrapolate(const struct grazing_end *end, double *rho, double *period,
                             double *error)
{
    double ignored;
    if (end->points < 3)
        return false;
    *rho = neville_zero(end->rate, end->rho, end->points, error);
    *period = neville_zero(end->rate, end->period, end->points, &ignored);
    return true;
}

void grazing_end_turn(struct grazing_end *end, int turned)
{
    double *largest = memory_new(end->events, sizeof *largest);
    for (int e = 0; e < end->events; e++)
        largest[e] = end->largest[(e + turned) % end->events];
    free(end->largest);
    end->largest = largest;
    if (end->grazing >= 0)
        end->grazing = (end->grazing - turned + end->events) % end->events;
}

void grazing_end_clear(struct grazing_end *end)
{
    free(end->largest);
    *end = (struct grazing_end){.points = 0};
}
