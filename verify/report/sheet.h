/*
 * sheet.h - all mechanisms on one sheet, as an SVG picture.
 */
#ifndef SALTUS_SHEET_H
#define SALTUS_SHEET_H

#include <stdio.h>

#include "mechanisms/catalogue.h"

/* A picture of every case that has a drawing: at the start and later, with the paths of
   its points and rings where events happen. It runs them on so many threads. */
struct sheet;
struct sheet *sheet_new(const struct case_desc *const *desc, int cases, int threads);
/* Writes the SVG (print_function). */
void sheet_draw(FILE *stream, const void *sheet);
void sheet_free(struct sheet *sheet);

#endif
