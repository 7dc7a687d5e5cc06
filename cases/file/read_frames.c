/*
 * read_frames.c - the two frames that a joint of a model file holds together (element.h).
 */
#include "file/element.h"

static bool read_direction(struct reader *reader, const struct node *table,
                           const char *key, formula d[3])
{
    const struct node *value = node_find(table, key);
    if (!value)
        yaml_refuse(reader, table, "a frame along directions has `x`, `y` and `z`: give "
                    "all of them, or `axis`");
    else if (yaml_components(reader, value, key, d) == 2)
        yaml_refuse(reader, value, "a direction in space has three components");
    return value != NULL;
}

/* The frame of a side in space. */
static void read_axes(struct reader *reader, struct side *side)
{
    static const char *const axes[] = {"x", "y", "z", NULL};
    const struct node *table = side->node, *axis = node_find(table, "axis");
    const struct body *body = elements_body(reader->elements, side->body);
    formula d[3][3] = {{{NULL, 0}}};
    bool along = false;
    for (int k = 0; k < 3; k++)
        along = along || node_find(table, axes[k]);
    side->directed = axis || along;
    if (axis && along)
        yaml_refuse(reader, axis, "a frame has an `axis` of its body, or directions `x`, "
                    "`y` and `z`");
    if (!along) {
        int word = axis ? yaml_word(reader, axis, "axis", axes) : AXIS_Z;
        side->frame = frame_on(body, side->place.at, word < 0 ? AXIS_Z : (enum axis)word);
        return;
    }
    for (int k = 0; k < 3; k++)
        if (!read_direction(reader, table, axes[k], d[k]))
            return;
    side->frame = frame_along(body, side->place.at, d[0], d[1], d[2]);
}

/* Reads a body and a place on it: the name of one, or a table. */
static struct side read_side(const struct element *joint, const char *key)
{
    struct reader *reader = joint->reader;
    struct side side = {.node = element_needs(joint, key), .body = NO_BODY};
    if (!side.node)
        return side;
    if (side.node->kind == NODE_TEXT) {
        side.place = yaml_place(reader, side.node, key);
        side.body = side.place.body;
        if (side.body == NO_BODY && !element_refused(joint))
            yaml_refuse(reader, side.node, "a joint holds bodies, and %.60s is on none: "
                        "give a place {body: ..., at: [...]}, or a `coincidence`",
                        side.node->text);
        return side;
    }
    if (!yaml_keys(reader, SECTION_FRAME, side.node, "a frame"))
        return side;
    const struct node *body = node_find(side.node, "body");
    if (!body)
        yaml_refuse(reader, side.node, "a frame has no `body`: %s",
                    yaml_meaning(SECTION_FRAME, "body"));
    else
        side.body = yaml_body(reader, body, "a frame");
    if (side.body != NO_BODY)
        side.place = yaml_place_on(reader, side.body, node_find(side.node, "at"));
    return side;
}

/* Refuses keys of frames in space for bodies in the plane, and the other way round. */
static void refuse_keys(struct reader *reader, const struct side *side, int dimension)
{
    static const char *const of_plane[] = {"angle", NULL};
    static const char *const of_space[] = {"axis", "x", "y", "z", NULL};
    const char *const *wrong = dimension == 2 ? of_space : of_plane;
    for (int k = 0; wrong[k]; k++)
        if (node_find(side->node, wrong[k]))
            yaml_refuse(reader, node_find(side->node, wrong[k]), "`%s` tells frames in "
                        "%s, and this joint is in %s", wrong[k],
                        dimension == 2 ? "space" : "the plane",
                        dimension == 2 ? "the plane" : "space");
}

/* The dimension of two sides; 0 after a refusal. */
static int dimension_of(const struct element *joint, const struct side side[2])
{
    struct reader *reader = joint->reader;
    int a = elements_dimension(reader->elements, side[0].body);
    int b = elements_dimension(reader->elements, side[1].body);
    if (side[0].body == side[1].body)
        yaml_refuse(reader, side[1].node, "%s: `a` and `b` are on one body", joint->what);
    else if (a && b && a != b)
        yaml_refuse(reader, side[1].node, "%s: the body of `a` is in %s, that of `b` in "
                    "%s", joint->what, a == 2 ? "the plane" : "space",
                    b == 2 ? "the plane" : "space");
    for (int k = 0; k < 2 && !element_refused(joint); k++)
        if (side[k].place.dimension && side[k].place.dimension != (a ? a : b))
            yaml_refuse(reader, side[k].node, "%s in %s: a place there has %d components",
                        joint->what, (a ? a : b) == 2 ? "the plane" : "space",
                        a ? a : b);
    return element_refused(joint) ? 0 : a ? a : b;
}

int element_sides(const struct element *joint, struct side side[2])
{
    struct reader *reader = joint->reader;
    side[0] = read_side(joint, "a");
    side[1] = read_side(joint, "b");
    int dimension = element_refused(joint) ? 0 : dimension_of(joint, side);
    for (int k = 0; k < 2 && dimension > 0; k++) {
        refuse_keys(reader, &side[k], dimension);
        const struct node *angle = node_find(side[k].node, "angle");
        side[k].planar = elements_planar(reader->elements, side[k].body);
        if (dimension == 3)
            read_axes(reader, &side[k]);
        else if (angle)
            side[k].angle = yaml_formula(reader, angle);
    }
    return element_refused(joint) ? 0 : dimension;
}
