/*
 * splitmix.h - pseudo-random numbers: splitmix64 (Steele, Lea, Flood 2014), the one
 * source of random bits.
 *
 * The finalizer is a bijection of 64 bits: a random number is a function of its purpose,
 * with no state (splitmix64), or the next of a stream (splitmix64_next).
 */
#ifndef SALTUS_SPLITMIX_H
#define SALTUS_SPLITMIX_H

#include <stdint.h>

static const uint64_t splitmix64_gamma = 0x9E3779B97F4A7C15u;

/* 64 random bits as a function of z. */
static inline uint64_t splitmix64(uint64_t z)
{
    z += splitmix64_gamma;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* The next number of a stream. The k-th number is splitmix64(seed + k gamma), k from
   0. */
static inline uint64_t splitmix64_next(uint64_t *state)
{
    uint64_t bits = splitmix64(*state);
    *state += splitmix64_gamma;
    return bits;
}

/* A double of 53 random bits, from 0 to below 1. */
static inline double splitmix64_unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

#endif
