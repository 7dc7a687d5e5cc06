/*
 * clock.h - the time that a computation takes.
 */
#ifndef SALTUS_CLOCK_H
#define SALTUS_CLOCK_H

/* The processor time of this thread so far, in seconds. */
double thread_seconds(void);

#endif
