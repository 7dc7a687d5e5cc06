/*
 * completion.c - command lines completed by bash and zsh (manual.h)
 *
 * Words are offered for commands, options, values of options that are names of a table,
 * and operands that are cases or papers. File names stand for everything else.
 */
#include <ctype.h>
#include <string.h>

#include "coverage/classes.h"
#include "events/jump.h"
#include "faults/rules.h"
#include "manual/manual.h"
#include "mechanisms/catalogue.h"
#include "options/args.h"
#include "papers/paper.h"

enum { MANY = 512 };

/* The names that are values of an option; 0: its value is free, or a file. */
static int values_of(enum option_id id, const char **name, int room)
{
    int count = 0;
    if (id == OPTION_RULE)
        return any_rule_names(name, room);
    if (id == OPTION_CLASS)
        return case_class_words(name, room);
    if (id == OPTION_RESET)
        for (; reset_policy_text[count] && count < room; count++)
            name[count] = reset_policy_text[count];
    return id == OPTION_RESET ? count : setup_names(id, name, room);
}

/* May several values stand behind each other, with commas? */
static bool is_list(enum option_id id)
{
    return strcmp(option_info(id)->argument, "A,B") == 0;
}

static void print_words(FILE *stream, const char *const *name, int count)
{
    for (int k = 0; k < count; k++)
        fprintf(stream, "%s%s", k > 0 ? " " : "", name[k]);
}

static void print_commands(FILE *stream)
{
    for (int k = 0; commands[k]; k++)
        fprintf(stream, "%s ", commands[k]->name);
    fputs("help", stream);
}

static void print_cases(FILE *stream)
{
    for (int k = 0; catalogue[k]; k++)
        fprintf(stream, "%s%s", k > 0 ? " " : "", catalogue[k]->name);
}

static void print_papers(FILE *stream)
{
    for (int k = 0; papers[k]; k++)
        fprintf(stream, "%s%s", k > 0 ? " " : "", papers[k]->name);
}

/* An operand stands in the synopsis in capitals. */
static bool takes(const struct command *command, const char *operand)
{
    return strstr(command->synopsis, operand) != NULL;
}

static bool takes_one_case(const struct command *command)
{
    return takes(command, "CASE ");
}

/* --- bash --------------------------------------------------------------------------- */

/* The name of a variable of the shell. */
static void print_variable(FILE *stream, enum option_id id)
{
    for (const char *c = option_info(id)->name; *c; c++)
        putc(isalnum((unsigned char)*c) ? *c : '_', stream);
}

static void bash_option(FILE *stream, enum option_id id)
{
    const struct option_info *option = option_info(id);
    const char *name[MANY];
    int count;
    if (!option->argument)
        return;
    fputs("        ", stream);
    if (option->letter)
        fprintf(stream, "-%c|", option->letter);
    fprintf(stream, "--%s) ", option->name);
    count = values_of(id, name, MANY);
    if (count > 0) {
        fputs("words=$", stream);
        print_variable(stream, id);
        fputs(is_list(id) ? " list=1;;\n" : ";;\n", stream);
    } else {
        fputs("return;;\n", stream);
    }
}

static void bash_command(FILE *stream, const struct command *command)
{
    fprintf(stream, "    %s)\n        options='", command->name);
    for (const enum option_id *id = command->option; *id != OPTIONS; id++)
        fprintf(stream, "--%s ", option_info(*id)->name);
    fputs("--help'\n        case $before in\n", stream);
    for (const enum option_id *id = command->option; *id != OPTIONS; id++)
        bash_option(stream, *id);
    if (takes(command, "CASE"))
        fprintf(stream, "        *) words=$cases one=%d;;\n", takes_one_case(command));
    else if (takes(command, "PAPER"))
        fputs("        *) words=$papers;;\n", stream);
    fputs("        esac;;\n", stream);
}

void manual_bash(FILE *stream)
{
    const char *name[MANY];
    fputs("# Completion of saltus in bash, made by `saltus manual bash`.\n"
          "_saltus()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]} options= words= list=0 one=0 prefix= k\n",
          stream);
    for (int id = 0; id < OPTIONS; id++) {
        int count = option_info((enum option_id)id)->argument
                        ? values_of((enum option_id)id, name, MANY) : 0;
        if (count == 0)
            continue;
        fputs("    local ", stream);
        print_variable(stream, (enum option_id)id);
        fputs("='", stream);
        print_words(stream, name, count);
        fputs("'\n", stream);
    }
    fputs("    local commands='", stream);
    print_commands(stream);
    fputs("'\n    local papers='", stream);
    print_papers(stream);
    fputs("'\n    local cases='", stream);
    print_cases(stream);
    fputs("'\n    COMPREPLY=()\n"
          "    # --option=value is three words\n"
          "    [[ $before == '=' ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    [[ $word == '=' ]] && word=\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        words=$commands options='--help --version'\n"
          "    else case $command in\n"
          "    help) ((COMP_CWORD == 2)) && words=$commands;;\n", stream);
    for (int k = 0; commands[k]; k++)
        bash_command(stream, commands[k]);
    fputs("    esac; fi\n"
          "    if ((one)); then\n"
          "        for k in \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"; do\n"
          "            [[ \" $cases \" == *\" $k \"* ]] && words=\n"
          "        done\n"
          "    fi\n"
          "    if [[ $word == -* ]]; then\n"
          "        words=$options\n"
          "    elif ((list)) && [[ $word == *,* ]]; then\n"
          "        prefix=${word%,*},\n"
          "    fi\n"
          "    COMPREPLY=($(compgen -P \"$prefix\" -W \"$words\" -- "
          "\"${word#\"$prefix\"}\"))\n"
          "}\n"
          "complete -o default -F _saltus saltus\n", stream);
}

/* --- zsh ---------------------------------------------------------------------------- */

/* Prints text inside '...[ ]:', where brackets and colons have a meaning. */
static void zsh_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            putc('\\', stream);
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, stream);
    }
}

/* Prints the argument of an option: ':FILE:_files', ':F:(ode index1)'. */
static void zsh_argument(FILE *stream, enum option_id id)
{
    const char *name[MANY], *argument = option_info(id)->argument;
    int count = values_of(id, name, MANY);
    putc(':', stream);
    zsh_text(stream, argument);
    if (count == 0) {
        fputs(":_files", stream);
        return;
    }
    fputs(is_list(id) ? ":_values -s , name " : ":(", stream);
    print_words(stream, name, count);
    fputs(is_list(id) ? "" : ")", stream);
}

static void zsh_option(FILE *stream, enum option_id id)
{
    const struct option_info *option = option_info(id);
    const char *help = option->help ? option->help : "a name";
    bool repeated = strstr(help, "(repeat)") != NULL;
    fputs("        '", stream);
    if (repeated)
        putc('*', stream);
    else if (option->letter)
        fprintf(stream, "(-%c --%s)", option->letter, option->name);
    if (option->letter)
        fprintf(stream, "'{-%c,--%s}'[", option->letter, option->name);
    else
        fprintf(stream, "--%s[", option->name);
    zsh_text(stream, help);
    putc(']', stream);
    if (option->argument)
        zsh_argument(stream, id);
    fputs("' \\\n", stream);
}

static void zsh_command(FILE *stream, const struct command *command)
{
    fprintf(stream, "    %s) _arguments -s \\\n", command->name);
    for (const enum option_id *id = command->option; *id != OPTIONS; id++)
        zsh_option(stream, *id);
    zsh_option(stream, OPTION_HELP);
    if (takes_one_case(command))
        fputs("        \"1:case:($cases)\" '*:file:_files';;\n", stream);
    else if (takes(command, "CASE"))
        fputs("        \"*:case:($cases)\";;\n", stream);
    else if (takes(command, "PAPER"))
        fputs("        \"*:paper:($papers)\";;\n", stream);
    else
        fputs("        '*:file:_files';;\n", stream);
}

void manual_zsh(FILE *stream)
{
    fputs("#compdef saltus\n# Completion of saltus in zsh, made by `saltus manual zsh`.\n"
          "local cases='", stream);
    print_cases(stream);
    fputs("'\nlocal papers='", stream);
    print_papers(stream);
    fputs("'\nlocal -a commands=(\n", stream);
    for (int k = 0; commands[k]; k++) {
        fprintf(stream, "    '%s:", commands[k]->name);
        zsh_text(stream, commands[k]->summary);
        fputs("'\n", stream);
    }
    fputs("    'help:The help of a command'\n)\n"
          "if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n"
          "    _describe command commands\n    return\nfi\n"
          "shift words\n((CURRENT--))\ncase $words[1] in\n", stream);
    for (int k = 0; commands[k]; k++)
        zsh_command(stream, commands[k]);
    fputs("esac\n", stream);
}
