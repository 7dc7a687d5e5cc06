/*
 * compiler.h - the system's C compiler, called as a program.
 *
 * It is SALTUS_CC, else cc, found in $PATH: one word. It sees no descriptor of ours, and
 * is killed with all that it has started after SALTUS_CC_TIMEOUT seconds (120).
 */
#ifndef SALTUS_COMPILER_H
#define SALTUS_COMPILER_H

#include <stddef.h>
#include <sys/types.h>

/* As it is called. */
const char *compiler_name(void);
/* Which one that is: the file behind the name and its links, the name without its folder,
   the size of the file and the time at which it was changed; the name alone where there
   is no such file. Another compiler, or
   another version, has another identity. */
void compiler_identity(char *text, size_t size);
/* Seconds after which it is killed. */
double compiler_limit(void);

enum compiled {
    COMPILED,
    COMPILED_NOT,               /* it has failed, or made nothing */
    COMPILED_BY_NONE,           /* there is no such program */
    COMPILED_TOO_LONG           /* it was killed */
};

/* Compiles the file `source` into the file `object`; flags are words with blanks between
   them. */
enum compiled compiler_run(const char *flags, const char *source, const char *object);

/* Called with the process group of every compiler when it begins and when it has ended,
   by the thread that waits for it; NULL: nobody is told. To be set before there is a
   thread. */
typedef void compiler_notice(pid_t group);
void compiler_tell(compiler_notice *begun, compiler_notice *ended);

#endif
