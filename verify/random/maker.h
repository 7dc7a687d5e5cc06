/*
 * maker.h - a mechanism being drawn; for generate*.c.
 */
#ifndef SALTUS_MAKER_H
#define SALTUS_MAKER_H

#include "random/generate.h"

struct maker {
    struct draw *draw;
    uint64_t state;                     /* state of the random numbers */
    unsigned kinds;
    double mass[DRAW_COORDINATES];
    bool unit[DRAW_COORDINATES];        /* coordinate i is measured in units of u<i> */
    int rows[DRAW_MODES];
    /* coordinate that a row determines */
    int pivot[DRAW_MODES][DRAW_ROWS];
};

/* A part of a formula. */
struct text {
    char is[48];
};
struct text maker_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

double maker_between(struct maker *maker, double low, double high);
int maker_below(struct maker *maker, int count);
/* True with probability p, if the kind is wanted. */
bool maker_chance(struct maker *maker, enum kind kind, double p);
bool maker_toss(struct maker *maker, double p);

/* A number of this range: a parameter that there is, a new one, or a literal. */
struct text maker_number(struct maker *maker, double low, double high);
/* A new parameter, or a literal where there are many already. */
struct text maker_value(struct maker *maker, double value);

/* Coordinates without unit, of order one: "x0", "(x0/u0)"; and "*u0", "/u0" or "". */
struct text maker_q(const struct maker *maker, int i);
struct text maker_v(const struct maker *maker, int i);
struct text maker_a(const struct maker *maker, int i);
struct text maker_times(const struct maker *maker, int i);
struct text maker_per(const struct maker *maker, int i);

/* Is the coordinate determined by a constraint of the mode? */
bool maker_is_dependent(const struct maker *maker, int mode, int i);
/* A random coordinate that is not. */
int maker_independent(struct maker *maker, int mode);

/* generate_equations.c: the first mode, the start and the end. */
void maker_equations(struct maker *maker);
/* generate_start.c: rows of the start, in place of some of what is given. */
void maker_start_rows(struct maker *maker);
/* generate_equations.c: one more force on a coordinate of a mode. */
void maker_force(struct maker *maker, int mode, int i);
/* generate_events.c: up to this many events. */
void maker_events(struct maker *maker, int events);

/* generate_resets.c: chooses the mode `to` of the event and writes its reset. False:
   nothing that fits was found. */
bool maker_reset(struct maker *maker, int e);

#endif
