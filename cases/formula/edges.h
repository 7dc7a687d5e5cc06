/*
 * edges.h - monitors of branch cuts, poles and ends of domains.
 *
 * A formula is differentiated as if it were analytic. Where an operation in it is not
 * (atan2 on its cut, a quotient at its pole, a square root at zero), a monitor is zero: a
 * formula of its own, whose root along the motion is the time at which the motion meets
 * the edge. Every route to the motion looks for those roots by itself.
 */
#ifndef SALTUS_EDGES_H
#define SALTUS_EDGES_H

#include "base/status.h"
#include "formula/formula.h"

struct edge {
    enum status status;     /* BRANCH_CUT, POLE, DOMAIN_EDGE */
    formula row;            /* the operation that has the edge */
    formula zero;           /* is zero on it; */
    formula beside;         /* unless set and positive there */
    int owner;              /* index of the formula it was found in, set by edges_find */
    char *place;            /* name of that formula for messages, owned; set by the
                               caller of edges_find */
};

/* Edges of formulas: first those whose monitors depend on (t, q, v, s), then those that
   need the unknowns a, lambda or values after an event, then those that depend on
   parameters only. */
struct edges {
    struct edge *edge;      /* [count] */
    int count, room;
    int of_state;           /* how many depend on (t, q, v, s) alone, */
    int moving;             /* and on anything but parameters */
};

/* Appends the edges of f[count], each monitor once, and sorts them. A denominator is
   taken apart into its factors. No monitor is made where bounds that hold for all
   arguments keep it from zero: 1 + x*x, 2 + cos(x). Writes rows on the tape. */
void edges_find(struct edges *edges, const formula *f, int count);
void edges_free(struct edges *edges);

/* Refuses a motion that meets the edge at time t (NAN: at any): names the formula, the
   operation, what is zero, and the remedy. Returns edge->status. */
enum status edge_refuse(const struct edge *edge, const struct names *names, double t,
                        const char *when, struct diagnosis *diagnosis);

#endif
