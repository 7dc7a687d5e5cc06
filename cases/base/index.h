/*
 * index.h - a hash index: from a key to the number of the item that has it.
 *
 * The items stay where they are (rows of a tape, constants, names); the index stores
 * their numbers and asks the owner whether an item matches. Nothing is ever removed.
 */
#ifndef SALTUS_INDEX_H
#define SALTUS_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index_slot {
    uint32_t hash;
    int item;           /* -1: free */
};

/* All bytes zero is an empty index. */
struct index {
    struct index_slot *slot;
    int size, count;    /* size: a power of two, at least twice count */
};

typedef bool index_match(const void *owner, int item, const void *key);

uint32_t hash_text(const char *text);
/* FNV-1a in 64 bits, of bytes that follow those of `hash`; at first HASH_BEGIN. */
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length);
uint32_t hash_numbers(int a, int b, int c);

/* The first item put in with this hash that matches the key, or -1. */
int index_find(const struct index *index, uint32_t hash, index_match *match,
               const void *owner, const void *key);
void index_put(struct index *index, uint32_t hash, int item);
void index_clear(struct index *index);

#endif
