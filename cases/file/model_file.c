/*
 * model_file.c - the description of a case from its model file, and how it is recorded
 * (model_file.h).
 */
#include "file/model_file.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "file/document.h"
#include "file/element.h"
#include "file/loops.h"
#include "file/opened.h"

/* Files that have been opened, kept until the end. Threads only put further ones in
   front. */
static struct opened *_Atomic opened_files;

bool case_is_path(const char *word)
{
    return strchr(word, '/') || strchr(word, '.');
}

const char *case_word(const struct case_desc *desc)
{
    return desc->path ? desc->path : desc->name;
}

static void record(struct model *model)
{
    const struct opened *opened = (const struct opened *)(const void *)model->desc;
    struct reader reader = {.model = model, .document = opened->document,
                            .elements = elements_new(model)};
    yaml_section(&reader, SECTION_ROOT, opened->document->root, "a model file");
    const struct node *root = opened->document->root;
    if (!node_find(root, "modes"))
        yaml_refuse(&reader, root, "the file has no `modes`: equations of motion, "
                      "M, F and Phi, or elements");
    if (!node_find(root, "end"))
        yaml_refuse(&reader, root, "the file has no `end`: the time at which the motion "
                      "ends");
    if (model->n + model->ns == 0)
        yaml_refuse(&reader, root, "the file has no `coordinates`, `points` or `bodies`, "
                    "and no `auxiliary` states");
    elements_free(reader.elements);
}

/* --- the description ---------------------------------------------------------------- */

/* The text of a key of the root; `otherwise` if there is none. */
static enum status text_of(const struct opened *opened, const char *key,
                           const char **text, struct diagnosis *diagnosis)
{
    const struct node *node = node_find(opened->document->root, key);
    if (!node)
        return OK;
    if (node->kind != NODE_TEXT)
        return node_refuse(opened->document, node, diagnosis, "%s is a text", key);
    *text = node->text;
    return OK;
}

/* The name: that in the file, or the file's own without folder and ending. */
static enum status find_name(struct opened *opened, struct diagnosis *diagnosis)
{
    const char *path = opened->document->path, *given = NULL;
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    enum status status = text_of(opened, "name", &given, diagnosis);
    if (status != OK)
        return status;
    int length = given ? (int)strlen(given) : (int)strcspn(base, ".");
    if (!given)
        given = base;
    snprintf(opened->name, sizeof opened->name, "%.*s", length, given);
    if (length >= (int)sizeof opened->name || !model_names_so(opened->name))
        return node_refuse(opened->document, node_find(opened->document->root, "name"),
                           diagnosis, "'%.40s' is no name for a case: letters, digits, "
                           "- and _, at most 63; say `name: ...`", given);
    return OK;
}

/* Classes are a text, or a list of words. */
static enum status find_classes(struct opened *opened, struct diagnosis *diagnosis)
{
    const struct node *node = node_find(opened->document->root, "classes");
    int count = !node ? 0 : node->kind == NODE_LIST ? node->count : 1;
    int room = 0, used = 0;
    opened->classes = memory_grow(NULL, &room, 1, 1);
    for (int k = 0; k < count; k++) {
        const struct node *word = node->kind == NODE_LIST ? node->item[k] : node;
        if (word->kind != NODE_TEXT)
            return node_refuse(opened->document, word, diagnosis, "classes are a text, "
                               "or a list of words");
        int length = (int)strlen(word->text);
        opened->classes = memory_grow(opened->classes, &room, used + length + 3, 1);
        used += sprintf(opened->classes + used, "%s%s", k > 0 ? ", " : "", word->text);
    }
    return OK;
}

/* The folder of a path; to be freed. */
static char *folder_of(const char *path)
{
    const char *end = strrchr(path, '/');
    return !end        ? memory_text(".", 1)
           : end == path ? memory_text("/", 1) : memory_text(path, (size_t)(end - path));
}

static enum status describe(struct opened *opened, struct diagnosis *diagnosis)
{
    struct case_desc *desc = &opened->desc;
    *desc = (struct case_desc){.name = opened->name, .title = "", .source = "",
                               .record = record, .path = opened->document->path,
                               .folder = opened->folder};
    enum status status = find_name(opened, diagnosis);
    if (status == OK)
        status = text_of(opened, "title", &desc->title, diagnosis);
    if (status == OK)
        status = text_of(opened, "source", &desc->source, diagnosis);
    if (status == OK)
        status = text_of(opened, "declared", &desc->declared, diagnosis);
    if (status == OK)
        status = find_classes(opened, diagnosis);
    desc->classes = opened->classes;
    return status;
}

struct opened *opened_new(struct document *document, struct diagnosis *diagnosis)
{
    struct opened *opened = memory_new(1, sizeof *opened);
    opened->document = document;
    opened->folder = folder_of(document->path);
    if (loops_expand(document, diagnosis) == OK && describe(opened, diagnosis) == OK)
        return opened;
    opened_free(opened);
    return NULL;
}

void opened_free(struct opened *opened)
{
    if (!opened)
        return;
    document_free(opened->document);
    free(opened->folder);
    free(opened->classes);
    free(opened);
}

const struct case_desc *case_open(const char *path, struct diagnosis *diagnosis)
{
    struct document *document = document_open(path, diagnosis);
    if (!document)
        return NULL;
    for (struct opened *o = atomic_load(&opened_files); o; o = o->next)
        if (strcmp(o->document->path, path) == 0
            && strcmp(o->document->source, document->source) == 0) {
            document_free(document);
            return &o->desc;
        }
    struct opened *opened = opened_new(document, diagnosis);
    if (!opened)
        return NULL;
    opened->next = atomic_load(&opened_files);
    while (!atomic_compare_exchange_weak(&opened_files, &opened->next, opened))
        continue;
    return &opened->desc;
}
