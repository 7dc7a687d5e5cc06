/*
 * html.c - text of a page in HTML (html.h)
 */
#include "report/html.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

void html_text(FILE *stream, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '&': fputs("&amp;", stream); break;
        case '"': fputs("&quot;", stream); break;
        case '\'': fputs("&#39;", stream); break;
        default: putc(*text, stream);
        }
}

/* Prints the argument of one conversion, of which the text is `form`. */
static void print_one(FILE *stream, const char *form, size_t length, va_list *arguments)
{
    char own[24];
    snprintf(own, sizeof own, "%.*s", (int)length, form);
    switch (form[length - 1]) {
    case 's': {
        const char *text = va_arg(*arguments, const char *);
        html_text(stream, text ? text : "");
        break;
    }
    case 'c':
        html_text(stream, (const char[]){(char)va_arg(*arguments, int), '\0'});
        break;
    case 'd':
        if (length > 1 && form[length - 2] == 'l')
            fprintf(stream, own, va_arg(*arguments, long));
        else
            fprintf(stream, own, va_arg(*arguments, int));
        break;
    case 'e':
    case 'f':
    case 'g':
        fprintf(stream, own, va_arg(*arguments, double));
        break;
    default:
        slip("html: no conversion %s", own);
    }
}

void html(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    while (*format) {
        size_t plain = strcspn(format, "%");
        fwrite(format, 1, plain, stream);
        format += plain;
        if (format[0] == '%' && format[1] == '%') {
            putc('%', stream);
            format += 2;
        } else if (*format) {
            size_t length = strspn(format + 1, "-+ 0123456789.l") + 2;
            print_one(stream, format, length, &arguments);
            format += length;
        }
    }
    va_end(arguments);
}

void html_count(FILE *stream, long count)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%ld", count);
    for (int k = 0; k < length; k++)
        fprintf(stream, "%s%c", k > 0 && (length - k) % 3 == 0 && digits[k - 1] != '-'
                ? "," : "", digits[k]);
}

void html_counted(FILE *stream, long count, const char *one, const char *many)
{
    html_count(stream, count);
    html(stream, " %s", count == 1 ? one : many);
}

void html_table(FILE *stream, const char *class, const char *caption,
                const char *headings)
{
    html(stream, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
         "aria-label=\"%s\">"
         "<table "
         "class=\"%s\"><caption>%s</caption>\n<thead><tr>", caption, class, caption);
    while (*headings) {
        int length = (int)strcspn(headings, "|");
        bool numbers = *headings == '#';
        char name[80];
        snprintf(name, sizeof name, "%.*s", length - numbers, headings + numbers);
        fputs(numbers ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">", stream);
        html(stream, "%s</th>", name);
        headings += length + (headings[length] == '|');
    }
    fputs("</tr></thead>\n<tbody>", stream);
}

void html_table_end(FILE *stream)
{
    fputs("</tbody></table></div>\n", stream);
}

void html_base64(FILE *stream, const char *bytes, size_t size)
{
    static const char digit[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        size_t left = size - k;
        unsigned long three = (unsigned long)(unsigned char)bytes[k] << 16;
        if (left > 1)
            three |= (unsigned long)(unsigned char)bytes[k + 1] << 8;
        if (left > 2)
            three |= (unsigned char)bytes[k + 2];
        putc(digit[three >> 18 & 63], stream);
        putc(digit[three >> 12 & 63], stream);
        putc(left > 1 ? digit[three >> 6 & 63] : '=', stream);
        putc(left > 2 ? digit[three & 63] : '=', stream);
    }
}
