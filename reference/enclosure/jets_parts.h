/*
 * jets_parts.h - what jets are made of: nodes, to which a tape is lowered (jets_lower.c);
 * components and instructions, which nodes become (jets.c) and which are evaluated
 * (jets_run.c).
 */
#ifndef SALTUS_JETS_PARTS_H
#define SALTUS_JETS_PARTS_H

#include <acb_poly.h>

#include "base/arena.h"
#include "jets.h"

/* Operations that a tape is lowered to. A function has Arb's power series. */
enum node_kind {
    NODE_MISSING,
    NODE_CONSTANT,
    NODE_PI,
    NODE_VARIABLE,
    NODE_ADD,
    NODE_SUB,
    NODE_NEG,
    NODE_MUL,
    NODE_FUNCTION
};
enum function { INVERSE, POWER, SQUARE_ROOT, EXPONENTIAL, LOGARITHM, SINE, COSINE,
                ARC_TANGENT, HYPERBOLIC_SINE, HYPERBOLIC_COSINE };

struct node {
    enum node_kind kind;
    enum function function;
    int a, b;                   /* operands; of a variable, a is its slot; of a power, b
                                   its exponent >= 2 */
    const char *text;           /* of a constant */
    int *part;                  /* [parts] component of each part; -1: zero, or not
                                   needed */
    bool *has, *need;           /* [parts] structurally not zero; needed */
    int slope, curvature;       /* components of f'(a) and f''(a)/2; -1: not needed */
    int square;                 /* component of the square of a's part tau; -1 */
};

/* Storage of a part: its value, then its derivatives. */
struct component {
    int slots;
    int *slot;                  /* [slots] ascending */
    acb_ptr x;                  /* [1 + slots] */
};

enum instruction_kind { DO_LOAD, DO_ADD, DO_MUL, DO_FUNCTION };
struct instruction {
    enum instruction_kind kind;
    bool set;                   /* the component is set, else added to */
    int to, x, y;               /* components; of a load, x is the slot */
    int factor;                 /* DO_ADD: 1, -1, or 0 for 1/2; DO_LOAD: 1, or 0 for 1/2
                                   */
    int *x_place, *y_place;     /* places of the derivatives of x, y in those of `to` */
    const struct node *node;    /* DO_FUNCTION */
    int sign;                   /* of a denominator at the last real box */
};

struct jets {
    struct arena arena;
    int parts;                  /* 3 + etas */
    struct node *node;
    int nodes, node_room;
    struct component *component;
    int components, component_room;
    struct instruction *instruction;
    int instructions, instruction_room;
    int outputs, *root;         /* [outputs] node; -1: the formula is zero */
    acb_ptr storage;
    slong stored;               /* length of storage */
    slong precision;            /* of the constants that are loaded; 0: none */
    acb_poly_t argument, series;
    acb_t work;
};

enum { PLACE_VALUE, PLACE_RATE, PLACE_SECOND, PLACE_GRADIENT };

/* Adds the nodes that `count` formulas need; root [count] has their own, -1: zero. */
void jets_lower(struct jets *jets, const struct tape *tape, const struct jet_point *point,
                const formula *f, int count, int *root);

#endif
