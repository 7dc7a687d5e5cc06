/*
 * native_model.h - the door to the case files compiled as quadruple precision C.
 *
 * On this side of the door nobody knows cases/model/: modes, events and parameters have
 * the numbers of the case's declarations.
 */
#ifndef SALTUS_NATIVE_MODEL_H
#define SALTUS_NATIVE_MODEL_H

#include <stdbool.h>

#include "quad.h"

struct native_case;

enum { NATIVE_ROWS = 64 };      /* most constraints or impulses; a case with more is not
                                   compiled natively */

/* The blocks of variables of a case. */
enum native_block { NATIVE_T, NATIVE_Q, NATIVE_V, NATIVE_S, NATIVE_A, NATIVE_LAMBDA,
                    NATIVE_RHO, NATIVE_Q_PLUS, NATIVE_V_PLUS, NATIVE_S_PLUS,
                    NATIVE_IMPULSE, NATIVE_BLOCKS };

/* A case and a point at which it is evaluated. */
struct native_point {
    const struct native_case *of;
    int n, ns, nz, p, modes, events;
    int m;                          /* number of constraints of the mode evaluated last */
    int impulses;                   /* number of impulses of the event evaluated last */
    int size[NATIVE_BLOCKS];
    quad_complex *x[NATIVE_BLOCKS];
};

/* A case with its point at zero; NULL: there is no native case of that name. */
struct native_point *native_point_new(const char *case_name);
void native_point_free(struct native_point *point);

/* Sets a and lambda of the exact motion, M a + Phi_q' lambda = F, Phidd = 0, from t, q,
   v, s, rho of the point. Phi_q and gamma are differences of order 8. false: singular. */
bool native_motion(struct native_point *point, int mode);

/* Start rows of the case, at most NATIVE_ROWS; guards of all events [events]; g of a mode
   [nz]. */
void native_start_rows(const struct native_point *point, quad_complex *Gamma);
void native_guards(const struct native_point *point, quad_complex *guard);
void native_rates(const struct native_point *point, int mode, quad_complex *g);

/* Sets q+, v+, s+ and impulses of an event, in the point. false: singular. */
bool native_reset(struct native_point *point, int event);

#endif
