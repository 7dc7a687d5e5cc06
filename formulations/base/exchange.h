/*
 * exchange.h - two vectors change places, without being copied.
 */
#ifndef SALTUS_EXCHANGE_H
#define SALTUS_EXCHANGE_H

static inline void exchange(double **one, double **other)
{
    double *kept = *one;
    *one = *other;
    *other = kept;
}

#endif
