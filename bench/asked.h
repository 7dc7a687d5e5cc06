/*
 * asked.h - what is asked of `saltus bench`: a workload, and the peers that solve it.
 */
#ifndef SALTUS_ASKED_H
#define SALTUS_ASKED_H

#include "options/args.h"
#include "tables/table.h"

struct bench {
    const struct args *args;
    double began;                   /* seconds() at the begin */
    const struct workload *workload;
    struct workload *made_workload; /* workload of a case that is not in workloads[], or
                                       NULL */
    struct measuring how;
    int peers;                      /* number of peers */
    const struct peer *peer[MOST_PEERS];
    struct peer made[MOST_PEERS];   /* peers of saltus, made by name */
    struct ladder *ladder;          /* [peers] */
};

/* The case that the first operand names, a model file or one of the catalogue; NULL: it
   is a peer, or there is none. */
const char *asked_case(const struct args *args);
/* Sets the workload; false: it is not known, or a file cannot be read, and that is
   complained of. */
bool asked_workload(struct bench *bench);
/* Sets the peers of that workload, by name or the usual ones; false: one is not known, or
   cannot solve it, and that is complained of. */
bool asked_peers(struct bench *bench);

#endif
