/*
 * resealing.h - a certified file that a test has changed gets the checksum of its new
 * bytes: FNV-1a in 64 bits, written from its definition.
 */
#ifndef SALTUS_RESEALING_H
#define SALTUS_RESEALING_H

#include "running.h"

static inline void reseal(const char *file)
{
    char *text = contents(file), *end = strstr(text, "\nchecksum "), line[100];
    end = end ? end : strstr(text, "\ncomplete\n");
    cr_assert_not_null(end, "%s has no end", file);
    end[1] = '\0';
    unsigned long long hash = 14695981039346656037ull;
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211ull;
    snprintf(line, sizeof line, "checksum %016llx\ncomplete\n", hash);
    char *whole = malloc(strlen(text) + sizeof line);
    sprintf(whole, "%s%s", text, line);
    write_file(file, whole);
    free(whole);
    free(text);
}

#endif
