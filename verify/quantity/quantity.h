/*
 * quantity.h - the key of a number: kind, event, side, component, parameter; and its
 * printed name.
 *
 *     name  = [ place ] [ "d" ] body [ "/d" by ]
 *     place = "before." K "." | "after." K "." | "event." K "."
 *     body  = kind [ "." of ]
 *
 *     q.x2                            coordinate x2 at a sample, or at the end
 *     dlambda.1/dL01                  first multiplier, derivative by parameter L01
 *     before.3.v.y, after.3.dv.y/dL01 on either side of event 3, counted from 1
 *     event.3.t, event.3.dt/dL01      time of event 3
 *     psi.work, dpsi.work/dL01        whole cost, at the end
 *     before.3.dpsi.work/dL01         its gradient by the weights of a sweep backwards,
 *                                     before event 3
 *     stage.a.x2, dstage.a.x2/dL01    the unknown that the method of a DAE has itself
 *     guard.hit, twin.reach           anything else that an oracle has a word for
 *     d2psi.work along w              likewise: w' d2psi w of a cost (mutants/)
 *     guard.hit/dL01                  its derivative at a fixed state
 *
 * Names are made and read here alone. Certified files have words of their own
 * (reference/certificates/).
 */
#ifndef SALTUS_QUANTITY_H
#define SALTUS_QUANTITY_H

#include "columns.h"

/* The first GROUPS kinds are the groups of columns (columns.h), in their order. */
enum quantity_kind {
    QUANTITY_Q, QUANTITY_V, QUANTITY_S, QUANTITY_A, QUANTITY_LAMBDA, QUANTITY_Z,
    QUANTITY_PSI, QUANTITY_TIME, QUANTITY_STAGE,
    QUANTITY_OTHER              /* anything else: its word is the first one of `of` */
};

enum quantity_place {
    AT_POINT,                   /* a sample or the end */
    BEFORE_EVENT, AFTER_EVENT,
    AT_EVENT                    /* a number of the event itself */
};

enum { QUANTITY_NAME = 96 };    /* bytes of any name, with its zero */

struct quantity {
    enum quantity_place place;
    int event;                  /* number of the event from 1; 0: AT_POINT */
    enum quantity_kind kind;
    char of[QUANTITY_NAME];     /* coordinate, multiplier, state or cost; "" of a time */
    char by[QUANTITY_NAME];     /* parameter of a derivative; "": the quantity is no
                                   derivative */
    bool partial;               /* the derivative is at a fixed state, and written without
                                   "d" */
};

/* Every text is read: a name that no rule fits is QUANTITY_OTHER at a point. The name
   before 0.2 of a number after an event, "jump.3.q.x", is read as "after.3.q.x". */
struct quantity quantity_parse(const char *name);
/* true: the name is from before 0.2, and only read. */
bool quantity_is_old_name(const char *name);
/* Prints the name, cut to `size`. */
void quantity_print(const struct quantity *quantity, char *name, size_t size);

/* The key of a column of a trajectory at a point. */
struct quantity quantity_of_column(const struct columns *columns, int column);
/* The column of this name, as column_name() writes it; -1: there is none. */
int quantity_column(const struct columns *columns, const char *name);
/* The key of the time of an event, by a parameter; by "": of the time itself. event 0: of
   whichever event, "dt/dL01". */
struct quantity quantity_of_time(int event, const char *by);
/* The key of a whole cost, by a parameter; by "": of the cost itself. */
struct quantity quantity_of_cost(const char *cost, const char *by);

bool is_derivative(const struct quantity *quantity);
/* Is it the derivative of an event's time by a parameter? */
bool is_time_derivative(const struct quantity *quantity);
/* Does the number belong to an event, or to a side of one? */
bool is_at_event(const struct quantity *quantity);

/* Prints the quantity at whatever time and side of an event: "q.x2", "dq.x2/dL01",
   "event.t", "dt/dL01". */
void quantity_history(const struct quantity *quantity, char *history, size_t size);
/* Prints the name of all numbers that share a unit with this one: "q", "dq/dL01",
   "event.t", "dt/dL01"; every auxiliary state and every cost has a unit of its own:
   "dz.work/dL01". */
void quantity_group(const struct quantity *quantity, char *group, size_t size);
/* Prints one word for all numbers of a kind: "q", "dlambda", "t", "dt", "dstage",
   "guard". */
void quantity_word(const struct quantity *quantity, char *word, size_t size);
/* Prints the place in a few words: "event 3: dlambda.1/dL01 after", "event 3: t"; at a
   point "t = 1.5: q.x2". */
void quantity_place(const struct quantity *quantity, double t, char *text, size_t size);

#endif
