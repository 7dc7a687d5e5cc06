/*
 * names.c - symbol table: the names that a formula may use, and the nearest to a misspelt
 * one (Levenshtein distance).
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/read.h"
#include "formula/tape.h"

struct names {
    struct name {
        char *text;
        formula value;
    } *name;
    int count, capacity;
    struct index by_text, by_row;
};

struct names *names_new(void)
{
    return memory_new(1, sizeof(struct names));
}

void names_free(struct names *names)
{
    if (!names)
        return;
    for (int i = 0; i < names->count; i++)
        free(names->name[i].text);
    free(names->name);
    index_clear(&names->by_text);
    index_clear(&names->by_row);
    free(names);
}

static bool text_matches(const void *owner, int item, const void *key)
{
    const struct names *names = owner;
    return strcmp(names->name[item].text, key) == 0;
}

static bool row_matches(const void *owner, int item, const void *key)
{
    const struct names *names = owner;
    const formula *value = key, bound = names->name[item].value;
    return bound.row == value->row && tape_has(value->tape, bound);
}

static bool is_name(const char *text)
{
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    const char *more = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return *text && strchr(letters, *text) && text[strspn(text, more)] == '\0';
}

/* The function that C spells so. Operators are no names, and C has no function neg. */
enum op names_function(const char *name)
{
    if (!is_name(name))
        return OPS;
    for (enum op op = OP_POWI + 1; op < OPS; op++)
        if (op != OP_NEG && strcmp(op_info[op].text, name) == 0)
            return op;
    return OPS;
}

bool names_bind(struct names *names, const char *name, formula value)
{
    uint32_t hash = hash_text(name);
    if (!is_name(name) || strcmp(name, "pi") == 0 || names_function(name) != OPS
        || index_find(&names->by_text, hash, text_matches, names, name) >= 0)
        return false;
    int i = names->count++;
    names->name = memory_grow(names->name, &names->capacity, names->count,
                              sizeof *names->name);
    names->name[i] = (struct name){memory_text(name, strlen(name)), value};
    index_put(&names->by_text, hash, i);
    if (value.tape && !names_of(names, value))
        index_put(&names->by_row, hash_numbers(value.row, 0, 0), i);
    return true;
}

const char *names_why_not(const struct names *names, const char *name)
{
    formula taken;
    if (!is_name(name))
        return "is no name: letters, digits and _, a letter first";
    if (strcmp(name, "pi") == 0)
        return "is that of the constant: take another";
    if (names_function(name) != OPS)
        return "is that of a function: take another";
    return names_find(names, name, &taken) ? "is declared twice: a coordinate x has vx, "
                                             "ax, x_plus and vx_plus, too"
                                           : "is free";
}

bool names_find(const struct names *names, const char *name, formula *value)
{
    int i = index_find(&names->by_text, hash_text(name), text_matches, names, name);
    if (i < 0)
        return false;
    *value = names->name[i].value;
    return true;
}

struct names *names_copy(const struct names *names)
{
    struct names *copy = names_new();
    for (int i = 0; i < names->count; i++)
        names_bind(copy, names->name[i].text, names->name[i].value);
    return copy;
}

const char *names_of(const struct names *names, formula value)
{
    if (!value.tape)
        return NULL;
    int i = index_find(&names->by_row, hash_numbers(value.row, 0, 0), row_matches, names,
                       &value);
    return i < 0 ? NULL : names->name[i].text;
}

/* --- the nearest name --------------------------------------------------------------- */

enum { LONGEST = 40 };

static int least(int a, int b, int c)
{
    int least_of_two = a < b ? a : b;
    return least_of_two < c ? least_of_two : c;
}

/* Levenshtein distance: letters to insert, delete or replace, one row of the table at
   a time. */
static int distance(const char *a, const char *b)
{
    int row[LONGEST + 1];
    int length = (int)strlen(b);
    if (strlen(a) > LONGEST || length > LONGEST)
        return LONGEST;
    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[length];
}

static void consider(const char *candidate, const char *name, const char **best,
                     int *least_so_far)
{
    int d = distance(name, candidate);
    if (d < *least_so_far) {
        *least_so_far = d;
        *best = candidate;
    }
}

const char *names_nearest(const struct names *names, const char *name)
{
    /* A short name may have one letter wrong, a long one about a third of its letters,
       no name all of them. */
    int length = (int)strlen(name);
    const char *best = NULL;
    int limit = length < 2 ? 1 : length < 6 ? 2 : length / 3 + 1;
    for (int i = 0; names && i < names->count; i++)
        consider(names->name[i].text, name, &best, &limit);
    for (enum op op = OP_POWI + 1; op < OPS; op++)
        if (names_function(op_info[op].text) == op)
            consider(op_info[op].text, name, &best, &limit);
    consider("pi", name, &best, &limit);
    return best;
}
