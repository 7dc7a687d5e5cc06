/*
 * pdf_dates.h - two runs make the same PDF.
 */
#ifndef SALTUS_PDF_DATES_H
#define SALTUS_PDF_DATES_H

#include <stddef.h>

/* Writes a fixed date, as long to the byte, where pdf [size] has the time at which it was
   made or changed. */
void pdf_settle_dates(char *pdf, size_t size);

#endif
