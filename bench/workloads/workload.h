/*
 * workload.h - what is solved: a case, its derivatives by one or two parameters, and the
 * numbers of the answer that errors are taken of. Three have a name and three numbers;
 * any other case is one, too, with all of its states at the end.
 */
#ifndef SALTUS_WORKLOAD_H
#define SALTUS_WORKLOAD_H

#include "columns.h"
#include "formulation.h"

enum { ANSWERS = 3, MOST_ANSWERS = 400, WORKLOAD_PARAMETERS = 2 };
struct answer { double value[MOST_ANSWERS]; };

struct workload {
    const char *name;               /* as on the command line: that of the case */
    const char *title;
    const char *parameter[WORKLOAD_PARAMETERS];     /* NULL: there is no second one */
    int answers;                    /* ANSWERS; of any other case at most MOST_ANSWERS */
    const char *const *answer;      /* [answers] columns, at the end */
    const double *scale;            /* [answers] what errors are divided by; NULL: 1 */
    double t_end;                   /* the last time of the certified values */
    const char *const *usual;       /* peers without names on the command line; ends with
                                       NULL */
    const char *claim;              /* what is published about its times, or NULL */
};

/* NULL-terminated; the first is W, the only one that others solve, too. */
extern const struct workload *const workloads[];
const struct workload *workload_find(const char *name);

/* All states at the last certified time of the case and their derivatives by its first
   parameters, each in units of its largest magnitude on the motion; states that stay zero
   are left out. To be freed; NULL and a diagnosis: no numbers are certified. */
struct workload *workload_of_case(const struct case_desc *desc,
                                  struct diagnosis *diagnosis);
void workload_free(struct workload *workload);
/* What explicit integrators are given: index1, or, without constraints, ode. */
const struct formulation *workload_formulation(const struct model *model);

/* The model, to be freed; NULL and a diagnosis. */
struct model *workload_model(const struct workload *workload,
                             struct diagnosis *diagnosis);
/* Indices of its parameters; returns how many. */
int workload_parameters(const struct workload *workload, const struct model *model,
                        int parameter[WORKLOAD_PARAMETERS]);
/* column [answers]: where the numbers of the answer are among the columns of a result. */
void workload_columns(const struct workload *workload, const struct columns *columns,
                      int *column);

#endif
