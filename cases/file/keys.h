/*
 * keys.h - the keys of a model file as data: keys.def for whoever describes them.
 */
#ifndef SALTUS_FILE_KEYS_H
#define SALTUS_FILE_KEYS_H

/* Tables that have keys, by sections.def. */
enum section {
#define SECTION(ID, name, title) SECTION_##ID,
#include "file/sections.def"
#undef SECTION
    SECTIONS
};

/* A section as data. */
struct section_info {
    const char *name;           /* of its piece in the schema */
    const char *title;          /* heading in the manual page */
};
extern const struct section_info section_info[SECTIONS];

/* Kinds of values. */
enum shape {
    IS_TEXT, IS_WORD,           /* a text; one of a few words */
    IS_WORDS,                   /* a list of texts, or one */
    IS_FLAG, IS_FLAGS,          /* true or false; a list of these */
    IS_INTEGERS,                /* a table from names to integers */
    IS_FORMULA,
    IS_FORMULAS,                /* a table from names to formulas, or a list of pairs */
    IS_LIST_OF_FORMULAS,
    IS_SUM,                     /* a formula, or a list of formulas that are added */
    IS_VECTOR,                  /* by the names of coordinates, or in their order */
    IS_STATES,                  /* the same by auxiliary states */
    IS_COSTS,                   /* the same by costs */
    IS_MATRIX,                  /* a vector of vectors */
    IS_STATE,                   /* a table from names of the state to formulas */
    IS_RESET,                   /* a table from names of the state after an event */
    IS_DRAWING,                 /* a list of points and lines */
    IS_MODE_NAME,
    IS_DIRECTION,               /* falling, either, rising */
    IS_VELOCITY,                /* explicit, constrained, impulsive */
    IS_AT_ENDS,                 /* refuse, skip, happen */
    IS_PART, IS_PARTS, IS_LIST, /* a section; a table or list of named sections; a list
                                   of sections */
    /* of elements (element.h) */
    IS_POINTS,                  /* names, or a table from names to plane and space */
    IS_BODIES,                  /* a table from names to planar, euler and natural */
    IS_BODY_NAME,               /* the name of a body, or ground */
    IS_PLACES,                  /* a table from names to places */
    IS_PLACE,                   /* the name of a point, body or place, or ground; two or
                                   three formulas; the section PLACE */
    IS_PLACE_PAIR,              /* a list of two places */
    IS_FRAME,                   /* the name of a body or of a place on one, or ground; the
                                   section FRAME */
    IS_COMPONENTS,              /* a list of two or three formulas */
    IS_AXIS,                    /* x, y or z */
    IS_MOMENTS,                 /* a formula, or a list of three */
    IS_EULER_PARAMETERS,        /* a list of four formulas */
    IS_DERIVED                  /* anything, as it is not read */
};

/* One line of keys.def. */
struct key_info {
    enum section section;
    const char *name;
    enum shape shape;
    enum section of;            /* of IS_PART, IS_PARTS, IS_LIST: the section */
    const char *meaning;
};

/* All keys, in the order of keys.def; the last one has no name. */
extern const struct key_info key_info[];

#endif
