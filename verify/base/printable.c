/*
 * printable.c - control characters and bytes that are not UTF-8, escaped (printable.h)
 */
#include "base/printable.h"

#include <stdbool.h>
#include <string.h>

/* How many bytes a character of UTF-8 has that begins here and may be shown; 0: none. */
static int shown_bytes(const unsigned char *at)
{
    if (*at < 0x80)
        return *at >= 0x20 && *at != 0x7f;
    int more = *at >= 0xc2 && *at <= 0xdf ? 1 : *at >= 0xe0 && *at <= 0xef ? 2
               : *at >= 0xf0 && *at <= 0xf4 ? 3 : 0;
    for (int k = 1; k <= more; k++)
        if ((at[k] & 0xc0) != 0x80)
            return 0;
    bool control = *at == 0xc2 && at[1] < 0xa0;
    return more == 0 || control ? 0 : more + 1;
}

/* The next character as it is shown; *text moves behind the character. Returns the bytes
   in `shown`. */
static int show_next(const unsigned char **text, char shown[5])
{
    int bytes = shown_bytes(*text);
    if (bytes == 0)
        return snprintf(shown, 5, "\\x%02x", *(*text)++);
    memcpy(shown, *text, (size_t)bytes);
    *text += bytes;
    return bytes;
}

void print_printable(FILE *stream, const char *text)
{
    char shown[5];
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        int bytes = show_next(&at, shown);
        fwrite(shown, 1, (size_t)bytes, stream);
    }
}

void printable_text(const char *text, char *out, size_t size)
{
    char shown[5];
    size_t used = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t bytes = (size_t)show_next(&at, shown);
        if (used + bytes >= size)
            break;
        memcpy(out + used, shown, bytes);
        used += bytes;
    }
    out[used] = '\0';
}
