/*
 * read_places.c - points, bodies, places and gravity of a model file (element.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "file/element.h"
#include "model_internal.h"

struct elements *elements_new(struct model *model)
{
    struct elements *elements = memory_new(1, sizeof *elements);
    elements->ground = body_ground(model);
    return elements;
}

void elements_free(struct elements *elements)
{
    for (int k = 0; k < elements->scopes; k++)
        names_free(elements->scope[k]);
    free(elements->scope);
    free(elements->body);
    free(elements->place);
    index_clear(&elements->by_name);
    free(elements);
}

/* --- bodies ------------------------------------------------------------------------- */

int elements_dimension(const struct elements *elements, int body)
{
    return body < 0 ? 0 : elements->body[body].dimension;
}

const struct body *elements_body(const struct elements *elements, int body)
{
    return body < 0 ? &elements->ground : &elements->body[body].body;
}

struct planar elements_planar(const struct elements *elements, int body)
{
    return body < 0 ? (struct planar){.angle = {NULL, 0}} : elements->body[body].planar;
}

/* --- names -------------------------------------------------------------------------- */

static bool has_name(const void *owner, int item, const void *key)
{
    const struct elements *elements = owner;
    return strcmp(elements->place[item].name, key) == 0;
}

static int find_place(const struct elements *elements, const char *name)
{
    return index_find(&elements->by_name, hash_text(name), has_name, elements, name);
}

/* Offers the ground and the names of places; `carried`: of bodies alone. */
static void refuse_place(struct reader *reader, const struct node *node, const char *what,
                         bool carried)
{
    const struct elements *elements = reader->elements;
    int count = carried ? elements->bodies : elements->places;
    if (yaml_failed(reader))
        return;
    const char **known = memory_new(count + 1, sizeof *known);
    char offer[200];
    for (int k = 0; k < count; k++)
        known[k] = carried ? elements->body[k].name : elements->place[k].name;
    known[count] = "ground";
    offer_names(node->text, known, count + 1, offer, sizeof offer);
    yaml_refuse(reader, node, "%s: there is no %s '%.60s'; %s", what,
                carried ? "body" : "place", node->text, offer);
    free(known);
}

static void append_place(struct reader *reader, const struct node *name,
                         struct place place)
{
    struct elements *elements = reader->elements;
    if (strcmp(name->text, "ground") == 0 || find_place(elements, name->text) >= 0) {
        yaml_refuse(reader, name, "%.60s is there twice among points, bodies and places, "
                    "of which the ground is one", name->text);
        return;
    }
    place.name = name->text;
    elements->place = memory_grow(elements->place, &elements->place_room,
                                  elements->places + 1, sizeof *elements->place);
    index_put(&elements->by_name, hash_text(name->text), elements->places);
    elements->place[elements->places++] = place;
}

/* Words of the model that are called for this node are refused at its place. */
static void stand_at(struct reader *reader, const struct node *node)
{
    model_at_column(reader->model, reader->document->path, node->line, node->column);
}

/* "_<name>", as coordinates end: x_<name>. */
static const char *suffix_of(const struct node *name, char text[100])
{
    snprintf(text, 100, "_%.90s", name->text);
    return text;
}

static void read_free_point(struct reader *reader, const struct node *name, int dimension)
{
    char suffix[100];
    stand_at(reader, name);
    struct point point = point_free(reader->model, suffix_of(name, suffix), dimension,
                                    NULL);
    append_place(reader, name, (struct place){.point = point, .dimension = dimension,
                                              .body = NO_BODY});
}

/* A list of names, all in the plane, or a table from names to plane and space. */
void read_points(struct reader *reader, const struct node *value)
{
    static const char *const words[] = {"plane", "space", NULL};
    if (value->kind == NODE_TEXT)
        yaml_is(reader, value, NODE_LIST, "points");
    for (int i = 0; i < value->count; i++) {
        const struct node *name = value->kind == NODE_LIST ? value->item[i]
                                                           : value->key[i];
        if (!yaml_is(reader, name, NODE_TEXT, "a point"))
            continue;
        int word = value->kind == NODE_LIST
            ? 0 : yaml_word(reader, value->item[i], "a point", words);
        if (word >= 0)
            read_free_point(reader, name, 2 + word);
    }
}

void read_bodies(struct reader *reader, const struct node *value)
{
    static const char *const words[] = {"planar", "euler", "natural", NULL};
    struct elements *elements = reader->elements;
    char suffix[100];
    if (!yaml_is(reader, value, NODE_TABLE, "bodies"))
        return;
    /* all at once: frames point at them */
    elements->body = memory_new(value->count, sizeof *elements->body);
    for (int i = 0; i < value->count; i++) {
        const struct node *name = value->key[i];
        int word = yaml_word(reader, value->item[i], "a body", words);
        if (word < 0)
            continue;
        struct rigid *rigid = &elements->body[elements->bodies++];
        *rigid = (struct rigid){.name = name->text, .dimension = word == 0 ? 2 : 3};
        stand_at(reader, name);
        suffix_of(name, suffix);
        if (word == 0)
            rigid->planar = planar_body(reader->model, suffix);
        else
            rigid->body = word == 1 ? body_euler(reader->model, suffix)
                                    : body_natural(reader->model, suffix);
        append_place(reader, name, yaml_place_on(reader, elements->bodies - 1, NULL));
    }
}

/* --- what a place is told by -------------------------------------------------------- */

int yaml_components(struct reader *reader, const struct node *node, const char *what,
                    formula out[3])
{
    if (node->kind != NODE_LIST || node->count < 2 || node->count > 3) {
        yaml_refuse(reader, node, "%s: a list of two or three formulas is expected, like "
                    "[x, y]", what);
        return 0;
    }
    for (int k = 0; k < node->count; k++)
        out[k] = yaml_formula(reader, node->item[k]);
    return node->count;
}

int yaml_body(struct reader *reader, const struct node *node, const char *what)
{
    const struct elements *elements = reader->elements;
    if (!yaml_is(reader, node, NODE_TEXT, what))
        return NO_BODY;
    if (strcmp(node->text, "ground") == 0)
        return GROUND;
    for (int k = 0; k < elements->bodies; k++)
        if (strcmp(elements->body[k].name, node->text) == 0)
            return k;
    refuse_place(reader, node, what, true);
    return NO_BODY;
}

/* Refuses formulas of a place that depend on more than a place may. */
static void check_place(struct reader *reader, const struct node *node, const formula *f,
                        int count)
{
    const uint32_t may = UINT32_C(1) << BLOCK_T | UINT32_C(1) << BLOCK_Q |
                         UINT32_C(1) << BLOCK_S | UINT32_C(1) << BLOCK_RHO;
    if (yaml_blocks(f, count) & ~may)
        yaml_refuse(reader, node, "a place depends on time, coordinates, states and "
                    "parameters alone");
}

struct place yaml_place_on(struct reader *reader, int body, const struct node *at)
{
    const struct elements *elements = reader->elements;
    struct place place = {.body = body, .dimension = elements_dimension(elements, body)};
    int components = at ? yaml_components(reader, at, "at", place.at) : 0;
    if (components > 0 && body >= 0 && components != place.dimension)
        yaml_refuse(reader, at, "a place on %.60s has %d components, in the axes of the "
                    "body from its centre", elements->body[body].name, place.dimension);
    if (body < 0)
        place.dimension = components;
    if (at)
        check_place(reader, at, place.at, 3);
    struct planar planar = elements_planar(elements, body);
    place.point = place.dimension == 3
        ? body_point(elements_body(elements, body), place.at)
        : planar_point(&planar, place.at[0], place.at[1]);
    return place;
}

static struct place read_between(struct reader *reader, const struct node *table)
{
    const struct node *ends = node_find(table, "between");
    const struct node *weight = node_find(table, "weight");
    struct place end[2], none = {.body = NO_BODY};
    if (!weight || ends->kind != NODE_LIST || ends->count != 2) {
        yaml_refuse(reader, ends, "a place in between has two places and a weight: "
                    "{between: [A, B], weight: 1/2}");
        return none;
    }
    for (int k = 0; k < 2; k++)
        end[k] = yaml_place(reader, ends->item[k], "between");
    int dimension = end[0].dimension ? end[0].dimension : end[1].dimension;
    if (end[1].dimension && end[1].dimension != dimension)
        yaml_refuse(reader, ends, "one of both places is in the plane, and the other in "
                    "space");
    formula w = yaml_formula(reader, weight);
    check_place(reader, weight, &w, 1);
    return (struct place){.point = point_between(&end[0].point, &end[1].point, w),
                          .dimension = dimension, .body = NO_BODY};
}

struct place yaml_place(struct reader *reader, const struct node *node, const char *what)
{
    const struct elements *elements = reader->elements;
    struct place place = {.body = NO_BODY};
    if (node->kind == NODE_LIST) {
        place.dimension = yaml_components(reader, node, what, place.point.r);
        check_place(reader, node, place.point.r, 3);
        return place;
    }
    if (node->kind == NODE_TEXT) {
        int k = find_place(elements, node->text);
        if (k < 0 && strcmp(node->text, "ground") != 0)
            refuse_place(reader, node, what, false);
        return k < 0 ? yaml_place_on(reader, GROUND, NULL) : elements->place[k];
    }
    if (!yaml_keys(reader, SECTION_PLACE, node, "a place"))
        return place;
    const struct node *body = node_find(node, "body"), *at = node_find(node, "at");
    if (!body && node_find(node, "between"))
        return read_between(reader, node);
    if (!body || node_find(node, "between")) {
        yaml_refuse(reader, node, "a place is {body: ..., at: [...]}, or {between: [A, "
                    "B], weight: ...}, or a list [x, y]");
        return place;
    }
    int k = yaml_body(reader, body, "a place");
    return k == NO_BODY ? place : yaml_place_on(reader, k, at);
}

/* --- places and gravity ------------------------------------------------------------- */

/* Gives <prefix><axis>_<name> the value in formulas. The name may be there already, as
   long as it is that of this value. */
static void name_component(struct reader *reader, const struct node *name,
                           const char *prefix, int axis, formula value)
{
    char text[100];
    formula taken;
    snprintf(text, sizeof text, "%s%c_%.80s", prefix, 'x' + axis, name->text);
    if (!value.tape)
        value = integer(reader->model->tape, 0);
    if (!names_bind(reader->model->names, text, value)
        && !(names_find(reader->model->names, text, &taken)
             && same_formula(taken, value)))
        yaml_refuse(reader, name, "a place called %.60s has the component %s, and this "
                    "name is taken, or is no name", name->text, text);
}

/* Components of the place, and of its velocity. That of a place which moves with a state
   is known in no mode before the rate of the state is stated, and has no name. */
static void name_components(struct reader *reader, const struct node *name,
                            const struct place *place)
{
    bool of_state = yaml_blocks(place->point.r, 3) & UINT32_C(1) << BLOCK_S;
    for (int k = 0; k < place->dimension; k++) {
        name_component(reader, name, "", k, place->point.r[k]);
        if (!of_state)
            name_component(reader, name, "v", k,
                           model_rate(reader->model, place->point.r[k]));
    }
}

void read_places(struct reader *reader, const struct node *value)
{
    if (!yaml_is(reader, value, NODE_TABLE, "places"))
        return;
    for (int i = 0; i < value->count; i++) {
        struct place place = yaml_place(reader, value->item[i], "a place");
        if (reader->model->recording->error.set)
            return;
        append_place(reader, value->key[i], place);
        name_components(reader, value->key[i], &place);
    }
}

void read_gravity(struct reader *reader, const struct node *value)
{
    struct elements *elements = reader->elements;
    elements->gravity_dimension = yaml_components(reader, value, "gravity",
                                                  elements->gravity);
}

/* --- guesses ------------------------------------------------------------------------ */

/* Formulas of a list that must have `count` of them. */
static bool read_list(const struct element *guess, const char *key, int count,
                      formula *out)
{
    const struct node *list = element_needs(guess, key);
    if (list && (list->kind != NODE_LIST || list->count != count)) {
        yaml_refuse(guess->reader, list, "%s: a list of %d formulas is expected", key,
                    count);
        return false;
    }
    for (int k = 0; list && k < count; k++)
        out[k] = yaml_formula(guess->reader, list->item[k]);
    return list != NULL;
}

static void read_body_guess(struct reader *reader, const struct node *part,
                            const struct rigid *rigid)
{
    struct element guess = {reader, SECTION_BODY_GUESS, part, "the guess of a body"};
    formula centre[3] = {{NULL, 0}}, e[4] = {{NULL, 0}};
    if (!yaml_keys(reader, SECTION_BODY_GUESS, part, guess.what))
        return;
    bool plane = rigid->dimension == 2;
    const char *turned = plane ? "angle" : "orientation";
    const struct node *other = node_find(part, plane ? "orientation" : "angle");
    if (other)
        yaml_refuse(reader, other, "%.60s is a body in %s: its guess has `centre` and "
                    "`%s`", rigid->name, plane ? "the plane" : "space", turned);
    bool whole = read_list(&guess, "centre", rigid->dimension, centre);
    formula angle = plane ? element_formula(&guess, "angle") : (formula){NULL, 0};
    whole = whole && (plane || read_list(&guess, "orientation", 4, e));
    if (!whole || element_refused(&guess))
        return;
    if (!plane) {
        body_guess(reader->model, &rigid->body, centre, e);
        return;
    }
    const formula q[3] = {rigid->planar.centre.r[0], rigid->planar.centre.r[1],
                          rigid->planar.angle};
    const formula at[3] = {centre[0], centre[1], angle};
    for (int k = 0; k < 3; k++)
        reader->model->q_guess[tape_row(q[k].tape, q[k].row).b] = at[k];
}

void read_body_guesses(struct reader *reader, const struct node *value)
{
    if (!yaml_is(reader, value, NODE_TABLE, "bodies"))
        return;
    for (int i = 0; i < value->count; i++) {
        int body = yaml_body(reader, value->key[i], "bodies");
        if (body == GROUND)
            yaml_refuse(reader, value->key[i], "the ground does not move, and there is "
                        "nothing to guess");
        if (body >= 0)
            read_body_guess(reader, value->item[i], &reader->elements->body[body]);
    }
}
