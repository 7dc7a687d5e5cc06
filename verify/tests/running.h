/*
 * running.h - the command in a test: run in a folder of its own, its output looked at.
 *
 * A test suite has make_folder as .init and remove_folder as .fini.
 */
#ifndef SALTUS_RUNNING_H
#define SALTUS_RUNNING_H

#include <criterion/criterion.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* All of a file in the folder (or of a path with a slash at its beginning), or NULL. */
static inline char *contents(const char *name)
{
    char path[2 * PATH_MAX], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s%s%s", *name == '/' ? "" : folder,
             *name == '/' ? "" : "/", name);
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

static inline void write_file(const char *name, const char *text)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

/* Runs a shell command in the folder, output in the files out and err; exit status. */
static inline int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline int shell(const char *format, ...)
{
    char text[3000], command[4000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(command, sizeof command, "cd %s && { %s\n} > out 2> err < /dev/null", folder,
             text);
    int status = system(command);
    cr_assert(WIFEXITED(status), "%s was killed", text);
    return WEXITSTATUS(status);
}

/* `saltus ARGUMENTS` in the same way. */
static inline int run_command(const char *arguments)
{
    char path[PATH_MAX];
    const char *named = getenv("SALTUS_COMMAND");
    named = named ? named : "build/saltus";
    if (!realpath(named, path))
        cr_assert_fail("no command %s: build it, or set SALTUS_COMMAND", named);
    return shell("'%s' %s", path, arguments);
}

/* The exit status, and one of its outputs (out or err) contains the text. */
static inline void expect_run(const char *arguments, int status, const char *where,
                              const char *text)
{
    int got = run_command(arguments);
    char *out = contents("out"), *err = contents("err");
    cr_assert_eq(got, status, "saltus %s: exit %d, not %d\n%s%s", arguments, got, status,
                 out, err);
    const char *found = strstr(strcmp(where, "err") == 0 ? err : out, text);
    cr_assert_not_null(found, "saltus %s: no '%s' in\n%s%s", arguments, text, out, err);
    free(out);
    free(err);
}

/* One line on standard error that contains the text, nothing on standard output. */
static inline void expect_one_line(const char *arguments, int status, const char *text)
{
    expect_run(arguments, status, "err", text);
    char *out = contents("out"), *err = contents("err");
    cr_assert(strchr(err, '\n') == err + strlen(err) - 1, "not one line: %s", err);
    cr_assert_str_empty(out, "saltus %s printed: %s", arguments, out);
    free(out);
    free(err);
}

#endif
