/*
 * compiler.c - the system's C compiler as a child process with a time limit.
 */
#include "compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 24 };
static const double usual_limit = 120;

extern char **environ;

/* --- which one ---------------------------------------------------------------------- */

const char *compiler_name(void)
{
    const char *name = getenv("SALTUS_CC");
    return name && *name ? name : "cc";
}

/* Finds the file that posix_spawnp takes; false: there is none. */
static bool find_program(const char *name, char file[PATH_MAX])
{
    if (strchr(name, '/')) {
        snprintf(file, PATH_MAX, "%s", name);
        return access(file, X_OK) == 0;
    }
    for (const char *path = getenv("PATH"); path; path = strchr(path, ':')) {
        path += *path == ':';
        int length = (int)strcspn(path, ":");
        snprintf(file, PATH_MAX, "%.*s/%s", length ? length : 1, length ? path : ".",
                 name);
        if (access(file, X_OK) == 0)
            return true;
    }
    return false;
}

/* A program with many names (ccache) is the compiler whose name it is called by. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void compiler_identity(char *text, size_t size)
{
    char file[PATH_MAX], real[PATH_MAX];
    struct stat known;
    if (find_program(compiler_name(), file) && realpath(file, real) &&
        stat(real, &known) == 0)
        snprintf(text, size, "%s as %s, %lld bytes of %lld.%09ld", real,
                 base_name(compiler_name()), (long long)known.st_size,
                 (long long)known.st_mtim.tv_sec, known.st_mtim.tv_nsec);
    else
        snprintf(text, size, "%s", compiler_name());
}

double compiler_limit(void)
{
    const char *text = getenv("SALTUS_CC_TIMEOUT");
    double limit = text ? strtod(text, NULL) : 0;
    return limit > 0 && isfinite(limit) ? limit : usual_limit;
}

/* --- calling it --------------------------------------------------------------------- */

/* out = the words of the command; `words` is cut into its own. */
static void arguments(char *words, const char *const *last, char *out[MOST_ARGUMENTS])
{
    int count = 0;
    out[count++] = (char *)compiler_name();
    for (char *word = strtok_r(words, " ", &words); word;
         word = strtok_r(NULL, " ", &words))
        out[count++] = word;
    while (*last)
        out[count++] = (char *)*last++;
    out[count] = NULL;
}

static compiler_notice *tell_begun, *tell_ended;

void compiler_tell(compiler_notice *begun, compiler_notice *ended)
{
    tell_begun = begun;
    tell_ended = ended;
}

/* Starts the compiler in a process group of its own, with the usual signals, without
   descriptors of ours; its output is discarded. Returns an errno, or 0. */
static int start(char *const *argument, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    sigset_t usual, none;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawnattr_init(&how);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                       POSIX_SPAWN_SETSIGMASK);
    int error = posix_spawnp(child, argument[0], &actions, &how, argument, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Waits for the end of the compiler. False: the time is up, and its group was killed. */
static bool wait_for(pid_t child, int *result)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    double end = now() + compiler_limit();
    bool in_time = true;
    for (;;) {
        pid_t ended = waitpid(child, result, in_time ? WNOHANG : 0);
        if (ended == child || (ended < 0 && errno != EINTR))
            break;
        if (in_time && now() > end) {
            in_time = false;
            kill(-child, SIGKILL);
        } else if (in_time) {
            nanosleep(&moment, NULL);
        }
    }
    return in_time;
}

enum compiled compiler_run(const char *flags, const char *source, const char *object)
{
    char words[400];
    char *argument[MOST_ARGUMENTS];
    const char *const last[] = {"-o", object, source, NULL};
    pid_t child;
    int result = -1;
    snprintf(words, sizeof words, "%s", flags);
    arguments(words, last, argument);
    if (start(argument, &child) != 0)
        return COMPILED_BY_NONE;
    if (tell_begun)
        tell_begun(child);
    bool in_time = wait_for(child, &result);
    if (tell_ended)
        tell_ended(child);
    if (!in_time)
        return COMPILED_TOO_LONG;
    if (WIFEXITED(result) && WEXITSTATUS(result) == 127)
        return COMPILED_BY_NONE;
    return WIFEXITED(result) && WEXITSTATUS(result) == 0 ? COMPILED : COMPILED_NOT;
}
