/*
 * formula.c - fuzzing of formulas: any text is a formula, or is refused at a column; a
 * formula that is printed is read back to the same row.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const word[] = {"x", "y", "vx", "m", "g"};
    char *text = memory_text((const char *)data, size);
    struct tape *tape = tape_new();
    struct names *names = names_new();
    struct read_error error;
    for (int k = 0; k < 5; k++)
        names_bind(names, word[k], variable(tape, BLOCK_Q, k));
    formula f = formula_read_exact(tape, names, text, &error);
    if (error.set && (error.column < 1 || error.column > (int)strlen(text) + 1
                      || !*error.message))
        abort();
    formula_read(tape, names, text, NULL);
    if (!error.set && size < 200) {     /* written out, it may be as long as 2^rows */
        char *printed = formula_text(f, names, NULL);
        formula again = formula_read_exact(tape, names, printed, &error);
        if (error.set || !same_formula(f, again))
            abort();
        free(printed);
    }
    names_free(names);
    tape_free(tape);
    free(text);
    return 0;
}
