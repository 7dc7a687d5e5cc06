/*
 * point.h - points in the plane or in space, and what acts on them: masses, uniform bars,
 * springs, dampers, gravity, distances.
 *
 * First points are declared (they bring coordinates), then a mode is taken under the pen
 * (model_mode), then elements are written into it; a further mode is written anew. In the
 * plane the third component of everything is left unset, which is the exact zero.
 */
#ifndef SALTUS_POINT_H
#define SALTUS_POINT_H

#include "base/api.h"
#include "elements/lagrange.h"

SALTUS_API_BEGIN

/* A place, as formulas of (t,q,s,rho); m. */
struct point {
    formula r[3];
};

/* A point that moves freely: declares coordinates x<name>, y<name> and, in space
   (dimension 3), z<name>. Its first coordinate has the index *first (may be NULL). */
struct point point_free(struct model *model, const char *name, int dimension, int *first);
/* A point given by formulas: fixed, driven by time, or placed on a body. */
struct point point_at(formula x, formula y, formula z);
/* (1 - w) a + w b */
struct point point_between(const struct point *a, const struct point *b, formula w);

/* out = a - b, a x b; out may be a or b */
void vector_difference(const formula a[3], const formula b[3], formula out[3]);
void vector_cross(const formula a[3], const formula b[3], formula out[3]);
formula vector_dot(const formula a[3], const formula b[3]);
/* The rates of three formulas along the motion. */
void vector_rate(const struct model *model, const formula r[3], formula out[3]);
/* |a - b|; not differentiable where they meet */
formula distance_between(const struct point *a, const struct point *b)
    SALTUS_WORD(distance_between);

/* A mass point of m kg in the gravity field g[3] (m/s^2, NULL: none). */
void mass_point(struct model *model, formula m, const formula g[3],
                const struct point *at) SALTUS_WORD(mass_point);
/* A thin uniform bar of m kg between two points: T = m/6 (v_a.v_a + v_a.v_b + v_b.v_b),
   half its weight at each end. Its length is not constrained here. Draws it. */
void bar_uniform(struct model *model, formula m, const formula g[3],
                 const struct point *a, const struct point *b) SALTUS_WORD(bar_uniform);
/* A spring of k N/m and natural length L0: V = k/2 (|a - b| - L0)^2. Draws it. */
void spring(struct model *model, formula k, formula L0, const struct point *a,
            const struct point *b) SALTUS_WORD(spring);
/* A damper of c N s/m along the line from a to b. */
void damper(struct model *model, formula c, const struct point *a, const struct point *b)
    SALTUS_WORD(damper);
/* A force on a point, N, each component a formula. */
void force_at(struct model *model, const formula force[3], const struct point *at)
    SALTUS_WORD(force_at);
/* A constraint, (|a - b|^2 - L^2)/2 = 0; its multiplier times |a - b| is the force in it.
   Returns its row. */
int distance_constraint(struct model *model, formula L, const struct point *a,
                        const struct point *b) SALTUS_WORD(distance_constraint);
/* Constraints a = b, one for each of the first `dimension` components. Returns the first
   row; the multipliers are the force on a by b, with the opposite sign. */
int coincidence(struct model *model, int dimension, const struct point *a,
                const struct point *b) SALTUS_WORD(coincidence);

SALTUS_API_END

#endif
