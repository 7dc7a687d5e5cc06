/*
 * cache_folder.h - the folder of the code cache (code_cache.h): its place, its lock, its
 * size.
 */
#ifndef SALTUS_CACHE_FOLDER_H
#define SALTUS_CACHE_FOLDER_H

#include <limits.h>
#include <stdbool.h>

/* path = SALTUS_CACHE, else saltus in XDG_CACHE_HOME, else in ~/.cache, made if it is not
   there, for the user alone. False: there is no such folder, it is not the user's, or
   others may write to it. */
bool cache_folder_find(char path[PATH_MAX]);

/* Waits at most so many seconds until no other process makes an entry, then removes
   unfinished entries of processes that died. Returns a descriptor that holds the lock
   until it is closed, or the process ends; -1: another process keeps the lock. */
int cache_folder_lock(const char *folder, double seconds);

/* Removes the files that were not used for longest, until the rest is within
   SALTUS_CACHE_MIB. Code that another process has loaded stays loaded. */
void cache_folder_trim(const char *folder);

/* Makes `place`, a folder in the folder that only the user can read, in which an entry is
   made before it is renamed. The caller holds the lock. */
bool cache_place_make(const char *folder, char place[PATH_MAX]);
/* Removes a place with its files. */
void cache_place_remove(const char *place);
/* The names of the files in a place: C text and object. */
enum { CACHE_TEXT, CACHE_OBJECT, CACHE_PLACE_FILES };
extern const char *const cache_place_files[CACHE_PLACE_FILES];

#endif
