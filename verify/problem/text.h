/*
 * text.h - the formulas of a model as text that other programs can read.
 */
#ifndef SALTUS_TEXT_H
#define SALTUS_TEXT_H

#include "model.h"

/* Formulas that are to be written, and their abbreviations. */
struct problem_text {
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
void problem_names(const struct model *model);
/* The name that problem_names has given a variable. */
const char *problem_name(const struct model *model, int block, int index);

void problem_text_init(struct problem_text *text, const struct model *model);
void problem_text_clear(struct problem_text *text);
/* Adds `count` formulas that will be written; they are kept by reference. */
void problem_text_add(struct problem_text *text, const formula *f, int count);
/* Makes the definitions, once all formulas are added: where one of them is longer than
   `limit` characters when written out, a row that is used more than once gets a name:
   that of the case's LET, or d1, d2, ... */
void problem_text_define(struct problem_text *text, int limit);
/* The text of a formula, malloc'ed; rows that have a definition stand by their names. */
char *problem_text_of(const struct problem_text *text, formula f);
/* The name of definition k; *body: its text, malloc'ed. */
const char *problem_text_definition(const struct problem_text *text, int k, char **body);

#endif
