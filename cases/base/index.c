/*
 * index.c - hash table with open addressing and linear probing; see index.h.
 */
#include "base/index.h"

#include <stdlib.h>

#include "base/memory.h"

/* FNV-1a in 32 bits. */
uint32_t hash_text(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t k = 0; k < length; k++)
        hash = (hash ^ byte[k]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Three odd multipliers and a final mix, so that neighbouring rows spread. */
uint32_t hash_numbers(int a, int b, int c)
{
    uint64_t hash = (uint64_t)(uint32_t)a * 0x9E3779B97F4A7C15u
                    + (uint64_t)(uint32_t)b * 0xC2B2AE3D27D4EB4Fu
                    + (uint64_t)(uint32_t)c * 0x165667B19E3779F9u;
    hash ^= hash >> 29;
    hash *= 0xBF58476D1CE4E5B9u;
    return (uint32_t)(hash >> 32);
}

int index_find(const struct index *index, uint32_t hash, index_match *match,
               const void *owner, const void *key)
{
    if (index->size == 0)
        return -1;
    uint32_t mask = (uint32_t)index->size - 1;
    for (uint32_t i = hash & mask; index->slot[i].item >= 0; i = (i + 1) & mask)
        if (index->slot[i].hash == hash && match(owner, index->slot[i].item, key))
            return index->slot[i].item;
    return -1;
}

static void place(struct index *index, uint32_t hash, int item)
{
    uint32_t mask = (uint32_t)index->size - 1;
    uint32_t i = hash & mask;
    while (index->slot[i].item >= 0)
        i = (i + 1) & mask;
    index->slot[i] = (struct index_slot){hash, item};
    index->count++;
}

/* Doubles the table. Items of one hash may change their order, which no search
   notices: no two items match one key. */
static void enlarge(struct index *index)
{
    struct index old = *index;
    index->size = old.size > 0 ? 2 * old.size : 32;
    index->count = 0;
    index->slot = memory_new(index->size, sizeof *index->slot);
    for (int i = 0; i < index->size; i++)
        index->slot[i].item = -1;
    for (int i = 0; i < old.size; i++)
        if (old.slot[i].item >= 0)
            place(index, old.slot[i].hash, old.slot[i].item);
    free(old.slot);
}

void index_put(struct index *index, uint32_t hash, int item)
{
    if (2 * (index->count + 1) > index->size)
        enlarge(index);
    place(index, hash, item);
}

void index_clear(struct index *index)
{
    free(index->slot);
    *index = (struct index){0};
}
