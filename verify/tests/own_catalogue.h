/*
 * own_catalogue.h - a catalogue of the test itself, and commands run on it here.
 *
 * The test defines `catalogue`, which takes the place of cases/mechanisms/catalogue.c.
 */
#ifndef SALTUS_OWN_CATALOGUE_H
#define SALTUS_OWN_CATALOGUE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mechanisms/catalogue.h"
#include "options/args.h"

const struct case_desc *case_find(const char *name)
{
    for (int k = 0; catalogue[k]; k++)
        if (strcmp(catalogue[k]->name, name) == 0)
            return catalogue[k];
    return NULL;
}

const struct case_desc *case_family(const char *name, int *size)
{
    (void)name;
    *size = 0;
    return NULL;
}

bool case_is_refused(const struct case_desc *desc)
{
    return strstr(desc->classes, "refused") != NULL;
}

/* Runs a command here, with its standard output in a file; its text. */
static inline char *run_here(enum exit_status *status, int count, const char *const *word)
{
    char path[] = "/tmp/saltus-malformed-XXXXXX", *argv[8] = {NULL};
    static char text[100000];
    struct args args;
    int file = mkstemp(path), kept = dup(STDOUT_FILENO);
    for (int k = 0; k < count; k++)
        argv[k] = strdup(word[k]);
    fflush(stdout);
    dup2(file, STDOUT_FILENO);
    if (args_parse(&args, command_find(word[0]), count, argv, status))
        *status = args.command->run(&args);
    args_clear(&args);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    close(file);
    unlink(path);
    for (int k = 0; k < count; k++)
        free(argv[k]);
    return text;
}

/* Some line that begins with the word has the text. */
static inline void expect_line(const char *text, const char *begins, const char *has)
{
    size_t length = strlen(begins);
    bool found = false;
    for (const char *line = text; line && !found; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *at = strstr(line, has);
        found = strncmp(line, begins, length) == 0 && line[length] == ' ' && at &&
                at < line + strcspn(line, "\n");
    }
    cr_assert(found, "no line of %s with '%s' in\n%s", begins, has, text);
}

#endif
