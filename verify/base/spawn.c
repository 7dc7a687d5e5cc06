/*
 * spawn.c - programs in $PATH, and attributes of their processes (spawn.h)
 */
#include "base/spawn.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool spawn_found(const char *name)
{
    char file[PATH_MAX];
    const char *path = getenv("PATH");
    while (path && *path) {
        int length = (int)strcspn(path, ":");
        int size = snprintf(file, sizeof file, "%.*s/%s", length, path, name);
        if (size < (int)sizeof file && access(file, X_OK) == 0)
            return true;
        path += length;
        path += *path == ':';
    }
    return false;
}

void spawn_attributes(posix_spawnattr_t *how)
{
    sigset_t usual, none;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_init(how);
    posix_spawnattr_setsigdefault(how, &usual);
    posix_spawnattr_setsigmask(how, &none);
    posix_spawnattr_setpgroup(how, 0);
    posix_spawnattr_setflags(how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                  POSIX_SPAWN_SETPGROUP);
}
