/*
 * native_places.h - the points of a trajectory at which the native oracle and the tape
 * are evaluated, and the names of their entries.
 */
#ifndef SALTUS_NATIVE_PLACES_H
#define SALTUS_NATIVE_PLACES_H

#include "oracles/oracle.h"

struct native_place {
    const struct columns *columns;
    const struct run_point *at;
    const double *rho;                  /* [model->p] */
    bool follows;                       /* the exact equations: a and lambda of the run
                                           are judged, too */
    const struct event *fires;          /* event whose reset is here, or NULL */
    const struct event_record *alone;   /* the run's record of that event, where no other
                                           event is at the same time; or NULL */
    /* Some constraints depend on others here. Multipliers are of minimum norm; there are
       no derivatives at a fixed state, where the constraints would contradict each
       other: values only. */
    bool dependent;
};

typedef enum status native_visitor(void *context, const struct native_place *place,
                                   int number, struct diagnosis *diagnosis);

/* At most this many samples, evenly chosen: each costs hundreds of evaluations of a
   case. */
enum { NATIVE_SAMPLES = 8 };

/* Visits samples, then both sides of every event; the reset is at the side before. */
enum status native_visit(const struct run_request *request,
                         const struct trajectory *trajectory, native_visitor *visitor,
                         void *context, struct diagnosis *diagnosis);

/* The names of an entry evaluated from formulas: "KIND.NAME" or "KIND.NAME/dRHO" (by:
   index among the request's parameters, -1: none), group "KIND" or "dKIND/dRHO" (for
   guards and rates "KIND.NAME": own units). Numbers of the run itself are called
   "run.a.x2", "run.dlambda.1/dL01", "run.reset.EVENT.v.x2". */
void native_entry(const struct run_request *request, const char *kind, const char *name,
                  int by, char entry[96], char group[64]);

#endif
