/*
 * rows.c - decimal numbers, rounded to nearest, without zeros at their ends.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpfr.h>

#include "rows.h"

/* 0.1 and more without an exponent; what is smaller with one. */
static void print_number(const arb_t x, int count)
{
    char digits[64];
    mpfr_t value;
    mpfr_exp_t exponent;

    if (arb_is_zero(x)) {
        putchar('0');
        return;
    }
    mpfr_init2(value, BITS);
    arf_get_mpfr(value, arb_midref(x), MPFR_RNDN);
    mpfr_get_str(digits, &exponent, 10, (size_t)count, value, MPFR_RNDN);
    mpfr_clear(value);
    mpfr_free_cache();
    for (char *end = digits + strlen(digits) - 1; *end == '0'; end--)
        *end = '\0';

    count = (int)strlen(digits) - (*digits == '-');
    const char *figures = digits + (*digits == '-');
    int whole = (int)exponent;

    if (*digits == '-')
        putchar('-');
    require(whole <= count || whole <= 4, "a number of so many digits before its point");
    if (whole > 0) {
        for (int k = 0; k < whole; k++)
            putchar(k < count ? figures[k] : '0');
        if (count > whole)
            printf(".%s", figures + whole);
    } else if (whole == 0) {
        printf("0.%s", figures);
    } else {
        printf("%c%s%se%d", figures[0], count > 1 ? "." : "", figures + 1, whole - 1);
    }
}

static void print_terms(const arb_mat_t m, int row, int digits)
{
    bool first = true;

    for (slong j = 0; j < arb_mat_ncols(m); j++) {
        if (arb_is_zero(AT(m, row, j)))
            continue;
        printf("%s\n    TERM(%ld, ", first ? "," : "", (long)j);
        first = false;
        print_number(AT(m, row, j), digits);
        putchar(')');
    }
    puts(")");
}

void print_row(const char *name, int i, const arb_mat_t m, int row, int digits)
{
    printf("%s(%d", name, i);
    print_terms(m, row, digits);
}

void print_stage(int i, const arb_t c, const arb_mat_t m, int row, int digits)
{
    printf("STAGE(%d, ", i);
    print_number(c, digits);
    print_terms(m, row, digits);
}
