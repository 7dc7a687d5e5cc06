/*
 * code_cache.c - compiled code from C text, by content-addressed files.
 */
#include "code_cache.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cache_folder.h"
#include "compiler.h"
#include "emit/emit.h"

enum { PATH = PATH_MAX };

struct code_cache_entry {
    void *library, *symbol;
};

/* Prints one message in the life of a process, by the thread that comes first. */
static void say(const char *what, const char *of)
{
    static _Atomic bool said;
    if (!__atomic_test_and_set(&said, __ATOMIC_RELAXED))
        fprintf(stderr, "saltus: %s%s; equations are interpreted, which is slower and "
                "changes no result\n", what, of);
}

/* --- the compiler ------------------------------------------------------------------- */

/* The flags for this processor. Fused operations are exact without them, too, but then
   made by a library. Of AVX-512 the 32 registers are of use, and operands that are spread
   as they are loaded. Vectors of eight numbers are not: gcc would copy states with them
   that were just written by four, and wait until these are in memory. Tuning for the
   first processors with AVX-512 is left out, since numbers would wait in integer
   registers. */
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

int code_cache_widest(void)
{
    return target()->widest;
}

static const char *const flags = "-x c -std=gnu11 -O2 -frename-registers -w -fPIC "
                                 "-shared " EMIT_FLAGS;

static void all_flags(char *text, size_t size)
{
    snprintf(text, size, "%s %s", flags, target()->flags);
}

void code_cache_command(char *text, size_t size)
{
    int used = snprintf(text, size, "%s ", compiler_name());
    if ((size_t)used < size)
        all_flags(text + used, size - (size_t)used);
}

/* A compiler has hung, in this process or another. No further text is compiled, for each
   would wait as long. */
static _Atomic bool hangs;

static bool compile(const char *source, const char *object)
{
    char words[400], killed[100];
    all_flags(words, sizeof words);
    enum compiled end = compiler_run(words, source, object);
    snprintf(killed, sizeof killed, "no code in %g s (SALTUS_CC_TIMEOUT) from ",
             compiler_limit());
    if (end == COMPILED_TOO_LONG)
        hangs = true;
    if (end != COMPILED)
        say(end == COMPILED_TOO_LONG ? killed
            : end == COMPILED_BY_NONE ? "there is no compiler "
                                      : "the equations cannot be compiled by ",
            compiler_name());
    return end == COMPILED;
}

/* --- names -------------------------------------------------------------------------- */

static const uint64_t hash_of_nothing = 0xcbf29ce484222325u;

/* FNV-1a with 64 bits, continued from `hash`. */
static uint64_t hash_more(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t k = 0; k < length; k++)
        hash = (hash ^ byte[k]) * 0x100000001b3u;
    return hash;
}

/* The text with a last line that names compiler and flags; the caller frees it. */
static char *full_text(const char *text)
{
    char maker[PATH + 100], words[400];
    compiler_identity(maker, sizeof maker);
    all_flags(words, sizeof words);
    size_t size = strlen(text) + strlen(maker) + strlen(words) + 20;
    char *full = memory_new((int)size, 1);
    snprintf(full, size, "%s\n/* %s; %s */\n", text, maker, words);
    return full;
}

static void entry_path(const char *folder, const char *text, char path[PATH])
{
    snprintf(path, PATH, "%.4000s/%016llx", folder, (unsigned long long)
             hash_more(hash_of_nothing, text, strlen(text)));
}

/* --- an entry ----------------------------------------------------------------------- */

/* Opens a regular file of the user that nobody else may write to; -1: it is none. */
static int open_own(const char *path)
{
    struct stat known;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file >= 0 && fstat(file, &known) == 0 && S_ISREG(known.st_mode) &&
        known.st_uid == geteuid() && !(known.st_mode & (S_IWGRP | S_IWOTH)))
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* The last line of a text, the seal, has size and checksum of the object. */
enum { SEAL = 64 };

static bool seal_of(const char *object, char seal[SEAL])
{
    char block[16384];
    uint64_t hash = hash_of_nothing;
    long long bytes = 0;
    ssize_t got = 1;
    int file = open_own(object);
    while (file >= 0 && (got = read(file, block, sizeof block)) > 0) {
        hash = hash_more(hash, block, (size_t)got);
        bytes += got;
    }
    if (file >= 0)
        close(file);
    snprintf(seal, SEAL, "/* object: %lld bytes, %016llx */\n", bytes,
             (unsigned long long)hash);
    return file >= 0 && got == 0;
}

static bool write_text(const char *path, const char *text, const char *seal)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        return false;
    bool written = fputs(text, file) >= 0 && fputs(seal, file) >= 0;
    return fclose(file) == 0 && written;
}

/* True if the file begins with this text; `seal` gets the rest. */
static bool read_seal(const char *path, const char *text, char seal[SEAL])
{
    int descriptor = open_own(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    size_t length = strlen(text);
    char *there = memory_new((int)length + SEAL, 1);
    size_t got = file ? fread(there, 1, length + SEAL - 1, file) : 0;
    bool same = got > length && memcmp(there, text, length) == 0;
    snprintf(seal, SEAL, "%s", same ? there + length : "");
    if (file)
        fclose(file);
    free(there);
    return same;
}

/* Loads an entry if its text and the checksum of its object agree: an object that differs
   in one bit could end the process, or compute something else. NULL: there is none. */
static struct code_cache_entry *load(const char *path, const char *text,
                                     const char *symbol)
{
    char name[PATH + 8], wanted[SEAL], seal[SEAL];
    snprintf(name, sizeof name, "%s.c", path);
    if (!read_seal(name, text, wanted))
        return NULL;
    utimensat(AT_FDCWD, name, NULL, 0);
    snprintf(name, sizeof name, "%s.so", path);
    utimensat(AT_FDCWD, name, NULL, 0);
    bool whole = seal_of(name, seal) && strcmp(seal, wanted) == 0;
    void *library = whole ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *address = library ? dlsym(library, symbol) : NULL;
    if (!address) {
        if (library)
            dlclose(library);
        return NULL;
    }
    struct code_cache_entry *code = memory_new(1, sizeof *code);
    *code = (struct code_cache_entry){library, address};
    return code;
}

/* --- making one --------------------------------------------------------------------- */

/* Makes an entry. The object is renamed first, because an entry counts from its text
   on. */
static bool make(const char *folder, const char *path, const char *text)
{
    char place[PATH], name[CACHE_PLACE_FILES][PATH + 80], to[PATH + 8], seal[SEAL];
    if (!cache_place_make(folder, place))
        return false;
    for (int k = 0; k < CACHE_PLACE_FILES; k++)
        snprintf(name[k], sizeof name[k], "%s/%s", place, cache_place_files[k]);
    const char *source = name[CACHE_TEXT], *object = name[CACHE_OBJECT];
    bool made = write_text(source, text, "") && compile(source, object) &&
                chmod(object, 0600) == 0 && seal_of(object, seal) &&
                write_text(source, text, seal);
    snprintf(to, sizeof to, "%s.so", path);
    made = made && rename(object, to) == 0;
    snprintf(to, sizeof to, "%s.c", path);
    made = made && rename(source, to) == 0;
    cache_place_remove(place);
    return made;
}

/* Makes an entry with the lock, or loads the one that another process has made. */
static struct code_cache_entry *make_locked(const char *folder, const char *path,
                                            const char *text, const char *symbol)
{
    int lock = cache_folder_lock(folder, compiler_limit() + 1);
    if (lock < 0) {
        hangs = true;
        say("another process does not end to compile in ", folder);
        return NULL;
    }
    struct code_cache_entry *code = load(path, text, symbol);
    if (!code && !hangs && make(folder, path, text))
        code = load(path, text, symbol);
    if (code)
        cache_folder_trim(folder);
    close(lock);
    return code;
}

struct code_cache_entry *code_cache_open(const char *text, const char *symbol, bool made)
{
    char folder[PATH], path[PATH];
    if (!cache_folder_find(folder)) {
        if (made)
            say("there is no folder for a cache, SALTUS_CACHE", "");
        return NULL;
    }
    char *full = full_text(text);
    entry_path(folder, full, path);
    struct code_cache_entry *code = load(path, full, symbol);
    bool make_it = !code && made && !hangs;
    if (make_it)
        code = make_locked(folder, path, full, symbol);
    if (make_it && !code)
        say("nothing compiled can be kept in ", folder);
    free(full);
    return code;
}

void code_cache_close(struct code_cache_entry *code)
{
    if (!code)
        return;
    dlclose(code->library);
    free(code);
}

void *code_cache_symbol(const struct code_cache_entry *code)
{
    return code ? code->symbol : NULL;
}

/* dlsym returns pointers to objects and to functions as one type (POSIX). */
any_function *code_cache_function(const struct code_cache_entry *code)
{
    any_function *function = NULL;
    void *symbol = code_cache_symbol(code);
    memcpy(&function, &symbol, sizeof function);
    return function;
}
