/*
 * text_table.c - cells padded to the width of their column (text_table.h)
 */
#include "tables/text_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number_text.h"

static const char *const code[] = {
    [PLAIN] = "\033[0m", [BOLD] = "\033[1m", [GREEN] = "\033[32m", [RED] = "\033[1;31m",
    [FAINT] = "\033[2m",
};

static bool in_colour(FILE *stream)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(refused && *refused) && !(terminal && strcmp(terminal, "dumb") == 0) &&
           isatty(fileno(stream));
}

const char *colour_on(FILE *stream, enum colour colour)
{
    return in_colour(stream) ? code[colour] : "";
}

const char *colour_off(FILE *stream)
{
    return in_colour(stream) ? code[PLAIN] : "";
}

/* Bytes of UTF-8 that go on with a character do not count. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

void text_column_fit(struct text_column *column, const char *text)
{
    int width = width_of(text);
    if (width > column->width)
        column->width = width;
}

static void put(FILE *stream, const struct text_column *column, enum colour colour,
                const char *text)
{
    int pad = column->width - width_of(text);
    int left = column->side == TEXT_RIGHT && pad > 0 ? pad : 0;
    int right = column->side == TEXT_LEFT && pad > 0 ? pad : 0;
    bool coloured = colour != PLAIN;
    fprintf(stream, "%*s%s%*s%s%*s%s", column->gap, "",
            coloured ? colour_on(stream, colour) : "", left, "", text, right, "",
            coloured ? colour_off(stream) : "");
}

static void put_formatted(FILE *stream, const struct text_column *column,
                          enum colour colour, const char *format, va_list arguments)
{
    char text[600];
    vsnprintf(text, sizeof text, format, arguments);
    put(stream, column, colour, text);
}

void text_heading(FILE *stream, const struct text_column *column, int columns)
{
    fputs(colour_on(stream, BOLD), stream);
    for (int k = 0; k < columns; k++)
        put(stream, &column[k], PLAIN, column[k].title);
    fprintf(stream, "%s\n", colour_off(stream));
}

void text_cell(FILE *stream, const struct text_column *column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_formatted(stream, column, PLAIN, format, arguments);
    va_end(arguments);
}

void text_cell_in(FILE *stream, const struct text_column *column, enum colour colour,
                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_formatted(stream, column, colour, format, arguments);
    va_end(arguments);
}

void text_cell_number(FILE *stream, const struct text_column *column, int decimals,
                      double x, const char *absent)
{
    if (isnan(x))
        put(stream, column, PLAIN, absent);
    else
        text_cell(stream, column, "%.*f", decimals, x);
}

void text_cell_exact(FILE *stream, const struct text_column *column, double x)
{
    char text[NUMBER_TEXT_ROOM];
    number_text(text, x);
    put(stream, column, PLAIN, text);
}

void text_number(FILE *stream, int width, int decimals, double x, const char *absent)
{
    const struct text_column column = {"", TEXT_RIGHT, 0, width};
    text_cell_number(stream, &column, decimals, x, absent);
}

void text_paragraph(FILE *stream, int indent, int width, const char *text)
{
    int place = 0;
    for (const char *word = text + strspn(text, " "); *word; word += strspn(word, " ")) {
        int bytes = (int)strcspn(word, " "), length = 0;
        for (int k = 0; k < bytes; k++)
            length += ((unsigned char)word[k] & 0xc0) != 0x80;
        if (place > 0 && place + 1 + length > width) {
            fputc('\n', stream);
            place = 0;
        }
        fprintf(stream, "%*s%.*s", place > 0 ? 1 : indent, "", bytes, word);
        place += length + (place > 0);
        word += bytes;
    }
    if (place > 0)
        fputc('\n', stream);
}
