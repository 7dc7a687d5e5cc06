/*
 * ida.h - a solver of IDAS with a dense matrix, as the peers idas-* set it up. The file
 * ida.c is compiled twice like theirs (sundials.h).
 */
#ifndef SALTUS_IDA_H
#define SALTUS_IDA_H

#include <idas/idas.h>
#include <nvector/nvector_serial.h>

/* ida.c sets every member. */
struct ida {
    SUNContext context;
    void *memory;                   /* of the library */
    N_Vector y, yd, differential;
    int parameters;                 /* number of sensitivities; 0: none */
    N_Vector *s, *sd;               /* [parameters] or NULL */
    SUNMatrix matrix;
    SUNLinearSolver linear;
};

/* The numbers of a vector. */
static inline double *ida_data(N_Vector x)
{
    return N_VGetArrayPointer(x);
}

/* Aborts on a refusal of a call that the library cannot refuse. */
void ida_must(int flag);
/*
 * Makes a solver of `dim` equations with the Jacobian by differences. The unknowns are
 * blocks of length `block`, of which the first `differential` unknowns are in the error
 * test. Multipliers are not: their errors appear in v, which is. With them in the test a
 * solution took up to ten times as long. `context` is the last argument of callbacks.
 */
void ida_open(struct ida *ida, int dim, int block, int differential, IDAResFn residual,
              void *context);
/* Adds a Jacobian and staggered forward sensitivities, which are in the error test. */
void ida_sensitivities(struct ida *ida, int parameters, IDALsJacFn jacobian,
                       IDASensResFn residual);
/* Begins at t with y, yd, s and sd, which the caller has set, to stop at `end`. */
void ida_restart(struct ida *ida, double t, double end, double tolerance);
/* Frees all of an opened solver; one that is all zero has nothing. */
void ida_close(struct ida *ida);

#endif
