/*
 * dimension.h - dimensions of physical quantities: rational exponents of the seven base
 * units of the SI, kg, m, s, A, K, mol, cd. An angle has the dimension of a number.
 *
 * Source: The International System of Units, 9th edition (BIPM 2019), 2.3.
 */
#ifndef SALTUS_DIMENSION_H
#define SALTUS_DIMENSION_H

#include <stdbool.h>

/* A rational number in lowest terms; den > 0. den = 0: a result that int cannot hold,
   which every operation passes on. */
struct rational {
    int num, den;
};

struct rational rational_of(int num, int den);
struct rational rational_add(struct rational a, struct rational b);
struct rational rational_mul(struct rational a, struct rational b);
/* a/b; b is not 0. */
struct rational rational_div(struct rational a, struct rational b);
/* Is it 0? A lost number is not. */
bool rational_is_zero(struct rational a);

enum { BASE_UNITS = 7 };

/* Exponents of the base units, in the order of the SI as above. */
struct dimension {
    struct rational of[BASE_UNITS];
};

/* The dimension of a number. */
struct dimension dimension_one(void);
/* x a + y b, exponent by exponent: the dimension of a^x b^y. */
struct dimension dimension_combine(const struct dimension *a, struct rational x,
                                   const struct dimension *b, struct rational y);
/* Is it the dimension of a number? */
bool dimension_is_one(const struct dimension *dimension);
/* Is an exponent lost, too large for an int? */
bool dimension_is_lost(const struct dimension *dimension);

/* Reads the unit of a parameter, like "kg m/s^2", "N*s/m", "1/(kg s)", "m^(1/2)": names
   of units.def with prefixes, products by a blank, * or a raised dot, quotients by /,
   integer or rational powers. "N/m s" is not read, as people mean two things by it; "N
   s/m" and "N/(m s)" are. False: the text is no unit, and *dimension is undefined. */
bool unit_read(const char *text, struct dimension *dimension);

/* Writes a product of powers as text, like "kg m/s^2", "1/(kg s)", "1". `name` [count]
   with exponents `times` [count]; text [size] is cut where it is longer. */
void powers_text(const char *const *name, const struct rational *times, int count,
                 char *text, int size);
/* The names of the base units. */
extern const char *const base_unit_name[BASE_UNITS];

#endif
