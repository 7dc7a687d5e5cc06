/*
 * functions.h - the functions of an exported mechanism: arrays of formulas, with names,
 * shapes and arguments, whatever the language.
 */
#ifndef SALTUS_FUNCTIONS_H
#define SALTUS_FUNCTIONS_H

#include "model.h"

enum { MOST_DIMENSIONS = 3 };       /* of an array: a matrix has two, its derivative one
                                       more */

/* One entry of an array; entries that are not there are zero. */
struct entry {
    int at[MOST_DIMENSIONS];        /* indices, from 0 */
    formula f;
};

/* An array of formulas in some blocks of variables. */
struct function {
    char *name;                     /* "slide_F_q" */
    char *about;                    /* one line for readers */
    int dimensions;                 /* 0: a number */
    int size[MOST_DIMENSIONS];
    unsigned arguments;             /* bit b: block b is an argument */
    struct entry *entry;            /* [count] in the order of their indices */
    int count, room;
    int value;                      /* number of the function of which this one is the
                                       derivative; -1: it is none */
    int by;                         /* block by which it is differentiated; -1 */
    int sizes[BLOCKS];              /* number of variables of each block */
};

/* All functions of a model. */
struct functions {
    struct model *model;            /* a branch of the model, with names of its own */
    char **mode, **event;           /* [modes], [events] names as identifiers */
    struct function *list;
    int count, room;
};

/* Walks over the model; its derivatives are those of formula/diff.h. */
void functions_init(struct functions *functions, const struct model *model);
void functions_clear(struct functions *functions);
/* The name of a block of variables as an argument: "q_plus". */
const char *block_argument(int block);

#endif
