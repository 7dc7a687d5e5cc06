/*
 * model_guard.c - memory faults in a case file (SIGSEGV) as errors of the case.
 *
 * The handler of SIGSEGV is installed while a case is recorded, by any thread. In a
 * thread that records none, and for a signal that was sent, it restores the handler
 * before it, which then takes the signal.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#include "base/memory.h"
#include "model_internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int recorders;                   /* threads that record */
static struct sigaction usual;          /* the handler before */

enum { DEEPEST = 8 };                   /* models recorded within models */
static _Thread_local const struct model *recorded[DEEPEST];
static _Thread_local int depth;

static void on_fault(int number, siginfo_t *info, void *context)
{
    char text[250];
    (void)context;
    if (depth == 0 || info->si_code <= 0) {
        sigaction(number, &usual, NULL);
        if (info->si_code <= 0)
            raise(number);
        return;                         /* the fault occurs again, for the usual
                                           handler */
    }
    const struct model *model = recorded[depth <= DEEPEST ? depth - 1 : DEEPEST - 1];
    if (!model_far_entry(model, info->si_addr, text, sizeof text))
        snprintf(text, sizeof text, "here or behind this line a pointer that is NULL is "
                 "used, or an index far outside of an array");
    slip("%s", text);
}

void model_guard_begin(const struct model *model)
{
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    if (depth < DEEPEST)
        recorded[depth] = model;
    depth++;
    pthread_mutex_lock(&lock);
    if (recorders++ == 0)
        sigaction(SIGSEGV, &action, &usual);
    pthread_mutex_unlock(&lock);
}

void model_guard_end(void)
{
    depth--;
    pthread_mutex_lock(&lock);
    if (--recorders == 0)
        sigaction(SIGSEGV, &usual, NULL);
    pthread_mutex_unlock(&lock);
}
