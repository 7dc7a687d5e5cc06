/*
 * certificate_store.c - a file of certified values, or of a proof, is written whole: with
 * its checksum (FNV-1a), under a name that no other process takes, then renamed.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/index.h"
#include "base/memory.h"
#include "certificate.h"

/* The text with its checksum and the last line. */
static bool seal(FILE *file, const char *text, size_t length)
{
    uint64_t sum = hash_bytes(HASH_BEGIN, text, length);
    return fwrite(text, 1, length, file) == length &&
           fprintf(file, "checksum %016" PRIx64 "\ncomplete\n", sum) > 0;
}

/* The text is made in memory first, for its checksum. */
static bool write_sealed(FILE *file, certificate_print *print, const void *context)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        return false;
    print(memory, context);
    bool good = fclose(memory) == 0 && seal(file, text, length);
    free(text);
    return good;
}

/* A file of another name beside `path`, open for writing, with the rights of a new one;
   NULL and errno. `name` has room for `path` and 16 more. */
static FILE *open_beside(const char *path, char *name)
{
    const char *slash = strrchr(path, '/');
    sprintf(name, "%.*s.saltus.XXXXXX", slash ? (int)(slash + 1 - path) : 0, path);
    int descriptor = mkostemp(name, O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    mode_t mask = umask(0);
    umask(mask);
    FILE *file = fchmod(descriptor, 0666 & ~mask) == 0 ? fdopen(descriptor, "w") : NULL;
    if (!file) {
        close(descriptor);
        remove(name);
    }
    return file;
}

enum status certificate_store(const char *path, certificate_print *print,
                              const void *context, struct diagnosis *diagnosis)
{
    char *temporary = memory_new((int)strlen(path) + 16, 1);
    FILE *file = open_beside(path, temporary);
    bool good = file != NULL;
    if (good) {
        good = write_sealed(file, print, context);
        good = fclose(file) == 0 && good;
        good = good && rename(temporary, path) == 0;
    }
    enum status status = good ? OK : diagnose(diagnosis, BAD_INPUT, NAN, "cannot write "
                                              "%s: %s", path, strerror(errno));
    if (!good && file)
        remove(temporary);
    free(temporary);
    return status;
}
