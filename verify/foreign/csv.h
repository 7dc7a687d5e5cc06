/*
 * csv.h - tables of numbers that other programs have written, read fast and strictly.
 *
 * The first line names the columns; the caller sets the kind of each; then every line has
 * a field for each of them. Spaces around fields, quotes around names, CR LF and a byte
 * order mark are taken as they come; any other fault is one diagnosis (BAD_INPUT) that
 * names the source, the line and the column.
 */
#ifndef SALTUS_CSV_H
#define SALTUS_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum csv_kind {
    CSV_IGNORED,        /* any text */
    CSV_NUMBER,         /* a finite number */
    CSV_MAYBE,          /* a finite number, or nan: a number that does not exist there */
    CSV_WORD
};

struct csv_field {
    double number;      /* value of CSV_NUMBER and CSV_MAYBE */
    const char *text;   /* the field itself, not ended; good as long as the text is */
    int length;
};

struct csv {
    const char *source;
    const char *at, *end;       /* rest of the text that is not read yet */
    long line;                  /* number of the last line read, from 1 */
    int columns;
    char **name;                /* [columns] names of the header */
    enum csv_kind *kind;        /* [columns] set by the caller; CSV_IGNORED until then */
    struct csv_field *field;    /* [columns] fields of the last row */
    struct diagnosis *diagnosis;
};

enum csv_step { CSV_ROW, CSV_END, CSV_SECTION, CSV_WRONG };

/* Reads the header at *text .. *text + length, where one byte more must be readable and
   zero. `line`: number of lines of the source before it. Names must differ. To be closed
   in either case. */
enum status csv_open(struct csv *csv, const char *source, const char *text, size_t length,
                     long line, struct diagnosis *diagnosis);
void csv_close(struct csv *csv);
/* The column of this name, -1 if there is none. */
int csv_column(const struct csv *csv, const char *name);

/* The next line into csv->field. CSV_END after the last; CSV_SECTION at a line that
   begins with '#', which stays unread; CSV_WRONG with a diagnosis. Empty lines are passed
   over. */
enum csv_step csv_next(struct csv *csv);

/* Complains of the last row: "SOURCE: line 3, column q.x2: ..."; column -1: of the whole
   line. */
enum status csv_complain(const struct csv *csv, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The longest decimal number at the beginning of text: its value rounded to the nearest
   double, as strtod, but neither hexadecimal nor inf nor nan. *end = text: none. */
double csv_number(const char *text, const char **end);

/* Reads all of a file, *text malloc'ed with a zero behind it; path "-": standard input.
   BAD_INPUT with path and reason. */
enum status csv_load(const char *path, char **text, size_t *length,
                     struct diagnosis *diagnosis);

#endif
