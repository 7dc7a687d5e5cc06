/*
 * ranks.h - the processes of one sweep: one, or those of mpirun (make MPI=1).
 *
 * Rank 0 has the output and gives batches to the others. Without MPI=1 there is one rank,
 * ranks_one.c; with it ranks_mpi.c.
 */
#ifndef SALTUS_RANKS_H
#define SALTUS_RANKS_H

#include "sweep/batches.h"

/* To be called at the beginning of the command. */
void ranks_open(void);
/* To be called at its end. */
void ranks_close(void);
int ranks_number(void);             /* the number of this process, 0 .. ranks_count() -
                                       1 */
int ranks_count(void);

/* Rank 0 tells `good` to the others; returns what rank 0 has told. */
bool ranks_told(bool good);
/* Have all the same heading as rank 0? */
bool ranks_agree(const char *heading);
/* Rank 0: gives batches to the others until none is left and all have gone. */
void ranks_serve(struct batches *batches);
/* The others, from any thread: take a batch, as batches_take. */
bool ranks_take(long *first, int *count);
/* The others, from any thread: give the lines of a batch back, as batches_give. */
void ranks_give(long first, char *lines);
/* The others: say that they will take no more. */
void ranks_leave(void);

#endif
