/*
 * planar.c - rigid bodies in the plane in absolute coordinates, and their joints; see
 * planar.h.
 */
#include "elements/planar.h"

#include <stdio.h>

/* --- frames ------------------------------------------------------------------------- */

struct planar planar_body(struct model *model, const char *name)
{
    char angle[160];
    int at;
    struct planar body = {.centre = point_free(model, name, 2, &at)};
    snprintf(angle, sizeof angle, "th%s", name);
    model_coordinates(model, angle);
    body.angle = variable(model->tape, BLOCK_Q, at + 2);
    return body;
}

struct planar planar_frame(formula x, formula y, formula angle)
{
    return (struct planar){{{x, y}}, angle};
}

/* out = (along, across) turned by an angle. The angle of the ground was never set and
   turns nothing. */
static void turned(formula angle, formula along, formula across, formula out[2])
{
    out[0] = along;
    out[1] = across;
    if (is_zero(angle))
        return;
    formula c = apply(OP_COS, angle), s = apply(OP_SIN, angle);
    out[0] = sub(mul(c, along), mul(s, across));
    out[1] = add(mul(s, along), mul(c, across));
}

struct point planar_point(const struct planar *frame, formula along, formula across)
{
    struct point point = frame->centre;
    formula arm[2];
    turned(frame->angle, along, across, arm);
    for (int k = 0; k < 2; k++)
        point.r[k] = add(point.r[k], arm[k]);
    return point;
}

formula planar_angle(const struct planar *a, const struct planar *b)
{
    return sub(b->angle, a->angle);
}

void planar_inertia(struct model *model, formula m, formula J, const formula g[3],
                    const struct planar *body)
{
    formula rate = model_rate(model, body->angle), two = integer(model->tape, 2);
    mass_point(model, m, g, &body->centre);
    model_kinetic(model, quotient(mul(J, mul(rate, rate)), two));
}

/* --- joints ------------------------------------------------------------------------- */

int planar_revolute(struct model *model, const struct point *a, const struct point *b)
{
    return coincidence(model, 2, a, b);
}

int planar_translational(struct model *model, const struct planar *a,
                         const struct point *on_a, formula direction,
                         const struct planar *b, const struct point *on_b, formula angle)
{
    formula from_a[3], normal[2];
    vector_difference(on_b->r, on_a->r, from_a);
    turned(add(a->angle, direction), (formula){NULL, 0}, integer(model->tape, 1), normal);
    int first = model_constraint(model, dot(normal, from_a, 2));
    model_constraint(model, sub(planar_angle(a, b), angle));
    return first;
}

int planar_driven(struct model *model, const struct planar *a, const struct planar *b,
                  formula angle)
{
    return model_constraint(model, sub(planar_angle(a, b), angle));
}

/* --- torques ------------------------------------------------------------------------ */

void planar_torque(struct model *model, formula torque, const struct planar *a,
                   const struct planar *b)
{
    model_force(model, planar_angle(a, b), torque);
}

void planar_spring(struct model *model, formula k, formula rest, const struct planar *a,
                   const struct planar *b)
{
    formula turn = sub(planar_angle(a, b), rest), two = integer(model->tape, 2);
    model_potential(model, quotient(mul(k, mul(turn, turn)), two));
}

void planar_damper(struct model *model, formula c, const struct planar *a,
                   const struct planar *b)
{
    formula rate = model_rate(model, planar_angle(a, b));
    planar_torque(model, negate(mul(c, rate)), a, b);
}
