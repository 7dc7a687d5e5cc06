/*
 * export.c - `saltus export CASE --to LANGUAGE`: the mechanism as source text.
 */
#include "export/export.h"

#include <stdio.h>
#include <stdlib.h>

#include "commands/setup.h"
#include "options/file_print.h"

static void print_text(FILE *stream, const void *text)
{
    fputs(text, stream);
}

static enum exit_status print_export(const struct args *args)
{
    const struct language *language;
    struct model *model = NULL;
    enum exit_status status = EXIT_USAGE;
    if (setup_language(args, &language) &&
        (model = setup_model(args, args->operand[0])) != NULL) {
        char *text = export_text(model, language);
        status = output_print(args, print_text, text) ? EXIT_HELD : EXIT_USAGE;
        free(text);
    }
    model_free(model);
    return status;
}

static const enum option_id options[] = {OPTION_LANGUAGE, OPTION_RESET, OPTION_OUT,
                                         OPTIONS};

extern const struct command command_export;
const struct command command_export = {
    .name = "export",
    .synopsis = "CASE --to LANGUAGE [OPTION...]",
    .summary = "A mechanism as source text of another language, with first derivatives",
    .text =
        "Functions for mass matrix, forces, constraints, guards, resets, costs and\n"
        "start, and for their derivatives by time, state, multipliers and parameters.\n"
        "The text needs no library; its header says which letter is what, and which\n"
        "sign it has.\n\n"
        "  saltus export five-bar --to python -o five_bar.py\n"
        "  saltus export bouncing-ball --to c -o bouncing-ball.h\n",
    .option = options,
    .least = 1,
    .most = 1,
    .run = print_export,
};
