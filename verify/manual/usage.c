/*
 * usage.c - the overview of all commands (usage.h)
 */
#include "manual/usage.h"

#include <stdio.h>

#include "options/command.h"

const char usage_purpose[] =
    "judges sensitivities of hybrid multibody systems, and computes them";

const char usage_exit_status[] =
    "Exit status: 0 all held, 1 something judged fell short, 2 usage or input\n"
    "error, 3 the problem itself has no answer, 4 no memory was left.\n";

void usage_print(void)
{
    printf("saltus %s.\n\nusage: saltus COMMAND [OPTION...]\n\n", usage_purpose);
    for (int k = 0; commands[k]; k++)
        printf("  %-10s%s\n", commands[k]->name, commands[k]->summary);
    printf("\n  saltus help COMMAND says more; saltus --version\n\n"
           "Begin with: saltus verify bouncing-ball\n%s", usage_exit_status);
}
