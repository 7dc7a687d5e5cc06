/*
 * statement.c - templates filled in, lines broken, comments (statement.h)
 */
#include "export/statement.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void text_open(struct text *text)
{
    text->stream = open_memstream(&text->bytes, &text->size);
    if (!text->stream)
        memory_exhausted();
}

char *text_close(struct text *text)
{
    if (fclose(text->stream) != 0)
        memory_exhausted();
    return text->bytes;
}

/* --- templates ---------------------------------------------------------------------- */

static const char *value_of(const struct field *field, const char *key, size_t length)
{
    for (; field->key; field++)
        if (strlen(field->key) == length && strncmp(field->key, key, length) == 0)
            return field->value;
    slip("no field %.*s for a template of a language", (int)length, key);
}

void template_write(FILE *stream, const char *template, const struct field *field)
{
    static const char *const letters = "abcdefghijklmnopqrstuvwxyz";
    while (*template) {
        if (*template != '$') {
            putc(*template++, stream);
            continue;
        }
        template++;
        size_t length = strspn(template, letters);
        length = length > 0 ? length : 1;
        fputs(value_of(field, template, length), stream);
        template += length;
    }
}

char *template_text(const char *template, const struct field *field)
{
    struct text text;
    text_open(&text);
    template_write(text.stream, template, field);
    return text_close(&text);
}

/* --- lines -------------------------------------------------------------------------- */

/* How gladly a line ends before this character: 2 behind a blank, 1 behind the sign of a
   product, 0 not at all, as between the two signs of **. */
static int break_quality(const char *text, int i)
{
    if (text[i - 1] == ' ')
        return 2;
    return (text[i - 1] == '*' || text[i - 1] == '/') && text[i] != '*';
}

/* The length of a line of at most `room` characters. It ends not within a product, unless
   it would be less than half full; it is longer if there is no place to end it. */
static int line_end(const char *text, int room)
{
    int length = (int)strlen(text), end = 0, within = 0;
    if (length <= room)
        return length;
    for (int i = 1; i < length && (i <= room || (end == 0 && within == 0)); i++) {
        int quality = break_quality(text, i);
        end = quality == 2 ? i : end;
        within = quality == 1 ? i : within;
    }
    if (end == 0 || (end < room / 2 && within > end))
        end = within;
    return end > 0 ? end : length;
}

/* Writes the text broken into lines, the later ones behind `hang` more blanks; `sign`
   stands at the end of each line but the last. */
static void broken_write(FILE *stream, const char *text, int indent, int hang,
                         const char *sign)
{
    int blanks = indent;
    while (true) {
        int end = line_end(text, TEXT_COLUMNS - blanks - (int)strlen(sign));
        int shown = end;
        while (shown > 0 && text[shown - 1] == ' ')
            shown--;
        fprintf(stream, "%*s%.*s", blanks, "", shown, text);
        text += end;
        if (!*text)
            break;
        fprintf(stream, "%s\n", sign);
        blanks = indent + hang;
    }
    putc('\n', stream);
}

void lines_write(FILE *stream, const struct language *language, int indent,
                 const char *text)
{
    broken_write(stream, text, indent, 4, language->wrap_sign);
}

void statement_write(FILE *stream, const struct language *language, int indent,
                     const char *template, const char *name, const char *value,
                     bool enclosed)
{
    char *text = template_text(
        template, (struct field[]){{"name", name}, {"value", value}, {NULL, NULL}});
    if (!enclosed && indent + (int)strlen(text) > TEXT_COLUMNS) {
        char *wrapped = template_text(
            "$open$text$close", (struct field[]){{"open", language->wrap_open},
            {"text", value}, {"close", language->wrap_close}, {NULL, NULL}});
        free(text);
        text = template_text(template, (struct field[]){{"name", name},
                             {"value", wrapped}, {NULL, NULL}});
        free(wrapped);
    }
    broken_write(stream, text, indent, 4, language->wrap_sign);
    free(text);
}

/* --- comments ----------------------------------------------------------------------- */

/* Ends of lines, and a backslash, which would end a comment of C later, are left out. */
static void make_harmless(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == '\\')
            *text = ' ';
}

void comment_write(FILE *stream, const struct language *language, int hang,
                   const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        memory_exhausted();
    va_end(arguments);
    make_harmless(text);
    int signs = (int)strlen(language->comment), blanks = 0;
    const char *rest = text;
    do {
        int end = line_end(rest, TEXT_COLUMNS - signs - blanks), shown = end;
        while (shown > 0 && rest[shown - 1] == ' ')
            shown--;
        fprintf(stream, "%.*s%*s%.*s\n", shown > 0 ? signs : signs - 1, language->comment,
                blanks, "", shown, rest);
        rest += end;
        blanks = hang;
    } while (*rest);
    free(text);
}
