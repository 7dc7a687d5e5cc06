/*
 * writer.h - the JSON while it is written; for problem.c and model.c.
 */
#ifndef SALTUS_WRITER_H
#define SALTUS_WRITER_H

#include <cjson/cJSON.h>

#include "problem/problem.h"
#include "file/formula_texts.h"

struct writer {
    const struct problem *problem;
    struct model *model;        /* a branch of the problem's model, with names of its
                                   own */
    struct formula_texts text;
    formula **gamma;            /* [modes][m] gamma of Phidd = Phid_v a + gamma */
    cJSON *root;
};

/* model.c: gathers all formulas of the model, and writes its modes, events and
   definitions into the root. */
void writer_open(struct writer *writer, const struct problem *problem);
void writer_close(struct writer *writer);
void writer_add_model(struct writer *writer);
cJSON *writer_formulas(const struct writer *writer, const formula *f, int count);
/* A JSON string of the text, which is freed. */
cJSON *own_string(char *text);

#endif
