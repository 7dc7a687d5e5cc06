/*
 * page.c - saltus(1) by the macros of man(7) (manual.h)
 */
#include <string.h>

#include "manual/usage.h"
#include "manual/manual.h"
#include "manual/roff.h"
#include "options/args.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

enum { MANY = 256 };

/* --- options ------------------------------------------------------------------------ */

static void print_names(FILE *stream, enum option_id id)
{
    const char *name[MANY];
    int count = setup_names(id, name, MANY);
    for (int k = 0; k < count; k++) {
        roff_text(stream, name[k], (int)strlen(name[k]));
        fputs(k < count - 1 ? ",\n" : "\n", stream);
    }
}

static void print_option(FILE *stream, enum option_id id)
{
    const struct option_info *option = option_info(id);
    fputs(".TP\n\\fB", stream);
    if (option->letter)
        fprintf(stream, "\\-%c\\fR, \\fB", option->letter);
    fputs("\\-\\-", stream);
    roff_text(stream, option->name, (int)strlen(option->name));
    fputs("\\fR", stream);
    if (option->argument) {
        fputs(" \\fI", stream);
        roff_text(stream, option->argument, (int)strlen(option->argument));
        fputs("\\fR", stream);
    }
    putc('\n', stream);
    if (option->help)
        roff_line(stream, option->help);
    else
        print_names(stream, id);
}

static void print_command(FILE *stream, const struct command *command)
{
    fprintf(stream, ".SS saltus %s ", command->name);
    roff_line(stream, command->synopsis);
    size_t length = strlen(command->summary);
    roff_text(stream, command->summary, (int)length);
    fputs(command->summary[length - 1] == '?' ? "\n" : ".\n", stream);
    for (const enum option_id *id = command->option; *id != OPTIONS; id++)
        print_option(stream, *id);
    print_option(stream, OPTION_HELP);
    if (command->text) {
        fputs(".PP\n", stream);
        roff_paragraphs(stream, command->text);
    }
}

/* --- the page ----------------------------------------------------------------------- */

static void print_environment(FILE *stream)
{
    static const char *const variable[][2] = {
#define VARIABLE(name, meaning) {name, meaning},
#include "manual/environment.def"
#undef VARIABLE
    };
    fputs(".SH ENVIRONMENT\n", stream);
    for (size_t k = 0; k < sizeof variable / sizeof *variable; k++) {
        fprintf(stream, ".TP\n.B %s\n", variable[k][0]);
        roff_line(stream, variable[k][1]);
    }
}

void manual_page(FILE *stream)
{
    fputs(".\\\" Made by `saltus manual` from the tables of the command.\n"
          ".TH SALTUS 1 \"\" \"saltus " SALTUS_VERSION "\" \"User Commands\"\n"
          ".nh\n.ad l\n.SH NAME\nsaltus \\- ", stream);
    roff_line(stream, usage_purpose);
    fputs(".SH SYNOPSIS\n.B saltus\n.I COMMAND\n.RI [ OPTION ...]\n.br\n"
          ".B saltus help\n.I COMMAND\n.br\n.B saltus \\-\\-version\n"
          ".SH COMMANDS\n", stream);
    for (int k = 0; commands[k]; k++)
        print_command(stream, commands[k]);
    fputs(".SH EXIT STATUS\n", stream);
    roff_paragraphs(stream, usage_exit_status);
    print_environment(stream);
    fputs(".SH SEE ALSO\n.BR saltus\\-model (5)\n", stream);
}
