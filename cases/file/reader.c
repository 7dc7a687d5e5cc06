/*
 * reader.c - sections, formulas, names and vectors of a model file (reader.h).
 */
#include "file/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "formula/read.h"
#include "formula/tape.h"
#include "model_internal.h"

static void stand_at(struct reader *reader, const struct node *node, int at)
{
    int line, column;
    node_place(reader->document, node, at, &line, &column);
    model_at_column(reader->model, reader->document->path, line, column);
}

bool yaml_failed(const struct reader *reader)
{
    return reader->model->recording->error.set;
}

void yaml_refuse(struct reader *reader, const struct node *node, const char *format,
                   ...)
{
    char why[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    stand_at(reader, node, 0);
    model_misuse(reader->model, why);
}

bool yaml_is(struct reader *reader, const struct node *node, enum node_kind kind,
               const char *what)
{
    const struct node like = {.kind = kind};
    if (node->kind == kind)
        return true;
    yaml_refuse(reader, node, "%s: here stands %s, expected is %s", what,
                  node_kind_text(node), node_kind_text(&like));
    return false;
}

/* --- sections ----------------------------------------------------------------------- */

static const struct key {
    enum section section;
    const char *name;
    void (*read)(struct reader *reader, const struct node *value);
    const char *meaning;
} keys[] = {
#define KEY(SECTION, name, read, SHAPE, meaning) {SECTION_##SECTION, name, read, meaning},
#include "file/keys.def"
#undef KEY
};
enum { KEYS = sizeof keys / sizeof *keys };

void read_nothing(struct reader *reader, const struct node *value)
{
    (void)reader;
    (void)value;
}

static bool is_key(enum section section, const char *name)
{
    for (int k = 0; k < KEYS; k++)
        if (keys[k].section == section && strcmp(keys[k].name, name) == 0)
            return true;
    return false;
}

const char *yaml_meaning(enum section section, const char *key)
{
    for (int k = 0; k < KEYS; k++)
        if (keys[k].section == section && strcmp(keys[k].name, key) == 0)
            return keys[k].meaning;
    return "";
}

static void refuse_key(struct reader *reader, enum section section,
                       const struct node *key, const char *what)
{
    const char *known[KEYS];
    char offer[200];
    int count = 0;
    if (yaml_failed(reader))
        return;
    for (int k = 0; k < KEYS; k++)
        if (keys[k].section == section)
            known[count++] = keys[k].name;
    offer_names(key->text, known, count, offer, sizeof offer);
    yaml_refuse(reader, key, "%s has no key '%.60s'; %s", what, key->text, offer);
}

bool yaml_keys(struct reader *reader, enum section section, const struct node *table,
               const char *what)
{
    if (!yaml_is(reader, table, NODE_TABLE, what))
        return false;
    for (int i = 0; i < table->count; i++)
        if (!is_key(section, table->key[i]->text))
            refuse_key(reader, section, table->key[i], what);
    return true;
}

void yaml_section(struct reader *reader, enum section section, const struct node *table,
                  const char *what)
{
    if (!yaml_keys(reader, section, table, what))
        return;
    for (int k = 0; k < KEYS; k++) {
        const struct node *value = keys[k].section == section
            ? node_find(table, keys[k].name) : NULL;
        if (value)
            keys[k].read(reader, value);
    }
}

void yaml_named(struct reader *reader, const struct node *section, const char *what,
                  void (*read)(struct reader *reader, const struct node *name,
                               const struct node *part))
{
    if (section->kind == NODE_TEXT)
        yaml_refuse(reader, section, "%s are a table from names to what they are", what);
    for (int i = 0; i < section->count; i++) {
        const struct node *part = section->item[i], *name = section->key[i];
        if (section->kind == NODE_LIST && !yaml_is(reader, part, NODE_TABLE, what))
            continue;
        if (section->kind == NODE_LIST)
            name = node_find(part, "name");
        if (!name)
            yaml_refuse(reader, part, "%s in a list each have a key `name`", what);
        else if (yaml_is(reader, name, NODE_TEXT, what))
            read(reader, name, part);
    }
}

/* --- texts -------------------------------------------------------------------------- */

formula yaml_formula(struct reader *reader, const struct node *node)
{
    struct model *model = reader->model;
    struct read_error error;
    if (node->kind != NODE_TEXT) {
        yaml_refuse(reader, node, "a formula is expected here, like -k*x; this is %s",
                      node_kind_text(node));
        return (formula){NULL, 0};
    }
    if (yaml_failed(reader))
        return (formula){NULL, 0};
    const struct names *names = reader->names ? reader->names : model->names;
    formula f = formula_read_exact(model->tape, names, node->text, &error);
    if (error.set) {
        int line, column;
        char why[sizeof error.message + 100];
        bool seen = node_place(reader->document, node, error.column - 1, &line, &column);
        snprintf(why, sizeof why, "%s", error.message);
        bool timeless = tape_find(model->tape, OP_VARIABLE, BLOCK_T, 0) < 0;
        if (timeless && strncmp(why, "unknown name 't'", 16) == 0)
            snprintf(why, sizeof why, "time has no name here: add `time: t` to the file");
        if (!seen)
            snprintf(why, sizeof why, "in '%.60s', column %d: %s", node->text,
                     error.column, error.message);
        model_at_column(model, reader->document->path, line, column);
        model_misuse(model, why);
        return (formula){NULL, 0};
    }
    stand_at(reader, node, 0);
    model_note_line(model, f);
    return f;
}

uint32_t yaml_blocks(const formula *f, int count)
{
    uint32_t blocks = 0;
    struct order order;
    for (int k = 0; k < count; k++) {
        if (!f[k].tape)
            continue;
        order_from(&order, f[k].tape, &f[k], 1);
        for (int i = 0; i < order.count; i++) {
            struct tape_row row = tape_row(f[k].tape, order.entry[i].row);
            if (row.op == OP_VARIABLE)
                blocks |= UINT32_C(1) << row.a;
        }
        order_clear(&order);
    }
    return blocks;
}

const char *yaml_text(struct reader *reader, const struct node *node, const char *what)
{
    return yaml_is(reader, node, NODE_TEXT, what) ? node->text : "";
}

int yaml_word(struct reader *reader, const struct node *node, const char *what,
                const char *const *words)
{
    char offer[160];
    const char *text = yaml_text(reader, node, what);
    for (int k = 0; words[k]; k++)
        if (strcmp(text, words[k]) == 0)
            return k;
    if (yaml_failed(reader))
        return -1;
    offer_names(text, words, -1, offer, sizeof offer);
    yaml_refuse(reader, node, "%s: there is no '%.60s'; %s", what, text, offer);
    return -1;
}

bool yaml_flag(struct reader *reader, const struct node *node, const char *what)
{
    static const char *const words[] = {"false", "true", NULL};
    return yaml_word(reader, node, what, words) == 1;
}

bool yaml_unset(const struct node *node)
{
    return node->kind == NODE_TEXT && (*node->text == '\0' || !strcmp(node->text, "null")
                                       || !strcmp(node->text, "~"));
}

char *yaml_words(struct reader *reader, const struct node *node, const char *what)
{
    char *out = NULL;
    int room = 0, used = 0;
    int count = node->kind == NODE_LIST ? node->count : 1;
    out = memory_grow(out, &room, 1, 1);
    if (node->kind == NODE_TABLE)
        yaml_is(reader, node, NODE_LIST, what);
    for (int i = 0; i < count; i++) {
        const struct node *item = node->kind == NODE_LIST ? node->item[i] : node;
        const char *text = yaml_text(reader, item, what);
        out = memory_grow(out, &room, used + (int)strlen(text) + 3, 1);
        used += sprintf(out + used, "%s%s", i > 0 ? ", " : "", text);
    }
    return out;
}

/* --- names -------------------------------------------------------------------------- */

/* Offers the names of all variables of some blocks. */
static void refuse_variable(struct reader *reader, const struct node *key,
                            const char *what, const int *blocks, int count)
{
    if (yaml_failed(reader))
        return;
    const struct model *model = reader->model;
    const char **known = NULL;
    char offer[200];
    int names = 0, room = 0, row;
    for (int k = 0; k < count; k++)
        for (int i = 0; (row = tape_find(model->tape, OP_VARIABLE, blocks[k], i)) >= 0;
             i++) {
            /* a name that was refused is bound to none */
            const char *name = names_of(model->names, (formula){model->tape, row});
            known = memory_grow(known, &room, names + 1, sizeof *known);
            if (name)
                known[names++] = name;
        }
    offer_names(key->text, known, names, offer, sizeof offer);
    yaml_refuse(reader, key, "%s: there is no '%.60s'%s%s", what, key->text,
                names > 0 ? "; " : "", names > 0 ? offer : "");
    free(known);
}

bool yaml_variable(struct reader *reader, const struct node *key, const char *what,
                   const int *blocks, int count, int *block, int *index)
{
    formula value;
    if (!yaml_is(reader, key, NODE_TEXT, what))
        return false;
    if (names_find(reader->model->names, key->text, &value) && value.tape) {
        struct tape_row row = tape_row(value.tape, value.row);
        *block = row.a;
        *index = row.b;
        for (int k = 0; row.op == OP_VARIABLE && k < count; k++)
            if (row.a == blocks[k])
                return true;
    }
    refuse_variable(reader, key, what, blocks, count);
    return false;
}

int yaml_name(struct reader *reader, const struct node *node, const char *what,
                char *const *name, int count)
{
    char offer[200];
    const char *text = yaml_text(reader, node, what);
    for (int k = 0; k < count; k++)
        if (strcmp(text, name[k]) == 0)
            return k;
    if (yaml_failed(reader))
        return -1;
    offer_names(text, (const char *const *)name, count, offer, sizeof offer);
    yaml_refuse(reader, node, "%s: there is no '%.60s'%s%s", what, text,
                  count > 0 ? "; " : "", count > 0 ? offer : "");
    return -1;
}

struct mode *yaml_mode(struct reader *reader, const struct node *node)
{
    const struct model *model = reader->model;
    char **name = memory_new(model->modes, sizeof *name);
    for (int k = 0; k < model->modes; k++)
        name[k] = model->mode[k]->name;
    int k = yaml_name(reader, node, "modes", name, model->modes);
    free(name);
    return k < 0 ? NULL : model->mode[k];
}

/* --- vectors ------------------------------------------------------------------------ */

static bool is_zero_text(const struct node *node)
{
    return node->kind == NODE_TEXT && strcmp(node->text, "0") == 0;
}

/* Entries in their order; one that is 0 counts as never set, as matrices and vectors are
   sparse. */
static void read_list(struct reader *reader, const struct node *list, const char *what,
                      int count, formula *out)
{
    if (list->count > count)
        yaml_refuse(reader, list->item[count], "%s has %d entries, and only %d can be "
                      "there", what, list->count, count);
    for (int k = 0; k < list->count && k < count; k++)
        if (!yaml_unset(list->item[k]) && !is_zero_text(list->item[k]))
            out[k] = yaml_formula(reader, list->item[k]);
}

void yaml_vector(struct reader *reader, const struct node *node, const char *what,
                   int block, int count, formula *out)
{
    if (node->kind == NODE_LIST) {
        read_list(reader, node, what, count, out);
        return;
    }
    if (!yaml_is(reader, node, NODE_TABLE, what))
        return;
    for (int i = 0; i < node->count; i++) {
        int found, k;
        if (yaml_variable(reader, node->key[i], what, &block, 1, &found, &k))
            out[k] = yaml_formula(reader, node->item[i]);
    }
}

void yaml_costs(struct reader *reader, const struct node *node, const char *what,
                  formula *out)
{
    const struct model *model = reader->model;
    if (node->kind == NODE_LIST) {
        read_list(reader, node, what, model->nz, out);
        return;
    }
    if (!yaml_is(reader, node, NODE_TABLE, what))
        return;
    for (int i = 0; i < node->count; i++) {
        int k = yaml_name(reader, node->key[i], "costs", model->cost, model->nz);
        if (k >= 0)
            out[k] = yaml_formula(reader, node->item[i]);
    }
}
