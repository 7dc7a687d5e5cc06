/*
 * memory.h - allocation that cannot fail: out of memory is an abort, like any slip.
 */
#ifndef SALTUS_MEMORY_H
#define SALTUS_MEMORY_H

#include <stddef.h>

/* `count` items of `size` bytes, all zero; never NULL, also for count = 0. */
void *memory_new(int count, size_t size);
/* Room for `needed` items: doubles *capacity as often as necessary; what is new is
   zero. */
void *memory_grow(void *old, int *capacity, int needed, size_t size);
/* Copies `count` items; where there are none, `from` may be NULL (memcpy may not). */
void memory_copy(void *to, const void *from, int count, size_t size);
/* A copy of the first `length` characters of text. */
char *memory_text(const char *text, size_t length);

/* A programming error: says what and aborts. */
_Noreturn void slip(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
