/*
 * document.h - a YAML document as a tree of texts, lists and tables, each with its place
 * in the file.
 *
 * Scalars stay text, whatever they look like: their meaning is that of the key they stand
 * under. Aliases become copies of their anchors, the merge key << adds the entries of a
 * table that are not there. JSON is YAML.
 */
#ifndef SALTUS_FILE_DOCUMENT_H
#define SALTUS_FILE_DOCUMENT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/index.h"
#include "base/status.h"

enum node_kind { NODE_TEXT, NODE_LIST, NODE_TABLE };

/* A node of the tree, constant once the document is made. */
struct node {
    enum node_kind kind;
    int line, column;           /* of its first character, from 1 */
    int offset;                 /* of its first character, in bytes of the file */
    const char *text;           /* NODE_TEXT: its characters, else NULL */
    bool replaced;              /* the text is not as it stands in the file: an index of a
                                   loop has been put in */
    int count, room;
    struct node **item;         /* [count] items of a list, values of a table */
    struct node **key;          /* [count] keys of a table, texts */
    struct index by_key;        /* of a table: entry i of its key */
    struct node *table_before;  /* of a table: the one that was made before it */
};

struct document {
    char *path;                 /* as it was given */
    char *source;               /* text of the file */
    struct node *root;          /* a table */
    struct arena arena;         /* memory of the nodes */
    int nodes;                  /* how many there are */
    struct node *last_table;    /* from it all tables are reached by table_before */
};

/* Most nodes of a document, copies of anchors and turns of loops included. */
enum { MOST_NODES = 2000000 };

/* Reads a file; NULL after a refusal: BAD_INPUT with "path:line:column: reason and
   remedy", also where the file cannot be read. Free by document_free. */
struct document *document_open(const char *path, struct diagnosis *diagnosis);
/* The document of a text that is copied; `path` is only told in refusals. */
struct document *document_read(const char *path, const char *source,
                               struct diagnosis *diagnosis);
void document_free(struct document *document);

/* A further node, empty, at the place of another; NULL: there are MOST_NODES. */
struct node *node_new(struct document *document, enum node_kind kind,
                      const struct node *place);
/* Appends an item to a list, or an entry to a table. */
void node_append(struct document *document, struct node *node, struct node *key,
                 struct node *value);
/* The value of a key; NULL: the table has none. */
const struct node *node_find(const struct node *table, const char *key);
/* "a text", "a list", "a table" */
const char *node_kind_text(const struct node *node);
/* Refuses a node: BAD_INPUT with its place and a message, printf-like. */
enum status node_refuse(const struct document *document, const struct node *node,
                        struct diagnosis *diagnosis, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Line and column of character `at` (from 0) of a text, through folded lines and
   quotation marks; false: the text has been replaced or is written with escapes, and
   both are those of its first character. */
bool node_place(const struct document *document, const struct node *node, int at,
                int *line, int *column);

#endif
