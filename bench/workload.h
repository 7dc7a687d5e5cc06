/*
 * workload.h - what is solved: a case, its derivatives by one or two parameters, and the
 * three numbers of the answer that errors are taken of.
 */
#ifndef SALTUS_BENCH_WORKLOAD_H
#define SALTUS_BENCH_WORKLOAD_H

#include "columns.h"
#include "formulation.h"

enum { ANSWERS = 3, WORKLOAD_PARAMETERS = 2 };
struct answer { double value[ANSWERS]; };

struct workload {
    const char *name;               /* as on the command line: that of the case */
    const char *title;
    const char *parameter[WORKLOAD_PARAMETERS];     /* NULL: there is no second one */
    const char *answer[ANSWERS];    /* columns, at the end */
    double t_end;                   /* the last time of the certified values */
    const char *const *usual;       /* peers without names on the command line; ends with
                                       NULL */
    const char *claim;              /* what is published about its times, or NULL */
};

/* NULL-terminated; the first is W, the only one that others solve, too. */
extern const struct workload *const workloads[];
const struct workload *workload_find(const char *name);

/* The model, to be freed; NULL and a diagnosis. */
struct model *workload_model(const struct workload *workload,
                             struct diagnosis *diagnosis);
/* Indices of its parameters; returns how many. */
int workload_parameters(const struct workload *workload, const struct model *model,
                        int parameter[WORKLOAD_PARAMETERS]);
/* Where the numbers of the answer are among the columns of a result. */
void workload_columns(const struct workload *workload, const struct columns *columns,
                      int column[ANSWERS]);

#endif
