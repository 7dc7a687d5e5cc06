/*
 * loops.h - loops and sizes of a model file: chains, rows and grids of equal parts.
 *
 *     sizes: {N: 4}
 *     coordinates:
 *       - for k in 1..N: [x<k>, y<k>]
 *     initial:
 *       guess:
 *         for k in 1..N: {x<k>: <k>*L}
 *
 * An item of a list that is a table with the one key `for INDEX in FIRST..LAST`, or an
 * entry of a table with such a key, is repeated and takes its place in the list or table
 * around it. In every text below it <k>, <k-1>, <2*k + N> are replaced by the integer.
 */
#ifndef SALTUS_FILE_LOOPS_H
#define SALTUS_FILE_LOOPS_H

#include "file/document.h"

/* Replaces the root of a document by one without loops. BAD_INPUT: a size or an index is
   no integer, or there are too many turns. */
enum status loops_expand(struct document *document, struct diagnosis *diagnosis);

#endif
