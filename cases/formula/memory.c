/*
 * memory.c - allocation that cannot fail, and the one way to abort.
 */
#include "formula/memory.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void slip(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("saltus: programming error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

void *memory_new(int count, size_t size)
{
    if (count < 0)
        slip("allocation of %d items", count);
    void *memory = calloc(count > 0 ? (size_t)count : 1, size);
    if (!memory)
        slip("out of memory (%d items of %zu bytes)", count, size);
    return memory;
}

void *memory_grow(void *old, int *capacity, int needed, size_t size)
{
    if (needed <= *capacity)
        return old;
    int wanted = *capacity > 0 ? *capacity : 4;
    while (wanted < needed) {
        if (wanted > INT_MAX / 2)
            slip("more than %d items", INT_MAX / 2);
        wanted *= 2;
    }
    void *memory = realloc(old, (size_t)wanted * size);
    if (!memory)
        slip("out of memory (%d items of %zu bytes)", wanted, size);
    memset((char *)memory + (size_t)*capacity * size, 0,
           (size_t)(wanted - *capacity) * size);
    *capacity = wanted;
    return memory;
}

void memory_copy(void *to, const void *from, int count, size_t size)
{
    if (count > 0)
        memcpy(to, from, (size_t)count * size);
}

char *memory_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (!copy)
        slip("out of memory (text of %zu bytes)", length);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
