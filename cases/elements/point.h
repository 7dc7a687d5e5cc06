/*
 * point.h - multibody elements: points in the plane or in space, with masses, uniform
 * bars, springs, dampers, gravity and distances.
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
   (dimension 3), z<name>. *first: index of its first coordinate; NULL is allowed. */
struct point point_free(struct model *model, const char *name, int dimension, int *first);
/* A point given by formulas: fixed, driven by time, or placed on a body. */
struct point point_at(formula x, formula y, formula z);
/* The point (1 - w) a + w b. */
struct point point_between(const struct point *a, const struct point *b, formula w);

/* out = a - b; out may be a or b. */
void vector_difference(const formula a[3], const formula b[3], formula out[3]);
/* out = a x b; out may be a or b. */
void vector_cross(const formula a[3], const formula b[3], formula out[3]);
/* a . b */
formula vector_dot(const formula a[3], const formula b[3]);
/* out = rates of three formulas along the motion. */
void vector_rate(const struct model *model, const formula r[3], formula out[3]);
/* |a - b|, which has no derivative where both meet. */
formula distance_between(const struct point *a, const struct point *b)
    SALTUS_WORD(distance_between);

/* Adds a mass point of m kg in the gravity field g[3] (m/s^2, NULL: none), and draws
   it. */
void mass_point(struct model *model, formula m, const formula g[3],
                const struct point *at) SALTUS_WORD(mass_point);
/* Adds a thin uniform bar of m kg between two points: T = m/6 (v_a.v_a + v_a.v_b +
   v_b.v_b), half its weight at each end. Its length is not constrained here. Draws it. */
void bar_uniform(struct model *model, formula m, const formula g[3],
                 const struct point *a, const struct point *b) SALTUS_WORD(bar_uniform);
/* Adds a spring of k N/m and natural length L0: V = k/2 (|a - b| - L0)^2. Draws it.
   Where L0 is the number 0 the force is -k (a - b), and smooth where the ends meet. */
void spring(struct model *model, formula k, formula L0, const struct point *a,
            const struct point *b) SALTUS_WORD(spring);
/* Adds a damper of c N s/m along the line from a to b. */
void damper(struct model *model, formula c, const struct point *a, const struct point *b)
    SALTUS_WORD(damper);
/* Adds a force on a point, N, each component a formula. */
void force_at(struct model *model, const formula force[3], const struct point *at)
    SALTUS_WORD(force_at);
/* Holds two points at the distance L by (|a - b|^2 - L^2)/2 = 0; the multiplier times
   |a - b| is the tension. Returns the row. */
int distance_constraint(struct model *model, formula L, const struct point *a,
                        const struct point *b) SALTUS_WORD(distance_constraint);
/* Holds two points together by a = b, one row for each of the first `dimension`
   components. Returns the first row; the multipliers are the force on a by b, with the
   opposite sign. */
int coincidence(struct model *model, int dimension, const struct point *a,
                const struct point *b) SALTUS_WORD(coincidence);

SALTUS_API_END

#endif
