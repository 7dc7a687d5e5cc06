/*
 * dimension.c - arithmetic of rational exponents, and dimensions as text (dimension.h)
 */
#include "units/dimension.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *const base_unit_name[BASE_UNITS] = {"kg", "m", "s", "A", "K", "mol", "cd"};

/* --- rational numbers --------------------------------------------------------------- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* num/den in lowest terms. Products and sums of products of ints are far from the ends
   of int64_t. */
static struct rational reduced(int64_t num, int64_t den)
{
    int64_t divisor = common_divisor(num, den);
    if (den == 0)
        return (struct rational){0, 0};
    num = (den < 0 ? -num : num) / divisor;
    den = (den < 0 ? -den : den) / divisor;
    if (num > INT_MAX || num < -INT_MAX || den > INT_MAX)
        return (struct rational){0, 0};
    return (struct rational){(int)num, (int)den};
}

struct rational rational_of(int num, int den)
{
    return reduced(num, den);
}

struct rational rational_add(struct rational a, struct rational b)
{
    return reduced((int64_t)a.num * b.den + (int64_t)b.num * a.den,
                   (int64_t)a.den * b.den);
}

struct rational rational_mul(struct rational a, struct rational b)
{
    return reduced((int64_t)a.num * b.num, (int64_t)a.den * b.den);
}

struct rational rational_div(struct rational a, struct rational b)
{
    return reduced((int64_t)a.num * b.den, (int64_t)a.den * b.num);
}

bool rational_is_zero(struct rational a)
{
    return a.num == 0 && a.den != 0;
}

/* --- dimensions --------------------------------------------------------------------- */

struct dimension dimension_one(void)
{
    struct dimension one;
    for (int k = 0; k < BASE_UNITS; k++)
        one.of[k] = (struct rational){0, 1};
    return one;
}

struct dimension dimension_combine(const struct dimension *a, struct rational x,
                                   const struct dimension *b, struct rational y)
{
    struct dimension result;
    for (int k = 0; k < BASE_UNITS; k++)
        result.of[k] = rational_add(rational_mul(x, a->of[k]),
                                    rational_mul(y, b->of[k]));
    return result;
}

bool dimension_is_one(const struct dimension *dimension)
{
    for (int k = 0; k < BASE_UNITS; k++)
        if (!rational_is_zero(dimension->of[k]))
            return false;
    return true;
}

bool dimension_is_lost(const struct dimension *dimension)
{
    for (int k = 0; k < BASE_UNITS; k++)
        if (dimension->of[k].den == 0)
            return true;
    return false;
}

/* --- text --------------------------------------------------------------------------- */

/* Appends to text [size]; what has no room is left out. */
static void append(char *text, int size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, (size_t)size - used, "%s", more);
}

/* Appends the powers of positive exponents, or of negative ones without their sign.
   Returns how many there are. */
static int append_powers(const char *const *name, const struct rational *times, int count,
                         int sign, char *text, int size)
{
    int written = 0;
    for (int k = 0; k < count; k++) {
        int num = sign * times[k].num, den = times[k].den;
        char power[40] = "";
        if (num <= 0)
            continue;
        if (den > 1)
            snprintf(power, sizeof power, "^(%d/%d)", num, den);
        else if (num > 1)
            snprintf(power, sizeof power, "^%d", num);
        append(text, size, written++ > 0 ? " " : "");
        append(text, size, name[k]);
        append(text, size, power);
    }
    return written;
}

void powers_text(const char *const *name, const struct rational *times, int count,
                 char *text, int size)
{
    char below[200] = "";
    text[0] = '\0';
    if (append_powers(name, times, count, 1, text, size) == 0)
        append(text, size, "1");
    int factors = append_powers(name, times, count, -1, below, sizeof below);
    if (factors == 0)
        return;
    append(text, size, factors > 1 ? "/(" : "/");
    append(text, size, below);
    append(text, size, factors > 1 ? ")" : "");
}
