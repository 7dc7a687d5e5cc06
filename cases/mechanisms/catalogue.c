/*
 * catalogue.c - the table of all mechanisms, from catalogue.def, and members of families.
 */
#include "catalogue.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define CASE(id) extern const struct case_desc case_##id;
#define CASE_OF_ELEMENTS(id) CASE(id)
#define DRAFT(id) CASE(id)
#define DRAFT_OF_ELEMENTS(id) CASE(id)
#include "catalogue.def"
#undef CASE
#undef DRAFT
#undef DRAFT_OF_ELEMENTS

const struct case_desc *const catalogue[] = {
#define CASE(id) &case_##id,
#define DRAFT(id)
#define DRAFT_OF_ELEMENTS(id)
#include "catalogue.def"
#undef CASE
#undef CASE_OF_ELEMENTS
#undef DRAFT
#undef DRAFT_OF_ELEMENTS
    NULL
};

/* Drafts are found by name, but are in no list. */
static const struct case_desc *const draft[] = {
#define CASE(id)
#define CASE_OF_ELEMENTS(id)
#define DRAFT(id) &case_##id,
#define DRAFT_OF_ELEMENTS(id) DRAFT(id)
#include "catalogue.def"
    NULL
};

/* Description number k: first the catalogue, then the drafts, then those of plug-ins;
   NULL after the last. */
static const struct case_desc *described(int k)
{
    enum {
        LISTED = sizeof catalogue / sizeof *catalogue - 1,
        DRAFTS = sizeof draft / sizeof *draft - 1
    };
    return k < LISTED            ? catalogue[k]
           : k < LISTED + DRAFTS ? draft[k - LISTED] : case_plugged[k - LISTED - DRAFTS];
}

/* Members of families that have been asked for, kept until the end, as models point at
   their descriptions. Threads only put further members in front. */
struct member {
    struct case_desc desc;
    char name[80];
    struct member *next;
};
static struct member *_Atomic members;

static const struct case_desc *member_new(const struct case_desc *like, const char *name,
                                          int size)
{
    struct member *member = memory_new(1, sizeof *member);
    snprintf(member->name, sizeof member->name, "%s", name);
    member->desc = *like;
    member->desc.name = member->name;
    member->desc.size = size;
    member->next = atomic_load(&members);
    while (!atomic_compare_exchange_weak(&members, &member->next, member))
        continue;
    return &member->desc;
}

const struct case_desc *case_family(const char *name, int *size)
{
    const char *number = strrchr(name, '-');
    *size = 0;
    if (!number || strspn(number + 1, "0123456789") != strlen(number + 1))
        return NULL;
    size_t length = (size_t)(number - name);
    for (int k = 0; described(k); k++) {
        const char *family = described(k)->family;
        if (!family || strlen(family) != length || strncmp(family, name, length) != 0)
            continue;
        /* one number has one spelling, not "007": files are named after cases */
        if (number[1] != '0' && strlen(number + 1) <= 4)
            *size = atoi(number + 1);
        if (*size > CASE_LARGEST)
            *size = 0;
        return described(k);
    }
    return NULL;
}

const struct case_desc *case_find(const char *name)
{
    int size;
    for (int k = 0; described(k); k++)
        if (strcmp(described(k)->name, name) == 0)
            return described(k);
    for (struct member *member = atomic_load(&members); member; member = member->next)
        if (strcmp(member->name, name) == 0)
            return &member->desc;
    const struct case_desc *like = case_family(name, &size);
    return like && size > 0 ? member_new(like, name, size) : NULL;
}

bool case_is_refused(const struct case_desc *desc)
{
    return desc->classes && strstr(desc->classes, "refused");
}
