#include "plugins/whole.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* The signals of a crash end it, whatever a sanitizer would do; SIGALRM is the time
   limit. */
_Noreturn static void work(const struct args *args, pid_t parent, double limit)
{
    static const int plain[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    const struct rlimit none = {0, 0};
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)limit}};
    timer.it_value.tv_usec = (suseconds_t)(1e6 * (limit - (double)(time_t)limit));
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        signal(plain[k], SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_USAGE);
    if (limit > 0)
        setitimer(ITIMER_REAL, &timer, NULL);
    enum exit_status status = args->command->run(args);
    if (fflush(stdout) != 0 || ferror(stdout))
        status = complain(args, "standard output cannot be written");
    fflush(stderr);
    _exit((int)status);
}

enum exit_status run_whole_apart(const struct args *args)
{
    double limit = 0;
    int end = 0;
    if (!args_positive(args, OPTION_TIMEOUT, &limit))
        return EXIT_USAGE;
    fflush(stdout);
    fflush(stderr);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        work(args, parent, limit);
    if (pid < 0)
        return complain(args, "no process for the plug-ins: %s", strerror(errno));
    while (waitpid(pid, &end, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(end))
        return (enum exit_status)WEXITSTATUS(end);
    if (WTERMSIG(end) == SIGALRM && limit > 0)
        return complain(args, "with these plug-ins: no end after %g s (--timeout)",
                        limit);
    return complain(args, "with these plug-ins: ended by signal %d, %s", WTERMSIG(end),
                    strsignal(WTERMSIG(end)));
}
