/*
 * memory.h - memory allocation that cannot fail: without memory the process ends, and
 * says so.
 */
#ifndef SALTUS_MEMORY_H
#define SALTUS_MEMORY_H

#include <setjmp.h>
#include <stddef.h>

/* `count` items of `size` bytes, all zero; never NULL, not even for count = 0. To be
   freed. */
void *memory_new(int count, size_t size);
/* Makes room for `needed` items: doubles *capacity as often as necessary; new items
   are zero. Returns the moved memory. */
void *memory_grow(void *old, int *capacity, int needed, size_t size);
/* Copies `count` items; if there are none, `from` may be NULL (memcpy does not allow
   that). */
void memory_copy(void *to, const void *from, int count, size_t size);
/* A copy of the first `length` characters of text. To be freed. */
char *memory_text(const char *text, size_t length);

/* Exit status of a process that has no memory left. */
enum { MEMORY_EXHAUSTED = 4 };
/* Says in one line that there is no memory left, calls the function given to
   memory_at_exhaustion, and ends the process with status MEMORY_EXHAUSTED. */
_Noreturn void memory_exhausted(void);
/* Sets the function called before the end; it must not allocate; NULL: none. To be
   called before there are threads. */
void memory_at_exhaustion(void (*last)(void));

/* Ends by a programming error: prints the message and aborts, or jumps to the trap of
   this thread. */
_Noreturn void slip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A trap keeps a slip of code that is not ours, a case file, from ending the process:

          slip_trap_set(&trap);
          if (setjmp(trap.place) == 0)
              ... the code; slip() does not return to it ...
          else
              ... trap.message says what slipped ...
          slip_trap_remove(&trap);

   Memory that the code had allocated and not handed over is lost. */
struct slip_trap {
    jmp_buf place;              /* set by the caller */
    char message[300];          /* set by slip() */
    struct slip_trap *outer;    /* the trap of this thread before */
};
/* Makes a trap that of this thread. */
void slip_trap_set(struct slip_trap *trap);
/* Removes a trap; the one before it is that of this thread again. */
void slip_trap_remove(const struct slip_trap *trap);

#endif
