/*
 * slider_crank_equal_arms.c - the slider-crank with equal arms (slider-crank-equal-arms;
 * Bayo, Ledesma 1996), passing singular configurations.
 *
 * A crank OA and a connecting rod AB of one length are uniform bars of one mass; B slides
 * without mass on the x axis through O. The case in natural coordinates is of A and B,
 * -reduced has the angle th of the crank:
 *
 *     A = L (cos th, sin th)       B = (2 L cos th, 0)
 *     T = (1/3 + sin^2 th) m L^2 th'^2       V = m g L sin th
 *
 * Whenever the crank is vertical both arms coincide: B is at O, the two constraints are
 * dependent, and the arms could go on turning about O together. The regular branch, on
 * which the angles of the arms stay opposite, is smooth; -reduced follows it, and in 2 s
 * the mechanism passes the vertical twice.
 *
 * Both arms share L: by one of the lengths alone there is no derivative past the
 * vertical.
 */
#include "case.h"
#include "elements/point.h"

static void parameters(struct model *model)
{
    PARAMETERS(L, m, g, u);
    COSTS(path);
    NOMINAL(L, 1, "m", "length of both arms");
    FIXED(m, 1, "kg", "mass of each arm");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(u, 4, "m/s", "speed of the slider at the start, towards O");
    model->t_end = integer(model->tape, 2);
}

static void record(struct model *model)
{
    DECLARE_(L) DECLARE_(m) DECLARE_(g) DECLARE_(u)
    const struct point origin = {0};
    COORDINATES(x, y, slide);
    parameters(model);
    const formula gravity[3] = {[1] = EQ(-g)};
    struct point A = point_at(EQ(x), EQ(y), (formula){NULL, 0});
    struct point B = point_at(EQ(slide), (formula){NULL, 0}, (formula){NULL, 0});

    model_mode(model, "motion");
    bar_uniform(model, EQ(m), gravity, &origin, &A);
    bar_uniform(model, EQ(m), gravity, &A, &B);
    distance_constraint(model, EQ(L), &origin, &A);
    distance_constraint(model, EQ(L), &A, &B);
    model->energy = model_energy(model);
    model->g[0] = EQ(slide*slide);

    model->q0[2] = EQ(sqrt(2)*L);
    model->q_guess[0] = model->q_guess[1] = EQ(0.7);
    model->v0[2] = EQ(-u);
    TWIN("slider-crank-equal-arms-reduced", th);
    EQUAL("x of A", x, L*cos(th));
    EQUAL("y of A", y, L*sin(th));
    EQUAL("x of B", slide, 2*L*cos(th));
}

static void record_reduced(struct model *model)
{
    DECLARE_(L) DECLARE_(m) DECLARE_(g) DECLARE_(u)
    COORDINATES(th);
    parameters(model);
    model_mode(model, "motion");
    model_kinetic(model, EQ((1/3.0 + sin(th)*sin(th))*m*L*L*vth*vth));
    model_potential(model, EQ(m*g*L*sin(th)));
    model->energy = model_energy(model);
    model->g[0] = EQ(4*L*L*cos(th)*cos(th));
    DRAW_LINE(0, 0, L*cos(th), L*sin(th));
    DRAW_LINE(L*cos(th), L*sin(th), 2*L*cos(th), 0);

    model->q0[0] = EQ(pi/4);
    model->v0[0] = EQ(u/(L*sqrt(2)));       /* the slider: -2 L sin th th' = -u */
}

CASE(slider_crank_equal_arms,
    .name = "slider-crank-equal-arms",
    .title = "slider-crank whose arms coincide at the vertical, on its regular branch",
    .source = "Bayo, Ledesma 1996",
    .declared = "start at 45 degrees, the slider at 4 m/s",
    .classes = "constrained, singular, benchmark",
    .record = record);

CASE(slider_crank_equal_arms_reduced,
    .name = "slider-crank-equal-arms-reduced",
    .title = "the slider-crank of equal arms by one angle",
    .source = "derived: the regular branch",
    .declared = "start at 45 degrees, the slider at 4 m/s",
    .classes = "unconstrained",
    .record = record_reduced);
