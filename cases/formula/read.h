/*
 * read.h - parser of formulas in infix text, and the symbol table of their names.
 *
 * The grammar is C's arithmetic without casts: + - * / ( ), decimal numbers, names, the
 * functions of ops.def, pow(a, n), and pi. An operation between two integer literals is
 * refused in a case file: 1/2 is 0 in C, and the text is also compiled as C.
 */
#ifndef SALTUS_READ_H
#define SALTUS_READ_H

#include "formula/formula.h"

struct names;

/* An empty symbol table. Free by names_free. */
struct names *names_new(void);
void names_free(struct names *names);
/* A copy of a symbol table, to which other names may be added. Free by names_free. */
struct names *names_copy(const struct names *names);
/* Binds a name (letters, digits, _) to a formula. False: it is not a name, or is
   taken. The functions of ops.def and pi are taken. */
bool names_bind(struct names *names, const char *name, formula value);
/* The reason why names_bind refuses a name, as the end of a sentence. */
const char *names_why_not(const struct names *names, const char *name);
/* *value is the formula bound to a name. False: the name is not bound. */
bool names_find(const struct names *names, const char *name, formula *value);
/* The name bound to exactly this row (the first, if several are), or NULL. */
const char *names_of(const struct names *names, formula value);
/* The bound name or function most like a misspelt one, or NULL if none is near. names
   NULL: functions only. */
const char *names_nearest(const struct names *names, const char *name);

/* A syntax error, with its place. */
struct read_error {
    bool set;
    int column;             /* column in the text that was read, from 1 */
    char message[300];      /* reason and remedy, one line */
    char line[400];         /* the text, a newline, and a caret under the column */
};

/* Parses one formula; names may be NULL. On an error it returns the zero formula and
   fills `error`, unless NULL. */
formula formula_read(struct tape *tape, const struct names *names, const char *text,
                     struct read_error *error);
/* formula_read of a text that is not compiled as C: integers are exact numbers like all
   others, and 1/2 is a half. */
formula formula_read_exact(struct tape *tape, const struct names *names,
                           const char *text, struct read_error *error);

#endif
