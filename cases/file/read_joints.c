/*
 * read_joints.c - joints, their friction and their reactions, and torques between bodies
 * in the plane, of a model file (element.h).
 */
#include "elements/friction.h"
#include "file/element.h"
#include "model_internal.h"

/* --- friction ----------------------------------------------------------------------- */

/* Joints that need a constant of friction: all, those that turn, those whose speed has
   more than one direction. */
enum { ALWAYS = 1, TURNING = 2, ROUNDED = 4, SOMETIMES = 0 };

static bool read_friction(struct reader *reader, const struct node *part, int needs,
                          struct friction *friction)
{
    struct element element = {reader, SECTION_FRICTION, part, "friction"};
    const struct { const char *key; formula *value; int needed; } constants[] = {
        {"mu_s", &friction->mu_s, ALWAYS}, {"mu_d", &friction->mu_d, ALWAYS},
        {"v_t", &friction->v_t, ALWAYS}, {"N_0", &friction->N_0, ALWAYS},
        {"radius", &friction->radius, TURNING}, {"v_0", &friction->v_0, ROUNDED},
        {"arm", &friction->arm, SOMETIMES}, {"sigma", &friction->sigma, SOMETIMES},
        {"N_t", &friction->N_t, SOMETIMES}};
    if (!yaml_keys(reader, SECTION_FRICTION, part, element.what))
        return false;
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++)
        *constants[k].value = constants[k].needed & needs
            ? element_formula(&element, constants[k].key)
            : element_formula_if(&element, constants[k].key);
    if (!friction->sigma.tape != !friction->N_t.tape)
        element_needs(&element, friction->sigma.tape ? "N_t" : "sigma");
    return !element_refused(&element);
}

/* --- joints ------------------------------------------------------------------------- */

/* Force and torque of a joint on body b. */
struct reaction {
    formula force[3], torque[3];
};

/* A joint by the words for it. */
struct joint_kind {
    const char *what;
    struct joint (*spatial)(struct model *model, const struct frame *a,
                            const struct frame *b);
    bool undirected;            /* axes of its frames do not matter */
    formula (*rub)(struct model *model, const struct joint *joint,
                   const struct friction *friction);
    int needs;                  /* constants of its friction that must be there */
    /* writes the joint in the plane, and its reaction if it is asked for; NULL: there is
       none in the plane */
    void (*planar)(struct model *model, const struct side side[2],
                   struct reaction *reaction);
};

/* Is the reaction asked for? A joint with a name brings it. */
static bool is_named(const struct element *joint)
{
    const struct node *name = node_find(joint->part, "name");
    return name && yaml_is(joint->reader, name, NODE_TEXT, "name");
}

static void bring_reaction(const struct element *joint, const struct reaction *reaction)
{
    static const char *const force[] = {"Fx_", "Fy_", "Fz_"};
    static const char *const torque[] = {"Tx_", "Ty_", "Tz_"};
    const struct node *name = node_find(joint->part, "name");
    for (int k = 0; k < 3; k++) {
        element_brings(joint, force[k], name, reaction->force[k]);
        element_brings(joint, torque[k], name, reaction->torque[k]);
    }
}

static void bring_spatial(const struct element *element, const struct joint *joint)
{
    struct reaction reaction = {.force = {{NULL, 0}}};
    if (!is_named(element))
        return;
    joint_reaction(element->reader->model, joint, reaction.force, reaction.torque);
    bring_reaction(element, &reaction);
}

static void write_spatial(const struct element *element, const struct joint_kind *kind,
                          const struct side side[2])
{
    struct model *model = element->reader->model;
    const struct node *part = node_find(element->part, "friction");
    struct friction friction = {.mu_s = {NULL, 0}};
    for (int k = 0; k < 2; k++)
        if (!kind->undirected && !side[k].directed)
            yaml_refuse(element->reader, side[k].node, "%s needs the axis of its frame: "
                        "{body: ..., at: [...], axis: z}", kind->what);
    bool rubs = part && read_friction(element->reader, part, kind->needs, &friction);
    if (element_refused(element))
        return;
    struct joint joint = kind->spatial(model, &side[0].frame, &side[1].frame);
    bring_spatial(element, &joint);
    if (rubs)
        element_loses(element, kind->rub(model, &joint, &friction));
}

static void write_planar(const struct element *element, const struct joint_kind *kind,
                         const struct side side[2])
{
    const struct node *friction = node_find(element->part, "friction");
    if (!kind->planar)
        yaml_refuse(element->reader, element->part, "%s holds bodies in space together; "
                    "in the plane there are `revolute` and `prismatic`", kind->what);
    else if (friction)
        yaml_refuse(element->reader, friction, "a joint in the plane has no `friction`: "
                    "state it by `forces`");
    if (element_refused(element))
        return;
    struct reaction reaction = {.force = {{NULL, 0}}};
    bool named = is_named(element);
    kind->planar(element->reader->model, side, named ? &reaction : NULL);
    if (named)
        bring_reaction(element, &reaction);
}

static void read_joint(struct reader *reader, const struct node *part,
                       const struct joint_kind *kind)
{
    struct element element = {reader, SECTION_JOINT, part, kind->what};
    struct side side[2];
    if (!yaml_keys(reader, SECTION_JOINT, part, kind->what))
        return;
    int dimension = element_sides(&element, side);
    if (dimension == 3)
        write_spatial(&element, kind, side);
    else if (dimension == 2)
        write_planar(&element, kind, side);
}

static formula multiplier(const struct model *model, int row)
{
    return variable(model->tape, BLOCK_LAMBDA, row);
}

static void revolute_in_plane(struct model *model, const struct side side[2],
                              struct reaction *reaction)
{
    int row = planar_revolute(model, &side[0].place.point, &side[1].place.point);
    for (int k = 0; k < 2 && reaction; k++)
        reaction->force[k] = multiplier(model, row + k);
}

/* The x axes of both frames stay on one line: the first row is n.(b - a), n across the
   line, and the second the angle of b. */
static void prismatic_in_plane(struct model *model, const struct side side[2],
                               struct reaction *reaction)
{
    const struct side *a = &side[0], *b = &side[1];
    int row = planar_translational(model, &a->planar, &a->place.point, a->angle,
                                   &b->planar, &b->place.point, sub(a->angle, b->angle));
    if (!reaction)
        return;
    const struct planar line = {.angle = add(a->planar.angle, a->angle)};
    struct point n = planar_point(&line, (formula){NULL, 0}, integer(model->tape, 1));
    formula press = negate(multiplier(model, row));
    for (int k = 0; k < 2; k++)
        reaction->force[k] = mul(press, n.r[k]);
    reaction->torque[2] = negate(multiplier(model, row + 1));
}

void read_revolute(struct reader *reader, const struct node *part)
{
    static const struct joint_kind kind = {
        .what = "a revolute joint", .spatial = joint_revolute, .rub = friction_revolute,
        .needs = ALWAYS | TURNING, .planar = revolute_in_plane};
    read_joint(reader, part, &kind);
}

void read_prismatic(struct reader *reader, const struct node *part)
{
    static const struct joint_kind kind = {
        .what = "a prismatic joint", .spatial = joint_prismatic,
        .rub = friction_prismatic, .needs = ALWAYS, .planar = prismatic_in_plane};
    read_joint(reader, part, &kind);
}

void read_cylindrical(struct reader *reader, const struct node *part)
{
    static const struct joint_kind kind = {
        .what = "a cylindrical joint", .spatial = joint_cylindrical,
        .rub = friction_cylindrical, .needs = ALWAYS | TURNING | ROUNDED};
    read_joint(reader, part, &kind);
}

void read_spherical(struct reader *reader, const struct node *part)
{
    static const struct joint_kind kind = {
        .what = "a spherical joint", .spatial = joint_spherical, .undirected = true,
        .rub = friction_spherical, .needs = ALWAYS | TURNING | ROUNDED};
    read_joint(reader, part, &kind);
}

void read_universal(struct reader *reader, const struct node *part)
{
    static const struct joint_kind kind = {
        .what = "a universal joint", .spatial = joint_universal,
        .rub = friction_universal, .needs = ALWAYS | TURNING};
    read_joint(reader, part, &kind);
}

/* --- driven joints ------------------------------------------------------------------ */

/* Reads the sides and the formula of `key`. Returns the dimension; 0 after a refusal. */
static int read_driven(const struct element *element, const char *key,
                       struct side side[2], formula *value)
{
    if (!yaml_keys(element->reader, element->section, element->part, element->what))
        return 0;
    int dimension = element_sides(element, side);
    *value = element_formula(element, key);
    for (int k = 0; k < 2 && dimension == 3; k++)
        if (!side[k].directed)
            yaml_refuse(element->reader, side[k].node, "%s needs the axis of its frame: "
                        "{body: ..., at: [...], axis: z}", element->what);
    return element_refused(element) ? 0 : dimension;
}

void read_driven_angle(struct reader *reader, const struct node *part)
{
    struct element element = {reader, SECTION_DRIVEN_ANGLE, part, "a driven angle"};
    struct model *model = reader->model;
    struct side side[2];
    formula angle;
    int dimension = read_driven(&element, "angle", side, &angle);
    if (dimension == 3) {
        struct joint joint = joint_driven_angle(model, &side[0].frame, &side[1].frame,
                                                angle);
        bring_spatial(&element, &joint);
    }
    if (dimension == 2) {
        formula turn = add(angle, sub(side[0].angle, side[1].angle));
        int row = planar_driven(model, &side[0].planar, &side[1].planar, turn);
        struct reaction reaction = {.force = {{NULL, 0}}};
        if (!is_named(&element))
            return;
        reaction.torque[2] = negate(multiplier(model, row));
        bring_reaction(&element, &reaction);
    }
}

void read_driven_distance(struct reader *reader, const struct node *part)
{
    struct element element = {reader, SECTION_DRIVEN_DISTANCE, part,
                              "a driven distance"};
    struct side side[2];
    formula distance;
    int dimension = read_driven(&element, "distance", side, &distance);
    if (dimension == 2)
        yaml_refuse(reader, part, "a driven distance is one in space; in the plane, "
                    "state a `distance` whose `length` is a formula of time");
    if (dimension != 3)
        return;
    struct joint joint = joint_driven_distance(reader->model, &side[0].frame,
                                               &side[1].frame, distance);
    bring_spatial(&element, &joint);
}

/* --- torques in the plane ----------------------------------------------------------- */

/* Reads the bodies `a` and `b`, which must be in the plane. */
static bool read_pair(const struct element *element, struct planar pair[2])
{
    static const char *const keys[] = {"a", "b"};
    struct reader *reader = element->reader;
    int body[2] = {NO_BODY, NO_BODY};
    if (!yaml_keys(reader, element->section, element->part, element->what))
        return false;
    for (int k = 0; k < 2; k++) {
        const struct node *name = element_needs(element, keys[k]);
        body[k] = name ? yaml_body(reader, name, element->what) : NO_BODY;
        if (elements_dimension(reader->elements, body[k]) == 3)
            yaml_refuse(reader, name, "%s acts between bodies in the plane; in space, "
                        "state it by `forces`, with `rate`", element->what);
        pair[k] = elements_planar(reader->elements, body[k]);
    }
    if (!element_refused(element) && body[0] == body[1])
        yaml_refuse(reader, node_find(element->part, "b"), "%s: `a` and `b` are one body",
                    element->what);
    return !element_refused(element);
}

void read_torsion_spring(struct reader *reader, const struct node *part)
{
    struct element element = {reader, SECTION_TORSION_SPRING, part, "a torsion spring"};
    struct planar pair[2];
    if (!read_pair(&element, pair))
        return;
    formula k = element_formula(&element, "stiffness");
    formula rest = element_formula(&element, "angle");
    if (!element_refused(&element))
        planar_spring(reader->model, k, rest, &pair[0], &pair[1]);
}

void read_torsion_damper(struct reader *reader, const struct node *part)
{
    struct element element = {reader, SECTION_TORSION_DAMPER, part, "a torsion damper"};
    struct planar pair[2];
    if (!read_pair(&element, pair))
        return;
    formula c = element_formula(&element, "damping");
    if (element_refused(&element))
        return;
    planar_damper(reader->model, c, &pair[0], &pair[1]);
    formula rate = model_rate(reader->model, planar_angle(&pair[0], &pair[1]));
    element_loses(&element, mul(c, mul(rate, rate)));
}

void read_torque(struct reader *reader, const struct node *part)
{
    struct element element = {reader, SECTION_TORQUE, part, "a torque"};
    struct planar pair[2];
    if (!read_pair(&element, pair))
        return;
    formula torque = element_formula(&element, "torque");
    if (!element_refused(&element))
        planar_torque(reader->model, torque, &pair[0], &pair[1]);
}
