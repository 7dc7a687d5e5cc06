/*
 * decimal.c - exact decimal numbers as text: parsing into a canonical form that no locale
 * changes.
 */
#include "formula/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { EXPONENT_LIMIT = 100000 };   /* far beyond double, and no danger for MPFR */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads [e [sign] digits] to the end of the text. False: the text is something else. */
static bool read_exponent(const char *at, int *exponent)
{
    *exponent = 0;
    if (*at == '\0')
        return true;
    if (*at != 'e' && *at != 'E')
        return false;
    at++;
    int sign = *at == '-' ? -1 : 1;
    if (*at == '-' || *at == '+')
        at++;
    if (!is_digit(*at))
        return false;
    for (; is_digit(*at); at++) {
        *exponent = 10 * *exponent + (*at - '0');
        if (*exponent > EXPONENT_LIMIT)
            return false;
    }
    *exponent *= sign;
    return *at == '\0';
}

/* *value = digits * 10^exponent. False: that is no integer of 63 bits. */
static bool to_integer(const char *digits, int exponent, int64_t *value)
{
    if (exponent < 0)
        return false;
    *value = 0;
    for (; *digits; digits++)
        if (__builtin_mul_overflow(*value, (int64_t)10, value)
            || __builtin_add_overflow(*value, (int64_t)(*digits - '0'), value))
            return false;
    for (int i = 0; i < exponent && *value != 0; i++)
        if (__builtin_mul_overflow(*value, (int64_t)10, value))
            return false;
    return true;
}

bool decimal_parse(struct decimal *decimal, const char *text)
{
    const char *at = text;
    bool negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;

    /* Collects the digits without the point, which moves into the exponent. */
    size_t length = strlen(text);
    char *digits = memory_new((int)length + 1, 1);
    int count = 0, seen = 0, behind = 0;
    bool point = false;
    for (; is_digit(*at) || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        seen++;
        behind += point;
        if (count > 0 || *at != '0')
            digits[count++] = *at;
    }
    int exponent = 0;
    if (seen == 0 || !read_exponent(at, &exponent)) {
        free(digits);
        return false;
    }
    exponent -= behind;
    while (count > 0 && digits[count - 1] == '0') {
        count--;
        exponent++;
    }
    digits[count] = '\0';
    if (count == 0)
        exponent = 0;

    decimal->integer = to_integer(digits, exponent, &decimal->value);
    if (negative)
        decimal->value = -decimal->value;
    decimal->text = memory_new((int)length + 16, 1);
    int used = sprintf(decimal->text, "%s%s", negative && count > 0 ? "-" : "",
                       count > 0 ? digits : "0");
    if (exponent != 0)
        sprintf(decimal->text + used, "e%d", exponent);
    free(digits);
    return true;
}
