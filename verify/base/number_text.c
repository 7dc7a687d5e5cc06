/*
 * number_text.c - the shortest decimal text that is read back as the same double, of
 * several the nearest to it, by exact integer arithmetic (Steele & White 1990).
 *
 * The numbers that are read as x = m 2^e, m < 2^53, are an interval around it, half of
 * the gaps to the next doubles wide. Scaled by 10^p, so that x has 17 or 18 digits in
 * front of the point, the interval holds an integer; the greatest power of ten of which
 * it holds a multiple leaves the fewest digits. For p in 0 .. 54 the product 4 m 5^p has
 * at most 181 bits, so that nothing is lost. Numbers below 1e-37 and from 1e17 on are
 * found by trial.
 */
#include "base/number_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 17, HIGHEST_POWER = 27, LIMBS = 3 };

__extension__ typedef unsigned __int128 uint128;

static const double log10_of_2 = 0.30102999566398120;
static const uint64_t two_to_52 = (uint64_t)1 << 52;

/* 5^p, p <= HIGHEST_POWER */
static const uint64_t five_to[HIGHEST_POWER + 1] = {
    1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125,
    244140625, 1220703125, 6103515625, 30517578125, 152587890625, 762939453125,
    3814697265625, 19073486328125, 95367431640625, 476837158203125, 2384185791015625,
    11920928955078125, 59604644775390625, 298023223876953125, 1490116119384765625,
    7450580596923828125,
};

/* --- an integer of three limbs, the lowest first ------------------------------------ */

static void multiply(uint64_t n[LIMBS], uint64_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        uint128 product = (uint128)n[i] * factor + carry;
        n[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
}

/* The limb that begins at bit `bit` >= 0. */
static uint64_t limb_at(const uint64_t n[LIMBS], int bit)
{
    int i = bit / 64, shift = bit % 64;
    uint64_t low = i < LIMBS ? n[i] >> shift : 0;
    return shift > 0 && i + 1 < LIMBS ? low | n[i + 1] << (64 - shift) : low;
}

/* Is a bit below bit `bit` set? */
static bool any_below(const uint64_t n[LIMBS], int bit)
{
    bool any = false;
    for (int i = 0; i < LIMBS && 64 * i < bit; i++)
        any = any || (bit >= 64 * i + 64 ? n[i] : n[i] << (64 * i + 64 - bit)) != 0;
    return any;
}

/* n + more, which leaves no carry. */
static void add_to(uint64_t n[LIMBS], uint128 more)
{
    for (int i = 0; i < LIMBS; i++) {
        uint128 sum = (uint128)n[i] + (uint64_t)more;
        n[i] = (uint64_t)sum;
        more = (more >> 64) + (uint64_t)(sum >> 64);
    }
}

/* n - less, which is not negative. */
static void subtract_from(uint64_t n[LIMBS], uint128 less)
{
    for (int i = 0; i < LIMBS; i++) {
        uint64_t part = (uint64_t)less, borrow = n[i] < part;
        n[i] -= part;
        less = (less >> 64) + borrow;
    }
}

/* --- the interval of a double ------------------------------------------------------- */

/* The integers that, scaled back, are read as x, and the one nearest to x 10^p. */
struct interval {
    uint64_t first, last, nearest;
    uint64_t whole;             /* x 10^p without its fraction */
    bool exact;                 /* it has none */
};

/* n / 2^shift, which fits into a limb, without its fraction; *exact: it has none. */
static uint64_t whole_part(const uint64_t n[LIMBS], int shift, bool *exact)
{
    *exact = shift <= 0 || !any_below(n, shift);
    return shift <= 0 ? n[0] << -shift : limb_at(n, shift);
}

/*
 * Scales x = m 2^e by 10^p, 0 <= p <= 2 HIGHEST_POWER. In units of 2^(e-2) x is 4 m, the
 * next doubles are 4 apart, and the one below a power of two is 2 apart; halfway numbers
 * are read as the double with even m.
 */
static struct interval scale(uint64_t m, int e, int p)
{
    int rest = p > HIGHEST_POWER ? p - HIGHEST_POWER : 0, shift = 2 - (e + p);
    uint64_t n[LIMBS] = {4 * m}, end[LIMBS];
    uint128 power = (uint128)five_to[p - rest] * five_to[rest];
    bool even = m % 2 == 0, exact;
    struct interval interval;
    multiply(n, five_to[p - rest]);
    if (rest > 0)
        multiply(n, five_to[rest]);
    interval.whole = whole_part(n, shift, &interval.exact);
    bool half = shift > 0 && limb_at(n, shift - 1) & 1;
    bool more = half && any_below(n, shift - 1);
    interval.nearest = interval.whole + (half && (more || (interval.whole & 1)));

    memcpy(end, n, sizeof end);
    add_to(end, 2 * power);
    interval.last = whole_part(end, shift, &exact);
    interval.last -= exact && !even;
    subtract_from(n, m == two_to_52 ? power : 2 * power);
    interval.first = whole_part(n, shift, &exact);
    interval.first += !exact || !even;
    return interval;
}

/* --- digits ------------------------------------------------------------------------- */

/* The multiple of `unit`, a power of ten, that is nearest to x among `first` to `last`
   units; the even one of two. */
static uint64_t nearest_multiple(const struct interval *interval, uint64_t unit,
                                 uint64_t first, uint64_t last)
{
    if (unit == 1)
        return interval->nearest;
    uint64_t down = interval->whole / unit, twice = 2 * (interval->whole % unit);
    bool tie = twice == unit && interval->exact;
    uint64_t near = down + (tie ? down & 1 : twice >= unit);
    return near < first ? first : near > last ? last : near;
}

/* Returns the fewest digits that are read back as x, as an integer to be multiplied by
   10^*power, for 1e-37 <= x < 1e17. */
static uint64_t digits_of(double x, int *power)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t m = bits % two_to_52 + two_to_52;
    int e = (int)(bits / two_to_52) - 1075;
    /* 2^(e + 52) <= x < 2^(e + 53), so that integers have DIGITS digits or one more */
    int p = DIGITS - 1 - (int)floor((e + 52) * log10_of_2);
    struct interval interval = scale(m, e, p);
    uint64_t first = interval.first, last = interval.last, unit = 1;
    for (*power = -p; (first + 9) / 10 <= last / 10; ++*power) {
        first = (first + 9) / 10;
        last /= 10;
        unit *= 10;
    }
    return nearest_multiple(&interval, unit, first, last);
}

/* --- layout ------------------------------------------------------------------------- */

static char *append(char *to, const char *from, int count)
{
    memcpy(to, from, (size_t)count);
    return to + count;
}

/* Lays out `count` digits, of which the first stands for 10^k, as %g does: with a power
   of ten if k < -4. */
static char *lay_out(char *to, const char *digit, int count, int k)
{
    int whole = k >= -4 ? k + 1 : 1;        /* digits in front of the point */
    if (whole <= 0)
        return append(append(to, "0.000", 2 - whole), digit, count);
    to = append(to, digit, whole);
    if (count > whole) {
        *to++ = '.';
        to = append(to, digit + whole, count - whole);
    }
    if (k < -4)
        to = append(to, (const char[]){'e', '-', (char)('0' - k / 10),
                                       (char)('0' - k % 10)}, 4);
    return to;
}

/* Writes a number of the range of digits_of. */
static char *write_digits(char *to, double x)
{
    char digit[DIGITS + 1];
    int power, begin = DIGITS + 1, count;
    uint64_t digits = digits_of(x, &power);
    for (; digits > 0; digits /= 10)
        digit[--begin] = (char)('0' + digits % 10);
    count = DIGITS + 1 - begin;
    int k = count - 1 + power;
    memmove(digit, digit + begin, (size_t)count);
    while (count <= k)
        digit[count++] = '0';
    return lay_out(to, digit, count, k);
}

/* Moves the last of the digits in front of 'e' up by one. */
static bool move_up(char *text)
{
    char *last = text + strcspn(text, "e");
    while (last > text && (*--last == '9' || *last == '.'))
        *last = *last == '.' ? '.' : '0';
    ++*last;
    return *last <= '9' && *last > '0';
}

/*
 * Writes any number, by the exact conversions of printf and strtod. Below a power of two
 * the interval is half as wide, so that the digits next above x may be read as x where
 * the nearest ones, below, are not.
 */
static int write_slowly(char text[NUMBER_TEXT_ROOM], double x)
{
    for (int digits = 1; digits < DIGITS; digits++) {
        char trial[NUMBER_TEXT_ROOM];
        snprintf(trial, sizeof trial, "%.*e", digits - 1, x);
        bool found = strtod(trial, NULL) == x ||
                     (fabs(strtod(trial, NULL)) < fabs(x) && move_up(trial) &&
                      strtod(trial, NULL) == x);
        if (found)
            return snprintf(text, NUMBER_TEXT_ROOM, "%s", trial);
    }
    return snprintf(text, NUMBER_TEXT_ROOM, "%.*e", DIGITS - 1, x);
}

int number_text(char text[NUMBER_TEXT_ROOM], double x)
{
    double size = fabs(x);
    char *to = text;
    if (!isfinite(x))
        return snprintf(text, NUMBER_TEXT_ROOM, "%g", x);
    if (x != 0 && !(size >= 1e-37 && size < 1e17))
        return write_slowly(text, x);
    if (signbit(x))
        *to++ = '-';
    to = x == 0 ? append(to, "0", 1) : write_digits(to, size);
    *to = '\0';
    return (int)(to - text);
}

void number_print(FILE *stream, const char *before, double x)
{
    char text[NUMBER_TEXT_ROOM];
    number_text(text, x);
    fputs(before, stream);
    fputs(text, stream);
}
