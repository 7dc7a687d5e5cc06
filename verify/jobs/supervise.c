/*
 * supervise.c - a process that ends whatever the code of others has started.
 *
 * A process in a session of its own, or one whose parent has ended, is in no group that
 * could be killed. The supervisor is what Linux calls a subreaper: descendants without a
 * parent become its children, so that none is left when it has no child any more.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "jobs/child_parts.h"

/* Is `name` the number of a child of this process? */
static bool is_child(const char *name)
{
    char path[80];
    long parent = -1;
    snprintf(path, sizeof path, "/proc/%.20s/stat", name);
    FILE *file = *name >= '1' && *name <= '9' ? fopen(path, "re") : NULL;
    if (!file)
        return false;
    /* the name of the program stands in parentheses, and may contain any character */
    char line[400];
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    while (length > 0 && line[length] != ')')
        length--;
    return sscanf(line + length, ") %*c %ld", &parent) == 1 && parent == (long)getpid();
}

static void kill_children(void)
{
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes && (entry = readdir(processes));)
        if (is_child(entry->d_name))
            kill((pid_t)atol(entry->d_name), SIGKILL);
    if (processes)
        closedir(processes);
}

/* Kills children until there is none: the children of a killed process become ours. */
static void end_descendants(void)
{
    enum { TRIES = 400 };
    const struct timespec moment = {.tv_nsec = 5000000};
    for (int k = 0; k < TRIES; k++) {
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
            continue;
        if (ended < 0 && errno == ECHILD)
            return;
        kill_children();
        nanosleep(&moment, NULL);
    }
}

/* Ends this process as the worker ended. */
_Noreturn static void end_like(int end)
{
    if (WIFSIGNALED(end)) {
        sigset_t all;
        sigfillset(&all);
        signal(WTERMSIG(end), SIG_DFL);
        raise(WTERMSIG(end));
        sigprocmask(SIG_UNBLOCK, &all, NULL);
    }
    _exit(WIFEXITED(end) ? WEXITSTATUS(end) : EXIT_FAILURE);
}

/* Waits until the worker ends, or SIGTERM says that it is to end. */
static bool wait_for_worker(pid_t worker, const sigset_t *waited, int *end)
{
    for (;;) {
        if (waitpid(worker, end, WNOHANG) == worker)
            return true;
        int number = sigwaitinfo(waited, NULL);
        if (number == SIGTERM)
            return false;
    }
}

/* Asks the worker to end, and waits `grace` seconds for that. */
static bool end_politely(pid_t worker, double grace, int *end)
{
    enum { MOMENTS = 200 };             /* looks in a second */
    const struct timespec moment = {.tv_nsec = 1000000000 / MOMENTS};
    if (grace > 0)
        kill(-worker, SIGTERM);
    for (int left = (int)(grace * MOMENTS); left > 0; left--) {
        if (waitpid(worker, end, WNOHANG) == worker)
            return true;
        nanosleep(&moment, NULL);
    }
    return false;
}

void supervise(double grace)
{
    sigset_t waited, before;
    int end = 0;
    sigemptyset(&waited);
    sigaddset(&waited, SIGTERM);
    sigaddset(&waited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &waited, &before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t supervisor = getpid(), worker = fork();
    if (worker < 0)
        _exit(EXIT_FAILURE);
    if (worker == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != supervisor)
            _exit(EXIT_FAILURE);
        return;
    }
    setpgid(worker, worker);        /* parent and child both call this: whoever is
                                       first */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    closefrom(0);                   /* no copy of the worker's pipes stays open here */
    bool ended = wait_for_worker(worker, &waited, &end) ||
                 end_politely(worker, grace, &end);
    kill(-worker, SIGKILL);
    end_descendants();
    if (!ended)
        _exit(EXIT_FAILURE);
    end_like(end);
}
