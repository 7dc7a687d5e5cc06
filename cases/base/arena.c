#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Sizes in bytes: LINE is a line of the cache, and the widest vector. A block is twice as
   large as the one before, so that an object of any size has few. */
enum { LINE = 64, FIRST = 4096, MOST = 1 << 20 };

struct arena_block {
    struct arena_block *before;
    size_t size, used;          /* of what follows the header */
    alignas(LINE) char item[];
};

#ifdef __has_feature
#define ADDRESS_SANITIZER __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define ADDRESS_SANITIZER 1
#else
#define ADDRESS_SANITIZER 0
#endif

static size_t block_size(const struct arena *arena, size_t needed)
{
    size_t size = arena->last ? 2 * arena->last->size : FIRST;
    if (size > MOST)
        size = MOST;
    return ADDRESS_SANITIZER || needed > size ? needed : size;
}

static void add_block(struct arena *arena, size_t needed)
{
    size_t size = block_size(arena, needed);
    void *memory;
    struct arena_block *block;
    if (posix_memalign(&memory, LINE, sizeof *block + size) != 0)
        memory_exhausted();
    block = memory;
    *block = (struct arena_block){.before = arena->last, .size = size};
    arena->last = block;
}

void *arena_new(struct arena *arena, int count, size_t size)
{
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes))
        slip("allocation of %d items of %zu bytes", count, size);
    if (bytes > SIZE_MAX / 2)
        memory_exhausted();
    size_t needed = ADDRESS_SANITIZER ? bytes : (bytes + LINE - 1) / LINE * LINE;
    if (!arena->last || arena->last->size - arena->last->used < needed)
        add_block(arena, needed);
    void *items = arena->last->item + arena->last->used;
    arena->last->used += needed;
    return memset(items, 0, needed);
}

void arena_zero(struct arena *arena)
{
    for (struct arena_block *block = arena->last; block; block = block->before)
        memset(block->item, 0, block->used);
}

void arena_free(struct arena *arena)
{
    while (arena->last) {
        struct arena_block *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
}
