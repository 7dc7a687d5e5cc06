/*
 * options.c - options of a formulation as exact formulas.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "formulation.h"

enum status option_matrix(const struct model *model, const char *name, const char *text,
                          int m, formula *out, struct diagnosis *diagnosis)
{
    /* Split at commas and read each piece as a constant formula; no names are known, so a
       misspelt number is an error of the reader. */
    enum { SHOWN = 80 };
    struct names *none = names_new();
    char *copy = memory_text(text, strlen(text)), *rest = copy, *piece;
    formula *value = memory_new(m * m + 1, sizeof *value);
    struct read_error error = {.set = false};
    int count = 0;
    while ((piece = strsep(&rest, ",")) && !error.set) {
        formula number = formula_read(model->tape, none, piece, &error);
        if (!number.tape)
            number = integer(model->tape, 0);
        if (count < m * m || count == 0)
            value[count] = number;
        count++;
    }

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
                          "rows), separated by commas", name, count, m, m * m);
    for (int i = 0; status == OK && i < m; i++)
        for (int j = 0; j < m; j++) {
            if (count == m * m && count != 1)
                out[i * m + j] = value[i * m + j];
            else if (i == j)
                out[i * m + j] = value[count == 1 ? 0 : i];
        }
    free(value);
    free(copy);
    names_free(none);
    return status;
}
