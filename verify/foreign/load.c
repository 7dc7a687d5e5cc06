/*
 * load.c - a file as one text.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "foreign/csv.h"

/* A field's length is an int. */
static const size_t largest = 2000000000;

/* Reads to the end; a size that is known is the first room. */
static enum status read_all(int file, size_t room, char **text, size_t *length,
                            const char **why)
{
    *text = NULL;
    *length = 0;
    for (;;) {
        if (*length + 1 >= room || !*text) {
            room = *text ? 2 * room : room < 4096 ? 4096 : room;
            *text = realloc(*text, room);
            if (!*text)
                memory_exhausted();
        }
        ssize_t got = read(file, *text + *length, room - *length - 1);
        if (got < 0 && errno == EINTR)
            continue;
        *why = got < 0 ? strerror(errno)
               : *length + (size_t)got > largest ? "it is larger than 2 GB" : NULL;
        if (*why)
            return BAD_INPUT;
        *length += (size_t)got;
        (*text)[*length] = '\0';
        if (got == 0)
            return OK;
    }
}

enum status csv_load(const char *path, char **text, size_t *length,
                     struct diagnosis *diagnosis)
{
    bool standard = strcmp(path, "-") == 0;
    int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    const char *why;
    struct stat known;
    *text = NULL;
    if (file < 0)
        return diagnose(diagnosis, BAD_INPUT, NAN, "%.300s: %s", path, strerror(errno));
    bool sized = fstat(file, &known) == 0 && known.st_size > 0;
    size_t size = sized ? (size_t)known.st_size : 0;
    enum status status = read_all(file, size < largest ? size + 2 : largest + 2, text,
                                  length, &why);
    if (!standard)
        close(file);
    if (status == OK)
        return OK;
    free(*text);
    *text = NULL;
    return diagnose(diagnosis, BAD_INPUT, NAN, "%.300s: %s", path, why);
}
