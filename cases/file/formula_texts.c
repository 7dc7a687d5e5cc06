/*
 * formula_texts.c - formulas of a tape as infix text, with definitions (formula_texts.h)
 */
#include "file/formula_texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/read.h"

/* --- names -------------------------------------------------------------------------- */

static formula variable_of(const struct model *model, int block, int index)
{
    return variable(model->tape, block, index);
}

/* Binds `name`, with as many '_' behind it as make it free. */
static void bind_free(const struct model *model, const char *name, formula value)
{
    char text[80];
    snprintf(text, sizeof text, "%.60s", name);
    while (!names_bind(model->names, text, value)) {
        size_t length = strlen(text);
        if (length + 2 > sizeof text)
            slip("no name is left for %s", name);
        memcpy(text + length, "_", 2);
    }
}

/* Numbers count from 1, as the columns lambda.1, ... do. */
static void name_block(const struct model *model, int block, const char *name, int count)
{
    char text[80];
    for (int i = 0; i < count; i++) {
        formula value = variable_of(model, block, i);
        snprintf(text, sizeof text, block == BLOCK_T ? "%.60s" : "%.60s_%d", name, i + 1);
        if (!names_of(model->names, value))
            bind_free(model, text, value);
    }
}

void texts_name_variables(const struct model *model)
{
    int impulses = 0;
    for (int k = 0; k < model->events; k++)
        if (model->event[k]->impulses > impulses)
            impulses = model->event[k]->impulses;
    const struct { int block; const char *name; int count; } blocks[] = {
        {BLOCK_T, "t", 1}, {BLOCK_Q, "q", model->n}, {BLOCK_V, "v", model->n},
        {BLOCK_S, "s", model->ns}, {BLOCK_A, "a", model->n},
        {BLOCK_LAMBDA, "lambda", model->m}, {BLOCK_RHO, "rho", model->p},
        {BLOCK_Q_PLUS, "q_plus", model->n}, {BLOCK_V_PLUS, "v_plus", model->n},
        {BLOCK_S_PLUS, "s_plus", model->ns}, {BLOCK_IMPULSE, "impulse", impulses}};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        name_block(model, blocks[k].block, blocks[k].name, blocks[k].count);
}

const char *texts_variable(const struct model *model, int block, int index)
{
    return names_of(model->names, variable_of(model, block, index));
}

/* --- which formulas ----------------------------------------------------------------- */

void texts_init(struct formula_texts *text, const struct model *model)
{
    *text = (struct formula_texts){.model = model};
    texts_name_variables(model);
}

void texts_clear(struct formula_texts *text)
{
    free(text->list);
    free(text->size);
    free(text->given);
    free(text->defined);
}

void texts_add(struct formula_texts *text, const formula *f, int count)
{
    int room = text->room;
    text->list = memory_grow(text->list, &room, text->lists + 1, sizeof *text->list);
    text->size = memory_grow(text->size, &text->room, text->lists + 1,
                             sizeof *text->size);
    text->list[text->lists] = f;
    text->size[text->lists++] = count;
}

/* --- abbreviations ------------------------------------------------------------------ */

/* For every row of the tape how often the formulas use it, and its length. */
struct rows_used {
    int rows, *uses;
    double *length;
};

static bool is_leaf(enum op op)
{
    return op == OP_CONSTANT || op == OP_PI || op == OP_VARIABLE;
}

static bool has_second(enum op op)
{
    return op != OP_POWI && op_info[op].arity == 2;
}

static void count_uses(const struct formula_texts *text, struct rows_used *used)
{
    const struct tape *tape = text->model->tape;
    for (int k = 0; k < text->lists; k++)
        for (int i = 0; i < text->size[k]; i++)
            if (text->list[k][i].tape)
                used->uses[text->list[k][i].row]++;
    for (int row = used->rows - 1; row >= 0; row--) {
        struct tape_row r = tape_row(tape, row);
        if (used->uses[row] == 0 || is_leaf(r.op))
            continue;
        used->uses[r.a]++;
        if (has_second(r.op))
            used->uses[r.b]++;
    }
}

/* Characters of a row, roughly, when those with a name are written by it. */
static double length_of(const struct formula_texts *text, const struct rows_used *used,
                        int row)
{
    enum { LEAF = 6, SIGNS = 5, CALL = 8 };
    struct tape_row r = tape_row(text->model->tape, row);
    if (is_leaf(r.op))
        return LEAF;
    const int operand[] = {r.a, has_second(r.op) ? r.b : -1};
    double length = r.op >= OP_POW || r.op == OP_POWI ? CALL : SIGNS;
    for (int k = 0; k < 2; k++)
        if (operand[k] >= 0)
            length += text->given[operand[k]] ? (double)strlen(text->given[operand[k]])
                                              : used->length[operand[k]];
    return length;
}

static double longest(const struct formula_texts *text, const struct rows_used *used)
{
    double most = 0;
    for (int k = 0; k < text->lists; k++)
        for (int i = 0; i < text->size[k]; i++)
            if (text->list[k][i].tape)
                most = fmax(most, used->length[text->list[k][i].row]);
    return most;
}

static const char *name_of_row(const struct formula_texts *text, int row)
{
    char name[20];
    formula f = {text->model->tape, row};
    if (!names_of(text->model->names, f)) {
        snprintf(name, sizeof name, "d%d", text->definitions + 1);
        bind_free(text->model, name, f);
    }
    return names_of(text->model->names, f);
}

/* Has the case named the row, which is no name itself? */
static bool is_named(const struct formula_texts *text, int row)
{
    formula f = {text->model->tape, row};
    return !is_leaf(tape_row(f.tape, row).op) && names_of(text->model->names, f);
}

/* Rows in the order of the tape: operands first. */
static void abbreviate(struct formula_texts *text, struct rows_used *used, int limit,
                       bool named)
{
    enum { SHORT = 40 };
    int room = 0;
    bool too_long = longest(text, used) > limit;
    for (int row = 0; row < used->rows; row++) {
        if (used->uses[row] == 0)
            continue;
        double length = used->length[row] = length_of(text, used, row);
        bool needed = too_long && ((used->uses[row] > 1 && length > SHORT) ||
                                   length > limit);
        if (!needed && !(named && is_named(text, row)))
            continue;
        text->given[row] = name_of_row(text, row);
        text->defined = memory_grow(text->defined, &room, text->definitions + 1,
                                    sizeof *text->defined);
        text->defined[text->definitions++] = row;
    }
}

void texts_define(struct formula_texts *text, int limit, bool named)
{
    int rows = tape_rows(text->model->tape);
    struct rows_used used = {rows, memory_new(rows, sizeof(int)),
                             memory_new(rows, sizeof(double))};
    text->given = memory_new(rows, sizeof *text->given);
    count_uses(text, &used);
    for (int row = 0; row < rows; row++)
        if (used.uses[row] > 0)
            used.length[row] = length_of(text, &used, row);
    abbreviate(text, &used, limit, named);
    free(used.uses);
    free(used.length);
}

char *texts_of(const struct formula_texts *text, formula f)
{
    const char *name = f.tape ? text->given[f.row] : NULL;
    return name ? memory_text(name, strlen(name))
                : formula_text(f, text->model->names, text->given);
}

const char *texts_definition(const struct formula_texts *text, int k, char **body)
{
    int row = text->defined[k];
    *body = formula_text((formula){text->model->tape, row}, text->model->names,
                         text->given);
    return text->given[row];
}
