#include "code.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formula/emit.h"
#include "formula/memory.h"

enum { PATH = 4096, MIB = 1024 * 1024, DEFAULT_MIB = 64, MOST_ARGUMENTS = 24 };

extern char **environ;

struct code {
    void *library, *symbol;
};

/* Said once, by whoever comes first. */
static void say(const char *what, const char *of)
{
    static _Atomic bool said;
    if (!__atomic_test_and_set(&said, __ATOMIC_RELAXED))
        fprintf(stderr, "saltus: %s%s; equations are interpreted, which is slower and "
                "changes no result\n", what, of);
}

/* --- the compiler ------------------------------------------------------------------- */

static const char *compiler(void)
{
    const char *name = getenv("SALTUS_CC");
    return name && *name ? name : "cc";
}

/* What this processor adds to the flags. Fused operations are exact without, too, but
   then made by a library. Of AVX-512 the 32 registers are of use, and operands that are
   spread as they are loaded; not vectors of eight numbers, in which gcc would copy states
   that were just written by four and must wait until these are in memory. Not tuned for
   the first processors that had it, either: then numbers wait in integer registers. */
static const struct target { const char *flags; int widest; } *target(void)
{
    static const struct target v4 = {
        "-march=x86-64-v4 -mprefer-vector-width=256", 8};
    static const struct target v3 = {"-march=x86-64-v3", 4}, plain = {"", 4};
#if defined __x86_64__
    bool has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (has_v3 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return &v4;
    if (has_v3)
        return &v3;
#endif
    (void)v4, (void)v3;
    return &plain;
}

int code_widest(void)
{
    return target()->widest;
}

static const char *const flags = "-x c -std=gnu11 -O2 -frename-registers -w -fPIC "
                                 "-shared " EMIT_FLAGS;

void code_command(char *text, size_t size)
{
    snprintf(text, size, "%s %s %s", compiler(), flags, target()->flags);
}

/* The words of the command; `words` is cut into them. */
static void arguments(char *words, const char *const *last, char *out[MOST_ARGUMENTS])
{
    int count = 0;
    out[count++] = (char *)compiler();
    for (char *word = strtok_r(words, " ", &words); word;
         word = strtok_r(NULL, " ", &words))
        out[count++] = word;
    while (*last)
        out[count++] = (char *)*last++;
    out[count] = NULL;
}

static bool compile(const char *source, const char *object, const char *log)
{
    char words[400];
    char *argument[MOST_ARGUMENTS];
    const char *const last[] = {"-o", object, source, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int result = -1;
    snprintf(words, sizeof words, "%s %s", flags, target()->flags);
    arguments(words, last, argument);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    int error = posix_spawnp(&child, argument[0], &actions, NULL, argument, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (error == 0 && waitpid(child, &result, 0) < 0 && errno == EINTR)
        continue;
    if (error == 0 && WIFEXITED(result) && WEXITSTATUS(result) == 0)
        return true;
    bool missing = error != 0 || (WIFEXITED(result) && WEXITSTATUS(result) == 127);
    say(missing ? "there is no compiler " : "the equations cannot be compiled by ",
        compiler());
    return false;
}

/* --- the folder --------------------------------------------------------------------- */

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

static bool find_folder(char path[PATH])
{
    const char *own = getenv("SALTUS_CACHE"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own && *own)
        snprintf(path, PATH, "%s", own);
    else if (cache && *cache)
        snprintf(path, PATH, "%s/saltus", cache);
    else if (home && *home)
        snprintf(path, PATH, "%s/.cache/saltus", home);
    else
        return false;
    return make_folder(path);
}

/* FNV-1a with 64 bits. */
static uint64_t hash_more(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static void entry_path(const char *folder, const char *text, char path[PATH])
{
    uint64_t hash = 0xcbf29ce484222325u;
    const char *const part[] = {compiler(), flags, target()->flags, text};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        hash = hash_more(hash, part[k]);
    snprintf(path, PATH, "%.4000s/%016llx", folder, (unsigned long long)hash);
}

enum { ENTRY_NAME = 64 };

struct entry {
    char name[ENTRY_NAME];
    struct timespec used;
    off_t size;
};

static int by_use(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

static long most_mib(void)
{
    const char *text = getenv("SALTUS_CACHE_MIB");
    long value = text ? strtol(text, NULL, 10) : 0;
    return value > 0 ? value : DEFAULT_MIB;
}

/* The folder may have other things, too: only what entry_path and make give names to. */
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

/* Takes away what was not used for longest, until the rest is within bounds. What another
   process has loaded stays loaded. */
static void trim(const char *folder)
{
    struct entry *entry = NULL;
    int count = 0, room = 0;
    off_t total = 0;
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
    for (int k = 0; k < count && total > most_mib() * MIB; k++) {
        unlinkat(dirfd(open), entry[k].name, 0);
        total -= entry[k].size;
    }
    closedir(open);
    free(entry);
}

/* --- an entry ----------------------------------------------------------------------- */

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    bool written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

static bool same_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "r");
    size_t length = strlen(text);
    char *there = memory_new((int)length + 2, 1);
    bool same = file && fread(there, 1, length + 1, file) == length &&
                memcmp(there, text, length) == 0;
    if (file)
        fclose(file);
    free(there);
    return same;
}

/* A library of which a part is missing ends the process that loads it. The table of its
   sections is at its end. */
static bool whole(const char *path)
{
    ElfW(Ehdr) head;
    struct stat status;
    FILE *file = fopen(path, "r");
    bool whole = file && fread(&head, sizeof head, 1, file) == 1 &&
                 memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
                 fstat(fileno(file), &status) == 0 && head.e_shoff > 0 &&
                 (size_t)status.st_size >=
                     head.e_shoff + (size_t)head.e_shnum * head.e_shentsize;
    if (file)
        fclose(file);
    return whole;
}

static struct code *load(const char *path, const char *text, const char *symbol)
{
    char name[PATH + 8];
    snprintf(name, sizeof name, "%s.c", path);
    if (!same_text(name, text))
        return NULL;
    utimensat(AT_FDCWD, name, NULL, 0);
    snprintf(name, sizeof name, "%s.so", path);
    utimensat(AT_FDCWD, name, NULL, 0);
    void *library = whole(name) ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *address = library ? dlsym(library, symbol) : NULL;
    if (!address) {
        if (library)
            dlclose(library);
        return NULL;
    }
    struct code *code = memory_new(1, sizeof *code);
    *code = (struct code){library, address};
    return code;
}

/* Under names of this process, then renamed: the object first, because what the text says
   is there counts. */
static bool make(const char *path, const char *text)
{
    char source[PATH + 40], object[PATH + 40], log[PATH + 40], to[PATH + 8];
    long process = (long)getpid();
    snprintf(source, sizeof source, "%s.%ld.c", path, process);
    snprintf(object, sizeof object, "%s.%ld.so", path, process);
    snprintf(log, sizeof log, "%s.%ld.log", path, process);
    bool made = write_text(source, text) && compile(source, object, log);
    snprintf(to, sizeof to, "%s.so", path);
    made = made && rename(object, to) == 0;
    snprintf(to, sizeof to, "%s.c", path);
    made = made && rename(source, to) == 0;
    unlink(log);
    if (!made) {
        unlink(source);
        unlink(object);
    }
    return made;
}

/* One process makes an entry, the others wait for it. */
static struct code *make_locked(const char *folder, const char *path, const char *text,
                                const char *symbol)
{
    char lock[PATH + 8];
    snprintf(lock, sizeof lock, "%s/lock", folder);
    int file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return NULL;
    while (flock(file, LOCK_EX) != 0 && errno == EINTR)
        continue;
    struct code *code = load(path, text, symbol);
    if (!code && make(path, text))
        code = load(path, text, symbol);
    if (code)
        trim(folder);
    close(file);
    return code;
}

struct code *code_open(const char *text, const char *symbol, bool made)
{
    char folder[PATH], path[PATH];
    if (!find_folder(folder)) {
        if (made)
            say("there is no folder for a cache, SALTUS_CACHE", "");
        return NULL;
    }
    entry_path(folder, text, path);
    struct code *code = load(path, text, symbol);
    if (code || !made)
        return code;
    code = make_locked(folder, path, text, symbol);
    if (!code)
        say("nothing compiled can be kept in ", folder);
    return code;
}

void code_close(struct code *code)
{
    if (!code)
        return;
    dlclose(code->library);
    free(code);
}

void *code_symbol(const struct code *code)
{
    return code ? code->symbol : NULL;
}

/* POSIX has dlsym return both kinds of pointers as one. */
any_function *code_function(const struct code *code)
{
    any_function *function = NULL;
    void *symbol = code_symbol(code);
    memcpy(&function, &symbol, sizeof function);
    return function;
}
