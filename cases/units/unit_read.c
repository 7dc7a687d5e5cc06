/*
 * unit_read.c - units of parameters as text, by recursive descent (dimension.h).
 *
 *     unit     = product { "/" factor | "*" factor }
 *     product  = factor { factor }
 *     factor   = ( name | "(" unit ")" ) [ "^" exponent ]
 *     exponent = integer | "(" integer [ "/" integer ] ")"
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "units/dimension.h"

/* Deeper brackets than these are no unit. */
enum { DEEPEST = 20 };

struct unit {
    const char *name;
    bool prefixed;
    int exponent[BASE_UNITS];
};

static const struct unit known[] = {
#define UNIT(name, prefixed, ...) {name, prefixed, {__VA_ARGS__}},
#include "units/units.def"
#undef UNIT
};

static const char *const prefix[] = {
#define UNIT(...)
#define PREFIX(name) name,
#include "units/units.def"
#undef PREFIX
#undef UNIT
};

/* The part of the text that is not read yet; `wrong`: it is no unit. */
struct reading {
    const char *at;
    bool wrong;
    int depth;
};

static const struct unit *find(const char *name, size_t length, bool prefixed)
{
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strlen(known[k].name) == length &&
            memcmp(known[k].name, name, length) == 0 &&
            (known[k].prefixed || !prefixed))
            return &known[k];
    return NULL;
}

static const struct unit *find_prefixed(const char *name, size_t length)
{
    const struct unit *unit = find(name, length, false);
    for (size_t k = 0; k < sizeof prefix / sizeof *prefix && !unit; k++) {
        size_t more = strlen(prefix[k]);
        if (more < length && memcmp(prefix[k], name, more) == 0)
            unit = find(name + more, length - more, true);
    }
    return unit;
}

static void skip_blanks(struct reading *reading)
{
    while (*reading->at == ' ')
        reading->at++;
}

/* Takes `text` if it comes next. */
static bool takes(struct reading *reading, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(reading->at, text, length) != 0)
        return false;
    reading->at += length;
    return true;
}

static bool takes_raised_dot(struct reading *reading)
{
    return takes(reading, "\u00b7") || takes(reading, "\u22c5");
}

static int read_integer(struct reading *reading)
{
    char *end;
    long value = strtol(reading->at, &end, 10);
    bool digits = end > reading->at && !isspace((unsigned char)*reading->at);
    if (!digits || value < -99 || value > 99)
        reading->wrong = true;
    else
        reading->at = end;
    return reading->wrong ? 0 : (int)value;
}

static struct rational read_exponent(struct reading *reading)
{
    if (takes(reading, "\u00b2"))
        return rational_of(2, 1);
    if (takes(reading, "\u00b3"))
        return rational_of(3, 1);
    if (!takes(reading, "^"))
        return rational_of(1, 1);
    bool bracket = takes(reading, "(");
    int num = read_integer(reading), den = 1;
    if (bracket && takes(reading, "/"))
        den = read_integer(reading);
    if (den < 1 || (bracket && !takes(reading, ")")))
        reading->wrong = true;
    return reading->wrong ? rational_of(1, 1) : rational_of(num, den);
}

static size_t length_of_name(const char *at)
{
    if (*at == '1' || *at == '-' || *at == '%')
        return 1;
    size_t length = 0;
    while (isalpha((unsigned char)at[length]) || (at[length] & 0x80))
        if (strncmp(at + length, "\u00b7", 2) == 0 ||
            strncmp(at + length, "\u00b2", 2) == 0 ||
            strncmp(at + length, "\u00b3", 2) == 0 ||
            strncmp(at + length, "\u22c5", 3) == 0)
            break;
        else
            length++;
    return length;
}

static struct dimension read_unit_text(struct reading *reading);

static struct dimension read_factor(struct reading *reading)
{
    struct dimension factor = dimension_one();
    const struct dimension one = factor;
    if (takes(reading, "(")) {
        factor = read_unit_text(reading);
        if (!takes(reading, ")"))
            reading->wrong = true;
    } else {
        size_t length = length_of_name(reading->at);
        const struct unit *unit = find_prefixed(reading->at, length);
        for (int k = 0; k < BASE_UNITS && unit; k++)
            factor.of[k] = rational_of(unit->exponent[k], 1);
        reading->at += length;
        reading->wrong |= !unit;
    }
    struct rational exponent = read_exponent(reading);
    return dimension_combine(&factor, exponent, &one, exponent);
}

static bool is_end(const char *at)
{
    return *at == '\0' || *at == ')';
}

static struct dimension read_unit_text(struct reading *reading)
{
    struct dimension unit = dimension_one();
    bool divided = false;
    int sign = 1;
    reading->wrong |= ++reading->depth > DEEPEST;
    skip_blanks(reading);
    while (!reading->wrong) {
        struct dimension factor = read_factor(reading);
        unit = dimension_combine(&unit, rational_of(1, 1), &factor,
                                 rational_of(sign, 1));
        divided |= sign < 0;
        skip_blanks(reading);
        if (is_end(reading->at))
            break;
        bool quotient = takes(reading, "/");
        bool product = !quotient && (takes(reading, "*") || takes_raised_dot(reading));
        if (!quotient && !product && divided)
            reading->wrong = true;      /* N/m s */
        sign = quotient ? -1 : 1;
        skip_blanks(reading);
    }
    reading->depth--;
    return unit;
}

bool unit_read(const char *text, struct dimension *dimension)
{
    struct reading reading = {.at = text};
    *dimension = read_unit_text(&reading);
    return !reading.wrong && *reading.at == '\0' && !dimension_is_lost(dimension);
}
