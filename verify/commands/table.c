/*
 * table.c - the commands, by commands.def
 */
#include <stddef.h>
#include <string.h>

#include "options/command.h"

#define COMMAND(name) extern const struct command command_##name;
#include "commands/commands.def"
#undef COMMAND

/* The last place but one is that of command_add. */
const struct command *commands[] = {
#define COMMAND(name) &command_##name,
#include "commands/commands.def"
#undef COMMAND
    NULL, NULL,
};

void command_add(const struct command *command)
{
    commands[sizeof commands / sizeof *commands - 2] = command;
}

const struct command *command_find(const char *name)
{
    for (int k = 0; commands[k]; k++)
        if (strcmp(commands[k]->name, name) == 0)
            return commands[k];
    return NULL;
}
