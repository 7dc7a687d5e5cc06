/*
 * keys.h - the keys of a model file as data: keys.def for whoever describes them.
 */
#ifndef SALTUS_FILE_KEYS_H
#define SALTUS_FILE_KEYS_H

/* Tables that have keys. */
enum section {
    SECTION_ROOT, SECTION_PARAMETER, SECTION_MODE, SECTION_FORCE, SECTION_EVENT,
    SECTION_RESET, SECTION_IMPULSE, SECTION_BALANCE, SECTION_INITIAL, SECTION_PUBLISHED,
    SECTION_TWIN, SECTION_EQUALITY, SECTIONS
};

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
    IS_PART, IS_PARTS, IS_LIST, /* a section; a table or list of named sections; a list
                                   of sections */
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
