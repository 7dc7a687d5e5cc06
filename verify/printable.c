#include "printable.h"

#include <stdbool.h>

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

void print_printable(FILE *stream, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        int bytes = shown_bytes(at);
        if (bytes == 0)
            fprintf(stream, "\\x%02x", *at++);
        for (; bytes > 0; bytes--)
            fputc(*at++, stream);
    }
}
