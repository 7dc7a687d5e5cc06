/*
 * pendulum.c - the simple pendulum (IFToMM benchmark A01), a mass point on a massless rod
 * from the horizontal at rest: pendulum in natural coordinates, pendulum-angle by its
 * angle against the x axis.
 *
 *     (x, y) = L (cos th, sin th),     start (-L, 0)
 *
 * The motion does not depend on the mass, and on g and L only through g/L.
 */
#include "case.h"
#include "elements/point.h"

static void parameters(struct model *model)
{
    PARAMETERS(m, L, g);
    COSTS(height);
    FIXED(m, 1, "kg", "mass of the point");
    NOMINAL(L, 1, "m", "length of the rod");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
}

/* Adds the point, its energy against hanging at rest, its height as a cost, and the
   end of time. */
static void swing(struct model *model, const struct point *bob)
{
    DECLARE_(m) DECLARE_(g) DECLARE_(L)
    const formula gravity[3] = {[1] = EQ(-g)};
    const struct point pivot = {0};
    mass_point(model, EQ(m), gravity, bob);
    model_draw(model, pivot.r, bob->r);
    model->energy = add(model_energy(model), EQ(m*g*L));
    model->g[0] = bob->r[1];
    model->t_end = integer(model->tape, 10);
}

static void record(struct model *model)
{
    DECLARE_(L) DECLARE_(x) DECLARE_(y)
    const struct point pivot = {0};
    parameters(model);
    struct point bob = point_free(model, "", 2, NULL);
    model_mode(model, "swing");
    swing(model, &bob);
    distance_constraint(model, EQ(L), &bob, &pivot);

    model->q0[1] = integer(model->tape, 0);
    model->q_guess[0] = integer(model->tape, -1);
    model->v0[1] = integer(model->tape, 0);
    TWIN("pendulum-angle", th);
    EQUAL("x of the point", x, L*cos(th));
    EQUAL("y of the point", y, L*sin(th));
}

static void record_angle(struct model *model)
{
    DECLARE_(L)
    COORDINATES(th);
    parameters(model);
    struct point bob = point_at(EQ(L*cos(th)), EQ(L*sin(th)), (formula){NULL, 0});
    model_mode(model, "swing");
    swing(model, &bob);
    model->q0[0] = EQ(pi);
    model->v0[0] = integer(model->tape, 0);
}

CASE(pendulum,
    .name = "pendulum",
    .title = "a mass point on a rod, in natural coordinates",
    .source = "IFToMM benchmark A01",
    .classes = "constrained, benchmark",
    .record = record);

CASE(pendulum_angle,
    .name = "pendulum-angle",
    .title = "the pendulum by its angle",
    .source = "IFToMM benchmark A01",
    .classes = "unconstrained",
    .record = record_angle);
