/*
 * language.h - how a programming language spells a mechanism: one const table each, in
 * language_NAME.c and in languages.def.
 *
 * Texts are templates: $name, $value, ... stand for what is written, a letter after '$'
 * and more of them up to the first that is none; $1, $2, $3 for the sizes of an array.
 */
#ifndef SALTUS_LANGUAGE_H
#define SALTUS_LANGUAGE_H

#include <stdbool.h>

#include "formula/print.h"

struct language {
    const char *name;               /* as after --to */
    const char *suffix;             /* of files: ".py" */
    const char *comment;            /* begins a line of comment */
    const char *use;                /* how a program takes the file in; $file */
    const char *head, *foot;        /* before and after all; $guard: an identifier */
    const char *reserved;           /* words that no variable may have as its name, each
                                       between two blanks */
    const char *reserved_beginnings;    /* what no such name begins with, between blanks,
                                           or NULL: families of macros */
    struct spelling spelling;
    const char *multipliers;        /* name of the argument of multipliers */

    /* arrays: `base` is the first index */
    int base;
    const char *index_open, *index_next, *index_close;
    const char *zeros[3];           /* makes `out`, of 1, 2, 3 dimensions, all zero */

    /* functions */
    const char *number_function;    /* first lines; $name, $arguments */
    const char *array_function;
    const char *number_argument, *array_argument;   /* $name */
    const char *out_argument;       /* $sizes, each as index_open n index_close; NULL: an
                                       array is returned */
    const char *unused;             /* says that the argument $name is not used, or
                                       NULL */
    const char *local;              /* a variable: $name, $value */
    const char *set;                /* an assignment to an array: $name, $value */
    const char *number_result;      /* $value */
    const char *array_result;       /* last line of a function with an array, or NULL */
    const char *function_end;

    /* a statement that is longer than a line */
    const char *wrap_open, *wrap_close;     /* around its right side */
    const char *wrap_sign;                  /* at the end of each line but the last */

    /* constants: $name, $value; lists have a comma between their items */
    const char *integer, *string;
    const char *integers, *strings;
    bool no_empty_lists;            /* a list without items is left out */

    /* the list of all functions by their names; NULL: there is none. $name */
    const char *functions_open, *functions_item, *functions_close;
};

/* All languages, NULL at the end. */
extern const struct language *const languages[];
/* The language of that name, or NULL. */
const struct language *language_find(const char *name);

#endif
