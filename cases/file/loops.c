/*
 * loops.c - loops are unrolled before the model is read (loops.h).
 *
 * Integers are read by the reader of formulas: constants fold, so a formula of integers
 * is an integer, or it is refused.
 */
#include "file/loops.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/read.h"
#include "formula/tape.h"

/* Names of sizes and of the indices of the loops around a node, with their values. */
struct scope {
    const char *name;
    int64_t value;
    const struct scope *outer;
};

struct unrolling {
    struct document *document;
    struct diagnosis *diagnosis;
    enum status status;
    struct tape *tape;
};

/* Keys under which a text is prose, not formulas and names. */
static const char *const prose[] = {"title", "source", "declared", "meaning", "unit",
                                    "classes", "disputed"};

static struct node *fail(struct unrolling *unrolling, const struct node *place,
                         const char *why)
{
    if (unrolling->status == OK)
        unrolling->status = node_refuse(unrolling->document, place, unrolling->diagnosis,
                                        "%s", why);
    return NULL;
}

/* --- integers ----------------------------------------------------------------------- */

/* *value = the integer that a text is; false after a refusal. */
static bool read_integer(struct unrolling *unrolling, const struct node *place,
                         const struct scope *scope, const char *text, int64_t *value)
{
    char why[400];
    struct names *names = names_new();
    struct read_error error;
    for (const struct scope *s = scope; s; s = s->outer)
        names_bind(names, s->name, integer(unrolling->tape, (long)s->value));
    formula f = formula_read_exact(unrolling->tape, names, text, &error);
    names_free(names);
    if (!error.set && integer_constant(f, value))
        return true;
    if (error.set)
        snprintf(why, sizeof why, "in '%.60s': %s", text, error.message);
    else
        snprintf(why, sizeof why, "'%.60s' is no integer: write + - * of integers, sizes "
                 "and indices", text);
    fail(unrolling, place, why);
    return false;
}

/* The text with <...> replaced by integers; NULL: a refusal. */
static const char *replace(struct unrolling *unrolling, const struct node *node,
                           const struct scope *scope)
{
    char *out = NULL, index[80], digits[24];
    int room = 0, used = 0;
    for (const char *at = node->text; *at; at++) {
        const char *end = *at == '<' ? strchr(at, '>') : NULL;
        int64_t value;
        if (*at != '<') {
            out = memory_grow(out, &room, used + 2, 1);
            out[used++] = *at;
            continue;
        }
        if (!end || end - at > (int)sizeof index) {
            fail(unrolling, node, "'<' begins an index, like x<k>, and no '>' ends it");
            break;
        }
        snprintf(index, sizeof index, "%.*s", (int)(end - at - 1), at + 1);
        if (!read_integer(unrolling, node, scope, index, &value))
            break;
        int length = snprintf(digits, sizeof digits, "%lld", (long long)value);
        out = memory_grow(out, &room, used + length + 2, 1);
        memcpy(out + used, digits, (size_t)length);
        used += length;
        at = end;
    }
    char *kept = NULL;
    if (unrolling->status == OK) {
        kept = arena_new(&unrolling->document->arena, used + 1, 1);
        memory_copy(kept, out, used, 1);
    }
    free(out);
    return kept;
}

/* --- loops -------------------------------------------------------------------------- */

static bool is_loop(const struct node *key)
{
    return key && strncmp(key->text, "for ", 4) == 0;
}

/* A loop's index and range. */
struct loop {
    char index[40];
    int64_t first, last;
};

/* Reads "for INDEX in FIRST..LAST". */
static bool read_loop(struct unrolling *unrolling, const struct node *key,
                      const struct scope *scope, struct loop *loop)
{
    static const char *const form =
        "a loop is `for k in 1..N`: a name, and two integers with .. in between";
    char first[80];
    int at = 0;
    const char *text = key->text + 4, *dots = strstr(text, "..");
    if (sscanf(text, " %39[A-Za-z0-9_] in %n", loop->index, &at) != 1 || at == 0 || !dots
        || dots < text + at || dots - text - at >= (int)sizeof first
        || isdigit((unsigned char)loop->index[0])) {
        fail(unrolling, key, form);
        return false;
    }
    snprintf(first, sizeof first, "%.*s", (int)(dots - text - at), text + at);
    for (const struct scope *s = scope; s; s = s->outer)
        if (strcmp(s->name, loop->index) == 0) {
            fail(unrolling, key, "the index of this loop is a size, or that of a loop "
                 "around it: take another name");
            return false;
        }
    return read_integer(unrolling, key, scope, first, &loop->first) &&
           read_integer(unrolling, key, scope, dots + 2, &loop->last);
}

static struct node *unroll(struct unrolling *unrolling, const struct node *node,
                           const struct scope *scope);

/* Appends the turns of a loop to the list or table around it. */
static void append_turns(struct unrolling *unrolling, struct node *to,
                         const struct node *key, const struct node *body,
                         const struct scope *scope)
{
    struct loop loop;
    char why[160];
    if (!read_loop(unrolling, key, scope, &loop))
        return;
    if (body->kind != to->kind) {
        snprintf(why, sizeof why, "under this loop stands %s; within %s it must be %s",
                 node_kind_text(body), node_kind_text(to), node_kind_text(to));
        fail(unrolling, body, why);
        return;
    }
    for (int64_t k = loop.first; k <= loop.last && unrolling->status == OK; k++) {
        const struct scope turn = {loop.index, k, scope};
        const struct node *unrolled = unroll(unrolling, body, &turn);
        for (int i = 0; unrolled && i < unrolled->count; i++) {
            const struct node *there = to->kind == NODE_TABLE
                ? node_find(to, unrolled->key[i]->text) : NULL;
            if (there) {
                snprintf(why, sizeof why, "the key %.80s is there twice in the turns of "
                         "this loop", unrolled->key[i]->text);
                fail(unrolling, key, why);
            }
            node_append(unrolling->document, to, unrolled->key[i], unrolled->item[i]);
        }
    }
}

static bool is_prose(const struct node *key)
{
    for (size_t k = 0; key && k < sizeof prose / sizeof *prose; k++)
        if (strcmp(key->text, prose[k]) == 0)
            return true;
    return false;
}

static struct node *unroll_text(struct unrolling *unrolling, const struct node *node,
                                const struct scope *scope)
{
    struct node *copy = node_new(unrolling->document, NODE_TEXT, node);
    if (!copy)
        return fail(unrolling, node, "too many turns of loops: more than 2000000 texts, "
                    "lists and tables");
    copy->replaced = strchr(node->text, '<') != NULL;
    copy->text = copy->replaced ? replace(unrolling, node, scope) : node->text;
    return unrolling->status == OK ? copy : NULL;
}

static struct node *unroll(struct unrolling *unrolling, const struct node *node,
                           const struct scope *scope)
{
    if (node->kind == NODE_TEXT)
        return unroll_text(unrolling, node, scope);
    struct node *copy = node_new(unrolling->document, node->kind, node);
    if (!copy)
        return fail(unrolling, node, "too many turns of loops: more than 2000000 texts, "
                    "lists and tables");
    for (int i = 0; i < node->count && unrolling->status == OK; i++) {
        const struct node *key = node->key[i], *item = node->item[i];
        bool of_list = node->kind == NODE_LIST && item->kind == NODE_TABLE &&
                       item->count == 1 && is_loop(item->key[0]);
        if (of_list || is_loop(key)) {
            append_turns(unrolling, copy, of_list ? item->key[0] : key,
                         of_list ? item->item[0] : item, scope);
            continue;
        }
        struct node *name = key ? unroll_text(unrolling, key, scope) : NULL;
        struct node *value = is_prose(key) ? node->item[i]
                             : unrolling->status == OK ? unroll(unrolling, item, scope)
                                                       : NULL;
        if (unrolling->status == OK)
            node_append(unrolling->document, copy, name, value);
    }
    return unrolling->status == OK ? copy : NULL;
}

/* --- a document --------------------------------------------------------------------- */

/* The sizes as scopes, each within those before it: [*count], to be freed. */
static struct scope *read_sizes(struct unrolling *unrolling, int *count)
{
    const struct node *sizes = node_find(unrolling->document->root, "sizes");
    struct scope *scope = memory_new(sizes ? sizes->count + 1 : 1, sizeof *scope);
    *count = 0;
    if (sizes && sizes->kind != NODE_TABLE)
        fail(unrolling, sizes, "sizes are a table of names and integers: {N: 4}");
    for (int i = 0; sizes && unrolling->status == OK && i < sizes->count; i++) {
        const struct node *value = sizes->item[i];
        const struct scope *outer = i > 0 ? &scope[i - 1] : NULL;
        scope[i] = (struct scope){sizes->key[i]->text, 0, outer};
        if (value->kind != NODE_TEXT)
            fail(unrolling, value, "a size is an integer");
        else if (read_integer(unrolling, value, outer, value->text, &scope[i].value))
            *count = i + 1;
    }
    return scope;
}

enum status loops_expand(struct document *document, struct diagnosis *diagnosis)
{
    struct unrolling unrolling = {document, diagnosis, OK, tape_new()};
    int sizes;
    struct scope *scope = read_sizes(&unrolling, &sizes);
    struct node *root = NULL;
    if (unrolling.status == OK)
        root = unroll(&unrolling, document->root, sizes > 0 ? &scope[sizes - 1] : NULL);
    if (root)
        document->root = root;
    free(scope);
    tape_free(unrolling.tape);
    return unrolling.status;
}
