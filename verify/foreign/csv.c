/*
 * csv.c - comma separated values, read strictly and fast (csv.h)
 */
#include "foreign/csv.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

enum { MOST_COLUMNS = 100000, QUOTED = 40 };

/* --- complaints --------------------------------------------------------------------- */

enum status csv_complain(const struct csv *csv, int column, const char *format, ...)
{
    char message[300], place[120] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (column >= 0)
        snprintf(place, sizeof place, ", column %.90s", csv->name[column]);
    for (char *c = message; *c; c++)
        *c = isprint((unsigned char)*c) ? *c : '?';
    return diagnose(csv->diagnosis, BAD_INPUT, NAN, "%.100s: line %ld%s: %s", csv->source,
                    csv->line, place, message);
}

/* Characters of a field that are quoted in a complaint. */
static int shown(const struct csv_field *field)
{
    return field->length < QUOTED ? field->length : QUOTED;
}

/* --- numbers ------------------------------------------------------------------------ */

#if LDBL_MANT_DIG == 64
static const long double ten[] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
    1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
    1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L,
};
enum { MOST_EXACT = 27 };       /* 5^27 < 2^64 */

/*
 * digits * 10^exponent, where both factors are exact in the 64 bits of a long double: one
 * rounding to 64 bits, then one to 53. The result is the rounding to 53, unless the first
 * rounding lands on the middle of two doubles: then false.
 */
static bool from_exact(uint64_t digits, int exponent, double *value)
{
    uint64_t bits;
    if (exponent < -MOST_EXACT || exponent > MOST_EXACT)
        return false;
    long double product = exponent < 0 ? (long double)digits / ten[-exponent]
                                       : (long double)digits * ten[exponent];
    memcpy(&bits, &product, sizeof bits);
    *value = (double)product;
    return (bits & 0x7ff) != 0x400;
}
#else
static bool from_exact(uint64_t digits, int exponent, double *value)
{
    *value = (double)digits;
    return exponent == 0 && digits <= (uint64_t)1 << 53;
}
#endif

struct decimal {
    uint64_t digits;            /* the first 19 significant digits */
    int exponent, significant;
    bool any;
};

static const char *read_digits(const char *c, struct decimal *decimal, bool fraction)
{
    for (; *c >= '0' && *c <= '9'; c++) {
        decimal->any = true;
        if (decimal->significant == 0 && *c == '0') {
            decimal->exponent -= fraction;
            continue;
        }
        if (++decimal->significant <= 19) {
            decimal->digits = 10 * decimal->digits + (uint64_t)(*c - '0');
            decimal->exponent -= fraction;
        } else {
            decimal->exponent += !fraction;
        }
    }
    return c;
}

static const char *read_exponent(const char *c, int *exponent)
{
    const char *digit = c + 1;
    bool negative = *digit == '-';
    int value = 0;
    if (*digit == '-' || *digit == '+')
        digit++;
    if (*digit < '0' || *digit > '9')
        return c;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        value = value < 100000 ? 10 * value + (*digit - '0') : value;
    *exponent += negative ? -value : value;
    return digit;
}

double csv_number(const char *text, const char **end)
{
    struct decimal decimal = {0};
    const char *c = text;
    bool negative = *c == '-';
    double value;
    *end = text;
    if (*c == '-' || *c == '+')
        c++;
    c = read_digits(c, &decimal, false);
    if (*c == '.')
        c = read_digits(c + 1, &decimal, true);
    if (!decimal.any)
        return 0;
    if (*c == 'e' || *c == 'E')
        c = read_exponent(c, &decimal.exponent);
    *end = c;
    if (decimal.digits == 0)
        return negative ? -0.0 : 0.0;
    if (decimal.significant <= 19 && from_exact(decimal.digits, decimal.exponent, &value))
        return negative ? -value : value;
    return strtod(text, NULL);
}

/* --- fields ------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Takes the field from csv->at to the comma or the end of the line, without the spaces
   around it. */
static struct csv_field take_field(struct csv *csv)
{
    const char *c = csv->at, *stop;
    while (is_blank(*c))
        c++;
    for (stop = c; *stop != ',' && *stop != '\n' && stop < csv->end;)
        stop++;
    struct csv_field field = {.text = c};
    csv->at = stop;
    while (stop > c && (is_blank(stop[-1]) || (stop[-1] == '\r' && *csv->at == '\n')))
        stop--;
    field.length = (int)(stop - c);
    return field;
}

/* Takes the comma behind a field. false: no field follows, the line is over or cut
   off. */
static bool take_comma(struct csv *csv)
{
    if (csv->at < csv->end && *csv->at == ',') {
        csv->at++;
        return true;
    }
    return false;
}

static bool take_newline(struct csv *csv)
{
    if (csv->at >= csv->end)
        return false;
    csv->at++;
    return true;
}

static bool is_word(const struct csv_field *field, const char *word)
{
    return field->length == (int)strlen(word) &&
           strncasecmp(field->text, word, (size_t)field->length) == 0;
}

static bool is_nan(const struct csv_field *field)
{
    return is_word(field, "nan") || is_word(field, "-nan") || is_word(field, "+nan");
}

/* Settles a field that is not just a number: nan where it may be, or a complaint. */
static bool settle_number(const struct csv *csv, int column, struct csv_field *field)
{
    const char *end;
    field->number = NAN;
    if (is_nan(field) && csv->kind[column] == CSV_MAYBE)
        return true;
    if (csv->at >= csv->end)
        csv_complain(csv, column, "the line is cut off here: no newline follows");
    else if (field->length == 0)
        csv_complain(csv, column, "nothing stands there; a number is expected");
    else if (isinf(csv_number(field->text, &end)) && end == field->text + field->length)
        csv_complain(csv, column, "'%.*s' is larger than any double", shown(field),
                     field->text);
    else
        csv_complain(csv, column, "'%.*s' is not a%s number", shown(field), field->text,
                     is_nan(field) || is_word(field, "inf") || is_word(field, "-inf")
                         ? " finite" : "");
    return false;
}

/* Takes a number in the fast way, from its first character to the comma; else field by
   field. */
static bool take_number(struct csv *csv, int column, struct csv_field *field)
{
    const char *end;
    field->text = csv->at;
    field->number = csv_number(csv->at, &end);
    field->length = (int)(end - csv->at);
    if (end > csv->at && (*end == ',' || *end == '\n') && isfinite(field->number)) {
        csv->at = end;
        return true;
    }
    *field = take_field(csv);
    field->number = csv_number(field->text, &end);
    if (field->length > 0 && end == field->text + field->length &&
        isfinite(field->number))
        return true;
    return settle_number(csv, column, field);
}

/* --- header ------------------------------------------------------------------------- */

static enum status read_name(struct csv *csv, int *room)
{
    struct csv_field field = take_field(csv);
    bool in_quotes = field.length >= 2 && field.text[0] == '"' &&
                     field.text[field.length - 1] == '"';
    for (int k = 0; k < field.length; k++)
        if (!isprint((unsigned char)field.text[k]))
            return csv_complain(csv, -1, "the header is not text ('%.*s')", shown(&field),
                                field.text);
    if (csv->columns == MOST_COLUMNS)
        return csv_complain(csv, -1, "more than %d columns", MOST_COLUMNS);
    csv->name = memory_grow(csv->name, room, csv->columns + 1, sizeof *csv->name);
    csv->name[csv->columns++] = memory_text(field.text + in_quotes,
                                            (size_t)(field.length - 2 * in_quotes));
    return OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static enum status check_names(const struct csv *csv)
{
    const char **sorted = memory_new(csv->columns, sizeof *sorted);
    enum status status = OK;
    memory_copy(sorted, csv->name, csv->columns, sizeof *sorted);
    qsort(sorted, (size_t)csv->columns, sizeof *sorted, by_text);
    for (int k = 1; k < csv->columns && status == OK; k++)
        if (strcmp(sorted[k], sorted[k - 1]) == 0)
            status = csv_complain(csv, -1, "column '%.60s' is there twice", sorted[k]);
    free(sorted);
    return status;
}

static enum status read_header(struct csv *csv)
{
    int room = 0;
    enum status status = OK;
    do
        status = read_name(csv, &room);
    while (status == OK && take_comma(csv));
    if (status == OK && !take_newline(csv))
        status = csv_complain(csv, -1, "the header is cut off: no newline follows");
    return status == OK ? check_names(csv) : status;
}

/* Complains of the line that has a zero byte, which no text has. */
static enum status find_zero(struct csv *csv)
{
    const char *zero = memchr(csv->at, '\0', (size_t)(csv->end - csv->at));
    if (!zero)
        return OK;
    for (const char *c = csv->at; (c = memchr(c, '\n', (size_t)(zero - c))); c++)
        csv->line++;
    return csv_complain(csv, -1, "a zero byte stands there; this is no text");
}

enum status csv_open(struct csv *csv, const char *source, const char *text, size_t length,
                     long line, struct diagnosis *diagnosis)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (line == 0 && length >= 3 && memcmp(text, mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    *csv = (struct csv){.source = source, .at = text, .end = text + length,
                        .line = line + 1, .diagnosis = diagnosis};
    if (length == 0)
        return diagnose(diagnosis, BAD_INPUT, NAN, "%.100s: %s", source,
                        line == 0 ? "it is empty"
                                  : "the header of the events is missing");
    enum status status = find_zero(csv);
    if (status == OK)
        status = read_header(csv);
    csv->kind = memory_new(csv->columns, sizeof *csv->kind);
    csv->field = memory_new(csv->columns, sizeof *csv->field);
    return status;
}

void csv_close(struct csv *csv)
{
    for (int k = 0; k < csv->columns; k++)
        free(csv->name[k]);
    free(csv->name);
    free(csv->kind);
    free(csv->field);
}

int csv_column(const struct csv *csv, const char *name)
{
    for (int k = 0; k < csv->columns; k++)
        if (strcmp(csv->name[k], name) == 0)
            return k;
    return -1;
}

/* --- rows --------------------------------------------------------------------------- */

static bool take_one(struct csv *csv, int column)
{
    struct csv_field *field = &csv->field[column];
    if (csv->kind[column] == CSV_NUMBER || csv->kind[column] == CSV_MAYBE)
        return take_number(csv, column, field);
    *field = take_field(csv);
    return true;
}

/* Counts the fields of the line, of which the first `read` have been taken, and complains
   of their number. */
static enum csv_step wrong_count(struct csv *csv, int read)
{
    while (take_comma(csv)) {
        take_field(csv);
        read++;
    }
    if (csv->at >= csv->end)
        csv_complain(csv, -1, "it is cut off after %d of %d fields: no newline follows",
                     read, csv->columns);
    else
        csv_complain(csv, -1, "%d fields; the header has %d columns", read,
                     csv->columns);
    return CSV_WRONG;
}

enum csv_step csv_next(struct csv *csv)
{
    for (;;) {      /* passes over empty lines */
        csv->line++;
        if (csv->at >= csv->end)
            return CSV_END;
        if (*csv->at == '#')
            return CSV_SECTION;
        if (*csv->at == '\r' && csv->at[1] == '\n')
            csv->at++;
        if (*csv->at != '\n')
            break;
        csv->at++;
    }
    for (int k = 0; k < csv->columns; k++) {
        if (k > 0 && !take_comma(csv))
            return wrong_count(csv, k);
        if (!take_one(csv, k))
            return CSV_WRONG;
    }
    if (csv->at >= csv->end || *csv->at != '\n')
        return wrong_count(csv, csv->columns);
    csv->at++;
    return CSV_ROW;
}
