/*
 * five_bar_dae.h - the equations of five_bar.h as an implicit DAE of index 1, with the
 * multipliers among the unknowns, for other solvers.
 *
 *     y = (q, v, mu),  q and v of the points 1, 2, 3 as x1 y1 x2 y2 x3 y3, mu of the bars
 *
 *     q' - v = 0,      M v' + C' (e mu) - F = 0
 *     e_k . (C v')_k + w_k . w_k + K_D e_k . w_k + K_P/2 (e_k . e_k - L_k^2)
 *         - mu_k/(4 alpha) = 0
 *
 * in the letters of five_bar.c. The motion is that of five_bar.h.
 */
#ifndef SALTUS_FIVE_BAR_DAE_H
#define SALTUS_FIVE_BAR_DAE_H

/* First indices of q, v and mu in y; numbers of unknowns and of parameters. */
enum { DAE_Q = 0, DAE_V = 6, DAE_MU = 12, DAE_UNKNOWNS = 16, DAE_PARAMETERS = 2 };

/* residual [16] = the left-hand side at y, yd [16]. */
void five_bar_residual(const double *y, const double *yd, double *residual);
/* residual [16] = its derivative along s, sd [16] and, unless j < 0, by the natural
   length L01 (j = 0) or L02 (j = 1): that of a sensitivity, or with unit vectors a column
   of the Jacobian. */
void five_bar_residual_tangent(const double *y, const double *yd, const double *s,
                               const double *sd, int j, double *residual);

/* Consistent y, yd [16] and derivatives s[j], sd[j] [16] from q, Q, v and V (five_bar.h),
   with multipliers and accelerations filled in. The rates of the multipliers, which the
   equations do not contain, are zero. */
void five_bar_consistent(const double *q, const double *Q, const double *v,
                         const double *V, double *y, double *yd,
                         double *s[DAE_PARAMETERS], double *sd[DAE_PARAMETERS]);
/* Copies y and s[j] back to the halves of the state of five_bar.h. */
void five_bar_state(const double *y, double *s[DAE_PARAMETERS], double *q, double *Q,
                    double *v, double *V);

#endif
