/*
 * joint.c - joints between rigid bodies (Haug 1989, section 9.4) and their reactions by
 * virtual work; see joint.h.
 */
#include "elements/joint.h"

#include "formula/diff.h"

/* --- frames ------------------------------------------------------------------------- */

struct frame frame_along(const struct body *body, const formula s[3], const formula x[3],
                         const formula y[3], const formula z[3])
{
    struct frame frame = {.body = body, .at = body_point(body, s)};
    body_direction(body, x, frame.x);
    body_direction(body, y, frame.y);
    body_direction(body, z, frame.z);
    return frame;
}

struct frame frame_on(const struct body *body, const formula s[3], enum axis z)
{
    struct frame frame = {.body = body, .at = body_point(body, s)};
    for (int i = 0; i < 3; i++) {
        frame.x[i] = body->A[i][(z + 1) % 3];
        frame.y[i] = body->A[i][(z + 2) % 3];
        frame.z[i] = body->A[i][z];
    }
    return frame;
}

/* --- rows --------------------------------------------------------------------------- */

static void row(struct model *model, struct joint *joint, formula Phi)
{
    int at = model_constraint(model, Phi);
    if (joint->rows++ == 0)
        joint->row = at;
}

static struct joint between(const struct frame *a, const struct frame *b)
{
    return (struct joint){.a = *a, .b = *b};
}

static void origins_coincide(struct model *model, struct joint *joint)
{
    for (int i = 0; i < 3; i++)
        row(model, joint, sub(joint->b.at.r[i], joint->a.at.r[i]));
}

/* Rows: the origin of b lies on the z axis of a. */
static void origin_on_axis(struct model *model, struct joint *joint)
{
    formula d[3];
    vector_difference(joint->b.at.r, joint->a.at.r, d);
    row(model, joint, vector_dot(d, joint->a.x));
    row(model, joint, vector_dot(d, joint->a.y));
}

static void axes_parallel(struct model *model, struct joint *joint)
{
    row(model, joint, vector_dot(joint->b.z, joint->a.x));
    row(model, joint, vector_dot(joint->b.z, joint->a.y));
}

/* --- joints ------------------------------------------------------------------------- */

struct joint joint_spherical(struct model *model, const struct frame *a,
                             const struct frame *b)
{
    struct joint joint = between(a, b);
    origins_coincide(model, &joint);
    return joint;
}

struct joint joint_universal(struct model *model, const struct frame *a,
                             const struct frame *b)
{
    struct joint joint = joint_spherical(model, a, b);
    row(model, &joint, vector_dot(a->z, b->z));
    return joint;
}

struct joint joint_revolute(struct model *model, const struct frame *a,
                            const struct frame *b)
{
    struct joint joint = joint_spherical(model, a, b);
    axes_parallel(model, &joint);
    return joint;
}

struct joint joint_cylindrical(struct model *model, const struct frame *a,
                               const struct frame *b)
{
    struct joint joint = between(a, b);
    origin_on_axis(model, &joint);
    axes_parallel(model, &joint);
    return joint;
}

struct joint joint_prismatic(struct model *model, const struct frame *a,
                             const struct frame *b)
{
    struct joint joint = joint_cylindrical(model, a, b);
    row(model, &joint, vector_dot(b->x, a->y));
    return joint;
}

struct joint joint_driven_angle(struct model *model, const struct frame *a,
                                const struct frame *b, formula angle)
{
    struct joint joint = between(a, b);
    formula along = vector_dot(b->x, a->x), across = vector_dot(b->x, a->y);
    row(model, &joint, sub(mul(across, apply(OP_COS, angle)),
                           mul(along, apply(OP_SIN, angle))));
    return joint;
}

struct joint joint_driven_distance(struct model *model, const struct frame *a,
                                   const struct frame *b, formula distance)
{
    struct joint joint = between(a, b);
    formula d[3];
    vector_difference(b->at.r, a->at.r, d);
    row(model, &joint, sub(vector_dot(d, a->z), distance));
    return joint;
}

/* --- reactions ---------------------------------------------------------------------- */

/* A virtual displacement: a body translated along axis j of space, or turned about it. */
struct displacement {
    const struct model *model;
    const struct body *body;
    bool rotation;
    int axis;
};

static formula displaced(void *context, int block, int index)
{
    const struct displacement *d = context;
    int k = index - d->body->first;
    if (block != BLOCK_Q || k < 0 || k >= 3 + d->body->turning)
        return (formula){NULL, 0};
    if (!d->rotation)
        return k == d->axis ? integer(d->model->tape, 1) : (formula){NULL, 0};
    return k < 3 ? (formula){NULL, 0} : d->body->turn[d->axis][k - 3];
}

/* -d(work) along the displacements of a body: force, and torque about its centre. */
static void on_body(const struct model *model, const struct body *body, formula work,
                    formula force[3], formula torque[3])
{
    for (int j = 0; j < 3; j++) {
        struct displacement translation = {model, body, false, j};
        struct displacement rotation = {model, body, true, j};
        tangent_along(&work, 1, displaced, &translation, &force[j]);
        tangent_along(&work, 1, displaced, &rotation, &torque[j]);
        force[j] = negate(force[j]);
        torque[j] = negate(torque[j]);
    }
}

void joint_reaction(const struct model *model, const struct joint *joint,
                    formula force[3], formula torque[3])
{
    formula work = {NULL, 0}, arm[3], moment[3];
    for (int i = joint->row; i < joint->row + joint->rows; i++)
        work = add(work, mul(variable(model->tape, BLOCK_LAMBDA, i),
                             model->pen->Phi[i]));

    /* The ground has no coordinates: its reaction is the opposite of that of body a. */
    bool ground = joint->b.body->kind == NULL;
    const struct body *body = ground ? joint->a.body : joint->b.body;
    on_body(model, body, work, force, torque);
    for (int j = 0; j < 3 && ground; j++) {
        force[j] = negate(force[j]);
        torque[j] = negate(torque[j]);
    }
    vector_difference(joint->b.at.r, body->centre.r, arm);
    vector_cross(arm, force, moment);
    vector_difference(torque, moment, torque);
}
