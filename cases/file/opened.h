/*
 * opened.h - a model file that has been read, behind the description of its case.
 */
#ifndef SALTUS_FILE_OPENED_H
#define SALTUS_FILE_OPENED_H

#include "file/document.h"
#include "model.h"

struct opened {
    struct case_desc desc;      /* first: a model knows its file by its description */
    struct document *document;
    char name[MODEL_NAME_ROOM];
    char *folder, *classes;
    struct opened *next;        /* of the files that case_open keeps */
};

/* The case of a document, which it owns from now on, also on a refusal: then NULL. Models
   of the case point at it. */
struct opened *opened_new(struct document *document, struct diagnosis *diagnosis);
void opened_free(struct opened *opened);

#endif
