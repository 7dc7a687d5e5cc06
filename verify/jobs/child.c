/*
 * child.c - processes made before there are threads, each of which waits for its
 * go-ahead.
 */
#include "jobs/child_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

enum { ANSWER = 3, FIRST_FREE = 10 };

static uint64_t hash_of(const char *text, size_t length)    /* FNV-1a */
{
    uint64_t hash = 14695981039346656037u;
    for (size_t k = 0; k < length; k++)
        hash = (hash ^ (unsigned char)text[k]) * 1099511628211u;
    return hash;
}

struct head head_of(const char *answer, size_t length)
{
    return (struct head){"saltus1", length, hash_of(answer, length)};
}

/* --- in the child ------------------------------------------------------------------- */

struct ends {
    int in[2], out[2], err[2];
};

/* Signals of a crash have their default: a sanitizer's handler would exit instead of
   being ended by the signal. No core file is left behind. */
static void become_plain(pid_t parent)
{
    static const int plain[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    const struct rlimit none = {0, 0};
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        signal(plain[k], SIG_DFL);
    cleanup_reset();
    setrlimit(RLIMIT_CORE, &none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
}

static void wait_for_go(void)
{
    char first = 0;
    ssize_t got;
    do
        got = read(STDIN_FILENO, &first, 1);
    while (got < 0 && errno == EINTR);
    if (got != 1 || first != CHILD_GO)
        _exit(0);
    supervise(0);
}

static void write_all(int descriptor, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t put = write(descriptor, text, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            _exit(1);
        text += put;
        length -= (size_t)put;
    }
}

_Noreturn static void be_function(void (*work)(void *, FILE *), void *context)
{
    char *text = NULL;
    size_t length = 0;
    wait_for_go();
    FILE *answer = open_memstream(&text, &length);
    if (!answer)
        _exit(1);
    work(context, answer);
    if (fclose(answer) != 0)
        _exit(1);
    fflush(stdout);
    fflush(stderr);
    struct head head = head_of(text, length);
    write_all(ANSWER, (const char *)&head, sizeof head);
    write_all(ANSWER, text, length);
    _exit(0);       /* no handlers run and no streams are flushed: they are copies of the
                       parent's */
}

_Noreturn static void be_command(const char *command)
{
    wait_for_go();
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* --- making one --------------------------------------------------------------------- */

/* The ends of the pipe lie beyond the descriptors that the child gives a meaning to. */
static bool make_pipe(int *end)
{
    int low[2];
    if (pipe2(low, O_CLOEXEC) != 0)
        return false;
    for (int k = 0; k < 2; k++) {
        end[k] = fcntl(low[k], F_DUPFD_CLOEXEC, FIRST_FREE);
        close(low[k]);
    }
    if (end[0] >= 0 && end[1] >= 0)
        return true;
    for (int k = 0; k < 2; k++)
        if (end[k] >= 0)
            close(end[k]);
    return false;
}

static void close_pipe(const int *end)
{
    close(end[0]);
    close(end[1]);
}

static bool make_ends(struct ends *ends)
{
    if (!make_pipe(ends->in))
        return false;
    if (!make_pipe(ends->out)) {
        close_pipe(ends->in);
        return false;
    }
    if (!make_pipe(ends->err)) {
        close_pipe(ends->in);
        close_pipe(ends->out);
        return false;
    }
    return true;
}

static struct child *parent_of(pid_t pid, const struct ends *ends, bool framed)
{
    const int ours[] = {ends->in[1], ends->out[0], ends->err[0]};
    const int theirs[] = {ends->in[0], ends->out[1], ends->err[1]};
    for (int k = 0; k < 3; k++) {
        close(theirs[k]);
        fcntl(ours[k], F_SETFL, O_NONBLOCK);
    }
    setpgid(pid, pid);      /* parent and child both call this: whoever is first */
    cleanup_supervisor(pid);    /* the child does not hear the terminal's ^C */
    struct child *child = memory_new(1, sizeof *child);
    *child = (struct child){pid, ours[0], ours[1], ours[2], framed};
    return child;
}

/* Raises the limit of open files: a child has three descriptors, and a table may have
   hundreds of rows. */
static void allow_many(void)
{
    const rlim_t wanted = 8192;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static struct child *make(void (*work)(void *, FILE *), void *context,
                          const char *command)
{
    struct ends ends;
    allow_many();
    if (!make_ends(&ends))
        return NULL;
    fflush(stdout);
    fflush(stderr);
    pid_t parent = getpid(), pid = fork();
    if (pid > 0)
        return parent_of(pid, &ends, work != NULL);
    if (pid < 0) {
        int error = errno;
        close_pipe(ends.in);
        close_pipe(ends.out);
        close_pipe(ends.err);
        errno = error;
        return NULL;
    }
    become_plain(parent);
    dup2(ends.in[0], STDIN_FILENO);
    dup2(ends.err[1], STDERR_FILENO);
    dup2(work ? ends.err[1] : ends.out[1], STDOUT_FILENO);
    if (work)
        dup2(ends.out[1], ANSWER);
    closefrom(work ? ANSWER + 1 : ANSWER);
    if (work)
        be_function(work, context);
    be_command(command);
}

struct child *child_new(void (*work)(void *context, FILE *answer), void *context)
{
    return make(work, context, NULL);
}

struct child *child_command(const char *command)
{
    return make(NULL, NULL, command);
}
