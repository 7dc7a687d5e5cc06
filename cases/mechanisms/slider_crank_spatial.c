/*
 * slider_crank_spatial.c - the spatial slider-crank (slider_crank.h) without friction:
 * slider-crank-spatial, slider-crank-spatial-natural.
 *
 * The pivot of the crank is (0, 0.1, 0.12) m, the slider moves along the x axis, gravity
 * is -z. The crank points up at the start and turns with 6 rad/s about x; this gives the
 * rod the angular velocity (1.92, -0.96, 0.48) rad/s, as the benchmark library has it.
 *
 * slider-crank-spatial has Euler parameters, 21 coordinates and 17 + 3 constraints;
 * slider-crank-spatial-natural has direction vectors, 36 coordinates and 17 + 18
 * constraints, and the same motion. With phi the angle of the crank from where it points
 * up, the slider is where
 *
 *     x^2 + (y_pivot - L_crank sin phi)^2 + (z_pivot + L_crank cos phi)^2 = L_rod^2
 */
#include "case.h"
#include "elements/joint.h"
#include "slider_crank.h"

/* crank: the coordinate that is zero when the crank points up. */
static void record_with(struct model *model, body_maker *make,
                        const char *const suffix[3], const char *crank,
                        struct slider_crank *mechanism)
{
    PARAMETERS(L_crank, omega0, m_slider, g, L_rod, m_crank, m_rod, y_pivot, z_pivot);
    COSTS(path, load);
    NOMINAL(L_crank, 0.08, "m", "length of the crank");
    NOMINAL(omega0, 6, "rad/s", "speed of the crank at the start");
    NOMINAL(m_slider, 2, "kg", "mass of the slider");
    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(L_rod, 0.3, "m", "length of the rod");
    FIXED(m_crank, 0.12, "kg", "mass of the crank");
    FIXED(m_rod, 0.5, "kg", "mass of the rod");
    FIXED(y_pivot, 0.1, "m", "pivot of the crank");
    FIXED(z_pivot, 0.12, "m", "pivot of the crank");

    const struct slider_crank_data data = {
        .L_crank = EQ(L_crank),
        .L_rod = EQ(L_rod),
        .m = {EQ(m_crank), EQ(m_rod), EQ(m_slider)},
        .J = {{EQ(1e-4), EQ(1e-4), EQ(1e-5)},
              {EQ(4e-4), EQ(4e-3), EQ(4e-3)},
              {EQ(1e-4), EQ(1e-4), EQ(1e-4)}},
        .pivot = {EQ(0), EQ(y_pivot), EQ(z_pivot)},
        .g = {EQ(0), EQ(0), EQ(-g)},
    };
    slider_crank(model, &data, make, suffix, mechanism);

    /* Costs: the integral of the slider's place, and of the squared force in the
       pivot. */
    formula force[3], torque[3];
    joint_reaction(model, &mechanism->pivot, force, torque);
    model->g[0] = mechanism->slider.centre.r[0];
    model->g[1] = vector_dot(force, force);
    int start = model_coordinate_index(model, crank);
    model->q0[start] = EQ(0);
    model->v0[start] = make == body_euler ? EQ(omega0/2) : EQ(-omega0);
    model->t_end = make == body_euler ? EQ(0.2) : EQ(0.1);
}

static void record(struct model *model)
{
    static const char *const suffix[3] = {"_crank", "_rod", "_slider"};
    struct slider_crank mechanism;
    record_with(model, body_euler, suffix, "e1_crank", &mechanism);
}

static void record_natural(struct model *model)
{
    static const char *const suffix[3] = {"1", "2", "3"};
    struct slider_crank s;
    TWIN("slider-crank-spatial", e0_crank, e1_crank, x_rod, y_rod, z_rod,
         e0_rod, e1_rod, e2_rod, e3_rod, x_slider);
    record_with(model, body_natural, suffix, "ky1", &s);
    const formula *pivot = s.pivot.a.at.r;
    formula L = variable(model->tape, BLOCK_RHO, model_parameter_index(model, "L_crank"));
    model_equal(model, "x of the slider", s.slider.centre.r[0], EQ(x_slider));
    model_equal(model, "y of the crank's tip", s.ball.a.at.r[1],
                sub(pivot[1], mul(L, EQ(2*e0_crank*e1_crank))));
    model_equal(model, "z of the crank's tip", s.ball.a.at.r[2],
                add(pivot[2], mul(L, EQ(e0_crank*e0_crank - e1_crank*e1_crank))));
    model_equal(model, "x of the rod", s.rod.centre.r[0], EQ(x_rod));
    model_equal(model, "y of the rod", s.rod.centre.r[1], EQ(y_rod));
    model_equal(model, "z of the rod", s.rod.centre.r[2], EQ(z_rod));
    model_equal(model, "y of the rod's z axis", s.rod.A[1][2],
                EQ(2*(e2_rod*e3_rod - e0_rod*e1_rod)));
    model_equal(model, "z of the rod's z axis", s.rod.A[2][2],
                EQ(e0_rod*e0_rod - e1_rod*e1_rod - e2_rod*e2_rod + e3_rod*e3_rod));
}

#define HAUG "Haug 1989, section 12.2; IFToMM benchmark library, rigid slider-crank"

CASE(slider_crank_spatial,
    .name = "slider-crank-spatial",
    .title = "crank, rod and slider in space, Euler parameters",
    .source = HAUG,
    .declared = "the centre of mass of the crank is its middle; the universal joint "
                "carries the x axis of the slider; 0.2 s of 1 and 5",
    .classes = "constrained, spatial, benchmark",
    .record = record);

CASE(slider_crank_spatial_natural,
    .name = "slider-crank-spatial-natural",
    .title = "crank, rod and slider in space, direction vectors",
    .source = HAUG,
    .declared = "as slider-crank-spatial; 0.1 s",
    .classes = "constrained, spatial, benchmark",
    .record = record_natural);
