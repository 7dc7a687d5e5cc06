/*
 * program.c - a program in a process of its own (program.h)
 */
#include "report/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/spawn.h"

static void set_files(posix_spawn_file_actions_t *actions, const char *out,
                      const char *err)
{
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_init(actions);
    posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, out, flags, 0666);
    posix_spawn_file_actions_addopen(actions, STDERR_FILENO, err, flags, 0666);
    posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
}

int program_run_files(const char *const *argument, const char *out, const char *err,
                      char *why, int size)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    sigset_t before;
    pid_t child = 0;
    int ended = 0;
    spawn_attributes(&how);
    set_files(&actions, out, err);
    cleanup_hold(&before);
    int failed = posix_spawnp(&child, argument[0], &actions, &how,
                              (char *const *)argument, environ);
    if (failed == 0)
        cleanup_command(child);
    cleanup_let(&before);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        snprintf(why, (size_t)size, "%s: %s", argument[0], strerror(failed));
        return -1;
    }
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    cleanup_command(0);
    if (WIFEXITED(ended))
        return WEXITSTATUS(ended);
    snprintf(why, (size_t)size, "ended by signal %d", WTERMSIG(ended));
    return -1;
}
