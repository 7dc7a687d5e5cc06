/*
 * certificate_stamp.c - gives a file of certified values the fingerprint of the formulas
 * of its case and a checksum (FNV-1a); its numbers stay as they stand.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/index.h"
#include "base/memory.h"
#include "base/whole_file.h"
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

enum status certificate_store(const char *path, certificate_print *print,
                              const void *context, struct diagnosis *diagnosis)
{
    size_t size = strlen(path) + 32;
    char *temporary = memory_new((int)size, 1);
    snprintf(temporary, size, "%s.tmp%ld", path, (long)getpid());
    FILE *file = fopen(temporary, "we");
    enum status status = OK;
    bool good = file != NULL;
    if (good) {
        good = write_sealed(file, print, context);
        good = fclose(file) == 0 && good;
        good = good && rename(temporary, path) == 0;
    }
    if (!good) {
        status = diagnose(diagnosis, BAD_INPUT, NAN, "cannot write %s: %s", path,
                          strerror(errno));
        if (file != NULL)
            remove(temporary);
    }
    free(temporary);
    return status;
}

static bool begins(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && line[length] == ' ';
}

/* The text with the fingerprint after the line of the reset policy, without an old
   fingerprint and without the lines that seal it. */
static char *stamped(const char *text, const struct model *model)
{
    int room = 0, used = 0;
    char *out = memory_grow(NULL, &room, (int)strlen(text) + 80, 1);
    for (const char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (begins(line, "formulas") || begins(line, "checksum") ||
            strcmp(line, "complete\n") == 0)
            continue;
        memcpy(out + used, line, (size_t)(next - line));
        used += (int)(next - line);
        if (begins(line, "reset"))
            used += sprintf(out + used, "formulas %016" PRIx64 "\n", model->fingerprint);
    }
    out[used] = '\0';
    return out;
}

enum status certificate_stamp(const char *path, const struct model *model,
                              struct diagnosis *diagnosis)
{
    char *temporary = memory_new((int)strlen(path) + 32, 1), *text = whole_file(path);
    struct certificate *certificate = NULL;
    sprintf(temporary, "%s.tmp%ld", path, (long)getpid());
    FILE *file = text ? fopen(temporary, "w") : NULL;
    enum status status = OK;
    bool good = file != NULL;
    if (good) {
        char *whole = stamped(text, model);
        good = seal(file, whole, strlen(whole));
        good = fclose(file) == 0 && good;
        free(whole);
    }
    if (!good)
        status = diagnose(diagnosis, BAD_INPUT, NAN, "cannot rewrite %s: %s", path,
                          strerror(errno));
    else
        status = (strstr(text, "\norbit ") ? mp_orbit_read : certificate_read)(
            temporary, model, &certificate, diagnosis);
    certificate_free(certificate);
    if (status == OK && rename(temporary, path) != 0)
        status = diagnose(diagnosis, BAD_INPUT, NAN, "cannot rewrite %s: %s", path,
                          strerror(errno));
    if (status != OK && file)
        remove(temporary);
    free(temporary);
    free(text);
    return status;
}
