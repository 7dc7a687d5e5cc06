/*
 * formula_texts.h - the formulas of a model as text that other programs can read.
 */
#ifndef SALTUS_FORMULA_TEXTS_H
#define SALTUS_FORMULA_TEXTS_H

#include "model.h"

/* Formulas that are to be written, and their abbreviations. */
struct formula_texts {
    const struct model *model;
    const formula **list;       /* [lists] arrays of formulas, each [size] */
    int *size, lists, room;
    const char **given;         /* [tape rows] names of abbreviated rows, else NULL */
    int *defined;               /* [definitions] rows of the definitions, operands
                                   first */
    int definitions;
};

/* Gives every variable of the model a name that is an identifier: those without one of
   their own become t, lambda_1, impulse_1, ... (model->names is extended). */
void texts_name_variables(const struct model *model);
/* The name that texts_name_variables has given a variable. */
const char *texts_variable(const struct model *model, int block, int index);

void texts_init(struct formula_texts *text, const struct model *model);
void texts_clear(struct formula_texts *text);
/* Adds `count` formulas that will be written; they are kept by reference. */
void texts_add(struct formula_texts *text, const formula *f, int count);
/* Makes the definitions, once all formulas are added: where one of them is longer than
   `limit` characters when written out, a row that is used more than once gets a name:
   that of the case's LET, or d1, d2, ... With `named` every row that the case has named
   gets its definition, however short the formulas are. */
void texts_define(struct formula_texts *text, int limit, bool named);
/* The text of a formula, malloc'ed; rows that have a definition stand by their names. */
char *texts_of(const struct formula_texts *text, formula f);
/* The name of definition k; *body: its text, malloc'ed. */
const char *texts_definition(const struct formula_texts *text, int k, char **body);

#endif
