/*
 * exchange.h - the exchange of two vectors by their addresses, without a copy.
 */
#ifndef SALTUS_EXCHANGE_H
#define SALTUS_EXCHANGE_H

/* *one and *other change places. */
static inline void exchange(double **one, double **other)
{
    double *kept = *one;
    *one = *other;
    *other = kept;
}

#endif
