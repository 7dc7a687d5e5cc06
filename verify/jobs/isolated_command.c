/*
 * isolated_command.c - a command that calls code of plug-ins, in a child
 * (isolated_command.h)
 */
#include "jobs/isolated_command.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/standard.h"
#include "jobs/child_parts.h"

/* The byte by which the child says that its command has come to its end: exit(0) in a
   plug-in would look like that. */
enum { ENDED = 'e' };

/* Seconds that a command which is ended has to remove its temporary files;
   cleanup_end_command waits longer. */
static const double grace = 0.5;

/* --- in the child ------------------------------------------------------------------- */

/* The signals of a crash end the process, whatever a sanitizer would do. */
_Noreturn static void work(const struct args *args, pid_t parent, int told)
{
    static const int plain[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static const char ended = ENDED;
    const struct rlimit none = {0, 0};
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        signal(plain[k], SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_USAGE);
    supervise(grace);
    enum exit_status status = args->command->run(args);
    fflush(stderr);
    if (!standard_end())
        status = complain(args, "standard output cannot be written");
    if (write(told, &ended, 1) != 1)
        status = EXIT_USAGE;
    _exit((int)status);     /* no destructors run: they are the plug-in's */
}

/* --- here --------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Waits for the end of the child, which nothing that it does can put off. False: the time
   was up, and the child was killed. */
static bool wait_for(pid_t pid, double limit, int *end)
{
    enum { FIRST = 1, LONGEST = 20 };       /* ms between two looks */
    double until = limit > 0 ? now() + limit : INFINITY;
    int wait = FIRST;
    for (;;) {
        pid_t ended = waitpid(pid, end, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR))
            return true;
        double left = until - now();
        if (left <= 0)
            break;
        poll(NULL, 0, left < 1e-3 * wait ? (int)(1e3 * left) + 1 : wait);
        wait = wait < LONGEST ? wait + 1 : wait;
    }
    cleanup_end_command(pid);
    while (waitpid(pid, end, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

static enum exit_status judge_end(const struct args *args, int end, bool in_time,
                                  double limit, int told)
{
    char said = 0;
    bool whole = read(told, &said, 1) == 1 && said == ENDED;
    if (!in_time)
        return complain(args, "with these plug-ins: no end after %g s (--timeout)",
                        limit);
    if (WIFSIGNALED(end) && WTERMSIG(end) == SIGPIPE && !standard_is_read())
        standard_end_by_pipe();
    if (WIFSIGNALED(end))
        return complain(args, "with these plug-ins: ended by signal %d, %s",
                        WTERMSIG(end), strsignal(WTERMSIG(end)));
    if (!whole && WEXITSTATUS(end) == EXIT_MEMORY)
        return EXIT_MEMORY;
    if (!whole)
        return complain(args, "with these plug-ins: ended before its end, with exit "
                        "status %d; a plug-in may not end the process",
                        WEXITSTATUS(end));
    return (enum exit_status)WEXITSTATUS(end);
}

enum exit_status isolated_command_run(const struct args *args)
{
    double limit = 0;
    int end = 0, told[2];
    if (!args_positive(args, OPTION_TIMEOUT, &limit))
        return EXIT_USAGE;
    fflush(stdout);
    fflush(stderr);
    if (pipe2(told, O_CLOEXEC | O_NONBLOCK) != 0)
        return complain(args, "no pipe for the plug-ins: %s", strerror(errno));
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        work(args, parent, told[1]);
    enum exit_status status;
    if (pid < 0) {
        status = complain(args, "no process for the plug-ins: %s", strerror(errno));
    } else {
        setpgid(pid, pid);      /* parent and child both call this: whoever is first */
        cleanup_command(pid);
        bool in_time = wait_for(pid, limit, &end);
        cleanup_command(0);
        kill(-pid, SIGKILL);    /* ends every process that the child has left in its
                                   group */
        status = judge_end(args, end, in_time, limit, told[0]);
    }
    close(told[0]);
    close(told[1]);
    return status;
}
