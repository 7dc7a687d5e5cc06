/*
 * manual.c - `saltus manual`: the manual page and the completion of shells.
 */
#include "manual/manual.h"

#include <string.h>

#include "base/suggest.h"
#include "options/args.h"

static const char *const name[] = {"page", "model", "bash", "zsh", NULL};
static void (*const print[])(FILE *stream) = {manual_page, manual_model, manual_bash,
                                             manual_zsh};

static enum exit_status manual(const struct args *args)
{
    const char *wanted = args->operands > 0 ? args->operand[0] : name[0];
    char offer[100];
    for (int k = 0; name[k]; k++)
        if (strcmp(wanted, name[k]) == 0) {
            print[k](stdout);
            return EXIT_HELD;
        }
    offer_names(wanted, name, -1, offer, sizeof offer);
    return complain(args, "no manual of %s; %s", wanted, offer);
}

static const enum option_id options[] = {OPTION_PLUGIN, OPTIONS};

extern const struct command command_manual;
const struct command command_manual = {
    .name = "manual", .synopsis = "[page | model | bash | zsh] [OPTION...]",
    .summary = "The manual page, or completion for a shell, from the same tables",
    .text = "page (default) is saltus(1) and model is saltus-model(5), as source of\n"
            "man; bash and zsh are functions that complete command lines there. `make\n"
            "install` installs all four.\n\n"
            "  saltus manual | man -l -\n"
            "  . <(saltus manual bash)\n",
    .option = options, .least = 0, .most = 1, .run = manual,
};
