/*
 * shared_parts.c - the columns of oracles.def in the words of shared_parts.def
 * (shared_parts.h)
 */
#include "oracles/shared_parts.h"

#include <stdio.h>
#include <string.h>

const struct shared_part shared_parts[] = {
#define PART(ID, WORDS) {#ID, WORDS},
#include "oracles/shared_parts.def"
#undef PART
};
const int shared_part_count = sizeof shared_parts / sizeof *shared_parts;

static const char *words_of(const char *id, size_t length)
{
    for (int k = 0; k < shared_part_count; k++)
        if (strlen(shared_parts[k].id) == length &&
            strncmp(shared_parts[k].id, id, length) == 0)
            return shared_parts[k].words;
    return "?";
}

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

/* The words of a list of IDs. */
static void append_list(char *text, size_t size, const char *list)
{
    for (const char *at = list; *at; at += strcspn(at, ",") + (strchr(at, ',') != NULL)) {
        append(text, size, at == list ? " " : ", ");
        append(text, size, words_of(at, strcspn(at, ",")));
    }
}

void shared_parts_text(const struct oracle *oracle, char *text, size_t size)
{
    snprintf(text, size, "shares");
    append_list(text, size, oracle->shared);
    if (!*oracle->shared)
        append(text, size, " nothing");
    append(text, size, "; not");
    append_list(text, size, oracle->apart);
    append(text, size, "; ");
    append(text, size, oracle->more);
}
