/*
 * arena.h - the memory of one object: its arrays are taken one after the other, and given
 * back at once.
 *
 *     object->x = arena_new(&object->arena, n, sizeof *object->x);
 *     ...
 *     arena_free(&object->arena);
 *
 * Arrays lie beside each other in the order in which they are taken. They never move. For
 * AddressSanitizer each is a block of its own, so that access beyond an end is seen.
 */
#ifndef SALTUS_ARENA_H
#define SALTUS_ARENA_H

#include <stddef.h>

/* All zero: empty. A copy of an arena has the same arrays; one of both is freed. */
struct arena {
    struct arena_block *last;   /* the block that has room; those before it are linked */
};

/* `count` items of `size` bytes, all zero, aligned for the widest vectors; never NULL,
   not even for count = 0. Without memory the process ends (memory_exhausted). */
void *arena_new(struct arena *arena, int count, size_t size);
/* Sets all arrays to zero. */
void arena_zero(struct arena *arena);
/* Gives all arrays back; the arena is empty. */
void arena_free(struct arena *arena);

#endif
