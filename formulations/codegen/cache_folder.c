/*
 * cache_folder.c - the folder of the code cache: least recently used files go first.
 */
#include "cache_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

enum { MIB = 1024 * 1024, DEFAULT_MIB = 64 };

/* --- which one ---------------------------------------------------------------------- */

static bool make_folder(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
           status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

bool cache_folder_find(char path[PATH_MAX])
{
    const char *own = getenv("SALTUS_CACHE"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own && *own)
        snprintf(path, PATH_MAX, "%s", own);
    else if (cache && *cache)
        snprintf(path, PATH_MAX, "%s/saltus", cache);
    else if (home && *home)
        snprintf(path, PATH_MAX, "%s/.cache/saltus", home);
    else
        return false;
    return make_folder(path);
}

/* --- how much is in it -------------------------------------------------------------- */

enum { ENTRY_NAME = 64 };

/* A file of the cache. */
struct entry {
    char name[ENTRY_NAME];
    struct timespec used;   /* time of the last use */
    off_t size;             /* bytes */
};

static int by_use(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

/* The limit in bytes; a larger value of the variable counts as the largest that fits. */
static off_t most_bytes(void)
{
    const char *text = getenv("SALTUS_CACHE_MIB");
    long long value = text ? strtoll(text, NULL, 10) : 0, most = INT64_MAX / MIB;
    return (off_t)MIB * (value <= 0 ? DEFAULT_MIB : value < most ? value : most);
}

/* True for names that code_cache.c gives; the folder may have other files, too. */
static bool names_entry(const char *name)
{
    static const char *const known[] = {".c", ".so", ".log"};
    const char *end = strrchr(name, '.');
    bool ends = false;
    for (int k = 0; end && k < 3; k++)
        ends = ends || strcmp(end, known[k]) == 0;
    return ends && strspn(name, "0123456789abcdef") == 16 && name[16] == '.' &&
           strlen(name) < ENTRY_NAME;
}

void cache_folder_trim(const char *folder)
{
    struct entry *entry = NULL;
    int count = 0, room = 0;
    off_t total = 0, most = most_bytes();
    DIR *open = opendir(folder);
    if (!open)
        return;
    for (struct dirent *file = readdir(open); file; file = readdir(open)) {
        struct stat status;
        if (!names_entry(file->d_name) ||
            fstatat(dirfd(open), file->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(status.st_mode))
            continue;
        entry = memory_grow(entry, &room, count + 1, sizeof *entry);
        struct entry *e = &entry[count++];
        *e = (struct entry){.used = status.st_mtim, .size = status.st_size};
        memcpy(e->name, file->d_name, strlen(file->d_name) + 1);
        total += status.st_size;
    }
    if (count > 0)
        qsort(entry, (size_t)count, sizeof *entry, by_use);
    for (int k = 0; k < count && total > most; k++) {
        unlinkat(dirfd(open), entry[k].name, 0);
        total -= entry[k].size;
    }
    closedir(open);
    free(entry);
}

/* --- what is being made ------------------------------------------------------------- */

static const char making[] = "making.";
const char *const cache_place_files[] = {"text.c", "object.so"};

bool cache_place_make(const char *folder, char place[PATH_MAX])
{
    snprintf(place, PATH_MAX, "%.4000s/%sXXXXXX", folder, making);
    return mkdtemp(place) != NULL;
}

void cache_place_remove(const char *place)
{
    char name[PATH_MAX + 80];
    for (int k = 0; k < CACHE_PLACE_FILES; k++) {
        snprintf(name, sizeof name, "%s/%s", place, cache_place_files[k]);
        unlink(name);
    }
    rmdir(place);
}

/* Removes unfinished entries. The process with the lock is the only one that makes
   entries, so those begun by others belong to processes that died. */
static void remove_begun(const char *folder)
{
    DIR *open = opendir(folder);
    for (struct dirent *file; open && (file = readdir(open));) {
        char place[PATH_MAX + 40];
        if (strncmp(file->d_name, making, strlen(making)) != 0)
            continue;
        snprintf(place, sizeof place, "%.4000s/%.32s", folder, file->d_name);
        cache_place_remove(place);
    }
    if (open)
        closedir(open);
}

/* --- whose it is -------------------------------------------------------------------- */

/* Waits for the lock. The kernel releases the lock of a process that dies; a process that
   lives may keep it for as long as its compiler may take. -1: no lock. */
static int take_lock(const char *folder, double seconds)
{
    const struct timespec moment = {.tv_nsec = 5000000};
    char lock[PATH_MAX + 8];
    struct timespec time;
    snprintf(lock, sizeof lock, "%.4000s/lock", folder);
    int file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    clock_gettime(CLOCK_MONOTONIC, &time);
    double end = (double)time.tv_sec + seconds;
    while (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        clock_gettime(CLOCK_MONOTONIC, &time);
        if ((double)time.tv_sec > end || (errno != EINTR && errno != EWOULDBLOCK)) {
            close(file);
            return -1;
        }
        nanosleep(&moment, NULL);
    }
    return file;
}

int cache_folder_lock(const char *folder, double seconds)
{
    int lock = take_lock(folder, seconds);
    if (lock >= 0)
        remove_begun(folder);
    return lock;
}
