/*
 * body.h - multibody elements: rigid bodies in space.
 *
 * A body is its centre of mass, the directions of its axes and its angular velocity, as
 * formulas. The constructor decides which coordinates they are formulas of:
 *
 *   body_euler    centre and Euler parameters e, |e| = 1: 7 coordinates, 1 constraint
 *                 (Haug 1989, section 9.3)
 *   body_natural  centre and the axes themselves as unit vectors i, j, k (natural
 *                 coordinates): 12 coordinates, 6 constraints, constant masses
 *                 (Garcia de Jalon, Bayo 1994, section 2.2)
 *
 * All other functions take either, and the ground, which has no coordinates. First bodies
 * are declared, then a mode is taken under the pen, then inertias and joints are written
 * into it.
 */
#ifndef SALTUS_BODY_H
#define SALTUS_BODY_H

#include "elements/point.h"

/* Most turning coordinates of a body. */
enum { MOST_TURNING = 9 };

/* A rigid body, by formulas of its coordinates; set by its constructor. */
struct body {
    const struct body_kind *kind;   /* functions that depend on the coordinates; NULL:
                                       the ground */
    struct point centre;            /* centre of mass, m */
    formula A[3][3];                /* A[i][k]: component i, in space, of body axis k */
    formula omega[3];               /* angular velocity in body axes, linear in v;
                                       rad/s */
    int first;                      /* index of the first coordinate: centre [3], then
                                       the turning ones */
    int turning;                    /* number of turning coordinates */
    formula turn[3][MOST_TURNING];  /* rates of the turning coordinates when the body
                                       turns about axis j of space with 1 rad/s */
};

/* Declares a body with coordinates x<name>, y<name>, z<name>, e0<name> .. e3<name>. A
   is that of Haug 1989, section 9.3, written homogeneous in e: A A' = |e|^4 I. */
struct body body_euler(struct model *model, const char *name);
/* Declares a body with coordinates x<name>, y<name>, z<name>, ix<name>, iy<name>,
   iz<name>, jx<name> .. kz<name>. */
struct body body_natural(struct model *model, const char *name);
/* The ground, which does not move: centre and axes are those of space. */
struct body body_ground(struct model *model);

/* out = components in space of a direction d given in the axes of the body. */
void body_direction(const struct body *body, const formula d[3], formula out[3]);
/* The point of the body at s from the centre, s in the axes of the body. */
struct point body_point(const struct body *body, const formula s[3]);
/* out = angular velocity of the body, components in space, rad/s. */
void body_omega(const struct body *body, formula out[3]);

/* Guesses all coordinates of a body at the start: its centre, and the Euler parameters
   of its orientation, |e| = 1 or nearly; constant formulas. A guess of a coordinate
   that is given is no harm. */
void body_guess(struct model *model, const struct body *body, const formula centre[3],
                const formula e[4]);
/* body_guess by decimal numbers. */
void body_guess_numbers(struct model *model, const struct body *body,
                        const char *const centre[3], const char *const e[4]);

/* Adds a body to the mode under the pen: its mass m (kg), its principal moments of
   inertia J (kg m^2) about its axes, its weight in the field g (m/s^2, NULL: none),
   and the constraints that its coordinates obey among themselves. Returns the first
   row of these.

   The kinetic energy is that of all points c + A s, rigid or not. For direction
   vectors it has constant coefficients, for Euler parameters it is

          m c'.c'/2 + omega'J omega/2 + tr(J) (e.e')^2.

   By the last term the body resists a change of |e|. It makes M positive definite
   (omega'J omega/2 alone does not: M e = 0) and changes neither the motion nor a
   multiplier, because e.e' = 0 all along. */
int body_inertia(struct model *model, const struct body *body, formula m,
                 const formula J[3], const formula g[3]);

#endif
