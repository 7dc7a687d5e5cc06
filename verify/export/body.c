/*
 * body.c - one function: its arguments, local variables, definitions of what formulas
 * have in common, and its values (body.h).
 */
#include "export/body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "export/statement.h"
#include "formula/read.h"
#include "formula/tape.h"
#include "file/formula_texts.h"

enum { FORMULA_LIMIT = 160, INDENT = 4 };   /* characters of a formula that is written
                                               without definitions */

/* A function while it is written. */
struct body {
    FILE *stream;
    const struct functions *functions;
    const struct function *function;
    const struct language *language;
    struct formula_texts text;
    struct names *local;            /* names that the function has, or may not have */
    struct variable *variable;      /* [variables] in the formulas, by block and index */
    int variables;
};

struct variable {
    int block, index, row;
};

static const char *argument_name(const struct language *language, int block)
{
    return block == BLOCK_LAMBDA ? language->multipliers : block_argument(block);
}

/* --- local names -------------------------------------------------------------------- */

/* The next word of a text, and its length; NULL: there is none. */
static const char *next_word(const char *text, size_t *length)
{
    text += strspn(text, " ");
    *length = strcspn(text, " ");
    return *length > 0 ? text : NULL;
}

static void reserve(struct names *local, const struct language *language)
{
    size_t length = 0;
    for (const char *word = language->reserved; (word = next_word(word, &length));
         word += length) {
        char *name = memory_text(word, length);
        names_bind(local, name, (formula){NULL, 0});
        free(name);
    }
    for (int block = 0; block < BLOCKS; block++)
        if (block_argument(block))
            names_bind(local, argument_name(language, block), (formula){NULL, 0});
}

/* Does the language keep names that begin like this one for itself? */
static bool begins_as_reserved(const struct language *language, const char *name)
{
    size_t length = 0;
    for (const char *word = language->reserved_beginnings;
         word && (word = next_word(word, &length)); word += length)
        if (strncmp(name, word, length) == 0)
            return true;
    return false;
}

/* Gives a row a name that is free, with '_' behind it as often as it takes, and with 'x'
   before a beginning that is none's. */
static void name_row(struct body *body, int row, const char *wanted)
{
    formula f = {body->functions->model->tape, row};
    int room = (int)strlen(wanted) + 20;
    char *name = memory_new(room, 1);
    int length = snprintf(name, (size_t)room, "%s%s",
                          begins_as_reserved(body->language, wanted) ? "x" : "", wanted);
    while (!names_bind(body->local, name, f)) {
        if (length + 1 == room)
            slip("no name is left for %s", wanted);
        name[length++] = '_';
    }
    free(name);
    body->text.given[row] = names_of(body->local, f);
}

static int by_place(const void *a, const void *b)
{
    const struct variable *x = a, *y = b;
    return x->block != y->block ? x->block - y->block : x->index - y->index;
}

/* Finds the variables of the formulas. One that is no argument is a slip. */
static void find_variables(struct body *body, const formula *f, int count)
{
    const struct tape *tape = body->functions->model->tape;
    struct order order;
    int room = 0;
    order_from(&order, tape, f, count);
    for (int i = 0; i < order.count; i++) {
        struct tape_row row = tape_row(tape, order.entry[i].row);
        if (row.op != OP_VARIABLE)
            continue;
        if (!(body->function->arguments >> row.a & 1))
            slip("%s depends on %s", body->function->name, block_argument(row.a));
        body->variable = memory_grow(body->variable, &room, body->variables + 1,
                                     sizeof *body->variable);
        body->variable[body->variables++] =
            (struct variable){row.a, row.b, order.entry[i].row};
    }
    order_clear(&order);
    if (body->variables > 0)
        qsort(body->variable, (size_t)body->variables, sizeof *body->variable, by_place);
}

/* Is the variable its argument itself? Time is no array. */
static bool is_argument(const struct body *body, const struct variable *v)
{
    return v->block == BLOCK_T &&
           strcmp(texts_variable(body->functions->model, BLOCK_T, 0), "t") == 0;
}

static void name_all(struct body *body)
{
    for (int k = 0; k < body->variables; k++) {
        const struct variable *v = &body->variable[k];
        if (is_argument(body, v))
            body->text.given[v->row] = block_argument(BLOCK_T);
        else
            name_row(body, v->row,
                     texts_variable(body->functions->model, v->block, v->index));
    }
    for (int k = 0; k < body->text.definitions; k++)
        name_row(body, body->text.defined[k],
                 body->text.given[body->text.defined[k]]);
}

/* --- what is written ---------------------------------------------------------------- */

char *element_text(const struct language *language, const char *array, const int *at,
                   int dimensions)
{
    struct text text;
    text_open(&text);
    fputs(array, text.stream);
    for (int k = 0; k < dimensions; k++)
        fprintf(text.stream, "%s%d", k == 0 ? language->index_open : language->index_next,
                at[k] + language->base);
    fputs(dimensions > 0 ? language->index_close : "", text.stream);
    return text_close(&text);
}

/* The name of a row that has one, else its expression. */
static char *text_of(const struct body *body, formula f)
{
    const char *name = f.tape ? body->text.given[f.row] : "0.0";
    return name ? memory_text(name, strlen(name))
                : formula_text_spelled(f, body->text.given, &body->language->spelling);
}

/* Writes the arguments, with a comma between them. */
static char *arguments_text(const struct body *body)
{
    const struct function *function = body->function;
    const struct language *language = body->language;
    struct text text;
    text_open(&text);
    for (int block = 0, count = 0; block < BLOCKS; block++) {
        if (!(function->arguments >> block & 1))
            continue;
        fputs(count++ > 0 ? ", " : "", text.stream);
        template_write(text.stream, block == BLOCK_T ? language->number_argument
                                                     : language->array_argument,
                       (struct field[]){{"name", argument_name(language, block)},
                                        {NULL, NULL}});
    }
    if (function->dimensions > 0 && language->out_argument) {
        int last[MOST_DIMENSIONS];
        for (int k = 0; k < function->dimensions; k++)
            last[k] = function->size[k] - language->base;
        char *sizes = element_text(language, "", last, function->dimensions);
        fputs(function->arguments ? ", " : "", text.stream);
        template_write(text.stream, language->out_argument,
                       (struct field[]){{"sizes", sizes}, {NULL, NULL}});
        free(sizes);
    }
    return text_close(&text);
}

static void write_head(const struct body *body)
{
    const struct language *language = body->language;
    char *arguments = arguments_text(body);
    char *head = template_text(body->function->dimensions > 0 ? language->array_function
                                                              : language->number_function,
                               (struct field[]){{"name", body->function->name},
                                                {"arguments", arguments}, {NULL, NULL}});
    char *line = strchr(head, '\n');
    *line = '\0';
    lines_write(body->stream, language, 0, head);
    fputs(line + 1, body->stream);
    free(head);
    free(arguments);
}

/* Says which arguments are not used, where the language wants to know. */
static void write_unused(const struct body *body)
{
    const struct language *language = body->language;
    unsigned unused = body->function->arguments;
    struct text text;
    for (int k = 0; k < body->variables; k++)
        unused &= ~(1u << body->variable[k].block);
    if (!language->unused || unused == 0)
        return;
    text_open(&text);
    for (int block = 0, count = 0; block < BLOCKS; block++)
        if (unused >> block & 1) {
            fputs(count++ > 0 ? " " : "", text.stream);
            template_write(text.stream, language->unused,
                           (struct field[]){{"name", argument_name(language, block)},
                                            {NULL, NULL}});
        }
    char *line = text_close(&text);
    lines_write(body->stream, language, INDENT, line);
    free(line);
}

static void write_variables(const struct body *body)
{
    const struct language *language = body->language;
    for (int k = 0; k < body->variables; k++) {
        const struct variable *v = &body->variable[k];
        if (is_argument(body, v))
            continue;
        char *value = element_text(language, argument_name(language, v->block),
                                   &v->index, v->block == BLOCK_T ? 0 : 1);
        statement_write(body->stream, body->language, INDENT, body->language->local,
                        body->text.given[v->row], value, false);
        free(value);
    }
    for (int k = 0; k < body->text.definitions; k++) {
        int row = body->text.defined[k];
        char *value = formula_text_spelled((formula){body->functions->model->tape, row},
                                           body->text.given, &body->language->spelling);
        statement_write(body->stream, body->language, INDENT, body->language->local,
                        body->text.given[row], value, false);
        free(value);
    }
}

static void write_array(const struct body *body)
{
    const struct function *function = body->function;
    const struct language *language = body->language;
    char size[MOST_DIMENSIONS][16];
    for (int k = 0; k < MOST_DIMENSIONS; k++)
        snprintf(size[k], sizeof size[k], "%d", function->size[k]);
    char *zeros = template_text(language->zeros[function->dimensions - 1],
                                (struct field[]){{"1", size[0]}, {"2", size[1]},
                                                 {"3", size[2]}, {NULL, NULL}});
    lines_write(body->stream, language, INDENT, zeros);
    free(zeros);
    for (int k = 0; k < function->count; k++) {
        const struct entry *entry = &function->entry[k];
        char *place = element_text(language, "out", entry->at, function->dimensions);
        char *value = text_of(body, entry->f);
        statement_write(body->stream, language, INDENT, language->set, place, value,
                        false);
        free(value);
        free(place);
    }
    if (language->array_result)
        lines_write(body->stream, language, INDENT, language->array_result);
}

static void write_number(const struct body *body)
{
    const struct function *function = body->function;
    char *value = text_of(body, function->count > 0 ? function->entry[0].f
                                                    : (formula){NULL, 0});
    statement_write(body->stream, body->language, INDENT, body->language->number_result,
                    "", value, false);
    free(value);
}

static void write_function(const struct body *body)
{
    const struct function *function = body->function;
    char shape[60] = "";
    for (int k = 0, used = 0; k < function->dimensions; k++)
        used += snprintf(shape + used, sizeof shape - (size_t)used, "[%d]",
                         function->size[k]);
    comment_write(body->stream, body->language, 4, "%s%s%s", shape,
                  function->dimensions > 0 ? " " : "", function->about);
    write_head(body);
    write_unused(body);
    write_variables(body);
    if (function->dimensions > 0)
        write_array(body);
    else
        write_number(body);
    fputs(body->language->function_end, body->stream);
}

/* Definitions have names of one function: they are bound in a copy of the model's. */
void body_write(FILE *stream, const struct functions *functions,
                const struct function *function, const struct language *language)
{
    struct model *model = functions->model;
    struct names *names = model->names;
    struct body body = {.stream = stream, .functions = functions, .function = function,
                        .language = language, .local = names_new()};
    formula *f = memory_new(function->count, sizeof *f);
    for (int k = 0; k < function->count; k++)
        f[k] = function->entry[k].f;
    model->names = names_copy(names);
    texts_init(&body.text, model);
    texts_add(&body.text, f, function->count);
    texts_define(&body.text, FORMULA_LIMIT, false);
    reserve(body.local, language);
    find_variables(&body, f, function->count);
    name_all(&body);
    write_function(&body);
    texts_clear(&body.text);
    names_free(model->names);
    model->names = names;
    names_free(body.local);
    free(body.variable);
    free(f);
}

char *constant_text(const struct functions *functions, formula f,
                    const struct language *language)
{
    const char **given = memory_new(tape_rows(functions->model->tape), sizeof *given);
    char *text = f.tape ? formula_text_spelled(f, given, &language->spelling)
                        : memory_text("0.0", 3);
    free(given);
    return text;
}
