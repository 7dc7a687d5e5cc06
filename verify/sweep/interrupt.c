/*
 * interrupt.c - Ctrl-C and SIGTERM noted, to end between two rows (interrupt.h)
 */
#include "sweep/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool seen;

static void note(int number)
{
    signal(number, SIG_DFL);
    atomic_store(&seen, true);
}

void interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_seen(void)
{
    return atomic_load(&seen);
}

bool interrupt_progress(void *context, double done)
{
    (void)context;
    (void)done;
    return !interrupt_seen();
}
