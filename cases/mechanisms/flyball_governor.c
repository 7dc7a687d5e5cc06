/*
 * flyball_governor.c - Watt's flyball governor (flyball-governor; IFToMM benchmark A05),
 * stiff.
 *
 * A shaft turns about the vertical y axis; two rods are hinged to its top with a ball at
 * the end of each; a slider is on the shaft, and a stiff spring with a damper from the
 * middle of each rod to the slider takes the place of the coupler rods.
 *
 *              top
 *     ball .--'|'--. ball      rods at 30 degrees below the horizontal
 *           `. | .'            springs of 0.5 m, unstretched at the start
 *             [ ]              slider, 0.5 m below the top
 *
 * Shaft and rods are 1 m long and 0.01 m square, the slider is a cube of 0.1 m, all of
 * 3000 kg/m^3; the balls are points of 5 kg. The energy and the heat that the dampers
 * have made of it (the auxiliary state `heat`) have a constant sum.
 *
 * Bodies: y of the shaft and of the slider is the axis; x of a rod is along it, z is that
 * of its hinge.
 */
#include "case.h"
#include "elements/joint.h"

enum { SIDES = 2 };

struct governor {
    struct body ground, shaft, slider, rod[SIDES];
    struct frame hinge[SIDES];          /* frame at the inner end of each rod */
    struct point middle[SIDES], ball[SIDES];
};

struct data {
    formula L, m_rod, J_along, J_across;        /* length, and mass and moments of
                                                   inertia of shaft and rods */
    formula m_slider, J_slider, m_ball, s;
    formula k, c, L_0, g[3];
};

static formula half(formula a)
{
    return quotient(a, integer(a.tape, 2));
}

/* Guesses the rods out to both sides, turned about z. */
static void guess(struct model *model, const struct governor *governor)
{
    static const char *const centre[4][3] = {{"0", "0", "0"},
                                             {"0", "0", "0"},
                                             {"0.433", "0.25", "0"},
                                             {"-0.433", "0.25", "0"}};
    static const char *const e[4][4] = {{"1", "0", "0", "0"},
                                        {"1", "0", "0", "0"},
                                        {"0.966", "0", "0", "-0.259"},
                                        {"0.259", "0", "0", "-0.966"}};
    const struct body *body[4] = {&governor->shaft, &governor->slider, &governor->rod[0],
                                  &governor->rod[1]};
    for (int b = 0; b < 4; b++)
        body_guess_numbers(model, body[b], centre[b], e[b]);
}

static void masses(struct model *model, const struct data *data,
                   struct governor *governor)
{
    const formula upright[3] = {data->J_across, data->J_along, data->J_across};
    const formula lying[3] = {data->J_along, data->J_across, data->J_across};
    const formula cube[3] = {data->J_slider, data->J_slider, data->J_slider};
    const formula zero = integer(model->tape, 0);
    body_inertia(model, &governor->shaft, data->m_rod, upright, data->g);
    body_inertia(model, &governor->slider, data->m_slider, cube, data->g);
    for (int k = 0; k < SIDES; k++) {
        const struct body *rod = &governor->rod[k];
        const formula in[3] = {negate(half(data->L)), zero, zero};
        const formula out[3] = {half(data->L), zero, zero};
        body_inertia(model, rod, data->m_rod, lying, data->g);
        governor->hinge[k] = frame_on(rod, in, AXIS_Z);
        governor->middle[k] = rod->centre;
        governor->ball[k] = body_point(rod, out);
        mass_point(model, data->m_ball, data->g, &governor->ball[k]);
        model_draw(model, governor->hinge[k].at.r, governor->ball[k].r);
    }
}

static void join(struct model *model, const struct data *data, struct governor *governor)
{
    const formula zero = integer(model->tape, 0), origin[3] = {zero, zero, zero};
    const formula up[3] = {zero, half(data->L), zero};
    struct frame axis = frame_on(&governor->ground, origin, AXIS_Y);
    struct frame shaft = frame_on(&governor->shaft, origin, AXIS_Y);
    struct frame slider = frame_on(&governor->slider, origin, AXIS_Y);
    struct frame top = frame_on(&governor->shaft, up, AXIS_Z);
    joint_revolute(model, &axis, &shaft);
    joint_prismatic(model, &shaft, &slider);
    for (int k = 0; k < SIDES; k++)
        joint_revolute(model, &top, &governor->hinge[k]);
}

/* Draws the shaft from end to end, and the slider across it. */
static void draw(struct model *model, const struct governor *governor, formula L,
                 formula b_slider)
{
    const formula zero = integer(model->tape, 0);
    const formula up[3] = {zero, half(L), zero}, down[3] = {zero, negate(half(L)), zero};
    const formula out[3] = {half(b_slider), zero, zero};
    const formula back[3] = {negate(half(b_slider)), zero, zero};
    model_draw(model, body_point(&governor->shaft, down).r,
               body_point(&governor->shaft, up).r);
    model_draw(model, body_point(&governor->slider, back).r,
               body_point(&governor->slider, out).r);
}

/* Adds springs and dampers. Returns the power that the dampers take. */
static formula couple(struct model *model, const struct data *data,
                      const struct governor *governor)
{
    formula power = {NULL, 0};
    for (int k = 0; k < SIDES; k++) {
        const struct point *a = &governor->middle[k], *b = &governor->slider.centre;
        spring(model, data->k, data->L_0, a, b);
        damper(model, data->c, a, b);
        formula rate = model_rate(model, distance_between(a, b));
        power = add(power, mul(data->c, mul(rate, rate)));
    }
    return power;
}

/* The shaft turns with omega0; rods and slider turn with it and are at rest on it. */
static void start(struct model *model, formula omega0, formula angle, formula height)
{
    static const char *const given[] = {"e2_shaft", "e3_right", "e3_left", "y_slider"};
    formula down = negate(half(angle));
    const formula value[4] = {
        integer(model->tape, 0), apply(OP_SIN, down),
        negate(apply(OP_COS, down)), height};
    for (int k = 0; k < 4; k++) {
        int i = model_coordinate_index(model, given[k]);
        model->q0[i] = value[k];
        model->v0[i] = k == 0 ? half(omega0) : integer(model->tape, 0);
    }
}

static void record(struct model *model)
{
    PARAMETERS(k, c, m_ball, omega0, L, s, alpha, b, b_slider, density, g);
    AUXILIARY(heat);
    COSTS(lift);
    FIXED(k, 8e5, "N/m", "stiffness of the springs");
    FIXED(c, 4e4, "N s/m", "damping of the dampers");
    NOMINAL(m_ball, 5, "kg", "mass of a ball");
    NOMINAL(omega0, 2*pi, "rad/s", "speed of the shaft at the start");
    FIXED(L, 1, "m", "length of shaft and rods");
    FIXED(s, 0.5, "m", "from the top down to the slider at the start");
    FIXED(alpha, pi/6, "rad", "of the rods below the horizontal at the start");
    FIXED(b, 0.01, "m", "side of the section of shaft and rods");
    FIXED(b_slider, 0.1, "m", "side of the slider");
    FIXED(density, 3000, "kg/m^3", "density of shaft, rods and slider");
    FIXED(g, 9.81, "m/s^2", "gravity");

    LET(m_rod, density*L*b*b);
    LET(m_slider, density*b_slider*b_slider*b_slider);
    const struct data data = {
        .L = EQ(L), .m_rod = EQ(m_rod), .J_along = EQ(m_rod*b*b/6),
        .J_across = EQ(m_rod*(L*L + b*b)/12), .m_slider = EQ(m_slider),
        .J_slider = EQ(m_slider*b_slider*b_slider/6), .m_ball = EQ(m_ball),
        .k = EQ(k), .c = EQ(c),
        .L_0 = EQ(sqrt(L*L/4 + s*s - L*s*sin(alpha))),
        .g = {EQ(0), EQ(-g), EQ(0)}};
    struct governor governor = {
        .ground = body_ground(model), .shaft = body_euler(model, "_shaft"),
        .slider = body_euler(model, "_slider"),
        .rod = {body_euler(model, "_right"), body_euler(model, "_left")}};
    model_mode(model, "motion");
    masses(model, &data, &governor);
    join(model, &data, &governor);
    draw(model, &governor, data.L, EQ(b_slider));
    model->f_s[0] = couple(model, &data, &governor);
    model->g[0] = governor.slider.centre.r[1];
    model->energy = add(model_energy(model), EQ(heat));
    guess(model, &governor);
    start(model, EQ(omega0), EQ(alpha), EQ(L/2 - s));
    model->t_end = EQ(0.003);
}

CASE(flyball_governor,
    .name = "flyball-governor",
    .title = "governor with stiff springs in place of its couplers",
    .source = "IFToMM benchmark A05",
    .declared = "the springs join the middles of the rods to the centre of the slider, "
                "unstretched at the start; alpha is measured from the horizontal; "
                "0.003 s of the benchmark's 10: as stiff as this is, explicit "
                "integrators take very many steps (--t-end 10)",
    .classes = "constrained, spatial, benchmark, stiff",
    .record = record);
