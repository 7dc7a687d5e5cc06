/*
 * body.h - one function of the exported text.
 */
#ifndef SALTUS_BODY_H
#define SALTUS_BODY_H

#include <stdio.h>

#include "export/functions.h"
#include "export/language.h"

/* Writes the function with its comment. Variables have their names of the model, rows
   that are used more than once in long formulas become local variables. */
void body_write(FILE *stream, const struct functions *functions,
                const struct function *function, const struct language *language);
/* The element of an array: "q[0]", "q(1)", malloc'ed. */
char *element_text(const struct language *language, const char *array, const int *at,
                   int dimensions);
/* The formula by names of the model, in the language, malloc'ed. */
char *constant_text(const struct functions *functions, formula f,
                    const struct language *language);

#endif
