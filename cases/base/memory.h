/*
 * memory.h - allocation that cannot fail: without memory the process ends, and says so.
 */
#ifndef SALTUS_MEMORY_H
#define SALTUS_MEMORY_H

#include <setjmp.h>
#include <stddef.h>

/* `count` items of `size` bytes, all zero; never NULL, also for count = 0. */
void *memory_new(int count, size_t size);
/* Room for `needed` items: doubles *capacity as often as necessary; what is new is
   zero. */
void *memory_grow(void *old, int *capacity, int needed, size_t size);
/* Copies `count` items; where there are none, `from` may be NULL (memcpy may not). */
void memory_copy(void *to, const void *from, int count, size_t size);
/* A copy of the first `length` characters of text. */
char *memory_text(const char *text, size_t length);

/* There is no memory left: says so in one line, does what memory_at_exhaustion was given,
   and ends the process with status MEMORY_EXHAUSTED. */
enum { MEMORY_EXHAUSTED = 4 };
_Noreturn void memory_exhausted(void);
/* `last` must not allocate; NULL: nothing. To be set before there is a thread. */
void memory_at_exhaustion(void (*last)(void));

/* A programming error: says what and aborts, or goes to the trap of this thread. */
_Noreturn void slip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A trap keeps a slip of code that is not ours, a case file, from ending the process:

       slip_trap_set(&trap);
       if (setjmp(trap.place) == 0)
           ... the code; slip() does not return to it ...
       else
           ... trap.message says what slipped ...
       slip_trap_remove(&trap);

   What the code had allocated and not handed over is lost. */
struct slip_trap {
    jmp_buf place;              /* set by the caller */
    char message[300];          /* set by slip() */
    struct slip_trap *outer;    /* the trap of this thread before */
};
void slip_trap_set(struct slip_trap *trap);
void slip_trap_remove(const struct slip_trap *trap);

#endif
