/*
 * number_text.c - binary to decimal conversion by exact integer arithmetic, with a fixed
 * number of digits (Steele & White 1990).
 *
 * With x = m 2^e, m < 2^53, and 10^k <= x < 10^(k+1), the 17 digits are the integer
 * nearest to x 10^p = m 5^p 2^(e+p), p = 16 - k, or the even one of two. For p in 0 .. 54
 * the product m 5^p has at most 179 bits, so that nothing is lost. Numbers below 1e-37
 * and from 1e17 on are left to printf.
 */
#include "base/number_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS = 17, HIGHEST_POWER = 27, LIMBS = 3 };

__extension__ typedef unsigned __int128 uint128;

static const double log10_of_2 = 0.30102999566398120;
static const uint64_t ten_to_17 = 100000000000000000;

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

/* n / 2^shift, which fits into a limb, rounded half to even. */
static uint64_t rounded(const uint64_t n[LIMBS], int shift)
{
    if (shift <= 0)
        return n[0] << -shift;
    uint64_t whole = limb_at(n, shift);
    bool half = limb_at(n, shift - 1) & 1, more = any_below(n, shift - 1);
    return whole + (half && (more || (whole & 1)));
}

/* --- digits ------------------------------------------------------------------------- */

/* m 2^e 10^p, rounded; 0 <= p <= 2 HIGHEST_POWER. */
static uint64_t scaled(uint64_t m, int e, int p)
{
    uint64_t n[LIMBS] = {m};
    multiply(n, five_to[p < HIGHEST_POWER ? p : HIGHEST_POWER]);
    if (p > HIGHEST_POWER)
        multiply(n, five_to[p - HIGHEST_POWER]);
    return rounded(n, -(e + p));
}

/* Sets k and returns the 17 digits of x as an integer, for 1e-37 <= x < 1e17. */
static uint64_t digits_of(double x, int *k)
{
    uint64_t bits, one = (uint64_t)1 << 52;
    memcpy(&bits, &x, sizeof bits);
    uint64_t m = bits % one + one;
    int e = (int)(bits / one) - 1075;
    /* 2^(e + 52) <= x < 2^(e + 53), so that this k is the right one or one less */
    *k = (int)floor((e + 52) * log10_of_2);
    uint64_t digits = scaled(m, e, DIGITS - 1 - *k);
    if (digits < ten_to_17)
        return digits;
    ++*k;
    return scaled(m, e, DIGITS - 1 - *k);
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
    char digit[DIGITS];
    int k, count = DIGITS;
    uint64_t digits = digits_of(x, &k);
    for (int i = DIGITS - 1; i >= 0; i--, digits /= 10)
        digit[i] = (char)('0' + digits % 10);
    while (count > 1 && count > k + 1 && digit[count - 1] == '0')
        count--;
    return lay_out(to, digit, count, k);
}

int number_text(char text[NUMBER_TEXT_ROOM], double x)
{
    double size = fabs(x);
    char *to = text;
    if (x != 0 && !(size >= 1e-37 && size < 1e17))
        return snprintf(text, NUMBER_TEXT_ROOM, "%.17g", x);
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
