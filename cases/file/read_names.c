/*
 * read_names.c - names of a model file: parameters, coordinates, states, multipliers,
 * impulses, costs, time, and definitions (reader.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "file/reader.h"
#include "formula/read.h"
#include "model_internal.h"

/* --- parameters --------------------------------------------------------------------- */

/* Parameters are declared at once: their names are gathered first. */
static void declare_parameters(struct reader *reader, const struct node *section)
{
    char *names = NULL;
    int room = 0, used = 0;
    names = memory_grow(names, &room, 1, 1);
    for (int i = 0; i < section->count; i++) {
        const struct node *name = section->kind == NODE_TABLE
            ? section->key[i] : node_find(section->item[i], "name");
        if (!name || name->kind != NODE_TEXT)
            continue;
        int length = (int)strlen(name->text);
        names = memory_grow(names, &room, used + length + 3, 1);
        memcpy(names + used, name->text, (size_t)length);
        memcpy(names + used + length, ", ", 3);
        used += length + 2;
    }
    model_at_column(reader->model, reader->document->path, section->line,
                    section->column);
    model_parameters(reader->model, names);
    free(names);
}

void read_nominal(struct reader *reader, const struct node *value)
{
    formula f = reader->parameter->nominal = yaml_formula(reader, value);
    if (yaml_blocks(&f, 1) != 0)
        yaml_refuse(reader, value, "a nominal value is a constant formula, like sqrt(5): "
                    "no name of this file may stand in it");
}

static void keep_text(struct reader *reader, const struct node *value, const char *what,
                      char **text)
{
    const char *own = yaml_text(reader, value, what);
    free(*text);
    *text = memory_text(own, strlen(own));
}

void read_unit(struct reader *reader, const struct node *value)
{
    keep_text(reader, value, "unit", &reader->parameter->unit);
    reader->parameter->unit_assumed = false;
}

void read_meaning(struct reader *reader, const struct node *value)
{
    keep_text(reader, value, "meaning", &reader->parameter->meaning);
}

void read_fixed(struct reader *reader, const struct node *value)
{
    reader->parameter->fixed = yaml_flag(reader, value, "fixed");
}

static void read_parameter(struct reader *reader, const struct node *name,
                           const struct node *part)
{
    int j = model_parameter_index(reader->model, name->text);
    if (j < 0)
        return;         /* it was refused as a name */
    struct parameter *parameter = reader->parameter = &reader->model->parameter[j];
    if (parameter->unit) {
        yaml_refuse(reader, name, "parameter %.60s is there twice", name->text);
        return;
    }
    parameter->unit = memory_text("1", 1);
    parameter->unit_assumed = true;
    parameter->meaning = memory_text("", 0);
    if (part->kind == NODE_TEXT)
        read_nominal(reader, part);
    else
        yaml_section(reader, SECTION_PARAMETER, part, "a parameter");
    if (!parameter->nominal.tape)
        yaml_refuse(reader, part, "parameter %.60s has no nominal value: add `nominal: "
                      "...`, a constant formula", name->text);
}

void read_parameters(struct reader *reader, const struct node *section)
{
    if (section->kind == NODE_TEXT) {
        yaml_is(reader, section, NODE_TABLE, "parameters");
        return;
    }
    declare_parameters(reader, section);
    yaml_named(reader, section, "parameters", read_parameter);
}

/* --- other names -------------------------------------------------------------------- */

static void declare(struct reader *reader, const struct node *node, const char *what,
                    void (*word)(struct model *model, const char *names))
{
    char *names = yaml_words(reader, node, what);
    model_at_column(reader->model, reader->document->path, node->line, node->column);
    word(reader->model, names);
    free(names);
}

void read_time(struct reader *reader, const struct node *node)
{
    declare(reader, node, "time", model_time);
}

void read_coordinates(struct reader *reader, const struct node *node)
{
    declare(reader, node, "coordinates", model_coordinates);
}

void read_auxiliary(struct reader *reader, const struct node *node)
{
    declare(reader, node, "auxiliary", model_auxiliary);
}

void read_multipliers(struct reader *reader, const struct node *node)
{
    declare(reader, node, "multipliers", model_multipliers);
}

void read_impulses(struct reader *reader, const struct node *node)
{
    declare(reader, node, "impulses", model_impulses);
}

void read_costs(struct reader *reader, const struct node *node)
{
    declare(reader, node, "costs", model_costs);
}

/* Sizes are numbers in formulas, too. */
void read_sizes(struct reader *reader, const struct node *node)
{
    for (int i = 0; node->kind == NODE_TABLE && i < node->count; i++)
        if (!names_bind(reader->model->names, node->key[i]->text,
                        yaml_formula(reader, node->item[i])))
            yaml_refuse(reader, node->key[i], "the name '%.60s' %s", node->key[i]->text,
                        names_why_not(reader->model->names, node->key[i]->text));
}

/* --- definitions -------------------------------------------------------------------- */

static void define(struct reader *reader, const struct node *name,
                   const struct node *body)
{
    formula value = yaml_formula(reader, body);
    if (!value.tape)
        value = integer(reader->model->tape, 0);
    if (!names_bind(reader->model->names, name->text, value))
        yaml_refuse(reader, name, "the name '%.60s' %s", name->text,
                    names_why_not(reader->model->names, name->text));
}

/* A table from names to formulas, or a list of pairs. */
void read_definitions(struct reader *reader, const struct node *section)
{
    for (int i = 0; i < section->count; i++) {
        const struct node *name = section->key[i], *item = section->item[i];
        if (section->kind == NODE_TABLE) {
            define(reader, name, item);
            continue;
        }
        bool is_pair = item->kind == NODE_LIST && item->count == 2 &&
                       item->item[0]->kind == NODE_TEXT;
        if (is_pair)
            define(reader, item->item[0], item->item[1]);
        else
            yaml_refuse(reader, item, "definitions are a table from names to formulas, "
                          "or a list of pairs [name, formula]");
    }
    if (section->kind == NODE_TEXT)
        yaml_is(reader, section, NODE_TABLE, "definitions");
}
