/*
 * standard.c - standard streams that are closed, without a reader, or taken (standard.h)
 */
#include "base/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"

enum { FIRST_FREE = 10 };       /* first descriptor behind those that children are
                                   given */

static volatile sig_atomic_t output = STDOUT_FILENO;    /* descriptor of standard output;
                                                           standard_take moves it */
static volatile sig_atomic_t goes_on;   /* the command writes files and goes on without a
                                           reader */
static volatile sig_atomic_t reader_gone;

void standard_open(void)
{
    static const int way[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int k = STDIN_FILENO; k <= STDERR_FILENO; k++)
        if (fcntl(k, F_GETFD) < 0)
            (void)!open("/dev/null", way[k]);
}

bool standard_is_read(void)
{
    struct pollfd out = {.fd = output};
    return !reader_gone && !(poll(&out, 1, 0) == 1 && (out.revents & POLLERR));
}

_Noreturn void standard_end_by_pipe(void)
{
    cleanup_now();
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
    _exit(128 + SIGPIPE);       /* SIGPIPE is blocked */
}

/* Sends everything that is printed from now on to /dev/null. False and errno. */
static bool print_nowhere(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    bool done = nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0;
    if (nowhere >= 0)
        close(nowhere);
    return done;
}

static void on_closed_pipe(int number)
{
    int error = errno;
    (void)number;
    if (!reader_gone && !standard_is_read()) {
        reader_gone = 1;
        if (!goes_on || !print_nowhere())
            standard_end_by_pipe();
    }
    errno = error;
}

void standard_watch(bool files)
{
    goes_on = files;
    signal(SIGPIPE, on_closed_pipe);
}

void standard_take(void)
{
    int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, FIRST_FREE);
    if (kept < 0)
        return;
    output = kept;
    if (print_nowhere())
        return;
    output = STDOUT_FILENO;
    close(kept);
}

bool standard_taken(void)
{
    return output != STDOUT_FILENO;
}

int standard_output(void)
{
    return output;
}

bool standard_end(void)
{
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (reader_gone)
        standard_end_by_pipe();
    return written;
}
