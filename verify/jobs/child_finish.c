/*
 * child_finish.c - listening to a child, and how it ended.
 */
#include "base/memory.h"
#include "jobs/child_parts.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"

enum { TAIL = 1000, TICK = 100 };
static const size_t default_most = (size_t)64 << 20;

/* --- what it says ------------------------------------------------------------------- */

/* All that has come from a child, and how it ended. */
struct heard {
    struct child *child;
    const struct child_request *request;
    size_t sent, most;
    char *text;                     /* the answer */
    size_t length, room;
    char tail[TAIL + 1];            /* the end of its standard error */
    int tail_length;
    struct timespec start;
    bool reaped, too_long;
    int end;                        /* status of waitpid(2) */
};

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) +
           1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

static void shut(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

/* Sends the go-ahead, then as much of the input as the child takes. */
static void feed(struct heard *heard)
{
    const struct child_request *request = heard->request;
    int *input = &heard->child->input;
    while (*input >= 0 && heard->sent < 1 + request->input_length) {
        static const char go = CHILD_GO;
        const char *from = heard->sent == 0 ? &go : request->input + heard->sent - 1;
        size_t left = heard->sent == 0 ? 1 : 1 + request->input_length - heard->sent;
        ssize_t put = write(*input, from, left);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0 && errno == EAGAIN)
            return;
        if (put <= 0)
            break;                  /* the child does not read all of its input, which is
                                       its affair */
        heard->sent += (size_t)put;
    }
    shut(input);
}

static void keep_answer(struct heard *heard, const char *text, size_t length)
{
    if (heard->length + length > heard->most) {
        heard->too_long = true;
        return;
    }
    if (heard->length + length + 1 > heard->room) {
        heard->room = 2 * (heard->length + length + 1);
        heard->text = realloc(heard->text, heard->room);
        if (!heard->text)
            memory_exhausted();
    }
    memcpy(heard->text + heard->length, text, length);
    heard->length += length;
}

static void keep_tail(struct heard *heard, const char *text, size_t length)
{
    if (length > TAIL) {
        text += length - TAIL;
        length = TAIL;
    }
    int kept = heard->tail_length, excess = kept + (int)length - TAIL;
    if (excess > 0) {
        memmove(heard->tail, heard->tail + excess, (size_t)(kept - excess));
        kept -= excess;
    }
    memcpy(heard->tail + kept, text, length);
    heard->tail_length = kept + (int)length;
}

/* Reads everything that is there now; closes the descriptor at its end. */
static void receive(struct heard *heard, int *from,
                    void (*keep)(struct heard *, const char *, size_t))
{
    char piece[65536];
    while (*from >= 0 && !heard->too_long) {
        ssize_t got = read(*from, piece, sizeof piece);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return;
        if (got <= 0)
            shut(from);
        else
            keep(heard, piece, (size_t)got);
    }
}

static void reap(struct heard *heard, int options)
{
    if (!heard->reaped && waitpid(heard->child->pid, &heard->end, options) != 0)
        heard->reaped = true;
}

/* One round sends and receives all that can be sent and received, and waits TICK ms at
   most. */
static void round_trip(struct heard *heard, double left)
{
    struct child *child = heard->child;
    struct pollfd poll_on[3] = {{.fd = child->input, .events = POLLOUT},
                                {.fd = child->output, .events = POLLIN},
                                {.fd = child->errors, .events = POLLIN}};
    int wait = left < TICK / 1000.0 ? (int)(1000 * left) + 1 : TICK;
    if (child->output < 0 && child->errors < 0)
        wait = wait < 5 ? wait : 5;         /* only the end of the child is still to
                                               come */
    poll(poll_on, 3, wait);
    reap(heard, WNOHANG);       /* reaped first: all that it wrote before its end is there
                                   then */
    feed(heard);
    receive(heard, &child->output, keep_answer);
    receive(heard, &child->errors, keep_tail);
    if (heard->request->tick)
        heard->request->tick(heard->request->tick_context);
}

/* True: the child has ended by itself. */
static bool listen_to(struct heard *heard)
{
    double limit = heard->request->timeout;
    clock_gettime(CLOCK_MONOTONIC, &heard->start);
    feed(heard);
    while (!heard->reaped && !heard->too_long) {
        double left = limit > 0 ? limit - seconds_since(&heard->start) : INFINITY;
        if (left <= 0)
            return false;
        round_trip(heard, left);
    }
    return !heard->too_long;
}

/* Ends the child, and every process that it has left behind (supervise.c). */
static void end(struct heard *heard)
{
    if (!heard->reaped)
        kill(heard->child->pid, SIGTERM);
    reap(heard, 0);
    cleanup_forget_supervisor(heard->child->pid);
}

static void release(struct child *child)
{
    shut(&child->input);
    shut(&child->output);
    shut(&child->errors);
    free(child);
}

/* --- the verdict -------------------------------------------------------------------- */

/* The last line that has something on it, as printable characters, or "". */
static void last_words(const struct heard *heard, char *text, int size)
{
    const char *tail = heard->tail;
    int end = heard->tail_length;
    while (end > 0 && isspace((unsigned char)tail[end - 1]))
        end--;
    int begin = end;
    while (begin > 0 && tail[begin - 1] != '\n')
        begin--;
    int used = snprintf(text, (size_t)size, "%s", begin < end ? "; it said: " : "");
    for (; begin < end && used < size - 1; begin++)
        text[used++] = isprint((unsigned char)tail[begin]) ? tail[begin] : '?';
    text[used] = '\0';
}

static enum status check_frame(struct heard *heard)
{
    struct head head;
    if (!heard->child->framed)
        return OK;
    if (heard->length < sizeof head)
        return BAD_ANSWER;
    memcpy(&head, heard->text, sizeof head);
    size_t length = heard->length - sizeof head;
    const char *body = heard->text + sizeof head;
    struct head right = head_of(body, length);
    if (memcmp(head.magic, right.magic, sizeof right.magic) != 0 ||
        head.length != right.length || head.hash != right.hash)
        return BAD_ANSWER;
    memmove(heard->text, body, length);
    heard->length = length;
    return OK;
}

static enum status judge_end(struct heard *heard, bool by_itself,
                             struct diagnosis *diagnosis)
{
    const char *who = heard->request->who, *set_by = heard->request->set_by;
    char said[220];
    last_words(heard, said, sizeof said);
    if (heard->too_long)
        return diagnose(diagnosis, BAD_ANSWER, NAN,
                        "%s was killed: its answer is longer than %zu MB%s", who,
                        heard->most >> 20, said);
    if (!by_itself)
        return diagnose(diagnosis, TIMED_OUT, NAN,
                        "%s was killed: no answer in %g s%s%s%s%s", who,
                        heard->request->timeout, set_by ? " (" : "", set_by ? set_by : "",
                        set_by ? ")" : "", said);
    if (WIFSIGNALED(heard->end))
        return diagnose(diagnosis, CRASHED, NAN, "%s was ended by signal %d, %s%s", who,
                        WTERMSIG(heard->end), strsignal(WTERMSIG(heard->end)), said);
    if (WEXITSTATUS(heard->end) != 0)
        return diagnose(diagnosis, BAD_ANSWER, NAN, "%s ended with exit status %d%s", who,
                        WEXITSTATUS(heard->end), said);
    if (check_frame(heard) != OK)
        return diagnose(diagnosis, BAD_ANSWER, NAN,
                        "%s ended without a complete answer%s", who, said);
    return OK;
}

enum status child_finish(struct child *child, const struct child_request *request,
                         char **answer, size_t *length, struct diagnosis *diagnosis)
{
    struct heard heard = {.child = child, .request = request,
                          .most = request->most ? request->most : default_most};
    bool by_itself = listen_to(&heard);
    end(&heard);
    enum status status = judge_end(&heard, by_itself, diagnosis);
    keep_answer(&heard, "", 0);
    *answer = NULL;
    *length = 0;
    if (status == OK) {
        heard.text[heard.length] = '\0';
        *answer = heard.text;
        *length = heard.length;
    } else {
        free(heard.text);
    }
    release(child);
    return status;
}

void child_discard(struct child *child)
{
    struct heard heard = {.child = child};
    end(&heard);
    release(child);
}
