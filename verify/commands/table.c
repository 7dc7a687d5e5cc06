#include <stddef.h>
#include <string.h>

#include "commands/command.h"

extern const struct command command_list, command_show, command_run, command_verify,
    command_certify, command_problem, command_mutants;

const struct command *const commands[] = {
    &command_list, &command_show, &command_run, &command_verify, &command_certify,
    &command_problem, &command_mutants, NULL,
};

const struct command *command_find(const char *name)
{
    for (int k = 0; commands[k]; k++)
        if (strcmp(commands[k]->name, name) == 0)
            return commands[k];
    return NULL;
}
