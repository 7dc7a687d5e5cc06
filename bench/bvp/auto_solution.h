/*
 * auto_solution.h - a solution of a boundary value problem as AUTO-07p writes it to
 * fort.8 (Doedel, Oldeman: AUTO-07P, section "Structure of the output files").
 *
 * A block has a head of sixteen whole numbers, then a mesh with the unknowns, then the
 * direction of the branch, then the parameters:
 *
 *     IBR PT TYPE LAB NFPR ISW POINTS NUMBERS LINES NTST NCOL NPAR ...
 *     [POINTS]  t u_1 .. u_n          n + 1 = NUMBERS
 *     [NFPR]    which parameters are free;   their rates;   [POINTS] n rates of u
 *     [NPAR]    parameters
 *
 * The last two are there where NTST > 0. Numbers have eleven digits.
 */
#ifndef SALTUS_AUTO_SOLUTION_H
#define SALTUS_AUTO_SOLUTION_H

#include <stdbool.h>
#include <stddef.h>

/* Types of a point: the sign says whether it ends a branch by request. */
enum auto_type { AUTO_FOLD = 5, AUTO_USER = -4, AUTO_END = 9, AUTO_FAILED = -9 };

struct auto_solution {
    int label, type;            /* LAB, enum auto_type or another of AUTO */
    int points, unknowns;       /* of the mesh; n */
    double *u;                  /* [points][unknowns] on [0, 1] */
    int parameters;
    double *parameter;          /* [parameters] */
};

/* Reads the last solution of a file's text, which ends with a zero byte. False, and what
   is wrong in why [size]: it is not such a file, or breaks off. To be cleared in any
   case. */
bool auto_solution_read(const char *text, struct auto_solution *out, char *why,
                        size_t size);
void auto_solution_clear(struct auto_solution *solution);

/* Unknown i at the begin, or end, of [0, 1]. */
static inline double auto_solution_at(const struct auto_solution *solution, bool end,
                                      int i)
{
    return solution->u[(end ? solution->points - 1 : 0)*solution->unknowns + i];
}

#endif
