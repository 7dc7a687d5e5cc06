/*
 * pdf_dates.c - dates of a PDF (pdf_dates.h)
 */
#include "drawings/pdf_dates.h"

#include <string.h>

void pdf_settle_dates(char *pdf, size_t size)
{
    static const char *const key[] = {"/CreationDate (D:", "/ModDate (D:"};
    static const char date[] = "20000101000000";
    for (int k = 0; k < 2; k++) {
        size_t length = strlen(key[k]);
        char *at = memmem(pdf, size, key[k], length);
        if (at && (size_t)(at - pdf) + length + sizeof date <= size)
            memcpy(at + length, date, sizeof date - 1);
    }
}
