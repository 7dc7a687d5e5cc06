/*
 * read.h - formulas from infix text, and the names they may use.
 *
 * The grammar is C's arithmetic without casts: + - * / ( ), decimal numbers, names, the
 * functions of ops.def, pow(a, n), and pi. An operation between two integer literals is
 * refused: 1/2 is 0 in C, and the same text is also compiled as C.
 */
#ifndef SALTUS_READ_H
#define SALTUS_READ_H

#include "formula/formula.h"

struct names;

struct names *names_new(void);
void names_free(struct names *names);
/* The same names, to which others may be added. */
struct names *names_copy(const struct names *names);
/* Binds a name (letters, digits, _); false when it is taken or not a name. The functions
   of ops.def and pi are taken. */
bool names_bind(struct names *names, const char *name, formula value);
bool names_find(const struct names *names, const char *name, formula *value);
/* The name bound to exactly this row (the first, if several are), or NULL. */
const char *names_of(const struct names *names, formula value);
/* The bound name or function most like a misspelt one, or NULL if none is near. */
const char *names_nearest(const struct names *names, const char *name);

struct read_error {
    bool set;
    int column;             /* 1-based, in the text that was read */
    char message[160];      /* reason and remedy, one line */
    char line[400];         /* the text, then a newline and a caret under the column */
};

/* Reads one formula. On an error returns the zero formula and fills `error`. */
formula formula_read(struct tape *tape, const struct names *names, const char *text,
                     struct read_error *error);

#endif
