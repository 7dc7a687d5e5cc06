/*
 * cleanup.c - handlers of signals that remove files and end processes (cleanup.h)
 */
#include "base/cleanup.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 1024, MOST_PROCESSES = 1024 };

static _Atomic(const char *) file[MOST_FILES];
static _Atomic pid_t process[MOST_PROCESSES];   /* a group stands as its negative, as in
                                                   kill(2) */
static _Atomic pid_t command;

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
static const int told_by_writes[] = {SIGPIPE, SIGXFSZ};
enum {
    ENDINGS = sizeof endings / sizeof *endings,
    TOLD_BY_WRITES = sizeof told_by_writes / sizeof *told_by_writes
};

/* --- signals ------------------------------------------------------------------------ */

void cleanup_end_command(pid_t pid)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    siginfo_t end = {.si_pid = 0};
    kill(-pid, SIGTERM);
    for (int k = 0; k < 200; k++) {
        if (waitid(P_PID, (id_t)pid, &end, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            end.si_pid == pid)
            break;
        nanosleep(&moment, NULL);
    }
    kill(-pid, SIGKILL);
}

void cleanup_now(void)
{
    pid_t running = atomic_load(&command);
    if (running > 0)
        cleanup_end_command(running);
    for (int k = 0; k < MOST_PROCESSES; k++) {
        pid_t pid = atomic_load(&process[k]);
        if (pid != 0)
            kill(pid, pid < 0 ? SIGKILL : SIGTERM);
    }
    for (int k = 0; k < MOST_FILES; k++) {
        const char *path = atomic_load(&file[k]);
        if (path)
            unlink(path);
    }
}

/* The signal is raised again with its default, so that our parent sees which it was. */
static void clean_up(int number)
{
    cleanup_now();
    signal(number, SIG_DFL);
    raise(number);
}

void cleanup_watch(void)
{
    for (int k = 0; k < TOLD_BY_WRITES; k++)
        signal(told_by_writes[k], SIG_IGN);
    for (int k = 0; k < ENDINGS; k++) {
        struct sigaction now;
        if (sigaction(endings[k], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            signal(endings[k], clean_up);
    }
}

void cleanup_reset(void)
{
    for (int k = 0; k < TOLD_BY_WRITES; k++)
        signal(told_by_writes[k], SIG_DFL);
    for (int k = 0; k < ENDINGS; k++)
        signal(endings[k], SIG_DFL);
    atomic_store(&command, 0);
    for (int k = 0; k < MOST_PROCESSES; k++)
        atomic_store(&process[k], 0);
    for (int k = 0; k < MOST_FILES; k++)
        atomic_store(&file[k], NULL);
}

void cleanup_hold(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    for (int k = 0; k < ENDINGS; k++)
        sigaddset(&held, endings[k]);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

void cleanup_let(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* --- registers ---------------------------------------------------------------------- */

void cleanup_file(const char *path)
{
    for (int k = 0; k < MOST_FILES; k++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&file[k], &none, path))
            return;
    }
}

void cleanup_forget_file(const char *path)
{
    for (int k = 0; k < MOST_FILES; k++) {
        const char *same = path;
        atomic_compare_exchange_strong(&file[k], &same, NULL);
    }
}

/* The first entry that is `from` becomes `to`. */
static void change_process(pid_t from, pid_t to)
{
    for (int k = 0; k < MOST_PROCESSES; k++) {
        pid_t there = from;
        if (atomic_compare_exchange_strong(&process[k], &there, to))
            return;
    }
}

void cleanup_group(pid_t pid)
{
    change_process(0, -pid);
}

void cleanup_forget_group(pid_t pid)
{
    change_process(-pid, 0);
}

void cleanup_supervisor(pid_t pid)
{
    change_process(0, pid);
}

void cleanup_forget_supervisor(pid_t pid)
{
    change_process(pid, 0);
}

void cleanup_command(pid_t pid)
{
    atomic_store(&command, pid);
}
