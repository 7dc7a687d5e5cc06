/*
 * workload.h - workloads: a case, its derivatives by one or two parameters, and the
 * numbers of the answer whose errors are measured. Three workloads have a name and three
 * numbers; any other case is a workload, too, with all of its states at the end, and so
 * is the gradient of its first cost.
 */
#ifndef SALTUS_WORKLOAD_H
#define SALTUS_WORKLOAD_H

#include "columns.h"
#include "formulation.h"

struct mp_trajectory;

/* Numbers of a named workload's answer, and of any answer; parameters. */
enum { ANSWERS = 3, MOST_ANSWERS = 400, WORKLOAD_PARAMETERS = 2 };
/* The numbers of an answer, of which [answers] are set; right-hand sides on the way to it
   and those of them that ran compiled, 0 where a peer does not count them. */
struct answer {
    double value[MOST_ANSWERS];
    long evaluations, compiled;
};

/* workload.c sets every member. */
struct workload {
    const char *name;               /* name of the case, and on the command line */
    const char *title;
    const struct case_desc *desc;   /* NULL: the case of that name */
    const char *parameter[WORKLOAD_PARAMETERS];     /* NULL: there is no second one */
    int answers;                    /* number of answers: ANSWERS, or of any other case at
                                       most MOST_ANSWERS */
    const char *const *answer;      /* [answers] names of columns, at the end */
    const double *scale;            /* [answers] divisors of errors; NULL: 1 */
    double t_end;                   /* last time of the certified values */
    const char *const *usual;       /* peers if the command line names none,
                                       NULL-terminated */
    const char *claim;              /* published claim about its times, or NULL */
    int by;                         /* number of parameters of a gradient, whose
                                       derivatives are the answers; 0: they are states */
    const int *by_parameter;        /* [by] their indices in the model */
};

/* The index of the cost of a gradient. */
enum { WORKLOAD_COST = 0 };

/* The named workloads, NULL-terminated; the first is W, the only one that is written by
   hand for other solvers, too. */
extern const struct workload *const workloads[];
/* NULL: there is no workload of this name. */
const struct workload *workload_find(const char *name);

/* The workload of any case: all states at the last certified time and their derivatives
   by the first parameters, each in units of its largest magnitude on the motion; states
   that stay zero are left out. workload_free() frees it. NULL and a diagnosis: no values
   are certified. */
struct workload *workload_of_case(const struct case_desc *desc,
                                  struct diagnosis *diagnosis);
/* The workload of the gradient of the first cost of a case, by all parameters that its
   certified values are differentiated by; derivatives are by relative changes of the
   parameters, in units of the largest of them. NULL and a diagnosis: as above, or the
   case has no cost. */
struct workload *workload_of_gradient(const struct case_desc *desc,
                                      struct diagnosis *diagnosis);
void workload_free(struct workload *workload);
/* The formulation for explicit integrators: index1, or, without constraints, ode. */
const struct formulation *workload_formulation(const struct model *model);

/* A new model of the workload, for the caller to free. NULL and a diagnosis on
   refusal. */
struct model *workload_model(const struct workload *workload,
                             struct diagnosis *diagnosis);
/* Indices in the model of the parameters; returns their number. */
int workload_parameters(const struct workload *workload, const struct model *model,
                        int parameter[WORKLOAD_PARAMETERS]);
/* column [answers]: indices of the answers among the columns of a result. */
void workload_columns(const struct workload *workload, const struct columns *columns,
                      int *column);
/* The certified derivative of the cost by parameter j of those differentiated by. */
double workload_gradient(const struct mp_trajectory *trajectory, int j);

#endif
