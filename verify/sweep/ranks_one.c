/*
 * ranks_one.c - one process: there are no others to talk to.
 */
#include "base/memory.h"
#include "sweep/ranks.h"

void ranks_open(void)
{
}

void ranks_close(void)
{
}

int ranks_number(void)
{
    return 0;
}

int ranks_count(void)
{
    return 1;
}

bool ranks_told(bool good)
{
    return good;
}

bool ranks_agree(const char *heading)
{
    (void)heading;
    return true;
}

void ranks_serve(struct batches *batches)
{
    (void)batches;
}

bool ranks_take(long *first, int *count)
{
    (void)first;
    (void)count;
    slip("there is one process");
}

void ranks_give(long first, char *lines)
{
    (void)first;
    (void)lines;
    slip("there is one process");
}

void ranks_leave(void)
{
    slip("there is one process");
}
