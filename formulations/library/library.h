/*
 * library.h - the inside of the handles of saltus.h.
 */
#ifndef SALTUS_LIBRARY_H
#define SALTUS_LIBRARY_H

#include "adjoint/adjoint.h"
#include "library/saltus.h"
#include "run.h"

struct saltus_model {
    struct model *model;
};

struct saltus_solver {
    const struct model *model;
    struct run_request request;
    const char *option[MOST_OPTIONS];       /* texts of the options, owned */
    int *parameter;                         /* [request.parameters] */
    double *sample;                         /* [request.samples] */
    double *stop;                           /* [request.stops] */
    int (*progress)(void *context, double done);
    void *context;
    struct runner *runner;
    struct adjoint *adjoint;                /* of the cost `cost`, made when asked for */
    int cost;
};

struct saltus_result {
    struct trajectory *trajectory;
    char **column;                          /* [columns] their names */
    double *slope;                          /* [nz][p] derivatives of the costs */
    bool complete;                          /* the run has reached its end: there are
                                               costs */
};

/* Fills `error`, unless NULL, from a diagnosis; returns its status. */
int library_fail(struct saltus_error *error, const struct diagnosis *diagnosis);
/* The same from a message, printf-like, BAD_INPUT. */
int library_refuse(struct saltus_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The result of a trajectory, which it owns from now on; NULL: there is none. `complete`:
   the run has reached its end. */
struct saltus_result *library_result(struct trajectory *trajectory, bool complete);

#endif
