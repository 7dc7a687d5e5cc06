/*
 * closed.h - the parts of a closed form; for the closed_*.c files.
 *
 * A closed form knows the state at the start of an arc, the event that ends the arc and
 * the state there, the state at any time within it, and the effect of the event.
 * closed_walk.c walks from arc to arc and writes the result down, once for values and
 * once for each parameter with rho_j + i h.
 *
 * All numbers are balls (ball.h) of three times the bits of the result, or more, and h =
 * 2^-bits: so h^2, which a complex step neglects and no ball encloses, and rounding,
 * which it divides by h, are both as small as the square of the last digit.
 */
#ifndef SALTUS_CLOSED_H
#define SALTUS_CLOSED_H

#include "oracles/ball.h"
#include "oracles/oracle.h"

/* Most coordinates, auxiliary states, costs; there is one multiplier. */
enum { CLOSED_N = 2, CLOSED_S = 2, CLOSED_COSTS = 3 };

/* Parameters, by name, and the times of the run. */
struct closed_values {
    const struct model *model;
    ball *rho;
    ball t0, t_end;
};
ball closed_value(const struct closed_values *values, const char *parameter);

struct closed_state {
    int mode;                   /* index of the mode */
    int event;                  /* index of the event that began the arc; -1: the arc is
                                   the first */
    ball t, q[CLOSED_N], v[CLOSED_N], s[CLOSED_S], z[CLOSED_COSTS];
};

/* Accelerations, multiplier, rates of s and of the costs in a state. */
struct closed_rates {
    ball a[CLOSED_N], lambda, f_s[CLOSED_S], g[CLOSED_COSTS];
};

struct closed_rules {
    /* Sets the state at t0. Everything is zero, and t is t0, when this is called. */
    void (*start)(const struct closed_values *values, struct closed_state *state);
    /* Sets the index of the event that ends the arc from `start`, and the state before
       the event; -1: there is none up to t_end. */
    enum status (*leave)(const struct closed_values *values,
                         const struct closed_state *start, int *event,
                         struct closed_state *before);
    /* Sets the state of the arc at a time t. */
    enum status (*flow)(const struct closed_values *values,
                        const struct closed_state *start, ball t,
                        struct closed_state *state);
    /* Applies the event; `after` comes as a copy of the state before. */
    void (*reset)(const struct closed_values *values, int event,
                  struct closed_state *after);
    void (*motion)(const struct closed_values *values, const struct closed_state *state,
                   struct closed_rates *rates);
    /* Returns a named reason why there is no answer up to t_end, or OK; may be NULL. */
    enum status (*refuse)(const struct closed_values *values, double *t);
};

/* Time from the start of an arc to the first zero of a guard (ball.h) in a direction, f
   being a function of that time; NULL: there is none up to t_end, and up to the time
   `before` unless that is NULL. */
ball closed_zero(const struct closed_values *values, const struct closed_state *start,
                 ball_motion *f, const void *context, int direction, ball before);
/* Keeps the earlier of a time and the earliest so far, and its event; both times may be
   NULL. */
void closed_earlier(int event, ball time, int *earliest_event, ball *earliest);

/* closed_walk.c: a trajectory of the bits that `digits` need; see
   closed_form_evaluate. */
enum status closed_walk(const struct closed_rules *rules,
                        const struct run_request *request, int digits,
                        struct mp_trajectory **out, struct diagnosis *diagnosis);

/* closed_values.c: sets parameters and times of the request as numbers of `bits`: doubles
   where it gives them, else the constant formulas of the case. Parameter `moved` (-1:
   none) goes to rho + i h; the derivative of the times by it is a difference over h. */
void closed_values_load(struct closed_values *values, const struct run_request *request,
                        long bits, int moved, ball h);

#endif
