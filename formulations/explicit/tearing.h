/*
 * tearing.h - tearing of equations of motion that are not linear in their unknowns
 * (Elmqvist, Otter 1994): few formulas of the unknowns hold all that is not linear.
 *
 * Forces of friction depend on the normal forces of joints, and these on the multipliers:
 * N = sqrt(f_x^2 + f_y^2 + ...), where f_x, f_y are linear in lambda. With a variable z_j
 * in the place of each such N = phi_j(u), R is linear,
 *
 *     R = A u + B z + b,      z = phi(u),
 *
 * with A, B, b of the state. So u = u0 - X z, with u0 = -A^-1 b, X = A^-1 B, by the
 * elimination that the same mechanism has without friction, and Newton's method is left
 * with few unknowns z instead of all (a, lambda). Its iterates are those of Newton's
 * method on R, which satisfy the linear part exactly.
 *
 * phi depends on u through its ports y_c only: the largest parts of phi that are linear
 * in u, as f_x. At u0 - X z a port is y0_c - sum_j Y_cj z_j, with Y_c = (dy_c/du) X.
 */
#ifndef SALTUS_TEARING_H
#define SALTUS_TEARING_H

#include "explicit/formula_matrix.h"

struct tearing {
    struct tape *tape;
    int count;              /* tearing variables z; 0: R is linear in its unknowns */
    formula *phi;           /* [count] */
    int ports;
    formula *port;          /* [ports] */
    formula *R;             /* [rows] R with z, of BLOCK_ITERATED, in the place of phi */
};

/* Tears R [rows]. Clear by tearing_clear. */
void tearing_init(struct tearing *tearing, struct tape *tape, const formula *R, int rows);
void tearing_clear(struct tearing *tearing);

/* out[i] = f[i] with `port` [ports] in the place of the ports, and z [count] in that of
   phi, wherever they are reached; z may be NULL: then phi stays. f, out [count]; out may
   be f. */
void tearing_substitute(const struct tearing *tearing, const formula *f, int count,
                        const formula *port, const formula *z, formula *out);

#endif
