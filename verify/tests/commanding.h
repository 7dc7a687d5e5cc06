/*
 * commanding.h - runs the command in a folder of its own, for tests.
 */
#ifndef SALTUS_COMMANDING_H
#define SALTUS_COMMANDING_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { HELD, SHORT, USAGE, NO_ANSWER };     /* exit status, README.md */

static char folder[] = "/tmp/saltus-test-XXXXXX";

static inline void make_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static inline void remove_folder(void)
{
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        cr_log_warn("%s is left behind", folder);
}

static inline const char *saltus(void)
{
    const char *named = getenv("SALTUS_COMMAND");
    if (!named)
        named = getenv("SALTUS");
    return named ? named : "build/saltus";
}

/* The whole of a file in the folder, or NULL. */
static inline char *contents(const char *name)
{
    char path[300], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r"), *memory;
    if (!file)
        return NULL;
    memory = open_memstream(&text, &size);
    for (int c = getc(file); c != EOF; c = getc(file))
        putc(c, memory);
    fclose(memory);
    fclose(file);
    return text;
}

/* Runs `saltus ARGUMENTS` in the folder, output in the files out and err; exit status. */
static inline int run(const char *arguments)
{
    char path[600], command[1400];
    if (!realpath(saltus(), path))
        cr_assert_fail("no command %s: build it, or set SALTUS_COMMAND", saltus());
    snprintf(command, sizeof command, "cd %s && '%s' %s > out 2> err < /dev/null", folder,
             path, arguments);
    int status = system(command);
    cr_assert(WIFEXITED(status), "saltus %s was killed", arguments);
    return WEXITSTATUS(status);
}

static inline int files_besides_output(void)
{
    int count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *file; (file = readdir(directory));)
        count += strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0 &&
                 strcmp(file->d_name, "out") != 0 && strcmp(file->d_name, "err") != 0;
    closedir(directory);
    return count;
}

/* The status, exactly one line on standard error that contains `word`, nothing on
   standard output and no file more than before, temporary ones included. */
static inline void expect_complaint(const char *arguments, int status, const char *word)
{
    int files = files_besides_output();
    int got = run(arguments);
    char *err = contents("err"), *out = contents("out");
    cr_assert_eq(got, status, "saltus %s: exit %d, not %d: %s", arguments, got, status,
                 err);
    size_t length = strlen(err);
    cr_assert(length > 0 && strchr(err, '\n') == err + length - 1,
              "saltus %s: not one line: %s", arguments, err);
    cr_assert_not_null(strstr(err, word), "saltus %s: no '%s' in: %s", arguments, word,
                       err);
    cr_assert_str_empty(out, "saltus %s printed: %s", arguments, out);
    cr_assert_eq(files_besides_output(), files, "saltus %s left files", arguments);
    free(err);
    free(out);
}

#endif
