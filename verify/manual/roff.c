/*
 * roff.c - text as the macros of man(7) (roff.h)
 */
#include "manual/roff.h"

#include <stdbool.h>
#include <string.h>

void roff_text(FILE *stream, const char *text, int length)
{
    static const char special[] = "\\-'`^~\"";
    static const char *const escape[] = {"\\e", "\\-", "\\(aq", "\\(ga", "\\(ha", "\\(ti",
                                         "\\(dq"};
    if (length > 0 && *text == '.')
        fputs("\\&", stream);
    for (int k = 0; k < length; k++) {
        const char *at = strchr(special, text[k]);
        if (at)
            fputs(escape[at - special], stream);
        else
            putc(text[k], stream);
    }
}

void roff_line(FILE *stream, const char *text)
{
    roff_text(stream, text, (int)strlen(text));
    putc('\n', stream);
}

void roff_paragraphs(FILE *stream, const char *text)
{
    bool example = false;
    for (; *text; text += *text == '\n') {
        int length = (int)strcspn(text, "\n");
        bool indented = text[0] == ' ';
        if (indented != example)
            fputs(indented ? ".EX\n" : ".EE\n", stream);
        example = indented;
        if (length == 0)
            fputs(".PP\n", stream);
        else
            roff_text(stream, text, length);
        if (length > 0)
            putc('\n', stream);
        text += length;
    }
    if (example)
        fputs(".EE\n", stream);
}

void roff_example(FILE *stream, const char *text)
{
    fputs(".EX\n", stream);
    while (*text) {
        int length = (int)strcspn(text, "\n");
        roff_text(stream, text, length);
        putc('\n', stream);
        text += length + (text[length] == '\n');
    }
    fputs(".EE\n", stream);
}
