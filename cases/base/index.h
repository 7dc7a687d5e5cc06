/*
 * index.h - hash table (open addressing) from a key to the number of the item that has
 * it.
 *
 * The items stay where they are (rows of a tape, constants, names); the index stores
 * their numbers and asks the owner whether an item matches. Nothing is ever removed.
 */
#ifndef SALTUS_INDEX_H
#define SALTUS_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One entry of the table. */
struct index_slot {
    uint32_t hash;
    int item;           /* number of the item; -1: the slot is free */
};

/* All bytes zero is an empty index. */
struct index {
    struct index_slot *slot;
    int size, count;    /* number of slots, a power of two, at least twice count */
};

/* True: the item of the owner has the key. */
typedef bool index_match(const void *owner, int item, const void *key);

/* FNV-1a of a text, in 32 bits. */
uint32_t hash_text(const char *text);
/* FNV-1a of no bytes, in 64 bits. */
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)
/* FNV-1a in 64 bits of `length` bytes that follow those of `hash`; HASH_BEGIN: they
   are the first. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length);
/* A hash of three numbers. */
uint32_t hash_numbers(int a, int b, int c);

/* The item put in with this hash that matches the key; -1: none. */
int index_find(const struct index *index, uint32_t hash, index_match *match,
               const void *owner, const void *key);
/* Puts an item in, whose key no other item has. */
void index_put(struct index *index, uint32_t hash, int item);
/* Empties the index and frees its memory. */
void index_clear(struct index *index);

#endif
