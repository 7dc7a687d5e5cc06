/*
 * rental.c - interpreting is rent, compiling is buying (code.h).
 */
#include <math.h>

#include "code.h"

void rental_init(struct rental *rental, double rows)
{
    static const double interpret = 2.5e-9, look = 2e-3, make = 200e-6, start = 50e-3;
    *rental = (struct rental){.look = look / interpret,
                              .make = (start + make * rows) / interpret};
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
