/*
 * sweep.h - many trajectories of one case: the request, and the workers that compute
 * rows.
 *
 * A worker is one thread's own copy of all that a run writes to: its model, whose tape
 * grows when equations are compiled, and the values of its parameters. Its unit of work
 * is a batch of neighbouring rows.
 */
#ifndef SALTUS_SWEEP_H
#define SALTUS_SWEEP_H

#include "run.h"
#include "sweep/output.h"
#include "sweep/points.h"
#include "sweep/sweep_line.h"

enum { BATCH = 64 };                /* most rows of a batch */

/* The request; immutable while workers look at it. */
struct sweep {
    const struct case_desc *desc;
    const struct model *model;      /* gives names; every worker records a model of its
                                       own */
    struct run_request request;     /* request of every run, without model, value, t_end
                                       and samples */
    const double *value;            /* [model->p] values of the parameters that are not
                                       swept */
    double t_end;                   /* end of every run; NAN: the model's end at the
                                       values of the row */
    struct points points;
    struct sweep_columns columns;
};

/*
 * Can the request be run at all (options of the formulation, tolerances, integrator)?
 * Compiles the equations at sweep->value and starts them. A refusal there by anything but
 * BAD_INPUT and NOT_APPLICABLE is a matter of single rows: OK.
 */
enum status sweep_check(const struct sweep *sweep, struct diagnosis *diagnosis);

/*
 * The beginning of the table, malloc'ed: everything that decides its numbers, in lines
 * with '#', then the line of names. Sweeps with equal beginnings have equal rows.
 */
char *sweep_heading(const struct sweep *sweep);

/* The rows of its file (output.h); the sweep must outlive them. */
struct output_rows sweep_rows(struct sweep *sweep);

struct worker;
struct worker *worker_open(const struct sweep *sweep);
/* Computes rows first .. first + count - 1 as lines, malloc'ed; NULL: interrupted
   (interrupt.h). A trajectory that is refused is a row, too. */
char *worker_batch(struct worker *worker, long first, int count);
void worker_close(struct worker *worker);

#endif
