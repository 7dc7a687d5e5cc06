/*
 * derive.h - the second differentiation: what follows from M, F, Phi, f_s and resets.
 *
 * cases/model/model_complete.c derives the same for the solvers in double, from the texts
 * of ops.def. Nothing of that is used here. Derivatives along a curve are carried forward
 * as 2-jets (f, f', f'') by Leibniz's rule and the chain rule for g(a(t)),
 *
 *     (g o a)' = g'(a) a',      (g o a)'' = g'(a) a'' + g''(a) a'^2
 *
 * (Griewank & Walther 2008, section 13.1); gradients are swept backward with the slopes
 * of the same table (derive.c). The complex-step oracle takes its equations from here,
 * too. Both differentiations record rows by the words of cases/formula, which fold
 * trivial cases: those words are shared.
 */
#ifndef SALTUS_DERIVE_H
#define SALTUS_DERIVE_H

#include "model.h"

/* A formula along a curve, with its first and second derivative by the parameter of the
   curve; unset derivatives are zero. */
struct jet {
    formula value, first, second;
};

/* The jet of variable `index` of `block`. */
typedef struct jet jet_fn(void *context, int block, int index);

/* out[i] is the jet of f[i] along the curve that `seed` describes, up to derivative
   `degree` (0: substitution alone, 1 or 2). */
void derive_jets(struct tape *tape, const formula *f, int count, int degree, jet_fn *seed,
                 void *context, struct jet *out);

/* out[j] = df / d(block, j), j = 0 .. size - 1; entries that are zero are unset. */
void derive_gradient(formula f, int block, int size, formula *out);
/* out[i*size + j] = df[i] / d(block, j) */
void derive_jacobian(const formula *f, int rows, int block, int size, formula *out);

/* What struct mode has under the same names. */
struct derived_mode {
    formula *Phid, *Phidd;      /* [m] */
    formula *Phi_q;             /* [m * n]; of rows at velocity level Phi_v */
    formula *lambda_force;      /* [n] */
};

/* The derivatives of one mode, rows of the model's tape. */
void derive_mode(const struct model *model, const struct mode *mode,
                 struct derived_mode *out);
void derived_mode_clear(struct derived_mode *derived);

/* The reset of an event as one residual J(w; t, q, v, s, a, lambda, rho) = 0, J
   [event->rows], in the order q+ [n], velocities and impulses, s+ [ns]. */
void derive_reset(const struct model *model, const struct event *event, formula *J);

/* Formulas of t, q, v, s, rho after an event, in q+, v+, s+. */
void derive_after(const struct model *model, const formula *f, int count, formula *out);

#endif
