/*
 * klu_factors.h - what KLU has made of a sparse matrix; private to klu.c and
 * stacked_lu.c.
 */
#ifndef SALTUS_KLU_FACTORS_H
#define SALTUS_KLU_FACTORS_H

#include <suitesparse/klu.h>

/* KLU takes matrices by columns. Rows here are columns of the transpose there: KLU
   factorises A', and A x = b is solved by its transposed solve. */
struct sparse_factors {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;       /* factors; NULL: not factorised, or singular */
    int chosen;                 /* how often pivots have been chosen */
};

#endif
