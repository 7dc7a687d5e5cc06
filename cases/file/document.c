/*
 * document.c - a YAML document from the events of libfyaml (document.h).
 */
#include "file/document.h"

#include <errno.h>
#include <libfyaml.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/whole_file.h"

/* Lists and tables within each other, at most: nothing here descends deeper. */
enum { DEEPEST = 64 };

/* --- nodes -------------------------------------------------------------------------- */

struct node *node_new(struct document *document, enum node_kind kind,
                      const struct node *place)
{
    if (document->nodes >= MOST_NODES)
        return NULL;
    struct node *node = arena_new(&document->arena, 1, sizeof *node);
    node->kind = kind;
    if (place) {
        node->line = place->line;
        node->column = place->column;
        node->offset = place->offset;
    }
    document->nodes++;
    if (kind == NODE_TABLE) {
        node->table_before = document->last_table;
        document->last_table = node;
    }
    return node;
}

void node_append(struct document *document, struct node *node, struct node *key,
                 struct node *value)
{
    if (node->count == node->room) {
        int more = node->room > 0 ? 2 * node->room : 4;
        struct node **item = arena_new(&document->arena, more, sizeof *item);
        struct node **keys = arena_new(&document->arena, more, sizeof *keys);
        memory_copy(item, node->item, node->count, sizeof(struct node *));
        memory_copy(keys, node->key, node->count, sizeof(struct node *));
        node->item = item;
        node->key = keys;
        node->room = more;
    }
    if (key)
        index_put(&node->by_key, hash_text(key->text), node->count);
    node->item[node->count] = value;
    node->key[node->count++] = key;
}

static bool has_key(const void *owner, int item, const void *key)
{
    const struct node *table = owner;
    return strcmp(table->key[item]->text, key) == 0;
}

const struct node *node_find(const struct node *table, const char *key)
{
    if (!table || table->kind != NODE_TABLE)
        return NULL;
    int i = index_find(&table->by_key, hash_text(key), has_key, table, key);
    return i < 0 ? NULL : table->item[i];
}

const char *node_kind_text(const struct node *node)
{
    static const char *const text[] = {"a text", "a list", "a table"};
    return text[node->kind];
}

enum status node_refuse(const struct document *document, const struct node *node,
                        struct diagnosis *diagnosis, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return diagnose(diagnosis, BAD_INPUT, NAN, "%s:%d:%d: %s", document->path,
                    node ? node->line : 1, node ? node->column : 1, message);
}

bool node_place(const struct document *document, const struct node *node, int at,
                int *line, int *column)
{
    const char *raw = document->source + node->offset;
    *line = node->line;
    *column = node->column;
    if (node->replaced)
        return false;
    int row = node->line, place = node->column;
    if (*raw == '"' || *raw == '\'') {
        raw++;
        place++;
    }
    for (int i = 0; i < at; i++) {
        /* a folded line stands for a space of the text */
        bool space = node->text[i] == ' ' && strchr(" \t\r\n", *raw);
        if (*raw == '\0' || (!space && *raw != node->text[i]))
            return false;
        do {
            place = *raw == '\n' ? 1 : place + 1;
            row += *raw == '\n';
            raw++;
        } while (space && *raw != '\0' && strchr(" \t\r\n", *raw)
                 && node->text[i + 1] != ' ');
    }
    *line = row;
    *column = place;
    return true;
}

/* --- from events to nodes ----------------------------------------------------------- */

/* A name for a node that aliases refer to. */
struct anchor {
    char *name;
    struct node *node;
};

struct building {
    struct document *document;
    struct fy_parser *parser;
    struct fy_diag *messages;
    struct diagnosis *diagnosis;
    enum status status;
    struct anchor *anchor;
    int anchors, anchor_room;
};

static struct node *fail(struct building *building, const struct node *place,
                         const char *why)
{
    if (building->status == OK)
        building->status = node_refuse(building->document, place, building->diagnosis,
                                       "%s", why);
    return NULL;
}

/* libfyaml has found the document wrong. */
static struct node *fail_syntax(struct building *building)
{
    void *previous = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(building->messages,
                                                               &previous);
    struct node place = {.line = error ? error->line : 1,
                         .column = error ? error->column : 1};
    char why[300];
    snprintf(why, sizeof why, "this is no YAML: %s",
             error ? error->msg : "the document cannot be read");
    for (char *c = why; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    return fail(building, &place, why);
}

static char *token_text(struct building *building, struct fy_token *token)
{
    size_t length = 0;
    const char *text = token ? fy_token_get_text(token, &length) : NULL;
    char *copy = arena_new(&building->document->arena, (int)length + 1, 1);
    if (text)
        memcpy(copy, text, length);
    return copy;
}

static struct node *new_node(struct building *building, enum node_kind kind,
                             struct fy_event *event)
{
    const struct fy_mark *mark = fy_event_start_mark(event);
    struct node place = {.line = 1, .column = 1};
    if (mark) {
        place.line = mark->line + 1;
        place.column = mark->column + 1;
        place.offset = (int)mark->input_pos;
    }
    struct node *node = node_new(building->document, kind, &place);
    return node ? node : fail(building, &place, "the document is too large: more than "
                              "2000000 texts, lists and tables");
}

static void keep_anchor(struct building *building, struct fy_token *token,
                        struct node *node)
{
    if (!token || !node)
        return;
    building->anchor = memory_grow(building->anchor, &building->anchor_room,
                                   building->anchors + 1, sizeof *building->anchor);
    building->anchor[building->anchors++] =
        (struct anchor){token_text(building, token), node};
}

static struct node *fail_depth(struct building *building, const struct node *node)
{
    return fail(building, node, "more than 64 lists and tables within each other");
}

/* A copy, all below it included, so that each stands once in the tree. */
static struct node *copy_of(struct building *building, const struct node *node, int depth)
{
    if (depth > DEEPEST)
        return fail_depth(building, node);
    struct node *copy = node_new(building->document, node->kind, node);
    if (!copy)
        return fail(building, node, "the document is too large: more than 2000000 "
                    "texts, lists and tables, copies of anchors included");
    copy->text = node->text;
    for (int i = 0; i < node->count && building->status == OK; i++) {
        struct node *key = node->key[i] ? copy_of(building, node->key[i], depth) : NULL;
        struct node *value = copy_of(building, node->item[i], depth + 1);
        if (building->status == OK)
            node_append(building->document, copy, key, value);
    }
    return building->status == OK ? copy : NULL;
}

static struct node *alias_of(struct building *building, struct fy_event *event, int depth)
{
    const struct node *place = new_node(building, NODE_TEXT, event);
    const char *name = token_text(building, event->alias.anchor);
    char why[200];
    for (int i = building->anchors - 1; place && i >= 0; i--)
        if (strcmp(building->anchor[i].name, name) == 0)
            return copy_of(building, building->anchor[i].node, depth);
    snprintf(why, sizeof why, "no anchor &%.80s stands before this alias", name);
    return place ? fail(building, place, why) : NULL;
}

/* Adds to the table what another one has and it has not. */
static void merge(struct building *building, struct node *table, const struct node *key,
                  const struct node *from)
{
    if (from->kind == NODE_LIST) {
        for (int i = 0; i < from->count; i++)
            merge(building, table, key, from->item[i]);
        return;
    }
    if (from->kind != NODE_TABLE) {
        fail(building, key, "<< takes an alias of a table: <<: *name");
        return;
    }
    for (int i = 0; i < from->count; i++)
        if (!node_find(table, from->key[i]->text))
            node_append(building->document, table, from->key[i], from->item[i]);
}

static struct node *build(struct building *building, struct fy_event *event, int depth);

/* The next event; NULL: the document is wrong. */
static struct fy_event *next(struct building *building)
{
    struct fy_event *event = fy_parser_parse(building->parser);
    if (!event)
        fail_syntax(building);
    return event;
}

static void build_list(struct building *building, struct node *list, int depth)
{
    while (building->status == OK) {
        struct fy_event *event = next(building);
        bool end = event && event->type == FYET_SEQUENCE_END;
        struct node *item = event && !end ? build(building, event, depth + 1) : NULL;
        fy_parser_event_free(building->parser, event);
        if (end)
            return;
        if (building->status == OK)
            node_append(building->document, list, NULL, item);
    }
}

static void build_entry(struct building *building, struct node *table, struct node *key,
                        const struct node **merged, int depth)
{
    char why[200];
    if (key->kind != NODE_TEXT) {
        fail(building, key, "a key is a name, not a list or a table");
        return;
    }
    if (node_find(table, key->text)) {
        snprintf(why, sizeof why, "the key %.80s is there twice, first in line %d",
                 key->text, node_find(table, key->text)->line);
        fail(building, key, why);
        return;
    }
    struct fy_event *event = next(building);
    struct node *value = event ? build(building, event, depth + 1) : NULL;
    fy_parser_event_free(building->parser, event);
    if (building->status != OK)
        return;
    if (strcmp(key->text, "<<") == 0 && !*merged)
        *merged = value;
    else
        node_append(building->document, table, key, value);
}

static void build_table(struct building *building, struct node *table, int depth)
{
    const struct node *merged = NULL;
    while (building->status == OK) {
        struct fy_event *event = next(building);
        bool end = event && event->type == FYET_MAPPING_END;
        struct node *key = event && !end ? build(building, event, depth + 1) : NULL;
        fy_parser_event_free(building->parser, event);
        if (end)
            break;
        if (building->status == OK)
            build_entry(building, table, key, &merged, depth);
    }
    if (merged && building->status == OK)
        merge(building, table, table, merged);
}

static struct node *build(struct building *building, struct fy_event *event, int depth)
{
    struct node *node = NULL;
    struct fy_token *anchor = NULL;
    switch (event->type) {
    case FYET_ALIAS:
        return alias_of(building, event, depth);
    case FYET_SCALAR:
        node = new_node(building, NODE_TEXT, event);
        anchor = event->scalar.anchor;
        if (node)
            node->text = token_text(building, event->scalar.value);
        break;
    case FYET_SEQUENCE_START:
        node = new_node(building, NODE_LIST, event);
        anchor = event->sequence_start.anchor;
        break;
    case FYET_MAPPING_START:
        node = new_node(building, NODE_TABLE, event);
        anchor = event->mapping_start.anchor;
        break;
    default:
        return fail_syntax(building);
    }
    if (node && depth > DEEPEST)
        return fail_depth(building, node);
    if (node && node->kind == NODE_LIST)
        build_list(building, node, depth);
    if (node && node->kind == NODE_TABLE)
        build_table(building, node, depth);
    /* after all below it: an alias inside cannot be of itself */
    keep_anchor(building, anchor, node);
    return building->status == OK ? node : NULL;
}

/* The one document of the stream. */
static void build_document(struct building *building)
{
    bool ended = false;
    int documents = 0;
    while (building->status == OK && !ended) {
        struct fy_event *event = next(building);
        if (!event)
            break;
        switch (event->type) {
        case FYET_STREAM_START: case FYET_DOCUMENT_END:
            break;
        case FYET_DOCUMENT_START:
            if (++documents > 1)
                fail(building, new_node(building, NODE_TEXT, event),
                     "a model file is one document: leave out what follows ---");
            break;
        case FYET_STREAM_END:
            ended = true;
            break;
        default:
            building->document->root = build(building, event, 0);
        }
        fy_parser_event_free(building->parser, event);
    }
    const struct node *root = building->document->root;
    if (building->status == OK && (!root || root->kind != NODE_TABLE))
        fail(building, root, root ? "a model file is a table of keys, like `parameters: "
             "...`" : "the file is empty; `saltus new NAME` writes a beginning");
}

struct document *document_read(const char *path, const char *source,
                               struct diagnosis *diagnosis)
{
    struct document *document = memory_new(1, sizeof *document);
    document->path = memory_text(path, strlen(path));
    document->source = memory_text(source, strlen(source));

    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    quiet.colorize = false;
    struct fy_diag *messages = fy_diag_create(&quiet);
    fy_diag_set_collect_errors(messages, true);
    const struct fy_parse_cfg how = {
        .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_ALLOW_DUPLICATE_KEYS,
        .diag = messages};
    struct fy_parser *parser = fy_parser_create(&how);
    if (!messages || !parser)
        memory_exhausted();
    struct building building = {.document = document, .parser = parser,
                                .messages = messages, .diagnosis = diagnosis};
    if (fy_parser_set_string(parser, document->source, strlen(document->source)) != 0)
        memory_exhausted();
    build_document(&building);
    free(building.anchor);
    fy_parser_destroy(parser);
    fy_diag_destroy(messages);
    if (building.status == OK)
        return document;
    document_free(document);
    return NULL;
}

struct document *document_open(const char *path, struct diagnosis *diagnosis)
{
    char *source = whole_file(path);
    if (!source) {
        diagnose(diagnosis, BAD_INPUT, NAN, "%s: cannot be read: %s", path,
                 strerror(errno));
        return NULL;
    }
    struct document *document = document_read(path, source, diagnosis);
    free(source);
    return document;
}

void document_free(struct document *document)
{
    if (!document)
        return;
    for (struct node *table = document->last_table; table; table = table->table_before)
        index_clear(&table->by_key);
    arena_free(&document->arena);
    free(document->path);
    free(document->source);
    free(document);
}
