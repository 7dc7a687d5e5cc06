/*
 * domain_edges.h - singularities of formulas: monitors of branch cuts, poles and ends of
 * domains.
 *
 * A formula is differentiated as if it were analytic. If an operation in it is not (atan2
 * on its cut, a quotient at its pole, a square root at zero), a monitor is zero there: a
 * formula of its own, whose root along the motion is the time at which the motion meets
 * the edge. Every route to the motion looks for such roots by itself.
 */
#ifndef SALTUS_DOMAIN_EDGES_H
#define SALTUS_DOMAIN_EDGES_H

#include "base/status.h"
#include "formula/formula.h"

/* A place where an operation ceases to be analytic. */
struct edge {
    enum status status;     /* BRANCH_CUT, POLE or DOMAIN_EDGE */
    formula row;            /* the operation that has the edge */
    formula zero;           /* the monitor, zero on the edge */
    formula beside;         /* no edge where this formula is set and positive */
    int owner;              /* index of the formula that has the operation, by
                               edges_find */
    char *place;            /* name of that formula for messages, owned; set by the
                               caller of edges_find */
};

/* A place where an operation has a value only on one side of an edge: a square root,
   a logarithm, a power, an arc sine. */
struct domain {
    formula row;    /* the operation */
    formula inside; /* not negative where the operation has a value */
    int owner;      /* as of an edge */
    char *place;
};

/* The edges and domains of several formulas. First come those whose monitors depend on
   (t, q, v, s), then those that need the unknowns a, lambda or values after an event,
   then those of parameters alone. */
struct edges {
    struct edge *edge;      /* [room], `count` of them in use */
    int count, room;
    int of_state;           /* number of edges that depend on (t, q, v, s) */
    int moving;             /* number of edges that depend on more than parameters: all
                               of a mode, an event, the start or the end, since a model
                               keeps the others by themselves */
    struct domain *domain;  /* [domain_room], `domains` of them in use; those of
                               parameters alone come last, too */
    int domains, domain_room;
    int moving_domains;     /* number of domains that depend on more than parameters */
};

/* Appends the edges of f [count], each monitor once, and sorts them. A denominator is
   taken apart into its factors. Bounds that hold for all arguments and keep a monitor
   from zero (1 + x*x, 2 + cos(x)) save it; so is a domain that bounds keep. Writes rows
   on the tape. Free by edges_free. */
void edges_find(struct edges *edges, const formula *f, int count);
void edges_free(struct edges *edges);

/* Sets f [2 count + domains] to the formulas that are watched of edges and domains: zero
   [count], then beside [count], then inside [domains]. */
void edges_formulas(const struct edges *edges, formula *f);

/* Refuses a motion that meets the edge at time t (NAN: at any time): the diagnosis
   names the formula, the operation, the monitor, and a remedy. `when` is appended.
   Returns edge->status. */
enum status edge_refuse(const struct edge *edge, const struct names *names, double t,
                        const char *when, struct diagnosis *diagnosis);

/* Refuses a formula that is evaluated outside a domain, where `inside` has that value.
   Returns NOT_FINITE. */
enum status domain_refuse(const struct domain *domain, const struct names *names,
                          double t, double inside, const char *when,
                          struct diagnosis *diagnosis);

#endif
