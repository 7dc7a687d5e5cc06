/*
 * html.h - text of a page in HTML.
 */
#ifndef SALTUS_HTML_H
#define SALTUS_HTML_H

#include <stdio.h>

/* Prints a format with %s, %c and, with flags, width and precision, %d, %ld, %e, %f and
   %g. Texts of %s and %c become text of the page: < is printed as &lt;. NULL: nothing. */
void html(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints text in which < & > and quotes stand for themselves. */
void html_text(FILE *stream, const char *text);
/* Prints a number with a comma between thousands. */
void html_count(FILE *stream, long count);
/* Prints "1 row", "2 rows", the number with commas. */
void html_counted(FILE *stream, long count, const char *one, const char *many);
/* Begins a table in a region that scrolls, with a caption and its headings
   "case|#digits"; # says that a column has numbers. class "": none. */
void html_table(FILE *stream, const char *class, const char *caption,
                const char *headings);
void html_table_end(FILE *stream);
/* Prints a file in base 64, for data: of an image. */
void html_base64(FILE *stream, const char *bytes, size_t size);

#endif
