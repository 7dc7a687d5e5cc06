/*
 * ranks_mpi.c - the processes of mpirun (make MPI=1).
 *
 * Rank 0 answers, one thread of it and one message at a time; the others ask. A question
 * and its answer are two numbers; lines follow the two numbers that announce them.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "options/command.h"
#include "sweep/identity.h"
#include "sweep/interrupt.h"
#include "sweep/ranks.h"

enum tag { ASK, ANSWER, GIVE, LINES, LEAVE };

static int number, count = 1;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* MPI is opened outside of mpirun, too, where there is one rank. */
void ranks_open(void)
{
    int threads;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (threads < MPI_THREAD_SERIALIZED)
        slip("this MPI cannot be called from threads");
}

/* After an interruption the others may be gone, or still be busy: nobody waits. */
void ranks_close(void)
{
    if (count > 1 && interrupt_seen())
        MPI_Abort(MPI_COMM_WORLD, EXIT_INTERRUPTED);
    MPI_Finalize();
}

int ranks_number(void)
{
    return number;
}

int ranks_count(void)
{
    return count;
}

bool ranks_told(bool good)
{
    int word = good;
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return word;
}

bool ranks_agree(const char *heading)
{
    uint64_t own = text_identity(heading), first = own;
    MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    int same = own == first, all;
    MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

static void send(long a, long b, int to, enum tag tag)
{
    long pair[2] = {a, b};
    MPI_Send(pair, 2, MPI_LONG, to, tag, MPI_COMM_WORLD);
}

static void nap(long nanoseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

/* --- rank 0 ------------------------------------------------------------------------- */

/* Waits for a message; MPI_Recv would keep a processor busy. false: interrupted, and
   nothing came. */
static bool await(MPI_Status *status)
{
    int there = 0;
    while (!there && !interrupt_seen()) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, status);
        if (!there)
            nap(50000);
    }
    return there;
}

static void answer(struct batches *batches, int from, long wanted)
{
    long first = 0;
    int rows = (int)wanted;
    enum take taken = batches_try(batches, &first, &rows);
    send(first, taken == TAKE_ROWS ? rows : taken == TAKE_LATER ? 0 : -1, from, ANSWER);
}

static void receive_lines(struct batches *batches, int from, long first, long length)
{
    char *lines = malloc((size_t)length + 1);
    if (!lines)
        memory_exhausted();
    MPI_Recv(lines, (int)length, MPI_CHAR, from, LINES, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    lines[length] = '\0';
    batches_give(batches, first, lines);
}

void ranks_serve(struct batches *batches)
{
    MPI_Status status;
    for (int here = count - 1; here > 0 && await(&status);) {
        long pair[2];
        MPI_Recv(pair, 2, MPI_LONG, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (status.MPI_TAG == ASK)
            answer(batches, status.MPI_SOURCE, pair[0]);
        else if (status.MPI_TAG == GIVE)
            receive_lines(batches, status.MPI_SOURCE, pair[0], pair[1]);
        else
            here--;
    }
}

/* --- the others --------------------------------------------------------------------- */

static void ask(long wanted, long answered[2])
{
    pthread_mutex_lock(&one_at_a_time);
    send(wanted, 0, 0, ASK);
    MPI_Recv(answered, 2, MPI_LONG, 0, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&one_at_a_time);
}

bool ranks_take(long *first, int *rows)
{
    long answered[2];
    for (ask(*rows, answered); answered[1] == 0; ask(*rows, answered))
        nap(2000000);
    *first = answered[0];
    *rows = (int)answered[1];
    return *rows > 0;
}

void ranks_give(long first, char *lines)
{
    long length = (long)strlen(lines);
    pthread_mutex_lock(&one_at_a_time);
    send(first, length, 0, GIVE);
    MPI_Send(lines, (int)length, MPI_CHAR, 0, LINES, MPI_COMM_WORLD);
    pthread_mutex_unlock(&one_at_a_time);
    free(lines);
}

void ranks_leave(void)
{
    send(0, 0, 0, LEAVE);
}
