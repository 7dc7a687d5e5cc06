/*
 * cache_folder.h - the folder in which compiled code is kept (code_cache.h), and who
 * works in it.
 */
#ifndef SALTUS_CACHE_FOLDER_H
#define SALTUS_CACHE_FOLDER_H

#include <limits.h>
#include <stdbool.h>

/* SALTUS_CACHE, else saltus in XDG_CACHE_HOME, else in ~/.cache; made where it is not
   there, for the user alone. False: there is none, it is not the user's, or others may
   write to it. */
bool cache_folder_find(char path[PATH_MAX]);

/* Waits at most so many seconds until no other process makes an entry, and removes what
   those that died have left unfinished. A descriptor to be closed, which gives the lock
   back, as the end of the process does; -1: the lock was not to be had. */
int cache_folder_lock(const char *folder, double seconds);

/* Takes away what was not used for longest, until the rest is within SALTUS_CACHE_MIB.
   What another process has loaded stays loaded. */
void cache_folder_trim(const char *folder);

/* A folder in the folder, into which only the user can look: an entry is made there, then
   renamed. To be called with the lock. */
bool cache_place_make(const char *folder, char place[PATH_MAX]);
/* With the files that have these names. */
void cache_place_remove(const char *place);
enum { CACHE_TEXT, CACHE_OBJECT, CACHE_PLACE_FILES };
extern const char *const cache_place_files[CACHE_PLACE_FILES];

#endif
