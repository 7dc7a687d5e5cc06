/*
 * interrupt.h - Ctrl-C and SIGTERM end a long command in good order.
 */
#ifndef SALTUS_INTERRUPT_H
#define SALTUS_INTERRUPT_H

#include <stdbool.h>

/* From now on the first such signal is only noted; the second has its usual effect. */
void interrupt_watch(void);
/* Has a signal come? Any thread may ask. */
bool interrupt_seen(void);
/* Progress callback of requests (run.h): a run goes on until a signal has come. */
bool interrupt_progress(void *context, double done);

#endif
