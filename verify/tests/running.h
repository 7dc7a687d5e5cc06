/*
 * running.h - the command in a test: run in a folder of its own, its output looked at.
 *
 * A test suite has make_folder as .init and remove_folder as .fini.
 */
#ifndef SALTUS_RUNNING_H
#define SALTUS_RUNNING_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HELD, SHORT, USAGE, NO_ANSWER };     /* exit status, README.md */

static char folder[] = "/tmp/saltus-test-XXXXXX";

/* Signals are as in a shell of one's own, whoever has started the tests (nohup ignores
   one, and what is ignored stays so in every child). */
static inline void make_folder(void)
{
    signal(SIGHUP, SIG_DFL);
    cr_assert_not_null(mkdtemp(folder));
}

/* Code is compiled, and kept where the tests of this run keep theirs, if anywhere. */
static inline void make_folder_with_code(void)
{
    char path[PATH_MAX];
    make_folder();
    snprintf(path, sizeof path, "%s/cache", folder);
    setenv("SALTUS_CACHE", path, 0);
    unsetenv("SALTUS_CODE");
}

/* What is compiled in the test is kept in that folder, too. */
static inline void make_folder_with_cache(void)
{
    char path[PATH_MAX];
    make_folder();
    snprintf(path, sizeof path, "%s/cache", folder);
    setenv("SALTUS_CACHE", path, 1);
    unsetenv("SALTUS_CODE");
}

static inline void remove_folder(void)
{
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        cr_log_warn("%s is left behind", folder);
}

/* The top folder, where tests are run from. */
static inline const char *top(void)
{
    static char path[PATH_MAX];
    cr_assert(realpath(".", path) && access("formulations/plugin.h", R_OK) == 0,
              "run this from the top folder");
    return path;
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

static inline bool file_is_there(const char *name)
{
    char *text = contents(name);
    free(text);
    return text != NULL;
}

static inline int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Two files of the folder are the same to the byte. */
static inline void expect_same_files(const char *one, const char *other, const char *when)
{
    char *a = contents(one), *b = contents(other);
    cr_assert(a && b, "%s: %s or %s is not there", when, one, other);
    cr_assert_str_eq(a, b, "%s: %s and %s differ", when, one, other);
    free(a);
    free(b);
}

static inline void write_file(const char *name, const char *text)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    cr_assert_eq(fclose(file), 0);
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

/* In a shell: waits, half a minute at most, until the command in the background has
   opened its x.csv, from when on it listens to signals, however slow the machine is. */
#define WHEN_IT_HAS_BEGUN                                                              \
    "for k in $(seq 600); do [ -e x.csv.part ] && break; sleep 0.05; done; sleep 0.3; "

/* Is there, a moment from now, a process with an argument that matches this pattern,
   which must not match itself? The status of grep would not tell: it is 2, too, where a
   process ends while the others are looked at. */
static inline bool process_left(const char *pattern)
{
    return shell("sleep 0.3; [ -n \"$(grep -lxz '%s' /proc/[0-9]*/cmdline)\" ]",
                 pattern) == 0;
}

static inline const char *command_path(void)
{
    static char path[PATH_MAX];
    const char *named = getenv("SALTUS_COMMAND");
    named = named ? named : "build/saltus";
    if (!realpath(named, path))
        cr_assert_fail("no command %s: build it, or set SALTUS_COMMAND", named);
    return path;
}

/* `saltus ARGUMENTS` in the same way. */
static inline int run_command(const char *arguments)
{
    return shell("'%s' %s", command_path(), arguments);
}

/* From now on $PATH begins with the folder. */
static inline void look_in_folder_first(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
}

/* From now on the folder, with which $PATH begins, has a program with this text. */
static inline void put_program(const char *name, const char *text)
{
    char path[PATH_MAX];
    write_file(name, text);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    cr_assert_eq(chmod(path, 0755), 0);
    look_in_folder_first();
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
    int got = run_command(arguments);
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
