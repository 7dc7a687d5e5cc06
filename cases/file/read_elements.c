/*
 * read_elements.c - elements of a mode: masses, bars, springs, dampers, forces, distances
 * and inertias of a model file (element.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "file/element.h"
#include "model_internal.h"

/* --- keys of an element ------------------------------------------------------------- */

bool element_refused(const struct element *element)
{
    return element->reader->model->recording->error.set;
}

const struct node *element_needs(const struct element *element, const char *key)
{
    const struct node *value = node_find(element->part, key);
    if (!value)
        yaml_refuse(element->reader, element->part, "%s has no `%s`: %s", element->what,
                    key, yaml_meaning(element->section, key));
    return value;
}

formula element_formula(const struct element *element, const char *key)
{
    const struct node *value = element_needs(element, key);
    return value ? yaml_formula(element->reader, value) : (formula){NULL, 0};
}

formula element_formula_if(const struct element *element, const char *key)
{
    const struct node *value = node_find(element->part, key);
    return value ? yaml_formula(element->reader, value) : (formula){NULL, 0};
}

struct place element_place(const struct element *element, const char *key)
{
    const struct node *value = element_needs(element, key);
    return value ? yaml_place(element->reader, value, key)
                 : (struct place){.body = NO_BODY};
}

static bool is_same(const struct point *a, const struct point *b)
{
    return same_formula(a->r[0], b->r[0]) && same_formula(a->r[1], b->r[1])
           && same_formula(a->r[2], b->r[2]);
}

bool element_ends(const struct element *element, const char *from, const char *to,
                  struct place end[2])
{
    end[0] = element_place(element, from);
    end[1] = element_place(element, to);
    if (element_refused(element))
        return false;
    const struct node *second = node_find(element->part, to);
    if (is_same(&end[0].point, &end[1].point))
        yaml_refuse(element->reader, second, "%s: `%s` and `%s` are one place",
                    element->what, from, to);
    else if (end[0].dimension && end[1].dimension
             && end[0].dimension != end[1].dimension)
        yaml_refuse(element->reader, second, "%s: `%s` is a place in %s, and `%s` one in "
                    "%s", element->what, from, end[0].dimension == 2 ? "the plane"
                    : "space", to, end[1].dimension == 2 ? "the plane" : "space");
    return !element_refused(element);
}

/* Gravity, for an element in the plane or in space; NULL: there is none. */
static const formula *gravity_of(const struct element *element, int dimension)
{
    const struct elements *elements = element->reader->elements;
    if (elements->gravity_dimension == 0)
        return NULL;
    if (dimension != 0 && dimension != elements->gravity_dimension)
        yaml_refuse(element->reader, element->part, "%s in %s, and gravity has %d "
                    "components: give it %d", element->what,
                    dimension == 2 ? "the plane" : "space", elements->gravity_dimension,
                    dimension);
    return elements->gravity;
}

void element_loses(const struct element *element, formula power)
{
    formula *loss = &element->reader->elements->loss;
    *loss = add(*loss, power);
}

void element_brings(const struct element *element, const char *component,
                    const struct node *name, formula value)
{
    struct reader *reader = element->reader;
    struct elements *elements = reader->elements;
    char text[100];
    snprintf(text, sizeof text, "%s%.80s", component, name->text);
    if (!value.tape)
        value = integer(reader->model->tape, 0);
    if (!names_bind(elements->scope[reader->mode->index], text, value))
        yaml_refuse(reader, name, "%s called %.60s brings the name %s, which is taken, "
                    "or is no name", element->what, name->text, text);
}

/* --- elements between places -------------------------------------------------------- */

void read_mass(struct reader *reader, const struct node *part)
{
    struct element mass = {reader, SECTION_MASS, part, "a mass"};
    if (!yaml_keys(reader, SECTION_MASS, part, mass.what))
        return;
    struct place at = element_place(&mass, "at");
    formula m = element_formula(&mass, "mass");
    const formula *g = gravity_of(&mass, at.dimension);
    if (!element_refused(&mass))
        mass_point(reader->model, m, g, &at.point);
}

void read_bar(struct reader *reader, const struct node *part)
{
    struct element bar = {reader, SECTION_BAR, part, "a bar"};
    struct place end[2];
    if (!yaml_keys(reader, SECTION_BAR, part, bar.what)
        || !element_ends(&bar, "from", "to", end))
        return;
    formula m = element_formula(&bar, "mass"), L = element_formula_if(&bar, "length");
    const formula *g = gravity_of(&bar, end[end[0].dimension == 0].dimension);
    if (element_refused(&bar))
        return;
    bar_uniform(reader->model, m, g, &end[0].point, &end[1].point);
    if (L.tape)
        distance_constraint(reader->model, L, &end[0].point, &end[1].point);
}

void read_distance(struct reader *reader, const struct node *part)
{
    struct element distance = {reader, SECTION_DISTANCE, part, "a distance"};
    struct place end[2];
    if (!yaml_keys(reader, SECTION_DISTANCE, part, distance.what)
        || !element_ends(&distance, "from", "to", end))
        return;
    formula L = element_formula(&distance, "length");
    if (!element_refused(&distance))
        distance_constraint(reader->model, L, &end[0].point, &end[1].point);
}

void read_spring(struct reader *reader, const struct node *part)
{
    struct element element = {reader, SECTION_SPRING, part, "a spring"};
    struct place end[2];
    if (!yaml_keys(reader, SECTION_SPRING, part, element.what)
        || !element_ends(&element, "from", "to", end))
        return;
    formula k = element_formula(&element, "stiffness");
    formula L0 = element_formula(&element, "length");
    if (!element_refused(&element))
        spring(reader->model, k, L0, &end[0].point, &end[1].point);
}

void read_damper(struct reader *reader, const struct node *part)
{
    struct element element = {reader, SECTION_DAMPER, part, "a damper"};
    struct place end[2];
    if (!yaml_keys(reader, SECTION_DAMPER, part, element.what)
        || !element_ends(&element, "from", "to", end))
        return;
    formula c = element_formula(&element, "damping");
    if (element_refused(&element))
        return;
    damper(reader->model, c, &end[0].point, &end[1].point);
    formula rate = model_rate(reader->model,
                              distance_between(&end[0].point, &end[1].point));
    element_loses(&element, mul(c, mul(rate, rate)));
}

void read_point_force(struct reader *reader, const struct node *part)
{
    struct element element = {reader, SECTION_POINT_FORCE, part, "a force"};
    formula force[3] = {{NULL, 0}};
    if (!yaml_keys(reader, SECTION_POINT_FORCE, part, element.what))
        return;
    struct place at = element_place(&element, "at");
    const struct node *value = element_needs(&element, "force");
    int components = value ? yaml_components(reader, value, "force", force) : 0;
    if (components > 0 && at.dimension > 0 && components != at.dimension)
        yaml_refuse(reader, value, "a force at a place in %s has %d components",
                    at.dimension == 2 ? "the plane" : "space", at.dimension);
    if (!element_refused(&element))
        force_at(reader->model, force, &at.point);
}

void read_coincidence(struct reader *reader, const struct node *part)
{
    struct element element = {reader, SECTION_COINCIDENCE, part, "a coincidence"};
    struct place end[2];
    if (!yaml_keys(reader, SECTION_COINCIDENCE, part, element.what)
        || !element_ends(&element, "a", "b", end))
        return;
    int dimension = end[end[0].dimension == 0].dimension;
    coincidence(reader->model, dimension, &end[0].point, &end[1].point);
}

/* --- bodies ------------------------------------------------------------------------- */

/* A formula in the plane, three principal moments in space. */
static void read_moments(const struct element *element, const struct rigid *rigid,
                         formula J[3])
{
    const struct node *value = element_needs(element, "moments");
    if (!value)
        return;
    if (rigid->dimension == 2) {
        J[0] = yaml_formula(element->reader, value);
        return;
    }
    if (value->kind != NODE_LIST || value->count != 3) {
        yaml_refuse(element->reader, value, "%.60s is a body in space: it has three "
                    "principal moments of inertia, [J1, J2, J3]", rigid->name);
        return;
    }
    for (int k = 0; k < 3; k++)
        J[k] = yaml_formula(element->reader, value->item[k]);
}

void read_inertia(struct reader *reader, const struct node *part)
{
    struct element element = {reader, SECTION_INERTIA, part, "an inertia"};
    formula J[3] = {{NULL, 0}};
    if (!yaml_keys(reader, SECTION_INERTIA, part, element.what))
        return;
    const struct node *name = element_needs(&element, "body");
    int body = name ? yaml_body(reader, name, "an inertia") : NO_BODY;
    if (body == GROUND)
        yaml_refuse(reader, name, "the ground does not move: it has no inertia");
    if (body < 0)
        return;
    struct rigid *rigid = &reader->elements->body[body];
    if (rigid->has_inertia)
        yaml_refuse(reader, name, "%.60s has an inertia in this mode already",
                    rigid->name);
    rigid->has_inertia = true;
    formula m = element_formula(&element, "mass");
    read_moments(&element, rigid, J);
    const formula *g = gravity_of(&element, rigid->dimension);
    if (element_refused(&element))
        return;
    if (rigid->dimension == 2)
        planar_inertia(reader->model, m, J[0], g, &rigid->planar);
    else
        body_inertia(reader->model, &rigid->body, m, J, g);
}

/* --- the elements of a mode --------------------------------------------------------- */

const struct names *elements_names(const struct reader *reader, const struct mode *mode)
{
    const struct elements *elements = reader->elements;
    const struct names *own = mode && mode->index < elements->scopes
        ? elements->scope[mode->index] : NULL;
    return own ? own : reader->model->names;
}

static void begin_scope(struct reader *reader)
{
    struct elements *elements = reader->elements;
    int k = reader->mode->index;
    elements->scope = memory_grow(elements->scope, &elements->scope_room, k + 1,
                                  sizeof *elements->scope);
    elements->scope[k] = names_copy(reader->model->names);
    elements->scopes = k + 1;
    elements->loss = (formula){NULL, 0};
    reader->names = elements->scope[k];
    for (int b = 0; b < elements->bodies; b++)
        elements->body[b].has_inertia = false;
}

/* Bodies in space have constraints among their coordinates, which inertia writes. */
static void check_inertias(struct reader *reader, const struct node *value)
{
    const struct elements *elements = reader->elements;
    for (int b = 0; b < elements->bodies; b++)
        if (elements->body[b].dimension == 3 && !elements->body[b].has_inertia)
            yaml_refuse(reader, value, "the body %.60s has no inertia in this mode, and "
                        "with it not the constraints of its coordinates: add `- inertia: "
                        "{body: %.60s, mass: ..., moments: [...]}`",
                        elements->body[b].name, elements->body[b].name);
}

void read_elements(struct reader *reader, const struct node *value)
{
    static const char what[] = "an element";
    static const struct node energy = {.text = "energy"}, loss = {.text = "loss"};
    struct element all = {reader, SECTION_ELEMENT, value, what};
    if (!yaml_is(reader, value, NODE_LIST, "elements"))
        return;
    begin_scope(reader);
    for (int i = 0; i < value->count && !element_refused(&all); i++) {
        const struct node *item = value->item[i];
        if (item->kind == NODE_TABLE && item->count == 1)
            yaml_section(reader, SECTION_ELEMENT, item, what);
        else
            yaml_refuse(reader, item, "an element is a table with one key, which says "
                        "its kind: `- spring: {...}`");
    }
    if (element_refused(&all))
        return;
    check_inertias(reader, value);
    element_brings(&all, "element_", &energy, model_energy(reader->model));
    element_brings(&all, "element_", &loss, reader->elements->loss);
}
