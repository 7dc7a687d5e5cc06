/*
 * ranks.h - the processes of one sweep: one, or those of mpirun (make MPI=1).
 *
 * Rank 0 has the output and gives batches to the others. Without MPI=1 there is one rank,
 * ranks_one.c; with it ranks_mpi.c.
 */
#ifndef SALTUS_RANKS_H
#define SALTUS_RANKS_H

#include "sweep/batches.h"

/* At the beginning and the end of the command. */
void ranks_open(void);
void ranks_close(void);
int ranks_number(void);             /* of this process, 0 .. ranks_count() - 1 */
int ranks_count(void);

/* Rank 0 says it to the others; what it said. */
bool ranks_told(bool good);
/* Have all the same heading as rank 0? */
bool ranks_agree(const char *heading);
/* Rank 0: gives batches to the others until none is left and all have gone. */
void ranks_serve(struct batches *batches);
/* The others, from any thread: as batches_take and batches_give. */
bool ranks_take(long *first, int *count);
void ranks_give(long first, char *lines);
/* They will take no more. */
void ranks_leave(void);

#endif
