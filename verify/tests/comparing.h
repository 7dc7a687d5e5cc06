/*
 * comparing.h - two results compared in tests, scales and conditions from the second.
 */
#ifndef SALTUS_COMPARING_H
#define SALTUS_COMPARING_H

#include "quantity/results.h"

static inline struct comparison *compare_to(const struct results *got,
                                            const struct results *want, double cap,
                                            int *count, int *missing)
{
    const struct comparing how = {.cap = cap};
    return results_compare(got, want, &how, count, missing);
}

#endif
