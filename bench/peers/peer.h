/*
 * peer.h - peers: solvers of a workload that are measured side by side, as a table.
 *
 * W is five-bar of Corner, Sandu and Sandu 2019 over 5 s with three impacts, in the
 * penalty formulation (64) with alpha = 1e5, xi = 1, omega = 10, and its derivatives by
 * the natural lengths L01, L02 of the springs: 12 + 24 differential equations. Saltus
 * solves other workloads, too. A peer reports its answer, the harness measures time and
 * compares with certified values; no peer judges itself.
 */
#ifndef SALTUS_BENCH_PEER_H
#define SALTUS_BENCH_PEER_H

#include "base/status.h"
#include "formulation.h"
#include "integrators/integrator.h"
#include "workloads/workload.h"

/* The file of a peer sets every member; saltus_peer() those of saltus. */
struct peer {
    const char *name;           /* name on the command line */
    const char *title;          /* method and equations, one line */
    const char *build;          /* version and flags of the code that counts */
    double loosest;             /* tolerance at which its ladder begins */
    const struct workload *workload;        /* set by peers_named; NULL: W */
    const struct formulation *formulation;  /* formulation, whose certified motion the
                                               answer is compared with, set by
                                               peers_named; NULL: penalty */
    char option[80];            /* saltus: an option as NAME=X, or "" */
    char made_name[200], made_title[200];   /* saltus: memory of name and title */
    const struct integrator *integrator;    /* saltus: integrator; else NULL */
    const char *command;        /* a program of its own (foreign.h), whose processor time
                                   counts, or NULL */
    double timeout;             /* seconds that it may take */
    /* Prepares all that is common to solutions of one mechanism. NULL after a diagnosis.
       `close` frees the result. */
    void *(*open)(const struct peer *peer, struct diagnosis *diagnosis);
    /* One solution from the start to the end, to a relative tolerance. */
    enum status (*solve)(void *work, double tolerance, struct answer *answer,
                         struct diagnosis *diagnosis);
    void (*close)(void *work);
};

/* The peers of W, NULL-terminated, in the order of peers.def; the others are compared
   with the first. */
extern const struct peer *const peer_list[];
/* Peers that make the equations of any workload from its formulas, NULL-terminated.
   peers_named() gives them a workload. Their `open` refuses a case with events. */
extern const struct peer *const case_peer_list[];
/* Peers of gradients, of any case, NULL-terminated. */
extern const struct peer *const gradient_peer_list[];

enum { MOST_PEERS = 64 };
/*
 * Adds peers of a workload by name: of a gradient one of gradient_peer_list; else one of
 * peer_list, for W; one of case_peer_list;
 * FORMULATION/INTEGRATOR, or FORMULATION with the default integrator,
 * FORMULATION:OPTION=VALUE with an option that is not nominal, with /run behind it for
 * all of a run; "formulations" (all that apply, each with its default integrator) or
 * "integrators" (all of them, with penalty for W, else the usual formulation). Made peers
 * are written to made[room], pointers to all of them to list[room]. Returns the number
 * added, 0 for an unknown name.
 */
int peers_named(const struct workload *workload, const char *name, struct peer *made,
                const struct peer **list, int room);

/* value = the options of a saltus peer, in the order of formulation->options. False:
   there is no option of this name. */
bool peer_options(const struct peer *peer, const char **value);

/* The workload of a peer: W unless it has one. */
const struct workload *peer_workload(const struct peer *peer);
/* The certified answer of the motion that a peer follows. */
enum status peer_truth(const struct peer *peer, struct answer *answer,
                       struct diagnosis *diagnosis);

#endif
