/*
 * native_constraint.h - constraint rows of a native case, and their derivatives along the
 * motion by differences: for this folder only.
 */
#ifndef SALTUS_NATIVE_CONSTRAINT_H
#define SALTUS_NATIVE_CONSTRAINT_H

#include "oracles/native/native_record.h"

/* A set of rows: the constraints of a mode; or, in that mode, the impulse rows of an
   event (joints, where it has them, are the constraints of the mode entered). */
struct native_rows {
    int mode, event;                    /* event < 0: the mode's constraints */
    int joints;                         /* number of the mode that the event enters */
};

/* Evaluates the rows [NATIVE_ROWS], and tells which are at velocity level; returns how
   many. */
int native_rows(const struct native_point *point, struct native_rows rows,
                quad_complex *Phi, bool *velocity_level);
/* Sets Phi_q [rows * n], for rows at velocity level Phi_v; returns how many rows. */
int native_jacobian(const struct native_point *point, struct native_rows rows,
                    quad_complex *Phi_q);
/* Sets d Phid/dv = Phi_q + Phi_s f_s,v [rows * n], with Phi_q from native_jacobian. */
void native_velocity_jacobian(const struct native_point *point, struct native_rows rows,
                              const quad_complex *Phi_q, quad_complex *Phid_v);
/* Sets Phidd [NATIVE_ROWS] for a = 0 (f_s does not depend on a where rows contain s). */
void native_gamma(const struct native_point *point, struct native_rows rows,
                  quad_complex *gamma);
/* Sets Phid [NATIVE_ROWS] at the point. */
void native_Phid(const struct native_point *point, struct native_rows rows,
                 quad_complex *Phid);

/*
 * native_range.c: splits rows [m * n] (destroyed) = L Q, Q with orthonormal rows [rank *
 * n], L [m * rank] in rows of length n; returns the rank, below m where rows depend on
 * others.
 */
int native_range(int m, int n, quad_complex *rows, quad_complex *Q, quad_complex *L);

/* A matrix of independent columns: lambda of least norm with L' lambda = nu (nu is
   overwritten), and x of least squares with L x = b. false: singular. */
struct native_factor {
    const quad_complex *x;
    int rows, columns, stride;
};
bool native_least_norm(struct native_factor L, quad_complex *nu, quad_complex *lambda);
bool native_least_squares(struct native_factor L, const quad_complex *b, quad_complex *x);

/* A point of a case, all zero; one of its own with the same values; the values of another
   point of the same case. */
struct native_point *native_point_of(const struct native_case *of);
struct native_point *native_point_like(const struct native_point *point);
void native_point_copy(struct native_point *point, const struct native_point *model);

#endif
