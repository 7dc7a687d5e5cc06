/*
 * series.h - automatic differentiation by recurrences: a program evaluated on truncated
 * Taylor series, in double (Griewank & Walther 2008, ch. 13).
 *
 * Coefficient k of every row is computed from coefficients 0..k of its operands, so a
 * solver raises the order one by one: load coefficient k of the inputs, run coefficient k
 * of a stage, solve for the unknowns, run again.
 */
#ifndef SALTUS_SERIES_H
#define SALTUS_SERIES_H

#include "program/program.h"

struct series;      /* work space: (order + 1) coefficients of every slot and companion */

/* A workspace for coefficients 0 .. order of a program, which must outlive it. Free by
   series_free. */
struct series *series_new(const struct program *program, int order);
void series_free(struct series *series);
/* Sets the constants, and runs stage 0 at order 0. */
void series_init(struct series *series);
/* Sets coefficient k of variable `index` of a block; a variable that is not used is
   ignored. Aborts on a coefficient above 0, not zero, of a parameter. */
void series_load(struct series *series, int block, int index, int k, double value);
/* Computes coefficient k of the rows of a stage. */
void series_run(struct series *series, int stage, int k);
/* Coefficient k of an output. */
double series_output(const struct series *series, int output, int k);

/* The coefficients of a row, [order + 1]: of a slot, or of a companion
   (series_layout). */
double *series_row(const struct series *series, int row);

/* Rows of a series: the slots, then the companions of some (recurrences.def). */
struct series_layout {
    int rows;               /* slots and companions */
    int *companion;         /* [slots] row of the first companion, or of the twin;
                               -1: none */
    bool *twin;             /* [slots] the companion is another slot's own series */
};

/* Lays out the rows of a program. Clear by series_layout_clear. */
void series_layout_init(struct series_layout *layout, const struct program *program);
void series_layout_clear(struct series_layout *layout);
/* True: the operation is one of the PRODUCTs of recurrences.def. */
bool series_is_product(unsigned op);
/* Slots of the operands of a row as recurrences name them, a, b, c; slot 0 for one
   that the row does not have. The first operand of a product is of no later stage than
   the second. */
void series_operands(const struct program *program, int slot, int operand[3]);

#endif
