/*
 * derive.h - automatic differentiation for the reference: constraints along the motion,
 * their forces, and resets (2-jets forward, Griewank & Walther 2008, section 13.1).
 *
 * cases/model/model_complete.c derives the same formulas for the solvers in double, from
 * the texts of ops.def; the reference uses none of them. Derivatives along a curve are
 * carried forward as 2-jets (f, f', f'') by Leibniz's rule and the chain rule for
 * g(a(t)),
 *
 *     (g o a)' = g'(a) a',      (g o a)'' = g'(a) a'' + g''(a) a'^2
 *
 * Gradients are swept backward with the slopes of the same table (derive.c). The
 * complex-step oracle takes its equations from here, too. Both differentiations record
 * rows by the words of cases/formula, which fold trivial cases: they share those words.
 */
#ifndef SALTUS_DERIVE_H
#define SALTUS_DERIVE_H

#include "model.h"

/* A formula along a curve, with its first and second derivative by the parameter of the
   curve; unset derivatives are zero. */
struct jet {
    formula value, first, second;
};

/* Gives the jet of variable `index` of `block`; `context` is that of derive_jets. */
typedef struct jet jet_fn(void *context, int block, int index);

/* out[i] becomes the jet of f[i] along the curve that `seed` describes, up to
   derivative `degree`: 0 (substitution alone), 1 or 2. f and out [count]. */
void derive_jets(struct tape *tape, const formula *f, int count, int degree, jet_fn *seed,
                 void *context, struct jet *out);

/* out[j] = df / d(block, j) for j = 0 .. size - 1; entries that are zero are left
   unset. */
void derive_gradient(formula f, int block, int size, formula *out);
/* out[i*size + j] = df[i] / d(block, j), f [rows] */
void derive_jacobian(const formula *f, int rows, int block, int size, formula *out);

/* The derivatives of a mode that struct mode holds under the same names. */
struct derived_mode {
    formula *Phid, *Phidd;      /* [m] */
    formula *Phi_q;             /* [m * n] Jacobian of Phi by q; for rows at velocity
                                   level by v */
    formula *lambda_force;      /* [n] Phi_q' lambda */
};

/* Derives the formulas of one mode, as rows of the model's tape. Clear by
   derived_mode_clear. */
void derive_mode(const struct model *model, const struct mode *mode,
                 struct derived_mode *out);
void derived_mode_clear(struct derived_mode *derived);

/* The reset of an event as one residual J(w; t, q, v, s, a, lambda, rho) = 0, J
   [event->rows], in the order q+ [n], velocities and impulses, s+ [ns]. */
void derive_reset(const struct model *model, const struct event *event, formula *J);

/* Formulas f [count] of t, q, v, s, rho, with q+, v+, s+ in the place of q, v, s. */
void derive_after(const struct model *model, const formula *f, int count, formula *out);

#endif
