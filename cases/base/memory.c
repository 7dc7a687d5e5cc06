/*
 * memory.c - memory allocation that cannot fail, and the two ways to end without a
 * result.
 */
#include "base/memory.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local struct slip_trap *slip_trap;

void slip_trap_set(struct slip_trap *trap)
{
    trap->outer = slip_trap;
    slip_trap = trap;
}

void slip_trap_remove(const struct slip_trap *trap)
{
    slip_trap = trap->outer;
}

void slip(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (slip_trap) {
        vsnprintf(slip_trap->message, sizeof slip_trap->message, format, arguments);
        va_end(arguments);
        longjmp(slip_trap->place, 1);
    }
    fputs("saltus: programming error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

static void (*at_exhaustion)(void);

void memory_at_exhaustion(void (*last)(void))
{
    at_exhaustion = last;
}

/* No function that is called here allocates; buffers of files are not written. */
void memory_exhausted(void)
{
    static const char said[] = "saltus: out of memory; ask for less at once (--jobs, "
                               "--points), or allow more (ulimit -v)\n";
    ssize_t written = write(STDERR_FILENO, said, sizeof said - 1);
    (void)written;
    if (at_exhaustion)
        at_exhaustion();
    _exit(MEMORY_EXHAUSTED);
}

void *memory_new(int count, size_t size)
{
    if (count < 0)
        slip("allocation of %d items", count);
    void *memory = calloc(count > 0 ? (size_t)count : 1, size);
    if (!memory)
        memory_exhausted();
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
        memory_exhausted();
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
        memory_exhausted();
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
