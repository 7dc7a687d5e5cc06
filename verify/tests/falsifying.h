/*
 * falsifying.h - one number of a certified file is made wrong, and the file sealed again.
 */
#ifndef SALTUS_FALSIFYING_H
#define SALTUS_FALSIFYING_H

#include "resealing.h"

static inline void write_values(const char *file, const char *text)
{
    write_file(file, text);
    reseal(file);
}

/* The line that begins with `line` and follows, one after the other, the lines that begin
   with the words of `after` ("event 2,after"). */
static inline char *find_line(char *text, const char *after, const char *line)
{
    char word[100];
    while (*after) {
        int length = (int)strcspn(after, ",");
        snprintf(word, sizeof word, "\n%.*s", length, after);
        text = strstr(text, word);
        cr_assert_not_null(text, "%s", word);
        text++;
        after += length + (after[length] == ',');
    }
    snprintf(word, sizeof word, "\n%s", line);
    char *found = strstr(text, word);
    cr_assert_not_null(found, "%s", word);
    return found + 1;
}

/* Another digit in the place `digit` (from 1, significant ones) of a stored number. */
static inline void falsify(const char *file, const char *after, const char *line,
                           int digit)
{
    char *text = contents(file), *c = find_line(text, after, line) + strlen(line);
    while (*c == '0' || *c == '-' || *c == '.')
        c++;
    for (int k = 1; k < digit; k++)
        c += c[1] == '.' ? 2 : 1;
    cr_assert(*c >= '0' && *c <= '9', "%.40s", c);
    *c = *c == '5' ? '6' : '5';
    write_values(file, text);
    free(text);
}

#endif
