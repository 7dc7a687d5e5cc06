/*
 * cost_hessian.h - second derivatives of a cost: in double by tangent over adjoint, and
 * certified in MPFR.
 */
#ifndef SALTUS_COST_HESSIAN_H
#define SALTUS_COST_HESSIAN_H

#include "adjoint/adjoint.h"
#include "reference.h"

/* All that is asked for. The caller sets every member. */
struct hessian_request {
    struct adjoint_request adjoint;     /* `method` and `hessian` of it do not count */
    int digits;                         /* digits to be certified */
    int threads;                        /* of the certified method */
};

/* Second derivatives by one method, which sets every member. */
struct cost_hessian {
    enum status status;
    struct diagnosis diagnosis;         /* reason of a status that is not OK; the rest is
                                           then unset */
    double psi;
    double *by_rho;                     /* [parameters] first derivatives */
    double *by_two;                     /* [parameters][parameters] */
    int events;                         /* events of the run at the parameters
                                           themselves */
    long runs, steps;                   /* whole runs; steps of the one in double */
    long back_steps, pullbacks;         /* steps and points of its way back (adjoint.h) */
    struct mp_hessian *certified;       /* the numbers in MPFR; NULL: there are none */
};

struct cost_hessian_method {
    const char *name;
    enum status (*ask)(const struct hessian_request *request,
                       struct cost_hessian *hessian);
};

/* The methods; the last one has no name. */
extern const struct cost_hessian_method cost_hessian_methods[];
/* NULL: there is none of this name. */
const struct cost_hessian_method *cost_hessian_find(const char *name);

/* Asks one method. The caller clears. */
void cost_hessian_ask(const struct cost_hessian_method *method,
                      const struct hessian_request *request,
                      struct cost_hessian *hessian);
void cost_hessian_clear(struct cost_hessian *hessian);

/* CPU seconds of the certified method, by a rough estimate. */
double cost_hessian_seconds(const struct hessian_request *request);

/* The digits in which rows and columns agree, and those in which two Hessians do: of the
   largest difference, as a part of the largest |rho_j rho_k d2psi/drho_j drho_k| (rho = 0
   counts as 1); at most those of a double. NAN: one was refused. */
double cost_hessian_symmetry(const struct adjoint_request *request,
                             const struct cost_hessian *hessian);
double cost_hessian_digits(const struct adjoint_request *request,
                           const struct cost_hessian *first,
                           const struct cost_hessian *other);

#endif
