/*
 * spawn.h - what every program has in common that runs in a process of its own.
 */
#ifndef SALTUS_SPAWN_H
#define SALTUS_SPAWN_H

#include <spawn.h>
#include <stdbool.h>

/* Is there a program of this name in $PATH? */
bool spawn_found(const char *name);
/* Sets up attributes: a process group of its own, signals as in a shell, none blocked.
   The caller destroys them. */
void spawn_attributes(posix_spawnattr_t *how);

#endif
