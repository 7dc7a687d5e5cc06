/*
 * peer.h - what is measured: a solver of a workload, as a table.
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

struct peer {
    const char *name;           /* as on the command line */
    const char *title;          /* what is measured, one line */
    const char *build;          /* version and flags of what counts */
    double loosest;             /* tolerance at which its ladder begins */
    /* Saltus: what it solves, the formulation, whose certified motion the answer is held
       against, one of its options as NAME=X or "", and the integrator. None of them:
       written by hand or foreign, W in the penalty formulation. */
    const struct workload *workload;
    const struct formulation *formulation;
    char option[80];
    char made_name[200], made_title[200];   /* name and title, where they were made */
    const struct integrator *integrator;
    /* Everything that need not be done again for the same mechanism; NULL after a
       diagnosis. `close` frees it. */
    void *(*open)(const struct peer *peer, struct diagnosis *diagnosis);
    /* One solution from the start to the end, to a relative tolerance. */
    enum status (*solve)(void *work, double tolerance, struct answer *answer,
                         struct diagnosis *diagnosis);
    void (*close)(void *work);
};

/* NULL-terminated, in the order of peers.def; the first is what the others are compared
   with. */
extern const struct peer *const peer_list[];

enum { MOST_PEERS = 64 };
/*
 * Peers of a workload by name: one of the list, of W; FORMULATION/INTEGRATOR or
 * FORMULATION with the default integrator, FORMULATION:OPTION=VALUE with an option that
 * is not nominal, with /run behind it for all of a run; "formulations" (all that apply,
 * each with its default integrator) or "integrators" (penalty with all of them). Made
 * peers are written to made[], pointers to all of them to list[]; returns how many were
 * added, 0 for an unknown name.
 */
int peers_named(const struct workload *workload, const char *name, struct peer *made,
                const struct peer **list, int room);

/* The options of a saltus peer, in the order of formulation->options. False: there is no
   option of this name. */
bool peer_options(const struct peer *peer, const char **value);

/* What it solves; W by hand and by others. */
const struct workload *peer_workload(const struct peer *peer);
/* The certified answer of the motion that a peer follows. */
enum status peer_truth(const struct peer *peer, struct answer *answer,
                       struct diagnosis *diagnosis);

#endif
