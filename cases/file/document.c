/*
 * document.c - a YAML document from the events of libyaml (document.h).
 */
#include "file/document.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

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
    yaml_parser_t parser;
    struct diagnosis *diagnosis;
    enum status status;
    struct anchor *anchor;
    int anchors, anchor_room;
    size_t character;           /* number of the character at byte `offset` of the file */
    int offset;
};

static struct node *fail(struct building *building, const struct node *place,
                         const char *why)
{
    if (building->status == OK)
        building->status = node_refuse(building->document, place, building->diagnosis,
                                       "%s", why);
    return NULL;
}

/* libyaml has found the document wrong. */
static struct node *fail_syntax(struct building *building)
{
    const yaml_parser_t *parser = &building->parser;
    const struct node place = {.line = (int)parser->problem_mark.line + 1,
                               .column = (int)parser->problem_mark.column + 1};
    char why[300];
    if (parser->error == YAML_MEMORY_ERROR)
        memory_exhausted();
    snprintf(why, sizeof why, "this is no YAML: %s%s%s",
             parser->problem ? parser->problem : "the document cannot be read",
             parser->context ? ", " : "", parser->context ? parser->context : "");
    return fail(building, &place, why);
}

static char *kept_text(struct building *building, const yaml_char_t *text, size_t length)
{
    char *copy = arena_new(&building->document->arena, (int)length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

/* The byte of the file at a mark, which counts characters. Marks hardly ever go back. */
static int offset_of(struct building *building, const yaml_mark_t *mark)
{
    const char *source = building->document->source;
    if (mark->index < building->character)
        building->character = 0, building->offset = 0;
    while (building->character < mark->index && source[building->offset]) {
        do
            building->offset++;
        while (((unsigned char)source[building->offset] & 0xc0) == 0x80);
        building->character++;
    }
    return building->offset;
}

static struct node *new_node(struct building *building, enum node_kind kind,
                             const yaml_event_t *event)
{
    const struct node place = {.line = (int)event->start_mark.line + 1,
                               .column = (int)event->start_mark.column + 1,
                               .offset = offset_of(building, &event->start_mark)};
    struct node *node = node_new(building->document, kind, &place);
    return node ? node : fail(building, &place, "the document is too large: more than "
                              "2000000 texts, lists and tables");
}

static void keep_anchor(struct building *building, const yaml_char_t *name,
                        struct node *node)
{
    if (!name || !node)
        return;
    building->anchor = memory_grow(building->anchor, &building->anchor_room,
                                   building->anchors + 1, sizeof *building->anchor);
    building->anchor[building->anchors++] = (struct anchor){
        kept_text(building, name, strlen((const char *)name)), node};
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

static struct node *alias_of(struct building *building, const yaml_event_t *event,
                             int depth)
{
    const struct node *place = new_node(building, NODE_TEXT, event);
    const char *name = (const char *)event->data.alias.anchor;
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

static struct node *build(struct building *building, const yaml_event_t *event,
                          int depth);

/* The next event, to be deleted; false: the document is wrong. */
static bool next(struct building *building, yaml_event_t *event)
{
    if (yaml_parser_parse(&building->parser, event))
        return true;
    fail_syntax(building);
    return false;
}

/* The node of the next event; *end: the event was `last`, and there is none. NULL: a
   refusal, or the end. */
static struct node *build_next(struct building *building, yaml_event_type_t last,
                               bool *end, int depth)
{
    yaml_event_t event;
    *end = false;
    if (!next(building, &event))
        return NULL;
    *end = event.type == last;
    struct node *node = *end ? NULL : build(building, &event, depth);
    yaml_event_delete(&event);
    return node;
}

static void build_list(struct building *building, struct node *list, int depth)
{
    bool end = false;
    while (building->status == OK && !end) {
        struct node *item = build_next(building, YAML_SEQUENCE_END_EVENT, &end,
                                       depth + 1);
        if (item)
            node_append(building->document, list, NULL, item);
    }
}

static void build_entry(struct building *building, struct node *table, struct node *key,
                        const struct node **merged, int depth)
{
    char why[200];
    bool end;
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
    struct node *value = build_next(building, YAML_NO_EVENT, &end, depth + 1);
    if (!value)
        return;
    if (strcmp(key->text, "<<") == 0 && !*merged)
        *merged = value;
    else
        node_append(building->document, table, key, value);
}

static void build_table(struct building *building, struct node *table, int depth)
{
    const struct node *merged = NULL;
    bool end = false;
    while (building->status == OK && !end) {
        struct node *key = build_next(building, YAML_MAPPING_END_EVENT, &end, depth + 1);
        if (key)
            build_entry(building, table, key, &merged, depth);
    }
    if (merged && building->status == OK)
        merge(building, table, table, merged);
}

static struct node *build(struct building *building, const yaml_event_t *event, int depth)
{
    struct node *node = NULL;
    const yaml_char_t *anchor = NULL;
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return alias_of(building, event, depth);
    case YAML_SCALAR_EVENT:
        node = new_node(building, NODE_TEXT, event);
        anchor = event->data.scalar.anchor;
        if (node && memchr(event->data.scalar.value, 0, event->data.scalar.length))
            return fail(building, node, "a text with a zero byte in it");
        if (node)
            node->text = kept_text(building, event->data.scalar.value,
                                   event->data.scalar.length);
        break;
    case YAML_SEQUENCE_START_EVENT:
        node = new_node(building, NODE_LIST, event);
        anchor = event->data.sequence_start.anchor;
        break;
    case YAML_MAPPING_START_EVENT:
        node = new_node(building, NODE_TABLE, event);
        anchor = event->data.mapping_start.anchor;
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
        yaml_event_t event;
        if (!next(building, &event))
            break;
        switch (event.type) {
        case YAML_STREAM_START_EVENT: case YAML_DOCUMENT_END_EVENT:
            break;
        case YAML_DOCUMENT_START_EVENT:
            if (++documents > 1)
                fail(building, new_node(building, NODE_TEXT, &event),
                     "a model file is one document: leave out what follows ---");
            break;
        case YAML_STREAM_END_EVENT:
            ended = true;
            break;
        default:
            building->document->root = build(building, &event, 0);
        }
        yaml_event_delete(&event);
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
    struct building building = {.document = document, .diagnosis = diagnosis};
    document->path = memory_text(path, strlen(path));
    /* editors of Windows begin a file with a byte order mark */
    if (strncmp(source, "\xef\xbb\xbf", 3) == 0)
        source += 3;
    document->source = memory_text(source, strlen(source));
    if (!yaml_parser_initialize(&building.parser))
        memory_exhausted();
    yaml_parser_set_encoding(&building.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&building.parser, (const yaml_char_t *)document->source,
                                 strlen(document->source));
    build_document(&building);
    free(building.anchor);
    yaml_parser_delete(&building.parser);
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
