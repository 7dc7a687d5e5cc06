/*
 * packs.h - loops over whole packs of four numbers that are the same for every method,
 * with AVX2 where the processor has it. Arrays may be of any length, but for those of
 * `sum`, which are padded to packs (pair.h), and those in lanes, [..][LANES].
 */
#ifndef SALTUS_PACKS_H
#define SALTUS_PACKS_H

enum { PACK = 4 };

/* The numbers of other arrays may be read as packs, wherever they begin. */
typedef double pack
    __attribute__((vector_size(PACK*sizeof(double)), aligned(8), may_alias));

struct pack_loops {
    /* The largest |x| of each group, components begin[g] .. begin[g + 1]; not finite:
       INFINITY. */
    void (*sizes)(int groups, const int *begin, const double *x, double *out);
    /* lost = carried where x is what is known to the bit, else 0: carry_start */
    void (*recall)(int dim, const double *x, const double *known, const double *carried,
                   double *lost);
    /* end = x + change, and what rounding takes from it: carry_sum */
    void (*sum)(int packs, const double *x, const double *change, double *end,
                double *lost);
    /* In lanes: one = other where `moves` [LANES] is true. */
    void (*move)(int dim, const double *moves, double *one, const double *other);
    /* In lanes: the largest |x| of `count` components from `first` on; not finite:
       INFINITY. out [LANES] */
    void (*largest)(int first, int count, const double *x, double *out);
    /* From lanes: out[l] [dim] of each lane, unless it is NULL. */
    void (*spread)(int dim, const double *x, double *const *out);
};

const struct pack_loops *pack_loops(void);

#endif
