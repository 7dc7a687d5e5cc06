/*
 * series.h - a program evaluated on truncated Taylor series, in double.
 *
 * Coefficient k of every row is computed from coefficients 0..k of its operands, so a
 * solver raises the order one by one: load coefficient k of the inputs, run coefficient k
 * of a stage, solve for the unknowns, run again (Griewank & Walther 2008, ch. 13).
 */
#ifndef SALTUS_SERIES_H
#define SALTUS_SERIES_H

#include "program/program.h"

struct series;      /* work space: slots x (order + 1) coefficients, and companions */

struct series *series_new(const struct program *program, int order);
void series_free(struct series *series);
void series_init(struct series *series);                        /* constants, stage 0 */
void series_load(struct series *series, int block, int index, int k, double value);
void series_run(struct series *series, int stage, int k);       /* coefficient k */
double series_output(const struct series *series, int output, int k);

/* Where the coefficients of a row are, [order + 1]: of a slot, or of a companion. */
double *series_row(const struct series *series, int row);

/* Rows of a series: the slots, then companions of some (recurrences.def). */
struct series_layout {
    int rows;
    int *companion;         /* [slots] row of the first companion, or of the twin;
                               -1: none */
    bool *twin;             /* [slots] the companion is another slot's own series */
};

void series_layout_init(struct series_layout *layout, const struct program *program);
void series_layout_clear(struct series_layout *layout);
/* Is it one of the PRODUCTs of recurrences.def? */
bool series_is_product(unsigned op);
/* Slots of the operands of a row as recurrences name them, a, b, c; slot 0 where there is
   none. The first of a product is of no later stage than the second. */
void series_operands(const struct program *program, int slot, int operand[3]);

#endif
