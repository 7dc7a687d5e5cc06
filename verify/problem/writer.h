/*
 * writer.h - what the two halves of problem.h share.
 */
#ifndef SALTUS_WRITER_H
#define SALTUS_WRITER_H

#include <cjson/cJSON.h>

#include "problem/problem.h"
#include "problem/text.h"

struct writer {
    const struct problem *problem;
    struct model *model;        /* a branch, with names of its own */
    struct problem_text text;
    formula **gamma;            /* [modes][m] gamma of Phid_v a + gamma = 0 */
    cJSON *root;
};

/* model.c: gathers all formulas of the model, and writes its modes, events and
   definitions into the root. */
void writer_open(struct writer *writer, const struct problem *problem);
void writer_close(struct writer *writer);
void writer_add_model(struct writer *writer);
cJSON *writer_formulas(const struct writer *writer, const formula *f, int count);
/* Takes the text over. */
cJSON *own_string(char *text);

#endif
