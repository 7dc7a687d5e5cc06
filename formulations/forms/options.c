/*
 * options.c - options of a formulation as exact formulas; nominal values filled in.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/read.h"
#include "formulation.h"

const char *const *options_filled(const struct formulation *formulation,
                                  const char *const *value,
                                  const char *filled[MOST_OPTIONS])
{
    for (int k = 0; k < MOST_OPTIONS; k++)
        filled[k] = NULL;
    for (int k = 0; formulation->options && formulation->options[k].name; k++)
        filled[k] = value && value[k] ? value[k] : formulation->options[k].nominal;
    return filled;
}

/* Numbers separated by commas, or by a semicolon at the end of a row. */
struct numbers {
    formula *value;         /* [min(count, room)] the first numbers */
    int room, count, rows;  /* room of `value`; numbers and rows in the text */
    bool even;              /* every row before a semicolon has `columns` numbers */
};

/* Reads each piece as a constant formula. No names are known to the reader, so a misspelt
   number is an error. */
static void read_numbers(const struct model *model, const char *text, int columns,
                         struct numbers *numbers, struct read_error *error)
{
    struct names *none = names_new();
    char *copy = memory_text(text, strlen(text)), *piece = copy;
    char end;
    do {
        size_t length = strcspn(piece, ",;");
        end = piece[length];
        piece[length] = '\0';
        formula number = formula_read(model->tape, none, piece, error);
        if (!number.tape)
            number = integer(model->tape, 0);
        if (numbers->count < numbers->room)
            numbers->value[numbers->count] = number;
        numbers->count++;
        if (end == ';') {
            numbers->even = numbers->even && numbers->count == numbers->rows * columns;
            numbers->rows++;
        }
        piece += length + 1;
    } while (end && !error->set);
    free(copy);
    names_free(none);
}

enum status option_matrix(const struct model *model, const char *name, const char *text,
                          int m, formula *out, struct diagnosis *diagnosis)
{
    enum { SHOWN = 80 };
    struct numbers numbers = {.value = memory_new(m * m + 1, sizeof *numbers.value),
                              .room = m > 0 ? m * m : 1, .rows = 1, .even = true};
    struct read_error error = {.set = false};
    read_numbers(model, text, m, &numbers, &error);
    const formula *value = numbers.value;
    int count = numbers.count;

    enum status status = OK;
    if (error.set)
        status = diagnose(diagnosis, BAD_INPUT, NAN,
                          "option %s=%.*s: %s", name, SHOWN, text, error.message);
    else if (m == 1 && count != 1)
        status = diagnose(diagnosis, BAD_INPUT, NAN,
                          "option %s has %d numbers; it takes one", name, count);
    else if (m > 0 && count != 1 && count != m && count != m * m)
        status = diagnose(diagnosis, BAD_INPUT, NAN,
                          "option %s has %d numbers; give 1, %d (diagonal) or %d (by "
                          "rows), separated by commas, or rows by semicolons", name,
                          count, m, m * m);
    else if (m > 0 && numbers.rows > 1 && !(numbers.even && count == m * m))
        status = diagnose(diagnosis, BAD_INPUT, NAN,
                          "option %s has %d rows of numbers, %d in all; give %d rows of "
                          "%d", name, numbers.rows, count, m, m);
    for (int i = 0; status == OK && i < m; i++)
        for (int j = 0; j < m; j++) {
            bool whole = count == m * m && count != 1;
            const formula zero = {0}, diagonal = value[count == 1 ? 0 : i];
            out[i * m + j] = whole ? value[i * m + j] : i == j ? diagonal : zero;
        }
    free(numbers.value);
    return status;
}
