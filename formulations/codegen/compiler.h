/*
 * compiler.h - the system's C compiler, called as a program with a time limit.
 *
 * The compiler is SALTUS_CC, else cc, one word, found in $PATH. The program sees no
 * descriptor of ours, and is killed with all its children after SALTUS_CC_TIMEOUT seconds
 * (120).
 */
#ifndef SALTUS_COMPILER_H
#define SALTUS_COMPILER_H

#include <stddef.h>
#include <sys/types.h>

/* The name by which the compiler is called. */
const char *compiler_name(void);
/* text [size] = the identity of the compiler, which another compiler or another version
   does not have: the file behind the name and its links, the name without its folder,
   size and time of change of the file; the name alone if there is no such file. */
void compiler_identity(char *text, size_t size);
/* Seconds after which the compiler is killed. */
double compiler_limit(void);

/* The end of a call of the compiler. */
enum compiled {
    COMPILED,
    COMPILED_NOT,               /* the compiler has failed */
    COMPILED_BY_NONE,           /* there is no such program */
    COMPILED_TOO_LONG           /* the compiler was killed after its time */
};

/* Compiles the file `source` into the file `object`; flags are words with blanks between
   them. */
enum compiled compiler_run(const char *flags, const char *source, const char *object);

/* A callback with the process group of a compiler, called by the thread that waits for
   the compiler. */
typedef void compiler_notice(pid_t group);
/* Sets callbacks for the begin and the end of every compiler; NULL: none. The call must
   come before there are threads. */
void compiler_tell(compiler_notice *begun, compiler_notice *ended);

#endif
