/*
 * adjoint_faults.h - fault injection: bugs of sweeps backwards, in an adjoint that asks
 * for them.
 *
 * The run forwards and its derivatives stay right: only a judge of the sweep can see the
 * faults. No public header knows faults: verify/ asks for them.
 */
#ifndef SALTUS_ADJOINT_FAULTS_H
#define SALTUS_ADJOINT_FAULTS_H

#include "adjoint/adjoint.h"

/* A set of faults is an unsigned; an ordinary adjoint has none. */
enum adjoint_fault {
    ADJOINT_MISSES_EVENT     = 1 << 0,  /* the first instant with events that do not end
                                           the run is passed as if there were none */
    ADJOINT_WRONG_SIDE       = 1 << 1,  /* rates after an event taken before it */
    ADJOINT_NO_SHARE         = 1 << 2,  /* P of every event dropped: what the parameters
                                           themselves add to a jump */
    ADJOINT_NO_EVENT_COST    = 1 << 3,  /* costs of events not differentiated */
    ADJOINT_JUMP_AS_IT_IS    = 1 << 4,  /* mu- = S mu+ at an event */
    ADJOINT_MATRIX_AS_IT_IS  = 1 << 5,  /* R_u eta = c solved on arcs */
    ADJOINT_NO_W_T           = 1 << 6,  /* w_t left out of the weight of dt_F/drho */
    ADJOINT_ONE_JACOBIAN     = 1 << 7,  /* second derivatives with the derivatives of f
                                           before an event taken after it, too */
    ADJOINT_NO_RATE_OF_F     = 1 << 8,  /* second derivatives without d/dt of f along the
                                           motion on either side of an event */
    ADJOINT_NO_SECOND_TIME   = 1 << 9   /* second derivatives without t_e'' */
};

/* adjoint_new() with a set of faults. */
struct adjoint *adjoint_new_with_faults(const struct adjoint_request *request,
                                        unsigned faults, struct diagnosis *diagnosis);

#endif
