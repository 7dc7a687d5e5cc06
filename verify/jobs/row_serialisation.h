/*
 * row_serialisation.h - rows from one process to another of the same program.
 */
#ifndef SALTUS_ROW_SERIALISATION_H
#define SALTUS_ROW_SERIALISATION_H

#include <stdio.h>

#include "verdict/verdict_rows.h"

void rows_write(const struct rows *rows, FILE *stream);
/* Appends the rows that rows_write has written; text and numbers are made safe to use.
   False, and nothing appended: the bytes are no such rows. *used: bytes that were
   read. */
bool rows_read(struct rows *rows, const char *text, size_t length, size_t *used);

#endif
