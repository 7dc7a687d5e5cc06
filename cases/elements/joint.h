/*
 * joint.h - joints between rigid bodies, and what they transmit.
 *
 * A joint holds a frame of body a and one of body b together. Its rows are independent of
 * each other in general: three for points that coincide, two for axes that stay parallel,
 * and so on; Haug 1989, section 9.4.
 *
 *   joint         rows  what stays
 *   spherical        3  the origins coincide
 *   universal        4  spherical, and z of a stays perpendicular to z of b
 *   revolute         5  spherical, and the z axes stay parallel
 *   cylindrical      4  the z axes stay on one line
 *   prismatic        5  cylindrical, without turning: x of b perpendicular to y of a
 *   driven angle     1  the angle about z from x of a to x of b is as given
 *   driven distance  1  the origin of b is at the given distance along z of a
 */
#ifndef SALTUS_JOINT_H
#define SALTUS_JOINT_H

#include "base/api.h"
#include "elements/body.h"

SALTUS_API_BEGIN

enum axis { AXIS_X, AXIS_Y, AXIS_Z };

/* A place on a body with three orthogonal directions, components in space. */
struct frame {
    const struct body *body;        /* must outlive the frame */
    struct point at;
    formula x[3], y[3], z[3];
};

/* At the point s of the body (its axes, from its centre), z along one of its axes, x and
   y along the two that follow. */
struct frame frame_on(const struct body *body, const formula s[3], enum axis z);
/* The same with directions as given, in the axes of the body; x, y, z orthogonal. */
struct frame frame_along(const struct body *body, const formula s[3], const formula x[3],
                         const formula y[3], const formula z[3]);

struct joint {
    struct frame a, b;
    int row, rows;                  /* in the mode under the pen */
};

/* Each writes its rows into the mode under the pen. */
struct joint joint_spherical(struct model *model, const struct frame *a,
                             const struct frame *b);
struct joint joint_universal(struct model *model, const struct frame *a,
                             const struct frame *b);
struct joint joint_revolute(struct model *model, const struct frame *a,
                            const struct frame *b);
struct joint joint_cylindrical(struct model *model, const struct frame *a,
                               const struct frame *b);
struct joint joint_prismatic(struct model *model, const struct frame *a,
                             const struct frame *b);
/* One row beside those of a revolute, cylindrical or prismatic joint. The angle is in rad
   and may depend on t and rho; the row holds half a turn away as well, the guess at the
   start selects. Their reactions are the torque or force that drives. */
struct joint joint_driven_angle(struct model *model, const struct frame *a,
                                const struct frame *b, formula angle);
struct joint joint_driven_distance(struct model *model, const struct frame *a,
                                   const struct frame *b, formula distance);

/* What the rows of the joint do to body b, at the origin of its frame: force (N) and
   torque (N m), components in space, formulas of q and of the multipliers. By virtual
   work: -d(lambda'Phi) along a translation and a rotation of b. On a the opposite acts,
   at the same place. */
void joint_reaction(const struct model *model, const struct joint *joint,
                    formula force[3], formula torque[3]);

SALTUS_API_END

#endif
