/*
 * auto_run.h - AUTO-07p as a child process: Debian's objects linked with a boundary value
 * problem in C, run in a folder of its own.
 */
#ifndef SALTUS_AUTO_RUN_H
#define SALTUS_AUTO_RUN_H

#include "bvp/auto_solution.h"
#include "bvp/bvp.h"

/* The tolerances of AUTO that are the same in all runs: EPSL of parameters and EPSU of
   unknowns in Newton's method, by 1 + their size, EPSS of the arc length at which a point
   is located; collocation points of each interval of the mesh. */
extern const double auto_tolerance;
enum { AUTO_NCOL = 4 };

/* A problem that was compiled. */
struct auto_run {
    const struct bvp *bvp;
    char folder[60];            /* temporary; "": none */
    double timeout;             /* of one run, and of the compiler, in seconds */
    int last;                   /* label of the last solution, in fort.3 of the folder;
                                   0: there is none */
    double seconds;             /* of the processor, of all runs so far */
};

/* The folder of AUTO: $AUTO_DIR, else Debian's place; NULL: nowhere. */
const char *auto_place(void);

/* Writes and compiles the problem. OK; NOT_APPLICABLE (bvp_write, or there is no AUTO),
   BAD_ANSWER. To be closed in any case. */
enum status auto_open(struct auto_run *run, const struct bvp *bvp, double timeout,
                      struct diagnosis *diagnosis);
/* Removes the folder. */
void auto_close(struct auto_run *run);

/* The problem at the parameter where it stands, `mesh` intervals: from the first guess if
   there is no last solution. Statuses: NO_CONVERGENCE, or as from child_finish; *out is
   to be cleared in any case. */
enum status auto_solve(struct auto_run *run, int mesh, struct auto_solution *out,
                       struct diagnosis *diagnosis);
/* With all columns, on the mesh of the last solution. */
enum status auto_columns(struct auto_run *run, int mesh, struct auto_solution *out,
                         struct diagnosis *diagnosis);
/* Follows the branch from the last solution to the first fold, or to the parameter `to`,
   where it ends; out->type says which. */
enum status auto_follow(struct auto_run *run, int mesh, double to,
                        struct auto_solution *out, struct diagnosis *diagnosis);

#endif
