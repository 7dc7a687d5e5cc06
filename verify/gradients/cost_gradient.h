/*
 * cost_gradient.h - the gradient of a cost by each method that there is: backwards,
 * forwards, by complex step, by differences of whole runs.
 *
 * The methods stand in one table, so that a command asks all of them by one loop. They
 * share the recorded formulas; the adjoint methods and the direct one share the
 * saltation, complex step and differences use none.
 */
#ifndef SALTUS_COST_GRADIENT_H
#define SALTUS_COST_GRADIENT_H

#include "adjoint/adjoint.h"

/* A gradient by one method. The method sets every member. */
struct cost_gradient {
    enum status status;
    struct diagnosis diagnosis;         /* reason of a status that is not OK; the rest but
                                           formulation, integrator and rtol is then
                                           unset */
    const struct formulation *formulation;  /* that was run */
    const struct integrator *integrator;    /* that the runs began with */
    double rtol;
    double psi;
    double *by_rho;                     /* [parameters] */
    double *error;                      /* [parameters] estimated errors; NULL: the method
                                           has none */
    int events;                         /* number of events of the run at the parameters
                                           themselves */
    long runs, steps, evaluations;      /* runs, their steps and right-hand sides */
    long back_steps, pullbacks;         /* steps and points of the way back (adjoint.h) */
    long repeated;                      /* forward steps made again for want of memory */
    double seconds;                     /* processor time */
};

struct cost_gradient_method {
    const char *name;
    bool estimates;                     /* the method estimates its errors */
    bool backwards;                     /* the method has a way back */
    /* Fills *gradient, of which by_rho is there, and error if the method estimates. */
    enum status (*ask)(const struct adjoint_request *request,
                       struct cost_gradient *gradient);
};

/* All methods; the last one has no name. */
extern const struct cost_gradient_method cost_gradient_methods[];
/* NULL: there is none of this name. */
const struct cost_gradient_method *cost_gradient_find(const char *name);

/* Asks one method; of the request, `method` does not count. The caller clears. */
void cost_gradient_ask(const struct cost_gradient_method *method,
                       const struct adjoint_request *request,
                       struct cost_gradient *gradient);
void cost_gradient_clear(struct cost_gradient *gradient);

/* The size by which a parameter counts: |rho|, 1 where rho = 0. */
double cost_gradient_size(const struct adjoint_request *request, int j);
/* The digits that a largest difference leaves of numbers of this size; at most those of
   a double. */
double cost_gradient_agreement(double worst, double size);
/* The digits in which `other` agrees with `first`: of the largest difference, as a part
   of the largest |rho dpsi/drho| of `first`; at most those of a double. NAN: one of them
   was refused. */
double cost_gradient_digits(const struct adjoint_request *request,
                            const struct cost_gradient *first,
                            const struct cost_gradient *other);

/* By differences (difference.c): a method of the table. */
enum status cost_gradient_difference(const struct adjoint_request *request,
                                     struct cost_gradient *gradient);

#endif
