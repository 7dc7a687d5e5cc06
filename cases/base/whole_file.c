/*
 * whole_file.c - a file read in pieces (whole_file.h)
 */
#include "base/whole_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

char *whole_file(const char *path)
{
    enum { PIECE = 1 << 16 };
    FILE *file = fopen(path, "r");
    char *text = NULL;
    int room = 0, used = 0;
    if (!file)
        return NULL;
    for (size_t more = 1; more > 0; used += (int)more) {
        text = memory_grow(text, &room, used + PIECE, 1);
        more = fread(text + used, 1, PIECE - 1, file);
        text[used + (int)more] = '\0';
    }
    bool good = !ferror(file);
    fclose(file);
    if (good)
        return text;
    free(text);
    return NULL;
}
