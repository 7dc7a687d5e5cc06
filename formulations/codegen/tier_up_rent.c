/*
 * tier_up_rent.c - interpreting is rent, compiling is buying (code_cache.h).
 */
#include <math.h>
#include <stdlib.h>

#include "code_cache.h"

void rental_init(struct rental *rental, double rows, double compiled)
{
    static const double interpret = 2.5e-9, look = 2e-3, make = 200e-6, start = 50e-3;
    static const double write = 0.3e-6;
    *rental = (struct rental){
        .look = (look + write * rows) / interpret,
        .make = (start + write * rows + make * compiled) / interpret};
}

bool rental_use(struct rental *rental, enum code_use use)
{
    if (use != CODE_AUTO)
        rental->look = rental->make = INFINITY;
    return use == CODE_ALWAYS;
}

enum rental_due rental_spend(struct rental *rental, double rows)
{
    rental->rows += rows;
    if (rental->rows >= rental->make) {
        rental->look = rental->make = INFINITY;
        return RENTAL_MAKE;
    }
    if (rental->rows >= rental->look) {
        rental->look = INFINITY;
        return RENTAL_LOOK;
    }
    return RENTAL_NOTHING;
}

/* --- and the code ------------------------------------------------------------------- */

void rented_init(struct rented *rented, const char *symbol,
                 char *(*text)(const void *program), double rows, double compiled)
{
    *rented = (struct rented){.symbol = symbol, .text = text};
    rental_init(&rented->rental, rows, compiled);
}

static bool find_code(struct rented *rented, const void *program, bool made)
{
    char *text = rented->text(program);
    rented->code = code_open(text, rented->symbol, made);
    free(text);
    return rented->code != NULL;
}

void rented_clear(struct rented *rented)
{
    code_close(rented->code);
    rented->code = NULL;
}

bool rented_use(struct rented *rented, const void *program, enum code_use use)
{
    return rental_use(&rented->rental, use) && !rented->code &&
           find_code(rented, program, true);
}

bool rented_spend(struct rented *rented, const void *program, double rows)
{
    enum rental_due due = rental_spend(&rented->rental, rows);
    return due != RENTAL_NOTHING && find_code(rented, program, due == RENTAL_MAKE);
}
