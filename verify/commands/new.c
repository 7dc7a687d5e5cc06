/*
 * new.c - `saltus new NAME`: a commented model file to begin with.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/embed.h"
#include "base/suggest.h"
#include "commands/model_schema.h"
#include "file/model_file.h"
#include "options/file_print.h"

EMBED(starter_equations, "verify/commands/starter_equations.yaml");
EMBED(starter_lagrangian, "verify/commands/starter_lagrangian.yaml");
EMBED(starter_elements, "verify/commands/starter_elements.yaml");

/* Beginnings, by what a mechanism is stated by. */
static const char *const kind[] = {"equations", "lagrangian", "elements", NULL};
static const char *const starter[] = {starter_equations, starter_lagrangian,
                                      starter_elements};
static const char *const about[] = {"a bead that bounces", "a pendulum with a stop",
                                    "a crank that hits a wall"};

struct beginning {
    const char *path, *text;
};

/* Prints the beginning, with the path of the file in place of FILE. */
static void print_starter(FILE *stream, const void *context)
{
    const struct beginning *beginning = context;
    for (const char *at = beginning->text; *at;)
        if (strncmp(at, "FILE", 4) == 0) {
            fputs(beginning->path, stream);
            at += 4;
        } else {
            fputc(*at++, stream);
        }
}

static void print_text(FILE *stream, const void *context)
{
    fprintf(stream, "%s\n", (const char *)context);
}

static enum exit_status print_schema(const struct args *args)
{
    if (args->operands > 0)
        return complain(args, "--schema is about no case; leave out %s",
                        args->operand[0]);
    char *schema = model_schema();
    bool good = output_print(args, print_text, schema);
    free(schema);
    return good ? EXIT_HELD : EXIT_USAGE;
}

static enum exit_status new_model(const struct args *args)
{
    if (args_has(args, OPTION_SCHEMA))
        return print_schema(args);
    if (args->operands == 0)
        return complain(args, "a name is missing; usage: saltus new NAME");
    char path[PATH_MAX];
    const char *word = args->operand[0];
    int length = snprintf(path, sizeof path, "%s%s", word,
                          case_is_path(strrchr(word, '/') ? strrchr(word, '/') + 1 : word)
                              ? "" : ".yaml");
    if (length >= (int)sizeof path)
        return complain(args, "%.60s...: too long for a file's name", word);
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    int named = (int)strcspn(base, ".");
    if (named == 0 || (int)strspn(base, letters) != named)
        return complain(args, "'%.60s' is no name for a case: letters, digits, - and _",
                        word);
    if (args_has(args, OPTION_OUT))
        return complain(args, "-o belongs to --schema; the file is %s", path);
    if (access(path, F_OK) == 0)
        return complain(args, "%s is there already; give another name", path);
    const char *from = args_text(args, OPTION_FROM_KIND, kind[0]);
    char offer[120];
    int k = 0;
    while (kind[k] && strcmp(kind[k], from) != 0)
        k++;
    offer_names(from, kind, -1, offer, sizeof offer);
    if (!kind[k])
        return complain(args, "--from: no beginning of %.60s; %s", from, offer);
    const struct beginning beginning = {path, starter[k]};
    if (!file_print(args, path, print_starter, &beginning))
        return EXIT_USAGE;
    printf("%s: %s; edit it, then saltus verify %s\n", path, about[k], path);
    return EXIT_HELD;
}

static const enum option_id options[] = {OPTION_FROM_KIND, OPTION_SCHEMA, OPTION_OUT,
                                         OPTIONS};

extern const struct command command_new;
const struct command command_new = {
    .name = "new",
    .synopsis = "NAME [OPTION...]",
    .summary = "A mechanism of one's own: a commented model file to begin with",
    .text =
        "NAME.yaml is a mechanism that can be run at once, with a comment at each part;\n"
        "every command takes it by its path. --from lagrangian begins with kinetic and\n"
        "potential energy, --from elements with bars and joints. --schema prints the\n"
        "JSON Schema of model files, by which editors complete and check keys.\n\n"
        "  saltus new bead && saltus verify bead.yaml\n"
        "  saltus new --schema -o model.schema.json\n",
    .option = options,
    .least = 0,                 /* --schema takes none */
    .most = 1,
    .writes = true,
    .run = new_model,
};
