/*
 * clock.c - processor time by the clocks of POSIX (clock.h)
 */
#include "base/clock.h"

#include <time.h>

double thread_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
