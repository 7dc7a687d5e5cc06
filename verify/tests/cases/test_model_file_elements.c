/*
 * test_model_file_elements.c - elements in model files: mechanisms of the catalogue that
 * are written with them have the formulas of the cases in C.
 */
#include "element_texts.h"
#include "random_formulas.h"

#include "base/memory.h"
#include "case.h"
#include "elements/friction.h"
#include "elements/planar.h"
#include "file/write.h"
#include "mechanisms/catalogue.h"
#include "model_internal.h"
#include "program/program.h"

TestSuite(model_file_elements, .timeout = 300);

#define MODELS "verify/tests/cases/models/"
#define READ(text) model_read(model, text, __FILE__, __LINE__)

static uint64_t fingerprint_of_text(const char *text)
{
    struct diagnosis diagnosis;
    struct model *model = model_of_text(text, &diagnosis);
    cr_assert_not_null(model, "%s in\n%s", diagnosis.place, text);
    uint64_t fingerprint = model->fingerprint;
    model_free(model);
    return fingerprint;
}

static uint64_t fingerprint_of_case(const struct case_desc *desc)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct model *model = model_new(desc, &diagnosis);
    cr_assert_not_null(model, "%s: %s", desc->name, diagnosis.place);
    uint64_t fingerprint = model->fingerprint;
    model_free(model);
    return fingerprint;
}

/* The fingerprint of a case without its names, units and energies: its formulas. */
static uint64_t formulas_of(const struct case_desc *desc)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct model *model = model_record(desc, &diagnosis);
    cr_assert_not_null(model, "%s: %s", desc->name, diagnosis.place);
    for (int i = 0; i < model->n; i++)
        model->coordinate[i][0] = '\0';
    for (int i = 0; i < model->ns; i++)
        model->auxiliary[i][0] = '\0';
    for (int i = 0; i < model->nz; i++)
        model->cost[i][0] = '\0';
    for (int j = 0; j < model->p; j++)
        model->parameter[j].name[0] = model->parameter[j].unit[0] = '\0';
    for (int k = 0; k < model->modes; k++) {
        model->mode[k]->name[0] = '\0';
        model->mode[k]->power.tape = NULL;
    }
    for (int k = 0; k < model->events; k++)
        model->event[k]->name[0] = '\0';
    model->energy.tape = NULL;
    uint64_t fingerprint = model_take_fingerprint(model);
    model_free(model);
    return fingerprint;
}

static uint64_t formulas_of_text(const char *text)
{
    struct diagnosis diagnosis;
    struct model *model = model_of_text(text, &diagnosis);
    cr_assert_not_null(model, "%s in\n%s", diagnosis.place, text);
    uint64_t fingerprint = formulas_of(model->desc);
    model_free(model);
    return fingerprint;
}

static uint64_t fingerprint_of(void (*record)(struct model *))
{
    const struct case_desc desc = {.name = "recorded", .record = record};
    return fingerprint_of_case(&desc);
}

static char *text_of(const char *path)
{
    char *text = memory_new(20000, 1);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    cr_assert_gt(fread(text, 1, 19999, file), 0);
    fclose(file);
    return text;
}

/* The text with the first `from` in it replaced by `to`; the old one is freed. */
static char *replaced(char *text, const char *from, const char *to)
{
    char *at = strstr(text, from), *out = memory_new(21000, 1);
    cr_assert_not_null(at, "'%s' is not in the text", from);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    free(text);
    return out;
}

/* --- the catalogue ------------------------------------------------------------------ */

static const struct { const char *path, *name; } same[] = {
    {MODELS "pendulum-chain.yaml", "pendulum-chain-4"},
    {MODELS "four-bar.yaml", "four-bar-2"},
    {MODELS "flyball-governor.yaml", "flyball-governor"},
    {MODELS "slider-crank-spatial.yaml", "slider-crank-spatial"},
    {MODELS "slider-crank-spatial-natural.yaml", "slider-crank-spatial-natural"},
    {MODELS "slider-crank-friction.yaml", "slider-crank-friction"},
    {MODELS "slider-crank-equal-arms.yaml", "slider-crank-equal-arms"},
    {MODELS "bricard.yaml", "bricard"},
    {MODELS "two-link.yaml", "two-link"},
    {MODELS "two-link-absolute.yaml", "two-link-absolute"},
};
enum { SAME = sizeof same / sizeof *same };

Test(model_file_elements, have_the_formulas_of_the_cases_in_C)
{
    for (int k = 0; k < SAME; k++) {
        struct diagnosis diagnosis;
        struct model *model = model_of(same[k].path, &diagnosis);
        cr_assert_not_null(model, "%s", diagnosis.place);
        const struct case_desc *desc = case_find(same[k].name);
        cr_assert_not_null(desc, "%s", same[k].name);
        cr_expect_eq(formulas_of(model->desc), formulas_of(desc),
                     "%s is not %s", same[k].path, same[k].name);
        model_free(model);
    }
}

/* Nominal values are no part of the fingerprint. */
Test(model_file_elements, have_the_nominal_values_of_the_cases_in_C)
{
    for (int k = 0; k < SAME; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        struct model *model = model_of(same[k].path, &diagnosis);
        struct model *other = model_new(case_find(same[k].name), &diagnosis);
        cr_assert(model && other, "%s", diagnosis.place);
        cr_assert_eq(model->p, other->p);
        for (int j = 0; j < model->p; j++) {
            char text[2][80];
            formula_print(model->parameter[j].nominal, NULL, text[0], 80);
            formula_print(other->parameter[j].nominal, NULL, text[1], 80);
            cr_expect_str_eq(text[0], text[1]);
            cr_expect_eq(model->parameter[j].fixed, other->parameter[j].fixed, "%s %s",
                         same[k].name, model->parameter[j].name);
        }
        model_free(model);
        model_free(other);
    }
}

Test(model_file_elements, are_as_many_as_the_size_says)
{
    char *text = replaced(text_of(MODELS "pendulum-chain.yaml"), "{N: 4}", "{N: 7}");
    cr_expect_eq(formulas_of_text(text), formulas_of(case_find("pendulum-chain-7")));
    free(text);
    text = replaced(text_of(MODELS "four-bar.yaml"), "{N: 2}", "{N: 5}");
    cr_expect_eq(formulas_of_text(text), formulas_of(case_find("four-bar-5")));
    free(text);
}

/* What is written of a model with elements has their formulas, and no elements. */
Test(model_file_elements, are_written_as_formulas)
{
    for (int k = 0; k < SAME; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        const struct case_desc *desc = case_open(same[k].path, &diagnosis);
        char *text = desc ? model_file_text(desc, &diagnosis) : NULL;
        cr_assert_not_null(text, "%s", diagnosis.place);
        cr_expect_null(strstr(text, "elements:"));
        cr_expect_eq(fingerprint_of_text(text), fingerprint_of_case(desc), "%s",
                     same[k].path);
        free(text);
    }
}

/* Each change makes another mechanism. */
Test(model_file_elements, with_another_element_are_no_longer_those_of_the_case)
{
    static const struct { int k; const char *from, *to; } change[] = {
        {0, "to: P<k>, mass: m, length: L", "to: P<k>, mass: m"},
        {0, "gravity: [0, -g]", "gravity: [-g, 0]"},
        {0, "P0: [0, 0]", "P0: [0, L]"},
        {1, "from: tip<k-1>, to: tip<k>", "from: tip<k>, to: tip<k-1>"},
        {2, "{from: right, to: slider, st", "{from: left, to: slider, st"},
        {2, "damping: c", "damping: k"},
        {2, "axis: y}, b: {body: slider", "axis: z}, b: {body: slider"},
        {2, "f_s: {heat: element_loss}", "f_s: {heat: -element_loss}"},
        {2, "centre: [0.433, 0.25, 0]", "centre: [0.43, 0.25, 0]"},
        {3, "[4e-4, 4e-3, 4e-3]", "[4e-3, 4e-4, 4e-3]"},
        {3, "Fz_pivot*Fz_pivot", "Tz_pivot*Tz_pivot"},
        {5, "arm: arm, ", ""},
        {5, "axis: x}\n          friction: *friction\n    g", "axis: x}\n    g"},
        {7, "at: [L/2, 0, 0], axis: z", "at: [L, 0, 0], axis: z"},
        {8, "mass: m2", "mass: m1"},
        {9, "moments: m2*l2*l2/12", "moments: m2*l2*l2/3"},
    };
    for (size_t k = 0; k < sizeof change / sizeof *change; k++) {
        char *text = replaced(text_of(same[change[k].k].path), change[k].from,
                              change[k].to);
        cr_expect_neq(formulas_of_text(text),
                      formulas_of(case_find(same[change[k].k].name)),
                      "%s with '%s'", same[change[k].k].path, change[k].to);
        free(text);
    }
}

/* Most of the cases take model_energy. */
Test(model_file_elements, have_the_energies_of_cases_that_take_it_from_their_elements)
{
    static const int taken[] = {0, 1, 2, 3, 4, 6, 8, 9};
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        struct model *model = model_of(same[taken[k]].path, &diagnosis);
        struct model *other = model_new(case_find(same[taken[k]].name), &diagnosis);
        cr_assert(model && other, "%s", diagnosis.place);
        char *own = formula_text(model->energy, NULL, NULL);
        char *text = formula_text(other->energy, NULL, NULL);
        cr_expect_str_eq(own, text);
        cr_expect_gt(strlen(own), 20);
        free(own);
        free(text);
        model_free(model);
        model_free(other);
    }
}

/* --- every element ------------------------------------------------------------------ */

static void nominal(struct model *model)
{
    model_parameters(model, "m, k, c, L, J, g, w");
    for (int j = 0; j < model->p; j++)
        model_nominal(model, model->parameter[j].name, "1", "1", "", false, __FILE__,
                      __LINE__);
    model_time(model, "t");
    model->t_end = READ("1.0");
}

static void record_plane(struct model *model)
{
    nominal(model);
    model_costs(model, "speed");
    const formula none = {NULL, 0}, gravity[3] = {none, READ("-g")};
    const formula push[3] = {READ("w*t"), READ("k")};
    struct point P = point_free(model, "_P", 2, NULL);
    struct planar rod = planar_body(model, "_rod"), cart = planar_body(model, "_cart");
    const struct planar ground = {.angle = none};
    struct point A = point_at(READ("L"), none, none), origin = {.r = {none}};
    struct point tip = planar_point(&rod, READ("L/2"), READ("0.1"));
    struct point middle = point_between(&A, &tip, READ("1/4.0"));
    struct point rail = planar_point(&ground, none, READ("L"));
    struct point wheel = planar_point(&cart, READ("0.2"), none);
    model_mode(model, "motion");
    planar_inertia(model, READ("m"), READ("J"), gravity, &rod);
    planar_inertia(model, READ("2*m"), READ("J"), gravity, &cart);
    mass_point(model, READ("m"), gravity, &P);
    mass_point(model, READ("m/2"), gravity, &middle);
    spring(model, READ("k"), READ("L"), &P, &tip);
    damper(model, READ("c"), &P, &cart.centre);
    force_at(model, push, &tip);
    planar_revolute(model, &origin, &tip);
    planar_translational(model, &ground, &rail, READ("w"), &cart, &wheel,
                         sub(READ("w"), READ("0.3")));
    distance_constraint(model, READ("L + w*t"), &A, &P);
    coincidence(model, 2, &P, &wheel);
    planar_driven(model, &rod, &cart, READ("w*t"));
    planar_spring(model, READ("k"), READ("0.4"), &ground, &rod);
    planar_damper(model, READ("c"), &rod, &cart);
    planar_torque(model, READ("k*t"), &ground, &cart);
    model_kinetic(model, READ("m*vx_P*vx_P/2"));
    model->g[0] = add(model_rate(model, tip.r[0]), model_rate(model, middle.r[1]));
}

Test(model_file_elements, in_the_plane_are_those_of_the_words)
{
    cr_expect_eq(fingerprint_of_text(plane), fingerprint_of(record_plane));
}

static void record_space(struct model *model)
{
    nominal(model);
    const formula none = {NULL, 0}, one = integer(model->tape, 1);
    const formula J[3] = {READ("J"), READ("2*J"), READ("3*J")};
    const formula s[3] = {READ("L"), none, READ("w")}, centre[3] = {none, none, none};
    const formula x[3] = {none, one, none}, y[3] = {none, none, one};
    const formula z[3] = {one, none, none};
    const struct friction friction = {
        .mu_s = READ("0.3"), .mu_d = READ("0.2"), .v_t = READ("0.01"), .sigma = READ("c"),
        .N_t = READ("k"), .radius = READ("0.1"), .N_0 = READ("0.001"),
        .v_0 = READ("0.0001")};
    struct point Q = point_free(model, "_Q", 3, NULL);
    struct body ground = body_ground(model), crank = body_euler(model, "_crank");
    struct body rod = body_natural(model, "_rod");
    model_mode(model, "motion");
    body_inertia(model, &crank, READ("m"), J, NULL);
    body_inertia(model, &rod, READ("m"), J, NULL);
    struct frame base = frame_on(&ground, s, AXIS_Y);
    struct frame foot = frame_along(&crank, s, x, y, z);
    struct frame tip = frame_on(&crank, centre, AXIS_X), head = frame_on(&rod, s, AXIS_Z);
    struct joint guide = joint_cylindrical(model, &base, &foot);
    friction_cylindrical(model, &guide, &friction);
    joint_driven_angle(model, &base, &foot, READ("w*t"));
    joint_driven_distance(model, &base, &foot, READ("L*t"));
    struct joint ball = joint_spherical(model, &tip, &head);
    friction_spherical(model, &ball, &friction);
    mass_point(model, READ("m"), NULL, &Q);
    spring(model, READ("k"), READ("L"), &Q, &head.at);
    body_guess_numbers(model, &rod, (const char *const[]){"1", "2", "3"},
                       (const char *const[]){"0.8", "0", "0.6", "0"});
}

Test(model_file_elements, in_space_are_those_of_the_words)
{
    cr_expect_eq(fingerprint_of_text(space), fingerprint_of(record_space));
}

/* --- names that elements bring ------------------------------------------------------ */

/* Values of formulas at random values of all variables. */
static void values_of(const struct model *model, const formula *f, int count,
                     struct random *random, double *out)
{
    enum { MOST = 64 };
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    struct program *program = program_seal(model->tape, f, count, stage);
    double *w = memory_new(program->slots, sizeof *w);
    program_init(program, w);
    for (int block = 0; block < BLOCKS; block++) {
        double x[MOST];
        for (int i = 0; i < MOST; i++)
            x[i] = random_between(random, 0.5, 1.5);
        program_load(program, block, x, w);
    }
    program_run(program, 1, w);
    for (int i = 0; i < count; i++)
        out[i] = w[program->output[i]];
    free(w);
    program_free(program);
}

/* A body, and the one joint between it and the ground, called pin, whose origin on the
   body is the place `pin`. */
#define ONE_BODY \
    NOMINAL_TEXT \
    "bodies: {rod: planar}\n" \
    "places: {pin: {body: rod, at: [L/2, 0.1]}}\n" \
    "costs: [x, y, turn]\n" \
    "modes:\n" \
    "  motion:\n" \
    "    g:\n" \
    "      x: Fx_pin\n" \
    "      y: Fy_pin\n" \
    "      turn: Tz_pin + (x_pin - x_rod)*Fy_pin - (y_pin - y_rod)*Fx_pin\n" \
    "    elements:\n" \
    "      - inertia: {body: rod, mass: m, moments: J}\n"

/* The generalised force of the constraints on the body is that of the reaction. */
static void expect_reaction(const char *text)
{
    struct diagnosis diagnosis;
    struct model *model = model_of_text(text, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    const struct mode *mode = model->mode[0];
    const formula f[6] = {mode->g[0], mode->g[1], mode->g[2], mode->lambda_force[0],
                          mode->lambda_force[1], mode->lambda_force[2]};
    struct random random = random_start();
    double value[6], largest = 0;
    for (int turn = 0; turn < 20; turn++) {
        values_of(model, f, 6, &random, value);
        for (int k = 0; k < 3; k++) {
            cr_expect(fabs(value[k] + value[3 + k]) < 1e-14, "%d: %g and %g in\n%s", k,
                      value[k], value[3 + k], text);
            largest = fmax(largest, fabs(value[k]));
        }
    }
    cr_expect_gt(largest, 0.1);
    model_free(model);
}

Test(model_file_elements, of_joints_in_the_plane_bring_their_reaction)
{
    expect_reaction(ONE_BODY "      - revolute: {name: pin, a: ground, b: pin}\n");
    expect_reaction(ONE_BODY "      - prismatic:\n"
                             "          name: pin\n"
                             "          a: {body: ground, at: [1, L], angle: 0.7}\n"
                             "          b: {body: rod, at: [L/2, 0.1], angle: 0.3}\n");
    expect_reaction(ONE_BODY "      - driven_angle: {name: pin, a: ground, b: rod, "
                             "angle: t}\n");
}

/* Two modes have joints of one name in other rows: each mode, and each event, sees its
   own. */
Test(model_file_elements, bring_names_into_their_mode_and_the_events_that_leave_it)
{
    static const char modes[] = NOMINAL_TEXT
        "points: [P]\n"
        "bodies: {rod: planar}\n"
        "costs: pull\n"
        "modes:\n"
        "  short:\n"
        "    elements:\n"
        "      - inertia: {body: rod, mass: m, moments: J}\n"
        "      - revolute: {name: pin, a: ground, b: rod}\n"
        "    g: {pull: Fx_pin}\n"
        "  long:\n"
        "    elements:\n"
        "      - inertia: {body: rod, mass: m, moments: J}\n"
        "      - mass: {at: P, mass: m}\n"
        "      - distance: {from: ground, to: P, length: L}\n"
        "      - revolute: {name: pin, a: ground, b: rod}\n"
        "    g: {pull: Fx_pin}\n"
        "events:\n"
        "  break: {from: long, to: short, guard: Fy_pin - 1, direction: rising}\n"
        "  back: {from: short, to: long, guard: Fy_pin - 1, direction: rising}\n";
    struct diagnosis diagnosis;
    struct model *model = model_of_text(modes, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    cr_expect(same_formula(model->mode[0]->g[0], variable(model->tape, BLOCK_LAMBDA, 0)));
    cr_expect(same_formula(model->mode[1]->g[0], variable(model->tape, BLOCK_LAMBDA, 1)));
    cr_expect_not(same_formula(model->event[0]->guard, model->event[1]->guard));
    model_free(model);
}

/* --- the manual --------------------------------------------------------------------- */

Test(model_file_elements, of_the_readme_are_a_model)
{
    char *text = text_of("cases/elements/README.md");
    char *begin = strstr(text, "```yaml\n");
    char *end = begin ? strstr(begin + 8, "```") : NULL;
    cr_assert(begin && end);
    *end = '\0';
    struct diagnosis diagnosis;
    struct model *model = model_of_text(begin + 8, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    cr_expect_eq(model->n, 3);
    cr_expect_eq(model->mode[0]->m, 2);
    model_free(model);
    free(text);
}
