/*
 * matrix_file.c - a matrix from a text file (matrix_file.h).
 */
#include "commands/matrix_file.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/decimal.h"

enum { MOST_BYTES = 16000000 };

struct reader {
    const char *path;
    char *text;             /* numbers so far, each but the first behind a comma; the
                               first of a further row of a matrix behind a semicolon */
    int length, room;
    int line, rows, columns;
    int bytes;              /* bytes of the file that were read */
    char *error;
    int size;
};

/* Complains; always false. column 0: of the line as a whole; line 0: of the file as a
   whole. */
static bool wrong(struct reader *reader, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool wrong(struct reader *reader, int column, const char *format, ...)
{
    char reason[200], place[60] = "";
    va_list list;
    va_start(list, format);
    vsnprintf(reason, sizeof reason, format, list);
    va_end(list);
    if (reader->line > 0 && column > 0)
        snprintf(place, sizeof place, ", line %d, column %d", reader->line, column);
    else if (reader->line > 0)
        snprintf(place, sizeof place, ", line %d", reader->line);
    snprintf(reader->error, (size_t)reader->size, "%s%s: %s", reader->path, place,
             reason);
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

static void append(struct reader *reader, const char *number, char separator)
{
    bool first = reader->length == 0;
    int length = (int)strlen(number) + !first;
    reader->text = memory_grow(reader->text, &reader->room, reader->length + length + 1,
                               1);
    if (first)
        strcpy(reader->text, number);
    else
        sprintf(reader->text + reader->length, "%c%s", separator, number);
    reader->length += length;
}

/* Reads one number, all characters up to a separator, and appends it behind a separator
   of its own. */
static bool read_one(struct reader *reader, int column, const char *at, int length,
                     char separator)
{
    struct decimal decimal = {.text = NULL};
    char *number = memory_text(at, (size_t)length);
    bool good = decimal_parse(&decimal, number);
    if (!good)
        wrong(reader, column, "'%.40s' is not a number", number);
    else if (!isfinite(strtod(decimal.text, NULL)))
        good = wrong(reader, column, "'%.40s' is too large", number);
    else    /* formulas have no sign before a positive number */
        append(reader, number + (*number == '+'), separator);
    free(decimal.text);
    free(number);
    return good;
}

/* Reads the numbers of a line; a comma follows a number. *surplus: the column of the
   first number that the rows before do not have, or of the end of the line. */
static bool read_numbers(struct reader *reader, char *line, int *count, int *surplus)
{
    bool comma_may_follow = false;
    *count = *surplus = 0;
    line[strcspn(line, "#")] = '\0';
    for (char *at = line; *at;) {
        int column = (int)(at - line) + 1, length = (int)strcspn(at, " \t\r\n\v\f,");
        if (*at == ',' && !comma_may_follow)
            return wrong(reader, column, "a number is missing before the comma");
        if (length == 0) {
            comma_may_follow = comma_may_follow && is_blank(*at);
            at++;
            continue;
        }
        if (!read_one(reader, column, at, length,
                      *count == 0 && reader->columns > 1 ? ';' : ','))
            return false;
        if (*count == reader->columns)
            *surplus = column;
        comma_may_follow = true;
        ++*count;
        at += length;
        if (*count <= reader->columns)
            *surplus = (int)(at - line) + 1;
    }
    return true;
}

static bool read_line(struct reader *reader, char *line)
{
    int count, surplus;
    if (!read_numbers(reader, line, &count, &surplus))
        return false;
    if (count == 0)
        return true;
    if (reader->rows > 0 && count != reader->columns)
        return wrong(reader, surplus, "a row of %d numbers after one of %d", count,
                     reader->columns);
    reader->rows++;
    reader->columns = count;
    return true;
}

/* Reads the next line, without its end; false: there is none, or *good is false. A device
   or a pipe may go on for ever. */
static bool next_line(struct reader *reader, FILE *file, char **line, int *room,
                      bool *good)
{
    int c = getc(file), length = 0;
    if (c == EOF)
        return false;
    reader->line++;
    for (; c != EOF && c != '\n'; c = getc(file)) {
        if (c == '\0')
            return *good = wrong(reader, 0, "this is not text");
        if (++reader->bytes > MOST_BYTES)
            return *good = wrong(reader, 0, "it is larger than %d MB",
                                 MOST_BYTES / 1000000);
        *line = memory_grow(*line, room, length + 2, 1);
        (*line)[length++] = (char)c;
    }
    *line = memory_grow(*line, room, length + 1, 1);
    (*line)[length] = '\0';
    reader->bytes++;
    return true;
}

static bool read_lines(struct reader *reader, FILE *file)
{
    char *line = NULL;
    int room = 0;
    bool good = true;
    while (good && next_line(reader, file, &line, &room, &good))
        good = read_line(reader, line);
    free(line);
    if (!good)
        return false;
    reader->line = 0;
    if (ferror(file))
        return wrong(reader, 0, "cannot be read: %s", strerror(errno));
    if (reader->rows == 0)
        return wrong(reader, 0, "there is no number in it");
    if (reader->rows > 1 && reader->columns > 1 && reader->rows != reader->columns)
        return wrong(reader, 0, "%d rows of %d numbers are not a square matrix",
                     reader->rows, reader->columns);
    return true;
}

char *matrix_file_read(const char *path, char *error, int size)
{
    struct reader reader = {.path = path, .error = error, .size = size};
    FILE *file = fopen(path, "re");
    bool good = file ? read_lines(&reader, file)
                     : wrong(&reader, 0, "cannot be read: %s", strerror(errno));
    if (file)
        fclose(file);
    if (good)
        return reader.text;
    free(reader.text);
    return NULL;
}
