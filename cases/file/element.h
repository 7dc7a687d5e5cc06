/*
 * element.h - points, bodies and places of a model file, and the elements of its modes
 * (reader.h).
 *
 *     points: [P]
 *     bodies: {rod: planar}
 *     places: {A: [0, 0], tip: {body: rod, at: [L/2, 0]}}
 *     modes:
 *       swing:
 *         elements:
 *           - inertia: {body: rod, mass: m, moments: m*L*L/12}
 *           - spring: {from: tip, to: P, stiffness: k, length: L0}
 *
 * Points, bodies and places share one list of names: a body is the place of its centre of
 * mass, and `ground` the origin. Elements are written in their order, which is that of
 * their rows of Phi. They bring names into the formulas of their mode and of the events
 * that leave it: element_energy, element_loss, and for a joint called pivot its reaction
 * Fx_pivot, ..., Tz_pivot.
 */
#ifndef SALTUS_FILE_ELEMENT_H
#define SALTUS_FILE_ELEMENT_H

#include "elements/joint.h"
#include "elements/planar.h"
#include "file/reader.h"

/* Bodies are told by their index, and by these. */
enum { GROUND = -1, NO_BODY = -2 };

struct place {
    const char *name;
    struct point point;
    int dimension;          /* 2: in the plane, 3: in space; 0: the ground, in either */
    int body;               /* index of the body that carries it, GROUND, or NO_BODY */
    formula at[3];          /* of a place on a body: in its axes, from its centre */
};

/* A body of the file, in the plane or in space. */
struct rigid {
    const char *name;
    int dimension;          /* 2: planar is set; 3: body is set */
    struct planar planar;
    struct body body;
    bool has_inertia;       /* in the mode that is being read */
};

/* What a model file tells elements by; lives while the file is recorded. */
struct elements {
    struct rigid *body;     /* [bodies] */
    int bodies;
    struct body ground;     /* of joints in space */
    struct place *place;    /* [places] points, centres of bodies, places */
    int places, place_room;
    struct index by_name;   /* place of a name */
    formula gravity[3];
    int gravity_dimension;  /* number of its components; 0: there is none */
    struct names **scope;   /* [scopes] by mode: names of the model and of its elements;
                               NULL: the mode has no elements */
    int scopes, scope_room;
    formula loss;           /* power that dampers and friction take, of the mode that is
                               being read */
};

/* Empty elements, with the ground. Free by elements_free. */
struct elements *elements_new(struct model *model);
void elements_free(struct elements *elements);
/* Names for formulas of a mode, its elements' included. */
const struct names *elements_names(const struct reader *reader, const struct mode *mode);

/* A list of two or three formulas. Returns how many; 0 after a refusal. */
int yaml_components(struct reader *reader, const struct node *node, const char *what,
                    formula out[3]);
/* The place that a node tells: a name, [x, y], [x, y, z], or a table (SECTION_PLACE). */
struct place yaml_place(struct reader *reader, const struct node *node, const char *what);
/* The body that a text names; GROUND for the ground, NO_BODY after a refusal. */
int yaml_body(struct reader *reader, const struct node *node, const char *what);
/* The place `at` on a body, at: a list in the axes of the body, NULL: its centre. */
struct place yaml_place_on(struct reader *reader, int body, const struct node *at);
/* The body in space of an index; the ground's is that of space. */
const struct body *elements_body(const struct elements *elements, int body);
/* The frame in the plane of an index. */
struct planar elements_planar(const struct elements *elements, int body);
/* 2: in the plane, 3: in space, 0: the ground, in either. */
int elements_dimension(const struct elements *elements, int body);

/* An element that is being read, by its keys. */
struct element {
    struct reader *reader;
    enum section section;
    const struct node *part;    /* a table */
    const char *what;           /* "a spring" */
};

/* The value of a key; NULL after a refusal that tells the meaning of the key. */
const struct node *element_needs(const struct element *element, const char *key);
/* The formula of a key that must be there. */
formula element_formula(const struct element *element, const char *key);
/* The formula of a key; never set if it is not there. */
formula element_formula_if(const struct element *element, const char *key);
/* The place of a key that must be there. */
struct place element_place(const struct element *element, const char *key);
/* The places of two keys; false after a refusal: they are one place, or one is in the
   plane and the other in space. */
bool element_ends(const struct element *element, const char *from, const char *to,
                  struct place end[2]);
/* True: the model is refused already, and elements are not written any more. */
bool element_refused(const struct element *element);
/* Adds to the power that dampers and friction take. */
void element_loses(const struct element *element, formula power);
/* Gives <component><name> the value in the formulas of the mode. */
void element_brings(const struct element *element, const char *component,
                    const struct node *name, formula value);

/* One side of a joint: a frame that moves with a body. */
struct side {
    const struct node *node;
    int body;               /* its index, or GROUND */
    struct place place;     /* origin of the frame */
    struct planar planar;   /* in the plane: the body */
    formula angle;          /* in the plane: x axis of the frame from that of the body */
    struct frame frame;     /* in space */
    bool directed;          /* in space: axes of the frame are given */
};

/* Reads the sides `a` and `b` of a joint. Returns the dimension of their bodies, 2 or 3;
   0 after a refusal: bodies of both kinds, one body twice, keys of other frames. */
int element_sides(const struct element *joint, struct side side[2]);

#endif
